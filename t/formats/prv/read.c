/* A Paraver trace becomes the events that its records stand for: the page's own example, event by event, with
 * communicators, threads, calls of no length, records of one instant on several lines, a receive that is logged before
 * its call; then each rule alone, in a trace as short as it can be. Results must not depend on how the lines are
 * written, so several say the same twice.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "tap.h"

static struct trace *load(const char *text, const char *counter, enum err_code want, struct err *e)
{
	struct trace_options o = {.threads = 1, .counter = counter};
	struct source source;
	struct trace *t = NULL;
	enum err_code code;

	source_open_memory(&source, "t.prv", text, strlen(text), NULL);
	e->text[0] = '\0';
	code = trace_load_sources(&t, &source, 1, &o, NULL, e);
	is_int(code, want, "loading gives %d: %s", (int)want, e->text);
	source_release(&source);
	return t;
}

/* "+2 100 1500 400 | ...": type, bytes, ns, compute ns of each event; processes are separated by '/'. */
static char *say(const struct trace *t, char *buf, size_t size)
{
	size_t used = 0;

	*buf = '\0';
	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1] || (i == t->first[p] && p); i++) {
			char name[40];

			if (i == t->first[p] && p)
				used += (size_t)snprintf(buf + used, size - used, " / ");
			else if (i > t->first[p])
				used += (size_t)snprintf(buf + used, size - used, ", ");
			if (i < t->first[p + 1])
				used += (size_t)snprintf(buf + used, size - used, "%s %" PRIu64 " %.0f %.0f",
							 trace_type_name(t, t->type[i], name, sizeof name), trace_size(t, i), t->time[i] * 1e9,
							 t->compute[i] * 1e9);
		}
	return buf;
}

static void says(const char *text, const char *want, const char *what)
{
	struct err e;
	char buf[2000];
	struct trace *t = load(text, NULL, ERR_OK, &e);

	if (t)
		is_str(say(t, buf, sizeof buf), want, "%s", what);
	trace_free(t);
}

static const char vector[] =
	"#Paraver (20/11/2026 at 10:00):10000_ns:1(4):1:3(2:1,1:1,1:1),3\n"
	"c:1:1:3:1:2:3\nc:1:2:1:2\nc:1:3:2:3:1\n"
	"1:1:1:1:1:0:1000:1\n2:1:1:1:1:1000:50000001:4\n2:1:1:1:1:1100:50000001:0\n2:1:1:1:1:1500:42000050:9000:50000001:3\n"
	"3:1:1:1:1:1500:1500:2:1:2:1:1400:1900:100:5\n2:1:1:1:1:1600:50000001:0:42000050:80\n2:1:1:1:1:2000:50000001:6\n"
	"2:1:1:1:1:2100:50000001:0\n2:1:1:1:1:3000:50000002:10:50100001:8:50100002:8:50100004:1\n2:1:1:1:1:3200:50000002:0\n"
	"2:1:1:1:1:5000:50000002:7:50100001:0:50100002:64:50100004:3\n2:1:1:1:1:5100:50000002:0\n1:1:1:1:1:5100:10000:1\n"
	"2:2:1:1:2:2500:60000018:1\n2:3:1:2:1:1400:50000001:2\n2:3:1:2:1:1900:50000001:0\n2:3:1:2:1:2200:50000003:20:50000003:0\n"
	"2:3:1:2:1:2400:50000002:8:50100001:0:50100002:0:50100004:2\n2:3:1:2:1:2450:50000002:0\n"
	"2:3:1:2:1:2900:50000002:10:50100001:8:50100002:8:50100004:1\n2:3:1:2:1:3300:50000002:0\n1:4:1:3:1:0:500:2\n"
	"2:4:1:3:1:1200:50000001:1\n3:4:1:3:1:1200:1200:1:1:1:1:1000:2100:50:9\n3:4:1:3:1:1300:1300:1:1:1:1:1050:2100:60:9\n"
	"2:4:1:3:1:1300:50000001:0:50000001:1\n2:4:1:3:1:1350:50000001:0\n2:4:1:3:1:3100:50000002:10\n"
	"2:4:1:3:1:3100:50100001:8:50100002:8:50100004:1\n2:4:1:3:1:3400:50000002:0\n"
	"2:4:1:3:1:4900:50000002:7:50100001:64:50100002:0:50100004:3:50100003:1\n2:4:1:3:1:5200:50000002:0\n";
static const char vector_events[] =
	"+2 100 1500 400, -3 50 2100 0, -3 60 2100 900, CAllreduce 8 3000 1800, CBcast 0 5000 4900 / "
	"-1 100 1900 950, CAllreduce 8 2900 nan / "
	"+1 50 1200 0, +1 60 1300 1750, CAllreduce 8 3100 1500, CBcast 64 4900 nan";

static void test_vector(void)
{
	struct err e;
	char buf[2000];
	struct trace *t = load(vector, NULL, ERR_OK, &e);
	struct analysis *a = NULL;
	struct settings s;

	if (!t)
		return;
	is_str(say(t, buf, sizeof buf), vector_events, "the example's events");
	is_double(trace_aet(t), 10e-6, 1e-15, "its run time");
	is_int(t->send_count + t->receive_count, 6, "six ends of messages");
	is_int((int)(t->lost_sends + t->lost_receives), 0, "each has its other end");
	is_int(t->match[0], t->first[1], "the first send arrives at rank 1");
	is_int(t->match[1], t->first[2], "rank 2's first send is received first");
	is_int(t->match[2], t->first[2] + 1, "and its second one second");
	is_int(t->comm_count, 3, "three communicators");
	is_str(t->comms[0].kind, "world", "the first one has all tasks");
	is_str(t->comms[1].kind, "self", "the second one a single task");
	is_int(t->comm_members[t->comms[2].members], 2, "the third one's first member is task 3");
	is_int((int)t->notes.n, 0, "nothing is odd");
	is_int(t->counter_count, 1, "a counter is there");
	settings_init(&s);
	is_int(analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &e), ERR_OK, "it can be analysed");
	is_int(a->logical->tick_count, 6, "6 ticks");
	is_int(a->phases->count, 2, "2 phases");
	is_int(a->phases->list[0].weight, 1, "of weight 1");
	is_int(a->phases->list[1].weight, 1, "each");
	analysis_unref(a);
	trace_free(t);
}

/* ---- headers ---- */

static void test_headers(void)
{
	static const char *const same[] = {
		"#Paraver (20/11/2026 at 10:00):100:1(4):1:2(1:1,1:1)\n1:1:1:1:1:0:100:1\n1:1:1:2:1:0:100:1\n",
		"#Paraver (a:b:c):100_us:0:1:7(1:1,1:2)\r\n1:1:1:1:1:0:100:1\r\n1:1:1:2:1:0:100:1\r\n",
		"#Paraver (x):100_us:2(4,4):1:2(1:1,4000000000:2),3:extra\n",
		"#Paraver ():100000_ns:0:1:2(1:1,1:2),0\n1:1:1:1:1:0:100000:1\n1:1:1:2:1:0:100000:1",
	};
	static const char *const refused[] = {
		"#Paraver (20/11/2026:100:1(4):1:2(1:1,1:1)\n", "#Paraver (x):zz_ns:1(4):1:2(1:1,1:1)\n",
		"#Paraver (x):10_zz:1(4):1:2(1:1,1:1)\n", "#Paraver (x):10_ns:1(4)\n", "#Paraver (x):10_ns:1(4):1:4000000000\n",
		"#Paraver (x):10_ns:1(4):1:2(1:1,1:1\n", "#Paraver (x):10_ns:1(4):1:2(1,1)\n", "#Paraver (x):10_ns:1(4):1:2()\n",
		"#Paraver (x):99999999999999999999999_ns:1(4):1:1(1:1)\n", "#Paraver (x)", "#Paraver (",
	};
	struct err e;

	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		struct trace *t = load(same[i], NULL, i == 2 ? ERR_FORMAT : ERR_OK, &e);

		if (!t)
			continue;
		is_int(t->process_count, 2, "two processes, as many as are listed");
		is_double(trace_aet(t), 100e-6, 1e-15, "100 us, in whatever unit");
		trace_free(t);
	}
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct trace *t = load(refused[i], NULL, ERR_FORMAT, &e);

		ok(strstr(e.text, "t.prv is not a readable Paraver trace"), "it says so: %s", e.text);
		trace_free(t);
	}
}

static void test_applications(void)
{
	struct err e;
	struct trace *t = load("#Paraver (x):100_ns:0:2:2(1:1,1:1),1:1(1:1)\nc:1:5:2:2:1\n1:1:2:1:1:0:100:1\n"
			       "3:1:1:2:1:10:10:1:2:1:1:5:20:8:0\n", NULL, ERR_OK, &e);

	if (!t)
		return;
	is_int(t->process_count, 3, "three processes");
	is_int(t->world_count, 2, "of two worlds");
	is_int(t->processes[2].world, 1, "the last one is of the second");
	is_int(t->processes[2].world_rank, 0, "its rank 0");
	is_int(t->notes.count[NOTE_JOINED_WORLDS], 1, "which is noted");
	is_int(t->comms[trace_comm(t, t->first[1])].number, 5, "the send is on its application's world");
	is_int(t->match[t->first[1]], t->first[2], "and meets the receive in the other one");
	trace_free(t);
}

/* ---- which call a message lies in ---- */

#define TWO "#Paraver (x):1000_ns:0:1:2(2:1,1:1)\n"
#define END "1:1:1:1:1:0:1000:1\n1:1:1:2:1:0:1000:1\n"

static void test_messages(void)
{
	says(TWO "2:1:1:1:1:100:50000001:1\n2:1:1:1:1:200:50000001:0\n2:1:1:1:1:200:50000001:1\n2:1:1:1:1:300:50000001:0\n"
	     "3:1:1:1:1:200:200:1:1:2:1:0:500:8:0\n2:1:1:1:1:600:50000003:20:50000003:0\n3:1:1:1:1:600:600:1:1:2:1:0:900:9:0\n" END,
	     "+2 8 200 300, +2 9 600 400 / -1 8 500 400, -1 9 900 100", "a send is in the last call that began by then");
	says(TWO "2:1:1:2:1:100:50000001:2\n2:1:1:2:1:200:50000001:0\n2:1:1:2:1:200:50000001:2\n2:1:1:2:1:300:50000001:0\n"
	     "3:1:1:1:1:50:50:1:1:2:1:0:200:8:0\n3:1:1:1:1:60:60:1:1:2:1:0:290:9:0\n" END,
	     "+2 8 50 10, +2 9 60 940 / -1 8 200 0, -1 9 290 700", "a receive in the first one that ends then or later");
	says(TWO "2:1:1:2:1:100:50000001:2\n2:1:1:2:1:200:50000001:0\n3:1:1:1:1:50:50:1:1:2:1:0:250:8:0\n"
	     "3:1:1:1:1:60:60:1:1:2:1:0:210:9:0\n" END,
	     "+2 8 50 10, +2 9 60 940 / -1 9 210 40, -1 8 250 750", "what is in no call is a call of its own");
	says(TWO "3:1:1:1:1:50:50:1:1:2:1:20:250:8:0\n3:1:1:1:1:50:50:1:1:2:1:10:250:9:0\n3:1:1:2:1:250:250:1:1:1:1:0:300:7:0\n" END,
	     "+2 8 50 0, +2 9 50 250, -2 7 300 700 / +1 7 250 0, -1 9 250 0, -1 8 250 750",
	     "at one instant sends come first, then receives as they were posted");
	says(TWO "3:1:1:1:1:50:50:1:1:9:1:20:250:8:0\n" END, "+? 8 50 950 / ", "a partner that is not there is none");
}

static void test_threads(void)
{
	says(TWO "2:1:1:1:2:100:50000001:1\n3:1:1:1:2:110:110:1:1:2:1:0:500:8:0\n2:1:1:1:2:300:50000001:0\n2:1:1:1:1:100:50000001:1\n"
	     "3:1:1:1:1:110:110:1:1:2:1:0:600:9:0\n2:1:1:1:1:120:50000001:0\n2:1:1:1:1:200:50000001:1\n3:1:1:1:1:210:210:1:1:2:1:0:700:7:0\n"
	     "2:1:1:1:1:220:50000001:0\n" END,
	     "+2 9 110 80, +2 8 110 700, +2 7 210 780 / -1 8 500 100, -1 9 600 100, -1 7 700 300", "threads are merged, each with its own calls");
}

/* ---- collectives ---- */

static void test_collectives(void)
{
	says(TWO "2:1:1:1:1:100:50100001:5:50100004:1\n2:1:1:1:1:100:50000002:7\n2:1:1:1:1:200:50000002:0\n2:1:1:2:1:100:50000002:7:50100001:6\n"
	     "2:1:1:2:1:200:50000002:0\nc:1:1:2:1:2\n" END, "CBcast 5 100 800 / CBcast 6 100 800", "attributes stand before a call, or behind it");
	says(TWO "2:1:1:1:1:100:50000002:8:50000002:0:50000002:7:50100001:5\n2:1:1:1:1:200:50000002:0\n2:1:1:2:1:100:50000002:8:50000002:0\n"
	     "2:1:1:2:1:100:50000002:7:50100001:6\n2:1:1:2:1:100:50000002:0\n" END,
	     "CBarrier 0 100 0, CBcast 5 100 800 / CBarrier 0 100 0, CBcast 6 100 900", "and are of the one that began last");
	says(TWO "2:1:1:1:1:100:50000002:7:50000002:8:50000002:0:50000002:0\n2:1:1:2:1:100:50000002:7:50000002:0\n"
	     "2:1:1:2:1:300:50000001:7:50000001:0\n2:1:1:2:1:400:50000002:1:50000002:0\n2:1:1:2:1:400:50000002:22:50000002:0\n" END,
	     "CBcast 0 100 900 / CBcast 0 100 900", "only outermost calls that are collectives, of the type of collectives");
	says("#Paraver (x):1000_ns:0:1:1(1:1)\n2:1:1:1:1:100:50000002:8:50000002:0\n1:1:1:1:1:0:1000:1\n", "", "one task has none");
}

static void test_unknown_comm(void)
{
	struct err e;
	struct trace *t = load(TWO "2:1:1:1:1:100:50000002:8:50100004:77\n2:1:1:1:1:200:50000002:0\n2:1:1:2:1:100:50000002:8:50100004:77\n"
			       "2:1:1:2:1:200:50000002:0\n" END, NULL, ERR_OK, &e);

	if (!t)
		return;
	is_int(t->collective_count, 2, "collectives of a communicator that nobody described");
	is_int(t->notes.count[NOTE_DOUBTFUL_COMM], 1, "are noted");
	is_int(t->comm_count, 1, "as on the world");
	is_int(t->match[0], t->first[1], "where they meet");
	trace_free(t);
}

/* ---- time ---- */

static void test_compute(void)
{
	says(TWO "3:1:1:1:1:100:100:1:1:2:1:0:500:8:0\n2:1:1:1:1:200:40000003:1\n2:1:1:1:1:260:40000003:0\n3:1:1:1:1:300:300:1:1:2:1:0:600:8:0\n"
	     END, "+2 8 100 140, +2 8 300 700 / -1 8 500 100, -1 8 600 400", "the tracer's writing is no computation");
	says(TWO "3:1:1:1:1:100:100:1:1:2:1:0:500:8:0\n2:1:1:1:1:150:49000001:1000\n2:1:1:1:1:280:49000001:1060\n"
	     "3:1:1:1:1:300:300:1:1:2:1:0:600:8:0\n" END, "+2 8 100 60, +2 8 300 nan / -1 8 500 0, -1 8 600 nan",
	     "readings of the CPU clock say what was computed");
	says(TWO "1:1:1:1:1:0:100:1\n1:1:1:1:1:100:140:4\n1:1:1:1:1:140:150:4\n1:1:1:1:1:150:300:1\n1:1:1:1:1:300:360:10\n"
	     "3:1:1:1:1:110:110:1:1:2:1:0:500:8:0\n3:1:1:1:1:310:310:1:1:2:1:0:600:8:0\n" END,
	     "+2 8 110 150, +2 8 310 640 / -1 8 500 100, -1 8 600 400", "without calls states stand for them");
	says(TWO "1:1:1:1:1:100:150:4\n1:1:1:1:1:300:360:10\n2:1:1:1:1:700:50000001:1:50000001:0\n"
	     "3:1:1:1:1:110:110:1:1:2:1:0:500:8:0\n3:1:1:1:1:310:310:1:1:2:1:0:600:8:0\n" END,
	     "+2 8 110 200, +2 8 310 690 / -1 8 500 100, -1 8 600 400", "with calls they do not");
}

static void test_counter(void)
{
	static const char text[] = TWO
		"2:1:1:1:1:100:42000050:5:50000001:1\n3:1:1:1:1:100:100:1:1:2:1:0:500:8:0\n2:1:1:1:1:110:50000001:0:42000050:1\n"
		"2:1:1:1:1:200:50000001:1:42000050:30\n3:1:1:1:1:200:200:1:1:2:1:0:600:8:0\n2:1:1:1:1:210:42000050:2:50000001:0\n"
		"2:1:1:1:1:300:50000001:1\n2:1:1:1:1:300:42000050:60\n3:1:1:1:1:300:300:1:1:2:1:0:700:8:0\n2:1:1:1:1:310:50000001:0:42000050:9\n" END;
	struct err e;
	struct trace *t = load(text, "42000050", ERR_OK, &e);

	if (!t)
		return;
	is_int(t->counter_count, 1, "one counter");
	is_str(t->counters[0].name, "42000050", "named by its number where nothing names it");
	is_u64(t->counters[0].readings, 6, "its readings are counted");
	is_int(t->compute_source, COMPUTE_FROM_COUNTER, "compute times come from it");
	is_double(t->compute[0] * 2, t->compute[1], 1e-12, "30 and 60");
	trace_free(t);
	t = load(text, NULL, ERR_OK, &e);
	is_u64(t->counters[0].readings, 6, "also where it is not asked for");
	trace_free(t);
	t = load(text, "PAPI_TOT_CYC", ERR_USAGE, &e);
	trace_free(t);
}

/* ---- what is counted ---- */

static void test_types(void)
{
	struct err e;
	struct trace *t = load(TWO "2:1:1:1:1:100:60000018:1:60000018:2:77:5\n2:1:1:2:1:100:60000018:1\n" END, NULL, ERR_OK, &e);
	uint64_t seen = 0;

	if (!t)
		return;
	for (uint32_t i = 0; i < t->state_count; i++)
		if (t->states[i].solo)
			seen = seen * 10 + t->states[i].count;
	is_u64(seen, 31, "other types are counted, each by itself");
	is_u64(t->record_count, 6, "records are pairs, and states");
	trace_free(t);
}

/* ---- lines ---- */

/* What is said of a file of these bytes: "kind text", of its first note; "" of one that is as it should be. */
static void check_lines(const char *bytes, size_t n, unsigned threads, uint64_t count, const char *want, const char *what)
{
	struct trace_options o = {.threads = threads};
	struct source source;
	struct trace *t = NULL;
	struct err e = {0};
	char said[200] = "";
	enum err_code code;

	source_open_memory(&source, "t.prv", bytes, n, NULL);
	code = trace_load_sources(&t, &source, 1, &o, NULL, &e);
	is_int(code, count ? ERR_DAMAGED : ERR_OK, "%s: %s", what, count ? "damaged" : "as it should be");
	if (t && t->notes.n) {
		snprintf(said, sizeof said, "%s %s", note_name(t->notes.list[0].kind), t->notes.list[0].text);
		is_u64(t->notes.count[t->notes.list[0].kind], count, "%s: noted as often as it is there", what);
	}
	is_str(said, want, "%s: said", what);
	trace_free(t);
	source_release(&source);
}

#define NONE "does not begin with \"1:\", \"2:\", \"3:\", \"c:\", \"i:\" or \"#\""
#define ZEROS "zeros instead of a record"

/* A line that is left out is said, whatever it begins with; one that is none of a record is not. */
static void test_lines(void)
{
	static const struct { const char *lines; uint64_t count; const char *want, *what; } table[] = {
		{"# a comment\n#\n#: 1\ni:1:3:1:1:2:2\n", 0, "", "comments and intercommunicators"},
		{"\n\r\n\n1:1:1:1:1:0:10:1\r\n", 0, "", "empty lines, and ends of either kind"},
		{"r:1:1:1:1:5:50000001:1\n", 1, "bad-record line 2: it " NONE, "another kind"},
		{"3;1:1:1:1:50:50:1:1:2:1:20:250:8:0\n", 1, "bad-record line 2: it " NONE, "another byte for the colon"},
		{"#:1:1:1:1:50:50:1:1:2:1:20:250:8:0\n", 1, "bad-record line 2: it " NONE, "a record behind the sign of comments"},
		{"#1\n\n4:1\nc\n:\n 1:1:1:1:1:0:10:1\n", 4, "bad-record line 4: it " NONE, "four kinds that there are not"},
		{"1:1:1:1:1:0:10:1\v1:1:1:1:1:10:20:1\n", 1, "bad-record line 2: a field that is not a number", "two lines in one"},
		{"1:1:1:1:1:0:10:11:1:1:1:1:10:20:1\n", 1, "bad-record line 2: a state needs 8 fields, but has 15", "two lines and nothing between"},
		{"1:1:1:1:1:0:10:1\n2", 1, "truncated its last line is cut off", "an end before the first colon"},
		{"1:1:1:1:1:0:10:1\n3:", 1, "truncated its last line is cut off", "an end behind the first colon"},
		{"1:1:1:1:1:0:10:1\n#", 0, "", "an end in a comment"},
		{"1:1:1:1:1:0:10:1\n\r", 0, "", "an end in an empty line"},
	};
	enum { ZEROS_MORE = 20 << 20 };
	static const size_t zeros[] = {1, 4096, 16 << 20, ZEROS_MORE};
	char *text = calloc(1, ZEROS_MORE + 100);
	size_t n = (size_t)sprintf(text, TWO END);

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char bytes[400];
		int length = snprintf(bytes, sizeof bytes, TWO END "%s", table[i].lines);
		char *end = strstr(bytes, END);

		/* The lines that the trace needs come last where these end well, otherwise first. */
		if (bytes[length - 1] == '\n') {
			memmove(end, end + strlen(END), strlen(table[i].lines));
			memcpy(end + strlen(table[i].lines), END, strlen(END));
		}
		check_lines(bytes, (size_t)length, 1, table[i].count, table[i].want, table[i].what);
	}
	for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
		check_lines(text, n + zeros[i], 1 + i % 2 * 3, 1, "truncated line 4: " ZEROS, "zeros at the end");
	memcpy(text + n + ZEROS_MORE - 20, "\n1:1:1:1:1:0:10:1\n", 18);
	check_lines(text, n + ZEROS_MORE - 2, 3, 1, "bad-record line 4: " ZEROS, "zeros amid the file");
	memcpy(text + n, "2:1:1:1:1", 9);
	check_lines(text, n + ZEROS_MORE - 2, 3, 1, "bad-record line 4: " ZEROS, "zeros behind half a line");
	check_lines(text, n + 100, 1, 1, "truncated its last line is cut off", "zeros behind half a line at the end");
	memset(text + n, 'x', ZEROS_MORE);
	check_lines(text, n + ZEROS_MORE, 1, 1, "truncated its last line is cut off", "a line too long, of no kind, and cut");
	text[n + ZEROS_MORE - 1] = '\n';
	check_lines(text, n + ZEROS_MORE, 2, 1, "bad-record line 4: longer than 16 MiB", "a line too long, of no kind");
	text[n] = '#';
	check_lines(text, n + ZEROS_MORE, 2, 0, "", "a long comment");
	free(text);
}

/* ---- parts ---- */

#define STEPS 40000
#define BAD_STEP 35000

static bool same(const struct trace *a, const struct trace *b)
{
	size_t n = a->event_count;

	return n == b->event_count && !memcmp(a->time, b->time, n * sizeof *a->time) && !memcmp(a->type, b->type, n * sizeof *a->type) &&
	       !memcmp(a->match, b->match, n * sizeof *a->match) && !memcmp(a->compute, b->compute, n * sizeof *a->compute) &&
	       a->notes.n == b->notes.n && !strcmp(a->notes.list[0].text, b->notes.list[0].text) &&
	       a->notes.list[0].offset == b->notes.list[0].offset;
}

/* Large enough to be read in several parts: messages that cross their borders, and a line whose number counts from the
 * first one. */
static void test_parts(void)
{
	size_t size = 0;
	char *text = NULL, want[80];
	FILE *f = open_memstream(&text, &size);
	struct trace *t[2] = {0};
	unsigned long line = 1;

	fprintf(f, "#Paraver (x):%d_ns:0:1:2(1:1,1:1)\n", STEPS * 1000);
	for (int i = 0; i < STEPS; i++) {
		int at = i * 1000;

		fprintf(f, "2:1:1:1:1:%d:50000001:1\n3:1:1:1:1:%d:%d:1:1:2:1:%d:%d:%d:1\n2:1:1:1:1:%d:50000001:0\n", at, at, at, at + 5, at + 90 + i % 7 * 1000,
			i % 99 + 1, at + 10);
		fprintf(f, "2:1:1:1:1:%d:50000002:8:50100001:0:50100002:0\n2:1:1:1:1:%d:50000002:0\n", at + 500, at + 600);
		fprintf(f, "2:1:1:2:1:%d:50000002:8:50100001:0:50100002:0\n2:1:1:2:1:%d:50000002:0\n2:1:1:1:1:%d:1:1\n", at + 500, at + 600, at + 7);
		line += 8;
		if (i == BAD_STEP) {
			fprintf(f, "1:1:1:1:x\n");
			snprintf(want, sizeof want, "line %lu: a field that is not a number", ++line);
		}
	}
	fclose(f);
	for (int k = 0; k < 2; k++) {
		struct trace_options o = {.threads = k ? 3 : 1};
		struct source source;
		struct err e;

		source_open_memory(&source, "t.prv", text, size, NULL);
		is_int(trace_load_sources(&t[k], &source, 1, &o, NULL, &e), ERR_DAMAGED, "%zu bytes are read", size);
		source_release(&source);
	}
	if (t[0] && t[1]) {
		is_int(t[0]->event_count, 4 * STEPS, "all events");
		is_int((int)(t[0]->lost_sends + t[0]->lost_receives), 0, "none is lost");
		is_str(t[1]->notes.list[0].text, want, "a line's number is that in the file");
		ok(same(t[0], t[1]), "the same on one thread and in three parts");
	}
	trace_free(t[0]);
	trace_free(t[1]);
	free(text);
}

int main(void)
{
	test_parts();
	test_vector();
	test_headers();
	test_applications();
	test_messages();
	test_threads();
	test_collectives();
	test_unknown_comm();
	test_compute();
	test_counter();
	test_types();
	test_lines();
	return done_testing();
}
