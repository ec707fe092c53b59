/* What pas2p clocks says of files: the same of a run in one file, in local files, in either byte order and with any
 * number of threads; as much as can be read of a damaged one; and an error, not a wrong figure, where memory or
 * patience end. Clocks that are shifted against each other are what the page says: each process's own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/clocks/report.h"
#include "core/clocks/correct/correct_int.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/reports/reports.h"
#include "gen.h"
#include "gen_calls.h"
#include "gen_run.h"
#include "tap.h"

#define FILES 8

static struct err err;
static char folder[] = "/tmp/pas2p-clocks.XXXXXX";
static const struct clock_report_options plain = {.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO,
						  .windows = CLOCK_WINDOWS, .bins = 7};

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

static const char *put(struct gen_bytes b, const char *name)
{
	static char paths[256][80];
	static int used;
	char *path = paths[used++];
	FILE *f;

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	f = fopen(path, "wb");
	if (!f || fwrite(b.bytes, 1, b.size, f) != b.size || fclose(f) != 0)
		bail_out("cannot write %s", path);
	free(b.bytes);
	return path;
}

/* The whole document; later: the calls are read when the trace is loaded, not with it. */
static char *document(const char *const *paths, uint32_t count, unsigned threads, bool json, bool later)
{
	const struct trace_options o = {.threads = threads};
	struct clock_report *r;
	struct call_log *log;
	struct trace *t;
	struct out out;

	if (later) {
		must(trace_load(&t, paths, count, &o, NULL, &err));
		must(call_log_new(&log, t, NULL, &err));
	} else {
		must(call_log_load(&log, &t, paths, count, &o, NULL, &err));
	}
	must(clock_report_new(&r, log, &plain, NULL, &err));
	out_init(&out);
	must(clocks_write(r, &out, json, &err));
	clock_report_free(r);
	call_log_free(log);
	trace_free(t);
	return out.text;
}

static void same(const char *const *a, uint32_t a_count, unsigned a_threads, const char *const *b, uint32_t b_count, unsigned b_threads,
		 bool later, const char *name)
{
	char *x = document(a, a_count, a_threads, false, false), *y = document(b, b_count, b_threads, false, later);

	is_str(x, y, "%s", name);
	mem_free(x);
	mem_free(y);
}

static void copies(void)
{
	struct gen_run r = {.processes = 6, .rounds = 12}, block = r, little = r;
	const char *persistent = "sample-traces/persist.4.m246.clog2", *collectives = "sample-traces/userstates.3.clog2";
	const char *whole, *other, *big_parts[FILES], *parts[FILES];

	block.block_size = 2048;
	little.big_endian = false;
	r.big_endian = true;
	whole = put(gen_run_finalized(&r), "whole.clog2");
	other = put(gen_run_finalized(&block), "blocks.clog2");
	for (int32_t p = 0; p < r.processes; p++) {
		char name[40];

		snprintf(name, sizeof name, "big%d.clog2", (int)p);
		big_parts[p] = put(gen_run_local(&r, p), name);
		snprintf(name, sizeof name, "little%d.clog2", (int)p);
		parts[p] = put(gen_run_local(&little, p), name);
	}
	same(&whole, 1, 1, &whole, 1, 4, false, "threads change nothing");
	same(&whole, 1, 1, &other, 1, 1, false, "blocks of another size change nothing");
	same(big_parts, 6, 1, parts, 6, 3, false, "nor does the byte order");
	same(&whole, 1, 2, &whole, 1, 2, true, "read with the trace or behind it: the same");
	same(parts, 6, 2, parts, 6, 1, true, "also of local files");
	same(&persistent, 1, 2, &persistent, 1, 2, true, "also of persistent requests");
	same(&collectives, 1, 2, &collectives, 1, 2, true, "also of collectives");
	{
		char *x = document(&whole, 1, 1, true, false), *y = document(parts, 6, 1, true, false);

		/* What was shifted in one file is told as a shift in the local ones; all else is the same. */
		ok(strstr(x, "\"messages\"") && strncmp(x, y, (size_t)(strstr(x, "\"processes\"") - x)) == 0, "local files: the same figures");
		ok(strcmp(strstr(x, "\"pairs\""), strstr(y, "\"pairs\"")) == 0, "and the same pairs");
		mem_free(x);
		mem_free(y);
	}
}

static struct clock_times clocks_of(const char *path, struct call_log **log, struct trace **t)
{
	struct clock_times times;

	must(call_log_load(log, t, &path, 1, NULL, NULL, &err));
	must(clock_times_init(&times, *log, RESOLUTION_AUTO, &err));
	return times;
}

/* A persistent send is recorded behind its start, which is what counts. Members that give nothing hold nobody. */
static void beside_the_trace(void)
{
	const char *path = "sample-traces/persist.4.m246.clog2", *calls = "sample-traces/coll.6.clog2";
	uint32_t later = 0, held = 0, ends = 0;
	struct clock_times times;
	struct call_log *log;
	struct trace *t;

	times = clocks_of(path, &log, &t);
	for (uint32_t i = 0; i < times.sent_count; i++)
		later += t->time[times.sent[i].event] > times.sent[i].time && EVENT_KIND(t->type[times.sent[i].event]) == EVENT_SEND;
	ok(times.sent_count > 100 && later == times.sent_count, "%u of %u persistent sends began before their record", later,
	   times.sent_count);
	clock_times_release(&times);
	call_log_free(log);
	trace_free(t);
	times = clocks_of(calls, &log, &t);
	for (uint32_t i = 0; i < times.held_count; i++) {
		held += EVENT_KIND(t->type[times.held[i].event]) == EVENT_COLLECTIVE;
		ends += times.held[i].time > t->time[times.held[i].event];
	}
	ok(held == times.held_count && ends == held && held >= 120, "%u collectives hold their members, each till its end", held);
	clock_times_release(&times);
	call_log_free(log);
	trace_free(t);
}

/* A collective that gave nothing on a member, where the tracer says so; and a clock that stamps in whole
 * microseconds. */
static void sizes_and_stamps(void)
{
	struct gen_calls *g = gen_calls_new(2, NULL);
	struct clock_times times;
	struct call_log *log;
	const char *path;
	struct trace *t;

	for (int32_t p = 0; p < 2; p++) {
		gen_sized(g, p, 1, 2, "MPI_Allreduce", 8);
		gen_sized(g, p, 3, 4, "MPI_Allreduce", p ? 0 : 8);
		gen_sized(g, p, 5, 6, "MPI_Barrier", 0);
		for (int i = 0; i < 1100; i++)
			gen_mark(g, p, 7 + 13e-6 * i + (p && i % 2 ? .4e-6 : 0));
	}
	path = put(gen_calls_bytes(g), "sizes.clog2");
	times = clocks_of(path, &log, &t);
	is_u64(times.held_count, 6, "three collectives of two processes");
	if (times.held_count == 6) {
		is_double(times.held[0].time, 2, 0, "one holds till its end");
		ok(times.held[1].time == 4 && isnan(times.held[4].time), "one of no bytes holds nobody");
		ok(times.held[2].time == 6 && times.held[5].time == 6, "but a barrier is made of none");
	}
	is_double(times.resolution[0], 1e-6, 0, "whole microseconds show");
	is_double(times.resolution[1], 0, 0, "others are exact");
	clock_times_release(&times);
	call_log_free(log);
	trace_free(t);
}

/* ---- what goes wrong ---- */

static bool stop(void *arg)
{
	int *left = arg;

	return --*left < 0;
}

static void wrong(const char *path)
{
	struct clock_report_options o = plain;
	struct clock_report *r = NULL;
	uint32_t stops = 0, bad = 0, failed = 0;
	struct call_log *log;
	struct trace *t;

	must(call_log_load(&log, &t, &path, 1, NULL, NULL, &err));
	for (int n = 0; n < 200; n++) {
		int left = n;
		struct progress progress = {.stopped = stop, .arg = &left};
		enum err_code code = clock_report_new(&r, log, &plain, &progress, &err);

		stops += code == ERR_CANCELLED;
		bad += code && (code != ERR_CANCELLED || r);
		clock_report_free(r);
		if (!code)
			break;
	}
	ok(stops > 1 && !bad, "%s: it can be stopped at %u places", path, stops);
	for (long n = 0; n < 3000; n += 1 + n / 8) {
		struct call_log *with_log;
		struct trace *with;
		enum err_code code;

		mem_fail_after(n);
		code = call_log_load(&with_log, &with, &path, 1, NULL, NULL, &err);
		mem_fail_after(-1);
		failed += code == ERR_MEMORY;
		bad += code && (code != ERR_MEMORY || with || with_log);
		call_log_free(with_log);
		trace_free(with);
	}
	for (long n = 0;; n++) {
		enum err_code code;

		mem_fail_after(n);
		code = clock_report_new(&r, log, &plain, NULL, &err);
		mem_fail_after(-1);
		failed += code == ERR_MEMORY;
		bad += code && (code != ERR_MEMORY || r);
		clock_report_free(r);
		if (!code || n > 20000)
			break;
	}
	ok(failed > 20 && !bad, "without memory it says so, %u times", failed);
	o.reference = t->process_count;
	is_int(clock_report_new(&r, log, &o, NULL, &err), ERR_USAGE, "no such reference");
	ok(!r && strstr(err.text, "expected 0 to"), "with a sentence: %s", err.text);
	call_log_free(log);
	trace_free(t);
}

static void damaged(const char *path)
{
	struct gen_bytes b = gen_slurp(path);
	uint32_t bad = 0, loaded = 0;
	uint64_t state = 9;

	for (int i = 0; i < 80; i++) {
		struct gen_bytes copy = {malloc(b.size), i % 3 ? b.size : 1024 + gen_below(&state, (uint32_t)b.size - 1024)};
		struct clock_report *r;
		struct call_log *log;
		struct trace *t;
		const char *file;

		if (!copy.bytes)
			bail_out("no memory");
		memcpy(copy.bytes, b.bytes, copy.size);
		for (uint32_t k = gen_below(&state, 30) + 1; k > 0; k--)
			copy.bytes[1024 + gen_below(&state, (uint32_t)copy.size - 1024)] = (uint8_t)gen_below(&state, 256);
		file = put(copy, "damaged");
		call_log_load(&log, &t, &file, 1, NULL, NULL, &err);
		if (t) {
			struct out out;

			loaded++;
			out_init(&out);
			if (clock_report_new(&r, log, &plain, NULL, &err))
				bad += t->process_count || err.code != ERR_DAMAGED;
			else
				bad += clocks_write(r, &out, false, &err) != ERR_OK;
			out_release(&out);
			clock_report_free(r);
		}
		call_log_free(log);
		trace_free(t);
	}
	free(b.bytes);
	ok(!bad && loaded > 60, "%s: %u damaged copies have clocks, %u do not", path, loaded, bad);
}

/* Each record has a time, and each event is one of them. */
static void all_records(const char *path, unsigned threads)
{
	const struct trace_options o = {.threads = threads};
	struct clock_records r;
	struct trace *t;
	uint64_t records = 0, bad = 0;

	must(trace_load(&t, &path, 1, &o, NULL, &err));
	must(clock_records_read(&r, t, NULL, &err));
	for (uint32_t p = 0; p < t->process_count; p++) {
		bad += r.process[p].records != t->processes[p].records || r.first[p] != records;
		records += r.process[p].records;
		for (uint32_t event = t->first[p]; event < t->first[p + 1] && !bad; event++)
			bad += clock_records_time(&r, p, clock_records_of_event(&r, p, event)) != t->time[event];
	}
	ok(!bad && records > t->event_count, "%s: %llu records, those of events among them", path, (unsigned long long)records);
	clock_records_release(&r);
	trace_free(t);
}

int main(void)
{
	char command[64];

	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	copies();
	beside_the_trace();
	sizes_and_stamps();
	all_records("sample-traces/cg.S.4.clog2", 1);
	all_records("sample-traces/comms.6.clog2", 3);
	all_records("sample-traces/persist.4.m246.clog2", 2);
	wrong("sample-traces/comms.6.clog2");
	wrong("sample-traces/syncclk.4.clog2");
	damaged("sample-traces/comms.6.clog2");
	damaged("sample-traces/persist.4.m246.clog2");
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (system(command) != 0)
		diag("%s stays", folder);
	return done_testing();
}
