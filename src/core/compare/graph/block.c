#include "graph.h"

#include <inttypes.h>
#include <math.h>

#include "core/base/unit.h"
#include "core/io/tree_out.h"
#include "core/models/graph/evaluate.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/predict.h"
#include "core/trace/far.h"

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

void phase_block_notes(const struct phase_block *b, const char *prefix, struct out *out)
{
	const struct phase_steps *s = &b->steps;

	if (s->left_receives)
		out_printf(out, "%s%" PRIu64 " receive%s left out: sent before the occurrence\n", prefix, s->left_receives,
			   s->left_receives == 1 ? " is" : "s are");
	if (s->unreceived)
		out_printf(out, "%s%" PRIu64 " message%s received after it\n", prefix, s->unreceived,
			   s->unreceived == 1 ? " is" : "s are");
	if (s->left_unknown)
		out_printf(out, "%s%" PRIu64 " message%s left out: the other end is not known\n", prefix, s->left_unknown,
			   s->left_unknown == 1 ? " is" : "s are");
	if (s->left_alone)
		out_printf(out, "%s%" PRIu64 " call%s of collectives left out: of one process, or not all members are in "
			   "the occurrence\n", prefix, s->left_alone, s->left_alone == 1 ? " is" : "s are");
	if (s->apart)
		out_printf(out, "%s%" PRIu64 " collective%s of a part of the processes, as messages with tag %d\n", prefix, s->apart,
			   plural(s->apart), STEPS_TAG);
}

void phase_block_times(const struct phase_block *b, const char *prefix, struct out *out)
{
	char block[UNIT_TEXT], t[UNIT_TEXT], one[UNIT_TEXT], end[UNIT_TEXT];

	out_printf(out, "%sblock %s, traced t %s, this occurrence %s: %s; the block ends at %s\n", prefix, unit_time_ascii(block, b->time),
		   unit_time_ascii(t, b->traced), unit_time_ascii(one, b->occurrence),
		   b->slowest ? "the slowest process" : "means over the processes", unit_time_ascii(end, b->end));
	out_printf(out, "%sits processes begin within %s of each other, those of the block at once: waiting for who is late is not in it\n",
		   prefix, unit_time_ascii(t, b->spread));
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

void phase_block_program(const struct phase_block *b, const struct out *functions, const char *title, const char *block, struct out *document)
{
	out_str(document, "pas2p_model: 1\nname: ");
	json_string(document, title);
	out_printf(document, "\nparameters: {p: %" PRIu32 "}\n", b->steps.process_count);
	if (functions->len) {
		out_str(document, "functions:\n");
		out_add(document, functions->text, functions->len);
	}
	out_str(document, "blocks:\n");
	out_add(document, b->text.text, b->text.len);
	out_printf(document, "program:\n- call: %s()\n", block);
}

enum err_code phase_block_evaluate(struct phase_block *b, struct program_model *m, struct interval **values, const struct out *document,
				   const struct job *job, struct err *e)
{
	struct evaluate_input in = {.model = m, .job = job};
	struct outcome outcome = {.process_count = 0};
	enum err_code code = document->failed ? err_memory(e, "the graph of a phase") :
						model_parse(m, "the graph of a phase", document->text, document->len, e);

	*values = NULL;
	if (code)
		return code;
	*values = mem_zero(m->parameter_count, sizeof **values);
	if (!*values)
		return err_memory(e, "the graph of a phase");
	for (uint32_t i = 0; !code && i < m->parameter_count; i++)
		code = predict_default(m, i, *values, &(*values)[i], e);
	if (code)
		return code;
	in.values = *values;
	code = evaluate(&outcome, &in, e);
	b->time = 0;
	for (uint32_t q = 0; !code && q < outcome.process_count; q++)
		b->time += outcome.processes[q].nested.hi / outcome.process_count;
	b->end = code ? 0 : outcome.time.hi;
	if (b->slowest)
		b->time = b->end;
	outcome_release(&outcome);
	return code;
}

/* What the occurrence takes; the slowest of all processes, wherever they are. */
static enum err_code occurrence_takes(double *takes, const struct phase_block *b, const struct analysis *a, uint32_t occurrence, struct err *e)
{
	const struct trace *t = a->logical->trace;
	const struct team *team = trace_team(t);
	uint32_t begin, end;

	if (!b->slowest || team_size(team) == 1) {
		*takes = b->slowest ? occurrence_slowest(a->clockwork, a->phases, occurrence) : occurrence_time(a->clockwork, a->phases, occurrence);
		return ERR_OK;
	}
	*takes = -INFINITY;
	trace_own(t, &begin, &end);
	for (uint32_t q = begin; q < end; q++)
		*takes = fmax(*takes, occurrence_time_on(a->clockwork, a->phases, occurrence, q));
	return team_reduce_double(team, takes, 1, TEAM_MAX, e);
}

static enum err_code write_block(struct phase_block *b, const char *name, struct err *e)
{
	enum err_code code;

	b->spread = spread_of(&b->steps);
	code = phase_classes_init(&b->classes, &b->steps, e);
	return code ? code : phase_block_write(b, name, e);
}

enum err_code phase_block_init(struct phase_block *b, const struct analysis *a, uint32_t id, const char *name, const struct job *job,
			       struct err *e)
{
	const struct team *team = trace_team(a->logical->trace);
	const struct phases *p = a->phases;
	uint32_t occurrence;
	enum err_code code;

	*b = (struct phase_block){.id = id, .slowest = a->settings.phase_time == PHASE_TIME_SLOWEST};
	if (!id || id > p->count)
		return err_set(e, ERR_USAGE, "there is no phase %" PRIu32 ": the trace has %" PRIu32, id, p->count);
	b->weight = p->list[id - 1].weight;
	code = phase_representative(a->clockwork, p, id, (enum representative)a->settings.representative, &b->place, e);
	if (code)
		return code;
	occurrence = p->by_phase[p->phase_first[id - 1] + b->place - 1];
	b->traced = a->figures->phase[id - 1].time;
	code = occurrence_takes(&b->occurrence, b, a, occurrence, e);
	if (!code)
		code = phase_steps_init(&b->steps, a, occurrence, job, e);
	return code ? code : team_agree(team, team_rank(team) ? ERR_OK : write_block(b, name, e), e);
}

void phase_block_release(struct phase_block *b)
{
	phase_steps_release(&b->steps);
	phase_classes_release(&b->classes);
	out_release(&b->text);
}
