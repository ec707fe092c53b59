#include "study.h"

#include <math.h>
#include <string.h>

#include "core/base/search.h"
#include "core/compare/match/match.h"

#define NOWHERE UINT32_MAX

/* ---- parameters ---- */

/* All runs must say the same things: then a run's parameter i is axis i. */
static enum err_code check_names(const struct study_runs *runs, uint32_t i, struct err *e)
{
	const struct study_parameters *first = &runs->list[0].parameters, *own = &runs->list[i].parameters;

	for (uint32_t k = 0; k < first->count; k++)
		if (!study_parameter_find(own, first->list[k].name))
			return err_set(e, ERR_USAGE, "%s lacks the parameter %s of %s", runs->list[i].name, first->list[k].name,
				       runs->list[0].name);
	for (uint32_t k = 0; k < own->count; k++)
		if (!study_parameter_find(first, own->list[k].name))
			return err_set(e, ERR_USAGE, "%s lacks the parameter %s of %s", runs->list[0].name, own->list[k].name,
				       runs->list[i].name);
	return ERR_OK;
}

static enum err_code make_axes(struct study *s, struct err *e)
{
	const struct study_runs *runs = s->runs;
	const struct study_parameters *first = &runs->list[0].parameters;
	struct study_axis *axes = arena_alloc(&s->arena, first->count * sizeof *axes);
	enum err_code code = axes ? ERR_OK : err_memory(e, "the study");

	for (uint32_t i = 1; !code && i < runs->count; i++)
		code = check_names(runs, i, e);
	for (uint32_t k = 0; !code && k < first->count; k++) {
		struct study_axis *a = &axes[k];

		*a = (struct study_axis){.name = first->list[k].name, .number = true};
		for (uint32_t i = 0; i < runs->count; i++)
			a->number = a->number && !isnan(runs->list[i].parameters.list[k].number);
		for (uint32_t i = 1; i < runs->count; i++) {
			const struct study_parameter *x = &first->list[k], *y = &runs->list[i].parameters.list[k];

			a->varies = a->varies || (a->number ? x->number != y->number : strcmp(x->text, y->text) != 0);
		}
	}
	s->axes = axes;
	s->axis_count = first->count;
	return code;
}

/* ---- families ---- */

/* Which family each phase of each run is in, while they are found. */
struct grouping {
	const struct study_runs *runs;
	size_t *first;             /* per run: its first phase in `of` */
	uint32_t *of;              /* per phase of all runs: its family, as it was made; families that were joined point on */
	uint32_t *joined;          /* per family: the one that it became, itself if none */
	uint32_t count;
};

static uint32_t family_root(struct grouping *g, uint32_t family)
{
	while (g->joined[family] != family)
		family = g->joined[family] = g->joined[g->joined[family]];
	return family;
}

static uint32_t *family_of(struct grouping *g, uint32_t run, uint32_t id)
{
	const struct run_phases *p = g->runs->list[run].phases;

	return &g->of[g->first[run] + (size_t)(run_phases_find(p, id) - p->list)];
}

/* The earlier run whose processes are nearest in ratio: the latest among equals. Ratios of whole numbers, compared
 * exactly. */
static uint32_t nearest(const struct study_runs *runs, uint32_t run)
{
	uint64_t p = runs->list[run].phases->processes;
	uint32_t best = 0;

	for (uint32_t i = 0; i < run; i++) {
		uint64_t q = runs->list[i].phases->processes, b = runs->list[best].phases->processes;
		uint64_t more = q > p ? q : p, less = q > p ? p : q, best_more = b > p ? b : p, best_less = b > p ? p : b;

		if (more * best_less <= best_more * less)
			best = i;
	}
	return best;
}

/* Phases of a group go where their partners are; several families that they are in become the first of them. */
static void families_join(struct grouping *g, uint32_t earlier, uint32_t run, const struct phase_group *group)
{
	uint32_t first = NOWHERE;

	for (uint32_t i = 0; i < group->a.count; i++) {
		uint32_t family = family_root(g, *family_of(g, earlier, group->a.ids[i]));

		first = family < first ? family : first;
	}
	for (uint32_t i = 0; i < group->a.count; i++)
		g->joined[family_root(g, *family_of(g, earlier, group->a.ids[i]))] = first;
	for (uint32_t i = 0; i < group->b.count; i++)
		*family_of(g, run, group->b.ids[i]) = first;
}

static enum err_code place_run(struct grouping *g, uint32_t run, const struct progress *progress, struct err *e)
{
	const struct study_runs *runs = g->runs;
	struct phase_match *m = NULL;
	enum err_code code = ERR_OK;

	if (run) {
		uint32_t earlier = nearest(runs, run);

		code = phase_match_new(&m, runs->list[earlier].phases, runs->list[run].phases, progress, e);
		for (uint32_t i = 0; !code && i < m->both; i++)
			families_join(g, earlier, run, &m->groups[i]);
		phase_match_free(m);
	}
	for (uint32_t i = 0; !code && i < runs->list[run].phases->count; i++) {
		uint32_t *of = &g->of[g->first[run] + i];

		if (*of != NOWHERE)
			continue;
		*of = g->count;
		g->joined[g->count] = g->count;
		g->count++;
	}
	return code;
}

/* ---- what they add up to ---- */

/* What is added up of a family in the run that is looked at. */
struct family_sums {
	double total, compute, sent, active;
};

static double time_of(const struct study_run *run, uint32_t phase)
{
	bool measured = run->measured && !isnan(run->measured[phase]);

	return measured ? run->measured[phase] : run->phases->list[phase].time;
}

static void add_phase(struct study_member *m, struct family_sums *sums, const struct run_phase *p, double time)
{
	if (!m->largest || p->weight * p->time > m->largest->weight * m->largest->time)
		m->largest = p;
	m->count++;
	m->rows += p->row_count;
	m->weight += p->weight;
	sums->total += p->weight * time;
	sums->compute += p->weight * p->compute;
	for (uint32_t r = 0; r < p->row_count; r++) {
		sums->sent += p->weight * (p->rows[r].active * p->rows[r].bytes);
		sums->active += p->weight * p->rows[r].active;
	}
}

static void finish_member(const struct study *s, struct study_member *m, const struct family_sums *sums)
{
	m->total = sums->total;
	m->share = sums->total / s->aet[m->run];
	m->time = m->weight ? sums->total / (double)m->weight : 0;
	m->compute = m->weight ? sums->compute / (double)m->weight : 0;
	m->bytes = sums->active > 0 ? sums->sent / sums->active : 0;
}

/* The family that a phase is in, by its final number. */
static struct study_family *family_at(const struct study *s, const struct grouping *g, uint32_t run, uint32_t phase)
{
	return &s->families[g->of[g->first[run] + phase]];
}

static bool has_member(const struct study_family *f, uint32_t run)
{
	return f->count && f->members[f->count - 1].run == run;
}

/* The members of one run, after those of the runs before it. */
static enum err_code study_add_members(struct study *s, const struct grouping *g, uint32_t run, struct family_sums *sums, struct err *e)
{
	const struct study_run *r = &s->runs->list[run];
	uint32_t n = r->phases->count, *ids = arena_alloc(&s->arena, n * sizeof *ids);

	if (!ids)
		return err_memory(e, "the study");
	for (uint32_t i = 0; i < n; i++) {
		struct study_family *f = family_at(s, g, run, i);

		if (!has_member(f, run)) {
			f->members[f->count++].run = run;
			sums[f->id - 1] = (struct family_sums){0};
		}
		add_phase(&f->members[f->count - 1], &sums[f->id - 1], &r->phases->list[i], time_of(r, i));
	}
	for (uint32_t i = 0; i < n; i++) {
		struct study_family *f = family_at(s, g, run, i);
		struct study_member *m = &f->members[f->count - 1];

		if (m->phases)
			continue;
		finish_member(s, m, &sums[f->id - 1]);
		m->phases = ids;
		for (uint32_t k = i; (uint32_t)(ids - m->phases) < m->count; k++)
			if (family_at(s, g, run, k) == f)
				*ids++ = r->phases->list[k].id;
	}
	return ERR_OK;
}

/* Members are matched by their rows; that they do something else is to be known. */
static void family_name(const struct study *s, struct study_family *f)
{
	for (uint32_t i = 0; i < f->count; i++) {
		const struct study_member *m = &f->members[i];
		enum kinds_alike alike;

		if (!m->largest->name)
			continue;
		if (!f->first_named) {
			f->first_named = m;
			f->name = m->largest->name;
			continue;
		}
		alike = kinds_alike(f->first_named->largest->kinds, m->largest->kinds,
				    s->runs->list[f->first_named->run].phases->processes == s->runs->list[m->run].phases->processes);
		if (alike == KINDS_OTHER && !f->other)
			f->other = m;
		f->alike = f->other ? KINDS_OTHER : alike == KINDS_SAME ? alike : f->alike;
	}
}

static void family_describe(const struct study *s, struct study_family *f, double relevance)
{
	f->everywhere = f->count == s->runs->count;
	f->stable = true;
	for (uint32_t i = 0; i < f->count; i++) {
		const struct study_member *m = &f->members[i];

		f->stable = f->stable && m->count == 1 && m->rows == f->members[0].rows;
		f->share = m->share > f->share ? m->share : f->share;
	}
	f->relevant = f->share >= relevance;
	family_name(s, f);
}

/* Final numbers, in the order in which families began; then in how many runs each is. */
static enum err_code number_families(struct study *s, struct grouping *g, size_t phases, struct err *e)
{
	uint32_t *number = mem_alloc(g->count, sizeof *number), *seen = mem_alloc(g->count, sizeof *seen);
	uint32_t *members = mem_zero(g->count, sizeof *members), count = 0;
	enum err_code code = number && seen && members ? ERR_OK : err_memory(e, "the study");

	for (uint32_t i = 0; !code && i < g->count; i++) {
		seen[i] = NOWHERE;
		if (family_root(g, i) == i)
			number[i] = count++;
	}
	for (size_t i = 0; !code && i < phases; i++)
		g->of[i] = number[family_root(g, g->of[i])];
	for (uint32_t run = 0; !code && run < s->runs->count; run++)
		for (uint32_t i = 0; i < s->runs->list[run].phases->count; i++) {
			uint32_t f = g->of[g->first[run] + i];

			members[f] += seen[f] != run;
			seen[f] = run;
		}
	s->families = code ? NULL : arena_alloc(&s->arena, count * sizeof *s->families);
	if (!code && !s->families)
		code = err_memory(e, "the study");
	s->family_count = code ? 0 : count;
	for (uint32_t i = 0; !code && i < count; i++) {
		s->families[i].id = i + 1;
		s->families[i].members = arena_alloc(&s->arena, members[i] * sizeof *s->families[i].members);
		if (!s->families[i].members)
			code = err_memory(e, "the study");
	}
	mem_free(number);
	mem_free(seen);
	mem_free(members);
	return code;
}

static enum err_code make_families(struct study *s, struct grouping *g, size_t phases, double relevance, struct err *e)
{
	enum err_code code = number_families(s, g, phases, e);
	struct family_sums *sums = mem_alloc(s->family_count, sizeof *sums);

	if (!code && !sums)
		code = err_memory(e, "the study");
	for (uint32_t run = 0; !code && run < s->runs->count; run++)
		code = study_add_members(s, g, run, sums, e);
	for (uint32_t i = 0; !code && i < s->family_count; i++)
		family_describe(s, &s->families[i], relevance);
	mem_free(sums);
	return code;
}

/* What was not measured stays as it was traced: without a measured AET it is the traced one, longer or shorter by what
 * the measured phases are. */
static double aet_of(const struct study_run *r)
{
	double aet = r->phases->aet;

	if (!isnan(r->measured_aet))
		return r->measured_aet;
	for (uint32_t i = 0; r->measured && i < r->phases->count; i++)
		if (!isnan(r->measured[i]))
			aet += (double)r->phases->list[i].weight * (r->measured[i] - r->phases->list[i].time);
	return aet > STUDY_LEAST_REST ? aet : STUDY_LEAST_REST;
}

static enum err_code make_times(struct study *s, struct err *e)
{
	uint32_t n = s->runs->count;

	s->aet = arena_alloc(&s->arena, n * sizeof *s->aet);
	s->rest = arena_alloc(&s->arena, n * sizeof *s->rest);
	if (!s->aet || !s->rest)
		return err_memory(e, "the study");
	for (uint32_t i = 0; i < n; i++)
		s->aet[i] = aet_of(&s->runs->list[i]);
	return ERR_OK;
}

static void make_rest(struct study *s)
{
	for (uint32_t i = 0; i < s->runs->count; i++) {
		s->rest[i] = s->aet[i];
		for (uint32_t k = 0; k < s->family_count; k++)
			if (s->families[k].everywhere)
				s->rest[i] -= s->families[k].members[i].total;
		s->rest[i] = s->rest[i] > STUDY_LEAST_REST ? s->rest[i] : STUDY_LEAST_REST;
	}
}

static enum err_code find_families(struct study *s, double relevance, const struct progress *progress, struct err *e)
{
	const struct study_runs *runs = s->runs;
	struct grouping g = {.runs = runs, .first = mem_alloc(runs->count, sizeof *g.first)};
	enum err_code code = g.first ? ERR_OK : err_memory(e, "the study");
	size_t phases = 0;

	for (uint32_t i = 0; !code && i < runs->count; i++) {
		g.first[i] = phases;
		phases += runs->list[i].phases->count;
	}
	if (!code && phases >= NOWHERE)
		code = err_set(e, ERR_LIMIT, "the runs have more than %u phases in total", NOWHERE);
	if (!code) {
		g.of = mem_alloc(phases, sizeof *g.of);
		g.joined = mem_alloc(phases, sizeof *g.joined);
		if (!g.of || !g.joined)
			code = err_memory(e, "the study");
		else
			memset(g.of, 0xff, phases * sizeof *g.of);
	}
	for (uint32_t i = 0; !code && i < runs->count; i++) {
		code = place_run(&g, i, progress, e);
	}
	if (!code)
		code = make_families(s, &g, phases, relevance, e);
	mem_free(g.first);
	mem_free(g.of);
	mem_free(g.joined);
	return code;
}

enum err_code study_new(struct study **out, const char *name, const struct study_runs *runs, double relevance, const struct progress *progress,
			struct err *e)
{
	struct study *s = mem_zero(1, sizeof *s);
	enum err_code code;

	*out = NULL;
	if (!s)
		return err_memory(e, "the study");
	arena_init(&s->arena);
	s->name = name;
	s->runs = runs;
	code = make_axes(s, e);
	if (!code)
		code = make_times(s, e);
	if (!code)
		code = find_families(s, relevance, progress, e);
	if (code) {
		study_free(s);
		return code;
	}
	make_rest(s);
	*out = s;
	return ERR_OK;
}

void study_free(struct study *s)
{
	if (!s)
		return;
	arena_release(&s->arena);
	mem_free(s);
}

const struct study_member *study_member_of(const struct study_family *f, uint32_t run)
{
	uint32_t low = SEARCH_PAST(i, 0, f->count, f->members[i].run < run);

	return low < f->count && f->members[low].run == run ? &f->members[low] : NULL;
}
