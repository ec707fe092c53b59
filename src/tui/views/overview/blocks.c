/* Phases, routines and processes, the largest first, as many as there is room for below the lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "overview_int.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/bars.h"

#define ROWS_MOST 1000 /* of a block: more than any screen has */
#define MORE_FROM 34   /* columns of a share that has more beside it */
#define SHARE_LEAST 14 /* of one beside a name */
#define NAME_AT 8      /* where a phase's name begins, */
#define NAME_LEAST 14  /* and its columns */
#define NAME_WHOLE 24  /* so many come before the bar of the share, but not before the share */
#define FIGURE_ROOM 7

/* --- which rows --- */

struct overview_keyed {
	double key;
	uint32_t row;
};

ORDER_BY(by_key, struct overview_keyed, DOWN(key) UP(row))

/* The largest of n keys (sorted here), with a share that can be seen. */
static void take_order(uint32_t **order, uint32_t *rows, struct overview_keyed *keyed, uint32_t n)
{
	uint32_t *fresh;

	*rows = 0;
	SORT(keyed, n, by_key);
	fresh = mem_resize(*order, (size_t)(n < ROWS_MOST ? n : ROWS_MOST) + 1, sizeof *fresh);
	if (!fresh)
		return;
	*order = fresh;
	for (uint32_t i = 0; i < n && i < ROWS_MOST && keyed[i].key > 0; i++)
		fresh[(*rows)++] = keyed[i].row;
}

/* Of computing without what the tracer took, as in the account. */
static double routine_seconds(const struct overview_view *s, uint32_t index)
{
	const struct state_row *row = &s->run->states.row[index];

	return s->run->log->nodes[row->node].kind == NODE_MPI ? row->exclusive : row->own.by_kind[ACCOUNT_USEFUL];
}

void overview_orders_make(struct overview_view *s)
{
	const struct figures *f = s->analysis ? s->analysis->figures : NULL;
	const struct state_rows *states = s->run && s->run->metrics->has_account ? &s->run->states : NULL;
	uint32_t phases = f ? f->count : 0, routines = states ? states->count : 0, most = phases > routines ? phases : routines;
	struct overview_keyed *keyed = mem_alloc((size_t)most + 1, sizeof *keyed);

	s->phase_rows = s->state_rows = 0;
	if (!keyed)
		return;
	for (uint32_t i = 0; i < phases; i++)
		keyed[i] = (struct overview_keyed){isnan(f->phase[i].share) ? 0 : f->phase[i].share, i + 1};
	take_order(&s->phase_order, &s->phase_rows, keyed, phases);
	for (uint32_t i = 0; i < routines; i++)
		keyed[i] = (struct overview_keyed){routine_seconds(s, i), i};
	take_order(&s->state_order, &s->state_rows, keyed, routines);
	mem_free(keyed);
}

uint32_t overview_block_rows(const struct overview_view *s, enum overview_block_kind kind)
{
	switch (kind) {
	case BLOCK_PHASES: return s->phase_rows;
	case BLOCK_ROUTINES: return s->state_rows;
	default: return s->run && s->run->metrics->has_account ? s->run->metrics->processes : 0;
	}
}

/* --- drawing --- */

static void draw_name(const struct overview_view *s, struct pane page, const struct overview_item *i, int w, enum role role, const char *name)
{
	bool here = overview_here(s) == i;

	if (here)
		pane_put(page, i->x, i->y, GLYPH_POINTER, ROLE_KEY, 0);
	pane_text_in(page, i->x + 1, i->y, w, here ? ROLE_SELECTED : role, 0, name);
}

/* Columns of a phase's name in a block so wide; 0: there is none, or no room. */
static int name_width(const struct overview_view *s, int w)
{
	int room = w - NAME_AT - 2, most = room - SHARE_LEAST, longest = NAME_LEAST;

	if (!s->analysis->names || most < NAME_LEAST)
		return 0;
	if (most < NAME_WHOLE)
		most = room - FIGURE_ROOM < NAME_WHOLE ? room - FIGURE_ROOM : NAME_WHOLE;
	for (uint32_t i = 0; i < s->phase_rows && (int)i < s->blocks[BLOCK_PHASES].h - 1; i++) {
		int name = text_width(s->analysis->names->list[s->phase_order[i] - 1].name);

		longest = name > longest ? name : longest;
	}
	return longest < most ? longest : most;
}

static int phase_share_at(const struct overview_view *s, int w)
{
	return NAME_AT + name_width(s, w) + (name_width(s, w) ? 2 : 0);
}

/* A share, with what else there is to say at the right end. */
static void draw_share(struct pane page, const struct overview_item *i, int x, double part, double share, enum role role, const char *more)
{
	char text[UNIT_TEXT];
	int right = i->x + i->w, room;

	if (right - x >= MORE_FROM) {
		pane_text_right(page, right, i->y, ROLE_DIM, 0, more);
		right -= 16;
	}
	room = right - x - 9;
	if (room >= 3)
		bar_draw_eighths(page, x, i->y, room, part, role);
	pane_text_right(page, right, i->y, ROLE_VALUE, 0, unit_figure_percent(text, share));
}

static void draw_phase(const struct overview_view *s, struct pane page, const struct overview_item *i)
{
	const struct figures *f = s->analysis->figures;
	const struct phases *p = s->analysis->phases;
	uint32_t id = i->index, weight = p->phase_first[id] - p->phase_first[id - 1];
	const struct phase_name *called = phase_name_of(s->analysis, id);
	char name[32], more[96], n[UNIT_TEXT], each[UNIT_TEXT];
	enum role role = phase_look(s->view.model, id).role;
	int share_at = phase_share_at(s, i->w);

	snprintf(name, sizeof name, "%5u", (unsigned)id);
	snprintf(more, sizeof more, "%s × %s", unit_count(n, weight), unit_figure_time(each, f->phase[id - 1].time));
	draw_name(s, page, i, 5, role, name);
	if (called)
		pane_text_in(page, i->x + NAME_AT, i->y, name_width(s, i->w), called->named ? ROLE_DEFAULT : ROLE_DIM, 0, called->name);
	draw_share(page, i, i->x + share_at, f->phase[id - 1].share / f->phase[s->phase_order[0] - 1].share, f->phase[id - 1].share, role, more);
}

static const char *routine_name(const struct overview_view *s, uint32_t row, char *text, size_t size)
{
	const struct call_log *log = s->run->log;
	uint32_t node = s->run->states.row[row].node;

	if (!node) {
		snprintf(text, size, "computation");
		return text;
	}
	return call_node_path(log, node, text, size);
}

static void draw_routine(const struct overview_view *s, struct pane page, const struct overview_item *i)
{
	const struct state_row *row = &s->run->states.row[i->index];
	double seconds = routine_seconds(s, i->index), most = routine_seconds(s, s->state_order[0]);
	const struct call_node *node = &s->run->log->nodes[row->node];
	char name[256], more[64], waited[UNIT_TEXT];
	int w = i->w / 3 < 14 ? 14 : i->w / 3 > 30 ? 30 : i->w / 3;
	double all = s->run->metrics->total, sync = account_sync(&row->own);

	more[0] = 0;
	if (node->kind == NODE_MPI && sync > 0 && row->exclusive > 0)
		snprintf(more, sizeof more, "%s waiting", unit_percent(waited, sync / row->exclusive));
	draw_name(s, page, i, w, node->kind == NODE_MPI ? ROLE_DEFAULT : ROLE_COMPUTE, routine_name(s, i->index, name, sizeof name));
	draw_share(page, i, i->x + w + 3, most > 0 ? seconds / most : 0, seconds / all,
		   node->kind != NODE_MPI ? ROLE_COMPUTE : sync > row->exclusive / 2 ? ROLE_WAIT : ROLE_SEND, more);
}

static struct account sum_of(const struct overview_view *s, const struct overview_item *i)
{
	struct account sum = {.hidden = 0};

	for (uint32_t p = i->index; p < i->end; p++)
		account_add(&sum, &s->run->metrics->of_process[p]);
	return sum;
}

static void draw_process(const struct overview_view *s, struct pane page, const struct overview_item *i)
{
	const struct run_metrics *m = s->run->metrics;
	int digits = unit_digits(m->processes), gutter = i->end - i->index > 1 || m->processes > 64 ? 2 * digits + 4 : digits + 4;
	struct account sum = sum_of(s, i);
	double whole = (i->end - i->index) * m->runtime, useful = sum.by_kind[ACCOUNT_USEFUL], sync = account_sync(&sum);
	double moving = account_transfer(&sum);
	struct bar_part parts[4] = {
		{ROLE_COMPUTE, 0, useful}, {ROLE_WAIT, 'W', sync}, {ROLE_SEND, 'T', moving},
		{ROLE_MPI, 'O', account_time(&sum) - useful - sync - moving},
	};
	bool slowest = s->facts.slowest != NO_PROCESS && s->facts.slowest >= i->index && s->facts.slowest < i->end;
	char name[UNIT_TEXT], share[UNIT_TEXT];

	draw_name(s, page, i, gutter - 2, slowest ? ROLE_WARN : ROLE_DEFAULT, unit_ranks_short(name, i->index, i->end - 1));
	for (int y = 0; y < i->h; y++)
		stacked_bar_draw(page, i->x + gutter, i->y + y, i->w - gutter - 8, parts, 4, whole);
	pane_text_right(page, i->x + i->w, i->y, ROLE_VALUE, 0, unit_figure_percent(share, whole > 0 ? useful / whole : (double)NAN));
}

/* " · rank 3 computes longest, +9.1 % · rank 0 waits longest, 61.0 %" */
static void extremes(const struct overview_view *s, char *text, size_t size)
{
	const struct run_metrics *m = s->run->metrics;
	char a[UNIT_TEXT], outside[OUTSIDE_TEXT];
	uint32_t waits = 0;

	text[0] = 0;
	if (s->facts.slowest == NO_PROCESS)
		return;
	for (uint32_t p = 1; p < m->processes; p++)
		if (account_sync(&m->of_process[p]) > account_sync(&m->of_process[waits]))
			waits = p;
	if (s->facts.slowest_use == OUTSIDE_IDLE || s->facts.slowest_use == OUTSIDE_SHARED)
		snprintf(text, size, " · %s %s", unit_rank((char[UNIT_TEXT]){""}, s->facts.slowest), run_metrics_outside_text(m, s->facts.slowest, outside));
	else if (s->facts.slowest_by >= 0.0005)
		snprintf(text, size, " · most computation: %s, +%s", unit_rank((char[UNIT_TEXT]){""}, s->facts.slowest), unit_percent(a, s->facts.slowest_by));
	if (m->runtime > 0 && account_sync(&m->of_process[waits]) > 0)
		snprintf(text + strlen(text), size - strlen(text), " · most waiting: %s, %s", unit_rank((char[UNIT_TEXT]){""}, waits),
			 unit_percent(a, account_sync(&m->of_process[waits]) / m->runtime));
}

static void block_draw_title(const struct overview_view *s, struct pane page, enum overview_block_kind kind)
{
	const struct overview_block *b = &s->blocks[kind];
	char text[256], more[160];

	switch (kind) {
	case BLOCK_PHASES:
		snprintf(text, sizeof text, "phases by time · share %s%s", settings_share_of(&s->analysis->settings, "of the run"),
			 b->w - phase_share_at(s, b->w) >= MORE_FROM ? " · weight" : "");
		break;
	case BLOCK_ROUTINES:
		snprintf(text, sizeof text, "%s by time · share of total time", s->run->log->users_seen ? "functions" : "MPI functions");
		break;
	default:
		extremes(s, more, sizeof more);
		snprintf(text, sizeof text, "ranks%s", more);
	}
	text_drop_facts(text, b->w - 1);
	pane_text_in(page, b->x + 1, b->y, b->w - 1, ROLE_HEADER, 0, text);
}

void overview_blocks_draw(const struct overview_view *s, struct pane page)
{
	const struct overview_block *phases = &s->blocks[BLOCK_PHASES];

	for (int k = 0; k < BLOCKS; k++)
		if (s->blocks[k].h)
			block_draw_title(s, page, (enum overview_block_kind)k);
	for (uint32_t i = 0; i < s->item_count; i++) {
		const struct overview_item *item = &s->items[i];

		if (item->line == PAGE_PHASE)
			draw_phase(s, page, item);
		else if (item->line == PAGE_ROUTINE)
			draw_routine(s, page, item);
		else if (item->line == PAGE_PROCESS)
			draw_process(s, page, item);
	}
	if (phases->h && overview_is_old(s, PAGE_PHASE))
		pane_dim(pane_part(page, phases->x, phases->y, phases->w, phases->h));
}

/* --- in words --- */

void overview_row_describe(const struct overview_view *s, const struct overview_item *i, char *text, size_t size)
{
	char name[256], a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], key[16];
	const struct phase_figures *f;
	const struct phase_name *called;
	const struct state_row *row;
	struct account sum;
	double whole;

	keymap_first(s->view.model->keymap, ACTION_ENTER, key);
	if (i->line == PAGE_PHASE) {
		f = &s->analysis->figures->phase[i->index - 1];
		called = phase_name_of(s->analysis, i->index);
		snprintf(text, size, "phase %u%s%s: %s %s, %s each, from %s to %s%s · %s: show it", (unsigned)i->index, called ? ", " : "", called ? called->name : "",
			 unit_figure_percent(a, f->share), settings_share_of(&s->analysis->settings, "of the run"), unit_figure_time(b, f->time), unit_figure_time(c, f->time_min),
			 unit_figure_time((char[UNIT_TEXT]){""}, f->time_max), f->relevant ? "" : ", not relevant", key);
	} else if (i->line == PAGE_ROUTINE) {
		row = &s->run->states.row[i->index];
		snprintf(text, size, "%s: %s of total time, %s of that waiting · %s: metrics",
			 routine_name(s, i->index, name, sizeof name), unit_figure_time(a, routine_seconds(s, i->index)),
			 unit_figure_percent(b, row->exclusive > 0 ? account_sync(&row->own) / row->exclusive : (double)NAN), key);
	} else {
		sum = sum_of(s, i);
		whole = (i->end - i->index) * s->run->metrics->runtime;
		unit_ranks(name, i->index, i->end - 1);
		snprintf(text, size, "%s: computation %s · waiting %s · transfer %s · %s: logical view", name,
			 unit_figure_percent(a, sum.by_kind[ACCOUNT_USEFUL] / whole), unit_figure_percent(b, account_sync(&sum) / whole),
			 unit_figure_percent(c, account_transfer(&sum) / whole), key);
	}
}
