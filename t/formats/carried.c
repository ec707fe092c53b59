/* What a format can hold is carried, and what it cannot is said: a run that was converted and is read again waited as
 * long for the same reasons, and where it did not, convert has said what it lost. Runs are random ones, with roots of
 * collectives on several communicators and numbers of requests, as the tracer of pas2p writes them. Numbers of requests
 * go nowhere, so formats are held against the run without them too: then nothing of waiting is lost.
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

#define SEEDS 150
#define FIGURES (ACCOUNT_KINDS + WAIT_REASONS + 1)

static const struct format_held {
	const char *to;
	double within;       /* s that a figure may be off: where times are whole nanoseconds */
	const char *waits[2]; /* what it loses that changes waiting */
	const char *rest[3]; /* or other figures */
} formats[] = {
	{"clog2", 0, {NULL}, {NULL}},
	{"otf2", 1e-6, {NULL}, {"records that are no calls, events or readings", "places of user states that overlap others"}},
	{"prv", 1e-6, {"calls within calls", "messages without partner"}, {"calls within calls", "messages without partner", "records that are no calls, events or readings"}},
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
	free(bytes.bytes);
}

int main(void)
{
	char folder[] = "/tmp/pas2p-carried.XXXXXX", path[PATH_MAX], command[PATH_MAX];
	int looked[FORMATS] = {0}, waits[FORMATS] = {0}, said[FORMATS] = {0}, rooted = 0, numbered = 0, known = 0;

	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct same_run whole, from, made;
		struct metric_run first, a, b;

		snprintf(path, sizeof path, "%s/whole.clog2", folder);
		write_bytes(path, gen_script_random(seed, GEN_SCRIPT_NUMBERED, &(struct gen_script_options){0}));
		same_run_load(&whole, (const char *const[]){path}, 1);
		first = metric_run_files((const char *const[]){path}, 1);
		/* Without numbers of requests. */
		same_run_convert(&whole, "clog2", folder, "from", path, &from);
		a = metric_run_files((const char *const[]){path}, 1);
		for (uint32_t i = 0; i < first.log->call_count; i++)
			known += (first.log->flags[i] & CALL_ROOT_KNOWN) != 0;
		numbered += strstr(from.lost, "request numbers") != NULL;
		for (uint32_t i = 0; i < a.log->call_count; i++)
			rooted += (a.log->flags[i] & CALL_ROOT_KNOWN) != 0;
		for (size_t i = 0; i < FORMATS; i++) {
			const struct format_held *format = &formats[i];
			const struct account *was = &a.metrics->account, *is;

			same_run_convert(&from, format->to, folder, "made", path, &made);
			b = metric_run_files((const char *const[]){path}, 1);
			is = &b.metrics->account;
			if (!is_said(&made, format->waits, 2)) {
				looked[i]++;
				waits[i] += !differ(was, is, format->within, ACCOUNT_KINDS, ACCOUNT_KINDS + WAIT_REASONS);
			}
			said[i] += is_said(&made, format->rest, 3) || !differ(was, is, format->within, 0, FIGURES);
			metric_run_close(&b);
			same_run_release(&made);
		}
		metric_run_close(&first);
		metric_run_close(&a);
		same_run_release(&from);
		same_run_release(&whole);
	}
	ok(known > SEEDS && numbered > SEEDS / 2, "%d calls with known roots, %d runs with numbers of requests", known, numbered);
	is_int(rooted, known, "all roots are there");
	for (size_t i = 0; i < FORMATS; i++) {
		ok(looked[i] >= SEEDS / 10 && waits[i] == looked[i], "%s: %d of %d runs have as much waiting, for the same reasons", formats[i].to, waits[i],
		   looked[i]);
		is_int(said[i], SEEDS, "%s: where other figures differ, what changes them is said to be lost", formats[i].to);
	}
	snprintf(command, sizeof command, "rm -rf %s", folder);
	if (system(command) != 0)
		diag("%s is left", folder);
	return done_testing();
}
