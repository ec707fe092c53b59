/* What is loaded and ordered must not depend on the number of threads: a phase table that changes with the machine
 * that made it could not be compared with another. Runs with and without faults, merged and as local files, are loaded
 * by one thread and by several; every column, sum and note must be the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_run.h"
#include "core/formats/api/load.h"
#include "core/method/logical/logical.h"
#include "core/base/parallel.h"
#include "core/io/source.h"
#include "tap.h"

#define PROCESSES 12

static struct err err;

static struct trace *load(const struct gen_bytes *files, uint32_t count, unsigned threads)
{
	struct trace_options o = {.threads = threads};
	struct source sources[PROCESSES] = {{0}};
	struct trace *t;
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "file %u", i);
		if (source_open_memory(&sources[i], name, files[i].bytes, files[i].size, &err) != ERR_OK)
			exit(1);
	}
	trace_load_sources(&t, sources, count, &o, NULL, &err);
	for (uint32_t i = 0; i < count; i++)
		source_release(&sources[i]);
	return t;
}

static bool same_bytes(const void *a, const void *b, size_t n)
{
	return !n || !memcmp(a, b, n);
}

static bool same_notes(const struct notes *a, const struct notes *b)
{
	bool same = a->n == b->n && same_bytes(a->count, b->count, sizeof a->count);

	for (size_t i = 0; same && i < a->n; i++)
		same = a->list[i].kind == b->list[i].kind && a->list[i].file == b->list[i].file &&
		       a->list[i].process == b->list[i].process && a->list[i].offset == b->list[i].offset &&
		       a->list[i].event == b->list[i].event && !strcmp(a->list[i].text, b->list[i].text);
	return same;
}

static bool same_sums(const struct trace *a, const struct trace *b)
{
	bool same = a->send_count == b->send_count && a->receive_count == b->receive_count &&
		    a->collective_count == b->collective_count && a->lost_sends == b->lost_sends &&
		    a->lost_receives == b->lost_receives && a->record_count == b->record_count &&
		    a->comm_count == b->comm_count && a->state_count == b->state_count;

	for (uint32_t c = 0; same && c < a->comm_count; c++)
		same = a->comms[c].events == b->comms[c].events && a->comms[c].size == b->comms[c].size;
	for (uint32_t s = 0; same && s < a->state_count; s++)
		same = !strcmp(a->states[s].name, b->states[s].name) && a->states[s].count == b->states[s].count &&
		       same_bytes(&a->states[s].inclusive, &b->states[s].inclusive, sizeof(double)) &&
		       same_bytes(&a->states[s].exclusive, &b->states[s].exclusive, sizeof(double));
	for (uint32_t p = 0; same && p < a->process_count; p++)
		same = a->processes[p].records == b->processes[p].records &&
		       same_bytes(a->processes[p].by_kind, b->processes[p].by_kind, sizeof a->processes[p].by_kind);
	return same;
}

static bool same_events(const struct trace *a, const struct trace *b)
{
	size_t n = a->event_count;

	return a->event_count == b->event_count && a->process_count == b->process_count &&
	       same_bytes(a->first, b->first, (a->process_count + 1) * sizeof *a->first) &&
	       same_bytes(a->time, b->time, n * sizeof *a->time) && same_bytes(a->compute, b->compute, n * sizeof *a->compute) &&
	       same_bytes(a->type, b->type, n * sizeof *a->type) && same_bytes(a->size_code, b->size_code, n * sizeof *a->size_code) &&
	       same_bytes(a->envelope, b->envelope, n * sizeof *a->envelope) && !a->tag == !b->tag && a->tag_bits == b->tag_bits &&
	       (!a->tag || same_bytes(a->tag, b->tag, n * sizeof *a->tag)) &&
	       same_bytes(a->match, b->match, n * sizeof *a->match);
}

static bool same_order(const struct trace *a, const struct trace *b)
{
	struct logical *la, *lb;
	size_t n = a->event_count;
	bool same;

	if (logical_new(&la, a, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &err) != ERR_OK ||
	    logical_new(&lb, b, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &err) != ERR_OK)
		exit(1);
	same = la->lt_count == lb->lt_count && same_bytes(la->lt_first, lb->lt_first, la->lt_count * sizeof *la->lt_first) &&
	       same_bytes(la->tick, lb->tick, n * sizeof *la->tick) &&
	       same_bytes(la->order_of, lb->order_of, n * sizeof *la->order_of) &&
	       same_bytes(la->send_first, lb->send_first, (a->process_count + 1) * sizeof *la->send_first) &&
	       same_bytes(la->sends, lb->sends, la->send_first[a->process_count] * sizeof *la->sends);
	logical_unref(la);
	logical_unref(lb);
	return same;
}

static void compare(const struct gen_bytes *files, uint32_t count, const char *what)
{
	struct trace *one = load(files, count, 1);

	ok(one && one->event_count > 500, "%s: loads", what);
	for (unsigned threads = 2; one && threads <= 7; threads += threads == 3 ? 4 : 1) {
		struct trace *several = load(files, count, threads);
		bool loaded = several && same_events(one, several);

		ok(loaded, "%s: the same events by %u threads", what, threads);
		ok(loaded && same_sums(one, several), "%s: the same sums", what);
		ok(loaded && same_notes(&one->notes, &several->notes), "%s: the same notes", what);
		ok(loaded && same_order(one, several), "%s: the same order and ticks", what);
		trace_free(several);
	}
	trace_free(one);
}

static void runs(void)
{
	static const char *const faults[] = {"no fault", "a time that is none", "a huge time", "a step back", "a lost send",
					     "a lost receive", "a wrong rank", "a wrong partner", "a wrong size", "a cycle",
					     "a call without end", "a wrong collective", "an unknown communicator", "a silent rank"};

	for (int fault = GEN_NO_FAULT; fault <= GEN_SILENT; fault++) {
		struct gen_run r = {.processes = PROCESSES, .rounds = 20, .at = 5, .fault = (enum gen_fault)fault};
		struct gen_bytes whole = gen_run_finalized(&r);

		compare(&whole, 1, faults[fault]);
		free(whole.bytes);
	}
}

static void local_files(void)
{
	struct gen_run r = {.processes = PROCESSES, .rounds = 20};
	struct gen_bytes files[PROCESSES];

	for (int32_t p = 0; p < PROCESSES; p++)
		files[p] = gen_run_local(&r, p);
	compare(files, PROCESSES, "local files");
	for (int32_t p = 0; p < PROCESSES; p++)
		free(files[p].bytes);
}

static void setting(void)
{
	size_t n = ((size_t)5 << 20) + 3, set = 0;
	unsigned char *bytes = calloc(n + 1, 1);

	if (!bytes)
		exit(1);
	parallel_set(bytes, 0xff, n, 2);
	for (size_t i = 0; i < n; i++)
		set += bytes[i] == 0xff;
	ok(set == n && !bytes[n], "memory that two threads set is set to its end, and no further");
	free(bytes);
}

int main(void)
{
	runs();
	local_files();
	setting();
	return done_testing();
}
