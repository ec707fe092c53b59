/* What made one run longer than another (docs/internals/compare-rules.md, "Waterfall"). The rows are shown as signed
 * bars that add up, so they must: on real runs of any kind, also where nothing corresponds or the numbers of processes
 * differ. Exchanging the runs may change signs and nothing else.
 */
#include <math.h>
#include <stdio.h>

#include "core/method/analysis/phase_content.h"
#include "core/method/figures/figures.h"
#include "core/formats/api/load.h"
#include "core/compare/diff/diff.h"
#include "run_of.h"
#include "tap.h"

static struct err err;

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

static void phase(struct run_phases *r, uint32_t weight, double time, double compute, uint32_t partner)
{
	run_phase_add(r, weight, time, compute);
	run_row_add(r);
	run_cell_add(r, 0, EVENT_SEND | partner, 8);
}

static void is_group(const struct waterfall_row *row, uint32_t id, double weight, double compute, double rest, double change)
{
	is_int(row->kind, WATERFALL_GROUP, "vector: a group");
	is_u64(row->group->a.ids[0], id, "vector: of phase %u", id);
	is_double(row->by_weight, weight, 1e-12, "vector: by weight");
	is_double(row->by_compute, compute, 1e-12, "vector: by compute");
	is_double(row->by_rest, rest, 1e-12, "vector: by rest");
	is_double(row->change, change, 1e-12, "vector: change");
	is_u64(row->rank, NO_PROCESS, "vector: without traces there is no rank");
}

static void vector(void)
{
	struct run_phases *a = run_new(2, 25.5, 8), *b = run_new(2, 25.3, 8);
	struct phase_match *m;
	struct waterfall *w;

	phase(a, 10, 2.0, 1.5, 1);
	phase(a, 5, 1.0, 0.8, 2);
	phase(b, 12, 1.5, 1.2, 1);
	phase(b, 5, 1.4, 0.8, 2);
	run_finish(a);
	run_finish(b);
	is_double(a->outside, 0.5, 1e-12, "vector: outside of A");
	must(phase_match_new(&m, a, b, NULL, &err));
	must(waterfall_new(&w, m, NULL, NULL, NULL, &err));
	is_u64(w->count, 3, "vector: two groups and what is outside");
	is_group(&w->rows[0], 1, 3.5, -3.3, -2.2, -2); /* of equal changes the smaller id comes first */
	is_group(&w->rows[1], 2, 0, 0, 2, 2);
	is_int(w->rows[2].kind, WATERFALL_OUTSIDE, "vector: outside is last");
	is_double(w->rows[2].change, -0.2, 1e-12, "vector: outside");
	is_double(w->change, -0.2, 1e-12, "vector: all of it");
	waterfall_free(w);
	phase_match_free(m);
	run_phases_free(a);
	run_phases_free(b);
}

static double sum(const struct waterfall *w)
{
	double all = 0;

	for (uint32_t i = 0; i < w->count; i++)
		all += w->rows[i].change;
	return all;
}

static bool rows_hold(const struct waterfall *w)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct waterfall_row *row = &w->rows[i];

		if (row->kind == WATERFALL_GROUP && fabs(row->by_weight + row->by_compute + row->by_rest - row->change) > 1e-12)
			return false;
		if (row->kind == WATERFALL_ONLY_A && row->change != -row->group->a.total)
			return false;
		if (row->kind == WATERFALL_ONLY_B && row->change != row->group->b.total)
			return false;
		if (i && row->group && fabs(row->change) > fabs(w->rows[i - 1].change))
			return false;
	}
	return true;
}

struct side {
	struct trace *t;
	struct analysis *a;
	struct run_phases *r;
};

static struct side load(const char *name, enum phase_time how)
{
	struct trace_options options = {0};
	struct settings s;
	struct side x;
	char path[100];
	const char *paths = path;

	snprintf(path, sizeof path, "sample-traces/%s.clog2", name);
	settings_init(&s);
	s.phase_time = how;
	must(trace_load(&x.t, &paths, 1, &options, NULL, &err));
	must(analysis_new(&x.a, x.t, &s, NULL, ANALYSIS_PHASES, NULL, &err));
	must(phase_content_new(&x.r, x.a, NULL, &err));
	return x;
}

static void unload(struct side *x)
{
	run_phases_free(x->r);
	analysis_unref(x->a);
	trace_free(x->t);
}

/* Whole-occurrence durations, one by one: what the ranks are found from, the slow way. */
static double time_of(const struct side *x, const struct phase_side *s, uint32_t process)
{
	double time = 0;

	for (uint32_t k = 0; k < s->count; k++)
		for (uint32_t i = x->a->phases->phase_first[s->ids[k] - 1]; i < x->a->phases->phase_first[s->ids[k]]; i++)
			time += occurrence_time_on(x->a->clockwork, x->a->phases, x->a->phases->by_phase[i], process);
	return time;
}

static bool ranks_hold(const struct waterfall *w, const struct side *a, const struct side *b)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct waterfall_row *row = &w->rows[i];
		double most;

		if (!row->group || a->r->processes != b->r->processes) {
			if (row->rank != NO_PROCESS)
				return false;
			continue;
		}
		if (row->rank >= a->r->processes)
			return false;
		most = fabs(time_of(b, &row->group->b, row->rank) - time_of(a, &row->group->a, row->rank));
		for (uint32_t p = 0; p < a->r->processes; p++)
			if (fabs(time_of(b, &row->group->b, p) - time_of(a, &row->group->a, p)) > most + 1e-9)
				return false;
	}
	return true;
}

/* The same groups, seen from the other side. */
static struct phase_match exchanged(const struct phase_match *m, struct phase_group *room)
{
	struct phase_match x = *m;

	x.a = m->b;
	x.b = m->a;
	x.others_a = m->others_b;
	x.others_b = m->others_a;
	x.groups = room;
	for (uint32_t i = 0; i < m->count; i++) {
		room[i] = m->groups[i];
		room[i].a = m->groups[i].b;
		room[i].b = m->groups[i].a;
		if (room[i].how == MATCHED_ONLY_A || room[i].how == MATCHED_ONLY_B)
			room[i].how = room[i].how == MATCHED_ONLY_A ? MATCHED_ONLY_B : MATCHED_ONLY_A;
	}
	return x;
}

static bool negated(const struct waterfall *w, const struct waterfall *x, const struct phase_match *m, const struct phase_match *n)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct waterfall_row *row = &w->rows[i], *other = NULL;

		for (uint32_t k = 0; k < x->count; k++)
			if (row->group ? x->rows[k].group && x->rows[k].group - n->groups == row->group - m->groups
				       : x->rows[k].kind == row->kind)
				other = &x->rows[k];
		if (!other || row->change != -other->change || row->rank != other->rank)
			return false;
		if (row->kind == WATERFALL_GROUP && (row->by_weight != -other->by_weight || row->by_compute != -other->by_compute ||
						     row->by_rest != -other->by_rest))
			return false;
	}
	return w->count == x->count && w->change == -x->change;
}

static void adds_up(const char *name, const char *other, enum phase_time how)
{
	struct side a = load(name, how), b = load(other, how);
	struct phase_group *room;
	struct phase_match *m, n;
	struct waterfall *w, *x;
	double larger = fmax(a.r->aet, b.r->aet);

	must(phase_match_new(&m, a.r, b.r, NULL, &err));
	must(waterfall_new(&w, m, a.a, b.a, NULL, &err));
	is_double(sum(w), b.r->aet - a.r->aet, 1e-9 * larger, "%s : %s: the rows add up to the difference", name, other);
	ok(rows_hold(w), "%s : %s: each row adds up, the largest first", name, other);
	ok(ranks_hold(w, &a, &b), "%s : %s: no process changed more than the one that is told", name, other);
	room = mem_alloc(m->count, sizeof *room);
	if (!room)
		bail_out("no memory");
	n = exchanged(m, room);
	must(waterfall_new(&x, &n, b.a, a.a, NULL, &err));
	ok(negated(w, x, m, &n), "%s : %s: exchanged, every row is the same with the other sign", name, other);
	waterfall_free(x);
	waterfall_free(w);
	mem_free(room);
	phase_match_free(m);
	unload(&a);
	unload(&b);
}

/* What takes no part by itself is a row of its own, so that nothing is lost. */
static void others(void)
{
	struct run_phases *a = run_new(2, 3000, 8), *b = run_new(2, 10, 8);
	struct phase_match *m;
	struct waterfall *w;

	for (uint32_t i = 0; i < 1005; i++)
		phase(a, 1, 2, 1, 2);
	phase(b, 1, 2, 1, 2);
	run_finish(a);
	run_finish(b);
	must(phase_match_new(&m, a, b, NULL, &err));
	must(waterfall_new(&w, m, NULL, NULL, NULL, &err));
	is_int(w->rows[w->count - 2].kind, WATERFALL_OTHERS, "a row of what is left out");
	is_double(w->rows[w->count - 2].change, -10, 1e-12, "is what five of A's phases took");
	is_double(sum(w), -2990, 1e-9, "and all rows add up");
	waterfall_free(w);
	phase_match_free(m);
	run_phases_free(a);
	run_phases_free(b);
}

int main(void)
{
	vector();
	others();
	adds_up("cg.S.4", "lu.S.4", PHASE_TIME_MEAN);
	adds_up("cg.S.4", "lu.S.4", PHASE_TIME_SLOWEST);
	adds_up("cg.S.4", "thesis-cg.4", PHASE_TIME_MEAN);
	adds_up("lu.S.4", "lu.S.4", PHASE_TIME_SLOWEST);
	adds_up("ft.S.4", "is.S.4", PHASE_TIME_MEAN);
	adds_up("ep.S.4", "ft.S.4", PHASE_TIME_MEAN);
	adds_up("comms.6", "coll.6", PHASE_TIME_MEAN);
	adds_up("lu.S.4", "comms.6", PHASE_TIME_MEAN);
	adds_up("one_rank.1", "cg.S.4", PHASE_TIME_SLOWEST);
	return done_testing();
}
