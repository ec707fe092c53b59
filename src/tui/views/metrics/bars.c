/* The time breakdown of each process as a bar; with many processes a bar represents several. */
#include <stdio.h>

#include "core/metrics/maps/traffic.h"
#include "metrics_int.h"
#include "tui/widgets/bars.h"

static const struct {
	enum account_kind kind;
	enum role role;
	char letter; /* as in kinds.h */
	const char *name;
} kinds[ACCOUNT_KINDS] = {
	{ACCOUNT_USEFUL, ROLE_COMPUTE, 0, "computation"},
	{ACCOUNT_SEND, ROLE_SEND, 'S', "send"},
	{ACCOUNT_RECEIVE, ROLE_RECEIVE, 'R', "receive"},
	{ACCOUNT_WAIT, ROLE_WAIT, 'W', "waiting"},
	{ACCOUNT_COLLECTIVE, ROLE_COLLECTIVE, 'C', "collective"},
	{ACCOUNT_OTHER_MPI, ROLE_MPI, 'M', "other MPI"},
	{ACCOUNT_TRACER, ROLE_NONE, 'T', "tracer"},
	{ACCOUNT_UNTRACED, ROLE_DIM, '?', "tracing off"},
};

int metrics_bars_rows(const struct metrics_view *s)
{
	return s->run->metrics->has_account && s->run->metrics->processes < 10000 ? (int)s->run->metrics->processes :
	       s->run->metrics->has_account ? 10000 : 0;
}

static void draw_legend(const struct metrics_view *s, struct pane p, int x)
{
	struct bar_part parts[ACCOUNT_KINDS];
	const char *names[ACCOUNT_KINDS];
	int n = 0;

	for (int k = 0; k < ACCOUNT_KINDS; k++) {
		if (!(s->run->metrics->account.by_kind[kinds[k].kind] > 0))
			continue;
		parts[n] = (struct bar_part){kinds[k].role, kinds[k].letter, 1};
		names[n++] = kinds[k].name;
	}
	stacked_bar_legend(p, x, 0, parts, names, n);
}

void metrics_bars_draw(const struct metrics_view *s, struct pane p)
{
	const struct run_metrics *m = s->run->metrics;
	uint32_t n = m->processes, rows = n < (uint32_t)(p.h - 1) ? n : (uint32_t)(p.h - 1);
	int gutter = rows < n ? 2 * unit_digits(n) + 4 : unit_digits(n) + 3, room = p.w - gutter - 10;
	char text[UNIT_TEXT], share[UNIT_TEXT];

	pane_text_right(p, p.w - 1, 0, ROLE_HEADER, 0, "computation");
	draw_legend(s, pane_part(p, 0, 0, p.w - 13, 1), gutter);
	for (uint32_t r = 0; r < rows; r++) {
		uint32_t from = matrix_first(r, rows, n), to = matrix_first(r + 1, rows, n);
		struct bar_part parts[ACCOUNT_KINDS];
		struct account sum = {.hidden = 0};
		double whole = (to - from) * m->runtime;

		for (uint32_t i = from; i < to; i++)
			account_add(&sum, &m->of_process[i]);
		for (int k = 0; k < ACCOUNT_KINDS; k++)
			parts[k] = (struct bar_part){kinds[k].role, kinds[k].letter, sum.by_kind[kinds[k].kind]};
		pane_text(p, 1, (int)r + 1, ROLE_HEADER, 0, unit_ranks_short(text, from, to - 1));
		stacked_bar_draw(p, gutter, (int)r + 1, room, parts, ACCOUNT_KINDS, whole);
		pane_text_right(p, p.w - 1, (int)r + 1, ROLE_COMPUTE, 0,
				unit_figure_percent(share, whole > 0 ? sum.by_kind[ACCOUNT_USEFUL] / whole : 0));
	}
}
