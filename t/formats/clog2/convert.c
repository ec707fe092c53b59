/* What a run is written from must be all of it: a record log holds every event of its trace, in order, wherever it lies
 * (in memory or in a file), and however many threads read it. And a run that is written as CLOG2 and read again is the
 * same run, column by column: times and computation to the last bit, relations, sizes, tags; communicators except for
 * their numbers. Held on every sample trace, and on local files. Whatever stops it, nothing is left.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/formats/convert.h"
#include "core/formats/api/load.h"
#include "gen_script.h"
#include "tap.h"

#define SAMPLES "sample-traces/"
#define LOCAL SAMPLES "unfinalized.m240.abortme.rank000"

static char folder[] = "/tmp/pas2p-convert-XXXXXX";

struct input {
	const char *name;
	const char *paths[4];
	uint32_t count;
};

static const struct input inputs[] = {
	{"anysrc", {SAMPLES "anysrc.5.clog2"}, 1}, {"cg", {SAMPLES "cg.S.4.clog2"}, 1}, {"coll", {SAMPLES "coll.6.clog2"}, 1},
	{"coll.m246", {SAMPLES "coll.6.m246.clog2"}, 1}, {"comms", {SAMPLES "comms.6.clog2"}, 1}, {"ep", {SAMPLES "ep.S.4.clog2"}, 1},
	{"ft", {SAMPLES "ft.S.4.clog2"}, 1}, {"is", {SAMPLES "is.S.4.clog2"}, 1}, {"latesender", {SAMPLES "latesender.4.clog2"}, 1},
	{"little-endian", {SAMPLES "little_endian.comms.6.clog2"}, 1}, {"nonblock", {SAMPLES "nonblock.4.clog2"}, 1},
	{"one rank", {SAMPLES "one_rank.1.clog2"}, 1}, {"pcontrol", {SAMPLES "pcontrol.4.clog2"}, 1},
	{"persist", {SAMPLES "persist.4.m246.clog2"}, 1}, {"sendrecv", {SAMPLES "sendrecv.4.clog2"}, 1},
	{"syncclk", {SAMPLES "syncclk.4.clog2"}, 1}, {"userstates", {SAMPLES "userstates.3.clog2"}, 1},
	{"thesis", {SAMPLES "thesis-cg.4.clog2"}, 1},
	{"local files", {LOCAL "0.clog2", LOCAL "1.clog2", LOCAL "2.clog2", LOCAL "3.clog2"}, 4},
	{"one local file", {LOCAL "1.clog2"}, 1},
};

static enum err_code load(struct record_log **log, struct trace **t, const struct input *in, unsigned threads, uint64_t budget)
{
	const struct trace_options o = {.threads = threads};
	struct err e = {0};
	enum err_code code = record_log_load(log, t, in->paths, in->count, &o, budget, NULL, &e);

	return code == ERR_DAMAGED && *log ? ERR_OK : code;
}

/* ---- the log ---- */

static bool same_record(const struct record *a, const struct record *b)
{
	return a->kind == b->kind && a->thread == b->thread && a->time == b->time && a->state == b->state && a->event == b->event &&
	       a->root == b->root && a->received == b->received && a->seconds == b->seconds && a->says == b->says &&
	       a->request == b->request && a->count == b->count && a->comm == b->comm && a->number == b->number;
}

/* Both logs say the same, and each event of the trace comes once, at its time. */
static uint64_t differences(const struct record_log *a, const struct record_log *b, const struct trace *t, uint64_t *records)
{
	uint64_t wrong = 0;

	*records = 0;
	for (uint32_t p = 0; p < t->process_count; p++) {
		struct record_cursor x, y;
		struct record one, other;
		struct err e;
		uint32_t event = t->first[p];

		if (record_cursor_init(&x, a, p, &e) || record_cursor_init(&y, b, p, &e))
			bail_out("no memory");
		while (record_cursor_next(&x, &one)) {
			++*records;
			wrong += !record_cursor_next(&y, &other) || !same_record(&one, &other);
			if (one.kind != RECORD_EVENT)
				continue;
			wrong += one.event != event || one.time != t->time[event];
			event++;
		}
		wrong += record_cursor_next(&y, &other) || event != t->first[p + 1] || x.err.code || y.err.code;
		record_cursor_release(&x);
		record_cursor_release(&y);
	}
	return wrong;
}

static void test_log(const struct input *in)
{
	struct record_log *whole, *spilled;
	struct trace *t, *again;
	uint64_t records;

	if (!ok(!load(&whole, &t, in, 1, 0) && !load(&spilled, &again, in, 3, 1), "%s: logs", in->name))
		return;
	is_u64(differences(whole, spilled, t, &records), 0, "%s: in memory and in a file, by one thread and by three: the same", in->name);
	ok(records >= t->event_count, "%s: %llu records, %u events", in->name, (unsigned long long)records, t->event_count);
	record_log_free(whole);
	record_log_free(spilled);
	trace_free(t);
	trace_free(again);
}

/* ---- there and back ---- */

static enum err_code convert(const struct input *in, const char *path, struct trace **t, struct convert_run *run)
{
	const struct format_writer *writer = convert_writer("clog2");
	struct record_log *log;
	struct err e = {0};
	enum err_code code = load(&log, t, in, 1, 0);

	*run = (struct convert_run){.trace = *t, .log = log};
	if (!code)
		code = convert_output_new(&run->output, path, writer, true, NULL, &e);
	if (!code)
		code = convert_write(run, writer, &e);
	if (code)
		diag("%s", e.text);
	convert_output_free(run->output);
	record_log_free(log);
	return code;
}

static uint64_t other_numbers(const struct trace *a, const struct trace *b)
{
	uint64_t wrong = 0;
	uint32_t *to = mem_alloc(a->comm_count, sizeof *to);

	memset(to, 0xff, a->comm_count * sizeof *to);
	for (uint32_t e = 0; e < a->event_count; e++) {
		uint32_t *at = &to[trace_comm(a, e)];

		if (*at == UINT32_MAX)
			*at = trace_comm(b, e);
		wrong += *at != trace_comm(b, e);
	}
	mem_free(to);
	return wrong;
}

static uint64_t other_types(const struct trace *a, const struct trace *b)
{
	uint64_t wrong = 0;

	for (uint32_t e = 0; e < a->event_count; e++) {
		if (EVENT_KIND(a->type[e]) == EVENT_COLLECTIVE && EVENT_KIND(b->type[e]) == EVENT_COLLECTIVE)
			wrong += strcmp(a->colls[EVENT_INDEX(a->type[e])].op, b->colls[EVENT_INDEX(b->type[e])].op) != 0;
		else
			wrong += a->type[e] != b->type[e];
		wrong += trace_tag(a, e) != trace_tag(b, e);
	}
	return wrong;
}

static void compare(const struct trace *a, const struct trace *b, const char *name)
{
	size_t n = a->event_count;

	if (!is_int(b->process_count, a->process_count, "%s: processes", name) || !is_int(b->event_count, n, "%s: events", name))
		return;
	is_mem(b->first, a->first, (a->process_count + 1) * sizeof *a->first, "%s: of each process", name);
	is_mem(b->time, a->time, n * sizeof *a->time, "%s: times", name);
	is_mem(b->compute, a->compute, n * sizeof *a->compute, "%s: computation", name);
	is_mem(b->size_code, a->size_code, n * sizeof *a->size_code, "%s: sizes", name);
	is_mem(b->match, a->match, n * sizeof *a->match, "%s: relations", name);
	is_u64(other_types(a, b), 0, "%s: types and tags", name);
	is_u64(other_numbers(a, b), 0, "%s: communicators", name);
	ok(a->start == b->start && a->end == b->end, "%s: start and end", name);
	is_int(b->compute_source, a->compute_source, "%s: where computation is from", name);
	ok(a->clocks == b->clocks && a->clock_error == b->clock_error, "%s: what is known of its clocks", name);
	ok(a->record_cost_low == b->record_cost_low && a->record_cost_high == b->record_cost_high, "%s: what a record costs", name);
	for (uint32_t p = 0; p < a->process_count; p++)
		if (a->processes[p].host || b->processes[p].host)
			is_str(b->processes[p].host, a->processes[p].host, "%s: host of process %u", name, p);
}

static void test_back(const struct input *in)
{
	char path[128], next[128];
	struct input written = {in->name, {path}, 1};
	struct trace *t = NULL, *back = NULL;
	struct convert_run run, again;
	struct err e = {0};

	snprintf(path, sizeof path, "%s/a.clog2", folder);
	snprintf(next, sizeof next, "%s/b.clog2", folder);
	if (!ok(!convert(in, path, &t, &run), "%s is written", in->name))
		return;
	is_u64(run.events[0] + run.events[1] + run.events[2], t->event_count, "%s: each event is", in->name);
	if (is_int(trace_load(&back, written.paths, 1, NULL, NULL, &e), ERR_OK, "%s is read again", in->name))
		compare(t, back, in->name);
	trace_free(back);
	ok(!convert(&written, next, &back, &again), "%s, once more", in->name);
	trace_free(back);
	trace_free(t);
	unlink(path);
	unlink(next);
}

/* ---- stopped, and without memory ---- */

struct stop {
	long asked, at;
};

static bool stopped(void *arg)
{
	struct stop *s = arg;

	return ++s->asked >= s->at;
}

static bool is_empty(void)
{
	DIR *dir = opendir(folder);
	unsigned n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n == 2;
}

/* Loading and writing, as a command does it. A replay takes logical times; that all are one is possible, too. */
static enum err_code whole(const struct input *in, const char *to, const struct progress *progress, struct err *e)
{
	const struct format_writer *writer = convert_writer(to);
	struct convert_run run = {.progress = progress, .rate = 1e9, .to = 1e9, .last_rank = UINT32_MAX};
	struct record_log *log = NULL;
	struct trace *t = NULL;
	uint32_t *lamport = NULL;
	char path[128];
	enum err_code code;

	snprintf(path, sizeof path, "%s/out", folder);
	code = convert_output_new(&run.output, path, writer, true, progress, e);
	if (!code)
		code = record_log_load(&log, &t, in->paths, in->count, NULL, 4096, progress, e);
	if (!code && !(lamport = mem_zero(t->event_count, sizeof *lamport)))
		code = err_memory(e, "logical times");
	run.trace = t;
	run.log = log;
	run.lamport = lamport;
	if (!code)
		code = convert_write(&run, writer, e);
	convert_output_free(run.output);
	mem_free(lamport);
	record_log_free(log);
	trace_free(t);
	return code;
}

static void remove_out(bool is_folder)
{
	char command[160];

	snprintf(command, sizeof command, "%s %s/out", is_folder ? "rm -r" : "rm", folder);
	if (system(command))
		diag("the output cannot be removed");
}

static void test_stopped(const char *to)
{
	static const struct input in = {"cg", {SAMPLES "cg.S.4.clog2"}, 1};
	struct stop s = {.at = 0};
	const struct progress progress = {.stopped = stopped, .arg = &s};
	enum err_code code = ERR_CANCELLED;
	struct err e;
	unsigned wrong = 0;

	while (code == ERR_CANCELLED) {
		s = (struct stop){.at = s.at + 1};
		code = whole(&in, to, &progress, &e);
		wrong += code == ERR_CANCELLED && !is_empty();
	}
	is_int(code, ERR_OK, "%s: written where nobody stops it", to);
	ok(s.at > 4, "%s: asked %ld times whether to stop", to, s.at);
	is_int(wrong, 0, "%s: stopped anywhere, it leaves nothing", to);
	remove_out(!strcmp(to, "tit"));
}

static void test_memory(const char *to)
{
	static const struct input in = {"comms", {SAMPLES "comms.6.clog2"}, 1};
	enum err_code code = ERR_MEMORY;
	long before = mem_live(), at = 0;
	struct err e;
	unsigned wrong = 0;

	for (; code; at++) {
		/* A folder that cannot be looked through cannot be removed. */
		if (!strcmp(to, "tit"))
			mem_fail_once(at);
		else
			mem_fail_after(at);
		code = whole(&in, to, NULL, &e);
		mem_fail_after(-1);
		wrong += code && (code != ERR_MEMORY || !strstr(e.text, "memory") || !is_empty() || mem_live() != before);
	}
	is_int(wrong, 0, "%s: each of %ld allocations fails: a sentence, no leak, and nothing is left", to, at);
	remove_out(!strcmp(to, "tit"));
}

/* Numbers of requests, too. */
static void test_numbers(void)
{
	const struct gen_bytes bytes = gen_script_random(1, GEN_SCRIPT_NUMBERED, &(struct gen_script_options){0});
	char path[100];
	const struct input in = {"numbers", {path}, 1};
	FILE *f;

	snprintf(path, sizeof path, "%s/numbers", folder);
	f = fopen(path, "wb");
	if (!f || fwrite(bytes.bytes, bytes.size, 1, f) != 1 || fclose(f))
		bail_out("cannot write %s", path);
	test_log(&in);
	test_back(&in);
	unlink(path);
	mem_free(bytes.bytes);
}

int main(void)
{
	static const char *const formats[] = {"clog2", "tit", "perfetto"};

	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
		test_log(&inputs[i]);
		test_back(&inputs[i]);
	}
	test_numbers();
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		test_stopped(formats[i]);
		test_memory(formats[i]);
	}
	rmdir(folder);
	return done_testing();
}
