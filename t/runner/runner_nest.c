/* The nest: whatever a job leaves behind (children that made themselves independent, that ignore SIGTERM, whose parents
 * have gone) is gone when the nest is closed, and also when the runner vanishes without a word. Processes left on a
 * cluster's nodes are what users of such tools are banned for.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "runner/runner.h"
#include "tap.h"

static char folder[] = "/tmp/pas2p-nest.XXXXXX";

/* Sleeps under a name of its own, away from its parent, deaf to SIGTERM; tells its number. */
static const char stray_script[] =
	"trap '' TERM; (trap '' TERM; setsid sh -c 'trap \"\" TERM; echo $$ >stray; while :; do sleep 1; done' &) ; "
	"[ $STAY = no ] || while :; do sleep 1; done";

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

static enum err_code shell(struct nest *n, const char *script, const char *output, const char *stay,
			   struct nest_child *child, struct err *e)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	const char *env[] = {"NEST_SAYS=hello", "HOME", stay, NULL};
	char path[64];
	struct nest_command c = {.argv = argv, .env = env, .directory = folder, .output = path};

	snprintf(path, sizeof path, "%s%s", output[0] == '/' ? "" : folder, output[0] == '/' ? output : "/out");

	return nest_start(n, &c, child, e);
}

static void read_file(const char *name, char *text, size_t size)
{
	char path[128];
	int fd;
	ssize_t got;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	fd = open(path, O_RDONLY);
	got = fd < 0 ? -1 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
}

static pid_t stray(void)
{
	char text[32] = "";

	for (int i = 0; i < 500 && !strchr(text, '\n'); i++) {
		read_file("stray", text, sizeof text);
		pause_ms(10);
	}
	return (pid_t)atoi(text);
}

static bool alive(pid_t pid)
{
	char path[64], text[256], *state;
	int fd;
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY);
	n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	state = strrchr(text, ')');
	return state && state[2] != 'Z';
}

static void forget_stray(void)
{
	char path[64];

	snprintf(path, sizeof path, "%s/stray", folder);
	unlink(path);
}

static void commands(struct nest *n)
{
	struct nest_child a, b;
	struct nest_command missing = {.argv = (const char *const[]){"/nonexistent/program", NULL}};
	struct err e = {0};
	char text[256];

	is_int(shell(n, "echo $NEST_SAYS ${HOME-none}; pwd; exit 7", "out", "STAY=no", &a, &e), ERR_OK, "a command "
	       "starts");
	is_int(shell(n, "kill -USR1 $$", "/dev/null", "STAY=no", &b, &e), ERR_OK, "and another one beside it");
	for (int i = 0; i < 200 && (a.running || b.running); i++)
		nest_wait(n, 50, &e);
	ok(!a.running && WIFEXITED(a.status) && WEXITSTATUS(a.status) == 7, "its exit status comes back");
	ok(!b.running && WIFSIGNALED(b.status) && WTERMSIG(b.status) == SIGUSR1, "and the other's signal");
	read_file("out", text, sizeof text);
	ok(strncmp(text, "hello none\n", 11) == 0, "its environment was changed as asked: %s", text);
	ok(strstr(text, folder) != NULL, "in its directory");
	is_int(nest_start(n, &missing, &a, &e), ERR_IO, "a program that is not there");
	ok(strstr(e.text, "/nonexistent/program") != NULL, "is named: %s", e.text);
	is_int((int)nest_population(n), 0, "nobody is in the nest now");
}

static void strays(enum nest_kind kind, const char *name)
{
	struct nest *n;
	struct nest_child child;
	struct err e = {0};
	unsigned there;

	if (nest_open(&n, kind, &e)) {
		skip(4, "%s: %s", name, e.text);
		return;
	}
	shell(n, stray_script, "/dev/null", "STAY=no", &child, &e);
	while (child.running && !nest_wait(n, 50, &e))
		;
	ok(stray() > 0, "%s: a grandchild goes its own way", name);
	there = nest_population(n);
	ok(there > 0, "%s: it is seen (%u processes)", name, there);
	mem_fail_after(0);
	ok(nest_population(n) > 0, "%s: and is not overlooked where there is no memory", name);
	mem_fail_after(-1);
	is_int((int)nest_close(n, false), 0, "%s: closing leaves nobody", name);
	/* Its number is one of the nest's own where that has its own: there the keeper's end is that of all. */
	if (kind == NEST_PLAIN)
		ok(!alive(stray()), "%s: it is gone", name);
	forget_stray();
}

/* The runner is killed with a job in its nest. */
static void killed(void)
{
	pid_t runner = fork();
	char doomed[64];
	struct stat st;
	int gone = 0;

	snprintf(doomed, sizeof doomed, "%s/doomed", folder);
	if (runner == 0) {
		struct nest *n;
		struct nest_child child;
		struct err e;

		mkdir(doomed, 0700);
		if (nest_open(&n, NEST_PLAIN, &e) || nest_remove_later(n, doomed, &e) ||
		    shell(n, stray_script, "/dev/null", "STAY=yes", &child, &e))
			_exit(1);
		for (;;)
			nest_wait(n, 1000, &e);
	}
	ok(stray() > 0 && alive(stray()), "a runner has a job");
	kill(runner, SIGKILL);
	waitpid(runner, NULL, 0);
	for (int i = 0; i < 1500 && !gone; i++) {
		pause_ms(10);
		gone = !alive(stray()) && stat(doomed, &st) != 0;
	}
	ok(gone, "killed outright, it leaves neither the job nor its folder behind");
	forget_stray();
}

int main(void)
{
	struct nest *n;
	struct err e = {0};

	if (!mkdtemp(folder))
		bail_out("no temporary directory");
	is_int(nest_open(&n, NEST_PLAIN, &e), ERR_OK, "a nest opens: %s", e.text);
	commands(n);
	is_int((int)nest_close(n, true), 0, "and closes");
	strays(NEST_PLAIN, "plain");
	strays(NEST_APART, "apart");
	killed();
	if (chdir(folder) == 0) {
		unlink("out");
		rmdir("doomed");
	}
	rmdir(folder);
	return done_testing();
}
