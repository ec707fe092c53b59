/* pas2p clocks --measure: a probe in each process of a job measures the clocks; the conclusions are drawn here. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/batch.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/interrupt.h"
#include "cli/listing.h"
#include "cli/progress.h"
#include "clocks_measured_table.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/clocks/clock_answer.h"
#include "core/io/source.h"
#include "core/lists/list_clocks_unit.h"
#include "core/study/clocks_measured_write.h"
#include "runner/files.h"
#include "runner/launch.h"
#include "runner/nest.h"

#define SECONDS_USUAL 10.0
#define SECONDS_MOST 600.0
#define EXCHANGES_USUAL 100
#define PATIENCE 300.0       /* s that a job may take besides what it measures */
#define LOOK_MS 50
#define TOLD 10              /* lines of a job that failed */

struct measuring {
	const struct options *o;
	const struct job *job;
	struct launch launch;
	char probe[PATH_MAX];
	char folder[PATH_MAX], output[PATH_MAX];
	int folder_fd;
	struct arena arena;
	struct nest *nest;
	bool failed;             /* the job, not what is around it */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the job ---- */

static enum err_code make_folder(struct measuring *m, struct err *e)
{
	const char *temporary = getenv("TMPDIR");
	char whole[PATH_MAX];

	if (snprintf(m->folder, sizeof m->folder, "%s/pas2p-clocks.XXXXXX", temporary && *temporary ? temporary : "/tmp") >=
	    (int)sizeof m->folder) {
		m->folder[0] = '\0';
		return err_set(e, ERR_LIMIT, "the name of the folder for the job's output is too long");
	}
	if (files_make(m->folder, &m->folder_fd, e))
		return e->code;
	if (!realpath(m->folder, whole))
		return err_set(e, ERR_IO, "the folder for the job's output has gone");
	return files_join(m->output, whole, "output", e);
}

/* The launcher's words and the probe with its own. NULL: no memory. */
static const char *const *words_of(struct measuring *m)
{
	const struct options *o = m->o;
	char seconds[NUMBER_TEXT], exchanges[NUMBER_TEXT], rate_error[NUMBER_TEXT];
	const char *own[6];
	size_t n = 0, k;
	const char **words;

	number_format(o->seconds > 0 ? o->seconds : SECONDS_USUAL, seconds);
	number_whole(o->exchanges ? o->exchanges : EXCHANGES_USUAL, exchanges);
	number_format(o->rate_error, rate_error);
	own[0] = m->probe;
	own[1] = o->clock ? o->clock : "monotonic";
	own[2] = o->schedule ? o->schedule : "auto";
	own[3] = seconds;
	own[4] = exchanges;
	own[5] = rate_error;
	while (o->words[n])
		n++;
	words = arena_alloc(&m->arena, (n + 7) * sizeof *words);
	if (!words)
		return NULL;
	memcpy(words, o->words, n * sizeof *words);
	for (k = 0; k < 6; k++) {
		words[n + k] = arena_strndup(&m->arena, own[k], strlen(own[k]));
		if (!words[n + k])
			return NULL;
	}
	return words; /* the arena's memory is cleared: it ends with NULL */
}

static enum err_code run_job(struct measuring *m, struct err *e)
{
	const double limit = 2 * (m->o->rate_error > 0 ? SECONDS_MOST : m->o->seconds > 0 ? m->o->seconds : SECONDS_USUAL) + PATIENCE;
	static const char *const env[] = {"PAS2P_TRACE", "PAS2P_CONTROL", NULL};
	const struct nest_command c = {.argv = words_of(m), .env = env, .output = m->output, .private_files = true};
	struct nest_child child = {0};
	double begun = now();

	if (!c.argv)
		return err_memory(e, "the launch command");
	if (nest_open(&m->nest, NEST_PLAIN, e))
		return e->code;
	if (nest_start(m->nest, &c, &child, e))
		return e->code;
	nest_remove_later(m->nest, m->folder, NULL);
	m->failed = true;
	while (child.running) {
		if (job_stopped(m->job))
			return err_set(e, ERR_CANCELLED, "interrupted");
		if (nest_wait(m->nest, LOOK_MS, e))
			return e->code;
		if (now() - begun > limit)
			return err_set(e, ERR_IO, "the job has not ended within %.0f s", limit);
	}
	if (WIFSIGNALED(child.status))
		return err_set(e, ERR_IO, "the job was ended by signal %d (%s)", WTERMSIG(child.status), strsignal(WTERMSIG(child.status)));
	if (WEXITSTATUS(child.status))
		return err_set(e, ERR_IO, "the job ended with exit status %d", WEXITSTATUS(child.status));
	m->failed = false;
	return ERR_OK;
}

/* All that the job printed, with a NUL behind. */
static enum err_code read_output(struct measuring *m, char **text, size_t *size, struct err *e)
{
	struct source s;
	enum err_code code = source_open_file(&s, m->output, e);
	size_t got = 0;

	*text = NULL;
	if (code)
		return code;
	*size = (size_t)s.size;
	*text = mem_alloc(*size + 1, 1);
	code = *text ? source_read(&s, 0, *text, *size, &got, e) : err_memory(e, "what the job printed");
	if (!code)
		(*text)[*size = got] = '\0';
	source_release(&s);
	return code;
}

/* What a job said that failed. */
static void show_output(struct measuring *m)
{
	char *text = NULL, safe[512];
	size_t size;
	struct err e;
	unsigned told = 0;

	if (!read_output(m, &text, &size, &e))
		for (char *line = text; line < text + size && told < TOLD; line += strcspn(line, "\n") + 1) {
			size_t n = strcspn(line, "\n");

			if (!n || strspn(line, " \t\r-*=") == n || !strncmp(line, "pas2p-probe ", 12))
				continue;
			complain("the job: %s", text_safe(safe, sizeof safe, line, n, TEXT_UTF8));
			told++;
		}
	mem_free(text);
}

static enum err_code measure(struct measuring *m, struct clock_measured *measured, struct err *e)
{
	char *text = NULL;
	size_t size;
	enum err_code code = launch_look(&m->launch, m->o->words, m->o->mpi, NULL, m->job, e);

	if (!code)
		code = launch_probe(&m->launch, m->probe, e);
	if (!code)
		code = make_folder(m, e);
	if (!code)
		code = run_job(m, e);
	if (!code)
		code = read_output(m, &text, &size, e);
	if (!code) {
		m->failed = true;
		code = clock_answer_read(measured, text, size, e);
		m->failed = code == ERR_FORMAT;
	}
	mem_free(text);
	if (m->failed && code != ERR_CANCELLED)
		show_output(m);
	return code ? code : clock_measured_solve(measured, m->job, e);
}

static void measuring_release(struct measuring *m)
{
	nest_close(m->nest, true);
	if (m->folder[0]) {
		files_remove(AT_FDCWD, m->folder, m->folder_fd, NULL);
		close(m->folder_fd);
	}
	arena_release(&m->arena);
}

/* ---- output ---- */

struct csv {
	const struct clock_measured *measured;
	struct listing listing;
};

static enum err_code csv_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct csv *x = arg;

	(void)keep;
	(void)e;
	listing_cells(&x->listing, x->measured, (uint32_t)i, cells);
	return ERR_OK;
}

static enum err_code write_all(struct batch *b, const struct clock_measured *m, struct err *e)
{
	enum format format = b->options->format;
	struct csv x = {.measured = m};
	struct rows rows = {.columns = x.listing.columns, .row = csv_row, .arg = &x, .row_count = m->unit_count};

	if (format == FORMAT_TABLE)
		return clocks_measured_table(&b->sink.out, m, b->job, e);
	if (format != FORMAT_CSV)
		return clocks_measured_write(m, &b->sink.out, format == FORMAT_JSON, e);
	listing_pick(&x.listing, &clocks_units_columns, CLOCKS_UNIT_ALL);
	rows.column_count = (size_t)x.listing.pick.count;
	return listing_write(b, &rows, e);
}

static enum exit_code ended(const struct measuring *m, const struct batch *b, enum err_code code, const struct err *e)
{
	if (b->sink.pipe_closed)
		interrupt_end_by_pipe();
	if (code == ERR_CANCELLED) {
		complain("interrupted; the job has been ended and nothing is left of it");
		interrupt_pass_on();
		return EXIT_INTERRUPTED;
	}
	if (!code)
		return b->finding;
	complain("%s", e->text);
	return m->failed ? EXIT_JOB_FAILED : b->sink.err.code ? exit_of_write(code) : exit_of_err(code);
}

static enum exit_code run(const struct options *o)
{
	struct progress progress;
	struct batch b = {.options = o, .job = &progress.job, .progress = &progress};
	struct measuring m = {.o = o, .job = &progress.job};
	struct clock_measured measured = {0};
	struct err e = {0};
	enum err_code code;

	interrupt_catch();
	progress_init(&progress, !o->quiet);
	arena_init(&m.arena);
	code = sink_open(&b.sink, o->output, &e);
	if (!code)
		code = measure(&m, &measured, &e);
	measuring_release(&m);
	if (!code && o->rate_error > 0 && !o->quiet)
		complain("measured for %.1f s, as the widths of the first sample ask for", measured.seconds);
	if (!code)
		code = write_all(&b, &measured, &e);
	if (!code && !measured.verified)
		b.finding = EXIT_FINDING;
	if (!code)
		code = sink_finish(&b.sink, &e);
	progress_clear(&progress);
	sink_release(&b.sink);
	clock_measured_release(&measured);
	return ended(&m, &b, code, &e);
}

/* What says how to measure has no place elsewhere, nor what is asked of traces here. False: *e says what is wrong. */
static bool fits(const struct options *o, struct err *e)
{
	static const struct {
		enum option option;
		bool measuring;
	} only[] = {
		{OPTION_seconds, true}, {OPTION_clock, true}, {OPTION_exchanges, true}, {OPTION_schedule, true}, {OPTION_rate_error, true},
		{OPTION_mpi, true}, {OPTION_clocks_by, false}, {OPTION_reference, false}, {OPTION_latency, false}, {OPTION_resolution, false},
		{OPTION_clock_windows, false}, {OPTION_bins, false}, {OPTION_correct, false}, {OPTION_clock_method, false},
		{OPTION_amortise, false}, {OPTION_threads, false},
	};
	const char *wrong = !o->measure ? (o->words ? "a launch command goes with --measure" : NULL)
			  : o->file_count ? "--measure takes no file: the launcher goes after --"
			  : !o->words || !o->words[0] ? "no launch command is given: pas2p clocks --measure -- mpirun -np 8" : NULL;

	if (wrong)
		return err_set(e, ERR_USAGE, "%s", wrong) == ERR_OK;
	for (size_t i = 0; i < sizeof only / sizeof *only; i++)
		if (o->named[only[i].option] && only[i].measuring != o->measure)
			return err_set(e, ERR_USAGE, "--%s %s with --measure", option_info(only[i].option).name,
				       o->measure ? "does not go" : "goes") == ERR_OK;
	if (o->measure && o->seconds > 0 && o->rate_error > 0)
		return err_set(e, ERR_USAGE, "--rate-error says itself for how long: give it or --seconds") == ERR_OK;
	return true;
}

enum exit_code cmd_clocks_start(const struct options *o)
{
	struct err e;

	if (!fits(o, &e))
		return misused(o, e.text);
	return o->measure ? run(o) : batch_run(o);
}
