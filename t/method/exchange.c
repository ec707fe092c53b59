/* What the order of `pas2p` is for (docs/explain/method.md, "Order of receives"): one program, whose messages arrive in
 * another order in each iteration and run, has the same logical trace and the same few phases; in that of `lamport`
 * each iteration has phases of its own. And what it is not for: an order of receives and sends, and compute times. The
 * runs that the page shows are kept as trace files; UPDATE_GOLDEN=1 makes them again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/compare/diff/diff.h"
#include "gen.h"
#include "gen_exchange.h"
#include "packed.h"
#include "tap.h"

#define ITERATIONS 20

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static struct trace *load(const struct gen_exchange *x)
{
	struct gen_bytes b = gen_exchange(x);
	struct source source;
	struct trace *t;

	must(source_open_memory(&source, "exchange.clog2", b.bytes, b.size, &err));
	must(trace_load_sources(&t, &source, 1, NULL, NULL, &err));
	source_release(&source);
	free(b.bytes);
	return t;
}

static struct analysis *analyse(const struct trace *t, enum order order, double compute)
{
	struct settings s;
	struct analysis *a;

	settings_init(&s);
	s.order = order;
	s.similarity = SIMILARITY_BBP;
	s.compute = compute;
	must(analysis_new(&a, t, &s, NULL, ANALYSIS_BBPS | ANALYSIS_PHASES, NULL, &err));
	return a;
}

static uint32_t phases_of(const struct trace *t, enum order order, double compute)
{
	struct analysis *a = analyse(t, order, compute);
	uint32_t count = a->phases->count;

	analysis_unref(a);
	return count;
}

/* ---- the runs on the page ---- */

static struct gen_bytes unpacked(const char *path)
{
	struct gen_bytes b = {NULL, 4 << 20};
	struct source source;

	b.bytes = malloc(b.size);
	if (!b.bytes)
		bail_out("no memory");
	must(source_open_file(&source, path, &err));
	must(source_unpack(&source, PACKING_XZ, &err));
	must(source_read(&source, 0, b.bytes, b.size, &b.size, &err));
	source_release(&source);
	return b;
}

static void update(const char *path, const struct gen_bytes *b)
{
	size_t size;
	uint8_t *packed = packed_bytes(PACKING_XZ, b->bytes, b->size, 9, &size);
	FILE *f = fopen(path, "wb");

	if (!packed || !f || fwrite(packed, 1, size, f) != size || fclose(f))
		bail_out("%s cannot be written", path);
	free(packed);
}

static void test_sample(const char *path, uint64_t seed)
{
	struct gen_bytes made, kept;

	if (!packing_built(PACKING_XZ)) {
		skip(1, "no liblzma to read %s with", path);
		return;
	}
	made = gen_exchange(&(struct gen_exchange){.processes = 16, .iterations = ITERATIONS, .seed = seed});
	if (getenv("UPDATE_GOLDEN"))
		update(path, &made);
	kept = unpacked(path);
	ok(made.size == kept.size && !memcmp(made.bytes, kept.bytes, made.size), "%s is exchange %u", path, (unsigned)seed);
	free(made.bytes);
	free(kept.bytes);
}

/* ---- phases ---- */

/* Per iteration: the block between the last send and the first receive, those between receives, and the one before the next
 * iteration; one phase is that of the sends. */
static uint32_t most_phases(uint32_t processes)
{
	return ITERATIONS * processes;
}

static void test_phases(const struct trace *t, const char *name, uint32_t processes)
{
	struct analysis *a = analyse(t, ORDER_PAS2P, 0.05);
	const struct phases *p = a->phases;
	uint32_t lamport = phases_of(t, ORDER_LAMPORT, 0.05);

	is_int(t->notes.n, 0, "%s: there is nothing odd about it", name);
	is_int(p->count, 2, "%s: two phases", name);
	is_int(p->count == 2 ? p->list[0].weight : 0, ITERATIONS, "%s: the exchange, in each iteration", name);
	is_int(p->count == 2 ? p->list[1].weight : 0, ITERATIONS - 1, "%s: what lies between two", name);
	/* Of four processes there are so few orders that some recur. */
	ok(processes == 4 ? lamport >= 60 && lamport <= most_phases(4) : lamport == most_phases(processes),
	   "%s: %u phases in the order of lamport", name, lamport);
	analysis_unref(a);
}

/* ---- two runs of one program ---- */

static bool same_ticks(const struct logical *a, const struct logical *b)
{
	if (a->tick_count != b->tick_count || a->trace->event_count != b->trace->event_count ||
	    memcmp(a->tick_first, b->tick_first, (a->tick_count + 1) * sizeof *a->tick_first) != 0)
		return false;
	for (uint32_t i = 0; i < a->trace->event_count; i++) {
		uint32_t x = a->order_of[i], y = b->order_of[i];

		if (trace_process_of(a->trace, x) != trace_process_of(b->trace, y) || a->trace->type[x] != b->trace->type[y])
			return false;
	}
	return true;
}

static bool same_labels(const struct bbps *a, const struct bbps *b)
{
	return a->count == b->count && memcmp(a->label + 1, b->label + 1, a->count * sizeof *a->label) == 0;
}

static void test_two(const struct trace *a, const struct trace *b, enum order order, const char *name)
{
	struct analysis *x = analyse(a, order, 0.05), *y = analyse(b, order, 0.05);
	bool same = order == ORDER_PAS2P;
	struct run_diff *d;

	must(run_diff_new(&d, x, y, &(struct diff_options){.strict = true}, NULL, &err));
	is_int(same_ticks(x->logical, y->logical), same, "%s: do all ticks hold the same", name);
	if (same)
		ok(same_labels(x->bbps, y->bbps), "%s: every block has the same label", name);
	is_str(diff_verdict_name(d->verdict), same ? "identical" : "structure", "%s: what diff finds", name);
	run_diff_free(d);
	analysis_unref(x);
	analysis_unref(y);
}

static void test_runs(int32_t processes, uint64_t seeds)
{
	struct trace *first = NULL;

	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct trace *t = load(&(struct gen_exchange){.processes = processes, .iterations = ITERATIONS, .seed = seed});
		char name[64];

		snprintf(name, sizeof name, "%d processes, run %u", (int)processes, (unsigned)seed);
		test_phases(t, name, (uint32_t)processes);
		if (first) {
			snprintf(name, sizeof name, "%d processes, runs 1 and %u", (int)processes, (unsigned)seed);
			test_two(first, t, ORDER_PAS2P, name);
			snprintf(name, sizeof name, "%d processes, runs 1 and %u, lamport", (int)processes, (unsigned)seed);
			test_two(first, t, ORDER_LAMPORT, name);
			trace_free(t);
		} else {
			first = t;
		}
	}
	trace_free(first);
}

/* ---- what stays ---- */

/* Compute time is that after an event: it goes where the last receive goes. */
static void test_computes_last(void)
{
	struct trace *t = load(&(struct gen_exchange){.processes = 8, .iterations = ITERATIONS, .seed = 1, .computes_last = true});
	uint32_t strict = phases_of(t, ORDER_PAS2P, 0.05);

	ok(strict > 20, "blocks differ in what is computed after the last receive: %u phases", strict);
	is_int(phases_of(t, ORDER_PAS2P, 1), 2, "two phases if compute times do not count");
	trace_free(t);
}

/* P1 sends to P2; P3 sends to P4 and P2; P2 receives both and sends to P4, in some order. */
static void test_row(const char *row, uint32_t send, const char *name)
{
	struct gen *g = gen_new(4);
	struct logical *l;
	struct trace *t;

	gen_row(g, 0, "2");
	gen_row(g, 1, row);
	gen_row(g, 2, "4 2");
	gen_row(g, 3, "-3 -2");
	t = gen_trace(g);
	must(logical_new(&l, t, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &err));
	for (uint32_t e = t->first[1]; e < t->first[2]; e++) {
		event_type type = t->type[e];

		if (EVENT_KIND(type) == EVENT_SEND)
			is_int(logical_lt(l, e), send, "%s: LT of the send", name);
		else
			is_int(logical_lt(l, e), EVENT_INDEX(type) == 1 ? 1 : 2, "%s: LT of the receive from P%u", name, (unsigned)EVENT_INDEX(type));
	}
	logical_unref(l);
	trace_free(t);
}

/* Figure 3.7: the send may have nothing to do with what was received before it, but the trace does not say so. */
static void test_receives_before_a_send(void)
{
	test_row("-1 -3 4", 2, "both receives, then the send");
	test_row("-3 -1 4", 2, "the same in the other order");
	test_row("-1 4 -3", 1, "the receive from P1, then the send");
	test_row("-3 4 -1", 2, "the receive from P3, then the send");
	test_row("4 -1 -3", 0, "the send first");
	test_row("4 -3 -1", 0, "the send first, and the receives in the other order");
}

int main(void)
{
	test_sample("sample-traces/exchange-a.16.clog2.xz", 1);
	test_sample("sample-traces/exchange-b.16.clog2.xz", 2);
	test_runs(4, 4);
	test_runs(8, 3);
	test_runs(16, 3);
	test_runs(64, 2);
	test_computes_last();
	test_receives_before_a_send();
	return done_testing();
}
