/* What must hold of every trace, whatever is in it, and is why the method works: logical time does not see the
 * clocks; a receive follows its send at once; occurrences tile the run, in ticks and in seconds; and the cut
 * at which a checkpoint is taken can be reached by every process without a message from beyond it. The last is
 * shown from both sides: cuts made in the obvious ways would wait forever on a wavefront.
 */
#include <inttypes.h>
#include <math.h>

#include "core/method/figures/figures.h"
#include "gen.h"
#include "core/method/logical/logical.h"
#include "core/method/phases/phases.h"
#include "tap.h"

#define SEEDS CASES(600)

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

static struct logical *ordered(const struct trace *t, enum order order)
{
	struct logical *l;

	must(logical_new(&l, t, order, COLLECTIVES_EVENTS, NULL, &err));
	return l;
}

static struct phases *phases_of(const struct logical *l, enum similarity similarity, const struct settings *s)
{
	struct phase_space *windows;
	struct bbp_space *blocks;
	struct phases *p;
	struct bbps *b;

	if (similarity == SIMILARITY_PHASE) {
		must(phase_space_new(&windows, l, NULL, &err));
		must(phases_search(&p, windows, s, NULL, &err));
		phase_space_free(windows);
	} else {
		must(bbp_space_new(&blocks, l, NULL, &err));
		must(bbps_new(&b, blocks, s, NULL, &err));
		must(phases_join(&p, b, NULL, &err));
		bbps_free(b);
		bbp_space_free(blocks);
	}
	return p;
}

/* --- clocks --- */

/* Other clocks, as far as 1000 s apart; where relations are whole, the order must not change at all. */
static void clocks_do_not_matter(enum order order)
{
	uint32_t bad = 0, events = 0;

	for (uint64_t seed = 1; seed <= SEEDS && !bad; seed++) {
		struct trace *a = gen_random(seed, seed % 2 ? GEN_CAUSAL : GEN_LOOP);
		struct trace *b = gen_random(seed, seed % 2 ? GEN_CAUSAL : GEN_LOOP);
		struct logical *la, *lb;
		uint64_t state = seed;

		for (uint32_t p = 0; p < b->process_count; p++) {
			double offset = gen_below(&state, 2000) - 1000.0;

			for (uint32_t e = b->first[p]; e < b->first[p + 1]; e++)
				b->time[e] += offset;
		}
		la = ordered(a, order);
		lb = ordered(b, order);
		bad += la->broken || lb->broken || la->tick_count != lb->tick_count;
		for (uint32_t e = 0; e < a->event_count; e++)
			bad += logical_lt(la, e) != logical_lt(lb, e) || la->tick[e] != lb->tick[e];
		if (bad)
			diag("seed %" PRIu64, seed);
		events += a->event_count;
		logical_unref(la);
		logical_unref(lb);
		trace_free(a);
		trace_free(b);
	}
	is_int(bad, 0, "%s: other clocks, the same logical times and ticks (%u events)",
	       order == ORDER_PAS2P ? "pas2p" : "lamport", events);
}

/* --- receives --- */

static void receives_follow_sends(void)
{
	uint32_t late = 0, early = 0, pairs = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		struct logical *a = ordered(t, ORDER_PAS2P), *b = ordered(t, ORDER_LAMPORT);

		for (uint32_t e = 0; e < t->event_count && !a->broken; e++) {
			if (EVENT_KIND(t->type[e]) != EVENT_RECEIVE || t->match[e] == NO_EVENT)
				continue;
			pairs++;
			late += logical_lt(a, e) != logical_lt(a, t->match[e]) + 1;
			early += logical_lt(b, e) < logical_lt(b, t->match[e]) + 1;
		}
		logical_unref(a);
		logical_unref(b);
		trace_free(t);
	}
	ok(pairs > 1000, "%u pairs of messages", pairs);
	is_int(late, 0, "pas2p: every receive is at its send + 1");
	is_int(early, 0, "lamport: no receive is before its send + 1");
}

/* --- tiling --- */

static uint32_t gaps_in_ticks(const struct logical *l, const struct phases *p)
{
	uint32_t bad = 0, covered = 0;

	for (uint32_t i = 0; i < p->occurrence_count; i++) {
		const struct occurrence *o = &p->occurrences[i];

		bad += o->first > o->last || o->last >= l->tick_count;
		if (p->similarity == SIMILARITY_BBP)
			bad += o->first != (i ? o[-1].last : 0);
		else
			bad += i && o->first <= o[-1].last;
	}
	if (p->similarity == SIMILARITY_BBP)
		return bad + (p->occurrence_count ? p->occurrences[p->occurrence_count - 1].last + 1 != l->tick_count
						  : l->tick_count > 1);
	for (uint32_t k = 0; k < l->tick_count; k++) {
		covered = 0;
		for (uint32_t i = 0; i < p->occurrence_count; i++)
			covered += p->occurrences[i].first <= k && k <= p->occurrences[i].last;
		bad += l->tick_sends[k] && covered != 1;
	}
	return bad;
}

/* What all occurrences take on a process together: from its first send to the end of its work; blocks from its first event. */
static double whole_of(const struct logical *l, const struct phases *p, uint32_t process)
{
	const struct trace *t = l->trace;
	uint32_t first = l->send_first[process];

	if (p->similarity == SIMILARITY_BBP)
		return t->first[process] == t->first[process + 1] ? 0 : t->processes[process].work_end - t->time[t->first[process]];
	return first == l->send_first[process + 1] ? 0 : t->processes[process].work_end - t->time[l->sends[first]];
}

static uint32_t gaps_in_time(const struct logical *l, const struct phases *p, const struct clockwork *c)
{
	const struct trace *t = l->trace;
	uint32_t bad = 0;

	for (uint32_t q = 0; q < t->process_count && p->occurrence_count; q++) {
		double sum = 0;

		for (uint32_t i = 0; i < p->occurrence_count; i++)
			sum += occurrence_time_on(c, p, i, q);
		bad += fabs(sum - whole_of(l, p, q)) > 1e-9;
	}
	return bad;
}

/* The mean tiles the run; so where every phase is relevant, PET is the mean over processes of their runs. */
static bool mean_tiles(const struct logical *l, const struct phases *p, const struct clockwork *c)
{
	const struct trace *t = l->trace;
	struct settings s;
	struct figures *f;
	double whole = 0;
	bool good;

	settings_init(&s);
	s.relevance = 0;
	must(figures_new(&f, c, p, &s, NULL, &err));
	for (uint32_t q = 0; q < t->process_count; q++)
		whole += whole_of(l, p, q);
	good = !p->occurrence_count || fabs(f->pet - whole / t->process_count) < 1e-9;
	figures_free(f);
	return good;
}

static void occurrences_tile(enum similarity similarity)
{
	const char *name = similarity == SIMILARITY_BBP ? "bbp" : "phase";
	uint32_t ticks = 0, times = 0, means = 0, repeated = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		struct clockwork *c;
		struct settings s;
		struct logical *l;
		struct phases *p;

		gen_settings(seed, &s);
		l = ordered(t, s.order);
		p = phases_of(l, similarity, &s);
		must(clockwork_new(&c, l, p->similarity, NULL, &err));
		ticks += gaps_in_ticks(l, p);
		times += gaps_in_time(l, p, c);
		/* Where a clock steps back, a phase can take less than nothing, and is then not relevant. */
		means += seed % GEN_KINDS != GEN_WILD && !mean_tiles(l, p, c);
		for (uint32_t i = 0; i < p->count; i++)
			repeated += p->list[i].weight > 1;
		clockwork_free(c);
		phases_free(p);
		logical_unref(l);
		trace_free(t);
	}
	ok(repeated > CASES(100), "%s: %u phases that repeat", name, repeated);
	is_int(ticks, 0, "%s: occurrences tile the ticks", name);
	is_int(times, 0, "%s: and on every process the durations add up to its run", name);
	is_int(means, 0, "%s: and the mean phase times to the mean run", name);
}

/* --- the cut --- */

/* Where each process stops: having made `made` sends and collectives, and either at the next of them, so
 * that all receives before it are done, or right after the last. */
struct stop { uint32_t made; bool before; };

static uint32_t sends_of(const struct logical *l, uint32_t p)
{
	return l->send_first[p + 1] - l->send_first[p];
}

/* Has the process of event e made it when it stops? */
static bool made(const struct logical *l, const struct stop *stops, uint32_t e)
{
	uint32_t p = trace_process_of(l->trace, e), number = logical_send_number(l, p, e), until;

	if (number)
		return number <= stops[p].made;
	if (!stops[p].before)
		return stops[p].made > 0 && e < l->sends[l->send_first[p] + stops[p].made - 1];
	until = stops[p].made < sends_of(l, p) ? l->sends[l->send_first[p] + stops[p].made] : l->trace->first[p + 1];
	return e < until;
}

/* No event that is made waits for one that is not. */
static bool consistent(const struct logical *l, const struct stop *stops)
{
	const struct trace *t = l->trace;

	for (uint32_t e = 0; e < t->event_count; e++)
		if (EVENT_KIND(t->type[e]) != EVENT_SEND && t->match[e] != NO_EVENT && made(l, stops, e) &&
		    !made(l, stops, t->match[e]))
			return false;
	return true;
}

/* The method's stops at tick c. */
static void stops_at(const struct logical *l, uint32_t c, struct stop *stops)
{
	for (uint32_t p = 0; p < l->trace->process_count; p++) {
		uint32_t n = logical_sends_before(l, p, c);

		stops[p].made = n;
		stops[p].before = n < sends_of(l, p) && l->tick[l->sends[l->send_first[p] + n]] == c;
	}
}

static void cuts_are_consistent(void)
{
	uint32_t cuts = 0, bad = 0, points = 0, bad_points = 0;

	for (uint64_t seed = 1; seed <= SEEDS / 2; seed++) {
		struct trace *t = gen_random(seed, seed % 2 ? GEN_CAUSAL : GEN_LOOP);
		struct stop stops[64];
		struct clockwork *c;
		struct settings s;
		struct logical *l;
		struct phases *p;

		gen_settings(seed, &s);
		l = ordered(t, s.order);
		p = phases_of(l, (enum similarity)s.similarity, &s);
		must(clockwork_new(&c, l, p->similarity, NULL, &err));
		for (uint32_t k = 0; k <= l->tick_count; k++, cuts++) {
			stops_at(l, k, stops);
			bad += !consistent(l, stops);
		}
		for (uint32_t id = 1; id <= p->count; id++, points++) {
			struct phase_points pp;

			must(phase_points_init(&pp, c, p, id, &s, &err));
			for (uint32_t q = 0; q < t->process_count; q++)
				stops[q] = (struct stop){pp.checkpoint[q], pp.before[q] != 0};
			bad_points += !consistent(l, stops) || pp.checkpoint_tick > pp.first;
			phase_points_release(&pp);
		}
		clockwork_free(c);
		phases_free(p);
		logical_unref(l);
		trace_free(t);
	}
	is_int(bad, 0, "%u cuts of random traces, all consistent", cuts);
	is_int(bad_points, 0, "%u exported checkpoints, all consistent", points);
	ok(points > CASES(1000), "that were many");
}

/* A wavefront: processes run far apart, so what one has still to receive another has yet to send. */
static void wavefront(enum order order)
{
	struct trace *t = gen_wavefront(3, 4, 40, 0.001);
	struct logical *l = ordered(t, order);
	uint32_t right = 0, everywhere = 0, minus = 0, cuts = 0;
	const char *name = order == ORDER_PAS2P ? "pas2p" : "lamport";

	for (uint32_t k = l->tick_count / 4; k < l->tick_count * 3 / 4; k++, cuts++) {
		struct stop stops[64];

		stops_at(l, k, stops);
		right += consistent(l, stops);
		for (uint32_t p = 0; p < t->process_count; p++)
			stops[p].before = true;
		everywhere += consistent(l, stops);
		for (uint32_t p = 0; p < t->process_count; p++)
			stops[p].made = stops[p].made > 10 ? stops[p].made - 10 : 0;
		minus += consistent(l, stops);
	}
	is_int(l->broken, 0, "%s: nothing on the wavefront is broken", name);
	is_int(right, cuts, "%s: all cuts by the rule are consistent", name);
	ok(everywhere < cuts, "%s: stopping before the next send everywhere: only %u of %u are", name, everywhere, cuts);
	ok(minus < cuts, "%s: stopping 10 sends before an entry: only %u of %u are", name, minus, cuts);
	logical_unref(l);
	trace_free(t);
}

int main(void)
{
	clocks_do_not_matter(ORDER_PAS2P);
	clocks_do_not_matter(ORDER_LAMPORT);
	receives_follow_sends();
	occurrences_tile(SIMILARITY_BBP);
	occurrences_tile(SIMILARITY_PHASE);
	cuts_are_consistent();
	wavefront(ORDER_PAS2P);
	wavefront(ORDER_LAMPORT);
	return done_testing();
}
