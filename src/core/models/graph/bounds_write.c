#include "graph.h"

#include <stdio.h>
#include <string.h>

#include "graph_int.h"

#define BOUNDS_NAME 128
#define SAME 1e-12 /* relative: values that were added in another order */

/* What the reader should know of them, the i-th sentence; NULL: there are no more. */
static const char *bounds_note(const struct bounds *t, uint32_t i, char *text, size_t size)
{
	char value[PREDICTED_TEXT];
	struct interval time = t->outcome.time;
	bool nested = time.hi > t->value.hi * (1 + SAME) || time.lo > t->value.lo * (1 + SAME);

	if (nested && i-- == 0)
		snprintf(text, size, "T is %s s with --contention nested, which includes the waiting inside each par",
			 predicted_text(value, time));
	else if (t->partial && i-- == 0)
		snprintf(text, size, "T_0 has too many paths: only the longest ones at this point are shown");
	else if (i < t->outcome.note_count)
		snprintf(text, size, "%s", t->outcome.notes[i]);
	else
		return NULL;
	return text;
}

/* "T_cpu0", of several nodes "T_cpu0 (11 nodes)". */
static const char *bound_name(char text[BOUNDS_NAME], const struct bound *b)
{
	snprintf(text, BOUNDS_NAME, b->nodes > 1 ? "%.96s (%u nodes)" : "%.96s", b->name, (unsigned)b->nodes);
	return text;
}

static void write_bound(struct out *out, int width, const char *name, const char *expression, struct interval value)
{
	char text[PREDICTED_TEXT];

	out_printf(out, "%-*s = %s\n%*s = %s s\n", width, name, expression, width, "", predicted_text(text, value));
}

void bounds_write_text(const struct bounds *t, struct out *out)
{
	char text[400], name[BOUNDS_NAME];
	size_t width = 1;

	for (uint32_t i = 0; i < t->count; i++)
		width = strlen(bound_name(name, &t->items[i])) > width ? strlen(name) : width;
	for (uint32_t i = 0; i < t->count; i++)
		write_bound(out, (int)width, bound_name(name, &t->items[i]), t->items[i].text, t->items[i].value);
	write_bound(out, (int)width, "T", t->text, t->value);
	for (uint32_t i = 0; bounds_note(t, i, text, sizeof text); i++)
		out_printf(out, "note: %s\n", text);
}

static enum err_code bounds_csv_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	const struct bounds *t = arg;
	bool last = i == t->count;
	struct interval value = last ? t->value : t->items[i].value;

	(void)keep;
	(void)e;
	cells[0] = cell_text(last ? "T" : t->items[i].name);
	cells[1] = cell_text(last ? t->text : t->items[i].text);
	cells[2] = cell_real(value.lo);
	cells[3] = cell_real(value.hi);
	return ERR_OK;
}

enum err_code bounds_write_csv(const struct bounds *t, const struct rows_sink *sink, struct err *e)
{
	static const struct column_look columns[] = {
		{"bound", "bound", .align = LOOK_LEFT}, {"expression", "expression", .align = LOOK_LEFT},
		{"time_min", "time_min", LOOK_RIGHT, .decimals = ROWS_SHORTEST}, {"time_max", "time_max", LOOK_RIGHT, .decimals = ROWS_SHORTEST},
	};
	const struct rows rows = {columns, sizeof columns / sizeof *columns, (uint64_t)t->count + 1, bounds_csv_row, (void *)(uintptr_t)t};

	return rows_write(&rows, ROWS_CSV, TEXT_UTF8, 0, sink, NULL, e);
}

static void put_bound(struct tree_out *t, const char *name, const char *expression, struct interval value, uint32_t nodes)
{
	tree_map(t, false);
	tree_put_text(t, "bound", name);
	tree_put_text(t, "expression", expression);
	tree_put_interval(t, "time", value);
	if (nodes > 1)
		tree_put_whole(t, "nodes", nodes);
	tree_end(t);
}

enum err_code bounds_write_tree(const struct bounds *b, const struct evaluate_input *in, bool json, struct out *out, struct err *e)
{
	struct tree_out t;
	char text[400];

	tree_out_init(&t, out, json);
	tree_map(&t, false);
	tree_put_prediction(&t, "pas2p_bounds", in->model, in->machine);
	tree_put_parameters(&t, in->model, in->values);
	tree_put_map(&t, "operations", true);
	for (uint32_t i = 0; i < b->name_count; i++)
		tree_put_interval(&t, b->names[i].name, b->names[i].value);
	tree_end(&t);
	tree_put_list(&t, "bounds", false);
	for (uint32_t i = 0; i < b->count; i++)
		put_bound(&t, b->items[i].name, b->items[i].text, b->items[i].value, b->items[i].nodes);
	put_bound(&t, "T", b->text, b->value, 1);
	tree_end(&t);
	tree_put_list(&t, "notes", false);
	for (uint32_t i = 0; bounds_note(b, i, text, sizeof text); i++)
		tree_text(&t, text);
	tree_end(&t);
	tree_end(&t);
	return tree_out_finish(&t, e);
}
