/* Content and compute time of every phase. One walk along the processes, which reads every column in order, gathers the
 * values that are pooled over occurrences; a second walk along the ticks of first occurrences gathers their cells.
 *
 * Ranks of a team pool what their local processes do, and add that up; sums of compute times are exact before they are
 * rounded (exact_sum.h). */
#include "phase_content.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/exact_sum.h"
#include "core/base/hash.h"
#include "core/base/order.h"
#include "core/method/figures/clockwork.h"
#include "core/method/logical/tick_cells.h"
#include "core/trace/remote.h"

#define NO_ROW UINT32_MAX
#define OFTEN (1u << 20)      /* compute times that are added up before the sums are put away */
#define PER_STEP (1u << 20)   /* counts that ranks add up at once */

/* A role's number: those of sends are their kinds, of collectives ROLE_ALL on. */
struct role {
	enum role_kind kind;
	const char *op; /* in the result's arena */
};

/* How often a row has a role; rows have few. */
struct role_count {
	uint32_t role, events, next; /* next: number from 1, 0: the last */
};

struct row_sum {
	uint64_t bytes;
	uint32_t events, sized, first; /* role_count from 1 */
	uint32_t roles;
};

struct content_maker {
	const struct analysis *a;
	const struct logical *l;
	const struct trace *t;
	const struct progress *progress;
	struct run_phases *r;
	uint32_t *first_row;    /* per phase, count + 1: its rows among all */
	struct row_sum *rows;
	/* Per tick: the row of the occurrence that it is in, and, where two occurrences share a tick, of the one before. */
	uint32_t *row, *row_before;
	uint32_t *phase;        /* per tick: whose measurement it falls into, id; 0 before the first */
	struct role *roles;
	uint32_t role_count;
	size_t role_cap;
	uint32_t *role_of_coll; /* per type of collective */
	struct index role_index;
	struct role_count *counts;
	uint32_t count_count;
	size_t count_cap;
	/* Compute times, per phase. */
	struct exact_unit unit;
	struct exact_sum *sum;
	uint32_t summed;        /* numbers in all of these, at most */
	uint64_t *total;        /* two each */
	const struct team *team;
	struct tick_cells gathered; /* of all rows' ticks, on rank 0 of a team */
};

static enum err_code content_no_memory(struct err *e)
{
	return err_memory(e, "the phases' content");
}

static enum err_code content_stopped(struct err *e)
{
	return err_set(e, ERR_CANCELLED, "stopped while looking into phases");
}

static uint64_t hash_role(const struct role *x)
{
	return hash_text(hash_mix(0, x->kind), x->op);
}

static uint64_t hash_record(const void *records, uint32_t i)
{
	return hash_role((const struct role *)records + i);
}

static bool same_record(const void *records, uint32_t i, const void *key)
{
	const struct role *x = (const struct role *)records + i, *y = key;

	return x->kind == y->kind && strcmp(x->op, y->op) == 0;
}

static bool add_role(struct content_maker *m, enum role_kind kind, const char *op, uint32_t *at)
{
	struct role x = {kind, op}, *grown;
	uint32_t *slot = index_slot(&m->role_index, hash_role(&x), m->roles, m->role_count, same_record, hash_record, &x);

	if (slot && *slot) {
		*at = *slot - 1;
		return true;
	}
	grown = slot ? mem_grow(m->roles, m->role_count, &m->role_cap, sizeof *grown) : NULL;
	if (!grown)
		return false;
	m->roles = grown;
	x.op = arena_strndup(&m->r->arena, op, strlen(op));
	if (!x.op)
		return false;
	*at = m->role_count;
	grown[m->role_count++] = x;
	*slot = m->role_count;
	return true;
}

static bool make_roles(struct content_maker *m)
{
	uint32_t at;

	for (unsigned kind = ROLE_UP; kind < ROLE_ALL; kind++)
		if (!add_role(m, (enum role_kind)kind, "", &at))
			return false;
	m->role_of_coll = mem_zero(m->t->coll_count, sizeof *m->role_of_coll);
	if (!m->role_of_coll)
		return false;
	for (uint32_t i = 0; i < m->t->coll_count; i++) {
		uint32_t type = m->r->types.of_coll[i];
		const struct canonical_collective *c = type != UINT32_MAX ? &m->r->types.list[type] : NULL;

		if (c && !add_role(m, c->member_count == m->t->process_count ? ROLE_ALL : ROLE_PART, c->op, &m->role_of_coll[i]))
			return false;
	}
	return true;
}

/* Rows of each phase, as its first occurrence has them. */
static bool count_rows(struct content_maker *m)
{
	const struct phases *p = m->a->phases;
	uint64_t rows = 0;

	m->first_row = mem_zero((size_t)p->count + 1, sizeof *m->first_row);
	if (!m->first_row)
		return false;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct occurrence *o = &p->occurrences[p->list[i].content];

		for (uint32_t tick = o->first; tick <= o->last; tick++)
			rows += m->l->tick_sends[tick];
		if (rows >= NO_ROW)
			return false;
		m->first_row[i + 1] = (uint32_t)rows;
	}
	m->rows = mem_zero(rows, sizeof *m->rows);
	return m->rows;
}

/* Which row each tick belongs to, and whose measurement it falls into. */
static bool place_ticks(struct content_maker *m)
{
	const struct phases *p = m->a->phases;
	size_t ticks = m->l->tick_count;

	m->row = mem_alloc(ticks, sizeof *m->row);
	m->row_before = mem_alloc(ticks, sizeof *m->row_before);
	m->phase = mem_zero(ticks, sizeof *m->phase);
	if (!m->row || !m->row_before || !m->phase)
		return false;
	for (size_t i = 0; i < ticks; i++)
		m->row[i] = m->row_before[i] = NO_ROW;
	for (uint32_t i = 0; i < p->occurrence_count; i++) {
		const struct occurrence *o = &p->occurrences[i];
		uint32_t at = m->first_row[o->phase - 1], end = m->first_row[o->phase];
		uint32_t exit = occurrence_exit(m->a->clockwork, p, i);

		for (uint32_t tick = o->first; tick < exit; tick++)
			m->phase[tick] = o->phase;
		for (uint32_t tick = o->first; tick <= o->last && at < end; tick++) {
			if (!m->l->tick_sends[tick])
				continue;
			m->row_before[tick] = m->row[tick];
			m->row[tick] = at++;
		}
	}
	return true;
}

static uint32_t role_of(const struct content_maker *m, uint32_t process, event_type type)
{
	uint32_t k = EVENT_INDEX(type);

	if (EVENT_KIND(type) == EVENT_COLLECTIVE)
		return m->role_of_coll[k];
	if (!k)
		return ROLE_UNKNOWN;
	return k - 1 > process ? ROLE_UP : k - 1 < process ? ROLE_DOWN : ROLE_SELF;
}

static bool count_event(struct content_maker *m, uint32_t row, uint32_t role, uint64_t size)
{
	struct row_sum *sum = &m->rows[row];
	struct role_count *grown;

	sum->events++;
	if (size != SIZE_UNKNOWN) {
		sum->bytes += size;
		sum->sized++;
	}
	for (uint32_t i = sum->first; i; i = m->counts[i - 1].next)
		if (m->counts[i - 1].role == role) {
			m->counts[i - 1].events++;
			return true;
		}
	grown = mem_grow(m->counts, m->count_count, &m->count_cap, sizeof *grown);
	if (!grown)
		return false;
	m->counts = grown;
	grown[m->count_count++] = (struct role_count){role, 1, sum->first};
	sum->first = m->count_count;
	sum->roles++;
	return true;
}

static void put_away(struct content_maker *m)
{
	for (uint32_t i = 0; i < m->a->phases->count; i++) {
		uint64_t sum[2];

		exact_store(&m->sum[i], sum);
		exact_plus(m->total + 2 * (size_t)i, sum);
		m->sum[i] = (struct exact_sum){0};
	}
	m->summed = 0;
}

static bool pool_process(struct content_maker *m, uint32_t process)
{
	const struct trace *t = m->t;
	uint32_t phase = 0;

	for (uint32_t ev = t->first[process]; ev < t->first[process + 1]; ev++) {
		if (EVENT_KIND(t->type[ev]) != EVENT_RECEIVE) {
			uint32_t tick = m->l->tick[ev], role = role_of(m, process, t->type[ev]);

			phase = m->phase[tick];
			if (m->row[tick] != NO_ROW && !count_event(m, m->row[tick], role, trace_size(t, ev)))
				return false;
			if (m->row_before[tick] != NO_ROW && !count_event(m, m->row_before[tick], role, trace_size(t, ev)))
				return false;
		}
		if (phase && !isnan(t->compute[ev])) {
			exact_add(&m->unit, &m->sum[phase - 1], t->compute[ev]);
			if (++m->summed == OFTEN)
				put_away(m);
		}
	}
	return true;
}

static enum err_code pool_local(struct content_maker *m, struct err *e)
{
	for (uint32_t process = 0; process < m->t->process_count; process++) {
		if (progress_stopped(m->progress))
			return content_stopped(e);
		if (!pool_process(m, process))
			return content_no_memory(e);
		progress_report(m->progress, PROGRESS_MEASURE, process + 1, m->t->process_count);
	}
	put_away(m);
	return ERR_OK;
}

static enum err_code join_sums(struct content_maker *m, uint32_t begin, uint32_t end, uint64_t *sums, struct err *e)
{
	enum err_code code;

	for (uint32_t i = begin; i < end; i++) {
		sums[3 * (i - begin)] = m->rows[i].bytes;
		sums[3 * (i - begin) + 1] = m->rows[i].events;
		sums[3 * (i - begin) + 2] = m->rows[i].sized;
	}
	code = team_reduce(m->team, sums, 3 * (size_t)(end - begin), TEAM_SUM, e);
	for (uint32_t i = begin; i < end && !code; i++) {
		m->rows[i].bytes = sums[3 * (i - begin)];
		m->rows[i].events = (uint32_t)sums[3 * (i - begin) + 1];
		m->rows[i].sized = (uint32_t)sums[3 * (i - begin) + 2];
	}
	return code;
}

/* The roles of some rows, which are listed anew, after all that are there. of: of each row and role, how often. */
static enum err_code join_roles(struct content_maker *m, uint32_t begin, uint32_t end, uint32_t *of, struct err *e)
{
	size_t n = (size_t)(end - begin) * m->role_count;
	enum err_code code;

	memset(of, 0, n * sizeof *of);
	for (uint32_t i = begin; i < end; i++)
		for (uint32_t k = m->rows[i].first; k; k = m->counts[k - 1].next)
			of[(size_t)(i - begin) * m->role_count + m->counts[k - 1].role] = m->counts[k - 1].events;
	code = team_reduce_u32(m->team, of, n, TEAM_SUM, e);
	for (uint32_t i = begin; i < end && !code; i++) {
		struct row_sum *sum = &m->rows[i];

		sum->first = sum->roles = 0;
		for (uint32_t role = 0; role < m->role_count && !code; role++) {
			uint32_t events = of[(size_t)(i - begin) * m->role_count + role];
			struct role_count *grown = events ? mem_grow(m->counts, m->count_count, &m->count_cap, sizeof *grown) : NULL;

			if (!events)
				continue;
			if (!grown) {
				code = content_no_memory(e);
				break;
			}
			m->counts = grown;
			grown[m->count_count++] = (struct role_count){role, events, sum->first};
			sum->first = m->count_count;
			sum->roles++;
		}
	}
	return team_agree(m->team, code, e);
}

/* What the processes of all ranks do. */
static enum err_code join_rows(struct content_maker *m, struct err *e)
{
	uint32_t rows = m->first_row[m->a->phases->count], most = PER_STEP / (m->role_count + 3) + 1;
	uint32_t per_step = rows < most ? rows : most;
	uint32_t *of = mem_alloc((size_t)per_step * m->role_count, sizeof *of);
	uint64_t *sums = mem_alloc((size_t)per_step * 3, sizeof *sums);
	enum err_code code = team_agree(m->team, of && sums ? ERR_OK : content_no_memory(e), e);

	for (uint32_t at = 0, end; !code && at < rows; at = end) {
		end = rows - at < per_step ? rows : at + per_step;
		code = join_sums(m, at, end, sums, e);
		if (!code)
			code = join_roles(m, at, end, of, e);
	}
	mem_free(of);
	mem_free(sums);
	return code;
}

/* The ticks of all rows, one behind another. */
static enum err_code gather_cells(struct content_maker *m, struct err *e)
{
	const struct phases *p = m->a->phases;
	uint32_t rows = m->first_row[p->count], *ticks = mem_alloc(rows, sizeof *ticks), n = 0;
	enum err_code code = team_agree(m->team, ticks ? ERR_OK : content_no_memory(e), e);

	for (uint32_t i = 0; !code && i < p->count; i++) {
		const struct occurrence *o = &p->occurrences[p->list[i].content];

		for (uint32_t tick = o->first; tick <= o->last; tick++)
			if (m->l->tick_sends[tick])
				ticks[n++] = tick;
	}
	if (!code)
		code = tick_cells_gather(&m->gathered, m->l, ticks, n, true, m->progress, e);
	mem_free(ticks);
	return code;
}

static enum err_code content_pool_times(struct content_maker *m, struct err *e)
{
	uint32_t phases = m->a->phases->count;
	double most = 0;
	enum err_code code;

	for (uint32_t i = 0; i < m->t->event_count; i++)
		if (fabs(m->t->compute[i]) > most)
			most = fabs(m->t->compute[i]);
	code = team_reduce_double(m->team, &most, 1, TEAM_MAX, e);
	if (code)
		return code;
	m->unit = exact_unit(most, OFTEN);
	code = team_agree(m->team, pool_local(m, e), e);
	if (!code)
		code = team_reduce(m->team, m->total, 2 * (size_t)phases, TEAM_SUM_128, e);
	if (!code && team_size(m->team) > 1)
		code = join_rows(m, e);
	if (!code && team_size(m->team) > 1)
		code = gather_cells(m, e);
	for (uint32_t i = 0; !code && i < phases; i++)
		m->r->list[i].compute = exact_double(&m->unit, m->total + 2 * (size_t)i);
	return code;
}

ORDER_BY(by_role, struct phase_role, UP(kind) TEXT(op))

static bool fill_roles(struct content_maker *m, struct content_row *row, const struct row_sum *sum, uint32_t weight)
{
	struct phase_role *roles = arena_alloc(&m->r->arena, sum->roles * sizeof *roles);

	if (!roles)
		return false;
	for (uint32_t i = sum->first; i; i = m->counts[i - 1].next) {
		const struct role_count *c = &m->counts[i - 1];

		roles[row->role_count++] = (struct phase_role){m->roles[c->role].kind, m->roles[c->role].op,
							       (double)c->events / sum->events};
	}
	SORT(roles, row->role_count, by_role);
	row->roles = roles;
	row->active = sum->events / ((double)weight * m->t->process_count);
	row->bytes = sum->sized ? (double)sum->bytes / sum->sized : 0;
	return true;
}

/* The cells of a row, among all, which is of that tick. */
static bool fill_cells(struct content_maker *m, struct content_row *row, uint32_t at, uint32_t tick)
{
	struct cell_walk w = m->gathered.first ? cells_gathered(&m->gathered, at) : cells_of_tick(m->l, tick, true);
	size_t most = m->gathered.first ? (size_t)(w.end - w.at) : w.w.end - w.w.at;
	struct phase_cell *cells = arena_alloc(&m->r->arena, most * sizeof *cells);

	for (struct tick_cell c; cells && cell_next(&w, &c);)
		cells[row->cell_count++] = (struct phase_cell){c.process, canonical_type(&m->r->types, c.type), c.size};
	row->cells = cells;
	return cells;
}

static bool fill_rows(struct content_maker *m, uint32_t index)
{
	const struct phase *phase = &m->a->phases->list[index];
	const struct occurrence *o = &m->a->phases->occurrences[phase->content];
	uint32_t first = m->first_row[index], count = m->first_row[index + 1] - first, i = 0;
	struct content_row *rows = arena_alloc(&m->r->arena, count * sizeof *rows);

	for (uint32_t tick = o->first; rows && tick <= o->last; tick++) {
		if (!m->l->tick_sends[tick])
			continue;
		if (!fill_roles(m, &rows[i], &m->rows[first + i], phase->weight) || !fill_cells(m, &rows[i], first + i, tick))
			return false;
		i++;
	}
	m->r->list[index].rows = rows;
	m->r->list[index].row_count = count;
	return rows;
}

static bool fill_labels(struct content_maker *m, uint32_t index)
{
	uint32_t count;
	const uint32_t *labels = analysis_labels(m->a, m->r->list[index].id, &count);
	uint32_t *kept = arena_alloc(&m->r->arena, count * sizeof *kept);

	if (kept && count)
		memcpy(kept, labels, count * sizeof *kept);
	m->r->list[index].labels = kept;
	m->r->list[index].label_count = count;
	return kept;
}

static bool fill_name(struct content_maker *m, uint32_t index)
{
	const struct phase_name *name = m->a->names ? &m->a->names->list[index] : NULL;

	return !name || run_phase_name(&m->r->arena, &m->r->list[index], name->name, name->kinds);
}

static enum err_code content_fill(struct content_maker *m, struct err *e)
{
	for (uint32_t i = 0; i < m->r->count; i++) {
		if ((i & 63) == 0 && progress_stopped(m->progress))
			return content_stopped(e);
		if (!fill_rows(m, i) || !fill_labels(m, i) || !fill_name(m, i))
			return content_no_memory(e);
		m->r->list[i].compute /= (double)m->r->list[i].weight * m->t->process_count;
	}
	run_phases_sum(m->r);
	return ERR_OK;
}

static enum err_code mean_message(struct content_maker *m, struct err *e)
{
	const struct trace *t = m->t;
	uint64_t sums[2] = {0}; /* bytes, sends */
	enum err_code code;

	for (uint32_t i = 0; i < t->event_count; i++)
		if (EVENT_KIND(t->type[i]) == EVENT_SEND && trace_size(t, i) != SIZE_UNKNOWN) {
			sums[0] += trace_size(t, i);
			sums[1]++;
		}
	code = team_reduce(m->team, sums, 2, TEAM_SUM, e);
	m->r->mean_message = sums[0] ? (double)sums[0] / (double)sums[1] : 1;
	return code;
}

static enum err_code content_init(struct content_maker *m, struct err *e)
{
	const struct phases *p = m->a->phases;
	struct run_phases *r = m->r;
	enum err_code code = canonical_init(&r->types, m->t, e);

	if (code)
		return code;
	r->list = arena_alloc(&r->arena, p->count * sizeof *r->list);
	m->sum = mem_zero(p->count, sizeof *m->sum);
	m->total = mem_zero(2 * (size_t)p->count, sizeof *m->total);
	if (!r->list || !m->sum || !m->total || !make_roles(m) || !count_rows(m) || !place_ticks(m))
		code = content_no_memory(e);
	code = team_agree(m->team, code, e);
	if (code)
		return code;
	for (uint32_t i = 0; i < p->count; i++)
		r->list[i] = (struct run_phase){.id = p->list[i].id, .weight = p->list[i].weight,
						.time = m->a->figures->phase[i].time,
						.relevant = m->a->figures->phase[i].relevant};
	r->count = p->count;
	r->processes = m->t->process_count;
	r->aet = m->a->figures->aet;
	return mean_message(m, e);
}

static void content_release(struct content_maker *m)
{
	mem_free(m->first_row);
	mem_free(m->rows);
	mem_free(m->row);
	mem_free(m->row_before);
	mem_free(m->phase);
	mem_free(m->roles);
	mem_free(m->role_of_coll);
	mem_free(m->counts);
	mem_free(m->sum);
	mem_free(m->total);
	tick_cells_release(&m->gathered);
	index_release(&m->role_index);
}

enum err_code phase_content_new(struct run_phases **out, const struct analysis *a, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(a->logical->trace);
	struct run_phases *r = mem_zero(1, sizeof *r);
	struct content_maker m = {.a = a, .l = a->logical, .t = a->logical->trace, .progress = progress, .r = r, .team = team};
	enum err_code code = team_agree(team, r ? ERR_OK : content_no_memory(e), e);

	*out = NULL;
	if (code) {
		mem_free(r);
		return code;
	}
	code = content_init(&m, e);
	if (!code)
		code = content_pool_times(&m, e);
	if (!code)
		code = team_agree(team, team_rank(team) ? ERR_OK : content_fill(&m, e), e);
	content_release(&m);
	if (code || team_rank(team)) {
		run_phases_free(r);
		return code;
	}
	*out = r;
	return ERR_OK;
}
