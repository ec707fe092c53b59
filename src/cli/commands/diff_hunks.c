/* The hunks of two runs, like a unified diff, or as CSV. */
#include <inttypes.h>

#include "core/base/text.h"
#include "core/study/hunks.h"
#include "diff_table.h"

#define AT_ONCE 65536 /* bytes gathered before they are written */

static void size(struct out *o, uint32_t bytes, const char *unknown)
{
	if (bytes == SIZE_UNKNOWN)
		out_str(o, unknown);
	else
		out_printf(o, "%" PRIu32, bytes);
}

static uint32_t size_of(const struct diff_report *r, const struct hunk_line *line, enum diff_side side)
{
	return r->diff->run[side].l->trace->size[line->event[side]];
}

static void as_text(struct out *o, const struct diff_report *r, const struct hunk_line *line)
{
	enum diff_side side = line->event[DIFF_A] == NO_EVENT ? DIFF_B : DIFF_A;

	out_printf(o, "%c%" PRIu32 " ", line->mark, line->process);
	run_diff_print_type(r->diff, side, line->event[side], o);
	out_str(o, " ");
	size(o, size_of(r, line, side), "-");
	if (line->mark == '~') {
		out_str(o, " -> ");
		size(o, size_of(r, line, DIFF_B), "-");
	}
	out_str(o, "\n");
}

static void tick(struct out *o, const struct diff_report *r, const struct hunk_line *line, enum diff_side side)
{
	out_str(o, ",");
	if (line->event[side] != NO_EVENT)
		out_printf(o, "%" PRIu32, r->diff->run[side].l->tick[line->event[side]]);
}

static void as_csv(struct out *o, struct out *type, const struct diff_report *r, const struct hunk_line *line, uint64_t number)
{
	enum diff_side first = line->event[DIFF_A] == NO_EVENT ? DIFF_B : DIFF_A;

	type->len = 0;
	run_diff_print_type(r->diff, first, line->event[first], type);
	out_printf(o, "%" PRIu64 ",%s,%" PRIu32 ",", number,
		   line->mark == '-' ? "removed" : line->mark == '+' ? "added" : line->mark == '~' ? "resized" : "kept", line->process);
	out_csv(o, type->text ? type->text : "");
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		out_str(o, ",");
		if (line->event[side] != NO_EVENT)
			size(o, size_of(r, line, (enum diff_side)side), "");
	}
	tick(o, r, line, DIFF_A);
	tick(o, r, line, DIFF_B);
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

enum err_code diff_hunks(struct batch *b, const struct diff_report *r, struct err *e)
{
	bool csv = b->options->format == FORMAT_CSV;
	struct hunk h = {.end = 0};
	struct out *o = &b->sink.out, type;
	enum err_code code = ERR_OK;
	uint64_t number = 0;

	out_init(&type);
	if (csv)
		out_str(o, "hunk,change,rank,type,size_a,size_b,tick_a,tick_b\n");
	else
		header(o, r);
	while (!code && r->align && hunk_next(&h, r->align)) {
		number++;
		if (!csv)
			out_printf(o, "@@ tick %" PRIu32 ",%" PRIu32 " %" PRIu32 ",%" PRIu32 " @@\n", h.tick[DIFF_A], h.ticks[DIFF_A],
				   h.tick[DIFF_B], h.ticks[DIFF_B]);
		for (struct hunk_line line = {0}; !code && hunk_line_next(&line, &h, r->align);) {
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
