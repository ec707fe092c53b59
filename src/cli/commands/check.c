/* pas2p check: every error, warning and note on a trace, with place and meaning. Notes are no finding. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/text.h"
#include "cli/listing.h"
#include "cli/plural.h"
#include "core/lists/lists.h"

struct listed_notes {
	const struct trace *trace;    /* as loaded */
	struct note_item *items; /* damage first, then by kind, then as found */
	uint64_t count;
	struct note_counts counts;
	char more[NOTES_MORE];
};

static void collect_kind(struct listed_notes *l, const struct notes *n, enum note_kind kind)
{
	uint64_t kept = 0;

	for (size_t i = 0; i < n->n; i++)
		if (n->list[i].kind == kind) {
			l->items[l->count++] = (struct note_item){kind, &n->list[i], 1};
			kept++;
		}
	if (n->count[kind] > kept)
		l->items[l->count++] = (struct note_item){kind, NULL, n->count[kind] - kept};
}

static enum err_code check_collect_items(struct listed_notes *l, const struct notes *of_trace, const struct notes *of_order, struct err *e)
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
	notes_count(&l->counts, of_trace);
	notes_count(&l->counts, of_order);
	return ERR_OK;
}

static const char *file_name(const struct trace *t, const struct note *n)
{
	return n->file >= 0 && (uint32_t)n->file < t->file_count ? t->files[n->file].path : NULL;
}

/* For people: kinds as headings with their meaning, places below. */
static void print_item(struct out *o, const struct trace *t, const struct note_item *x)
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
	number = note_item_event(x);
	rank = note_item_rank(x);
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
	if (rank >= 0 && !note_names_rank(n)) {
		out_printf(o, "%srank %" PRId64, between, rank);
		between = ", ";
	}
	if (number) {
		out_printf(o, "%sevent %" PRIu32, between, number);
		between = ", ";
	}
	out_printf(o, "%s%s\n", between[0] == ',' ? ": " : "  ", n->text);
}

static uint64_t count_kind(const struct listed_notes *l, uint64_t from)
{
	uint64_t n = 0;

	for (uint64_t i = from; i < l->count && l->items[i].kind == l->items[from].kind; i++)
		n += l->items[i].count;
	return n;
}

static void check_print_items(struct batch *b, const struct listed_notes *l)
{
	struct out *o = &b->sink.out;
	size_t from = o->len;
	char title[NOTE_TITLE], levels[NOTE_COUNTS_TEXT];

	for (uint64_t i = 0; i < l->count; i++) {
		const struct note_item *x = &l->items[i];

		if (i == 0 || l->items[i - 1].kind != x->kind)
			out_printf(o, "%s%s (%" PRIu64 "): %s\n", i ? "\n" : "", note_title(x->kind, title), count_kind(l, i), note_meaning(x->kind));
		print_item(o, l->trace, x);
	}
	out_printf(o, "%s%s\n", l->count ? "\n" : "", note_levels_text(&l->counts, levels));
	sink_fit(&b->sink, from, 4);
}

enum err_code cmd_check(struct batch *b, struct err *e)
{
	struct listed_notes l = {.trace = b->trace};
	enum err_code code = check_collect_items(&l, &b->trace->notes, &b->analysis->logical->notes, e);

	if (code)
		return code;
	if (b->options->format == FORMAT_TABLE)
		check_print_items(b, &l);
	else
		code = listing_write_list(b, &notes_columns, NOTES_ALL, &(struct notes_list){b->trace, l.items, l.more}, l.count, e);
	if (l.counts.warnings || l.counts.apart)
		b->finding = EXIT_FINDING;
	if (l.counts.damage)
		b->finding = EXIT_DAMAGED;
	free(l.items);
	return code;
}
