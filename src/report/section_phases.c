/* The phases: relevant ones first, then by share. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_int.h"

#define MOST 64

static const struct part_row *phase_part_row(const struct sheet *s, uint32_t id)
{
	const struct phase_rows *rows = s->o->of.phases;

	for (uint32_t i = 0; rows && i < rows->count; i++)
		if (rows->row[i].phase == id)
			return &rows->row[i].part;
	return NULL;
}

static void phase_print_row(struct sheet *s, uint32_t id)
{
	const struct analysis *a = s->o->of.analysis;
	const struct phase *p = &a->phases->list[id - 1];
	const struct phase_figures *f = &a->figures->phase[id - 1];
	const struct part_row *part = s->run && s->run->metrics->has_account ? phase_part_row(s, id) : NULL;
	char number[UNIT_TEXT];

	snprintf(number, sizeof number, "%u", (unsigned)id);
	page_role(&s->page, s->role[id - 1], number);
	page_cell(&s->page, f->relevant ? "yes" : "no");
	page_cell(&s->page, unit_count(number, p->weight));
	page_cell(&s->page, unit_count(number, p->ticks));
	page_cell(&s->page, unit_figure_time(number, f->time));
	page_cell(&s->page, unit_figure_time(number, f->time_min));
	page_cell(&s->page, unit_figure_time(number, f->time_max));
	page_share(&s->page, unit_figure_percent(number, f->share), f->share);
	page_cell(&s->page, unit_figure_percent(number, part ? part->factors.parallel_efficiency : (double)NAN));
	page_cell(&s->page, unit_figure_time(number, part ? account_sync(&part->account) : (double)NAN));
	if (a->names)
		page_cell(&s->page, a->names->list[id - 1].name);
}

static void table(struct sheet *s)
{
	static const struct column_look columns[] = {
		{.title = "phase"}, {.title = "relevant"}, {.title = "weight", .align = LOOK_RIGHT}, {.title = "ticks", .align = LOOK_RIGHT}, {.title = "time", .align = LOOK_RIGHT}, {.title = "shortest", .align = LOOK_RIGHT},
		{.title = "longest", .align = LOOK_RIGHT}, {.title = "share", .align = LOOK_RIGHT}, {.title = "parallel efficiency", .align = LOOK_RIGHT}, {.title = "waiting", .align = LOOK_RIGHT},
		{.title = "name"},
	};
	const uint32_t column_count = sizeof columns / sizeof *columns - !s->o->of.analysis->names;
	const struct figures *f = s->o->of.analysis->figures;
	uint32_t shown = 0, left = 0;
	double share = 0;
	char text[SHEET_TEXT], number[UNIT_TEXT];

	page_table(&s->page, columns, column_count);
	for (int relevant = 1; relevant >= 0; relevant--)
		for (uint32_t i = 0; i < f->count; i++) {
			const struct phase_figures *p = &f->phase[s->ranked[i] - 1];

			if (p->relevant != (bool)relevant)
				continue;
			if (shown < MOST) {
				shown++;
				phase_print_row(s, s->ranked[i]);
			} else {
				left++;
				share += isnan(p->share) ? 0 : p->share;
			}
		}
	page_table_end(&s->page);
	if (left) {
		snprintf(text, sizeof text, "%u more phases, together %s %s, are not listed.", (unsigned)left,
			 unit_figure_percent(number, share), settings_share_of(&s->o->of.analysis->settings, "of the run time"));
		page_sentence(&s->page, text);
	}
}

void section_phases(struct sheet *s)
{
	const struct analysis *a = s->o->of.analysis;
	char text[OVERVIEW_TEXT], sentence[OVERVIEW_TEXT + 8];

	page_section(&s->page, "phases", "Phases");
	if (!a || !a->phases || !a->figures || !s->ranked) {
		page_absent(&s->page, "The phases are unknown.");
		return;
	}
	if (!a->phases->count) {
		page_absent(&s->page, "The trace has no phases: it has no sends and no collectives.");
		return;
	}
	overview_prediction_text(s->o, text);
	if (*text) {
		snprintf(sentence, sizeof sentence, "%s.", text);
		page_sentence(&s->page, sentence);
	}
	table(s);
	snprintf(sentence, sizeof sentence, "The time is of one occurrence, the share is weight x time, %s; waiting is the sum of all ranks.",
		 settings_share_of(&a->settings, "of the run time"));
	page_sentence(&s->page, sentence);
	if (!settings_shares_tile(&a->settings))
		page_sentence(&s->page, "The shares of all phases may add up to more than 100 %.");
}
