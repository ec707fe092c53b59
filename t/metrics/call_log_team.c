/* A call log that the ranks of a team load together, and the waits in it, are of each rank's processes what those of
 * the whole trace are, to the last bit: calls, nodes with their numbers and counts, stretches of states, what completes
 * where; what is known of calls on other ranks; for how long each call waits, why, and for whom.
 *
 * `call_log_team.t FILE...`: these traces alone.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/metrics/waits/instances.h"
#include "core/metrics/waits/waits.h"
#include "log_case.h"
#include "tap.h"
#include "team_drive.h"

#define MOST 8
#define SEEDS CASES(60)

static const uint32_t sizes[] = {2, 3, 4, 7};

struct rank {
	enum err_code code;
	char text[ERR_TEXT];
	bool loaded;
	struct call_log *log;
	struct trace *trace;
	struct waits *waits;
	uint32_t calls;                /* of the ranks before it */
	char why[300];                 /* how it differs */
	uint64_t remote_messages, remote_collectives, listed, remote_waits;
};

struct asked {
	const struct part_input *in;
	const struct rank *whole;
	struct rank ranks[MOST];
};

static bool __attribute__((format(printf, 2, 3))) differ(struct rank *r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(r->why, sizeof r->why, format, ap);
	va_end(ap);
	return false;
}

static bool same_bits(double a, double b)
{
	return !memcmp(&a, &b, sizeof a);
}

static bool same_nodes(struct rank *r, const struct call_log *w)
{
	const struct call_log *p = r->log;

	if (p->node_count != w->node_count || p->unpaired != w->unpaired || p->too_deep != w->too_deep || p->states_seen != w->states_seen ||
	    p->users_seen != w->users_seen)
		return differ(r, "%" PRIu32 " nodes, %" PRIu64 " unpaired, not %" PRIu32 ", %" PRIu64 "; or other totals", p->node_count,
			      p->unpaired, w->node_count, w->unpaired);
	for (uint32_t n = 0; n < w->node_count; n++) {
		const struct call_node *a = &p->nodes[n], *b = &w->nodes[n];

		if (a->parent != b->parent || a->depth != b->depth || strcmp(a->name, b->name) || a->kind != b->kind || a->time != b->time ||
		    a->traits != b->traits || a->count != b->count || a->unfinished != b->unfinished)
			return differ(r, "node %" PRIu32 " is %s, %" PRIu64 " times, not %s, %" PRIu64 " times; or of another kind", n, a->name,
				      a->count, b->name, b->count);
	}
	return true;
}

static bool same_list(struct rank *r, const struct call_log *w, const struct call_list *a, const struct call_list *b)
{
	const struct call_log *p = r->log;

	if (a->process != b->process || a->thread != b->thread || a->end - a->first != b->end - b->first || a->last_node != b->last_node ||
	    a->end_piece - a->first_piece != b->end_piece - b->first_piece || !same_bits(a->start, b->start) || !same_bits(a->stop, b->stop) ||
	    a->account != b->account || !same_bits(a->cpu, b->cpu) || !same_bits(a->untraced, b->untraced) || a->known.posts != b->known.posts ||
	    a->known.nonblocking != b->known.nonblocking || a->first + r->calls != b->first)
		return differ(r, "the list of thread %d of process %" PRIu32 " is another", b->thread, b->process);
	for (uint32_t i = 0; i < a->end - a->first; i++) {
		const struct logged_call *x = &p->calls[a->first + i], *y = &w->calls[b->first + i];
		uint32_t events = w->trace->first[b->process] - p->trace->first[a->process];

		if (!same_bits(x->start, y->start) || !same_bits(x->end, y->end) || x->node != y->node ||
		    (x->first_event == NO_EVENT ? y->first_event != NO_EVENT : x->first_event + events != y->first_event) ||
		    p->flags[a->first + i] != w->flags[b->first + i])
			return differ(r, "call %" PRIu32 " of process %" PRIu32 " is another", i, b->process);
	}
	for (uint32_t i = 0; i < a->end_piece - a->first_piece; i++) {
		const struct useful_piece *x = &p->pieces[a->first_piece + i], *y = &w->pieces[b->first_piece + i];

		if (!same_bits(x->until, y->until) || x->call + r->calls != y->call || x->node != y->node)
			return differ(r, "piece %" PRIu32 " of process %" PRIu32 " is another", i, b->process);
	}
	return true;
}

static bool same_lists(struct rank *r, const struct call_log *w)
{
	const struct call_log *p = r->log;
	uint32_t begin, end;

	trace_local(r->trace, &begin, &end);
	for (uint32_t q = 0; q < w->trace->process_count; q++) {
		uint32_t n = w->list_first[q + 1] - w->list_first[q];

		if (q < begin || q >= end)
			n = 0;
		if (p->list_first[q + 1] - p->list_first[q] != n)
			return differ(r, "process %" PRIu32 " has another number of lists", q);
		for (uint32_t i = 0; i < n; i++)
			if (!same_list(r, w, &p->lists[p->list_first[q] + i], &w->lists[w->list_first[q] + i]))
				return false;
	}
	return true;
}

static bool same_stays(struct rank *r, const struct call_log *w)
{
	const struct call_log *p = r->log;
	uint32_t begin, end, at = 0;

	trace_local(r->trace, &begin, &end);
	for (uint32_t i = 0; i < w->stay_count; i++) {
		const struct node_stay *b = &w->stays[i], *a;

		if (b->process < begin || b->process >= end)
			continue;
		if (at >= p->stay_count)
			return differ(r, "fewer stays");
		a = &p->stays[at++];
		if (a->process != b->process || a->node != b->node || !same_bits(a->useful, b->useful) ||
		    !same_bits(a->hidden, b->hidden))
			return differ(r, "a stay of process %" PRIu32 " is another", b->process);
	}
	return at == p->stay_count || differ(r, "more stays");
}

/* An event of the rank's, as the whole trace numbers it. */
static uint32_t event_in(const struct rank *r, const struct trace *whole, uint32_t event)
{
	return event + whole->first[trace_process_of(r->trace, event)] - r->trace->first[trace_process_of(r->trace, event)];
}

static bool same_events(struct rank *r, const struct call_log *w)
{
	const struct call_log *p = r->log;
	uint32_t begin, end, completed = 0;

	trace_local(r->trace, &begin, &end);
	for (uint32_t ev = 0; ev < r->trace->event_count; ev++) {
		uint32_t in = event_in(r, w->trace, ev), a = p->call_of[ev], b = w->call_of[in];

		if ((a == NO_LOGGED_CALL ? a : a + r->calls) != b || !same_bits(call_log_event_time(p, ev), call_log_event_time(w, in)))
			return differ(r, "event %" PRIu32 " is of another call, or at another time", in);
	}
	for (uint32_t i = 0; i < w->completed_count; i++) {
		const struct completed_collective *b = &w->completed[i], *a;
		uint32_t q = w->lists[call_log_list_of(w, b->call)].process;

		if (q < begin || q >= end)
			continue;
		if (completed >= p->completed_count)
			return differ(r, "fewer collectives complete");
		a = &p->completed[completed++];
		if (a->call + r->calls != b->call || event_in(r, w->trace, a->event) != b->event ||
		    a->traits != b->traits)
			return differ(r, "another collective completes in call %" PRIu32, b->call);
	}
	return completed == p->completed_count || differ(r, "more collectives complete");
}

/* ---- calls on other ranks ---- */

static uint32_t call_in(const struct asked *a, struct call_at at)
{
	return at.call == NO_LOGGED_CALL ? at.call : a->ranks[at.rank].calls + at.call;
}

static bool right_messages(const struct asked *a, struct rank *r, const struct call_log *w)
{
	for (uint32_t i = 0; i < r->trace->remote->message_count; i++) {
		const struct remote_message *m = &r->trace->remote->message[i];
		const struct remote_call *c = &r->log->remote->message[i];
		uint32_t at = w->call_of[w->trace->match[event_in(r, w->trace, m->event)]];

		if (call_in(a, (struct call_at){m->rank, c->call}) != at)
			return differ(r, "far message %" PRIu32 " is of another call", i);
		if (at != NO_LOGGED_CALL && (!same_bits(c->start, w->calls[at].start) || c->node != w->calls[at].node))
			return differ(r, "the call of far message %" PRIu32 " is another", i);
	}
	return true;
}

/* All members of an instance, by going round. */
static bool right_meeting(const struct asked *a, struct rank *r, const struct call_log *w, uint32_t i)
{
	const struct remote_collective *remote = &r->log->remote->collective[i];
	uint32_t first = event_in(r, w->trace, r->trace->remote->instance[i].event), ev = first, members = 0, last = NO_LOGGED_CALL, found = 0;

	do {
		uint32_t c = w->call_of[ev];

		if (c != NO_LOGGED_CALL) {
			members++;
			if (last == NO_LOGGED_CALL || w->calls[c].start > w->calls[last].start ||
			    (w->calls[c].start == w->calls[last].start && c < last))
				last = c;
			for (uint32_t k = 0; k < remote->count; k++)
				found += call_in(a, r->log->remote->members[remote->first + k].at) == c;
		}
		ev = w->trace->match[ev];
	} while (ev != first && ev != NO_EVENT);
	if (remote->members != members || call_in(a, remote->last.at) != last || (remote->count && (remote->count != members || found != members)))
		return differ(r, "far meeting %" PRIu32 " has other members", i);
	for (uint32_t k = 1; k < remote->count; k++) {
		const struct remote_member *x = &r->log->remote->members[remote->first + k];

		if (x[-1].start > x->start || (x[-1].start == x->start && !call_at_is_before(x[-1].at, x->at)))
			return differ(r, "members of far meeting %" PRIu32 " are not in order", i);
	}
	return true;
}

static bool same_waits(const struct asked *a, struct rank *r, const struct rank *whole, uint64_t *elsewhere)
{
	struct instances m, all;
	bool same = true;

	if (instances_init(&m, r->log, NULL, &(struct err){0}) || instances_init(&all, whole->log, NULL, &(struct err){0}))
		abort();
	for (uint32_t c = 0; same && c < r->log->call_count; c++) {
		uint32_t in = r->calls + c;
		struct call_at at = waits_for_at(r->waits, &m, c);

		if (!same_bits(r->waits->sync[c], whole->waits->sync[in]) || r->waits->reason[c] != whole->waits->reason[in])
			same = differ(r, "call %" PRIu32 " waits %.17g s for reason %u, not %.17g for %u", in, r->waits->sync[c],
				      r->waits->reason[c], whole->waits->sync[in], whole->waits->reason[in]);
		else if (call_in(a, at) != waits_for_among(whole->waits, &all, in))
			same = differ(r, "call %" PRIu32 " waits for call %" PRIu32 ", not %" PRIu32, in, call_in(a, at),
				      waits_for_among(whole->waits, &all, in));
		*elsewhere += at.call != NO_LOGGED_CALL && at.rank != (uint32_t)(r - a->ranks);
	}
	instances_release(&m);
	instances_release(&all);
	return same;
}

static bool same(const struct asked *a, struct rank *r)
{
	const struct call_log *w = a->whole->log;
	bool right = same_nodes(r, w) && same_lists(r, w) && same_stays(r, w) && same_events(r, w) && right_messages(a, r, w);

	r->remote_messages = r->trace->remote->message_count;
	r->remote_collectives = r->trace->remote->instance_count;
	for (uint32_t i = 0; right && i < r->trace->remote->instance_count; i++) {
		right = right_meeting(a, r, w, i);
		r->listed += r->log->remote->collective[i].count > 0;
	}
	return right && same_waits(a, r, a->whole, &r->remote_waits);
}

/* ---- runs ---- */

static void open_rank(struct rank *r, const struct part_input *in, const struct team *team)
{
	struct err e = {0};

	r->code = log_load(&r->log, &r->trace, in, team, &e);
	snprintf(r->text, sizeof r->text, "%s", r->code ? e.text : "");
	r->loaded = r->log != NULL;
	if (r->log && waits_new(&r->waits, r->log, NULL, &e))
		bail_out("%s", e.text);
}

static void close_rank(struct rank *r)
{
	waits_free(r->waits);
	call_log_free(r->log);
	trace_free(r->trace);
}

static void must(enum err_code code, const struct err *e)
{
	if (code)
		bail_out("%s", e->text);
}

/* Numbers of all ranks must be there before one of them is asked. */
static enum err_code log_part(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	struct asked *a = arg;
	struct rank *r;
	uint64_t before;
	bool differs;

	(void)progress;
	(void)said;
	if (!team) { /* the whole is there */
		snprintf(e->text, sizeof e->text, "%s", a->whole->text);
		return a->whole->code;
	}
	r = &a->ranks[team->rank];
	open_rank(r, a->in, team);
	must(team_scan(team, r->log ? r->log->call_count : 0, &before, NULL, e), e);
	r->calls = (uint32_t)before;
	must(team_agree(team, ERR_OK, e), e);
	differs = r->loaded != a->whole->loaded || (r->loaded && !same(a, r));
	must(team_agree(team, ERR_OK, e), e);
	close_rank(r);
	if (differs)
		return team_differs(e, r->why);
	snprintf(e->text, sizeof e->text, "%s", r->text);
	return r->code;
}

static struct rank seen;       /* what all that was tried had in it */

static bool same_by(const struct part_input *in, const struct rank *whole, uint32_t size, const char *what)
{
	struct asked a = {.in = in, .whole = whole};
	bool good = team_same(&(struct team_case){.name = what, .run = log_part, .arg = &a}, 1u << size);

	for (uint32_t k = 0; k < size; k++) {
		seen.remote_messages += a.ranks[k].remote_messages;
		seen.remote_collectives += a.ranks[k].remote_collectives;
		seen.listed += a.ranks[k].listed;
		seen.remote_waits += a.ranks[k].remote_waits;
	}
	return good;
}

static void each(void *arg, const struct part_input *in, const char *what)
{
	struct rank whole = {0};
	bool good = true;

	(void)arg;
	open_rank(&whole, in, NULL);
	for (size_t i = 0; good && i < sizeof sizes / sizeof *sizes; i++)
		good = same_by(in, &whole, sizes[i], what);
	ok(good, "%s", what);
	close_rank(&whole);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		log_files(argv[i], false, each, NULL);
	if (argc > 1)
		return done_testing();
	log_all(SEEDS, each, NULL);
	ok(seen.remote_messages > 1000 && seen.remote_collectives > 1000 && seen.listed > 100 && seen.remote_waits > 1000,
	   "of other ranks there were %" PRIu64 " messages, %" PRIu64 " collectives, %" PRIu64 " of them left early, and %" PRIu64 " waits for them",
	   seen.remote_messages, seen.remote_collectives, seen.listed, seen.remote_waits);
	return done_testing();
}
