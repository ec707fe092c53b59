/* The metrics of each run as a column: the factors of `pas2p metrics`, with their parts below. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/formats/api/format.h"
#include "runs_int.h"
#include "tui/panes/panes.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

#define LABEL_W 26
#define COLUMN_W 11

enum row {
	ROW_PROCESSES, ROW_TIME, ROW_SPEEDUP, ROW_EFFICIENCY, ROW_FRACTION, ROW_GLOBAL, ROW_PARALLEL, ROW_BALANCE, ROW_COMMUNICATION,
	ROW_SERIALISATION, ROW_TRANSFER, ROW_COMPUTATION, ROWS
};

_Static_assert(ROWS == RUNS_ROWS, "so many rows");

static const struct {
	const char *label;
	bool judged; /* it is poor below the goal */
} rows[ROWS] = {
	[ROW_PROCESSES] = {"processes", false},
	[ROW_TIME] = {"time", false},
	[ROW_SPEEDUP] = {"speedup", false},
	[ROW_EFFICIENCY] = {"scaling efficiency", true},
	[ROW_FRACTION] = {"serial fraction", false},
	[ROW_GLOBAL] = {"global efficiency", true},
	[ROW_PARALLEL] = {"  parallel efficiency", true},
	[ROW_BALANCE] = {"    load balance", true},
	[ROW_COMMUNICATION] = {"    communication eff.", true},
	[ROW_SERIALISATION] = {"      serialisation eff.", true},
	[ROW_TRANSFER] = {"      transfer eff.", true},
	[ROW_COMPUTATION] = {"  computation scaling", true},
};

static double figure(const struct runs *r, uint32_t place, enum row row)
{
	const struct scaling_run *s = &r->figures[place];
	const struct factors *f = &r->list[r->order[place]].metrics.factors;

	switch (row) {
	case ROW_PROCESSES: return s->processes;
	case ROW_TIME: return s->runtime;
	case ROW_SPEEDUP: return s->speedup;
	case ROW_EFFICIENCY: return s->efficiency;
	case ROW_FRACTION: return scaling_is_slower(s) ? (double)NAN : s->serial_fraction;
	case ROW_GLOBAL: return s->global_efficiency;
	case ROW_PARALLEL: return s->parallel_efficiency;
	case ROW_BALANCE: return f->load_balance;
	case ROW_COMMUNICATION: return f->communication_efficiency;
	case ROW_SERIALISATION: return f->serialisation_efficiency;
	case ROW_TRANSFER: return f->transfer_efficiency;
	case ROW_COMPUTATION: return s->computation_scaling;
	default: return (double)NAN;
	}
}

static const char *figure_text(enum row row, double value, char buf[UNIT_TEXT])
{
	if (row == ROW_PROCESSES)
		return unit_count(buf, (uint64_t)value);
	if (row == ROW_TIME)
		return unit_figure_time(buf, value);
	if (row != ROW_SPEEDUP)
		return unit_figure_percent(buf, value);
	snprintf(buf, UNIT_TEXT, isnan(value) ? "-" : "%.4g", value);
	return buf;
}

static void draw_figures(const struct runs_view *v, struct pane p, int x, uint32_t place)
{
	const struct runs *r = v->view.model->runs;
	unsigned attr = place == r->selected ? ATTR_BOLD : 0;

	for (int y = 1; y < p.h && v->top + (uint32_t)y - 1 < ROWS; y++) {
		enum row row = (enum row)(v->top + (uint32_t)y - 1);
		double value = figure(r, place, row);
		bool poor = rows[row].judged && value < FACTOR_BAR;
		char text[UNIT_TEXT];

		pane_text_right(p, x + COLUMN_W - 1, y, poor ? ROLE_WORSE : ROLE_DEFAULT, attr, figure_text(row, value, text));
		if (poor)
			pane_put(p, x + COLUMN_W - 1, y, GLYPH_DOWN, ROLE_WORSE, 0);
	}
}

static void draw_state(const struct runs_view *v, struct pane p, int x, const struct run *run)
{
	const char *words = run->state == RUN_WAITING ? "waiting" : run->state == RUN_READING ? "reading" :
			    run->state == RUN_STOPPED ? "stopped" : "not read";

	pane_text_right(p, x + COLUMN_W - 1, 1, run->state >= RUN_STOPPED ? ROLE_WARN : ROLE_DIM, 0, words);
	for (int y = 2; y < p.h && v->top + (uint32_t)y - 1 < ROWS; y++)
		pane_text_right(p, x + COLUMN_W - 1, y, ROLE_DIM, 0, "-");
}

/* Without the ending that its format gives such names, and what does not fit. */
static void draw_name(const struct runs_view *v, struct pane p, int x, uint32_t place)
{
	const struct runs *r = v->view.model->runs;
	const struct run *run = &r->list[r->order[place]];
	const char *name = run_name(run);
	char safe[200];
	int w;

	text_safe(safe, sizeof safe, name, format_stem(name, strlen(name)), TEXT_UTF8);
	w = text_width(safe) < COLUMN_W - 2 ? text_width(safe) : COLUMN_W - 2;
	pane_text_in(p, x + COLUMN_W - 1 - w, 0, w, ROLE_HEADER, 0, safe);
	if (r->order[place] == r->open)
		pane_put(p, x + COLUMN_W - 2 - w, 0, GLYPH_POINTER, ROLE_KEY, 0);
	if (place == r->selected)
		pane_stress(p, x + COLUMN_W - 1 - w, 0, w, ATTR_CURSOR);
}

uint32_t runs_table_columns(int w)
{
	return w > LABEL_W + COLUMN_W ? (uint32_t)((w - LABEL_W) / COLUMN_W) : 1;
}

uint32_t runs_table_first(const struct runs *r, int w)
{
	uint32_t columns = runs_table_columns(w), first = r->selected >= columns ? r->selected - columns + 1 : 0;

	return first + columns > r->shown ? r->shown > columns ? r->shown - columns : 0 : first;
}

void runs_table_draw(const struct runs_view *v, struct pane p)
{
	const struct runs *r = v->view.model->runs;
	uint32_t first = runs_table_first(r, p.w), columns = runs_table_columns(p.w);

	for (int y = 1; y < p.h && v->top + (uint32_t)y - 1 < ROWS; y++)
		pane_text_in(p, 1, y, LABEL_W - 1, ROLE_DIM, 0, rows[v->top + (uint32_t)y - 1].label);
	if (r->shown > columns) {
		char text[64];

		snprintf(text, sizeof text, "%u – %u of %u runs", first + 1, first + columns, r->shown);
		pane_text_in(p, 1, 0, LABEL_W - 1, ROLE_DIM, 0, text);
	}
	for (uint32_t i = first; i < r->shown && i < first + columns; i++) {
		int x = LABEL_W + (int)(i - first) * COLUMN_W;

		draw_name(v, p, x, i);
		if (i < r->known)
			draw_figures(v, p, x, i);
		else
			draw_state(v, p, x, &r->list[r->order[i]]);
	}
}

/* The diagnosis: it is made in the background when it is first shown, in lines as wide as there is room. */

#define INDENT DIAGNOSIS_INDENT /* of lines that go on */

static const struct runs_diagnosis *diagnosis_of(const struct runs_view *v)
{
	return v->diagnosis.now;
}

const char *runs_text(const struct runs_view *v)
{
	return diagnosis_of(v) ? diagnosis_of(v)->text : NULL;
}

const char *runs_text_failure(const struct runs_view *v)
{
	return v->view.model->runs->known ? v->diagnosis.failure : "No run is loaded yet.";
}

void runs_text_ask(struct runs_view *v)
{
	if (runs_text(v) && diagnosis_of(v)->serial == v->view.model->runs->serial)
		return;
	derived_forget(&v->diagnosis);
	v->text_top = 0;
}

void runs_text_update(struct runs_view *v)
{
	if (runs_diagnose(&v->diagnosis, v->view.model))
		v->text_top = 0;
}

/* How many bytes of a line of n go into a row of so many columns: up to a blank, if there is one behind `least`. */
static size_t text_row_bytes(const char *line, size_t n, int room, size_t least)
{
	size_t at = 0, blank = 0;
	int column = 0;

	while (at < n) {
		size_t next = at + 1;

		while (next < n && ((unsigned char)line[next] & 0xc0) == 0x80)
			next++;
		if (++column > room)
			return blank > least ? blank : at ? at : next;
		if (line[at] == ' ')
			blank = at;
		at = next;
	}
	return n;
}

void runs_text_draw(const struct runs_view *v, struct pane p)
{
	static const struct waiting diagnosing = {PROGRESS_SCAN, "Comparing the runs…", "starts the diagnosis"};
	uint32_t row = 0;

	if (!runs_text(v)) {
		waiting_draw(&diagnosing, v->view.model, &v->diagnosis, runs_text_failure(v), p);
		return;
	}
	for (const char *line = runs_text(v); *line;) {
		size_t n = strcspn(line, "\n");
		bool first = true;

		do {
			int indent = first ? 0 : INDENT;
			size_t part = text_row_bytes(line, n, p.w - 2 - indent, first ? INDENT : 0);
			char text[1024];

			snprintf(text, sizeof text, "%.*s", (int)part, line);
			if (row >= v->text_top)
				pane_text(p, 1 + indent, (int)(row - v->text_top), ROLE_DEFAULT, 0, text);
			row++;
			first = false;
			line += part;
			n -= part;
			while (n && *line == ' ') {
				line++;
				n--;
			}
		} while (n);
		line += *line == '\n';
	}
}
