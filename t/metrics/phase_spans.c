/* Phases must tile each process in its own time, or their rows would not add up to the program's. Every stretch is
 * compared with the definition: an occurrence lies on a process from its send or collective number entry + 1 to number
 * exit + 1, asked of each occurrence and process.
 */
#include <math.h>
#include <stdlib.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/method/figures/clockwork.h"
#include "core/method/figures/figures.h"
#include "core/metrics/calls/phase_spans.h"
#include "gen.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static uint32_t stretches;

static uint32_t check(const struct analysis *a)
{
	const struct phases *p = a->phases;
	const struct trace *t = a->logical->trace;
	uint32_t processes = t->process_count, bad = 0;
	uint32_t *entry = calloc(processes, sizeof *entry), *exit = calloc(processes, sizeof *exit), *at = calloc(processes, sizeof *at);
	struct phase_spans *s;

	must(phase_spans_new(&s, NULL, a->clockwork, p, NULL, &err));
	for (uint32_t q = 0; q < processes; q++) {
		at[q] = s->first[q];
		bad += s->spans[at[q]].phase != SPAN_BEFORE || isfinite(s->spans[at[q]].from);
	}
	for (uint32_t i = 0; i < p->occurrence_count; i++) {
		must(occurrence_points(a->clockwork, p, i, entry, exit, &err));
		for (uint32_t q = 0; q < processes; q++) {
			const struct phase_span *span, *before;

			if (entry[q] == exit[q])
				continue;
			span = &s->spans[++at[q]];
			before = span - 1;
			bad += at[q] >= s->first[q + 1] || span->occurrence != i || span->phase != p->occurrences[i].phase;
			bad += span->from != fmax(before->from, clockwork_time(a->clockwork, q, entry[q]));
			bad += phase_span_at(s, q, span->from) < at[q];
			stretches++;
		}
	}
	for (uint32_t q = 0; q < processes; q++) {
		bool after = p->occurrence_count && t->first[q + 1] > t->first[q];

		if (after) {
			at[q]++;
			bad += s->spans[at[q]].phase != SPAN_AFTER ||
			       s->spans[at[q]].from != fmax(s->spans[at[q] - 1].from, t->processes[q].work_end);
			bad += phase_span_at(s, q, INFINITY) != at[q];
		}
		bad += s->first[q + 1] != at[q] + 1 || phase_span_at(s, q, -1e300) != s->first[q];
	}
	phase_spans_free(s);
	free(entry);
	free(exit);
	free(at);
	return bad;
}

static void at_random(void)
{
	uint32_t bad = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		struct settings settings;
		struct analysis *a;

		gen_settings(seed, &settings);
		must(analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &err));
		bad += check(a);
		analysis_unref(a);
		trace_free(t);
	}
	ok(!bad && stretches > 1000, "random traces and settings: %u stretches as defined (%u are not)", stretches, bad);
}

static bool yes(void *arg)
{
	(void)arg;
	return true;
}

static void memory_and_cancelling(void)
{
	struct progress progress = {.stopped = yes};
	struct trace *t = gen_cg(5);
	struct settings settings;
	struct analysis *a;
	struct phase_spans *s;
	enum err_code code = ERR_MEMORY;
	bool clean = true;
	long n;

	settings_init(&settings);
	must(analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, NULL, &err));
	for (n = 0; code == ERR_MEMORY && n < 50; n++) {
		mem_fail_after(n);
		code = phase_spans_new(&s, NULL, a->clockwork, a->phases, NULL, &err);
		if (code)
			clean = clean && !s && !mem_live();
		mem_fail_after(-1);
	}
	ok(code == ERR_OK && n > 3 && clean, "%ld allocations fail one after the other: told, and nothing is left", n - 1);
	phase_spans_free(s);
	is_int(phase_spans_new(&s, NULL, a->clockwork, a->phases, &progress, &err), ERR_CANCELLED, "stopped");
	ok(!s, "... with nothing made");
	analysis_unref(a);
	trace_free(t);
}

int main(void)
{
	at_random();
	memory_and_cancelling();
	return done_testing();
}
