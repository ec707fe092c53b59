#include "diff.h"

#include <math.h>

#include "core/base/text.h"
#include "core/io/tree_out.h"

struct diff_writing {
	struct tree_out tree;
	const struct diff_report *r;
	struct out type;           /* of an event, as text */
};

static void size_value(struct tree_out *t, uint64_t size)
{
	if (size == SIZE_UNKNOWN)
		tree_real(t, (double)NAN);
	else
		tree_whole(t, size);
}

static void type_value(struct diff_writing *w, enum diff_side side, const struct diff_cell *cell)
{
	w->type.len = 0;
	run_diff_print_cell(w->r->diff, side, cell, TYPES_IN_FILES, &w->type);
	tree_text(&w->tree, w->type.text && !w->type.failed ? w->type.text : "");
}

static void put_side(struct diff_writing *w, const char *key, const struct diff_of *of)
{
	char safe[4096];

	tree_put_map(&w->tree, key, false);
	tree_put_text(&w->tree, "file", text_safe(safe, sizeof safe, of->file, SIZE_MAX, TEXT_UTF8));
	tree_put_whole(&w->tree, "processes", of->processes);
	tree_put_real(&w->tree, "aet", of->aet);
	tree_end(&w->tree);
}

static void put_cell(struct diff_writing *w, const char *key, enum diff_side side, const struct diff_cell *cell)
{
	if (!cell->there) {
		tree_put_null(&w->tree, key);
		return;
	}
	tree_put_map(&w->tree, key, true);
	tree_key(&w->tree, "type");
	type_value(w, side, cell);
	tree_key(&w->tree, "size");
	size_value(&w->tree, cell->size);
	tree_end(&w->tree);
}

static void put_first(struct diff_writing *w)
{
	const struct diff_first *first = w->r->diff ? &w->r->diff->first : NULL;

	if (!first || !first->there) {
		tree_put_null(&w->tree, "first");
		return;
	}
	tree_put_map(&w->tree, "first", false);
	tree_put_whole(&w->tree, "tick", first->tick);
	tree_put_whole(&w->tree, "rank", first->process);
	put_cell(w, "a", DIFF_A, &first->cell[DIFF_A]);
	put_cell(w, "b", DIFF_B, &first->cell[DIFF_B]);
	tree_end(&w->tree);
}

static void put_edits(struct diff_writing *w)
{
	static const char *const counts[] = {"edits", "removed", "added", "resized", "resized_far"};
	const struct run_diff *d = w->r->diff;
	struct tree_out *t = &w->tree;

	tree_put_list(t, "edits", false);
	for (uint32_t p = 0; p < d->process_count; p++) {
		const struct process_diff *x = &d->processes[p];
		const uint64_t value[] = {(uint64_t)x->script.removed + x->script.added, x->script.removed, x->script.added, x->resized,
					  x->resized_far};

		tree_map(t, true);
		tree_put_whole(t, "rank", p);
		for (int i = 0; i < 5; i++)
			if (x->script.beyond)
				tree_put_null(t, counts[i]);
			else
				tree_put_whole(t, counts[i], value[i]);
		tree_end(t);
	}
	tree_end(t);
}

static enum err_code put_lines(struct diff_writing *w, struct hunk_lines *lines, const struct hunk *h, struct err *e)
{
	struct tree_out *t = &w->tree;
	struct shown_line line;
	enum err_code code;

	tree_put_list(t, "lines", false);
	for (hunk_lines_of(lines, h); !(code = hunk_lines_next(lines, &line, e)) && line.there;) {
		const char mark[] = {line.mark, 0};
		enum diff_side side = line.cell[DIFF_A].there ? DIFF_A : DIFF_B;

		tree_list(t, true);
		tree_text(t, mark);
		tree_whole(t, line.process);
		type_value(w, side, &line.cell[side]);
		size_value(t, line.cell[side].size);
		if (line.mark == '~')
			size_value(t, line.cell[DIFF_B].size);
		tree_end(t);
	}
	tree_end(t);
	return code;
}

/* lines: NULL: without. */
static enum err_code put_hunks(struct diff_writing *w, struct hunk_lines *lines, const struct progress *progress, struct err *e)
{
	static const char *const names[] = {"a", "b"};
	struct tree_out *t = &w->tree;
	struct hunk h = {.end = 0};
	enum err_code code = ERR_OK;

	tree_put_list(t, "hunks", false);
	while (!code && hunk_next(&h, w->r->align)) {
		if (progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "interrupted");
		tree_map(t, !lines);
		for (int side = DIFF_A; side <= DIFF_B; side++) {
			tree_put_map(t, names[side], true);
			tree_put_whole(t, "tick", h.tick[side]);
			tree_put_whole(t, "ticks", h.ticks[side]);
			tree_end(t);
		}
		tree_put_whole(t, "removed", h.removed);
		tree_put_whole(t, "added", h.added);
		tree_put_whole(t, "resized", h.resized);
		if (lines)
			code = put_lines(w, lines, &h, e);
		tree_end(t);
	}
	tree_end(t);
	return code;
}

/* [A, B]; what a side has no phases for is null. */
static void put_pair(struct tree_out *t, const char *key, const struct phase_group *g, double a, double b)
{
	const double pair[] = {g->a.count ? a : (double)NAN, g->b.count ? b : (double)NAN};

	tree_put_reals(t, key, pair, 2);
}

/* [A, B]; null: not known. */
static void put_names(struct tree_out *t, const struct diff_row_of *row)
{
	tree_put_list(t, "name", true);
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		const char *name = row->named[side] ? row->named[side]->name : NULL;

		if (name)
			tree_text(t, name);
		else
			tree_real(t, (double)NAN);
	}
	tree_end(t);
	if (row->group.a.count && row->group.b.count)
		kinds_alike_write(t, row->alike);
}

static void put_group(struct tree_out *t, const struct diff_row_of *row)
{
	const struct phase_group *g = &row->group;

	tree_map(t, false);
	tree_put_wholes(t, "a", g->a.ids, g->a.count);
	tree_put_wholes(t, "b", g->b.ids, g->b.count);
	tree_put_real(t, "similarity", g->similarity);
	tree_put_list(t, "weight", true);
	tree_whole(t, g->a.weight);
	tree_whole(t, g->b.weight);
	tree_end(t);
	put_pair(t, "time", g, g->a.time, g->b.time);
	put_pair(t, "compute", g, g->a.compute, g->b.compute);
	tree_put_real(t, "change", row->change);
	if (g->a.count && g->b.count) {
		tree_put_real(t, "by_weight", row->by_weight);
		tree_put_real(t, "by_compute", row->by_compute);
		tree_put_real(t, "by_rest", row->by_rest);
	}
	if (row->rank == NO_PROCESS)
		tree_put_null(t, "rank");
	else
		tree_put_whole(t, "rank", row->rank);
	put_names(t, row);
	tree_end(t);
}

static void put_groups(struct diff_writing *w)
{
	const struct diff_report *r = w->r;
	struct tree_out *t = &w->tree;
	const double outside[] = {r->of[DIFF_A].phases->outside, r->of[DIFF_B].phases->outside};

	tree_put_list(t, "groups", false);
	for (uint32_t i = 0; i < r->row_count; i++)
		if (r->rows[i].kind <= WATERFALL_ONLY_B)
			put_group(t, &r->rows[i]);
	tree_end(t);
	tree_put_map(t, "others", true);
	tree_put_real(t, "a", r->match->others_a.total);
	tree_put_real(t, "b", r->match->others_b.total);
	tree_end(t);
	tree_put_reals(t, "outside", outside, 2);
}

static enum err_code diff_write_all(const struct diff_report *r, struct hunk_lines *lines, struct out *out, bool json, const struct progress *progress,
			       struct err *e)
{
	struct diff_writing w = {.r = r};
	enum err_code code = ERR_OK, written;

	out_init(&w.type);
	tree_out_init(&w.tree, out, json);
	tree_map(&w.tree, false);
	tree_put_whole(&w.tree, "diff", 1);
	put_side(&w, "a", &r->of[DIFF_A]);
	put_side(&w, "b", &r->of[DIFF_B]);
	tree_put_text(&w.tree, "verdict", diff_verdict_name(r->verdict));
	put_first(&w);
	if (r->diff && r->diff->processes)
		put_edits(&w);
	if (r->align)
		code = put_hunks(&w, lines, progress, e);
	if (!code && r->match)
		put_groups(&w);
	if (!code) {
		tree_put_real(&w.tree, "change", r->change);
		tree_end(&w.tree);
	}
	if (w.type.failed && !code)
		code = err_memory(e, "the types");
	out_release(&w.type);
	written = tree_out_finish(&w.tree, code ? NULL : e);
	return code ? code : written;
}

enum err_code diff_write(const struct diff_report *r, bool lines, struct out *out, bool json, const struct progress *progress, struct err *e)
{
	struct hunk_lines l;
	enum err_code code;

	if (!lines || !r->align)
		return diff_report_here(r) ? diff_write_all(r, NULL, out, json, progress, e) : ERR_OK;
	code = hunk_lines_init(&l, r->align, e);
	if (code)
		return code;
	if (diff_report_here(r))
		code = diff_write_all(r, &l, out, json, progress, e);
	return hunk_lines_end(&l, code, e);
}
