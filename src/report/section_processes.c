/* The processes: their balance, and the ranks with the largest and smallest values. */
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "report_int.h"
#include "tui/widgets/svg.h"

#define MOST_ROWS 16 /* more processes: those at an end */
#define ENDS 6

static double useful(const struct process_row *r)
{
	return r->account.by_kind[ACCOUNT_USEFUL];
}

static double waiting(const struct process_row *r)
{
	return account_sync(&r->account);
}

static double moving(const struct process_row *r)
{
	return account_moving(&r->account);
}

static double process_bytes_sent(const struct process_row *r)
{
	return (double)r->bytes_sent;
}

/* ---- extremes ---- */

struct end {
	const char *what;
	double (*of)(const struct process_row *r);
	bool least;
	uint32_t row; /* UINT32_MAX: none */
};

/* The first of several; none where all are alike. */
static void end_find_process(struct end *x, const struct process_rows *rows)
{
	double best = (double)NAN, other = (double)NAN;

	x->row = UINT32_MAX;
	for (uint32_t i = 0; i < rows->count; i++) {
		double v = x->of(&rows->row[i]);

		if (isnan(v))
			continue;
		other = x->least ? fmax(other, v) : fmin(other, v);
		if (isnan(best) || (x->least ? v < best : v > best)) {
			best = v;
			x->row = i;
		}
	}
	if (best == other)
		x->row = UINT32_MAX;
}

static void why_shown(struct out *why, const struct end *ends, uint32_t row)
{
	for (int i = 0; i < ENDS; i++)
		if (ends[i].row == row)
			out_printf(why, "%s%s", why->len ? ", " : "", ends[i].what);
}

/* ---- the table ---- */

static bool hosts_known(const struct process_rows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++)
		if (*rows->row[i].host)
			return true;
	return false;
}

static void process_print_row(struct sheet *s, const struct process_row *r, const char *why, bool hosts)
{
	bool known = s->o->has_account;
	char number[UNIT_TEXT];

	page_cell(&s->page, unit_count(number, r->process));
	if (hosts && *r->host)
		page_name(&s->page, r->host);
	else if (hosts)
		page_cell(&s->page, "-");
	page_cell(&s->page, unit_figure_time(number, r->time));
	page_cell(&s->page, unit_figure_time(number, known ? useful(r) : (double)NAN));
	page_share(&s->page, unit_figure_percent(number, known ? r->busy : (double)NAN), known ? r->busy : (double)NAN);
	page_cell(&s->page, unit_figure_time(number, known ? waiting(r) : (double)NAN));
	page_cell(&s->page, unit_figure_time(number, known ? moving(r) : (double)NAN));
	page_cell(&s->page, unit_count(number, r->sends));
	page_cell(&s->page, r->sends && r->unsized == r->sends ? "-" : unit_bytes(number, r->bytes_sent));
	page_cell(&s->page, why);
}

static void table(struct sheet *s, const struct process_rows *rows, const struct end *ends)
{
	static const struct column_look all[] = {
		{.title = "rank", .align = LOOK_RIGHT}, {.title = "node"}, {.title = "recorded", .align = LOOK_RIGHT}, {.title = "computation", .align = LOOK_RIGHT}, {.title = "of the run time", .align = LOOK_RIGHT}, {.title = "waiting", .align = LOOK_RIGHT},
		{.title = "transfer", .align = LOOK_RIGHT}, {.title = "sends", .align = LOOK_RIGHT}, {.title = "sent", .align = LOOK_RIGHT}, {.title = "largest or smallest"},
	};
	struct column_look columns[10];
	bool hosts = hosts_known(rows);
	uint32_t n = 0;

	for (uint32_t i = 0; i < 10; i++)
		if (i != 1 || hosts)
			columns[n++] = all[i];
	page_table(&s->page, columns, n);
	for (uint32_t i = 0; i < rows->count; i++) {
		struct out why;

		out_init(&why);
		why_shown(&why, ends, i);
		if (rows->count <= MOST_ROWS || why.len)
			process_print_row(s, &rows->row[i], why.text ? why.text : "", hosts);
		s->page.out->failed |= why.failed;
		out_release(&why);
	}
	page_table_end(&s->page);
}

/* ---- pictures ---- */

static void picture(struct sheet *s, const struct process_rows *rows, const char *caption, double (*of)(const struct process_row *r),
		    enum role role)
{
	double *y = mem_alloc(rows->count, sizeof *y);
	struct plot_series series = {.kind = PLOT_BARS, .role = role, .count = rows->count, .y = y};
	struct plot plot = PLOT_INIT;

	if (!y) {
		s->page.out->failed = true;
		return;
	}
	for (uint32_t i = 0; i < rows->count; i++)
		y[i] = of(&rows->row[i]);
	plot.series = &series;
	plot.series_count = 1;
	plot.x = (struct plot_axis){.from = 0.5, .to = rows->count + 0.5, .unit = PLOT_COUNT};
	plot.y.unit = PLOT_SECONDS;
	if (page_picture(&s->page, caption, false)) {
		plot_svg(&plot, caption, 380, 180, s->page.out);
		page_picture_end(&s->page);
	}
	mem_free(y);
}

void section_processes(struct sheet *s)
{
	const struct process_rows *rows = s->o->of.processes;
	struct end ends[ENDS] = {
		{"most computation", useful, false, 0}, {"least computation", useful, true, 0}, {"most waiting", waiting, false, 0},
		{"least waiting", waiting, true, 0}, {"most transfer", moving, false, 0}, {"most bytes sent", process_bytes_sent, false, 0},
	};
	char text[SHEET_TEXT];

	page_section(&s->page, "processes", "Processes");
	if (!rows || !rows->count) {
		page_absent(&s->page, "The times of the ranks are unknown.");
		return;
	}
	for (int i = 0; i < ENDS; i++) {
		end_find_process(&ends[i], rows);
		if (!s->o->has_account && ends[i].of != process_bytes_sent)
			ends[i].row = UINT32_MAX;
	}
	if (ends[0].row != UINT32_MAX) {
		enum outside_use use = run_metrics_outside(s->run->metrics, rows->row[ends[0].row].process);

		if (use == OUTSIDE_IDLE || use == OUTSIDE_SHARED)
			ends[0].what = use == OUTSIDE_IDLE ? "idle outside MPI" : "shares its processor";
	}
	if (s->o->has_account && rows->count > 1) {
		page_pictures(&s->page);
		picture(s, rows, "Computation by rank", useful, ROLE_COMPUTE);
		picture(s, rows, "Waiting by rank", waiting, ROLE_WAIT);
		page_pictures_end(&s->page);
	}
	if (rows->count > MOST_ROWS) {
		snprintf(text, sizeof text, "The ranks with the largest or smallest values, of %u ranks:", (unsigned)rows->count);
		page_sentence(&s->page, text);
	}
	table(s, rows, ends);
}
