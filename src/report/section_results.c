/* Predictions: results of `pas2p run`, with their intervals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "report_int.h"
#include "tui/widgets/svg.h"

static const char *called(const struct result *r)
{
	return *r->label ? r->label : r->path ? r->path : r->application;
}

static void result_print_row(struct sheet *s, const struct result *r)
{
	char number[UNIT_TEXT], text[SHEET_TEXT], low[UNIT_TEXT], high[UNIT_TEXT];

	page_name(&s->page, called(r));
	if (*r->host.name)
		page_name(&s->page, r->host.name);
	else
		page_cell(&s->page, "-");
	snprintf(text, sizeof text, "%s%s%s", r->mechanism, *r->mechanism_version ? " " : "", r->mechanism_version);
	page_cell(&s->page, text);
	page_cell(&s->page, unit_count(number, r->processes));
	page_cell(&s->page, unit_count(number, r->runs));
	page_cell(&s->page, unit_figure_time(number, r->pet_scaled));
	if (result_has_interval(r)) {
		snprintf(text, sizeof text, "%s to %s", unit_figure_time(low, r->low), unit_figure_time(high, r->high));
		page_cell(&s->page, text);
	} else {
		page_cell(&s->page, "-");
	}
	page_cell(&s->page, r->aet > 0 ? unit_figure_time(number, r->aet) : "-");
	page_cell(&s->page, r->aet > 0 ? unit_figure_percent(number, r->pete_scaled) : "-");
}

/* room: five numbers a result. */
static void results_draw(struct sheet *s, const struct result *results, uint32_t count, double *room)
{
	double *x = room, *predicted = x + count, *low = predicted + count, *high = low + count, *known = high + count;
	struct plot_series series[] = {
		{.name = "predicted", .kind = PLOT_POINTS, .role = ROLE_SEND, .count = count, .x = x, .y = predicted, .low = low, .high = high},
		{.name = "measured run time", .kind = PLOT_POINTS, .role = ROLE_RECEIVE, .count = count, .x = x, .y = known},
	};
	struct plot plot = PLOT_INIT;
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		bool interval = result_has_interval(&results[i]);

		x[i] = i + 1;
		predicted[i] = results[i].pet_scaled;
		low[i] = interval ? results[i].low : (double)NAN;
		high[i] = interval ? results[i].high : (double)NAN;
		known[i] = results[i].aet > 0 ? results[i].aet : (double)NAN;
		any |= results[i].aet > 0;
	}
	plot.series = series;
	plot.series_count = any ? 2 : 1;
	plot.x = (struct plot_axis){.from = 0.5, .to = count + 0.5, .unit = PLOT_COUNT};
	plot.y.unit = PLOT_SECONDS;
	plot_svg(&plot, "Predictions with their intervals", 380, 220, s->page.out);
}

static void picture(struct sheet *s, const struct result *results, uint32_t count)
{
	double *room = mem_alloc((size_t)count * 5, sizeof *room);

	if (!room) {
		s->page.out->failed = true;
		return;
	}
	page_pictures(&s->page);
	if (page_picture(&s->page, "Predictions and their intervals, in the order of the table", false)) {
		results_draw(s, results, count, room);
		page_picture_end(&s->page);
	}
	page_pictures_end(&s->page);
	mem_free(room);
}

static void warn_of_others(struct sheet *s, const struct result *r, const char *sha256)
{
	char text[512];

	if (!*sha256 || !*r->sha256 || !strcmp(sha256, r->sha256))
		return;
	snprintf(text, sizeof text, "%.200s is of another trace; do not compare it with this run.", called(r));
	page_warning(&s->page, text);
}

static void remarks(struct sheet *s, const struct result *r)
{
	char text[512], share[UNIT_TEXT];
	const char *name = called(r);

	snprintf(text, sizeof text, "%.200s: started %s; its phases cover %s %s", name, *r->started ? r->started : "at an unknown time",
		 unit_figure_percent(share, r->coverage), settings_share_of(&r->settings, "of the traced run"));
	page_item(&s->page, text);
	for (const char **note = r->notes; note && *note; note++) {
		snprintf(text, sizeof text, "%.200s: %.280s", name, *note);
		page_item(&s->page, text);
	}
}

void section_results(struct sheet *s)
{
	static const struct column_look columns[] = {
		{.title = "result"}, {.title = "node"}, {.title = "mechanism"}, {.title = "processes", .align = LOOK_RIGHT}, {.title = "runs", .align = LOOK_RIGHT},
		{.title = "predicted time", .align = LOOK_RIGHT}, {.title = "95 % interval", .align = LOOK_RIGHT}, {.title = "measured time", .align = LOOK_RIGHT}, {.title = "prediction error", .align = LOOK_RIGHT},
	};
	const struct report *r = s->report;

	if (!r->result_count)
		return;
	page_section(&s->page, "predictions", "Predictions");
	page_sentence(&s->page, "Run times predicted from measured phase times.");
	for (uint32_t i = 0; i < r->result_count; i++)
		warn_of_others(s, &r->results[i], r->sha256 ? r->sha256 : "");
	page_table(&s->page, columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < r->result_count; i++)
		result_print_row(s, &r->results[i]);
	page_table_end(&s->page);
	if (r->result_count > 1)
		picture(s, r->results, r->result_count);
	page_list(&s->page);
	for (uint32_t i = 0; i < r->result_count; i++)
		remarks(s, &r->results[i]);
	page_list_end(&s->page);
}
