/* The causes of a factor's loss: rows of processes, routines, phases or causes, with the loss of each. The columns are
 * those of `pas2p metrics`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "metrics_int.h"

/* --- what a row lost --- */

/* Of what a routine or a phase spent. */
static double lost_of(const struct account *a, double imbalance, enum metrics_factor f)
{
	switch (f) {
	case FACTOR_BALANCE:
	case FACTOR_NODES:
	case FACTOR_INSIDE: return imbalance;
	case FACTOR_SERIALISATION: return account_sync(a);
	case FACTOR_TRANSFER: return account_transfer(a);
	case FACTOR_TRACER: return a->by_kind[ACCOUNT_TRACER];
	case FACTOR_COMMUNICATION: return account_communication(a);
	default: return account_time(a) - a->by_kind[ACCOUNT_USEFUL];
	}
}

double metrics_row_lost(const struct metrics_view *s, enum guilty_by by, uint32_t row, enum metrics_factor f)
{
	const struct run_metrics *m = s->run->metrics;
	double useful;

	if (!m->has_account)
		return NAN;
	switch (by) {
	case GUILTY_BY_PROCESS:
		useful = s->run->processes.row[row].account.by_kind[ACCOUNT_USEFUL];
		if (f == FACTOR_PARALLEL)
			return m->runtime - useful;
		return lost_of(&s->run->processes.row[row].account, m->useful_max - useful, f);
	case GUILTY_BY_STATE: return lost_of(&s->run->states.row[row].own, s->run->states.row[row].own_imbalance, f);
	case GUILTY_BY_PHASE: return lost_of(&s->phases->rows.row[row].part.account, s->phases->rows.row[row].part.imbalance, f);
	default: return s->causes.row[row].waiting;
	}
}

double metrics_rows_lost(const struct metrics_view *s, enum metrics_factor f)
{
	double sum = s->by == GUILTY_BY_CAUSE && s->phases && s->phases->causes ? s->phases->causes->unresolved : 0;

	for (uint32_t i = 0; i < s->lists[s->by].total; i++)
		/* An MPI function's is its routine's, too. */
		if (s->by != GUILTY_BY_STATE || s->run->log->nodes[s->run->states.row[i].node].kind != NODE_MPI)
			sum += fmax(metrics_row_lost(s, s->by, i, f), 0); /* not of what is not known */
	return sum;
}

/* --- columns --- */

/* Drawn by this view alone. */
enum { OWN_LOST = 1000, OWN_NAME, OWN_HEAVIEST, OWN_LOOK };

static const struct column_look process_columns[] = {
	{"process", "rank", .width = 7, .id = OWN_NAME}, {"lost", "lost time", LOOK_RIGHT, .width = 9, .id = OWN_LOST},
	{.id = METRICS_PROCESS_USEFUL, .width = 11}, {.id = METRICS_PROCESS_BUSY, .title = "comp. %", .width = 7, .priority = 2},
	{.id = METRICS_PROCESS_COMMUNICATION, .width = 13, .priority = 1}, {.id = METRICS_PROCESS_SYNC, .width = 9},
	{.id = METRICS_PROCESS_TRANSFER, .width = 9}, {.id = METRICS_PROCESS_OVERLAP, .width = 7, .priority = 3},
	{.id = METRICS_PROCESS_OUTSIDE, .width = 12, .priority = 6}, {.id = METRICS_PROCESS_CRITICAL, .width = 13, .priority = 4},
	{.id = METRICS_PROCESS_SENDS, .width = 9, .priority = 7}, {.id = METRICS_PROCESS_RECEIVES, .width = 9, .priority = 8},
	{.id = METRICS_PROCESS_COLLECTIVES, .width = 11, .priority = 9}, {.id = METRICS_PROCESS_HOST, .width = 16, .priority = 5},
};
static const struct column_look state_columns[] = {
	{.id = METRICS_STATE_PATH, .title = "call path", .width = 30}, {"lost", "lost time", LOOK_RIGHT, .width = 9, .id = OWN_LOST},
	{.id = METRICS_STATE_COUNT, .width = 9, .priority = 4}, {.id = METRICS_STATE_TIME, .width = 9},
	{.id = METRICS_STATE_EXCLUSIVE, .width = 9, .priority = 5}, {.id = METRICS_STATE_SYNC, .width = 9, .priority = 1},
	{.id = METRICS_STATE_TRANSFER, .width = 9, .priority = 2}, {.id = METRICS_STATE_LOAD_BALANCE, .width = 12, .priority = 3},
	{.id = METRICS_STATE_PARALLEL_EFFICIENCY, .title = "parallel eff.", .width = 13, .priority = 7}, {"heaviest", "most comp.", LOOK_RIGHT, .width = 10, .priority = 6, .id = OWN_HEAVIEST},
	{.id = METRICS_STATE_CRITICAL, .width = 13, .priority = 8},
};
static const struct column_look phase_columns[] = {
	{.id = METRICS_PHASE_PHASE, .width = 6}, {"strip", "mark", .width = 4, .priority = 4, .id = OWN_LOOK}, {"lost", "lost time", LOOK_RIGHT, .width = 9, .id = OWN_LOST},
	{.id = METRICS_PHASE_WEIGHT, .width = 7, .priority = 1}, {.id = METRICS_PHASE_TIME, .width = 9},
	{.id = METRICS_PHASE_SHARE, .width = 7}, {.id = METRICS_PHASE_SYNC, .width = 9},
	{.id = METRICS_PHASE_TRANSFER, .width = 9, .priority = 2}, {.id = METRICS_PHASE_LOAD_BALANCE, .width = 12, .priority = 3},
	{.id = METRICS_PHASE_PARALLEL_EFFICIENCY, .title = "parallel eff.", .width = 13, .priority = 6}, {.id = METRICS_PHASE_IMBALANCE, .width = 9, .priority = 7},
	{"heaviest", "most comp.", LOOK_RIGHT, .width = 10, .priority = 5, .id = OWN_HEAVIEST}, {.id = METRICS_PHASE_CRITICAL, .width = 13, .priority = 8},
};
static const struct column_look cause_columns[] = {
	{"process", "rank", .width = 7, .id = OWN_NAME}, {.id = METRICS_CAUSE_WAITING, .width = 10},
	{.id = METRICS_CAUSE_SHARE, .width = 7, .priority = 2}, {.id = METRICS_CAUSE_WHAT, .width = 11},
	{.id = METRICS_CAUSE_PHASE, .width = 6, .priority = 1}, {.id = METRICS_CAUSE_ROUTINE, .width = 17},
};

static const struct {
	const char *name;
	const struct list_table *table;
	const struct column_look *drawn;
	int count;
	unsigned written;
} lists[GUILTY_BYS] = {
	[GUILTY_BY_PROCESS] = {"rank", &metrics_processes_columns, process_columns, sizeof process_columns / sizeof *process_columns, METRICS_ALL},
	[GUILTY_BY_STATE] = {"call path", &metrics_states_columns, state_columns, sizeof state_columns / sizeof *state_columns,
			      METRICS_ALL | METRICS_PATH},
	[GUILTY_BY_PHASE] = {"phase", &metrics_phases_columns, phase_columns, sizeof phase_columns / sizeof *phase_columns, METRICS_ALL},
	[GUILTY_BY_CAUSE] = {"cause", &metrics_causes_columns, cause_columns, sizeof cause_columns / sizeof *cause_columns, METRICS_ALL},
};

const char *metrics_guilty_by(enum guilty_by by)
{
	return lists[by].name;
}

static const void *list_of(const struct metrics_view *s, enum guilty_by by)
{
	const void *const of[GUILTY_BYS] = {&s->processes, &s->states, &s->of_phases, &s->causes};

	return of[by];
}

static uint32_t guilty_process_of(const struct metrics_view *s, enum guilty_by by, uint32_t row)
{
	switch (by) {
	case GUILTY_BY_PROCESS: return s->run->processes.row[row].process;
	case GUILTY_BY_STATE: return s->run->states.row[row].part.heaviest;
	case GUILTY_BY_PHASE: return s->phases->rows.row[row].part.heaviest;
	default: return s->causes.row[row].cause->process;
	}
}

static uint32_t phase_of(const struct metrics_view *s, uint32_t row)
{
	uint32_t phase = s->phases->rows.row[row].phase;

	return phase == SPAN_AFTER || !spent_phases_current(s->view.model) ? SPAN_BEFORE : phase;
}

static void row_field(const struct metrics_view *s, enum guilty_by by, uint32_t row, int column, struct field *f)
{
	const struct drawn_list *d = &s->drawn[by];
	int id = d->look[column].id;
	const struct column *c = id < d->table->count ? &d->table->column[id] : NULL;
	uint32_t process;
	struct cell x;

	switch (id) {
	case OWN_LOST:
		metrics_time_text(s, metrics_row_lost(s, by, row, metrics_selected(s)), f->text);
		break;
	case OWN_NAME:
	case OWN_HEAVIEST:
		process = guilty_process_of(s, by, row);
		if (process != NO_PROCESS)
			unit_rank_short(f->text, process);
		break;
	case OWN_LOOK:
		if (phase_of(s, row) == SPAN_BEFORE)
			break;
		strcpy(f->text, "  ");
		f->text[2 + text_encode(phase_look(s->view.model, phase_of(s, row)).mark, f->text + 2)] = 0;
		f->role = phase_look(s->view.model, phase_of(s, row)).role;
		break;
	default:
		if (c->kind == COLUMN_SECONDS) {
			x = c->value(list_of(s, by), row);
			metrics_time_text(s, x.kind == CELL_REAL ? x.real : (double)NAN, f->text);
		} else {
			drawn_field(d, list_of(s, by), row, column, f);
		}
		if (id == METRICS_PHASE_PHASE && by == GUILTY_BY_PHASE && phase_of(s, row) != SPAN_BEFORE)
			f->role = phase_look(s->view.model, phase_of(s, row)).role;
	}
}

static double row_key(const struct metrics_view *s, enum guilty_by by, uint32_t row, int column)
{
	int id = s->drawn[by].look[column].id;
	double lost;

	switch (id) {
	case OWN_LOST:
		lost = metrics_row_lost(s, by, row, metrics_selected(s));
		return isnan(lost) ? -1 : lost;
	case OWN_NAME:
	case OWN_HEAVIEST: return guilty_process_of(s, by, row) == NO_PROCESS ? -1.0 : (double)guilty_process_of(s, by, row);
	case OWN_LOOK: return phase_of(s, row) == SPAN_BEFORE ? 1e9 : phase_look(s->view.model, phase_of(s, row)).rank;
	default:
		if (by == GUILTY_BY_PHASE && id == METRICS_PHASE_PHASE)
			return s->phases->rows.row[row].phase;
		return drawn_key(&s->drawn[by], list_of(s, by), row, column);
	}
}

#define ROWS_OF(name, by) \
	static void name##_field(const void *ctx, uint32_t row, int column, struct field *f) \
	{ \
		row_field(ctx, by, row, column, f); \
	} \
	static double name##_key(const void *ctx, uint32_t row, int column) \
	{ \
		return row_key(ctx, by, row, column); \
	}
ROWS_OF(process, GUILTY_BY_PROCESS)
ROWS_OF(state, GUILTY_BY_STATE)
ROWS_OF(phase, GUILTY_BY_PHASE)
ROWS_OF(cause, GUILTY_BY_CAUSE)

void metrics_rows_init(struct metrics_view *s)
{
	static void (*const fields[GUILTY_BYS])(const void *, uint32_t, int, struct field *) = {
		process_field, state_field, phase_field, cause_field,
	};
	static double (*const keys[GUILTY_BYS])(const void *, uint32_t, int) = {process_key, state_key, phase_key, cause_key};

	for (int by = 0; by < GUILTY_BYS; by++) {
		drawn_list_init(&s->drawn[by], lists[by].table, lists[by].drawn, lists[by].count, fields[by], keys[by]);
		list_init(&s->lists[by]);
	}
}

/* What was selected stays selected where rows have names; others come in another order. */
static void refresh(struct metrics_view *s, enum guilty_by by, uint32_t count)
{
	uint32_t keep = list_row(&s->lists[by]);

	list_refresh(&s->lists[by], &s->drawn[by].source, s, count, keep < count ? keep : UINT32_MAX);
}

void metrics_rows_make(struct metrics_view *s)
{
	struct err e;

	metrics_causes_release(&s->causes);
	if (s->run) {
		s->processes = (struct metrics_processes_list){
			.metrics = s->run->metrics, .rows = &s->run->processes, .critical = s->run->critical,
		};
		s->states = (struct metrics_states_list){s->run->metrics, &s->run->states, s->path};
		refresh(s, GUILTY_BY_PROCESS, s->run->processes.count);
		refresh(s, GUILTY_BY_STATE, s->run->states.count);
	}
	if (!s->phases)
		return;
	s->of_phases = (struct metrics_phases_list){s->run->metrics, &s->phases->rows};
	refresh(s, GUILTY_BY_PHASE, s->phases->rows.count);
	if (s->phases->causes && metrics_causes_init(&s->causes, s->phases->causes, s->run->log, s->path, &e))
		return;
	refresh(s, GUILTY_BY_CAUSE, s->causes.count);
}

void metrics_rows_release(struct metrics_view *s)
{
	metrics_causes_release(&s->causes);
	for (int by = 0; by < GUILTY_BYS; by++)
		list_release(&s->lists[by]);
}

void metrics_rows_sort_by(struct metrics_view *s, int column)
{
	struct list *l = &s->lists[s->by];

	if (!metrics_rows_there(s))
		return;
	list_sort(l, &s->drawn[s->by].source, s, drawn_place(&s->drawn[s->by], column), true);
	l->cur = l->top = 0;
}

void metrics_rows_sort(struct metrics_view *s)
{
	metrics_rows_sort_by(s, s->by == GUILTY_BY_CAUSE ? METRICS_CAUSE_WAITING : OWN_LOST);
}

bool metrics_rows_there(const struct metrics_view *s)
{
	return s->run && (s->by < GUILTY_BY_PHASE || s->phases);
}

/* --- to export --- */

bool metrics_guilty_table(struct metrics_view *s, bool all, struct view_table *t)
{
	static const char *const names[GUILTY_BYS] = {"ranks", "call paths", "phases", "root causes"};
	const struct list *l = &s->lists[s->by];

	if (!metrics_rows_there(s))
		return false;
	s->written = (struct shown_table){.list = list_of(s, s->by)};
	shown_pick(&s->written, lists[s->by].table, lists[s->by].written, false);
	table_of_list(t, &s->written, names[s->by], l, all);
	return true;
}
