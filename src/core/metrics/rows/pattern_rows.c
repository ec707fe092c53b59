/* Time by pattern: that of the rows by phase, divided by the shares of their parts. */
#include <math.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "rows_int.h"

#define LEFT_ROWS 2          /* behind the patterns: what none explains, what is outside of phases */
#define LEFT_LEAST 1e-9      /* of a phase: less is what rounding leaves */

static void add_part(struct pattern_row *row, const struct part_row *part, double share)
{
	account_add_share(&row->account, &part->account, share);
	row->time += share * part->time;
	row->critical += share * part->critical;
}

/* Rows are by number of the pattern here. */
static void divide_phase(struct pattern_row *rows, struct pattern_row *unexplained, const struct patterns *x, const struct phase_name *name,
			 const struct part_row *part)
{
	double left = 1;

	for (uint32_t i = 0; i < name->part_count; i++) {
		const struct phase_part *p = &name->parts[i];

		if (p->pattern == PART_UNMATCHED)
			continue;
		add_part(&rows[x->list[p->pattern].namesake], part, p->share);
		left -= p->share;
	}
	if (left > LEFT_LEAST)
		add_part(unexplained, part, left);
}

static void count_instances(struct pattern_row *rows, const struct patterns *x)
{
	for (uint32_t i = 0; i < x->count; i++) {
		const struct pattern *p = &x->list[i];

		rows[i] = (struct pattern_row){.name = p->name, .kind = p->word, .explains = pattern_is_named((enum pattern_kind)p->key.kind),
					       .instances = p->total.instances, .collectives = p->total.calls,
					       .messages = {.messages = p->total.messages, .unsized = p->total.messages - p->total.sized, .bytes = p->total.bytes}};
	}
}

ORDER_BY(order_by_time, struct pattern_row, DOWN(time) DOWN(instances) TEXT(name) TEXT(kind))

/* A name is one row. Returns how many there are. */
static uint32_t keep_names(struct pattern_row *rows, const struct patterns *x)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < x->count; i++)
		if (x->list[i].namesake == i)
			rows[kept++] = rows[i];
	return kept;
}

/* As part_sum_row() has it: in a trace without MPI calls only times are known. */
static void finish_row(struct pattern_row *row, const struct run_metrics *m)
{
	row->share = m->total > 0 ? row->time / m->total : NAN;
	if (!m->has_account)
		row->account = m->account;
	if (!m->has_account || !row->explains)
		row->critical = NAN;
}

enum err_code pattern_rows_init(struct pattern_rows *r, const struct run_metrics *m, const struct phase_rows *phases, const struct patterns *x,
				const struct phase_names *names, struct err *e)
{
	struct pattern_row left[LEFT_ROWS] = {{.name = "unexplained", .explains = true}, {.name = "outside phases", .explains = true}};

	*r = (struct pattern_rows){0};
	if (!x || !names)
		return err_set(e, ERR_LIMIT, "the trace is too large to find its patterns");
	r->row = mem_alloc((size_t)x->count + LEFT_ROWS, sizeof *r->row);
	if (!r->row)
		return err_memory(e, "the rows of the patterns");
	count_instances(r->row, x);
	for (uint32_t i = 0; i < phases->count; i++) {
		const struct phase_row *p = &phases->row[i];

		if (p->phase == SPAN_BEFORE || p->phase == SPAN_AFTER)
			add_part(&left[1], &p->part, 1);
		else
			divide_phase(r->row, &left[0], x, &names->list[p->phase - 1], &p->part);
	}
	r->count = keep_names(r->row, x);
	SORT(r->row, r->count, order_by_time);
	for (int i = 0; i < LEFT_ROWS; i++)
		if (left[i].time > 0)
			r->row[r->count++] = left[i];
	for (uint32_t i = 0; i < r->count; i++)
		finish_row(&r->row[i], m);
	return ERR_OK;
}

void pattern_rows_release(struct pattern_rows *r)
{
	mem_free(r->row);
	*r = (struct pattern_rows){0};
}
