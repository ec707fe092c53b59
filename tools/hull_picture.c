/* The picture of a pair's hulls in docs/explain/clocks-bounds.md: hull-picture TRACE P Q
 *
 * Points of messages between two processes, what they bound, and the line that is taken for the clock between them, by
 * the same points, hulls and bounds that pas2p clocks goes by, and the same plot as the workbench.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/clocks/bounds/bounds.h"
#include "core/io/out.h"
#include "tui/widgets/plot.h"

#define COLUMNS 100
#define ROWS 34
#define NEAR 2e-6 /* s: slower messages than that say nothing that can be seen */

struct curve {
	double x[4096], y[4096];
	uint32_t count;
};

struct between {
	uint32_t p, q;
	struct pair_hulls hulls;
	struct curve least, most; /* the points themselves, as far as they are near */
};

static bool add(void *arg, const struct clock_point *point)
{
	struct between *b = arg;
	struct curve *c = point->least ? &b->least : &b->most;

	if (point->p != b->p || point->q != b->q)
		return true;
	if (fabs(point->y) < NEAR && c->count < sizeof c->x / sizeof *c->x) {
		c->x[c->count] = point->x;
		c->y[c->count++] = point->y;
	}
	return point->least ? hull_add(&b->hulls.least, point->x, point->y) : hull_add(&b->hulls.most, point->x, -point->y);
}

/* The corners between which a line can touch, in sight. */
static void corners(struct curve *c, const struct hull *h, double sign)
{
	for (uint32_t i = 0; i < h->count; i++)
		if (fabs(h->point[i].y) < NEAR) {
			c->x[c->count] = h->point[i].x;
			c->y[c->count++] = sign * h->point[i].y;
		}
}

static void draw(const struct between *b, const struct clock_bounds *bounds, struct out *out)
{
	static struct curve least, most;
	uint32_t q = b->q * bounds->borders, p = b->p * bounds->borders;
	double x[2] = {bounds->start, bounds->end};
	double line[2] = {bounds->offset[q] - bounds->offset[p], bounds->offset[q + 1] - bounds->offset[p + 1]};
	struct plot_series series[] = {
		{.name = "q sent, p received: D is at most", .kind = PLOT_POINTS, .role = ROLE_RECEIVE, .mark = '\'',
		 .count = b->most.count, .x = b->most.x, .y = b->most.y},
		{.name = "p sent, q received: D is at least", .kind = PLOT_POINTS, .role = ROLE_SEND, .mark = '.',
		 .count = b->least.count, .x = b->least.x, .y = b->least.y},
		{.name = "their hulls", .kind = PLOT_CURVE, .role = ROLE_RECEIVE, .x = most.x, .y = most.y},
		{.kind = PLOT_CURVE, .role = ROLE_SEND, .silent = true, .x = least.x, .y = least.y},
		{.name = "the line that is taken", .kind = PLOT_CURVE, .role = ROLE_WARN, .count = 2, .x = x, .y = line},
	};
	struct plot plot = PLOT_INIT;
	struct canvas c;

	corners(&most, &b->hulls.most, -1);
	corners(&least, &b->hulls.least, 1);
	series[2].count = most.count;
	series[3].count = least.count;
	plot.title = "D: what must be added to q's stamps to get p's";
	plot.series = series;
	plot.series_count = sizeof series / sizeof *series;
	plot.x.unit = plot.y.unit = PLOT_SECONDS;
	canvas_init(&c, false);
	if (canvas_resize(&c, COLUMNS, ROWS)) {
		plot_draw(&plot, canvas_pane(&c));
		canvas_svg(&c, true, "The hulls of two clocks", out);
	}
	canvas_release(&c);
}

int main(int argc, char **argv)
{
	static struct between b;
	const struct clock_options o = {.windows = 1};
	const char *path = argc == 4 ? argv[1] : NULL;
	struct clock_times times = {0};
	struct clock_bounds *bounds = NULL;
	struct clock_points points = {0};
	struct parallel_stop stop = {0};
	struct trace *t = NULL;
	struct out out;
	struct err e = {.text = "usage: hull-picture TRACE P Q"};
	struct call_log *log = NULL;
	enum err_code code = path ? call_log_load(&log, &t, &path, 1, NULL, NULL, &e) : ERR_USAGE;

	out_init(&out);
	if (!code)
		code = clock_times_init(&times, log, RESOLUTION_AUTO, &e);
	if (!code) {
		b.p = (uint32_t)atoi(argv[2]);
		b.q = (uint32_t)atoi(argv[3]);
		code = clock_bounds_new(&bounds, &times, &o, NULL, &e);
	}
	if (!code)
		code = clock_points_init(&points, &times, 0, bounds->barriers, &e);
	if (!code)
		code = clock_points_visit(&points, &(struct clock_share){.parts = 1, .stop = &stop}, add, &b, &e);
	if (!code) {
		pair_hulls_settle(&b.hulls);
		draw(&b, bounds, &out);
		fwrite(out.text, 1, out.len, stdout);
	} else {
		fprintf(stderr, "hull-picture: %s\n", e.text);
	}
	out_release(&out);
	pair_hulls_release(&b.hulls);
	clock_points_release(&points);
	clock_bounds_free(bounds);
	clock_times_release(&times);
	call_log_free(log);
	trace_free(t);
	return code != ERR_OK;
}
