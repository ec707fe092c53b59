/* Speedup and efficiency over processes: the measured values, the ideal, the goal, and the possible gain according to
 * the serial fraction. */
#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "runs_int.h"
#include "tui/widgets/plot.h"

#define GRID 129
#define FURTHER 2     /* times the most processes: how far a linear axis goes */
#define FURTHER_LOG 8

/* Known processes of the run at a place. */
static double processes_of(const struct runs *r, uint32_t place)
{
	return r->figures[place].processes;
}

static void take_measured(struct runs_curves *c, const struct runs *r)
{
	c->counts = 0;
	for (uint32_t i = 0; i < c->runs; i++) {
		const struct scaling_run *run = &r->figures[i];
		bool first = !i || run->processes != r->figures[i - 1].processes;
		uint32_t at = first ? c->counts : c->counts - 1;

		c->n[i] = run->processes;
		c->speedup[i] = run->speedup;
		c->efficiency[i] = run->efficiency;
		c->counts += first;
		if (!first && !(run->speedup > c->best_speedup[at]))
			continue;
		c->best_n[at] = run->processes;
		c->best_speedup[at] = run->speedup;
		c->best_efficiency[at] = run->efficiency;
		c->fraction[at] = run->serial_fraction;
	}
}

/* Where lines are drawn through: evenly over the axis, and at every run, so that what stands beside its value is
 * exact. */
static void take_grid(struct runs_curves *c, bool log)
{
	for (uint32_t i = 0; i < GRID; i++) {
		double part = (double)i / (GRID - 1);

		c->at[i] = log ? c->from * pow(c->to / c->from, part) : c->from + (c->to - c->from) * part;
	}
	for (uint32_t i = 0; i < c->runs; i++)
		c->at[GRID + i] = c->n[i];
	c->grid = GRID + c->runs;
	SORT(c->at, c->grid, order_double);
}

static void take_lines(struct runs_curves *c, const struct runs *r)
{
	double f = fmax(r->diagnosis.far.serial_fraction, 0);
	double n_r = r->reference == NO_RUN ? 1 : processes_of(r, r->reference);

	c->has_law = r->known && r->diagnosis.far.projections > 0 && !r->diagnosis.far.slower;
	for (uint32_t i = 0; i < c->grid; i++) {
		double k = c->at[i] / n_r;

		c->ideal[i] = k;
		c->bar[i] = FACTOR_BAR * k;
		c->one[i] = 1;
		c->level[i] = FACTOR_BAR;
		c->law[i] = !c->has_law || k < 1 ? (double)NAN : r->kind == SCALING_WEAK ? k - f * (k - 1) : 1 / (f + (1 - f) / k);
		c->law_efficiency[i] = c->law[i] / k;
	}
}

bool runs_curves_make(struct runs_curves *c, const struct runs *r, bool log)
{
	size_t n = r->known, grid = GRID + n;
	double *room = mem_resize(c->room, 7 * n + 7 * grid, sizeof *room);
	double **parts[] = {&c->n, &c->speedup, &c->efficiency, &c->best_n, &c->best_speedup, &c->best_efficiency, &c->fraction};
	double **lines[] = {&c->at, &c->ideal, &c->bar, &c->law, &c->one, &c->level, &c->law_efficiency};

	c->runs = c->counts = c->grid = 0;
	if (!room)
		return false;
	c->room = room;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++, room += n)
		*parts[i] = room;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++, room += grid)
		*lines[i] = room;
	c->runs = r->known;
	take_measured(c, r);
	if (!c->counts)
		return true;
	c->from = log ? c->best_n[0] : 0;
	c->to = c->best_n[c->counts - 1] * (log ? FURTHER_LOG : FURTHER);
	take_grid(c, log);
	take_lines(c, r);
	return true;
}

static double largest_value(const double *values, uint32_t n)
{
	double most = 0;

	for (uint32_t i = 0; i < n; i++)
		if (values[i] > most)
			most = values[i];
	return most;
}

/* How many of a line that rises stay below the top. */
static uint32_t below(const double *values, uint32_t n, double top)
{
	while (n > 0 && values[n - 1] > top)
		n--;
	return n;
}

void runs_plot_draw(const struct runs_view *v, enum runs_page page, struct pane p)
{
	const struct runs_curves *c = &v->curves;
	const struct runs *r = v->view.model->runs;
	bool speedup = page == RUNS_SPEEDUP;
	struct plot_series series[] = {
		{.name = "ideal", .kind = PLOT_CURVE, .role = ROLE_DIM, .count = c->grid, .x = c->at, .y = speedup ? c->ideal : c->one},
		{.name = "goal", .kind = PLOT_CURVE, .role = ROLE_WARN, .count = c->grid, .x = c->at, .y = speedup ? c->bar : c->level},
		{.name = r->kind == SCALING_WEAK ? "Gustafson" : "Amdahl", .kind = PLOT_CURVE, .role = ROLE_SLIDER, .dashed = true,
		 .count = c->grid, .x = c->at, .y = speedup ? c->law : c->law_efficiency},
		{.name = "runs", .kind = PLOT_POINTS, .role = ROLE_BETTER, .count = c->runs, .x = c->n, .y = speedup ? c->speedup : c->efficiency},
		{.kind = PLOT_CURVE, .role = ROLE_BETTER, .silent = true, .count = c->counts, .x = c->best_n, .y = speedup ? c->best_speedup : c->best_efficiency},
	};
	struct plot plot = PLOT_INIT;

	if (!c->has_law) {
		series[2].name = NULL;
		series[2].count = 0;
	}
	series[0].silent = !speedup; /* it is the top, and what else there is says more */
	plot.title = speedup ? "speedup by processes" : "scaling efficiency by processes";
	plot.series = series;
	plot.series_count = sizeof series / sizeof *series;
	plot.x.unit = PLOT_COUNT;
	plot.x.from = c->from;
	plot.x.to = c->to;
	plot.x.scale = v->log ? SCALE_LOG : SCALE_LINEAR;
	plot.y.unit = speedup ? PLOT_NUMBER : PLOT_SHARE;
	if (!speedup) {
		plot.y.from = 0;
		plot.y.to = fmax(1, largest_value(c->efficiency, c->runs));
	} else if (v->log) {
		plot.y.scale = SCALE_LOG;
	} else {
		double most = 1.15 * fmax(largest_value(c->speedup, c->runs), largest_value(c->law, c->grid));

		/* An ideal far above what is measured would leave no room for that. */
		plot.y.from = 0;
		plot.y.to = fmin(fmax(most, 1), c->ideal[c->grid - 1]);
		series[0].count = below(c->ideal, c->grid, plot.y.to);
		series[1].count = below(c->bar, c->grid, plot.y.to);
	}
	if (r->selected < r->known)
		plot.cursor = processes_of(r, r->selected);
	plot_draw(&plot, p);
}
