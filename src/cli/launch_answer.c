#include "cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complain.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/io/source.h"
#include "interrupt.h"
#include "core/io/files.h"
#include "runner/runner.h"
#include "runner/launch.h"

#define LOOK_MS 50
#define TOLD 10              /* lines of a job that failed */

void launch_answer_init(struct launch_answer *a, const struct options *o, const struct progress *progress)
{
	*a = (struct launch_answer){.options = o, .progress = progress, .folder_fd = -1};
	arena_init(&a->arena);
}

static enum err_code make_folder(struct launch_answer *a, struct err *e)
{
	const char *temporary = getenv("TMPDIR");
	char place[PATH_MAX];

	if (snprintf(a->folder, sizeof a->folder, "%s/pas2p-job.XXXXXX", temporary && *temporary ? temporary : "/tmp") >=
	    (int)sizeof a->folder) {
		a->folder[0] = '\0';
		return err_set(e, ERR_LIMIT, "the path of the folder for the job's output is too long");
	}
	if (files_make(a->folder, &a->folder_fd, e))
		return e->code;
	if (!realpath(a->folder, place))
		return err_set(e, ERR_IO, "the folder for the job's output has disappeared");
	return files_join(a->output, place, "output", e);
}

/* The launcher's words and the program with its own. NULL: no memory. */
static const char *const *words_of(struct launch_answer *a, const char *program, const char *const *own)
{
	size_t n = 0, k = 0;
	const char **words;

	while (a->options->words[n])
		n++;
	while (own[k])
		k++;
	words = arena_alloc(&a->arena, (n + k + 2) * sizeof *words);
	if (!words)
		return NULL;
	memcpy(words, a->options->words, n * sizeof *words);
	words[n] = arena_strndup(&a->arena, program, strlen(program));
	if (!words[n])
		return NULL;
	memcpy(words + n + 1, own, k * sizeof *own);
	return words; /* the arena's memory is cleared: it ends with NULL */
}

static enum err_code run_launch(struct launch_answer *a, const char *const *words, const struct launch_question *q, struct err *e)
{
	static const char *const env[] = {"PAS2P_TRACE", "PAS2P_CONTROL", NULL};
	const struct nest_command c = {.argv = words, .env = env, .output = a->output, .private_files = true};
	struct nest_child child = {0};
	double begun = clock_seconds(), elapsed;

	if (nest_open(&a->nest, NEST_PLAIN, e))
		return e->code;
	if (nest_start(a->nest, &c, &child, e))
		return e->code;
	nest_remove_later(a->nest, a->folder, NULL);
	a->failed = true;
	while (child.running) {
		if (progress_stopped(a->progress))
			return err_set(e, ERR_CANCELLED, "interrupted");
		if (nest_wait(a->nest, LOOK_MS, e))
			return e->code;
		elapsed = clock_seconds() - begun;
		if (elapsed > q->most)
			return err_set(e, ERR_IO, "the job did not end within %.0f s", q->most);
		progress_report(a->progress, PROGRESS_BENCH, (uint64_t)(1e3 * (elapsed < q->usual ? elapsed : q->usual)), (uint64_t)(1e3 * q->usual));
	}
	if (WIFSIGNALED(child.status))
		return err_set(e, ERR_IO, "signal %d (%s) ended the job", WTERMSIG(child.status), strsignal(WTERMSIG(child.status)));
	if (WEXITSTATUS(child.status) && refusal_in_file(a->output, a->refusal))
		return err_set(e, ERR_IO, "the job did not start: %s", a->refusal);
	if (WEXITSTATUS(child.status))
		return err_set(e, ERR_IO, "the job failed with exit status %d", WEXITSTATUS(child.status));
	a->failed = false;
	return ERR_OK;
}

static enum err_code read_output(const struct launch_answer *a, char **text, size_t *size, struct err *e)
{
	struct source s;
	enum err_code code = source_open_file(&s, a->output, e);
	size_t got = 0;

	*text = NULL;
	if (code)
		return code;
	*size = (size_t)source_size(&s);
	*text = mem_alloc(*size + 1, 1);
	code = *text ? source_read(&s, 0, *text, *size, &got, e) : err_memory(e, "the output of the job");
	if (!code)
		(*text)[*size = got] = '\0';
	source_release(&s);
	return code;
}

static void end_launch(struct launch_answer *a)
{
	nest_close(a->nest, true);
	a->nest = NULL;
	if (a->folder[0]) {
		files_remove(AT_FDCWD, a->folder, a->folder_fd, NULL);
		close(a->folder_fd);
	}
	a->folder[0] = '\0';
}

enum err_code launch_answer_ask(struct launch_answer *a, const struct launch_question *q, char **text, size_t *size, struct err *e)
{
	char program[PATH_MAX];
	const char *const *words;
	enum err_code code;

	*text = NULL;
	end_launch(a);
	a->mark = q->mark;
	code = launch_look(&a->launch, a->options->words, a->options->mpi, NULL, a->progress, e);
	if (!code)
		code = launch_program(&a->launch, q->program, q->task, program, e);
	if (code)
		return code;
	words = words_of(a, program, q->own);
	if (!words)
		return err_memory(e, "the launch command");
	code = make_folder(a, e);
	if (!code)
		code = run_launch(a, words, q, e);
	if (!code)
		code = read_output(a, text, size, e);
	return code;
}

/* What a job said that failed. */
static void show_output(const struct launch_answer *a)
{
	char *text = NULL, safe[512];
	size_t size;
	struct err e;
	unsigned told = 0;

	if (!read_output(a, &text, &size, &e))
		for (char *line = text; line < text + size && told < TOLD; line += strcspn(line, "\n") + 1) {
			size_t n = strcspn(line, "\n");

			if (!n || strspn(line, " \t\r-*=") == n || memmem(line, n, a->mark, strlen(a->mark)))
				continue;
			complain("the job: %s", text_safe(safe, sizeof safe, line, n, TEXT_UTF8));
			told++;
		}
	mem_free(text);
}

void launch_answer_close(struct launch_answer *a, enum err_code code)
{
	if (a->failed && code != ERR_CANCELLED && !a->refusal[0])
		show_output(a);
	end_launch(a);
	arena_release(&a->arena);
}

enum exit_code launch_answer_end(const struct launch_answer *a, const struct sink *s, enum exit_code finding, enum err_code code,
			      const struct err *e)
{
	if (s->pipe_closed)
		interrupt_end_by_pipe();
	if (code == ERR_CANCELLED) {
		complain("interrupted; the job was ended and left nothing");
		return EXIT_INTERRUPTED;
	}
	if (!code)
		return finding;
	complain("%s", e->text);
	return a->failed ? EXIT_JOB_FAILED : s->err.code ? exit_of_write(code) : exit_of_err(code);
}
