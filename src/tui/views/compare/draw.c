/* Drawing the comparison: the two, the verdict with its counts, cells side by side, and the nearest misses. */
#include <stdio.h>
#include <string.h>

#include "compare_int.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/paragraph.h"
#include "tui/widgets/units.h"

#define GUTTER 6

static const struct analysis *analysis(const struct compare_view *s)
{
	return s->view.model->analysis;
}

/* "7.5 %": a threshold, to the side on which it holds. */
static const char *threshold(char buf[UNIT_TEXT], double v, bool up)
{
	return unit_percent(buf, why_round(v, up));
}

static int side_half_width(struct pane p)
{
	return (p.w - GUTTER - 1) / 2;
}

static struct pane side_pane(struct pane p, int side)
{
	int w = side_half_width(p);

	return pane_part(p, GUTTER + side * (w + 1), 0, w, p.h);
}

static void draw_name(const struct compare_view *s, struct pane p, uint32_t id)
{
	const struct analysis *a = analysis(s);
	char n[UNIT_TEXT], t[UNIT_TEXT], label[UNIT_TEXT], text[128];
	int x;

	if (!id)
		return;
	if (s->blocks) {
		x = pane_textf(p, 0, 0, ROLE_TITLE, 0, "block %s", unit_count(n, id));
		snprintf(text, sizeof text, " · label %s × %s", unit_count(label, a->bbps->label[id]),
			 unit_count(t, a->bbps->weight[a->bbps->label[id]]));
	} else {
		const struct phase *f = &a->phases->list[id - 1];
		const struct phase_name *called = phase_name_of(a, id);

		x = pane_textf(p, 0, 0, phase_look(s->view.model, id).role, ATTR_BOLD, "phase %s", unit_count(n, id));
		snprintf(text, sizeof text, "%s%s · %s × %s · %u tick%s", called ? " · " : "", called ? called->name : "", unit_count(n, f->weight),
			 unit_time(t, a->figures->phase[id - 1].time), (unsigned)f->ticks, f->ticks == 1 ? "" : "s");
	}
	text_drop_facts(text, p.w - x);
	pane_text(p, x, 0, ROLE_DIM, 0, text);
}

/* What is said, and the number that it leads to: if there is no room for both, words go. */
static void verdict(struct pane p, int y, bool holds, const char *text, const char *number)
{
	int w = text_width(number), room = p.w - 4;

	pane_put(p, 1, y, holds ? GLYPH_CHECK : 'x', holds ? ROLE_BETTER : ROLE_WORSE, ATTR_BOLD);
	if (w && text_width(text) + 3 + w > room)
		room -= w + 1;
	w = pane_text_in(p, 3, y, room, ROLE_DEFAULT, 0, text);
	if (*number && 3 + w + 3 + text_width(number) < p.w)
		w += pane_text(p, 3 + w, y, ROLE_DIM, 0, " ·");
	if (*number)
		pane_text(p, 3 + w + 1, y, ROLE_VALUE, 0, number);
}

/* The first of two wordings that fits; the second is the shorter. Returns its width. */
static int draw_fitting(struct pane p, int x, int y, enum role role, const char *text, const char *shorter)
{
	return pane_text_in(p, x, y, p.w - x - 1, role, 0, text_width(text) < p.w - x ? text : shorter);
}

/* Behind a text that ends at column x: what comes of the thresholds at which they merge, and the key that sets them. */
static void draw_merge(const struct compare_view *s, struct pane p, int x, int y)
{
	char what[160], text[200], key[16];

	compare_merge_text(s, what, sizeof what);
	if (!what[0])
		return;
	snprintf(text, sizeof text, " · %s sets %s", keymap_first(s->view.model->keymap, ACTION_MERGE, key), what);
	text_drop_facts(text, p.w - 1 - x);
	pane_text_in(p, x, y, p.w - 1 - x, ROLE_DIM, 0, text);
}

/* What each of the two ways to merge takes; one of them will do. */
static void merge_text(const struct why_windows *w, bool brief, char *text, size_t size)
{
	char v[UNIT_TEXT], e[UNIT_TEXT];
	bool by_volume = w->volume <= 1, by_events = w->events >= 0;

	if (w->similar)
		snprintf(text, size, brief ? "already similar" :
			 "already similar; phases are only compared with earlier ones");
	else if (by_volume && by_events)
		snprintf(text, size, brief ? "volume %s or events %s" : "merge at volume %s, or at events %s", threshold(v, w->volume, true),
			 threshold(e, w->events, false));
	else if (by_volume || by_events)
		snprintf(text, size, "merge at %s %s", by_volume ? "volume" : "events",
			 by_volume ? threshold(v, w->volume, true) : threshold(e, w->events, false));
	else
		snprintf(text, size, "%s", w->comparable ? "no threshold merges them" : "cannot merge: their lengths differ");
}

static void draw_windows_head(const struct compare_view *s, struct pane p)
{
	const struct why_windows *w = &s->windows;
	const struct settings *set = &analysis(s)->settings;
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], text[256], shorter[256] = "";
	int x = 3;

	if (!w->comparable) {
		snprintf(text, sizeof text, "not comparable: %s and %s ticks with sends", unit_count(a, w->ticks_a),
			 unit_count(b, w->ticks_b));
		snprintf(shorter, sizeof shorter, "lengths differ: %s | %s ticks", a, b);
	} else {
		snprintf(text, sizeof text, "%s: %s of the cells agree, events requires %s", w->similar ? "similar" : "not similar",
			 unit_percent(a, w->share), unit_percent(b, set->events));
		snprintf(shorter, sizeof shorter, "%s agree, events requires %s", a, b);
	}
	verdict(p, 1, w->similar, text_width(text) < p.w - 3 ? text : shorter, "");
	snprintf(text, sizeof text, "m same %s  x different %s  z absent %s", unit_count(a, w->same),
		 unit_count(b, w->different), unit_count(c, w->absent));
	snprintf(shorter, sizeof shorter, "m %s  x %s  z %s", a, b, c);
	x += pane_text(p, x, 2, ROLE_DEFAULT, 0, x + text_width(text) < p.w ? text : shorter) + 2;
	for (int k = WHY_SIZE; k < WHY_CELLS; k++) {
		snprintf(text, sizeof text, "%s %s", why_cell_name((enum why_cell)k), unit_count(a, w->cell[k]));
		if (w->cell[k] && x + text_width(text) < p.w)
			x += pane_text(p, x, 2, ROLE_DIM, 0, text) + 2;
	}
	merge_text(w, false, text, sizeof text);
	merge_text(w, true, shorter, sizeof shorter);
	draw_merge(s, p, 3 + draw_fitting(p, 3, 3, w->similar ? ROLE_DIM : ROLE_VALUE, text, shorter), 3);
}

static void tick_cell_text(const struct logical *l, uint32_t tick, uint32_t process, bool size, char *text, size_t room)
{
	uint32_t e = logical_event_at(l, tick, process);
	char buf[UNIT_TEXT];

	if (e == NO_EVENT)
		snprintf(text, room, "·");
	else if (EVENT_KIND(l->trace->type[e]) == EVENT_RECEIVE)
		snprintf(text, room, "·"); /* receives do not count here */
	else if (size)
		snprintf(text, room, "%s", unit_size_short(buf, trace_size(l->trace, e)));
	else
		trace_type_text(l->trace, l->trace->type[e], text, room);
}

/* Broken by type: both types; by size: both sizes. */
static void draw_first_difference(const struct compare_view *s, struct pane p, int y)
{
	const struct why_windows *w = &s->windows;
	const struct analysis *a = analysis(s);
	enum why_cell c;
	char left[64], right[64], text[256], shorter[200];

	if (!w->broken)
		return;
	c = why_cell(a->logical, w->tick_a, w->tick_b, w->process, true, a->settings.volume);
	tick_cell_text(a->logical, w->tick_a, w->process, c == WHY_SIZE, left, sizeof left);
	tick_cell_text(a->logical, w->tick_b, w->process, c == WHY_SIZE, right, sizeof right);
	snprintf(text, sizeof text, "first at %s, tick %u: %s, %s | %s", unit_rank((char[UNIT_TEXT]){""}, w->process), (unsigned)w->offset + 1,
		 why_cell_name(c), left, right);
	snprintf(shorter, sizeof shorter, "%s, tick %u: %s | %s", unit_rank_short((char[UNIT_TEXT]){""}, w->process), (unsigned)w->offset + 1, left, right);
	draw_fitting(p, 3, y, ROLE_WORSE, text, shorter);
}

static int type_width(const struct logical *l)
{
	int d = 1;

	for (uint32_t n = l->trace->process_count; n >= 10; n /= 10)
		d++;
	return d + 3 < 5 ? 5 : d + 3;
}

static void draw_windows(const struct compare_view *s, struct pane p, int y)
{
	const struct analysis *a = analysis(s);
	const struct logical *l = a->logical;
	int w = type_width(l);

	for (int side = 0; side < 2; side++) {
		struct pane half_pane = side_pane(p, side);

		for (uint32_t i = 0; i < s->tick_count[side] && (int)(i + 1) * w <= half_pane.w; i++) {
			pane_textf(half_pane, (int)i * w, y, ROLE_HEADER, 0, "%u", (unsigned)(s->offset + i + 1));
			for (int row = 0; row < s->rows; row++) {
				uint32_t process = s->detail + (uint32_t)row, e, tick = s->ticks[side][i];
				enum why_cell c = WHY_TYPE;
				enum role role = ROLE_NONE;
				unsigned attr = 0;
				char text[64];

				if (process >= l->trace->process_count)
					break;
				if (i < s->tick_count[!side])
					c = why_cell(l, s->ticks[0][i], s->ticks[1][i], process, true, a->settings.volume);
				e = logical_event_at(l, tick, process);
				tick_cell_text(l, tick, process, c == WHY_SIZE, text, sizeof text);
				if (e != NO_EVENT)
					role = EVENT_KIND(l->trace->type[e]) == EVENT_SEND ? ROLE_SEND
					       : EVENT_KIND(l->trace->type[e]) == EVENT_RECEIVE ? ROLE_NONE : ROLE_COLLECTIVE;
				if (c == WHY_SIZE || c == WHY_TYPE || (c > WHY_TYPE && a->settings.absent == ABSENT_DIFFERENT)) {
					role = ROLE_WORSE;
					attr = ATTR_UNDERLINE;
				}
				if (s->windows.broken && process == s->windows.process && s->offset + i == s->windows.offset)
					attr |= ATTR_CURSOR;
				pane_text_in(half_pane, (int)i * w, y + 1 + row, w - 1, role, attr, text);
			}
		}
	}
}

/* For a criterion, where SIZE_UNKNOWN is a number as well. */
static const char *size_text(char buf[UNIT_TEXT], double size)
{
	return unit_size(buf, size < 0x1p63 ? (uint64_t)size : SIZE_UNKNOWN);
}

static void draw_criterion(struct pane p, int y, const char *name, const struct why_criterion *c, bool times)
{
	char a[UNIT_TEXT], b[UNIT_TEXT], n[UNIT_TEXT], text[256], number[64] = "";
	size_t len;

	snprintf(text, sizeof text, "%s: %s of %u cells differ", name, c->breaking ? unit_count(n, c->breaking) : "none",
		 (unsigned)c->cells);
	len = strlen(text);
	if (!c->holds && c->first.process != NO_PROCESS)
		snprintf(text + len, sizeof text - len, ", first %s %s", unit_rank((char[UNIT_TEXT]){""}, c->first.process),
			 times ? "" : c->first.exit ? "exit" : "entry");
	len = strlen(text);
	if (c->a != 0 || c->b != 0)
		snprintf(text + len, sizeof text - len, " (%s | %s)", times ? unit_figure_time(a, c->a) : size_text(a, c->a),
			 times ? unit_figure_time(b, c->b) : size_text(b, c->b));
	if (!c->holds && c->needed <= 1)
		snprintf(number, sizeof number, "holds at %s", threshold(n, c->needed, true));
	else if (!c->holds)
		snprintf(number, sizeof number, "at no threshold");
	verdict(p, y, c->holds, text, number);
}

static void draw_pair_head(const struct compare_view *s, struct pane p)
{
	int x = 3;

	draw_criterion(p, 1, "types", &s->pair.types, false);
	draw_criterion(p, 2, "volume", &s->pair.volume, false);
	draw_criterion(p, 3, "compute", &s->pair.compute, true);
	x += pane_text(p, x, 4, s->pair.similar ? ROLE_BETTER : ROLE_VALUE, 0,
		       s->pair.similar ? "similar" : s->pair.types.holds && s->pair.volume.needed <= 1 && s->pair.compute.needed <= 1
		       ? "similar if all of these hold" : "never similar");
	draw_merge(s, p, x, 4);
}

static void draw_event(const struct logical *l, struct pane p, int x, int y, event_type type, uint64_t size, bool breaks)
{
	char name[64], buf[UNIT_TEXT];
	enum role role = EVENT_KIND(type) == EVENT_SEND ? ROLE_SEND : EVENT_KIND(type) == EVENT_RECEIVE ? ROLE_RECEIVE
			 : ROLE_COLLECTIVE;

	if (type == EVENT_NONE) {
		pane_text(p, x, y, breaks ? ROLE_WORSE : ROLE_NONE, breaks ? ATTR_UNDERLINE : 0, "·");
		return;
	}
	pane_text_in(p, x, y, 5, breaks ? ROLE_WORSE : role, breaks ? ATTR_UNDERLINE : 0, trace_type_text(l->trace, type, name, sizeof name));
	pane_text_right(p, x + 10, y, breaks ? ROLE_WORSE : ROLE_DEFAULT, breaks ? ATTR_UNDERLINE : 0, unit_size_short(buf, size));
}

static void draw_pair(const struct compare_view *s, struct pane p, int y)
{
	const struct analysis *a = analysis(s);
	const struct logical *l = a->logical;

	for (int side = 0; side < 2; side++) {
		struct pane half = side_pane(p, side);

		int end = half.w < 20 ? half.w - 1 : 20; /* of the compute times: beside the type alone if there is little room */

		pane_text(half, 0, y, ROLE_HEADER, 0, end < 20 ? "entry" : "entry size");
		pane_text_right(half, end, y, ROLE_HEADER, 0, "compute");
		if (half.w >= 32)
			pane_text(half, 22, y, ROLE_HEADER, 0, "exit  size");
		for (int row = 0; row < s->rows; row++) {
			uint32_t process = s->detail + (uint32_t)row;
			struct bbp_cell cells[2];
			bool entry, exit, compute;
			char t[UNIT_TEXT];

			if (process >= l->trace->process_count)
				break;
			bbp_cell(l, s->a, process, &cells[0]);
			bbp_cell(l, s->b, process, &cells[1]);
			entry = cells[0].entry_type != cells[1].entry_type ||
				(cells[0].entry_type && !size_similar(cells[0].entry_size, cells[1].entry_size, a->settings.volume));
			exit = cells[0].exit_type != cells[1].exit_type ||
			       (cells[0].exit_type && !size_similar(cells[0].exit_size, cells[1].exit_size, a->settings.volume));
			compute = a->settings.compute_of == COMPUTE_EACH && !s->pair.compute.holds &&
				  !compute_similar(cells[0].compute, cells[1].compute, a->settings.compute);
			draw_event(l, end < 20 ? pane_part(half, 0, 0, 5, half.h) : half, 0, y + 1 + row, cells[side].entry_type,
				   cells[side].entry_size, entry);
			if (cells[side].entry_type != EVENT_NONE)
				pane_text_right(half, end, y + 1 + row, compute ? ROLE_WORSE : ROLE_COMPUTE, compute ? ATTR_UNDERLINE : 0,
						unit_figure_time(t, cells[side].compute));
			if (half.w >= 32)
				draw_event(l, half, 22, y + 1 + row, cells[side].exit_type, cells[side].exit_size, exit);
		}
	}
}

#define MISS_ROOMY 68 /* columns for the thresholds with their names; otherwise the header names them */

static void draw_miss(const struct compare_view *s, struct pane p, int y, uint32_t i)
{
	const struct why_miss *m = &s->misses[i];
	const struct analysis *a = analysis(s);
	bool here = m->id == s->b;
	char n[UNIT_TEXT], d[UNIT_TEXT], t[UNIT_TEXT], v[2 * UNIT_TEXT], e[2 * UNIT_TEXT], text[200], shorter[200];
	bool roomy = p.w >= MISS_ROOMY;

	if (s->blocks)
		snprintf(text, sizeof text, "block %s × %s", unit_count(n, m->id), unit_count(t, a->bbps->weight[m->id]));
	else
		snprintf(text, sizeof text, "phase %s × %s", unit_count(n, m->id), unit_count(t, a->phases->list[m->id - 1].weight));
	if (here)
		pane_put(p, 1, y, GLYPH_POINTER, ROLE_KEY, 0);
	snprintf(v, sizeof v, "volume %s", m->volume <= 1 ? threshold(n, m->volume, true) : "–");
	if (s->blocks)
		snprintf(e, sizeof e, "compute %s", m->compute <= 1 ? threshold(n, m->compute, true) : "–");
	else
		snprintf(e, sizeof e, "events %s", m->events >= 0 ? threshold(n, m->events, false) : "–");
	pane_text_in(p, 3, y, roomy ? 21 : 13, here ? ROLE_TITLE : ROLE_DEFAULT, 0, text);
	if (m->distance <= 0)
		snprintf(text, sizeof text, "similar");
	else
		snprintf(text, sizeof text, "%s away: %s %s %s", unit_percent(d, m->distance), v, s->blocks ? "and" : "or", e);
	if (m->distance > 0)
		snprintf(shorter, sizeof shorter, "%s %s %s", strchr(v, ' ') + 1, s->blocks ? "and" : "or", strchr(e, ' ') + 1);
	else
		snprintf(shorter, sizeof shorter, "similar");
	draw_fitting(p, roomy ? 25 : 17, y, here ? ROLE_VALUE : ROLE_DIM, text, shorter);
}

static void draw_misses(const struct compare_view *s, struct pane p, int y)
{
	const struct list *l = &s->view.list;

	pane_textf(p, 1, y, ROLE_TITLE, 0, "Nearest misses");
	if (s->misses_ready && !s->miss_count)
		pane_text(p, 16, y, ROLE_DIM, 0, "no other one can merge");
	else if (p.w < MISS_ROOMY)
		pane_text(p, 16, y, ROLE_DIM, 0, s->blocks ? "volume, compute" : "volume, events");
	else
		pane_textf(p, 16, y, ROLE_DIM, 0, "to the left one%s", s->misses_ready ? "" : "…");
	for (int row = 0; s->misses_ready && row < s->list_rows && l->top + (uint32_t)row < l->shown; row++)
		draw_miss(s, p, y + 1 + row, list_row_at(l, l->top + (uint32_t)row));
}

void compare_draw(const struct view *v, struct pane p)
{
	const struct compare_view *s = (const struct compare_view *)v;
	const struct analysis *a = v->model->analysis;
	int y = COMPARE_HEAD - 1;

	if (s->runs) {
		pair_draw(s, p);
		return;
	}
	if (!a || (s->blocks ? !a->bbps : !a->phases)) {
		pane_text(p, 1, 1, ROLE_DIM, 0, "Comparing blocks…");
		return;
	}
	if ((s->blocks ? a->bbps->count : a->phases->count) == 0 || s->chosen_in != v->model->serial) {
		nothing_draw(p, "Nothing to compare.", "A comparison needs two phases or blocks; the trace has too few events.");
		return;
	}
	draw_name(s, side_pane(p, 0), s->a);
	draw_name(s, side_pane(p, 1), s->b);
	pane_vline(p, GUTTER + side_half_width(p), 0, 1, GLYPH_VLINE, ROLE_RULE);
	if (s->ready && s->serial == v->model->serial) {
		if (s->blocks)
			draw_pair_head(s, p);
		else
			draw_windows_head(s, p);
		if (!s->blocks)
			draw_first_difference(s, p, 4);
		pane_vline(p, GUTTER + side_half_width(p), y, s->rows + 1, GLYPH_VLINE, ROLE_RULE);
		for (int row = 0; row < s->rows && s->detail + (uint32_t)row < model_processes(v->model); row++)
			pane_text(p, 1, y + 1 + row, ROLE_HEADER, 0, unit_rank_short((char[UNIT_TEXT]){""}, s->detail + (uint32_t)row));
		if (s->blocks)
			draw_pair(s, p, y);
		else
			draw_windows(s, p, y);
	} else if (!s->b && s->misses_ready) {
		nothing_draw(pane_part(p, 2, 1, p.w - 2, 4), "Nothing else to compare with.",
			     s->blocks ? "The trace has only one block." : "The trace has only one phase.");
	}
	draw_misses(s, p, y + 1 + s->rows);
}
