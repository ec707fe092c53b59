/* The run, in brief and in full. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "report_int.h"

#define MOST_HOSTS 32
#define MOST_FILES 64

/* ---- at a glance ---- */

static void figures(struct sheet *s)
{
	const struct overview *o = s->o;
	double bar = s->report->metrics ? s->report->metrics->bar : (double)NAN;
	char text[SHEET_TEXT], number[UNIT_TEXT];

	page_figures(&s->page);
	page_figure(&s->page, "run time", trace_has_time(sheet_trace(s)) ? unit_figure_time(number, o->runtime) : "-", false);
	page_figure(&s->page, "processes", unit_count(number, sheet_trace(s)->process_count), false);
	page_figure(&s->page, "parallel efficiency", unit_figure_percent(number, o->factors.parallel_efficiency),
		    o->factors.parallel_efficiency < bar);
	if (o->of.analysis && o->of.analysis->figures) {
		snprintf(text, sizeof text, "%u of %u", (unsigned)o->relevant, (unsigned)o->phases);
		page_figure(&s->page, "relevant phases", text, false);
		page_figure(&s->page, settings_share_of(&o->of.analysis->settings, "coverage"), unit_figure_percent(number, o->coverage), false);
	}
	page_figures_end(&s->page);
}

static void ran_print_said(struct sheet *s, const char *what, const char *text)
{
	char line[OVERVIEW_TEXT + 64];

	if (!*text)
		return;
	snprintf(line, sizeof line, "%s: %s", what, text);
	page_item(&s->page, line);
}

static void pattern_times(struct sheet *s)
{
	const struct analysis *a = s->o->of.analysis;
	struct out shares, line;

	out_init(&shares);
	out_init(&line);
	phase_names_shares_text(a ? a->names : NULL, SHARES_SHORT, &shares);
	if (shares.len) {
		out_printf(&line, "Time by pattern: %s", shares.text);
		page_item(&s->page, line.text ? line.text : "");
	}
	s->page.out->failed |= shares.failed || line.failed;
	out_release(&shares);
	out_release(&line);
}

static void next_steps(struct sheet *s)
{
	struct out line;

	if (!s->o->next_count)
		return;
	page_part(&s->page, "Next steps");
	page_list(&s->page);
	for (uint32_t i = 0; i < s->o->next_count; i++) {
		out_init(&line);
		overview_step_command(s->o, s->o->next[i], TEXT_UTF8, &line);
		page_item_command(&s->page, overview_step_text(s->o->next[i]), line.text ? line.text : "");
		s->page.out->failed |= line.failed;
		out_release(&line);
	}
	page_list_end(&s->page);
}

void section_glance(struct sheet *s)
{
	const struct overview *o = s->o;
	char text[OVERVIEW_TEXT];

	page_subtitle(&s->page, s->report->files, s->report->file_count < MOST_FILES ? s->report->file_count : MOST_FILES);
	if (sheet_trace(s)->damaged)
		page_warning(&s->page, "The trace is damaged. This report covers the readable part; see Issues below.");
	figures(s);
	page_list(&s->page);
	pattern_times(s);
	ran_print_said(s, "Clocks", overview_clocks_text(o, text));
	ran_print_said(s, "Nodes", overview_crowded_text(o, text));
	ran_print_said(s, "Tracing", overview_tracing_text(o, text));
	ran_print_said(s, "Parallel efficiency", overview_efficiency_text(o, text));
	ran_print_said(s, "Longest wait", overview_lost_text(o, text));
	ran_print_said(s, "Main cause", overview_cause_text(o, text));
	ran_print_said(s, "Most computation", overview_slowest_text(o, text));
	ran_print_said(s, "Most data", overview_heaviest_text(o, text));
	ran_print_said(s, "Main loop", overview_iteration_text(o, text));
	ran_print_said(s, "Phases", overview_prediction_text(o, text));
	ran_print_said(s, "Signature", overview_signature_text(o, text));
	ran_print_said(s, "Warnings", overview_warnings_text(o, text));
	page_list_end(&s->page);
	next_steps(s);
}

/* ---- the run ---- */

static void hosts(struct sheet *s)
{
	const struct trace *t = sheet_trace(s);
	const char **names = mem_alloc(t->process_count, sizeof *names);
	uint32_t known = 0, found = 0;
	char text[SHEET_TEXT];
	struct out line;

	out_init(&line);
	for (uint32_t p = 0; names && p < t->process_count; p++)
		if (t->processes[p].host)
			names[known++] = t->processes[p].host;
	SORT(names, known, order_text);
	for (uint32_t i = 0, end; i < known; i = end) {
		for (end = i + 1; end < known && !strcmp(names[end], names[i]);)
			end++;
		if (found++ < MOST_HOSTS)
			out_printf(&line, "%s%s (%u)", found > 1 ? ", " : "", names[i], (unsigned)(end - i));
	}
	if (found > MOST_HOSTS)
		out_printf(&line, ", %u more", (unsigned)(found - MOST_HOSTS));
	snprintf(text, sizeof text, found == 1 ? "node (processes)" : "%u nodes (processes)", (unsigned)found);
	if (found)
		page_fact_name(&s->page, text, line.text ? line.text : "");
	else
		page_fact(&s->page, "nodes", "not in the trace");
	s->page.out->failed |= line.failed || !names;
	out_release(&line);
	mem_free(names);
}

static void files(struct sheet *s)
{
	static const struct column_look columns[] = {{.title = "file"}, {.title = "format"}, {.title = "size", .align = LOOK_RIGHT}, {.title = "SHA-256"}};
	const struct trace *t = sheet_trace(s);
	char number[UNIT_TEXT], text[SHEET_TEXT];

	page_table(&s->page, columns, 4);
	for (uint32_t i = 0; i < t->file_count && i < MOST_FILES; i++) {
		const struct trace_file *f = &t->files[i];

		page_name(&s->page, f->path);
		snprintf(text, sizeof text, "%s%s", f->format, f->finalized ? "" : ", not finalized");
		page_cell(&s->page, text);
		page_cell(&s->page, unit_bytes(number, f->bytes));
		if (f->sha256[0])
			page_name(&s->page, f->sha256);
		else
			page_cell(&s->page, "-");
	}
	page_table_end(&s->page);
	if (t->file_count > MOST_FILES) {
		snprintf(text, sizeof text, "%u more files of the same run are not listed.", (unsigned)(t->file_count - MOST_FILES));
		page_sentence(&s->page, text);
	}
}

static void ran_print_counts(struct sheet *s)
{
	const struct trace *t = sheet_trace(s);
	char text[SHEET_TEXT], counter[160], all[UNIT_TEXT], sends[UNIT_TEXT], receives[UNIT_TEXT], collectives[UNIT_TEXT], number[UNIT_TEXT];

	snprintf(text, sizeof text, "%s: %s sends, %s receives, %s in collectives", unit_count(all, t->event_count),
		 unit_count(sends, t->send_count), unit_count(receives, t->receive_count), unit_count(collectives, t->collective_count));
	page_fact(&s->page, "events", text);
	if (s->run) {
		const struct run_metrics *m = s->run->metrics;
		int n = snprintf(text, sizeof text, "%s", unit_count(all, m->messages));

		if (m->unknown_sizes && m->unknown_sizes == m->messages)
			snprintf(text + n, sizeof text - (size_t)n, ", sizes unknown");
		else
			n += snprintf(text + n, sizeof text - (size_t)n, ", %s", unit_bytes(number, m->bytes));
		if (m->unknown_sizes && m->unknown_sizes < m->messages)
			snprintf(text + n, sizeof text - (size_t)n, " (%s of unknown size not included)", unit_count(all, m->unknown_sizes));
		page_fact(&s->page, "messages", text);
		if (m->threads != m->processes)
			page_fact(&s->page, "threads", unit_count(number, m->threads));
	}
	snprintf(text, sizeof text, "%s", t->compute_source == COMPUTE_FROM_EVENTS ? "readings of the tracer at events"
					: t->compute_source == COMPUTE_FROM_COUNTER ? trace_compute_name(t, counter, sizeof counter)
					: t->compute_source == COMPUTE_FROM_STATES ? "MPI calls" : "gaps between events");
	page_fact(&s->page, "compute time source", text);
}

void section_ran(struct sheet *s)
{
	const struct trace *t = sheet_trace(s);
	char number[UNIT_TEXT];

	page_section(&s->page, "ran", "Run");
	page_facts(&s->page);
	page_fact_name(&s->page, "program", s->report->application ? s->report->application : "-");
	page_fact(&s->page, "run time", trace_has_time(t) ? unit_figure_time(number, trace_aet(t)) : "unknown: the trace has no times");
	page_fact(&s->page, "processes", unit_count(number, t->process_count));
	if (t->world_count > 1)
		page_fact(&s->page, "worlds", unit_count(number, t->world_count));
	hosts(s);
	page_fact(&s->page, "date", "not in the trace");
	ran_print_counts(s);
	page_facts_end(&s->page);
	files(s);
}
