#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/base/text.h"
#include "runner_int.h"

#define RUN_POLL_MS 20

struct nest {
	enum nest_kind kind;
	pid_t keeper;   /* as seen from outside */
	int fd;
	struct nest_child *children;
	char root[64];
};

static const char *const steps[] = {
	[STEP_NONE] = "start it", [STEP_FORK] = "create a process", [STEP_DIRECTORY] = "enter the work directory",
	[STEP_OUTPUT] = "open the output file", [STEP_EXEC] = "execute it", [STEP_MOUNT] = "mount",
	[STEP_TERMINALS] = "set up /dev/pts", [STEP_PROC] = "set up /proc", [STEP_NETWORK] = ("bring up the loopback "
		"interface"),
};

static const char *step_name(uint32_t step)
{
	return step < sizeof steps / sizeof steps[0] ? steps[step] : "work";
}

/* Like fork(), into new namespaces; without unshare(), which would change the runner itself. */
static pid_t fork_apart(void)
{
	return (pid_t)syscall(SYS_clone,
			      SIGCHLD | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET,
			      NULL, NULL, NULL, NULL);
}

static void note_ended(struct nest *n, const struct keeper_answer *a)
{
	for (struct nest_child **at = &n->children; *at; at = &(*at)->next) {
		struct nest_child *child = *at;

		if (child->pid != a->pid)
			continue;
		child->running = false;
		child->status = a->status;
		*at = child->next;
		return;
	}
}

static enum err_code keeper_gone(struct err *e)
{
	return err_set(e, ERR_IO, "the process that controls the job ended unexpectedly; the job was ended");
}

/* The answer to a request; notices of ended children come in between. */
static enum err_code wait_answer(struct nest *n, struct keeper_answer *a, struct err *e)
{
	do {
		if (!keeper_read(n->fd, a, sizeof *a))
			return keeper_gone(e);
		if (a->ended)
			note_ended(n, a);
	} while (a->ended);
	return ERR_OK;
}

enum err_code nest_open(struct nest **out, enum nest_kind kind, struct err *e)
{
	struct nest *n = mem_zero(1, sizeof *n);
	struct keeper_answer a;
	enum err_code code;
	int pair[2];

	*out = NULL;
	if (!n)
		return err_memory(e, "the control process of the job");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
		mem_free(n);
		return err_set(e, ERR_IO, "cannot make a socket for the control process of the job: "
			       "%s", strerror(errno));
	}
	n->kind = kind;
	n->fd = pair[0];
	n->keeper = kind == NEST_APART ? fork_apart() : fork();
	if (n->keeper == 0) {
		close(pair[0]);
		keeper_run(pair[1], kind);
	}
	close(pair[1]);
	if (n->keeper < 0) {
		code = err_set(e, ERR_IO, "cannot make %s: %s",
			       kind == NEST_APART ? "namespaces for the job (this needs root)" : "a process",
			       strerror(errno));
		close(n->fd);
		mem_free(n);
		return code;
	}
	if (kind == NEST_APART)
		snprintf(n->root, sizeof n->root, "/proc/%d/root", (int)n->keeper);
	code = wait_answer(n, &a, e);
	if (!code && a.error)
		code = err_set(e, ERR_IO, "cannot set up the job's namespaces (%s): %s", step_name(a.step),
			       strerror(a.error));
	if (code) {
		nest_close(n, false);
		return code;
	}
	*out = n;
	return ERR_OK;
}

static void add_string(struct out *o, const char *s)
{
	out_add(o, s, strlen(s) + 1);
}

static enum err_code keeper_ask(struct nest *n, struct keeper_request *r, struct out *strings, struct keeper_answer *a,
			 struct err *e)
{
	enum err_code code;

	r->size = (uint32_t)strings->len;
	if (strings->failed)
		code = err_memory(e, "a command line");
	else if (!keeper_write(n->fd, r, sizeof *r) || (r->size && !keeper_write(n->fd, strings->text, strings->len)))
		code = keeper_gone(e);
	else
		code = wait_answer(n, a, e);
	out_release(strings);
	return code;
}

void nest_adopt(struct nest *n, pid_t pid, struct nest_child *child)
{
	*child = (struct nest_child){.pid = pid, .running = true, .next = n->children};
	n->children = child;
}

static void child_forget(struct nest *n, const struct nest_child *child)
{
	struct nest_child **at = &n->children;

	while (*at && *at != child)
		at = &(*at)->next;
	if (*at)
		*at = child->next;
}

enum err_code nest_start(struct nest *n, const struct nest_command *c, struct nest_child *child, struct err *e)
{
	struct keeper_request r = {.op = KEEPER_START, .cpus = c->cpus, .private_files = c->private_files};
	struct keeper_answer a;
	enum err_code code;
	struct out strings;
	char safe[256];

	*child = (struct nest_child){0};
	out_init(&strings);
	add_string(&strings, c->directory ? c->directory : "");
	add_string(&strings, c->output ? c->output : "");
	for (; c->env && c->env[r.env_count]; r.env_count++)
		add_string(&strings, c->env[r.env_count]);
	for (; c->argv[r.argv_count]; r.argv_count++)
		add_string(&strings, c->argv[r.argv_count]);
	code = keeper_ask(n, &r, &strings, &a, e);
	if (code)
		return code;
	if (a.error) {
		text_safe(safe, sizeof safe, c->argv[0], SIZE_MAX, TEXT_UTF8);
		return err_set(e, ERR_IO, "cannot start %s (could not %s): %s", safe, step_name(a.step),
			       strerror(a.error));
	}
	nest_adopt(n, a.pid, child);
	return ERR_OK;
}

enum err_code nest_bind(struct nest *n, const char *from, const char *to, struct err *e)
{
	struct keeper_request r = {.op = KEEPER_BIND};
	struct keeper_answer a;
	enum err_code code;
	struct out strings;
	char safe[256];

	out_init(&strings);
	add_string(&strings, from);
	add_string(&strings, to);
	code = keeper_ask(n, &r, &strings, &a, e);
	if (code)
		return code;
	text_safe(safe, sizeof safe, to, SIZE_MAX, TEXT_UTF8);
	return a.error ? err_set(e, ERR_IO, "cannot mount at %s for the job: %s", safe, strerror(a.error)) : ERR_OK;
}

enum err_code nest_tmpfs(struct nest *n, const char *to, struct err *e)
{
	struct keeper_request r = {.op = KEEPER_TMPFS};
	struct keeper_answer a;
	enum err_code code;
	struct out strings;

	out_init(&strings);
	add_string(&strings, to);
	code = keeper_ask(n, &r, &strings, &a, e);
	if (code)
		return code;
	return a.error ? err_set(e, ERR_IO, "cannot mount a tmpfs at %s: %s", to, strerror(a.error)) : ERR_OK;
}

enum err_code nest_remove_later(struct nest *n, const char *folder, struct err *e)
{
	struct keeper_request r = {.op = KEEPER_REMOVE};
	struct keeper_answer a;
	struct out strings;

	out_init(&strings);
	add_string(&strings, folder);
	if (keeper_ask(n, &r, &strings, &a, e))
		return e->code;
	return a.error ? err_set(e, ERR_IO, "cannot open the job's control directory: %s", strerror(a.error)) : ERR_OK;
}

enum err_code nest_high_pids(struct nest *n, struct err *e)
{
	struct keeper_request r = {.op = KEEPER_PIDS};
	struct keeper_answer a;
	enum err_code code;
	struct out strings;

	out_init(&strings);
	code = keeper_ask(n, &r, &strings, &a, e);
	if (code)
		return code;
	return a.error ? err_set(e, ERR_IO, "cannot set the job's process numbers (ns_last_pid): %s",
				 strerror(a.error)) : ERR_OK;
}

enum err_code nest_run(struct nest *n, const struct nest_command *c, int *status, const struct progress *progress, struct err *e)
{
	struct nest_child child;
	enum err_code code = nest_start(n, c, &child, e);

	while (!code && child.running) {
		code = nest_wait(n, RUN_POLL_MS, e);
		if (!code && child.running && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "interrupted");
	}
	if (code && child.running)
		child_forget(n, &child);
	*status = child.status;
	return code;
}

enum err_code nest_wait(struct nest *n, int milliseconds, struct err *e)
{
	struct pollfd p = {n->fd, POLLIN, 0};
	struct keeper_answer a;

	while (poll(&p, 1, milliseconds) > 0) {
		if (!keeper_read(n->fd, &a, sizeof a))
			return keeper_gone(e);
		note_ended(n, &a);
		milliseconds = 0;
	}
	return ERR_OK;
}

const char *nest_root(const struct nest *n)
{
	return n->root;
}

unsigned nest_population(const struct nest *n)
{
	return keeper_descendants(n->keeper, 0);
}

unsigned nest_close(struct nest *n, bool gently)
{
	struct keeper_request r = {.op = KEEPER_END, .gently = gently};
	struct keeper_answer a = {0};
	unsigned left = 0;

	if (!n)
		return 0;
	if (keeper_write(n->fd, &r, sizeof r))
		while (keeper_read(n->fd, &a, sizeof a) && a.ended)
			note_ended(n, &a);
	left = a.ended ? 0 : (unsigned)a.pid;
	close(n->fd);
	while (waitpid(n->keeper, NULL, 0) < 0 && errno == EINTR)
		;
	mem_free(n);
	return left;
}
