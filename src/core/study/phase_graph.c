#include "phase_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/base/unit.h"
#include "core/io/tree_out.h"
#include "core/models/evaluate.h"
#include "core/models/model_read.h"
#include "core/models/predict.h"
#include "phase_graph_write.h"

#define NAME_BYTES 256

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

void phase_graph_notes(const struct phase_graph *g, const char *prefix, struct out *out)
{
	const struct phase_steps *s = &g->steps;

	if (s->left_receives)
		out_printf(out, "%s%" PRIu64 " receive%s left out: sent before the occurrence\n", prefix, s->left_receives,
			   s->left_receives == 1 ? " is" : "s are");
	if (s->unreceived)
		out_printf(out, "%s%" PRIu64 " message%s received after it\n", prefix, s->unreceived, s->unreceived == 1 ? " is" : "s are");
	if (s->left_unknown)
		out_printf(out, "%s%" PRIu64 " message%s left out: the other end is not known\n", prefix, s->left_unknown,
			   s->left_unknown == 1 ? " is" : "s are");
	if (s->left_alone)
		out_printf(out, "%s%" PRIu64 " call%s of collectives left out: of one process, or not all members are in the occurrence\n",
			   prefix, s->left_alone, s->left_alone == 1 ? " is" : "s are");
	if (s->apart)
		out_printf(out, "%s%" PRIu64 " collective%s of a part of the processes, as messages with tag %d\n", prefix, s->apart,
			   plural(s->apart), STEPS_TAG);
}

/* What stands at the top: whose it is, and how far the block's time is from the trace's. */
static void put_comments(const struct phase_graph *g, const struct analysis *a, const char *application, struct out *out)
{
	bool slowest = a->settings.phase_time == PHASE_TIME_SLOWEST;
	char name[NAME_BYTES], block[UNIT_TEXT], t[UNIT_TEXT], one[UNIT_TEXT], end[UNIT_TEXT];

	out_printf(out, "# Phase %" PRIu32, g->id);
	if (application)
		out_printf(out, " of %s", text_safe(name, sizeof name, application, SIZE_MAX, TEXT_UTF8));
	out_printf(out, ": its occurrence %" PRIu32 " of %" PRIu32 " as a program (docs/models.md 9).\n", g->place,
		   a->phases->list[g->id - 1].weight);
	out_printf(out, "# block %s, traced t %s, this occurrence %s: %s; the block ends at %s\n", unit_time_ascii(block, g->time),
		   unit_time_ascii(t, g->traced), unit_time_ascii(one, g->occurrence),
		   slowest ? "the slowest process" : "means over the processes", unit_time_ascii(end, g->end));
	out_printf(out, "# its processes begin within %s of each other, those of the block at once: waiting for who is late is not in it\n",
		   unit_time_ascii(t, g->spread));
	phase_graph_notes(g, "# ", out);
}

static double spread_of(const struct phase_steps *s)
{
	double first = INFINITY, last = -INFINITY;

	for (uint32_t q = 0; q < s->process_count; q++)
		if (s->from[q] < s->to[q]) {
			first = fmin(first, s->trace->time[s->from[q]]);
			last = fmax(last, s->trace->time[s->from[q]]);
		}
	return last > first ? last - first : 0;
}

static void put_document(struct phase_graph *g, const char *application, struct out *out)
{
	char name[NAME_BYTES], text[NAME_BYTES + 32];

	text_safe(name, sizeof name, application ? application : "", SIZE_MAX, TEXT_UTF8);
	snprintf(text, sizeof text, "%s%sphase %" PRIu32, name, *name ? ", " : "", g->id);
	out_str(out, "pas2p_model: 1\nname: ");
	json_string(out, text);
	out_printf(out, "\nparameters: {p: %" PRIu32 "}\n", g->steps.process_count);
	if (g->functions.len) {
		out_str(out, "functions:\n");
		out_add(out, g->functions.text, g->functions.len);
	}
	out_str(out, "blocks:\n");
	out_add(out, g->block.text, g->block.len);
	out_printf(out, "program:\n- call: phase_%" PRIu32 "()\n", g->id);
}

/* The model of the text, and what it takes. */
static enum err_code evaluate_text(struct phase_graph *g, const struct out *document, const struct analysis *a, const struct job *job,
				   struct err *e)
{
	struct evaluate_input in = {.model = &g->model, .job = job};
	struct outcome outcome = {.process_count = 0};
	enum err_code code = model_parse(&g->model, "the graph of a phase", document->text, document->len, e);

	if (code)
		return code;
	g->values = mem_zero(g->model.parameter_count, sizeof *g->values);
	if (!g->values)
		return err_memory(e, "the graph of a phase");
	for (uint32_t i = 0; !code && i < g->model.parameter_count; i++)
		code = predict_default(&g->model, i, g->values, &g->values[i], e);
	if (code)
		return code;
	in.values = g->values;
	code = evaluate(&outcome, &in, e);
	for (uint32_t q = 0; !code && q < outcome.process_count; q++)
		g->time += outcome.processes[q].nested.hi / outcome.process_count;
	g->end = code ? 0 : outcome.time.hi;
	if (a->settings.phase_time == PHASE_TIME_SLOWEST)
		g->time = g->end;
	outcome_release(&outcome);
	return code;
}

static enum err_code write_text(struct phase_graph *g, const struct analysis *a, const char *application, const struct job *job,
				struct err *e)
{
	struct out document;
	enum err_code code;

	out_init(&document);
	phase_graph_write_functions(g);
	code = phase_graph_write_block(g, e);
	if (!code)
		put_document(g, application, &document);
	if (!code && (document.failed || g->functions.failed))
		code = err_memory(e, "the graph of a phase");
	if (!code)
		code = evaluate_text(g, &document, a, job, e);
	if (!code) {
		put_comments(g, a, application, &g->text);
		out_add(&g->text, document.text, document.len);
		code = g->text.failed ? err_memory(e, "the graph of a phase") : ERR_OK;
	}
	out_release(&document);
	return code;
}

enum err_code phase_graph_init(struct phase_graph *g, const struct analysis *a, uint32_t id, const char *application,
			       const struct job *job, struct err *e)
{
	const struct phases *p = a->phases;
	uint32_t occurrence;
	enum err_code code;

	*g = (struct phase_graph){.id = id};
	program_model_init(&g->model);
	if (!id || id > p->count)
		return err_set(e, ERR_USAGE, "there is no phase %" PRIu32 ": the trace has %" PRIu32, id, p->count);
	code = phase_representative(a->clockwork, p, id, (enum representative)a->settings.representative, &g->place, e);
	if (code)
		return code;
	occurrence = p->by_phase[p->phase_first[id - 1] + g->place - 1];
	g->traced = a->figures->phase[id - 1].time;
	g->occurrence = a->settings.phase_time == PHASE_TIME_SLOWEST ? occurrence_slowest(a->clockwork, p, occurrence) :
								       occurrence_time(a->clockwork, p, occurrence);
	code = phase_steps_init(&g->steps, a, occurrence, job, e);
	if (!code) {
		g->spread = spread_of(&g->steps);
		code = phase_classes_init(&g->classes, &g->steps, e);
	}
	if (!code)
		code = phase_costs_init(&g->costs, &g->steps, job, e);
	return code ? code : write_text(g, a, application, job, e);
}

void phase_graph_release(struct phase_graph *g)
{
	phase_steps_release(&g->steps);
	phase_classes_release(&g->classes);
	phase_costs_release(&g->costs);
	out_release(&g->functions);
	out_release(&g->block);
	out_release(&g->text);
	program_model_release(&g->model);
	mem_free(g->values);
	g->values = NULL;
}
