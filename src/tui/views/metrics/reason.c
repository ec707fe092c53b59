/* The parts of the selected factor: the time breakdown, the ranks with the most computation, the waits and their
 * causes, the time of the functions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics_int.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/bars.h"

/* A row: what, how much, and how much of the largest. */
static void draw_part(const struct metrics_view *s, struct pane p, int y, int name_w, const char *name, enum role role, double seconds,
		      double largest)
{
	char text[UNIT_TEXT];

	if (y >= p.h)
		return;
	pane_text_in(p, 0, y, name_w, ROLE_DEFAULT, 0, name);
	pane_text_right(p, name_w + 10, y, ROLE_DEFAULT, 0, metrics_time_text(s, seconds, text));
	bar_draw_eighths(p, name_w + 11, y, p.w - name_w - 12, largest > 0 ? seconds / largest : 0, role);
}

static int name_width(struct pane p, int most)
{
	int w = p.w - 11 - 5;

	return w < 8 ? 8 : w > most ? most : w;
}

struct reason_part {
	const char *name;
	enum role role;
	double seconds;
};

static int draw_parts(const struct metrics_view *s, struct pane p, const char *title, const struct reason_part *parts, int count)
{
	double largest = 0;
	int y = 0;

	for (int i = 0; i < count; i++)
		largest = fmax(largest, parts[i].seconds);
	pane_text_in(p, 0, y++, p.w, ROLE_HEADER, 0, title);
	for (int i = 0; i < count; i++)
		if (parts[i].seconds > 0)
			draw_part(s, p, y++, name_width(p, 22), parts[i].name, parts[i].role, parts[i].seconds, largest);
	if (y == 1)
		pane_text(p, 0, y++, ROLE_DIM, 0, "none");
	return y;
}

static void draw_whole(const struct metrics_view *s, struct pane p)
{
	const struct run_metrics *m = s->run->metrics;
	const struct reason_part parts[] = {
		{"computation", ROLE_COMPUTE, m->account.by_kind[ACCOUNT_USEFUL]},
		{"waiting", ROLE_WAIT, account_sync(&m->account)},
		{"transfer", ROLE_SEND, account_moving(&m->account)},
		{"not analysed", ROLE_DIM, m->account.not_analysed},
		{"other MPI", ROLE_MPI, account_other_mpi(&m->account)},
		{"tracer", ROLE_NONE, m->account.by_kind[ACCOUNT_TRACER]},
		{"tracing off", ROLE_DIM, m->account.by_kind[ACCOUNT_UNTRACED]},
		{"not recorded", ROLE_DIM, m->outside},
	};

	draw_parts(s, p, "total time", parts, sizeof parts / sizeof *parts);
}

static double useful_of(const struct run_metrics *m, uint32_t process)
{
	return m->of_process[process].by_kind[ACCOUNT_USEFUL];
}

void metrics_ends_text(const struct run_metrics *m, char *text, size_t size)
{
	uint32_t most = NO_PROCESS, least = NO_PROCESS;
	char a[UNIT_TEXT], b[UNIT_TEXT];

	for (uint32_t i = 0; i < m->processes; i++) {
		if (isnan(useful_of(m, i)))
			continue;
		most = most == NO_PROCESS || useful_of(m, i) > useful_of(m, most) ? i : most;
		least = least == NO_PROCESS || useful_of(m, i) < useful_of(m, least) ? i : least;
	}
	text[0] = 0;
	if (most != NO_PROCESS)
		snprintf(text, size, "most %s %s · least %s %s", unit_rank_short((char[UNIT_TEXT]){""}, most), unit_time(a, useful_of(m, most)), unit_rank_short((char[UNIT_TEXT]){""}, least),
			 unit_time(b, useful_of(m, least)));
}

static void draw_balance(const struct metrics_view *s, struct pane p)
{
	const struct run_metrics *m = s->run->metrics;
	char text[128];
	struct plot_series series = {.kind = PLOT_BARS, .role = ROLE_COMPUTE};
	struct plot plot = PLOT_INIT;
	double *useful = s->useful;

	if (p.h > 4 && useful) {
		series.count = m->processes;
		series.y = useful;
		plot.title = "computation by rank";
		plot.x.unit = PLOT_COUNT;
		plot.x.from = 0;
		plot.x.to = m->processes - 1;
		plot.y.unit = PLOT_SECONDS;
		plot.y.from = 0;
		plot.series = &series;
		plot.series_count = 1;
		plot_draw(&plot, pane_part(p, 0, 0, p.w, p.h - 1));
	}
	metrics_ends_text(m, text, sizeof text);
	text_drop_facts(text, p.w);
	pane_text(p, 0, p.h > 4 ? p.h - 1 : 0, ROLE_DEFAULT, 0, text);
}

/* Who, in all phases together: by phase they are in the rows by cause. */
#define MOST_CULPRITS 64
static void draw_causes(const struct metrics_view *s, struct pane p)
{
	char name[512], where[METRICS_PATH_SIZE];
	struct culprit culprits[MOST_CULPRITS];
	uint32_t count;
	int w = name_width(p, 40);

	if (p.h < 2)
		return;
	pane_text(p, 0, 0, ROLE_HEADER, 0, "root causes");
	if (!s->causes.causes) {
		pane_text(p, 0, 1, ROLE_DIM, 0, "…");
		return;
	}
	count = causes_culprits(s->causes.causes, culprits, p.h - 1 < MOST_CULPRITS ? (uint32_t)p.h - 1 : MOST_CULPRITS);
	for (uint32_t i = 0; i < count; i++) {
		const struct culprit *c = &culprits[i];
		bool in_calls = c->in_calls > c->useful;

		call_node_path(s->run->log, c->node, where, sizeof where);
		snprintf(name, sizeof name, "%s %s%.400s", unit_rank((char[UNIT_TEXT]){""}, c->process),
			 in_calls ? "in " : c->node ? "computation in " : "computation", in_calls || c->node ? where : "");
		draw_part(s, p, (int)i + 1, w, name, in_calls ? ROLE_MPI : ROLE_COMPUTE, culprit_seconds(c), culprit_seconds(&culprits[0]));
	}
	if (!count)
		pane_text(p, 0, 1, ROLE_DIM, 0, run_metrics_not_analysed(s->run->metrics) > 0 ? "unknown" : "none");
}

static void draw_waits(const struct metrics_view *s, struct pane p)
{
	const struct account *a = &s->run->metrics->account;
	const struct reason_part parts[] = {
		{"late sender", ROLE_RECEIVE, a->by_reason[WAIT_LATE_SENDER]},
		{"late receiver", ROLE_SEND, a->by_reason[WAIT_LATE_RECEIVER]},
		{"in collective", ROLE_COLLECTIVE, a->by_reason[WAIT_COLLECTIVE]},
	};
	int y = draw_parts(s, p, "waiting by kind", parts, WAIT_REASONS);

	draw_causes(s, pane_part(p, 0, y, p.w, p.h - y));
}

static enum role role_of(enum account_kind k)
{
	static const enum role roles[ACCOUNT_KINDS] = {
		[ACCOUNT_USEFUL] = ROLE_COMPUTE, [ACCOUNT_SEND] = ROLE_SEND, [ACCOUNT_RECEIVE] = ROLE_RECEIVE, [ACCOUNT_WAIT] = ROLE_WAIT,
		[ACCOUNT_COLLECTIVE] = ROLE_COLLECTIVE, [ACCOUNT_OTHER_MPI] = ROLE_MPI, [ACCOUNT_UNTRACED] = ROLE_DIM,
		[ACCOUNT_TRACER] = ROLE_NONE,
	};

	return roles[k];
}

/* Functions by time beyond waiting; how often, and what they sent, where that has room. */
static void draw_functions(const struct metrics_view *s, struct pane p)
{
	bool more = p.w >= 60;
	int w = name_width(p, 20), x = more ? w + 30 : w + 11, y = 1;
	double all = account_moving(&s->run->metrics->account);
	char text[UNIT_TEXT];

	pane_text_in(p, 0, 0, w, ROLE_HEADER, 0, "MPI function");
	pane_text_right(p, w + 10, 0, ROLE_HEADER, 0, "transfer");
	if (more) {
		pane_text_right(p, w + 19, 0, ROLE_HEADER, 0, "calls");
		pane_text_right(p, w + 29, 0, ROLE_HEADER, 0, "sent");
	}
	for (uint32_t i = 0; i < s->run->function_count && y < p.h; i++) {
		const struct spent_function *f = &s->run->functions[i];
		double transfer = f->time - f->sync - f->not_analysed;

		if (f->kind < ACCOUNT_SEND || f->kind > ACCOUNT_COLLECTIVE)
			continue;
		pane_text_in(p, 0, y, w, ROLE_DEFAULT, 0, f->name);
		if (f->not_analysed > transfer)
			pane_text_right(p, w + 10, y, ROLE_DIM, 0, "unknown");
		else
			pane_text_right(p, w + 10, y, ROLE_DEFAULT, 0, metrics_time_text(s, transfer, text));
		if (more) {
			pane_text_right(p, w + 19, y, ROLE_DIM, 0, unit_count(text, f->calls));
			pane_text_right(p, w + 29, y, ROLE_DIM, 0, f->bytes ? unit_bytes(text, f->bytes) : "");
		}
		bar_draw_eighths(p, x, y++, p.w - x - 1, all > 0 ? transfer / all : 0, role_of(f->kind));
	}
	if (y == 1)
		pane_text(p, 0, 1, ROLE_DIM, 0, "no communication");
}

void metrics_reason_draw(const struct metrics_view *s, struct pane p)
{
	if (!s->run->metrics->has_account)
		return;
	switch (metrics_selected(s)) {
	case FACTOR_BALANCE:
	case FACTOR_NODES:
	case FACTOR_INSIDE: draw_balance(s, p); break;
	case FACTOR_SERIALISATION: draw_waits(s, p); break;
	case FACTOR_COMMUNICATION:
	case FACTOR_TRANSFER:
	case FACTOR_TRACER: draw_functions(s, p); break;
	default: draw_whole(s, p);
	}
}
