/* Statistics of the summary: every count is compared with one made the slow way over random traces, the sums must be
 * the trace's own, and grouping processes must lose nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "gen.h"
#include "core/base/mem.h"
#include "core/metrics/maps/traffic.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* --- messages --- */

static uint32_t check_matrix(const struct trace *t, uint32_t rows, uint32_t columns)
{
	struct comm_cell want[36] = {{0}}, all = {0}, most = {0};
	uint64_t nowhere = 0, unknown = 0;
	struct comm_matrix m;
	uint32_t bad = 0;

	must(comm_matrix_init(&m, t, rows, columns, NULL, &err));
	for (uint32_t e = 0; e < t->event_count; e++) {
		uint32_t from = trace_process_of(t, e), to = EVENT_INDEX(t->type[e]) - 1, r = 0, c = 0;
		uint64_t size = trace_size(t, e) == SIZE_UNKNOWN ? 0 : trace_size(t, e);

		if (EVENT_KIND(t->type[e]) != EVENT_SEND)
			continue;
		unknown += trace_size(t, e) == SIZE_UNKNOWN;
		all.messages++;
		all.bytes += size;
		if (to >= t->process_count) {
			nowhere++;
			continue;
		}
		while (matrix_first(r + 1, m.rows, t->process_count) <= from)
			r++;
		while (matrix_first(c + 1, m.columns, t->process_count) <= to)
			c++;
		want[r * m.columns + c].messages++;
		want[r * m.columns + c].bytes += size;
	}
	bad += m.rows != (rows < t->process_count ? rows : t->process_count);
	for (uint32_t i = 0; i < m.rows * m.columns; i++) {
		bad += want[i].messages != m.cell[i].messages || want[i].bytes != m.cell[i].bytes;
		most.messages = want[i].messages > most.messages ? want[i].messages : most.messages;
		most.bytes = want[i].bytes > most.bytes ? want[i].bytes : most.bytes;
	}
	bad += m.all.messages != all.messages || m.all.bytes != all.bytes || m.nowhere != nowhere ||
	       m.unknown != unknown;
	bad += m.most.messages != most.messages || m.most.bytes != most.bytes;
	comm_matrix_release(&m);
	return bad;
}

/* The pairs are the cells of the matrix without grouping that are not empty. */
static uint32_t check_pairs(const struct trace *t)
{
	uint32_t n = t->process_count, count, next = 0, bad = 0;
	struct comm_pair *pairs;
	struct comm_matrix m;

	must(comm_matrix_init(&m, t, n, n, NULL, &err));
	must(comm_pairs(&pairs, &count, t, NULL, &err));
	for (uint32_t i = 0; i < n * n; i++) {
		if (!m.cell[i].messages)
			continue;
		bad += next >= count || pairs[next].from != i / n || pairs[next].to != i % n ||
		       pairs[next].sent.messages != m.cell[i].messages || pairs[next].sent.bytes != m.cell[i].bytes;
		next++;
	}
	bad += next != count;
	mem_free(pairs);
	comm_matrix_release(&m);
	return bad;
}

static uint32_t check_histogram(const struct trace *t)
{
	struct size_histogram h;
	uint64_t messages = 0;
	uint32_t bad = 0;

	must(size_histogram(&h, t, NULL, &err));
	for (uint32_t k = 0; k < SIZE_BINS; k++) {
		uint64_t low = k ? 1ull << (k - 1) : 0, high = k ? ((uint64_t)2 << (k - 1)) - 1 : 0, n = 0, bytes = 0;

		for (uint32_t e = 0; e < t->event_count; e++)
			if (EVENT_KIND(t->type[e]) == EVENT_SEND && trace_size(t, e) != SIZE_UNKNOWN && trace_size(t, e) >= low &&
			    trace_size(t, e) <= high) {
				n++;
				bytes += trace_size(t, e);
			}
		bad += h.bin[k].messages != n || h.bin[k].bytes != bytes || (n && (k < h.first || k > h.last));
		messages += h.bin[k].messages;
	}
	bad += messages + h.unknown != t->send_count;
	bad += messages && (size_bin(h.smallest) != h.first || size_bin(h.largest) != h.last);
	bad += !messages && h.first <= h.last;
	return bad;
}

static uint32_t check_colls(const struct trace *t)
{
	struct coll_stats *list;
	uint64_t events = 0;
	uint32_t n, bad = 0;

	must(coll_stats(&list, &n, t, NULL, &err));
	for (uint32_t i = 0; i < n; i++) {
		uint64_t instances = 0, calls = 0, bytes = 0;

		for (uint32_t e = 0; e < t->event_count; e++) {
			uint32_t least = e;

			if (t->type[e] != (EVENT_COLLECTIVE | list[i].coll))
				continue;
			calls++;
			bytes += trace_size(t, e);
			for (uint32_t m = t->match[e]; m != e && m != NO_EVENT; m = t->match[m])
				least = m < least ? m : least;
			instances += least == e;
		}
		bad += calls != list[i].events || bytes != list[i].bytes || instances != list[i].instances || !calls;
		bad += i && list[i].instances > list[i - 1].instances;
		events += calls;
	}
	bad += events != t->collective_count;
	mem_free(list);
	return bad;
}

static bool stop(void *arg)
{
	(void)arg;
	return true;
}

static void counts(void)
{
	uint32_t matrices = 0, pairs = 0, histograms = 0, colls = 0, groups = 0;

	for (uint64_t seed = 1; seed <= 900; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		uint64_t state = seed;

		matrices += check_matrix(t, 1 + gen_below(&state, 6), 1 + gen_below(&state, 6));
		matrices += check_matrix(t, 6, 6);
		pairs += check_pairs(t);
		histograms += check_histogram(t);
		colls += check_colls(t);
		trace_free(t);
	}
	is_int(matrices, 0, "communication matrices are what a count says");
	is_int(pairs, 0, "and their cells that are not empty the pairs of processes");
	is_int(histograms, 0, "so are histograms of sizes");
	is_int(colls, 0, "so are collectives, with their instances");
	for (uint32_t processes = 1; processes < 200; processes += 7)
		for (uint32_t n = 1; n <= processes; n++)
			for (uint32_t p = 0; p < processes; p++) {
				uint32_t g = matrix_group(p, n, processes);

				groups += g >= n || matrix_first(g, n, processes) > p ||
					  matrix_first(g + 1, n, processes) <= p;
			}
	is_int(groups, 0, "each process is in one group, and no group is empty");
	ok(size_bin(0) == 0 && size_bin(1) == 1 && size_bin(2) == 2 && size_bin(3) == 2 && size_bin(1024) == 11 &&
		   size_bin(UINT32_MAX) == 32,
	   "bins of sizes");
}

static void large(void)
{
	const uint32_t events[1] = {3000000};
	struct progress progress = {.stopped = stop};
	struct size_histogram h;
	struct coll_stats *list;
	struct comm_matrix m;
	struct trace *t;
	uint32_t n;

	must(trace_new(&t, 1, events, &err));
	is_int(comm_matrix_init(&m, t, 4, 4, &progress, &err), ERR_CANCELLED, "the matrix can be stopped");
	is_int(size_histogram(&h, t, &progress, &err), ERR_CANCELLED, "the histogram can be stopped");
	is_int(coll_stats(&list, &n, t, &progress, &err), ERR_CANCELLED, "the collectives can be stopped");
	mem_fail_after(0);
	ok(comm_matrix_init(&m, t, 4, 4, NULL, &err) == ERR_MEMORY && !m.cell, "the matrix without memory");
	ok(coll_stats(&list, &n, t, NULL, &err) == ERR_MEMORY && !list, "the collectives without memory");
	mem_fail_after(-1);
	trace_free(t);
}

int main(void)
{
	counts();
	large();
	return done_testing();
}
