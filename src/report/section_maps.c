/* Heat maps over time: which phase, how much computing, how much waiting, a row for a process or for several. */
#include <math.h>
#include <stdio.h>

#include "core/metrics/maps/traffic.h"
#include "report_int.h"
#include "tui/widgets/svg.h"

struct sheet_map {
	const struct sheet *sheet;
	const struct heat_map *h;
};

static double value(const void *ctx, uint32_t row, uint32_t column)
{
	const struct sheet_map *m = ctx;

	return m->h->value[(size_t)row * m->h->columns + column];
}

static enum role map_cell_role(const void *ctx, uint32_t row, uint32_t column)
{
	const struct sheet_map *m = ctx;
	double v = value(ctx, row, column);

	return v >= 1 && m->sheet->role ? m->sheet->role[(uint32_t)v - 1] : ROLE_NONE;
}

/* "r0", "r32–63". */
static const char *map_row_name(const void *ctx, uint32_t row, char *text)
{
	const struct sheet_map *m = ctx;
	uint32_t first = matrix_first(row, m->h->rows, m->h->processes), end = matrix_first(row + 1, m->h->rows, m->h->processes);

	return unit_ranks_short(text, first, end > first ? end - 1 : first);
}

static void map_draw(struct sheet *s, const struct heat_map *h, const char *caption, enum role role)
{
	struct sheet_map map = {s, h};
	struct heat_picture p = {
		.heat = {.columns = h->columns, .most = h->most, .unit = PLOT_SHARE, .role = role,
			 .value = value, .ctx = &map},
		.rows = h->rows, .x = {.from = 0, .to = h->to - h->from, .unit = PLOT_SECONDS}, .name = map_row_name,
		.kind = h->measure == HEAT_PHASE ? map_cell_role : NULL,
	};

	if (!page_picture(&s->page, caption, true))
		return;
	heat_svg(&p, caption, 760, s->page.out);
	page_picture_end(&s->page);
}

static void legend(struct sheet *s)
{
	uint32_t count = s->o->of.analysis->figures->count;
	char number[UNIT_TEXT];

	page_legend(&s->page);
	for (uint32_t i = 0; i < count && i < PHASE_ROLES; i++) {
		snprintf(number, sizeof number, "phase %u", (unsigned)s->ranked[i]);
		page_legend_entry(&s->page, s->role[s->ranked[i] - 1], number);
	}
	if (count > PHASE_ROLES)
		page_legend_entry(&s->page, ROLE_PHASE_REST, "other phases");
	page_legend_end(&s->page);
}

void section_maps(struct sheet *s)
{
	const struct heat_map *const *maps = s->report->maps;
	const struct heat_map *phase = maps[HEAT_PHASE], *compute = maps[HEAT_COMPUTE], *waiting = maps[HEAT_WAITING];
	bool known = s->o->has_account;

	if (s->page.format != REPORT_HTML)
		return;
	page_section(&s->page, "maps", "Over time");
	if (!phase && !compute && !waiting) {
		page_absent(&s->page, "The trace has no times, so there is nothing to draw.");
		return;
	}
	if (phase && s->role && phase->most > 0) {
		map_draw(s, phase, "Phase with the largest share of each interval", ROLE_DEFAULT);
		legend(s);
	}
	if (compute && known)
		map_draw(s, compute, "Computation: share of the time", ROLE_COMPUTE);
	if (waiting && known)
		map_draw(s, waiting, "Waiting: share of the time", ROLE_WAIT);
	if (!known)
		page_absent(&s->page, "Computation and waiting are unknown: the trace has no MPI calls, only messages.");
}
