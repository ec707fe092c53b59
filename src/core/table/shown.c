#include "shown.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/number.h"
#include "core/base/unit.h"

#define MOST_DIGITS 9 /* behind the point: a nanosecond of a second */

static enum look_align align_of(const struct column *c)
{
	return column_is_right(c) ? LOOK_RIGHT : c->kind == COLUMN_LONG_TEXT ? LOOK_WORDS : LOOK_LEFT;
}

/* For --match; files have as many digits as numbers need. */
static int decimals_of(enum column_kind kind)
{
	return kind == COLUMN_SECONDS ? 9 : kind == COLUMN_SHARE ? 4 : 0;
}

static enum look_as people_see(enum column_kind kind)
{
	return kind == COLUMN_SECONDS ? AS_TIME : kind == COLUMN_SHARE ? AS_MULTIPLE : AS_IT_IS;
}

void shown_pick(struct shown_table *s, const struct list_table *t, unsigned in, bool units)
{
	s->table = t;
	for (int i = 0; i < t->count && s->count < LIST_COLUMNS; i++) {
		const struct column *c = &t->column[i];
		enum look_as as = s->people ? people_see(c->kind) : AS_IT_IS;

		if (!(c->in & in))
			continue;
		s->look[s->count] = (struct column_look){
			c->name, units && as != AS_TIME ? column_title(c, s->title[s->count]) : c->title, align_of(c),
			.decimals = decimals_of(c->kind), .priority = column_yields(c), .id = i, .as = as,
		};
		s->count++;
	}
}

void looks_of(struct column_look *to, const struct list_table *t, const struct column_look *look, int count)
{
	for (int i = 0; i < count; i++) {
		struct column_look *k = &to[i];
		const struct column *c = look[i].id < t->count ? &t->column[look[i].id] : NULL;

		*k = look[i];
		if (!c)
			continue;
		k->name = k->name ? k->name : c->name;
		k->title = k->title ? k->title : c->title;
		k->align = align_of(c);
	}
}

void shown_looks(struct shown_table *s, const struct list_table *t, const struct column_look *look, int count)
{
	s->table = t;
	s->count = count;
	looks_of(s->look, t, look, count);
}

int shown_place(const struct shown_table *s, int id)
{
	for (int i = 0; i < s->count; i++)
		if (s->look[i].id == id)
			return i;
	return -1;
}

void shown_drop(struct shown_table *s, int id)
{
	int at = shown_place(s, id);

	s->count -= at >= 0;
	for (; at >= 0 && at < s->count; at++)
		s->look[at] = s->look[at + 1];
}

void shown_title(struct shown_table *s, int id, const char *title)
{
	int at = shown_place(s, id);

	if (at >= 0)
		s->look[at].title = title;
}

const char *shown_unit_name(double unit)
{
	return unit >= 1 ? "s" : unit >= 1e-3 ? "ms" : "µs";
}

double shown_unit(double v)
{
	return v >= 10 ? 1 : v >= 10e-3 ? 1e-3 : 1e-6;
}

void shown_units_for(struct shown_units *u, double largest, double surest)
{
	int decimals;

	u->second[0] = shown_unit(largest);
	decimals = isfinite(surest) ? (int)ceil(1 - log10(surest / u->second[0])) : 1;
	u->decimals[0] = decimals < 0 ? 0 : decimals > MOST_DIGITS ? MOST_DIGITS : decimals;
}

/* ---- cells ---- */

static double cell_number_of(struct cell x)
{
	return x.kind == CELL_REAL ? x.real : x.kind == CELL_WHOLE ? (double)x.whole : x.kind == CELL_INT ? (double)x.i : (double)NAN;
}

/* No "-0.0". */
static void fixed(char text[SHOWN_TEXT], double v, int decimals)
{
	number_fixed(fabs(v) < pow(10, -decimals) / 2 ? 0 : v, decimals, text, SHOWN_TEXT);
}

void cell_text_for(char text[SHOWN_TEXT], const struct column_look *k, struct cell x, const struct shown_units *u)
{
	double v = cell_number_of(x);
	char share[UNIT_TEXT];

	if (!isfinite(v)) {
		snprintf(text, SHOWN_TEXT, k->as == AS_FACTOR ? "-     " : "-");
		return;
	}
	switch (k->as) {
	case AS_COUNT:
		unit_count(text, x.whole);
		break;
	case AS_BYTES:
		unit_bytes(text, x.whole);
		break;
	case AS_TIME:
	case AS_GAIN:
	case AS_WITHIN:
		fixed(text, v / u->second[k->as == AS_GAIN], u->decimals[k->as == AS_GAIN]);
		break;
	case AS_MICRO:
		fixed(text, v * 1e6, k->decimals);
		break;
	case AS_NANO:
		fixed(text, v * 1e9, k->decimals);
		break;
	case AS_SHARE:
	case AS_FACTOR:
		snprintf(text, SHOWN_TEXT, "%s%s", unit_share(share, v, 1), k->as == AS_SHARE ? "" : v < u->bar ? " poor" : "     ");
		break;
	case AS_MULTIPLE:
		unit_multiple(text, v, 2);
		break;
	case AS_MOMENT:
		unit_moment(text, v);
		break;
	default:
		fixed(text, v, k->decimals);
	}
}

void cell_text_own(char *text, size_t size, const struct column *c, struct cell x)
{
	char number[UNIT_TEXT] = "";
	const char *said = number;

	if (c->kind == COLUMN_SHARE)
		unit_figure_percent(number, x.kind == CELL_REAL ? x.real : (double)NAN);
	else if (x.kind == CELL_REAL && c->kind == COLUMN_SECONDS)
		unit_time(number, x.real);
	else if (x.kind == CELL_REAL)
		snprintf(number, sizeof number, "%g", x.real);
	else if (x.kind == CELL_INT)
		snprintf(number, sizeof number, "%" PRId64, x.i);
	else if (x.kind == CELL_WHOLE)
		unit_count(number, x.whole);
	else if (x.kind == CELL_BOOL)
		said = x.yes ? "✓" : "";
	else if (x.kind == CELL_TEXT)
		said = cell_shown(&x);
	snprintf(text, size, "%s", said);
}

void shown_cells(struct shown_table *s, uint32_t row, struct cell *cells)
{
	int texts = 0;

	for (int i = 0; i < s->count; i++) {
		struct cell x = shown_column(s, i)->value(s->list, row);

		if (s->look[i].as != AS_IT_IS && x.kind != CELL_TEXT && texts < SHOWN_TEXTS) {
			cell_text_for(s->text[texts], &s->look[i], x, &s->units);
			x = cell_text(s->text[texts++]);
		}
		if (s->people && x.kind == CELL_BOOL)
			x = cell_text(x.yes ? "yes" : "no");
		else if (s->people && x.kind == CELL_EMPTY)
			x = cell_text("-");
		cells[i] = x;
	}
}

/* ---- the table ---- */

static double largest_of(const struct shown_table *s, enum look_as as)
{
	double most = 0;

	for (int i = 0; i < s->count; i++)
		for (uint64_t row = 0; s->look[i].as == as && row < s->rows; row++)
			most = fmax(most, cell_number_of(shown_column(s, i)->value(s->list, (uint32_t)row)));
	return most;
}

static void find_units(struct shown_table *s)
{
	for (int k = 0; k < 2; k++) {
		double largest;

		if (s->units.second[k] > 0)
			continue;
		largest = largest_of(s, (enum look_as)(AS_TIME + k));
		/* Gains are in the unit of the times, unless that leaves them without digits. */
		s->units.second[k] = k && largest >= s->units.second[0] / 10 ? s->units.second[0] : shown_unit(largest);
		s->units.decimals[k] = 3;
	}
	for (int i = 0; i < s->count; i++)
		if (s->look[i].as == AS_TIME || s->look[i].as == AS_GAIN) {
			snprintf(s->title[i], COLUMN_TITLE, "%s [%s]", s->look[i].title, shown_unit_name(s->units.second[s->look[i].as == AS_GAIN]));
			s->look[i].title = s->title[i];
		}
}

static enum err_code shown_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct shown_table *s = arg;

	(void)keep;
	shown_cells(s, (uint32_t)i, cells);
	return s->made && s->made->failed ? err_memory(e, "a row") : ERR_OK;
}

struct rows shown_rows(struct shown_table *s)
{
	find_units(s);
	return (struct rows){s->look, (size_t)s->count, s->rows, shown_row, s};
}

enum err_code shown_write(struct shown_table *s, enum rows_format format, enum text_flags flags, size_t width,
			  const struct rows_sink *sink, const struct progress *progress, struct err *e)
{
	const struct rows rows = shown_rows(s);

	return rows_write(&rows, format, flags, width, sink, progress, e);
}
