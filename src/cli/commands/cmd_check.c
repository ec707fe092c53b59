/* pas2p check: every error, warning and remark on a trace, with place and meaning. Remarks are no finding. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/text.h"
#include "cli/listing.h"
#include "cli/plural.h"

static const struct column columns[] = {
	{"level", "level", ROWS_LEFT, 0},    {"kind", "kind", ROWS_LEFT, 0},      {"count", "count", ROWS_RIGHT, 0},
	{"file", "file", ROWS_LEFT, 0},      {"block", "block", ROWS_RIGHT, 0},   {"offset", "offset", ROWS_RIGHT, 0},
	{"rank", "rank", ROWS_RIGHT, 0},     {"event", "event", ROWS_RIGHT, 0},   {"text", "what was found", ROWS_LEFT, 0},
	{"meaning", "what it means", ROWS_LEFT, 0},
};
enum { LEVEL, KIND, COUNT, PLACE_FILE, BLOCK, OFFSET, RANK, EVENT, TEXT, MEANING, COLUMNS };

/* A note that was kept with its place, or, without one, those of its kind that were only counted. */
struct item {
	enum note_kind kind;
	const struct note *note;
	uint64_t count;
};

struct listed {
	const struct trace *trace;
	struct item *items; /* damage first, then by kind, then as found */
	uint64_t count, remarks, warnings, damage;
	char text[64];
};

static void collect_kind(struct listed *l, const struct notes *n, enum note_kind kind)
{
	uint64_t kept = 0;

	for (size_t i = 0; i < n->n; i++)
		if (n->list[i].kind == kind) {
			l->items[l->count++] = (struct item){kind, &n->list[i], 1};
			kept++;
		}
	if (n->count[kind] > kept)
		l->items[l->count++] = (struct item){kind, NULL, n->count[kind] - kept};
}

static enum err_code collect(struct listed *l, const struct notes *of_trace, const struct notes *of_order, struct err *e)
{
	l->items = malloc((of_trace->n + of_order->n + 2 * NOTE_KIND_COUNT + 1) * sizeof *l->items);
	if (!l->items)
		return err_memory(e, "the warnings");
	for (int level = NOTE_DAMAGE; level >= NOTE_REMARK; level--)
		for (int k = 0; k < NOTE_KIND_COUNT; k++)
			if ((int)note_level((enum note_kind)k) == level) {
				collect_kind(l, of_trace, (enum note_kind)k);
				collect_kind(l, of_order, (enum note_kind)k);
			}
	l->remarks = notes_total(of_trace, NOTE_REMARK) + notes_total(of_order, NOTE_REMARK);
	l->warnings = notes_total(of_trace, NOTE_WARNING) + notes_total(of_order, NOTE_WARNING);
	l->damage = notes_total(of_trace, NOTE_DAMAGE) + notes_total(of_order, NOTE_DAMAGE);
	return ERR_OK;
}

/* The number of an event in its process, from 1; 0 if the note names none. */
static uint32_t event_number(const struct trace *t, const struct note *n, int64_t *rank)
{
	uint32_t p;

	*rank = n->process;
	if (n->event < 0 || n->event >= t->event_count)
		return 0;
	p = trace_process_of(t, (uint32_t)n->event);
	*rank = p;
	return trace_number_of(t, p, (uint32_t)n->event);
}

static const char *file_name(const struct trace *t, const struct note *n)
{
	return n->file >= 0 && (uint32_t)n->file < t->file_count ? t->files[n->file].path : NULL;
}

static enum err_code note_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct listed *l = arg;
	const struct item *x = &l->items[i];
	uint32_t number;
	int64_t rank;

	(void)keep;
	(void)e;
	c[LEVEL] = cell_text(note_level_name(note_level(x->kind)));
	c[KIND] = cell_text(note_name(x->kind));
	c[COUNT] = cell_whole(x->count);
	c[MEANING] = cell_text(note_meaning(x->kind));
	if (!x->note) {
		snprintf(l->text, sizeof l->text, "%" PRIu64 " more whose places were not kept", x->count);
		c[TEXT] = cell_text(l->text);
		return ERR_OK;
	}
	number = event_number(l->trace, x->note, &rank);
	c[PLACE_FILE] = cell_text(file_name(l->trace, x->note));
	if (x->note->block >= 0)
		c[BLOCK] = cell_int(x->note->block);
	if (x->note->offset >= 0)
		c[OFFSET] = cell_int(x->note->offset);
	if (rank >= 0)
		c[RANK] = cell_int(rank);
	if (number)
		c[EVENT] = cell_whole(number);
	c[TEXT] = cell_text(x->note->text);
	return ERR_OK;
}

/* For people: kinds as headings with their meaning, places below. */
static void print_item(struct out *o, const struct trace *t, const struct item *x)
{
	const struct note *n = x->note;
	const char *file, *between = "  ";
	char safe[512];
	uint32_t number;
	int64_t rank;

	if (!n) {
		out_printf(o, "  ... and %" PRIu64 " more\n", x->count);
		return;
	}
	number = event_number(t, n, &rank);
	file = file_name(t, n);
	if (file) {
		out_printf(o, "  %s", text_safe(safe, sizeof safe, file, SIZE_MAX, TEXT_UTF8));
		between = ", ";
	}
	if (n->block >= 0) {
		out_printf(o, "%sblock %" PRId64, between, n->block);
		between = ", ";
	}
	if (n->offset >= 0) {
		out_printf(o, "%sbyte %" PRId64, between, n->offset);
		between = ", ";
	}
	if (rank >= 0) {
		out_printf(o, "%srank %" PRId64, between, rank);
		between = ", ";
	}
	if (number) {
		out_printf(o, "%sevent %" PRIu32, between, number);
		between = ", ";
	}
	out_printf(o, "%s%s\n", between[0] == ',' ? ": " : "  ", n->text);
}

static uint64_t count_kind(const struct listed *l, uint64_t from)
{
	uint64_t n = 0;

	for (uint64_t i = from; i < l->count && l->items[i].kind == l->items[from].kind; i++)
		n += l->items[i].count;
	return n;
}

static void print(struct out *o, const struct listed *l)
{
	for (uint64_t i = 0; i < l->count; i++) {
		const struct item *x = &l->items[i];

		if (i == 0 || l->items[i - 1].kind != x->kind)
			out_printf(o, "%s%s: %s (%" PRIu64 "): %s\n", i ? "\n" : "", note_level_name(note_level(x->kind)), note_name(x->kind),
				   count_kind(l, i), note_meaning(x->kind));
		print_item(o, l->trace, x);
	}
	if (l->count)
		out_str(o, "\n");
	if (l->warnings + l->damage)
		out_printf(o, "%" PRIu64 " warning%s, %" PRIu64 " place%s with damage, %" PRIu64 " remark%s\n", l->warnings,
			   plural(l->warnings), l->damage, plural(l->damage), l->remarks,
			   plural(l->remarks));
	else
		out_printf(o, "clean: no warnings and no damage, %" PRIu64 " remark%s\n", l->remarks,
			   plural(l->remarks));
}

enum err_code cmd_check(struct batch *b, struct err *e)
{
	/* Numbers of events in notes are those of the events as loaded. */
	struct listed l = {.trace = b->trace};
	struct rows rows = {columns, COLUMNS, 0, note_row, &l};
	enum err_code code = collect(&l, &b->trace->notes, &b->analysis->logical->notes, e);

	if (code)
		return code;
	rows.row_count = l.count;
	if (b->options->format == FORMAT_TABLE)
		print(&b->sink.out, &l);
	else
		code = listing_write(b, &rows, e);
	if (l.warnings)
		b->finding = EXIT_FINDING;
	if (l.damage)
		b->finding = EXIT_DAMAGED;
	free(l.items);
	return code;
}
