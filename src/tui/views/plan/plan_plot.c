/* Cost against spread: every design, those that none beats joined, the budget a line, and the row under the cursor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "plan_int.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/units.h"

struct point {
	double cost, spread;
};

ORDER_BY(by_cost, struct point, UP(cost) UP(spread))

bool plan_plot_make(struct plan_view *s)
{
	uint32_t n = s->plan->count, k = 0;
	double *points = mem_resize(s->points, 4 * (size_t)n + 1, sizeof *points);
	struct point *sorted = mem_alloc(n, sizeof *sorted);

	if (points)
		s->points = points;
	s->frontier = 0;
	if (!points || !sorted) {
		mem_free(sorted);
		return false;
	}
	for (uint32_t i = 0; i < n; i++) {
		points[i] = s->plan->candidate[i].cost_share;
		points[n + i] = s->plan->candidate[i].spread;
		if (s->plan->candidate[i].frontier)
			sorted[k++] = (struct point){points[i], points[n + i]};
	}
	SORT(sorted, k, by_cost);
	for (uint32_t i = 0; i < k; i++) {
		points[2 * n + i] = sorted[i].cost;
		points[3 * n + i] = sorted[i].spread;
	}
	s->frontier = k;
	mem_free(sorted);
	return true;
}

/* Where the best are many times better than the worst, a linear axis would show only the worst. */
static enum plot_scale scale_of_spreads(const struct plan *p)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		least = fmin(least, p->candidate[i].spread);
		most = fmax(most, p->candidate[i].spread);
	}
	return least > 0 && most > 8 * least ? SCALE_LOG : SCALE_LINEAR;
}

void plan_plot_draw(const struct plan_view *s, struct pane p)
{
	const struct plan *plan = s->plan;
	uint32_t n = plan->count, row = list_row(&s->view.list);
	double budget[2] = {plan->budget.share, plan->budget.share}, edge[2] = {NAN, NAN};
	char limit[64], share[UNIT_TEXT];
	struct plot_series series[] = {
		{.name = "frontier", .kind = PLOT_CURVE, .role = ROLE_COMPUTE, .count = s->frontier, .x = s->points + 2 * (size_t)n,
		 .y = s->points + 3 * (size_t)n},
		{.name = limit, .kind = PLOT_CURVE, .role = ROLE_WARN, .count = 2, .x = budget, .y = edge},
		{.name = "designs", .kind = PLOT_POINTS, .role = ROLE_DIM, .count = n, .x = s->points, .y = s->points + n},
		{.name = "choice", .kind = PLOT_POINTS, .role = ROLE_BETTER, .count = 1},
		{.name = "this row", .kind = PLOT_POINTS, .role = ROLE_MATCH, .count = 1},
	};
	struct plot plot = PLOT_INIT;

	plot.title = "spread by cost, of AET";
	plot.x.scale = SCALE_LOG;
	plot.x.unit = PLOT_SHARE;
	plot.y.unit = PLOT_SHARE;
	plot.y.scale = scale_of_spreads(plan);
	snprintf(limit, sizeof limit, "budget %s", unit_percent(share, plan->budget.share));
	series[3].x = plan->choice < 0 ? NULL : &s->points[plan->choice];
	series[3].y = plan->choice < 0 ? NULL : &s->points[n + (uint32_t)plan->choice];
	if (plan->choice < 0) {
		series[3].name = NULL;
		series[3].count = 0;
	}
	series[4].x = row < n ? &s->points[row] : NULL;
	series[4].y = row < n ? &s->points[n + row] : NULL;
	if (row >= n) {
		series[4].name = NULL;
		series[4].count = 0;
	}
	plot.series = series;
	plot.series_count = sizeof series / sizeof *series;
	plot_axes(&plot, &plot.x, &plot.y); /* what the designs need; the budget is a line from edge to edge */
	edge[0] = plot.y.from;
	edge[1] = plot.y.to;
	plot_draw(&plot, p);
}
