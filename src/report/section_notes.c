/* Issues, settings, and the command that makes the report. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report_int.h"

/* ---- issues ---- */

/* The first that was kept of a kind, as an example. */
static const char *example(const struct notes *n, enum note_kind kind)
{
	for (size_t i = 0; n && i < n->n; i++)
		if (n->list[i].kind == kind)
			return n->list[i].text;
	return NULL;
}

static void note_rows(struct sheet *s, const struct notes *of_trace, const struct notes *of_order)
{
	char number[UNIT_TEXT];

	for (int level = NOTE_DAMAGE; level >= NOTE_REMARK; level--)
		for (int k = 0; k < NOTE_KIND_COUNT; k++) {
			enum note_kind kind = (enum note_kind)k;
			uint64_t count = of_trace->count[k] + (of_order ? of_order->count[k] : 0);
			const char *first = example(of_trace, kind);

			if (!count || (int)note_level(kind) != level)
				continue;
			if (level == NOTE_REMARK)
				page_cell(&s->page, note_counted_as(kind));
			else
				page_poor(&s->page, note_counted_as(kind));
			page_cell(&s->page, note_name(kind));
			page_cell(&s->page, unit_count(number, count));
			page_cell(&s->page, note_meaning(kind));
			page_cell(&s->page, first ? first : (first = example(of_order, kind)) ? first : "");
		}
}

static void metric_rows(struct sheet *s)
{
	const struct metrics_report *r = s->report->metrics;
	char number[UNIT_TEXT];

	for (int n = 0; s->run && n < METRIC_NOTES; n++) {
		uint64_t count = metrics_note_count(r, s->run, (enum metric_note)n);

		if (!count)
			continue;
		page_cell(&s->page, "note");
		page_cell(&s->page, metric_note_kind((enum metric_note)n));
		page_cell(&s->page, unit_count(number, count));
		page_cell(&s->page, metric_note_meaning((enum metric_note)n));
		page_cell(&s->page, "");
	}
}

static bool any_note(const struct sheet *s, const struct notes *of_trace, const struct notes *of_order)
{
	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		if (of_trace->count[k] || (of_order && of_order->count[k]))
			return true;
	for (int n = 0; s->run && n < METRIC_NOTES; n++)
		if (metrics_note_count(s->report->metrics, s->run, (enum metric_note)n))
			return true;
	return false;
}

static void warnings(struct sheet *s)
{
	static const struct column_look columns[] = {
		{.title = "level"}, {.title = "kind"}, {.title = "count", .align = LOOK_RIGHT}, {.title = "meaning", .align = LOOK_WORDS}, {.title = "first example", .align = LOOK_WORDS},
	};
	const struct notes *of_trace = &sheet_trace(s)->notes;
	const struct analysis *a = s->o->of.analysis;
	const struct notes *of_order = a && a->logical ? &a->logical->notes : NULL;

	page_section(&s->page, "warnings", "Issues");
	if (!any_note(s, of_trace, of_order)) {
		page_sentence(&s->page, "There are no issues.");
		return;
	}
	page_table(&s->page, columns, 5);
	note_rows(s, of_trace, of_order);
	metric_rows(s);
	page_table_end(&s->page);
}

/* ---- settings ---- */

static void settings(struct sheet *s)
{
	static const struct column_look columns[] = {{.title = "setting"}, {.title = "value"}, {.title = "default"}, {.title = "meaning", .align = LOOK_WORDS}};
	const struct settings *of = &s->o->of.analysis->settings;
	struct settings usual;

	settings_init(&usual);
	page_section(&s->page, "settings", "Settings");
	page_table(&s->page, columns, 4);
	for (int i = 0; i < SETTING_COUNT; i++) {
		const struct setting_info *info = setting_info((enum setting_id)i);
		char value[UNIT_TEXT], normal[UNIT_TEXT];

		settings_get(of, (enum setting_id)i, value, sizeof value);
		settings_get(&usual, (enum setting_id)i, normal, sizeof normal);
		if (!info->in_tables && strcmp(value, normal) == 0)
			continue;
		page_cell(&s->page, info->key);
		page_cell(&s->page, value);
		page_cell(&s->page, strcmp(value, normal) != 0 ? normal : "");
		page_cell(&s->page, info->help);
	}
	page_table_end(&s->page);
}

void section_notes(struct sheet *s)
{
	warnings(s);
	if (s->o->of.analysis)
		settings(s);
	if (s->report->command) {
		page_section(&s->page, "again", "Reproduce this report");
		page_code(&s->page, s->report->command);
	}
}
