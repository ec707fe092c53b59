#include "reports.h"

#include <math.h>

#include "core/io/tree_out.h"
#include "core/lists/clocks.h"

static void borders(struct tree_out *d, const char *key, const struct clock_report *r, uint32_t process,
		    double (*figure)(const struct clock_report *, uint32_t, uint32_t))
{
	tree_put_list(d, key, true);
	for (uint32_t k = 0; k < r->bounds->borders; k++)
		tree_real(d, figure(r, process, k));
	tree_end(d);
}

static void shifts(struct tree_out *d, const struct clock_times *t, uint32_t process)
{
	tree_put_list(d, "shifts", true);
	for (uint32_t i = t->first_step[process]; i < t->first_step[process + 1]; i++)
		tree_real(d, t->steps[i].shift);
	tree_end(d);
}

static void one_row(struct tree_out *d, const struct list_table *t, const void *list, uint32_t row)
{
	tree_map(d, false);
	list_tree(d, t, CLOCKS_ALL, list, row);
	tree_end(d);
}

static void put_rows(struct tree_out *d, const struct clock_report *r)
{
	const struct clocks_list l = {.report = r};

	tree_put_list(d, "processes", !r->trace->process_count);
	for (uint32_t p = 0; p < r->trace->process_count; p++) {
		tree_map(d, false);
		list_tree(d, &clocks_processes_columns, CLOCKS_NAME, &l, p);
		borders(d, "offset", r, p, clock_report_offset);
		borders(d, "low", r, p, clock_report_low);
		borders(d, "high", r, p, clock_report_high);
		list_tree(d, &clocks_processes_columns, CLOCKS_RATE, &l, p);
		shifts(d, &r->times, p);
		list_tree(d, &clocks_processes_columns, CLOCKS_COUNT, &l, p);
		tree_end(d);
	}
	tree_end(d);
	tree_put_list(d, "pairs", !r->violations->pair_count);
	for (uint32_t k = 0; k < r->violations->pair_count; k++)
		one_row(d, &clocks_pairs_columns, &l, k);
	tree_end(d);
	tree_put_list(d, "time", !r->violations->bin_count);
	for (uint32_t k = 0; k < r->violations->bin_count; k++)
		one_row(d, &clocks_times_columns, &l, k);
	tree_end(d);
}

static void put_correction(struct tree_out *d, const struct clock_report *r)
{
	const struct clock_correct_figures *f = &r->correction;

	if (!r->corrected) {
		tree_put_null(d, "correction");
		return;
	}
	tree_put_map(d, "correction", false);
	tree_put_text(d, "method", clock_report_method(r));
	if (f->steps & TRACE_CLOCKS_LINEAR)
		tree_put_whole(d, "violations_after_linear", f->violations_after_linear);
	else
		tree_put_null(d, "violations_after_linear");
	tree_put_whole(d, "moved", f->moved);
	tree_put_real(d, "largest", f->largest);
	tree_put_whole(d, "abrupt", f->abrupt);
	tree_put_real(d, "abrupt_worst", f->abrupt_worst);
	tree_put_whole(d, "broken", f->broken);
	tree_end(d);
}

enum err_code clocks_write(const struct clock_report *r, struct out *o, bool json, struct err *e)
{
	const struct clock_bounds *b = r->bounds;
	const struct clock_violations *v = r->violations;
	bool known = clock_report_has_clock(r, b->reference);
	struct tree_out d;

	tree_out_init(&d, o, json);
	tree_map(&d, false);
	tree_put_whole(&d, "pas2p_clocks", 1);
	tree_put_whole(&d, "reference", b->reference);
	tree_put_real(&d, "start", known ? b->start : (double)NAN);
	tree_put_real(&d, "end", known ? b->end : (double)NAN);
	tree_put_real(&d, "latency", r->latency);
	tree_put_real(&d, "resolution", r->resolution);
	tree_put_text(&d, "collectives", b->barriers ? "barriers" : "all");
	tree_put_whole(&d, "messages", v->messages.all);
	tree_put_whole(&d, "violations", v->messages.violated);
	tree_put_real(&d, "worst", v->messages.worst);
	tree_put_whole(&d, "collective_ends", v->collective.all);
	tree_put_whole(&d, "collective_violations", v->collective.violated);
	tree_put_real(&d, "collective_worst", v->collective.worst);
	tree_put_whole(&d, "windows", b->windows);
	tree_put_real(&d, "misfit", clock_report_misfit(r));
	tree_put_whole(&d, "forced", b->forced);
	tree_put_whole(&d, "components", b->components);
	tree_put_list(&d, "at", true);
	for (uint32_t k = 0; k < b->borders; k++)
		tree_real(&d, known ? b->at[k] : (double)NAN);
	tree_end(&d);
	put_rows(&d, r);
	put_correction(&d, r);
	tree_end(&d);
	return tree_out_finish(&d, e);
}

static void clocks_put_real(struct tree_out *d, const char *key, double v)
{
	tree_put_real(d, key, isfinite(v) ? v : (double)NAN);
}

static void put_unit(struct tree_out *d, const struct clock_measured *m, uint32_t row)
{
	const struct clock_unit *u = &m->unit[row];

	tree_map(d, false);
	list_tree(d, &clocks_units_columns, CLOCKS_UNIT_OWN, m, row);
	tree_put_map(d, "ntp", true);
	tree_put_bool(d, "synchronised", u->synchronised);
	clocks_put_real(d, "estimated_error", u->ntp_error);
	clocks_put_real(d, "maximum_error", u->ntp_maximum);
	clocks_put_real(d, "frequency", u->ntp_frequency);
	tree_end(d);
	tree_put_map(d, "verification", true);
	clocks_put_real(d, "error", u->error);
	tree_put_bool(d, "agrees", u->agrees);
	clocks_put_real(d, "low", u->verified_low);
	clocks_put_real(d, "high", u->verified_high);
	tree_end(d);
	tree_end(d);
}

static void put_link(struct tree_out *d, const struct clock_link *l)
{
	tree_map(d, true);
	tree_put_whole(d, "parent", l->parent);
	tree_put_whole(d, "child", l->child);
	tree_put_whole(d, "exchanges", l->exchanges);
	tree_put_whole(d, "left_out", l->left_out);
	clocks_put_real(d, "minimum", l->minimum);
	clocks_put_real(d, "mean", l->mean);
	clocks_put_real(d, "median", l->median);
	clocks_put_real(d, "p90", l->p90);
	clocks_put_real(d, "p99", l->p99);
	clocks_put_real(d, "maximum", l->maximum);
	tree_end(d);
}

static void put_clocks(struct tree_out *d, const struct clock_measured *m)
{
	tree_put_list(d, "clocks", false);
	for (uint32_t u = 0; u < m->unit_count; u++)
		for (uint32_t i = 0; i < m->unit[u].local_count; i++) {
			tree_map(d, true);
			tree_put_whole(d, "unit", u);
			list_tree(d, &clocks_locals_columns, CLOCKS_LOCAL_FILE, &m->unit[u], i);
			tree_end(d);
		}
	tree_end(d);
}

enum err_code clocks_measured_write(const struct clock_measured *m, struct out *o, bool json, struct err *e)
{
	struct tree_out d;

	tree_out_init(&d, o, json);
	tree_map(&d, false);
	tree_put_whole(&d, "pas2p_clocks_measured", 1);
	tree_put_text(&d, "clock", m->clock);
	tree_put_text(&d, "schedule", m->schedule);
	tree_put_real(&d, "seconds", m->seconds);
	tree_put_whole(&d, "samples", m->samples);
	tree_put_whole(&d, "exchanges", m->exchanges);
	tree_put_real(&d, "utc", m->utc);
	tree_put_list(&d, "units", !m->unit_count);
	for (uint32_t u = 0; u < m->unit_count; u++)
		put_unit(&d, m, u);
	tree_end(&d);
	tree_put_list(&d, "links", !m->link_count);
	for (uint32_t k = 0; k < m->link_count; k++)
		put_link(&d, &m->link[k]);
	tree_end(&d);
	put_clocks(&d, m);
	tree_put_map(&d, "error", true);
	clocks_put_real(&d, "minimum", m->error_minimum);
	clocks_put_real(&d, "mean", m->error_mean);
	clocks_put_real(&d, "maximum", m->error_maximum);
	tree_end(&d);
	tree_end(&d);
	return tree_out_finish(&d, e);
}
