/* A latency that every message takes: what is counted, what is put right and what goes back must all mean it, and with
 * the same sign, or a trace is called right whose messages arrive faster than they can. Against a second count from the
 * definition, on real runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_case.h"
#include "core/clocks/arrows.h"
#include "core/clocks/correct/correct_int.h"
#include "core/formats/api/load.h"
#include "gen_script.h"
#include "tap.h"

#define MOST_PROCESSES 16

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

/* ---- the definition, once more ---- */

struct counted {
	uint64_t messages, violated, ends, ends_violated;
	uint64_t sent[MOST_PROCESSES], received[MOST_PROCESSES], ended[MOST_PROCESSES];
	double worst, ends_worst;
	double *margin[MOST_PROCESSES][MOST_PROCESSES];
	uint64_t of[MOST_PROCESSES][MOST_PROCESSES];
};

static double sent_at(const struct clock_times *times, uint32_t send)
{
	for (uint32_t i = 0; i < times->sent_count; i++)
		if (times->sent[i].event == send)
			return times->sent[i].time;
	return times->trace->time[send];
}

static void count_message(struct counted *n, const struct clock_case *c, uint32_t receive, double latency)
{
	const struct trace *t = c->trace;
	uint32_t from = trace_process_of(t, t->match[receive]), to = trace_process_of(t, receive);
	double margin = t->time[receive] - sent_at(c->times, t->match[receive]) - latency;

	n->messages++;
	n->worst = fmin(n->worst, margin);
	if (!n->margin[from][to])
		n->margin[from][to] = malloc(t->event_count * sizeof **n->margin[0]);
	n->margin[from][to][n->of[from][to]++] = margin;
	if (margin < 0) {
		n->violated++;
		n->sent[from]++;
		n->received[to]++;
	}
}

/* Every end against the begin of every other member. */
static void count_end(struct counted *n, const struct clock_case *c, uint32_t entry, double latency)
{
	const struct trace *t = c->trace;
	const struct coll_type *type = &t->colls[EVENT_INDEX(t->type[c->times->held[entry].event])];
	const uint32_t *member = c->points.member + c->points.first_member[entry];
	double margin = INFINITY;

	for (uint32_t r = 0; r < t->comms[type->comm].size; r++)
		if (member[r] != entry)
			margin = fmin(margin, c->times->held[entry].time - t->time[c->times->held[member[r]].event] - latency);
	n->ends++;
	n->ends_worst = fmin(n->ends_worst, margin);
	n->ends_violated += margin < 0;
	n->ended[trace_process_of(t, c->times->held[entry].event)] += margin < 0;
}

static struct counted *count(const struct clock_case *c, double latency)
{
	struct counted *n = calloc(1, sizeof *n);
	const struct trace *t = c->trace;

	if (!n || t->process_count > MOST_PROCESSES)
		bail_out("no room for %u processes", t->process_count);
	n->worst = n->ends_worst = INFINITY;
	for (uint32_t event = 0; event < t->event_count; event++)
		if (EVENT_KIND(t->type[event]) == EVENT_RECEIVE && t->match[event] != NO_EVENT)
			count_message(n, c, event, latency);
	for (uint32_t i = 0; i < c->times->held_count; i++)
		if (c->points.first_member[i] != NO_MEMBERS &&
		    (!c->points.barriers || !strcmp(t->colls[EVENT_INDEX(t->type[c->times->held[i].event])].op, "Barrier")))
			count_end(n, c, i, latency);
	return n;
}

static void forget(struct counted *n)
{
	for (int p = 0; p < MOST_PROCESSES; p++)
		for (int q = 0; q < MOST_PROCESSES; q++)
			free(n->margin[p][q]);
	free(n);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, uint64_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : v[n / 2 - 1] / 2 + v[n / 2] / 2;
}

/* ---- what is counted ---- */

static bool same_processes(const struct clock_violations *v, const struct counted *n)
{
	for (uint32_t p = 0; p < v->process_count; p++)
		if (v->process[p].sent.violated != n->sent[p] || v->process[p].received.violated != n->received[p] ||
		    v->process[p].collective.violated != n->ended[p])
			return false;
	return true;
}

static bool same_pairs(const struct clock_violations *v, const struct counted *n)
{
	uint64_t messages = 0;

	for (uint32_t k = 0; k < v->pair_count; k++) {
		const struct pair_violations *pair = &v->pair[k];

		messages += pair->messages.all;
		if (pair->messages.all != n->of[pair->from][pair->to] ||
		    fabs(pair->median - median(n->margin[pair->from][pair->to], pair->messages.all)) > 1e-15)
			return false;
	}
	return messages == n->messages;
}

/* Parts of the whole run, by the receive's time: the first whose end is behind it, or the last. */
static bool same_bins(const struct clock_violations *v, const struct clock_case *c, double latency)
{
	const struct trace *t = c->trace;
	uint64_t all[3] = {0}, violated[3] = {0};
	bool same = v->bin_count == 3 && v->bin[0].start == t->start && v->bin[2].end == t->end;

	for (uint32_t event = 0; same && event < t->event_count; event++) {
		uint32_t k = 0;

		if (EVENT_KIND(t->type[event]) != EVENT_RECEIVE || t->match[event] == NO_EVENT)
			continue;
		while (k < 2 && t->time[event] >= v->bin[k].end)
			k++;
		all[k]++;
		violated[k] += t->time[event] - sent_at(c->times, t->match[event]) - latency < 0;
	}
	for (int k = 0; same && k < 3; k++)
		same = v->bin[k].messages.all == all[k] && v->bin[k].messages.violated == violated[k];
	return same;
}

static bool no_medians(const struct clock_violations *v)
{
	for (uint32_t k = 0; k < v->pair_count; k++)
		if (!isnan(v->pair[k].median) || (k && v->pair[k - 1].from == v->pair[k].from && v->pair[k - 1].to >= v->pair[k].to))
			return false;
	return true;
}

/* How many arrows of messages, and of collectives, go back; each does. */
static bool same_arrows(const struct trace *t, double latency, const struct counted *n)
{
	const struct clock_report_options o = {.reference = REFERENCE_ANY, .resolution = RESOLUTION_AUTO, .latency = latency,
					       .windows = CLOCK_WINDOWS, .bins = 1};
	struct clock_report *r;
	struct call_log *log;
	struct clock_arrows *a;
	uint64_t messages = 0, ends = 0;
	bool back = true;

	must(call_log_new(&log, t, NULL, &err));
	must(clock_report_new(&r, log, &o, NULL, &err));
	must(clock_arrows_new(&a, r, NULL, &err));
	for (uint32_t i = 0; i < a->count; i++) {
		back = back && a->list[i].came - a->list[i].left - latency < 0;
		messages += !a->list[i].collective;
		ends += a->list[i].collective;
	}
	clock_arrows_free(a);
	clock_report_free(r);
	call_log_free(log);
	return back && messages == n->violated && ends == n->ends_violated;
}

/* Files whose times were put right by so much leave nothing to put right. */
static void corrected(const struct clock_case *c, double latency, enum clock_method method, const char *name)
{
	const struct clock_correct_options how = {method, .01};
	struct clock_correct_figures f, again;
	struct clock_points points;
	struct clock_case after;
	struct counted *n;
	bool unwritten;

	must(clock_correct_file("corrected.clog2", &f, &c->points, c->bounds, &how, &unwritten, NULL, &err));
	is_u64(f.violations, clock_case_violations(c), "%s: as many are put right as were counted", name);
	is_u64(f.left, 0, "%s: none is left", name);
	after = clock_case_open("corrected.clog2", latency);
	clock_points_release(&after.points);
	must(clock_points_init(&points, after.times, latency, c->bounds->barriers, &err)); /* those that were trusted */
	after.points = points;
	n = count(&after, latency);
	ok(!n->violated && !n->ends_violated, "%s: the file's messages take as long as they must", name);
	must(clock_correct_file("again.clog2", &again, &after.points, after.bounds, &how, &unwritten, NULL, &err));
	ok(!again.steps && !again.moved, "%s: and stay where they are", name);
	forget(n);
	clock_case_close(&after);
}

static uint64_t real(const char *path, const char *run, double latency)
{
	struct clock_case c = clock_case_open(path, latency);
	struct counted *n = count(&c, latency);
	struct clock_violations *v, *plain;
	uint64_t found = n->violated;
	char name[80];

	must(clock_violations_new(&v, &c.points, 3, true, NULL, &err));
	must(clock_violations_new(&plain, &c.points, 3, false, NULL, &err));
	snprintf(name, sizeof name, "%s, %g us", run, latency * 1e6);
	ok(v->messages.all == n->messages && v->messages.violated == n->violated, "%s: %llu messages arrive too early, of %llu", name,
	   (unsigned long long)n->violated, (unsigned long long)n->messages);
	ok(n->messages ? v->messages.worst == n->worst : isnan(v->messages.worst), "%s: the worst", name);
	ok(v->collective.all == n->ends && v->collective.violated == n->ends_violated, "%s: %llu ends of %llu come too early", name,
	   (unsigned long long)n->ends_violated, (unsigned long long)n->ends);
	ok(n->ends ? v->collective.worst == n->ends_worst : isnan(v->collective.worst), "%s: the worst of them", name);
	ok(same_processes(v, n), "%s: each process's", name);
	ok(same_pairs(v, n), "%s: each pair's, and its median", name);
	ok(same_bins(v, &c, latency), "%s: each part's", name);
	ok(no_medians(plain), "%s: medians are found where they are asked for, pairs in order all the same", name);
	ok(same_arrows(c.trace, latency, n), "%s: as many arrows go back", name);
	corrected(&c, latency, CLOCK_CLC, name);
	corrected(&c, latency, CLOCK_AUTO, name);
	clock_violations_free(v);
	clock_violations_free(plain);
	forget(n);
	clock_case_close(&c);
	return found;
}

/* ---- to the last bit ---- */

/* The earliest receive and the latest send, as computed: a step nearer is a violation. */
static void edges(void)
{
	static const double at[] = {0, 1e-9, .3, 1, 12345.678901, 1.7e9}, latency[] = {0, 1e-9, 1e-6, 3e-6, .25};
	uint32_t bad = 0;

	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		for (size_t k = 0; k < sizeof latency / sizeof *latency; k++) {
			double l = latency[k], receive = knot_receive_after(at[i], l), send = knot_send_before(at[i], l);
			double room = 4 * (nextafter(at[i] + l, INFINITY) - (at[i] + l));

			bad += receive - at[i] - l < 0 || fabs(receive - (at[i] + l)) > room;
			bad += at[i] - send - l < 0 || fabs(send - (at[i] - l)) > room;
		}
	is_u64(bad, 0, "what follows a latency later does, and no later");
	is_double(knot_receive_after(1, .25), 1.25, 0, "later");
	is_double(knot_send_before(1, .25), .75, 0, "earlier");
}

/* A message that takes exactly the latency is none; in powers of two, so that nothing is rounded. */
static void exact(void)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	struct clock_correction *fixed;
	struct clock_violations *v;
	struct clock_case c;
	struct counted *n;

	script_sent(g, 0, 1, 1, 0, 8);
	script_received(g, 1, 1.25, 0, 0, 8);
	script_sent(g, 0, 2, 1, 0, 8);
	script_received(g, 1, 2.125, 0, 0, 8);
	clock_case_write("exact.clog2", gen_script_bytes(g));
	c = clock_case_open("exact.clog2", .25);
	must(clock_violations_new(&v, &c.points, 0, true, NULL, &err));
	is_u64(v->messages.violated, 1, "a message that takes the latency is none, one that is faster is");
	is_double(v->messages.worst, -.125, 0, "by so much");
	is_double(v->pair[0].median, -.0625, 0, "the median, less the latency");
	n = count(&c, .25);
	ok(same_arrows(c.trace, .25, n), "one arrow goes back");
	forget(n);
	must(clock_correction_new(&fixed, &c.points, c.bounds, &(struct clock_correct_options){CLOCK_CLC, .01}, NULL, &err));
	is_u64(fixed->figures.violations, 1, "one is put right");
	is_double(fixed->time[fixed->first[1] + 1], 2.25, 0, "to when it can have arrived");
	is_double(fixed->time[fixed->first[1]], 2.25 - 1.01 * .875, 1e-12, "what comes before it follows as far as it may");
	clock_correction_free(fixed);
	clock_violations_free(v);
	clock_case_close(&c);
}

/* The receiver comes first in the file and in time, and the send is its process's first record. */
static void first_record(void)
{
	struct gen_script *g = gen_script_new(2, &(struct gen_script_options){0});
	struct clock_correction *fixed;
	struct clock_case c;

	script_received(g, 0, 1.5, 1, 0, 8);
	script_sent(g, 1, 2, 0, 0, 8);
	clock_case_write("exact.clog2", gen_script_bytes(g));
	c = clock_case_open("exact.clog2", .25);
	must(clock_correction_new(&fixed, &c.points, c.bounds, &(struct clock_correct_options){CLOCK_CLC, .01}, NULL, &err));
	is_double(fixed->time[fixed->first[0]], 2.25, 0, "a first record is waited for, too");
	is_double(fixed->time[fixed->first[1]], 2, 0, "and stays");
	clock_correction_free(fixed);
	clock_case_close(&c);
}

/* What a clock was set by so far, at that record of its process. */
static double set_by(const struct clock_times *times, uint32_t process, size_t record)
{
	double later = 0;

	for (uint32_t i = times->first_step ? times->first_step[process] : 0; times->first_step && i < times->first_step[process + 1]; i++)
		if (times->steps[i].record <= record)
			later = times->steps[i].later;
	return later;
}

/* One line for each clock: it goes into all of its times, and what the clock was set by while it ran is taken out
 * before. */
static void by_lines(const char *path, const char *run)
{
	struct clock_case c = clock_case_open(path, 0);
	const struct clock_bounds *b = c.bounds;
	struct clock_correction *fixed;
	struct clock_records r;
	uint64_t bad = 0, set = 0;

	must(clock_records_read(&r, c.trace, NULL, &err));
	must(clock_correction_new(&fixed, &c.points, b, &(struct clock_correct_options){CLOCK_LINEAR, .01}, NULL, &err));
	is_u64(b->windows, 1, "%s: one line does", run);
	for (uint32_t p = 0; p < b->process_count; p++)
		for (size_t i = fixed->first[p]; i < fixed->first[p + 1]; i++) {
			double at = fixed->time[i], later = set_by(c.times, p, i - fixed->first[p]);
			double offset = b->offset[2 * p] + (b->offset[2 * p + 1] - b->offset[2 * p]) * ((at - b->start) / (b->end - b->start));

			set += later != 0;
			bad += !(fabs(clock_records_time(&r, p, i - fixed->first[p]) + later + offset - at) < 1e-9);
		}
	is_u64(bad, 0, "%s: it is in all times", run);
	ok((set > 0) == !strcmp(run, "syncclk.4"), "%s: %llu records were stamped by a clock that had been set", run, (unsigned long long)set);
	clock_records_release(&r);
	clock_correction_free(fixed);
	clock_case_close(&c);
}

int main(void)
{
	static const char *const samples[] = {"lu.S.4", "persist.4.m246", "userstates.3", "anysrc.5", "coll.6.m246", "nonblock.4"};
	char folder[] = "/tmp/pas2p-latency-XXXXXX", here[512], path[600];
	uint64_t found = 0;

	if (!getcwd(here, sizeof here) || !mkdtemp(folder) || chdir(folder))
		bail_out("no folder for the test");
	edges();
	exact();
	first_record();
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		snprintf(path, sizeof path, "%s/sample-traces/%s.clog2", here, samples[i]);
		real(path, samples[i], 0);
		found += real(path, samples[i], 2e-6);
		found += real(path, samples[i], 1e-3);
	}
	for (size_t i = 0; i < 2; i++) {
		static const char *const lines[] = {"syncclk.4", "lu.S.4"};

		snprintf(path, sizeof path, "%s/sample-traces/%s.clog2", here, lines[i]);
		by_lines(path, lines[i]);
	}
	ok(found > 1000, "with a latency %llu are too early", (unsigned long long)found);
	unlink("exact.clog2");
	unlink("corrected.clog2");
	unlink("again.clog2");
	rmdir(folder);
	return done_testing();
}
