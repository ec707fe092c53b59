#include "commands_int.h"

#include "cli/listing.h"
#include "core/method/analysis/analysis.h"

#define NETWORK 1e9   /* bytes a second of a rank, and */
#define LATENCY 2e-6  /* s, unless given: a cluster's network with several ranks a node */

static const struct column_look columns[] = {
	{"stage", "stage", .align = LOOK_LEFT},
	{"seconds", "time [s]", LOOK_RIGHT, .decimals = 3},
	{"bytes", "bytes sent", .align = LOOK_RIGHT},
	{"memory", "memory per rank [bytes]", .align = LOOK_RIGHT},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static enum err_code cost_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	const struct team_cost *c = arg;

	(void)keep;
	(void)e;
	cells[0] = cell_text(team_cost_stage_name((enum team_cost_stage)i));
	cells[1] = cell_real(c->of[i].seconds);
	cells[2] = cell_whole((uint64_t)c->of[i].bytes);
	cells[3] = cell_whole((uint64_t)c->of[i].memory);
	return ERR_OK;
}

enum err_code info_job_check(const struct options *o, struct err *e)
{
	if (!o->job && (o->network > 0 || o->job_latency > 0))
		return err_set(e, ERR_USAGE, "--%s needs --job N", o->network > 0 ? "network" : "latency");
	if (o->job && o->team)
		return err_set(e, ERR_USAGE, "--job cannot be used under a launcher");
	return ERR_OK;
}

enum err_code info_job(struct batch *b, struct err *e)
{
	const struct options *o = b->options;
	const struct team_network network = {o->network > 0 ? o->network : NETWORK, o->job_latency > 0 ? o->job_latency : LATENCY};
	struct team_cost cost;
	struct rows rows = {columns, COLUMNS, COST_STAGES, cost_row, &cost};
	enum err_code code = team_cost(&cost, b->trace, o->job, &network, e);

	return code ? code : listing_write(b, &rows, e);
}
