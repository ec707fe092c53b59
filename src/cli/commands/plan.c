/* pas2p plan: cost and error of signatures of windows, and the best one within a budget. */
#include <inttypes.h>
#include <math.h>

#include "commands_int.h"
#include "cli/listing.h"
#include "cli/plural.h"
#include "core/base/number.h"
#include "core/base/unit.h"
#include "core/io/tree_out.h"
#include "core/lists/lists.h"

struct plan_budget plan_budget_of(const struct options *o, double share)
{
	return (struct plan_budget){share > 0 ? share : PLAN_BUDGET, o->restore > 0 ? o->restore : PLAN_RESTORE};
}

/* What stands over the rows: the best of them. */
static void summary(struct sink *sink, const struct plan *p)
{
	struct out *o = &sink->out;
	size_t from = o->len;
	const struct plan_candidate *c = p->choice < 0 ? NULL : &p->candidate[p->choice];
	char share[NUMBER_TEXT], text[PLAN_TEXT], of[UNIT_OF_TEXT], spread[UNIT_TEXT], time[UNIT_TEXT];

	number_format(round(p->budget.share * 1e10) / 1e8, share);
	out_printf(o, "run time    %s\n", unit_figure_time(time, p->aet));
	out_printf(o, "budget      %s %% of the run time; each checkpoint takes %g s to restore and %g s to warm up\n", share,
		   p->budget.restore, p->warmup);
	if (!c) {
		out_printf(o, "plan        -, %s\n\n", plan_gap(p, text));
		sink_fit(sink, from, 12);
		return;
	}
	out_printf(o, "plan        %" PRIu32 " windows of %g s: %" PRIu32 " checkpoint%s, cost %s, %s, typical error %s\n",
		   c->windows, c->seconds, c->checkpoints, plural(c->checkpoints), unit_figure_time(time, c->cost),
		   unit_multiple_of(of, c->cost_share, 1, "the run time"), unit_multiple(spread, c->spread, 1));
	out_str(o, "\n");
	sink_fit(sink, from, 12);
}

static enum err_code as_rows(struct batch *b, const struct plan *p, struct err *e)
{
	if (b->options->format == FORMAT_TABLE)
		summary(&b->sink, p);
	return listing_write_list(b, &plan_columns, PLAN_ALL, p, p->count, e);
}

static enum err_code as_document(struct batch *b, const struct plan *p, struct err *e)
{
	struct tree_out d;

	tree_out_init(&d, &b->sink.out, b->options->format == FORMAT_JSON);
	tree_map(&d, false);
	tree_put_real(&d, "aet", p->aet);
	tree_put_real(&d, "budget", p->budget.share);
	tree_put_real(&d, "restore", p->budget.restore);
	tree_put_real(&d, "warmup", p->warmup);
	tree_put_real(&d, "rare", p->rare);
	tree_put_real(&d, "span", p->span);
	if (p->choice < 0) {
		tree_put_null(&d, "choice");
	} else {
		tree_put_map(&d, "choice", true);
		tree_put_whole(&d, "windows", p->candidate[p->choice].windows);
		tree_put_real(&d, "seconds", p->candidate[p->choice].seconds);
		tree_end(&d);
	}
	tree_put_real(&d, "least", p->least);
	tree_put_list(&d, "candidates", !p->count);
	for (uint32_t i = 0; i < p->count; i++) {
		tree_map(&d, false);
		list_tree(&d, &plan_columns, PLAN_ALL, p, i);
		tree_end(&d);
	}
	tree_end(&d);
	tree_end(&d);
	return tree_out_finish(&d, e);
}

enum err_code cmd_plan(struct batch *b, struct err *e)
{
	const struct plan_budget budget = plan_budget_of(b->options, b->options->budget);
	const struct analysis *a = b->analysis;
	struct plan *p;
	enum err_code code = plan_new(&p, a->clockwork, a->phases, a->figures, &a->settings, &budget, b->progress, e);

	if (code)
		return code;
	if (b->options->format == FORMAT_TABLE || b->options->format == FORMAT_CSV)
		code = as_rows(b, p, e);
	else
		code = as_document(b, p, e);
	plan_free(p);
	return code;
}
