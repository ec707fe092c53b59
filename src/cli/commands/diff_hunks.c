/* The hunks of two runs, like a unified diff, or as CSV. */
#include <inttypes.h>

#include "core/base/text.h"
#include "core/compare/diff/hunk_lines.h"
#include "commands_int.h"

#define AT_ONCE 65536 /* bytes gathered before they are written */

static void hunk_put_size(struct out *o, uint64_t bytes, const char *unknown)
{
	if (bytes == SIZE_UNKNOWN)
		out_str(o, unknown);
	else
		out_printf(o, "%" PRIu64, bytes);
}

static void as_text(struct out *o, const struct diff_report *r, const struct told_line *line)
{
	enum diff_side side = line->cell[DIFF_A].there ? DIFF_A : DIFF_B;

	out_printf(o, "%c%" PRIu32 " ", line->mark, line->process);
	run_diff_print_cell(r->diff, side, &line->cell[side], TYPES_SHOWN, o);
	out_str(o, " ");
	hunk_put_size(o, line->cell[side].size, "-");
	if (line->mark == '~') {
		out_str(o, " -> ");
		hunk_put_size(o, line->cell[DIFF_B].size, "-");
	}
	out_str(o, "\n");
}

static void hunk_put_tick(struct out *o, const struct diff_cell *cell)
{
	out_str(o, ",");
	if (cell->there)
		out_printf(o, "%" PRIu32, cell->tick);
}

static void as_csv(struct out *o, struct out *type, const struct diff_report *r, const struct told_line *line, uint64_t number)
{
	enum diff_side first = line->cell[DIFF_A].there ? DIFF_A : DIFF_B;

	type->len = 0;
	run_diff_print_cell(r->diff, first, &line->cell[first], TYPES_IN_FILES, type);
	out_printf(o, "%" PRIu64 ",%s,%" PRIu32 ",", number,
		   line->mark == '-' ? "removed" : line->mark == '+' ? "added" : line->mark == '~' ? "resized" : "kept", line->process);
	out_csv(o, type->text ? type->text : "");
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		out_str(o, ",");
		if (line->cell[side].there)
			hunk_put_size(o, line->cell[side].size, "");
	}
	hunk_put_tick(o, &line->cell[DIFF_A]);
	hunk_put_tick(o, &line->cell[DIFF_B]);
	out_str(o, "\n");
}

static void header(struct out *o, const struct diff_report *r)
{
	char safe[4096];

	out_printf(o, "--- %s\n", text_safe(safe, sizeof safe, r->of[DIFF_A].file, SIZE_MAX, TEXT_UTF8));
	out_printf(o, "+++ %s\n", text_safe(safe, sizeof safe, r->of[DIFF_B].file, SIZE_MAX, TEXT_UTF8));
	for (uint32_t p = 0; r->diff->processes && p < r->diff->process_count; p++)
		if (r->diff->processes[p].script.beyond)
			out_printf(o, "# rank %" PRIu32 ": more than %" PRIu32 " edits, in no hunk\n", p, r->diff->options.effort);
}

/* lines: NULL where there are no hunks. */
static enum err_code write_hunks(struct batch *b, const struct diff_report *r, struct hunk_lines *lines, struct err *e)
{
	bool csv = b->options->format == FORMAT_CSV;
	struct hunk h = {.end = 0};
	struct out *o = &b->sink.out, type;
	enum err_code code = ERR_OK;
	struct told_line line;
	uint64_t number = 0;

	out_init(&type);
	if (csv)
		out_str(o, "hunk,change,rank,type,size_a,size_b,tick_a,tick_b\n");
	else
		header(o, r);
	while (!code && lines && hunk_next(&h, r->align)) {
		number++;
		if (!csv)
			out_printf(o, "@@ tick %" PRIu32 ",%" PRIu32 " %" PRIu32 ",%" PRIu32 " @@\n", h.tick[DIFF_A], h.ticks[DIFF_A],
				   h.tick[DIFF_B], h.ticks[DIFF_B]);
		for (hunk_lines_of(lines, &h); !code && !(code = hunk_lines_next(lines, &line, e)) && line.there;) {
			if (csv)
				as_csv(o, &type, r, &line, number);
			else
				as_text(o, r, &line);
			if (o->len > AT_ONCE)
				code = job_stopped(b->job) ? err_set(e, ERR_CANCELLED, "interrupted") : sink_drain(&b->sink, e);
		}
	}
	if (!code && type.failed)
		code = err_memory(e, "a line");
	out_release(&type);
	return code;
}

enum err_code diff_hunks(struct batch *b, const struct diff_report *r, struct err *e)
{
	struct hunk_lines lines;
	enum err_code code;

	if (!r->align)
		return diff_report_here(r) ? write_hunks(b, r, NULL, e) : ERR_OK;
	code = hunk_lines_init(&lines, r->align, e);
	if (code)
		return code;
	if (diff_report_here(r))
		code = write_hunks(b, r, &lines, e);
	return hunk_lines_end(&lines, code, e);
}
