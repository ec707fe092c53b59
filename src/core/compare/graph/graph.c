#include "graph.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/trace/remote.h"

#define NAME_BYTES 256

/* What stands at the top: whose it is, and how far the block's time is from the trace's. */
static void put_comments(const struct phase_graph *g, const char *application, struct out *out)
{
	char name[NAME_BYTES];

	out_printf(out, "# Phase %" PRIu32, g->block.id);
	if (application)
		out_printf(out, " of %s", text_safe(name, sizeof name, application, SIZE_MAX, TEXT_UTF8));
	out_printf(out, ": occurrence %" PRIu32 " of %" PRIu32 " as a model (see docs/explain/models-language.md).\n", g->block.place, g->block.weight);
	phase_block_times(&g->block, "# ", out);
	phase_block_notes(&g->block, "# ", out);
}

static enum err_code write_text(struct phase_graph *g, const char *block, const char *application, const struct progress *progress, struct err *e)
{
	char name[NAME_BYTES], text[2 * NAME_BYTES + 32];
	struct out document, functions;
	enum err_code code;

	out_init(&document);
	out_init(&functions);
	text_safe(name, sizeof name, application ? application : "", SIZE_MAX, TEXT_UTF8);
	snprintf(text, sizeof text, "%s%sphase %" PRIu32 "%s%s", name, *name ? ", " : "", g->block.id, g->name ? ": " : "", g->name ? g->name : "");
	phase_costs_write(&g->costs, &functions);
	phase_block_program(&g->block, &functions, text, block, &document);
	code = functions.failed ? err_memory(e, "the graph of a phase") :
				  phase_block_evaluate(&g->block, &g->model, &g->values, &document, progress, e);
	if (!code) {
		put_comments(g, application, &g->text);
		out_add(&g->text, document.text, document.len);
		code = g->text.failed ? err_memory(e, "the graph of a phase") : ERR_OK;
	}
	out_release(&functions);
	out_release(&document);
	return code;
}

static enum err_code add_costs(struct phase_graph *g, const struct progress *progress, struct err *e)
{
	enum err_code code = phase_costs_init(&g->costs, e);

	if (!code)
		code = phase_costs_add(&g->costs, &g->block.steps, progress, e);
	return code ? code : phase_costs_fit(&g->costs, progress, e);
}

enum err_code phase_graph_init(struct phase_graph *g, const struct analysis *a, uint32_t id, const char *application,
			       const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(a->source);
	bool first = !team_rank(team);
	char name[32];
	enum err_code code;

	*g = (struct phase_graph){.values = NULL};
	program_model_init(&g->model);
	snprintf(name, sizeof name, "phase_%" PRIu32, id);
	code = phase_block_init(&g->block, a, id, name, progress, e);
	if (code)
		return code;
	g->name = a->names ? a->names->list[id - 1].name : NULL;
	if (first)
		code = add_costs(g, progress, e);
	if (!code && first)
		code = write_text(g, name, application, progress, e);
	return team_agree(team, code, e);
}

void phase_graph_release(struct phase_graph *g)
{
	phase_block_release(&g->block);
	phase_costs_release(&g->costs);
	out_release(&g->text);
	program_model_release(&g->model);
	mem_free(g->values);
	g->values = NULL;
}
