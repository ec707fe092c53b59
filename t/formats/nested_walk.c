/* Formats that have calls as a stack must get one, whatever a trace has: ends that are missing or doubled, user states
 * that overlap calls. And calls themselves must stay where they were, since compute times lie between them. */
#include "core/records/records.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "gen_calls.h"
#include "tap.h"

/* What a walk tells of a thread: "1[work 2[MPI_Barrier 3* 4] 5]", times in s; odd: what was not as it should be. */
static void walk_is(struct gen_bytes bytes, uint32_t thread, const char *expected, const struct nested_odd *odd, const char *name)
{
	struct nested_threads threads;
	struct nested_walk walk;
	struct record_log *log;
	struct trace *t;
	struct source source;
	struct record step;
	struct err e = {0};
	char told[1024] = "";
	size_t n = 0;

	if (source_open_memory(&source, "run.clog2", bytes.bytes, bytes.size, &e) ||
	    record_log_load_sources(&log, &t, &source, 1, NULL, 0, NULL, &e))
		bail_out("%s", e.text);
	if (nested_threads_list(&threads, log, t, NULL, &e) || thread >= threads.count ||
	    nested_walk_init(&walk, log, &threads, thread, &e))
		bail_out("no walk: %s", e.text);
	while (nested_walk_next(&walk, &step)) {
		const char *sign = step.kind == RECORD_ENTER ? "[" : step.kind == RECORD_LEAVE ? "]" : step.kind == RECORD_EVENT ? "*" : "?";

		n += (size_t)snprintf(told + n, sizeof told - n, "%s%g%s%s", n ? " " : "", step.time, sign,
				      step.kind == RECORD_ENTER ? walk.states[step.state].name : "");
	}
	is_str(told, expected, "%s", name);
	is_u64(walk.odd.stray, odd->stray, "%s: ends without starts", name);
	is_u64(walk.odd.open, odd->open, "%s: calls without ends", name);
	is_u64(walk.odd.moved, odd->moved, "%s: what was moved", name);
	is_u64(walk.odd.lifted, odd->lifted, "%s: times that fell", name);
	nested_walk_release(&walk);
	nested_threads_release(&threads);
	record_log_free(log);
	trace_free(t);
	source_release(&source);
	mem_free(bytes.bytes);
}

static struct gen_calls *begin(void)
{
	return gen_calls_new(1, NULL);
}

static void test_as_it_should_be(void)
{
	struct gen_calls *g = begin();

	gen_begin(g, 0, 1, "work");
	gen_call(g, 0, 2, 3, "MPI_Barrier");
	gen_mark(g, 0, 4);
	gen_end(g, 0, 5, "work");
	walk_is(gen_calls_bytes(g), 0, "1[work 2[MPI_Barrier 3] 4? 5]", &(struct nested_odd){0}, "well nested");
}

static void test_missing(void)
{
	struct gen_calls *g = begin();

	gen_end(g, 0, 1, "work");
	gen_begin(g, 0, 2, "MPI_Wait");
	gen_begin(g, 0, 3, "MPI_Test");
	gen_end(g, 0, 4, "MPI_Wait");
	gen_begin(g, 0, 5, "MPI_Wait");
	gen_mark(g, 0, 6);
	walk_is(gen_calls_bytes(g), 0, "2[MPI_Wait 3[MPI_Test 4] 4] 5[MPI_Wait 6? 6]", &(struct nested_odd){.stray = 1, .open = 2},
		"ends that are missing, an end too many");
}

static void test_overlaps(void)
{
	struct gen_calls *g = begin();

	gen_begin(g, 0, 1, "a");
	gen_begin(g, 0, 2, "b");
	gen_end(g, 0, 3, "a");
	gen_begin(g, 0, 4, "MPI_Wait");
	gen_begin(g, 0, 5, "c");
	gen_end(g, 0, 6, "b");
	gen_end(g, 0, 7, "MPI_Wait");
	gen_end(g, 0, 8, "c");
	walk_is(gen_calls_bytes(g), 0, "1[a 2[b 4[MPI_Wait 5[c 7] 7] 7[c 8] 8] 8]", &(struct nested_odd){.moved = 3},
		"user states that overlap each other and a call");

	g = begin();
	gen_begin(g, 0, 1, "a");
	gen_begin(g, 0, 2, "MPI_Wait");
	gen_end(g, 0, 3, "a");
	gen_end(g, 0, 4, "MPI_Wait");
	gen_call(g, 0, 5, 6, "MPI_Wait");
	walk_is(gen_calls_bytes(g), 0, "1[a 2[MPI_Wait 4] 4] 5[MPI_Wait 6]", &(struct nested_odd){.moved = 1},
		"a user state that ends in a call");
}

static void test_threads(void)
{
	for (uint32_t i = 0; i < 2; i++) {
		struct gen_calls *g = begin();

		gen_begin(g, 0, 1, "work");
		gen_thread(g, 3);
		gen_call(g, 0, 2, 4, "MPI_Wait");
		gen_thread(g, 0);
		gen_end(g, 0, 3, "work");
		walk_is(gen_calls_bytes(g), i, i ? "2[MPI_Wait 4]" : "1[work 3]", &(struct nested_odd){0}, "each thread for itself");
	}
}

/* The steps of a thread whose states are well nested are its records, in their order. */
static unsigned misread(const struct record_log *log, const struct nested_threads *threads, uint32_t i)
{
	struct record_cursor cursor;
	struct nested_walk walk;
	struct record record, step;
	unsigned wrong = 0;
	struct err e;

	if (record_cursor_init(&cursor, log, 0, &e) || nested_walk_init(&walk, log, threads, i, &e))
		bail_out("%s", e.text);
	while (record_cursor_next(&cursor, &record))
		if (record.thread == threads->list[i].thread)
			wrong += !nested_walk_next(&walk, &step) || step.kind != record.kind || step.thread != record.thread ||
				 step.time != record.time || step.state != record.state || step.event != record.event ||
				 (record.kind == RECORD_EVENT && (step.root != record.root || step.received != record.received || step.empty != record.empty));
	wrong += nested_walk_next(&walk, &step) || walk.err.code || cursor.err.code;
	record_cursor_release(&cursor);
	nested_walk_release(&walk);
	return wrong;
}

/* Each thread is read without the others, from memory and from a file. */
static void test_many_threads(uint64_t budget)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct nested_threads threads;
	struct gen_bytes bytes;
	struct record_log *log;
	struct source source;
	unsigned wrong = 0;
	double now = 0;
	struct trace *t;
	struct err e;

	for (int step = 0; step < 20 * 200; step++) {
		int32_t n = (step * 7 + step / 9) % 20;

		gen_thread(g, 19 - n);
		gen_begin(g, 0, now += 0.125, n % 2 ? "MPI_Send" : "MPI_Allreduce");
		if (n % 4 == 1)
			gen_message(g, 0, now += 0.0625, true, 1, step, n);
		gen_end(g, 0, now += 0.125, n % 2 ? "MPI_Send" : "MPI_Allreduce");
		if (n % 3 == 0)
			gen_mark(g, 0, now);
	}
	bytes = gen_calls_bytes(g);
	if (source_open_memory(&source, "run.clog2", bytes.bytes, bytes.size, &e) ||
	    record_log_load_sources(&log, &t, &source, 1, NULL, budget, NULL, &e) || nested_threads_list(&threads, log, t, NULL, &e))
		bail_out("%s", e.text);
	is_int(threads.count, 21, "all threads, and the other process");
	for (uint32_t i = 0; i < 20 && i < threads.count; i++)
		wrong += threads.list[i].process != 0 || threads.list[i].thread != (int32_t)i || misread(log, &threads, i);
	is_int(wrong, 0, "the records of each are its own, of %u events", t->event_count);
	nested_threads_release(&threads);
	record_log_free(log);
	trace_free(t);
	source_release(&source);
	mem_free(bytes.bytes);
}

static void test_falling(void)
{
	struct gen_calls *g = begin();

	gen_call(g, 0, 2, 3, "MPI_Wait");
	gen_call(g, 0, 1, 4, "MPI_Wait");
	walk_is(gen_calls_bytes(g), 0, "2[MPI_Wait 3] 3[MPI_Wait 4]", &(struct nested_odd){.lifted = 1}, "a clock that steps back");
}

int main(void)
{
	test_as_it_should_be();
	test_missing();
	test_overlaps();
	test_threads();
	test_many_threads(0);
	test_many_threads(4096);
	test_falling();
	return done_testing();
}
