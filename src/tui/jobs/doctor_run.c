#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/out.h"

#define LOOK_MS 50
#define SAYS_MOST ((size_t)1 << 20)

/* What it writes comes out of *from. */
static enum err_code doctor_start_child(const char *program, pid_t *pid, int *from, struct err *e)
{
	static const char *const argv[] = {"pas2p", "doctor", "--quiet", "--format", "yaml", NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, usual;
	int ends[2], failed;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set(e, ERR_IO, "cannot make a pipe: %s", strerror(errno));
	sigemptyset(&none);
	/* Not all: older C libraries then stumble over SIGKILL. */
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGTERM);
	failed = posix_spawn_file_actions_init(&files);
	if (!failed) {
		failed = posix_spawnattr_init(&how);
		if (!failed) {
			posix_spawnattr_setsigmask(&how, &none);
			posix_spawnattr_setsigdefault(&how, &usual);
			posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
			failed = posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
			if (!failed)
				failed = posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
			if (!failed)
				failed = posix_spawn(pid, program, &files, &how, (char *const *)(uintptr_t)argv, environ);
			posix_spawnattr_destroy(&how);
		}
		posix_spawn_file_actions_destroy(&files);
	}
	close(ends[1]);
	*from = ends[0];
	if (!failed)
		return ERR_OK;
	close(ends[0]);
	return err_set(e, ERR_IO, "cannot start pas2p doctor: %s", strerror(failed));
}

/* To its end; stopped, it has a moment to end what it has started. */
static enum err_code listen_to(int from, pid_t pid, struct out *says, const struct progress *progress, struct err *e)
{
	struct pollfd ready = {.fd = from, .events = POLLIN};
	bool stopped = false;
	char bytes[4096];
	ssize_t n = 1;

	while (n != 0) {
		if (!stopped && (progress_stopped(progress) || says->len > SAYS_MOST)) {
			kill(pid, SIGTERM);
			stopped = true;
		}
		if (poll(&ready, 1, LOOK_MS) <= 0)
			continue;
		n = read(from, bytes, sizeof bytes);
		if (n < 0 && errno != EINTR)
			n = 0;
		if (n > 0 && says->len <= SAYS_MOST)
			out_add(says, bytes, (size_t)n);
	}
	if (stopped && progress_stopped(progress))
		return err_set(e, ERR_CANCELLED, "interrupted");
	return says->failed ? err_memory(e, "the output of pas2p doctor") : ERR_OK;
}

static const char *doctor_row_word(const struct yaml_node *row, const char *key)
{
	const struct yaml_node *n = yaml_get(row, key);

	return n && n->kind == YAML_SCALAR && !yaml_is_null(n) ? n->text : "";
}

static enum err_code doctor_take_rows(struct doctor_found *found, const struct out *says, struct err *e)
{
	enum err_code code = yaml_in_init(&found->yaml, "doctor", says->text ? says->text : "", says->len, e);
	const struct yaml_node *list = code ? NULL : found->yaml.root;

	if (code)
		return code;
	if (!list || list->kind != YAML_LIST || !list->count)
		return err_set(e, ERR_FORMAT, "pas2p doctor printed nothing");
	found->rows = mem_zero(list->count, sizeof *found->rows);
	if (!found->rows)
		return err_memory(e, "the findings");
	for (const struct yaml_node *n = list->first; n; n = n->next) {
		const char *state = doctor_row_word(n, "state");

		found->rows[found->count++] = (struct doctor_row){
			.check = doctor_row_word(n, "check"), .text = doctor_row_word(n, "text"), .mend = doctor_row_word(n, "mend"),
			.state = !strcmp(state, "ok") ? DOCTOR_OK : !strcmp(state, "note") ? DOCTOR_NOTE : DOCTOR_MISSING,
			.needed = !strcmp(doctor_row_word(n, "needed"), "true"),
		};
	}
	return ERR_OK;
}

enum err_code doctor_run(const char *program, struct doctor_found *found, const struct progress *progress, struct err *e)
{
	char safe[256];
	struct out says;
	enum err_code code;
	int from = -1, status = 0;
	pid_t pid;

	*found = (struct doctor_found){0};
	if (doctor_start_child(program, &pid, &from, e))
		return e->code;
	out_init(&says);
	code = listen_to(from, pid, &says, progress, e);
	close(from);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* 1: something that is needed is missing */
	if (!code && (!WIFEXITED(status) || WEXITSTATUS(status) > 1)) {
		if (says.len)
			text_safe(safe, sizeof safe, says.text, says.len - 1, TEXT_UTF8);
		else
			snprintf(safe, sizeof safe, "it ended with %s %d", WIFEXITED(status) ? "exit status" : "signal",
				 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
		code = err_set(e, ERR_IO, "pas2p doctor failed: %s", safe);
	}
	if (!code)
		code = doctor_take_rows(found, &says, e);
	out_release(&says);
	if (code)
		doctor_found_release(found);
	return code;
}

void doctor_found_release(struct doctor_found *found)
{
	yaml_in_release(&found->yaml);
	mem_free(found->rows);
	*found = (struct doctor_found){0};
}
