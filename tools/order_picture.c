/* The picture of the two orders in docs/explain/method.md: order-picture
 *
 * Above, the first iteration of the exchange that sample-traces/exchange-* are runs of, on four processes: two runs, in the
 * order of lamport and in that of pas2p. Below, how many phases of blocks each order has on more processes. All of it comes
 * from the analysis, by the same plot as the workbench.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/method/analysis/analysis.h"
#include "core/formats/api/load.h"
#include "core/io/out.h"
#include "core/io/source.h"
#include "gen_exchange.h"
#include "tui/widgets/plot.h"

#define COLUMNS 100
#define ROWS 32
#define HEAD_ROWS 9   /* of the grids; the plot is below */
#define CELL_COLUMNS 3
#define GRID_PROCESSES 4
#define ITERATIONS 20

static const int32_t ranks[] = {4, 8, 16, 32, 64};
#define RANKS (sizeof ranks / sizeof *ranks)

/* One run in one order. */
struct ordered_run {
	struct trace *trace;
	struct analysis *analysis;
};

static struct ordered_run order_run(int32_t processes, uint64_t seed, enum order order)
{
	struct gen_bytes b = gen_exchange(&(struct gen_exchange){.processes = processes, .iterations = ITERATIONS, .seed = seed});
	struct ordered_run r = {0};
	struct settings settings;
	struct source source;
	struct err e;

	settings_init(&settings);
	settings.order = order;
	settings.similarity = SIMILARITY_BBP;
	if (source_open_memory(&source, "exchange", b.bytes, b.size, &e) || trace_load_sources(&r.trace, &source, 1, NULL, NULL, &e) ||
	    analysis_new(&r.analysis, r.trace, &settings, NULL, ANALYSIS_PHASES, NULL, &e)) {
		fprintf(stderr, "order-picture: %s\n", e.text);
		exit(1);
	}
	source_release(&source);
	free(b.bytes);
	return r;
}

static void release_run(struct ordered_run *r)
{
	analysis_unref(r->analysis);
	trace_free(r->trace);
}

/* Its type at that tick, 0 if there is no event. */
static event_type type_at(const struct ordered_run *r, uint32_t tick, uint32_t process)
{
	uint32_t event = logical_event_at(r->analysis->logical, tick, process);

	return event == NO_EVENT ? 0 : r->trace->type[event];
}

/* The first ticks of a run; what the other run has not in the same place stands out. */
static int draw_grid(struct pane p, int x, const char *title, const struct ordered_run *run, const struct ordered_run *other)
{
	uint32_t ticks = run->analysis->logical->tick_count / ITERATIONS;

	pane_text(p, x, 2, ROLE_DEFAULT, 0, title);
	pane_text(p, x, 3, ROLE_HEADER, 0, "tick");
	for (uint32_t t = 0; t < ticks; t++)
		pane_textf(p, x + 7 + (int)t * CELL_COLUMNS, 3, ROLE_HEADER, 0, "%2u", (unsigned)t);
	for (uint32_t r = 0; r < GRID_PROCESSES; r++) {
		pane_textf(p, x, 4 + (int)r, ROLE_HEADER, 0, "rank %u", (unsigned)r);
		for (uint32_t t = 0; t < ticks; t++) {
			event_type type = type_at(run, t, r);
			bool sends = EVENT_KIND(type) == EVENT_SEND;

			if (type)
				pane_textf(p, x + 7 + (int)t * CELL_COLUMNS, 4 + (int)r, sends ? ROLE_SEND : ROLE_RECEIVE,
					   type == type_at(other, t, r) ? 0 : ATTR_REVERSE, "%c%u", sends ? '>' : '<', (unsigned)EVENT_INDEX(type) - 1);
		}
	}
	return x + 7 + (int)ticks * CELL_COLUMNS + 2;
}

static void draw_grids(struct pane p)
{
	struct ordered_run lamport[2], pas2p[2];
	int x = 0;

	for (uint64_t i = 0; i < 2; i++) {
		lamport[i] = order_run(GRID_PROCESSES, i + 1, ORDER_LAMPORT);
		pas2p[i] = order_run(GRID_PROCESSES, i + 1, ORDER_PAS2P);
	}
	pane_text(p, x, 0, ROLE_TITLE, 0, "One exchange of 4 ranks in two runs. Marked: the other run has another event there");
	x = draw_grid(p, x, "lamport, first run", &lamport[0], &lamport[1]);
	x = draw_grid(p, x, "lamport, second run", &lamport[1], &lamport[0]);
	draw_grid(p, x, "pas2p, both runs", &pas2p[0], &pas2p[1]);
	for (int i = 0; i < 2; i++) {
		release_run(&lamport[i]);
		release_run(&pas2p[i]);
	}
}

/* How many phases on each number of ranks; and as text, "lamport: 78, 160". */
static void count_phases(double *count, enum order order, const char *name, struct out *text)
{
	out_printf(text, "%s:", name);
	for (size_t i = 0; i < RANKS; i++) {
		struct ordered_run r = order_run(ranks[i], 1, order);

		count[i] = r.analysis->phases->count;
		out_printf(text, "%s %u", i ? "," : "", (unsigned)r.analysis->phases->count);
		release_run(&r);
	}
}

static void draw_counts(struct pane p)
{
	double x[RANKS], count[2][RANKS];
	struct plot_series series[] = {
		{.kind = PLOT_CURVE, .role = ROLE_WARN, .count = RANKS, .x = x, .y = count[0]},
		{.kind = PLOT_CURVE, .role = ROLE_SEND, .count = RANKS, .x = x, .y = count[1]},
	};
	struct plot plot = PLOT_INIT;
	struct out text[2];

	for (size_t i = 0; i < RANKS; i++)
		x[i] = ranks[i];
	for (int i = 0; i < 2; i++) {
		out_init(&text[i]);
		count_phases(count[i], i ? ORDER_PAS2P : ORDER_LAMPORT, i ? "pas2p" : "lamport", &text[i]);
		series[i].name = text[i].text;
	}
	plot.title = "Phases on 4, 8, 16, 32, 64 ranks";
	plot.series = series;
	plot.series_count = 2;
	plot.x.unit = plot.y.unit = PLOT_COUNT;
	plot.y.from = 0;
	plot.x.from = 0;
	plot.y.to = 1400;
	plot_draw(&plot, p);
	for (int i = 0; i < 2; i++)
		out_release(&text[i]);
}

int main(void)
{
	struct canvas c;
	struct out out;

	out_init(&out);
	canvas_init(&c, false);
	if (canvas_resize(&c, COLUMNS, ROWS)) {
		draw_grids(pane_part(canvas_pane(&c), 0, 0, COLUMNS, HEAD_ROWS));
		draw_counts(pane_part(canvas_pane(&c), 0, HEAD_ROWS, COLUMNS, ROWS - HEAD_ROWS));
		canvas_svg(&c, true, "Two orders of one exchange", &out);
		fwrite(out.text, 1, out.len, stdout);
	}
	canvas_release(&c);
	out_release(&out);
	return 0;
}
