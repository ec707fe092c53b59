#include "runner_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/io/files.h"

#define GENTLE_MS 5000
#define HARD_MS 3000
#define CLIMBS 100
#define JOB_PIDS_FROM "1000"

bool keeper_read(int fd, void *to, size_t n)
{
	char *p = to;

	while (n) {
		ssize_t got = read(fd, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

bool keeper_write(int fd, const void *from, size_t n)
{
	const char *p = from;

	while (n) {
		ssize_t put = send(fd, p, n, MSG_NOSIGNAL);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		p += put;
		n -= (size_t)put;
	}
	return true;
}

static void keeper_reply(int fd, int32_t pid, int error, enum keeper_step step)
{
	struct keeper_answer a = {0, pid, 0, error, step};

	keeper_write(fd, &a, sizeof a);
}

static int network_up(void)
{
	struct ifreq r = {.ifr_name = "lo"};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int failed;

	if (s < 0)
		return errno;
	r.ifr_flags = IFF_UP | IFF_RUNNING;
	failed = ioctl(s, SIOCSIFFLAGS, &r) != 0 ? errno : 0;
	close(s);
	return failed;
}

static int first_job_pid(void)
{
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	int failed;

	if (fd < 0)
		return errno;
	failed = write(fd, JOB_PIDS_FROM, sizeof JOB_PIDS_FROM - 1) < 0 ? errno : 0;
	close(fd);
	return failed;
}

static int set_up_apart(enum keeper_step *step)
{
	*step = STEP_MOUNT;
	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) != 0)
		return errno;
	if (mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") != 0)
		return errno;
	/* Terminals of its own: a restored one must get the number it had, which others' logins may have taken
	 * meanwhile. */
	*step = STEP_TERMINALS;
	if (mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620") != 0 ||
	    mount("/dev/pts/ptmx", "/dev/ptmx", "none", MS_BIND, NULL) != 0)
		return errno;
	*step = STEP_PROC;
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
		return errno;
	*step = STEP_NETWORK;
	return network_up();
}

/* A process's state and parent. False: it is gone. */
static bool look_up(pid_t pid, char *state, pid_t *parent)
{
	char path[64], text[512];
	const char *close_paren;
	int fd;
	ssize_t got;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	close_paren = strrchr(text, ')');
	if (!close_paren || !close_paren[1] || !close_paren[2])
		return false;
	*state = close_paren[2];
	*parent = (pid_t)atoi(close_paren + 3);
	return true;
}

/* From parent to parent. One that ends meanwhile leaves its children to another one: then once more from the start. */
static bool descends(pid_t pid, pid_t root)
{
	pid_t at, parent;
	char state;

	for (int tries = 0; tries < CLIMBS; tries++) {
		bool whole = look_up(pid, &state, &parent);

		if (!whole || state == 'Z')
			return false; /* a zombie is dead already */
		for (at = parent; whole && at > 0 && at != root; at = parent)
			whole = look_up(at, &state, &parent);
		if (whole)
			return at == root;
	}
	return false;
}

/* Without memory of its own: where memory is short, none of them must be missed. */
unsigned keeper_descendants(pid_t root, int sig)
{
	unsigned found = 0;
	DIR *d = opendir("/proc");
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		pid_t pid = (pid_t)atoi(entry->d_name);

		if (pid <= 0 || pid == root || !descends(pid, root))
			continue;
		found++;
		if (sig)
			kill(pid, sig);
	}
	if (d)
		closedir(d);
	return found;
}

static void keeper_reap_children(int fd, bool tell)
{
	struct keeper_answer a = {.ended = 1};
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		a.pid = pid;
		a.status = status;
		if (tell)
			keeper_write(fd, &a, sizeof a);
	}
}

static bool childless(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Commands are leaders of their sessions: SIGTERM goes to them alone, who know how to end their job. */
static void ask_children(void)
{
	char path[64], text[4096];
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	for (char *at = text, *end; *at; at = end) {
		long pid = strtol(at, &end, 10);

		if (end == at)
			break;
		if (pid > 1 && getsid((pid_t)pid) == (pid_t)pid)
			kill((pid_t)pid, SIGTERM);
	}
}

static unsigned end_all(int fd, bool gently)
{
	unsigned left;

	if (gently) {
		ask_children();
		for (int ms = 0; ms < GENTLE_MS && !childless(); ms += 10) {
			keeper_reap_children(fd, false);
			pause_ms(10);
		}
	}
	for (int ms = 0; ms < HARD_MS; ms += 5) {
		keeper_reap_children(fd, false);
		if (keeper_descendants(getpid(), SIGKILL) == 0 && childless())
			return 0;
		pause_ms(5);
	}
	keeper_reap_children(fd, false);
	left = keeper_descendants(getpid(), 0);
	return left || childless() ? left : 1; /* /proc could not be read */
}

static void use_cpus(const struct nest_cpus *cpus)
{
	cpu_set_t set;

	if (!cpus->given)
		return;
	CPU_ZERO(&set);
	for (unsigned i = 0; i < NEST_CPUS && i < CPU_SETSIZE; i++)
		if (cpus->bits[i / 64] >> (i % 64) & 1)
			CPU_SET(i, &set);
	sched_setaffinity(0, sizeof set, &set);
}

struct strings {
	char *at, *end;
};

static char *next_string(struct strings *s)
{
	char *here = s->at;

	if (here >= s->end)
		return NULL;
	s->at += strlen(here) + 1;
	return here;
}

/* In the child: report the step that fails through the pipe, which exec closes. */
static void fail_child(int report, enum keeper_step step)
{
	int32_t words[2] = {errno, (int32_t)step};

	if (write(report, words, sizeof words) < 0)
		_exit(126);
	_exit(127);
}

static void plain_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int s = 1; s < 32; s++)
		signal(s, SIG_DFL);
}

static void redirect(int report, const char *output)
{
	int in = open("/dev/null", O_RDONLY);
	int out = output[0] ? open(output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666) : STDERR_FILENO;

	if (in < 0 || out < 0)
		fail_child(report, STEP_OUTPUT);
	dup2(in, 0);
	dup2(out, 1);
	dup2(out, 2);
	close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
}

static void become(const struct keeper_request *r, struct strings s, int report)
{
	const char *directory = next_string(&s), *output = next_string(&s);
	char **argv;
	int error;

	plain_signals();
	setsid();
	if (r->private_files)
		umask(077);
	redirect(report, output);
	if (directory[0] && chdir(directory) != 0)
		fail_child(report, STEP_DIRECTORY);
	for (uint32_t i = 0; i < r->env_count; i++) {
		char *pair = next_string(&s);

		if (strchr(pair, '='))
			putenv(pair);
		else
			unsetenv(pair);
	}
	argv = mem_zero(r->argv_count + 1, sizeof *argv);
	for (uint32_t i = 0; argv && i < r->argv_count; i++)
		argv[i] = next_string(&s);
	use_cpus(&r->cpus);
	if (argv)
		execvp(argv[0], argv);
	error = errno;
	mem_free(argv);
	errno = error;
	fail_child(report, STEP_EXEC);
}

static void keeper_start_child(int fd, const struct keeper_request *r, char *bytes)
{
	int32_t words[2] = {0, STEP_NONE};
	int report[2];
	pid_t pid;

	if (pipe2(report, O_CLOEXEC) != 0) {
		keeper_reply(fd, -1, errno, STEP_FORK);
		return;
	}
	pid = fork();
	if (pid == 0)
		become(r, (struct strings){bytes, bytes + r->size}, report[1]);
	close(report[1]);
	if (pid < 0)
		keeper_reply(fd, -1, errno, STEP_FORK);
	else if (read(report[0], words, sizeof words) != (ssize_t)sizeof words)
		keeper_reply(fd, pid, 0, STEP_NONE);
	else {
		waitpid(pid, NULL, 0);
		keeper_reply(fd, -1, words[0], (enum keeper_step)words[1]);
	}
	close(report[0]);
}

/* A folder that is to go if the runner goes without a word. */
static char doomed[PATH_MAX];
static int doomed_fd = -1;

static void serve(int fd, const struct keeper_request *r, char *bytes)
{
	struct strings s = {bytes, bytes + r->size};
	const char *from, *to;
	int failed;

	switch ((enum keeper_op)r->op) {
	case KEEPER_START:
		keeper_start_child(fd, r, bytes);
		return;
	case KEEPER_BIND:
		from = next_string(&s);
		to = next_string(&s);
		failed = mount(from, to, NULL, MS_BIND, NULL) != 0 ? errno : 0;
		keeper_reply(fd, 0, failed, STEP_MOUNT);
		return;
	case KEEPER_TMPFS:
		to = next_string(&s);
		failed = mount("tmpfs", to, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") != 0 ? errno : 0;
		keeper_reply(fd, 0, failed, STEP_MOUNT);
		return;
	case KEEPER_PIDS:
		keeper_reply(fd, 0, first_job_pid(), STEP_PROC);
		return;
	case KEEPER_REMOVE:
		from = next_string(&s);
		snprintf(doomed, sizeof doomed, "%s", from);
		doomed_fd = files_open_folder(AT_FDCWD, doomed);
		keeper_reply(fd, 0, doomed_fd < 0 ? errno : 0, STEP_NONE);
		return;
	case KEEPER_END:
		keeper_reply(fd, (int32_t)end_all(fd, r->gently != 0), 0, STEP_NONE);
		_exit(0);
	}
}

static bool take_request(int fd)
{
	struct keeper_request r;
	char *bytes;
	bool whole;

	if (!keeper_read(fd, &r, sizeof r))
		return false;
	bytes = mem_zero(r.size + 1u, 1);
	whole = bytes && keeper_read(fd, bytes, r.size);
	if (whole)
		serve(fd, &r, bytes);
	mem_free(bytes);
	return whole;
}

_Noreturn void keeper_run(int fd, enum nest_kind kind)
{
	enum keeper_step step = STEP_NONE;
	sigset_t all;
	int failed = 0, children;

	/* Ctrl-C is for the runner, which then says how to end. */
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigemptyset(&all);
	sigaddset(&all, SIGCHLD);
	children = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	if (kind == NEST_APART)
		failed = set_up_apart(&step);
	else
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	keeper_reply(fd, getpid(), failed, step);
	for (;;) {
		struct pollfd p[2] = {{fd, POLLIN, 0}, {children, POLLIN, 0}};
		struct signalfd_siginfo info;

		if (failed || (poll(p, 2, -1) < 0 && errno != EINTR))
			break;
		if (p[1].revents && read(children, &info, sizeof info) > 0)
			keeper_reap_children(fd, true);
		if (p[0].revents && !take_request(fd))
			break;
	}
	end_all(fd, kind == NEST_PLAIN);
	if (doomed_fd >= 0)
		files_remove(AT_FDCWD, doomed, doomed_fd, NULL);
	_exit(1);
}
