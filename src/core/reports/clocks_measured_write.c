#include "reports.h"

#include <math.h>

#include "core/io/tree_out.h"
#include "core/lists/list_clocks.h"

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
