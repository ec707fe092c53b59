/* What a format can hold is carried, and what it cannot is said: a run that was converted and is read again waited as
 * long for the same reasons, and where it did not, convert has said what it lost. Runs are random ones, with roots of
 * collectives on several communicators and numbers of requests, as the tracer of pas2p writes them. Only CLOG2 holds
 * these numbers, so formats are held against the run without them too: then nothing of waiting is lost.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_script.h"
#include "metric_run.h"
#include "same_run.h"
#include "tap.h"

#define SEEDS CASES(150)
#define FIGURES (ACCOUNT_KINDS + WAIT_REASONS + 1)

#define REQUESTS "request numbers of nonblocking calls"
#define MEETINGS "numbers of calls that are made together"

static const struct format_held {
	const char *to;
	bool numbers;        /* it holds them */
	double within;       /* s that a figure may be off: where times are whole nanoseconds */
	const char *waits[2]; /* what it loses that changes waiting */
	const char *rest[3]; /* or other figures */
} formats[] = {
	{"clog2", true, 0, {NULL}, {NULL}},
	{"otf2", false, 1e-6, {NULL}, {"records other than calls, events or readings, such as those of requests", "positions of functions that overlap others"}},
	{"prv", false, 1e-6, {"calls within calls", "unmatched messages"}, {"calls within calls", "unmatched messages", "records other than calls, events or readings, such as those of requests"}},
};
#define FORMATS (sizeof formats / sizeof *formats)

static double figure_of(const struct account *a, int k)
{
	return k < ACCOUNT_KINDS ? a->by_kind[k] : k < ACCOUNT_KINDS + WAIT_REASONS ? a->by_reason[k - ACCOUNT_KINDS] : a->hidden;
}

static bool differ(const struct account *a, const struct account *b, double within, int first, int end)
{
	for (int k = first; k < end; k++)
		if (!(fabs(figure_of(a, k) - figure_of(b, k)) <= within))
			return true;
	return false;
}

static bool is_said(const struct same_run *made, const char *const *list, int count)
{
	bool said = false;

	for (int i = 0; i < count && list[i]; i++)
		said = said || strstr(made->lost, list[i]);
	return said;
}

static void write_bytes(const char *path, struct gen_bytes bytes)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(bytes.bytes, bytes.size, 1, f) != 1 || fclose(f))
		bail_out("cannot write %s", path);
}

/* Nobody takes what definitions call otherwise for numbers of requests. */
static void hide_requests(struct gen_bytes bytes)
{
	uint8_t *at = bytes.bytes, *end = at + bytes.size;

	while ((at = memmem(at, (size_t)(end - at), "request=", 8)))
		memcpy(at, "another=", 8);
}

static uint32_t count_roots(const struct metric_run *r)
{
	uint32_t roots = 0;

	for (uint32_t i = 0; i < r->log->call_count; i++)
		roots += (r->log->flags[i] & CALL_ROOT_KNOWN) != 0;
	return roots;
}

/* A file, in all formats. */
struct held {
	int looked, waits;   /* runs where nothing is said to be lost that changes waiting; of these: it is the same */
	int said;            /* runs where all that differs is explained */
	int lost;            /* runs that lost numbers of requests, and said so */
	uint32_t roots;      /* calls with a known one */
};

static void convert_all(const char *folder, const char *name, struct held held[FORMATS], uint32_t *roots)
{
	struct same_run from;
	struct metric_run a;
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	same_run_load(&from, (const char *const[]){path}, 1);
	a = metric_run_files((const char *const[]){path}, 1);
	*roots += count_roots(&a);
	for (size_t i = 0; i < FORMATS; i++) {
		const struct format_held *format = &formats[i];
		const struct account *was = &a.metrics->account, *is;
		struct same_run made;
		struct metric_run b;
		bool lost;

		same_run_convert(&from, format->to, folder, "made", path, &made);
		b = metric_run_files((const char *const[]){path}, 1);
		is = &b.metrics->account;
		lost = strstr(made.lost, REQUESTS) != NULL;
		if (!lost && !is_said(&made, format->waits, 2)) {
			held[i].looked++;
			held[i].waits += !differ(was, is, format->within, ACCOUNT_KINDS, ACCOUNT_KINDS + WAIT_REASONS);
		}
		held[i].said += lost || is_said(&made, format->rest, 3) || !differ(was, is, format->within, 0, FIGURES);
		held[i].lost += lost;
		held[i].roots += count_roots(&b);
		metric_run_close(&b);
		same_run_release(&made);
	}
	metric_run_close(&a);
	same_run_release(&from);
}

/* What was made together is known to have been, and who received from whom, where the format holds that. */
static void convert_gatherings(const char *folder)
{
	struct gen_script *g = gen_script_new(3, &(struct gen_script_options){0});
	const int32_t pair[] = {2, 1};
	int32_t comm = script_communicator(g, pair, 2);
	struct same_run from, made;
	struct metric_run a, b;
	struct gen_bytes bytes;
	char path[PATH_MAX];

	for (int32_t p = 0; p < 3; p++) {
		script_solo(g, p, 0);
		script_enter_gathering(g, p, 1 + p, "MPI_Win_fence", 1);
		script_leave(g, p, 4, "MPI_Win_fence");
		script_neighbour(g, p, 5, p ? 0 : -1);
		script_enter_gathering(g, p, 8 - p, "MPI_Neighbor_alltoall", 2);
		script_leave(g, p, 9, "MPI_Neighbor_alltoall");
	}
	script_on(g, comm);
	for (int32_t p = 1; p < 3; p++) {
		script_enter_gathering(g, p, 9 + p, "MPI_Comm_dup", 1);
		script_leave(g, p, 12, "MPI_Comm_dup");
	}
	snprintf(path, sizeof path, "%s/gathered.clog2", folder);
	bytes = gen_script_bytes(g);
	write_bytes(path, bytes);
	free(bytes.bytes);
	same_run_load(&from, (const char *const[]){path}, 1);
	a = metric_run_files((const char *const[]){path}, 1);
	is_double(a.metrics->account.by_reason[WAIT_COLLECTIVE], 2 + 1 + 1 + 2 + 1, 0, "calls made together wait, and for neighbours");
	is_double(a.metrics->account.not_analysed, 0, 0, "... all of them are analysed");
	for (size_t i = 0; i < FORMATS; i++) {
		const struct format_held *format = &formats[i];
		bool same;

		same_run_convert(&from, format->to, folder, "made", path, &made);
		b = metric_run_files((const char *const[]){path}, 1);
		same = !differ(&a.metrics->account, &b.metrics->account, format->within, 0, FIGURES);
		ok(format->numbers == same && format->numbers == !strstr(made.lost, MEETINGS ": 8"), "%s: %s (%s)", format->to,
		   format->numbers ? "the same after it" : "they are said to be lost", made.lost);
		metric_run_close(&b);
		same_run_release(&made);
	}
	metric_run_close(&a);
	same_run_release(&from);
}

int main(void)
{
	char folder[] = "/tmp/pas2p-carried.XXXXXX", path[PATH_MAX], command[PATH_MAX];
	struct held with[FORMATS] = {{0}}, without[FORMATS] = {{0}};
	uint32_t known = 0, known_without = 0;

	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct gen_bytes bytes = gen_script_random(seed, GEN_SCRIPT_NUMBERED, &(struct gen_script_options){0});

		snprintf(path, sizeof path, "%s/with.clog2", folder);
		write_bytes(path, bytes);
		hide_requests(bytes);
		snprintf(path, sizeof path, "%s/without.clog2", folder);
		write_bytes(path, bytes);
		free(bytes.bytes);
		convert_all(folder, "with.clog2", with, &known);
		convert_all(folder, "without.clog2", without, &known_without);
	}
	ok(known > SEEDS && known == known_without, "%u calls with known roots", known);
	for (size_t i = 0; i < FORMATS; i++) {
		const struct format_held *format = &formats[i];
		const struct held *w = &with[i], *o = &without[i];

		ok(o->looked >= SEEDS / 10 && o->waits == o->looked, "%s: %d of %d runs have as much waiting, for the same reasons", format->to, o->waits,
		   o->looked);
		is_int(o->said, SEEDS, "%s: where other figures differ, what changes them is said to be lost", format->to);
		ok(format->numbers ? !w->lost : w->lost > SEEDS / 2, "%s: %d of %d runs lose numbers of requests", format->to, w->lost, SEEDS);
		is_int(o->lost, 0, "%s: who has none loses none", format->to);
		ok(w->waits == w->looked && w->said == SEEDS && (!format->numbers || w->looked == SEEDS),
		   "%s: with numbers, %d of %d runs that keep them have as much waiting", format->to, w->waits, w->looked);
	}
	is_u64(with[0].roots, known, "all roots are there");
	convert_gatherings(folder);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	if (system(command) != 0)
		diag("%s is left", folder);
	return done_testing();
}
