/* The same run however it is written: random Paraver traces, with threads, nested calls and ties, give the events that
 * a plain second implementation finds; and their lines in another order, records of an instant on one line or several,
 * other nodes, CRLF, or read on several threads, give the same trace.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "gen_prv.h"
#include "naive_prv.h"
#include "tap.h"

#define SEEDS CASES(400)

static struct trace *load(const char *text, unsigned threads)
{
	struct trace_options o = {.threads = threads};
	struct source source;
	struct trace *t = NULL;
	struct err e = {0};

	source_open_memory(&source, "t.prv", text, strlen(text), NULL);
	if (trace_load_sources(&t, &source, 1, &o, NULL, &e))
		diag("%s", e.text);
	source_release(&source);
	return t;
}

static bool same_event(const struct trace *t, uint32_t i, const struct naive_prv_event *e)
{
	char kind = EVENT_KIND(t->type[i]) == EVENT_SEND ? 's' : EVENT_KIND(t->type[i]) == EVENT_RECEIVE ? 'r' : 'c';
	int64_t time = (int64_t)(t->time[i] * 1e9 + 0.5);
	int64_t compute = isnan(t->compute[i]) ? NAIVE_PRV_UNKNOWN : (int64_t)(t->compute[i] * 1e9 + 0.5);

	/* Whether a record of the same instant follows is not the naive one's to tell. */
	if (e->compute == NAIVE_PRV_UNKNOWN && compute == 0)
		compute = NAIVE_PRV_UNKNOWN;

	if (kind != e->kind || time != e->time || compute != e->compute || trace_size(t, i) != (uint64_t)e->size ||
	    t->comms[trace_comm(t, i)].number != e->comm || (int)trace_process_of(t, i) != e->task)
		return false;
	if (kind == 'c')
		return !strcmp(t->colls[EVENT_INDEX(t->type[i])].op, e->op);
	return EVENT_INDEX(t->type[i]) == (uint32_t)e->partner + 1 && trace_tag(t, i) == e->tag;
}

/* Where the other end of a message is. */
static bool same_match(const struct trace *t, uint32_t i, const struct naive_prv_event *events)
{
	return events[i].kind == 'c' || (t->match[i] != NO_EVENT && events[t->match[i]].message == events[i].message && t->match[i] != i);
}

static bool against_naive(const struct trace *t, const char *text)
{
	static struct naive_prv_event events[NAIVE_PRV_EVENTS];
	int tasks, n = naive_prv(text, events, &tasks);

	if (!t || t->process_count != (uint32_t)tasks || t->event_count != (uint32_t)n) {
		diag("%u events, expected %d", t ? t->event_count : 0, n);
		return false;
	}
	for (uint32_t i = 0; i < t->event_count; i++)
		if (!same_event(t, i, &events[i]) || !same_match(t, i, events)) {
			char name[40];

			diag("event %u of task %d: %s %" PRIu64 " at %.0f, compute %.0f; expected %c partner %d %lld at %lld, compute %lld %s", i, events[i].task,
			     trace_type_name(t, t->type[i], name, sizeof name), trace_size(t, i), t->time[i] * 1e9, t->compute[i] * 1e9, events[i].kind,
			     events[i].partner, (long long)events[i].size, (long long)events[i].time, (long long)events[i].compute, events[i].op);
			return false;
		}
	return true;
}

static bool same_trace(const struct trace *a, const struct trace *b)
{
	size_t n = a ? a->event_count : 0;

	if (!a || !b || a->event_count != b->event_count || a->record_count != b->record_count || a->notes.n != b->notes.n ||
	    a->state_count != b->state_count)
		return false;
	for (uint32_t s = 0; s < a->state_count; s++)
		if (strcmp(a->states[s].name, b->states[s].name) != 0 || a->states[s].count != b->states[s].count)
			return false;
	return !memcmp(a->time, b->time, n * sizeof *a->time) && !memcmp(a->compute, b->compute, n * sizeof *a->compute) &&
	       !memcmp(a->type, b->type, n * sizeof *a->type) && !memcmp(a->size_code, b->size_code, n * sizeof *a->size_code) &&
	       !memcmp(a->match, b->match, n * sizeof *a->match) && !memcmp(a->envelope, b->envelope, n * sizeof *a->envelope);
}

int main(void)
{
	int plain = 0, same[4] = {0}, naive = 0, several = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		char *text = gen_prv(seed, 0);
		struct trace *t = load(text, 1), *other;
		bool fits = against_naive(t, text);

		if (!fits)
			diag("seed %llu", (unsigned long long)seed);
		plain += fits;
		other = load(text, 4);
		several += same_trace(t, other);
		trace_free(other);
		free(text);
		for (unsigned say = 1; say < 5; say++) {
			bool is_same;

			text = gen_prv(seed, say);
			other = load(text, say);
			is_same = same_trace(t, other);
			if (!is_same)
				diag("seed %llu said in way %u", (unsigned long long)seed, say);
			same[say - 1] += is_same;
			naive += against_naive(other, text);
			trace_free(other);
			free(text);
		}
		trace_free(t);
	}
	is_int(plain, SEEDS, "in order of time, the events are those of the plain implementation");
	is_int(several, SEEDS, "on several threads too");
	for (int i = 0; i < 4; i++)
		is_int(same[i], SEEDS, "said in way %d it is the same trace", i + 1);
	is_int(naive, 4 * SEEDS, "and the plain implementation finds the same in it");
	return done_testing();
}
