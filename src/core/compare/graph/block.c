#include "graph.h"

#include <inttypes.h>
#include <math.h>

#include "core/base/unit.h"
#include "core/io/tree_out.h"
#include "core/models/graph/evaluate.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/predict.h"
#include "core/trace/remote.h"

#define LOOP_STEPS 128   /* most in a loop's body */
#define TERMS 16         /* of a condition beside each other; more are halved: expressions are no deeper than 64 */

/* ---- conditions on rank ---- */

/* Ranks from `first` on, `count` of them, `by` apart. */
struct ranks {
	uint32_t first, count, by;
};

/* Those that begin at a class's member i: as far as they go on as they begin. Two alone are no row. */
static struct ranks ranks_at(const struct phase_class *c, uint32_t i)
{
	struct ranks r = {c->member[i], 1, 1};
	uint32_t n = 1;

	if (i + 1 == c->count)
		return r;
	r.by = c->member[i + 1] - c->member[i];
	while (i + n < c->count && c->member[i + n] - c->member[i + n - 1] == r.by)
		n++;
	if (n > 2 || (n == 2 && r.by == 1))
		r.count = n;
	return r;
}

static void put_ranks(const struct ranks *r, uint32_t processes, struct out *out)
{
	uint32_t last = r->first + (r->count - 1) * r->by;
	const char *and = "";

	if (r->count == 1) {
		out_printf(out, "rank == %" PRIu32, r->first);
		return;
	}
	if (r->by > 1) {
		out_printf(out, "rank - %" PRIu32 "*floor(rank/%" PRIu32 ") == %" PRIu32, r->by, r->by, r->first % r->by);
		and = " and ";
	}
	if (r->first >= r->by) {
		out_printf(out, "%srank >= %" PRIu32, and, r->first);
		and = " and ";
	}
	if (last + r->by < processes)
		out_printf(out, "%srank <= %" PRIu32, and, last);
}

/* Terms [from, to) of so many rows, which begin at these members. */
static void put_terms(const struct phase_class *c, const uint32_t *begin, uint32_t from, uint32_t to,
		      uint32_t processes, struct out *out)
{
	if (to - from > TERMS) {
		uint32_t middle = from + (to - from) / 2;

		out_str(out, "(");
		put_terms(c, begin, from, middle, processes, out);
		out_str(out, ") or (");
		put_terms(c, begin, middle, to, processes, out);
		out_str(out, ")");
		return;
	}
	for (uint32_t i = from; i < to; i++) {
		struct ranks r = ranks_at(c, begin[i]);

		out_str(out, i > from ? " or " : "");
		put_ranks(&r, processes, out);
	}
}

static bool put_condition(const struct phase_class *c, uint32_t processes, struct out *out)
{
	uint32_t *begin = mem_alloc(c->count, sizeof *begin), n = 0;

	if (!begin)
		return false;
	for (uint32_t i = 0; i < c->count; i += ranks_at(c, i).count)
		begin[n++] = i;
	put_terms(c, begin, 0, n, processes, out);
	mem_free(begin);
	return true;
}

/* ---- nodes ---- */

static void put_peer(const struct class_step *s, struct out *out)
{
	if (s->how == PEER_AROUND && s->peer > 0)
		out_printf(out, "rank + %" PRId64 " - p*(rank >= p - %" PRId64 ")", s->peer, s->peer);
	else if (s->how == PEER_AROUND && s->peer)
		out_printf(out, "rank - %" PRId64 " + p*(rank < %" PRId64 ")", -s->peer, -s->peer);
	else if (s->how == PEER_DISTANCE && s->peer)
		out_printf(out, "rank %c %" PRId64, s->peer < 0 ? '-' : '+', s->peer < 0 ? -s->peer : s->peer);
	else if (s->how == PEER_DISTANCE || s->how == PEER_AROUND)
		out_str(out, "rank");
	else
		out_printf(out, "%" PRId64 "%s", s->peer, s->how == PEER_SUM ? " - rank" : "");
}

static void put_step(const struct phase_block *g, const struct class_step *s, const char *indent, struct out *out)
{
	const struct phase_step *w = s->what;
	const char *kind = model_node_info(w->kind)->name;

	if (w->kind == NODE_COMPUTE)
		return;
	out_printf(out, "%s- %s: {", indent, kind);
	if (w->kind == NODE_SEND || w->kind == NODE_RECV) {
		out_str(out, w->kind == NODE_SEND ? "to: " : "from: ");
		put_peer(s, out);
		if (w->kind == NODE_SEND)
			out_printf(out, ", bytes: %" PRIu64, w->bytes);
		if (w->tag)
			out_printf(out, ", tag: %" PRId32, w->tag);
	} else {
		out_printf(out, "bytes: %" PRIu64, w->bytes);
	}
	out_str(out, "}\n");
	if (w->op != UINT32_MAX && w->op < g->steps.trace->coll_count) {
		out_printf(out, "%s  name: ", indent);
		json_string(out, g->steps.trace->colls[w->op].op);
		out_str(out, "\n");
	}
}

static bool same_step(const struct class_step *a, const struct class_step *b)
{
	return a->what->kind == b->what->kind && a->what->bytes == b->what->bytes && a->what->tag == b->what->tag &&
	       a->what->op == b->what->op && a->how == b->how && a->peer == b->peer;
}

/* How often the `length` steps from `at` on follow each other. */
static size_t repeats(const struct phase_class *c, size_t at, size_t length)
{
	size_t i = at;

	while (i + length < c->steps && same_step(&c->step[i], &c->step[i + length]))
		i++;
	return (i - at) / length + 1;
}

/* The loop that begins at a step and holds the most; *times 1: none. */
static size_t loop_at(const struct phase_class *c, size_t at, size_t *times)
{
	size_t best = 1, most = 0;

	*times = 1;
	for (size_t length = 1; length <= LOOP_STEPS && at + 2 * length <= c->steps; length++) {
		size_t n = repeats(c, at, length);

		if (n > 1 && n * length > most && n * length > 3) {
			most = n * length;
			best = length;
			*times = n;
		}
	}
	return best;
}

static void put_steps(const struct phase_block *g, const struct phase_class *c, size_t at, size_t length, size_t times,
		      const char *indent, struct out *out)
{
	for (size_t i = at; i < at + length; i++) {
		double compute = 0;

		for (size_t k = 0; k < times; k++)
			compute += c->step[i + k * length].compute / (double)times;
		put_step(g, &c->step[i], indent, out);
		if (compute > 0)
			out_printf(out, "%s- compute: %.6g\n", indent, compute);
	}
}

static enum err_code put_class(const struct phase_block *g, const struct phase_class *c, struct out *out, struct err *e)
{
	bool all = c->count == g->steps.process_count;
	const char *indent = all ? "  " : "    ", *inner = all ? "    " : "      ";

	if (!all) {
		out_str(out, "  - if: ");
		if (!put_condition(c, g->steps.process_count, out))
			return err_memory(e, "the graph of a phase");
		out_str(out, "\n    do:\n");
	}
	for (size_t i = 0, times; i < c->steps;) {
		size_t length = loop_at(c, i, &times);

		if (times > 1) {
			out_printf(out, "%s- loop: %zu\n%s  do:\n", indent, times, indent);
			put_steps(g, c, i, length, times, inner, out);
		} else {
			put_steps(g, c, i, length, 1, indent, out);
		}
		i += length * times;
		if (out->failed)
			return err_memory(e, "the graph of a phase");
		if (out->len > PHASE_BLOCK_BYTES)
			return err_set(e, ERR_LIMIT, "phase %" PRIu32 " has too many different steps for a graph: more than %zu MiB",
				       g->id, PHASE_BLOCK_BYTES >> 20);
	}
	return ERR_OK;
}

/* Into its text. ERR_LIMIT: it grows above PHASE_BLOCK_BYTES. */
static enum err_code phase_block_write(struct phase_block *g, const char *name, struct err *e)
{
	enum err_code code = ERR_OK;

	out_printf(&g->text, "  %s():\n", name);
	for (uint32_t i = 0; !code && i < g->classes.count; i++)
		code = put_class(g, &g->classes.items[i], &g->text, e);
	return code;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

void phase_block_notes(const struct phase_block *b, const char *prefix, struct out *out)
{
	const struct phase_steps *s = &b->steps;

	if (s->left_receives)
		out_printf(out, "%s%" PRIu64 " receive%s not shown: sent before the occurrence\n", prefix, s->left_receives,
			   s->left_receives == 1 ? " is" : "s are");
	if (s->unreceived)
		out_printf(out, "%s%" PRIu64 " message%s received after the occurrence\n", prefix, s->unreceived,
			   s->unreceived == 1 ? " is" : "s are");
	if (s->left_unknown)
		out_printf(out, "%s%" PRIu64 " message%s not shown: unmatched\n", prefix, s->left_unknown,
			   s->left_unknown == 1 ? " is" : "s are");
	if (s->left_alone)
		out_printf(out, "%s%" PRIu64 " collective call%s not shown: of a single process, or partly outside the occurrence\n", prefix, s->left_alone, s->left_alone == 1 ? " is" : "s are");
	if (s->apart)
		out_printf(out, "%s%" PRIu64 " collective%s of some of the processes, shown as messages with tag %d\n", prefix, s->apart,
			   plural(s->apart), STEPS_TAG);
}

void phase_block_times(const struct phase_block *b, const char *prefix, struct out *out)
{
	char block[UNIT_TEXT], t[UNIT_TEXT], one[UNIT_TEXT], end[UNIT_TEXT];

	out_printf(out, "%sgraph %s, phase time %s, this occurrence %s: %s; the graph ends at %s\n", prefix, unit_time_ascii(block, b->time),
		   unit_time_ascii(t, b->traced), unit_time_ascii(one, b->occurrence),
		   b->slowest ? "slowest rank" : "mean of all ranks", unit_time_ascii(end, b->end));
	out_printf(out, "%sits ranks begin within %s of each other; the graph starts them together, without waiting for late ranks\n",
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
				   const struct progress *progress, struct err *e)
{
	struct evaluate_input in = {.model = m, .progress = progress};
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
	trace_local(t, &begin, &end);
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

enum err_code phase_block_init(struct phase_block *b, const struct analysis *a, uint32_t id, const char *name, const struct progress *progress,
			       struct err *e)
{
	const struct team *team = trace_team(a->logical->trace);
	const struct phases *p = a->phases;
	uint32_t occurrence;
	enum err_code code;

	*b = (struct phase_block){.id = id, .slowest = a->settings.phase_time == PHASE_TIME_SLOWEST};
	if (!id || id > p->count)
		return err_set(e, ERR_USAGE, "--graph-of: there is no phase %" PRIu32 ": the trace has %" PRIu32, id, p->count);
	b->weight = p->list[id - 1].weight;
	code = phase_representative(a->clockwork, p, id, (enum representative)a->settings.representative, &b->place, e);
	if (code)
		return code;
	occurrence = p->by_phase[p->phase_first[id - 1] + b->place - 1];
	b->traced = a->figures->phase[id - 1].time;
	code = occurrence_takes(&b->occurrence, b, a, occurrence, e);
	if (!code)
		code = phase_steps_init(&b->steps, a, occurrence, progress, e);
	return code ? code : team_agree(team, team_rank(team) ? ERR_OK : write_block(b, name, e), e);
}

void phase_block_release(struct phase_block *b)
{
	phase_steps_release(&b->steps);
	phase_classes_release(&b->classes);
	out_release(&b->text);
}
