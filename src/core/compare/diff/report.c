#include "diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/phase_content.h"
#include "core/base/mem.h"
#include "core/base/order.h"

/* ---- the verdict by phases ---- */

static bool one_to_one(const struct phase_match *m)
{
	if (m->only_a || m->only_b || m->others_a.count != m->others_b.count || m->others_a.weight != m->others_b.weight)
		return false;
	for (uint32_t i = 0; i < m->count; i++) {
		const struct phase_group *g = &m->groups[i];

		if (g->a.count != 1 || g->b.count != 1 || g->a.weight != g->b.weight)
			return false;
	}
	return true;
}

static enum diff_verdict phases_verdict(const struct diff_report *r)
{
	if (r->of[DIFF_A].processes != r->of[DIFF_B].processes)
		return DIFF_PROCESSES;
	return one_to_one(r->match) ? DIFF_IDENTICAL : DIFF_STRUCTURE;
}

/* ---- rows ---- */

static double share_of(const struct phase_side *side, double aet)
{
	return aet > 0 ? side->total / aet : (double)NAN;
}

/* Of what share a row is must be known. */
static bool is_small(const struct diff_report *r, const struct diff_row_of *row)
{
	return row->kind <= WATERFALL_ONLY_B && share_of(&row->group.a, r->of[DIFF_A].aet) < r->asked.min_share &&
	       share_of(&row->group.b, r->of[DIFF_B].aet) < r->asked.min_share;
}

/* Into `to`, which has room for the ids of both. */
static void join_side(struct phase_side *to, uint32_t *ids, const struct phase_side *more)
{
	double compute = to->compute * (double)to->weight + more->compute * (double)more->weight;

	if (more->count)
		memcpy(ids + to->count, more->ids, more->count * sizeof *ids);
	to->ids = ids;
	to->count += more->count;
	to->weight += more->weight;
	to->total += more->total;
	to->time = to->weight ? to->total / (double)to->weight : 0;
	to->compute = to->weight ? compute / (double)to->weight : 0;
}

/* Small rows behind the other groups as one, if there are several. */
static bool join_small(struct diff_report *r)
{
	struct diff_row_of small = {.kind = WATERFALL_GROUP, .small = true, .by_weight = (double)NAN, .by_compute = (double)NAN,
				    .by_rest = (double)NAN, .rank = NO_PROCESS};
	uint32_t count = 0, kept = 0, ids[2] = {0, 0}, *list[2];

	for (uint32_t i = 0; i < r->row_count; i++)
		if (is_small(r, &r->rows[i])) {
			count++;
			ids[DIFF_A] += r->rows[i].group.a.count;
			ids[DIFF_B] += r->rows[i].group.b.count;
		}
	if (count < 2)
		return true;
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		list[side] = arena_alloc(&r->arena, (ids[side] + 1) * sizeof **list);
		if (!list[side])
			return false;
	}
	small.group = (struct phase_group){.similarity = (double)NAN};
	for (uint32_t i = 0; i < r->row_count; i++)
		if (is_small(r, &r->rows[i])) {
			join_side(&small.group.a, list[DIFF_A], &r->rows[i].group.a);
			join_side(&small.group.b, list[DIFF_B], &r->rows[i].group.b);
			small.change += r->rows[i].change;
		}
	SORT(list[DIFF_A], ids[DIFF_A], order_u32);
	SORT(list[DIFF_B], ids[DIFF_B], order_u32);
	/* The first of them makes room for the one. */
	for (uint32_t i = 0; i < r->row_count; i++) {
		if (small.small && r->rows[i].kind > WATERFALL_ONLY_B) {
			struct diff_row_of next = r->rows[i];

			r->rows[kept++] = small;
			small.small = false;
			r->rows[kept++] = next;
		} else if (!is_small(r, &r->rows[i])) {
			r->rows[kept++] = r->rows[i];
		}
	}
	if (small.small)
		r->rows[kept++] = small;
	r->row_count = kept;
	return true;
}

/* Without run times there are no changes, and the groups stand as they were matched. */
static void lay_rows(struct diff_report *r)
{
	r->row_count = r->waterfall ? r->waterfall->count : r->match->count;
	for (uint32_t i = 0; i < r->row_count; i++) {
		struct diff_row_of *row = &r->rows[i];

		if (r->waterfall) {
			const struct waterfall_row *w = &r->waterfall->rows[i];

			*row = (struct diff_row_of){w->kind, {0}, false, w->change, w->by_weight, w->by_compute, w->by_rest, w->rank,
						    {NULL, NULL}, KINDS_UNKNOWN};
			if (w->group)
				row->group = *w->group;
		} else {
			*row = (struct diff_row_of){WATERFALL_GROUP, r->match->groups[i], false, (double)NAN, (double)NAN, (double)NAN,
						    (double)NAN, NO_PROCESS, {NULL, NULL}, KINDS_UNKNOWN};
			if (!row->group.a.count || !row->group.b.count)
				row->kind = row->group.a.count ? WATERFALL_ONLY_A : WATERFALL_ONLY_B;
		}
	}
}

static void name_row(const struct diff_report *r, struct diff_row_of *row)
{
	if (row->kind > WATERFALL_ONLY_B)
		return;
	for (int side = DIFF_A; side <= DIFF_B; side++)
		row->named[side] = phase_group_named(r->of[side].phases, &row->group, side == DIFF_B);
	if (row->named[DIFF_A] && row->named[DIFF_B])
		row->alike = kinds_alike(row->named[DIFF_A]->kinds, row->named[DIFF_B]->kinds, r->of[DIFF_A].processes == r->of[DIFF_B].processes);
}

static enum err_code make_rows(struct diff_report *r, struct err *e)
{
	uint32_t most = r->waterfall ? r->waterfall->count : r->match->count;

	r->rows = mem_alloc((size_t)most + 1, sizeof *r->rows);
	if (!r->rows)
		return err_memory(e, "the groups of phases");
	lay_rows(r);
	if (!join_small(r))
		return err_memory(e, "the groups of phases");
	for (uint32_t i = 0; i < r->row_count; i++)
		name_row(r, &r->rows[i]);
	return ERR_OK;
}

/* Phases are rank 0's; processes, where both sides have them, are everyone's. */
static enum err_code match(struct diff_report *r, const struct progress *progress, struct err *e)
{
	const struct team *team = r->asked.team;
	const struct diff_of *a = &r->of[DIFF_A], *b = &r->of[DIFF_B];
	bool here = diff_report_here(r), shared = a->analysis && b->analysis;
	enum err_code code = team_agree(team, here ? phase_match_new(&r->match, a->phases, b->phases, progress, e) : ERR_OK, e);

	if (!code && !isnan(r->change) && (here || shared))
		code = waterfall_new(&r->waterfall, r->match, a->analysis, b->analysis, progress, e);
	if (!code && here)
		code = make_rows(r, e);
	return team_agree(team, code, e);
}

/* ---- all of it ---- */

static enum err_code know_side(struct diff_report *r, struct diff_of *of, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	if (of->analysis) {
		const struct trace *t = of->analysis->source;

		of->processes = t->process_count;
		of->aet = trace_has_time(t) ? trace_aet(t) : (double)NAN;
		if (r->asked.phases)
			code = phase_content_new(&of->phases, of->analysis, progress, e);
	} else {
		of->processes = of->phases ? of->phases->processes : 0;
		of->aet = of->phases ? of->phases->aet : (double)NAN;
	}
	return code;
}

static enum err_code compare_traces(struct diff_report *r, const struct progress *progress, struct err *e)
{
	enum err_code code = run_diff_new(&r->diff, r->of[DIFF_A].analysis, r->of[DIFF_B].analysis, &r->asked.options, progress, e);

	if (code)
		return code;
	r->verdict = r->diff->verdict;
	if (r->verdict == DIFF_PROCESSES)
		return ERR_OK;
	if (r->asked.edits || r->asked.ticks)
		code = run_diff_edit(r->diff, progress, e);
	if (!code && r->asked.ticks)
		code = diff_align_new(&r->align, r->diff, progress, e);
	return code;
}

enum err_code diff_report_new(struct diff_report **out, const struct diff_of of[2], const struct diff_asked *asked, const struct progress *progress,
			      struct err *e)
{
	struct diff_report *r = mem_zero(1, sizeof *r);
	enum err_code code = team_agree(asked->team, r ? ERR_OK : err_memory(e, "what differs"), e);

	*out = NULL;
	if (code) {
		mem_free(r);
		run_phases_free(of[DIFF_A].phases);
		run_phases_free(of[DIFF_B].phases);
		return code;
	}
	arena_init(&r->arena);
	r->asked = *asked;
	r->of[DIFF_A] = of[DIFF_A];
	r->of[DIFF_B] = of[DIFF_B];
	for (int side = DIFF_A; !code && side <= DIFF_B; side++)
		code = know_side(r, &r->of[side], progress, e);
	r->change = r->of[DIFF_B].aet - r->of[DIFF_A].aet;
	if (!code && !asked->phases_only)
		code = compare_traces(r, progress, e);
	if (!code && asked->phases)
		code = match(r, progress, e);
	if (!code && asked->phases_only && r->match)
		r->verdict = phases_verdict(r);
	if (code)
		diff_report_free(r);
	else
		*out = r;
	return code;
}

void diff_report_free(struct diff_report *r)
{
	if (!r)
		return;
	waterfall_free(r->waterfall);
	phase_match_free(r->match);
	diff_align_free(r->align);
	run_diff_free(r->diff);
	run_phases_free(r->of[DIFF_A].phases);
	run_phases_free(r->of[DIFF_B].phases);
	mem_free(r->rows);
	arena_release(&r->arena);
	mem_free(r);
}

bool diff_report_beyond(const struct diff_report *r, double tolerance)
{
	return !(fabs(r->change) <= tolerance * r->of[DIFF_A].aet);
}
