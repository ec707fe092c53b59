#include "project.h"

#include <math.h>
#include <strings.h>

#include "core/base/exact_sum.h"
#include "core/base/search.h"
#include "core/base/text.h"
#include "core/trace/remote.h"
#include "core/metrics/waits/instances.h"

#define SAME 1e-12 /* s */

/* What is changed, laid out for looking up. */
struct changes {
	const struct waits *waits;
	const struct call_log *log;
	const struct phase_spans *spans; /* NULL: no stretch has a factor */
	double *rank;      /* per process: factor on its computing */
	double *span;      /* per stretch of `spans`; NULL without */
	double *node;      /* per node of the tree: factor on what its calls take */
	double *stay;      /* the same for what is computed while it is topmost; NULL: on none */
	bool ideal;        /* the network takes nothing */
};

/* A walk over the stretches of one process, forward in time. */
struct stretch_walk {
	const struct phase_spans *spans;
	uint32_t at, end;
};

/* Up to where the stretch of `from` reaches, but not beyond `to`. */
static double walk_to(struct stretch_walk *w, double from, double to)
{
	while (w->at + 1 < w->end && w->spans->spans[w->at + 1].from <= from)
		w->at++;
	return w->at + 1 < w->end && w->spans->spans[w->at + 1].from < to ? w->spans->spans[w->at + 1].from : to;
}

/* The call that the useful stretch up to `to` lies before. */
static uint32_t call_behind(const struct call_log *log, const struct call_list *l, double to)
{
	return SEARCH_PAST(i, l->first, l->end, log->calls[i].start < to);
}

struct stayed {
	const double *factor;
	double seconds;
};

static void add_stay(void *arg, uint32_t node, double from, double to)
{
	struct stayed *s = arg;

	s->seconds += (to - from) * s->factor[node];
}

static double stays_now(const struct changes *c, uint32_t list, double to)
{
	struct stayed s = {c->stay, 0};

	call_log_gap_nodes(c->log, list, call_behind(c->log, &c->log->lists[list], to), add_stay, &s);
	return s.seconds;
}

static double useful_now(const void *arg, uint32_t list, double from, double to)
{
	const struct changes *c = arg;
	uint32_t process = c->log->lists[list].process;
	double seconds = 0, end;
	struct stretch_walk w;

	if (c->stay)
		return stays_now(c, list, to);
	if (!c->span)
		return (to - from) * c->rank[process];
	w = (struct stretch_walk){c->spans, phase_span_at(c->spans, process, from), c->spans->first[process + 1]};
	for (; from < to; from = end) {
		end = walk_to(&w, from, to);
		seconds += (end - from) * c->span[w.at];
	}
	return seconds * c->rank[process];
}

static double call_now(const void *arg, uint32_t list, uint32_t call, double transfer)
{
	const struct changes *c = arg;

	(void)list;
	return transfer * c->node[c->log->calls[call].node];
}

static enum err_code change_ranks(struct changes *c, const struct what *what, struct err *e)
{
	uint32_t processes = c->log->trace->process_count;

	if (what->last >= processes)
		return processes ? err_set(e, ERR_USAGE, "unknown rank %u: expected 0 to %u", what->last, processes - 1) :
				   err_set(e, ERR_USAGE, "unknown rank %u: the trace has no processes", what->last);
	for (uint32_t p = what->first; p <= what->last; p++)
		c->rank[p] *= what->factor;
	return ERR_OK;
}

static enum err_code change_phase(struct changes *c, const struct what *what, struct err *e)
{
	if (!c->spans)
		return err_set(e, ERR_USAGE, "unknown phase %u: the phases have not been computed", what->first);
	if (!what->first || what->first > c->spans->phases->count)
		return c->spans->phases->count ? err_set(e, ERR_USAGE, "unknown phase %u: expected 1 to %u", what->first,
							 c->spans->phases->count) :
						 err_set(e, ERR_USAGE, "unknown phase %u: the trace has no phases", what->first);
	for (uint32_t i = 0; i < c->spans->first[c->spans->process_count]; i++)
		if (c->spans->spans[i].phase == what->first)
			c->span[i] *= what->factor;
	return ERR_OK;
}

static enum err_code change_function(struct changes *c, const struct what *what, struct err *e)
{
	char name[WHAT_NAME];
	bool found = false;

	for (uint32_t i = 0; i < c->log->node_count; i++)
		if (c->log->nodes[i].kind == NODE_MPI && !strcasecmp(c->log->nodes[i].name, what->function)) {
			c->node[i] *= what->factor;
			found = true;
		}
	if (found)
		return ERR_OK;
	return err_set(e, ERR_USAGE, "the trace has no calls of %s", text_safe(name, sizeof name, what->function, SIZE_MAX, TEXT_UTF8));
}

/* Useful time of each stretch, of account lists. */
static void measure_stretches(const struct changes *c, double *own)
{
	const struct call_log *log = c->log;

	for (uint32_t i = 0; i < log->list_count; i++) {
		const struct call_list *l = &log->lists[i];
		struct stretch_walk w = {c->spans, c->spans->first[l->process], c->spans->first[l->process + 1]};

		for (uint32_t k = l->first; l->account && k <= l->end; k++) {
			double from = k == l->first ? l->start : log->calls[k - 1].end, to = k == l->end ? l->stop : log->calls[k].start, end;

			for (; from < to; from = end) {
				end = walk_to(&w, from, to);
				own[w.at] += end - from;
			}
		}
	}
}

/* Within an occurrence: what those who compute there do together, exactly, so that it is the same whoever has their
 * processes. */
struct stretch_sums {
	uint64_t *sum;     /* two numbers an occurrence (exact_sum.h) */
	uint32_t *count;   /* of those who compute */
	struct exact_unit unit;
};

/* Has it an occurrence, in which the process computes? */
static bool computes(const struct phase_span *span, double own)
{
	return span->occurrence != UINT32_MAX && own > 0;
}

static enum err_code stretches_add_up(struct stretch_sums *all, const struct changes *c, const double *own, uint32_t stretches, struct err *e)
{
	const struct team *team = trace_team(c->log->trace);
	uint32_t occurrences = c->spans->phases->occurrence_count;
	double most = 0;
	enum err_code code;

	for (uint32_t i = 0; i < stretches; i++)
		most = own[i] > most ? own[i] : most;
	code = team_reduce_double(team, &most, 1, TEAM_MAX, e);
	all->unit = exact_unit(most, c->log->trace->process_count);
	for (uint32_t i = 0; i < stretches; i++) {
		struct exact_sum one = {0, 0};
		uint32_t in = c->spans->spans[i].occurrence;
		uint64_t more[2];

		if (!computes(&c->spans->spans[i], own[i]))
			continue;
		exact_add(&all->unit, &one, own[i]);
		exact_store(&one, more);
		exact_plus(&all->sum[2 * (size_t)in], more);
		all->count[in]++;
	}
	if (!code)
		code = team_reduce(team, all->sum, 2 * (size_t)occurrences, TEAM_SUM_128, e);
	return code ? code : team_reduce_u32(team, all->count, occurrences, TEAM_SUM, e);
}

/* Returns the team's code. */
static enum err_code change_balance(struct changes *c, struct err *e)
{
	struct stretch_sums all = {NULL, NULL, {0, 0, 0}};
	uint32_t stretches, occurrences;
	enum err_code code = ERR_OK;
	double *own;

	if (!c->spans)
		return err_set(e, ERR_USAGE, "balance needs phases, which have not been computed");
	stretches = c->spans->first[c->spans->process_count];
	occurrences = c->spans->phases->occurrence_count;
	own = mem_zero(stretches, sizeof *own);
	all.sum = mem_zero(2 * (size_t)occurrences, sizeof *all.sum);
	all.count = mem_zero(occurrences, sizeof *all.count);
	if (!own || !all.sum || !all.count)
		code = err_memory(e, "the balance of phases");
	else
		measure_stretches(c, own);
	code = team_agree(trace_team(c->log->trace), code, e);
	if (!code)
		code = stretches_add_up(&all, c, own, stretches, e);
	for (uint32_t i = 0; !code && i < stretches; i++) {
		const struct phase_span *span = &c->spans->spans[i];

		if (computes(span, own[i]))
			c->span[i] *= exact_double(&all.unit, all.sum + 2 * (size_t)span->occurrence) / all.count[span->occurrence] / own[i];
	}
	mem_free(own);
	mem_free(all.sum);
	mem_free(all.count);
	return code;
}

/* What is asked for can be changed or cannot, and that is the same on all ranks. Returns the team's code. */
static enum err_code make_changes(struct changes *c, const struct what_if *w, struct err *e)
{
	uint32_t stretches = c->spans ? c->spans->first[c->spans->process_count] : 0, processes = c->log->trace->process_count;
	double network = 1;
	enum err_code code = ERR_OK;

	c->rank = mem_alloc(processes, sizeof *c->rank);
	c->node = mem_alloc(c->log->node_count, sizeof *c->node);
	c->span = c->spans ? mem_alloc(stretches, sizeof *c->span) : NULL;
	if (!c->rank || !c->node || (c->spans && !c->span))
		code = err_memory(e, "the changes to the run");
	code = team_agree(trace_team(c->log->trace), code, e);
	if (code)
		return code;
	for (uint32_t i = 0; i < processes; i++)
		c->rank[i] = 1;
	for (uint32_t i = 0; i < c->log->node_count; i++)
		c->node[i] = 1;
	for (uint32_t i = 0; i < stretches; i++)
		c->span[i] = 1;
	for (uint32_t i = 0; !code && i < w->count; i++) {
		const struct what *what = &w->list[i];

		switch (what->kind) {
		case WHAT_NETWORK:
			network *= what->factor;
			break;
		case WHAT_FUNCTION:
			code = change_function(c, what, e);
			break;
		case WHAT_RANKS:
			code = change_ranks(c, what, e);
			break;
		case WHAT_PHASE:
			code = change_phase(c, what, e);
			break;
		default:
			code = change_balance(c, e);
		}
	}
	for (uint32_t i = 0; i < c->log->node_count; i++)
		c->node[i] *= network;
	c->ideal = !(network > 0);
	return code;
}

static bool changes_stretches(const struct what_if *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (w->list[i].kind == WHAT_PHASE || w->list[i].kind == WHAT_BALANCE)
			return true;
	return false;
}

static bool changes_computing(const struct what_if *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (w->list[i].kind == WHAT_RANKS)
			return true;
	return changes_stretches(w);
}

/* What the replayed calls mean for the account of each process. */
static void account_of(struct projection *p, const struct changes *c)
{
	const struct call_log *log = c->log;

	for (uint32_t i = 0; i < log->list_count; i++) {
		const struct call_list *l = &log->lists[i];
		double before = l->start - p->replay->t0;

		for (uint32_t k = l->first; l->account && k <= l->end; k++) {
			double from = k == l->first ? l->start : log->calls[k - 1].end, to = k == l->end ? l->stop : log->calls[k].start;
			double useful = to > from ? useful_now(c, i, from, to) : 0, took;

			p->useful[l->process] += useful;
			if (k == l->end)
				break;
			took = p->replay->exit[k] - (before + useful);
			p->communication[l->process] += call_can_wait(log, k) ? took : fmin(c->waits->sync[k], took);
			before = p->replay->exit[k];
		}
	}
}

static enum err_code projection_fill(struct projection *p, struct changes *c, const struct what_if *w, const struct progress *progress, struct err *e)
{
	struct replay_change change = {.arg = c, .call = call_now, .ideal = false};
	const struct trace *t = c->log->trace;
	enum err_code code = make_changes(c, w, e);

	if (code)
		return code;
	if (!changes_stretches(w)) {
		mem_free(c->span); /* saves the looking up */
		c->span = NULL;
	}
	p->useful = mem_zero(t->process_count, sizeof *p->useful);
	p->communication = mem_zero(t->process_count, sizeof *p->communication);
	code = team_agree(trace_team(t), p->useful && p->communication ? ERR_OK : err_memory(e, "the changed run"), e);
	if (code)
		return code;
	change.ideal = c->ideal;
	change.useful = changes_computing(w) ? useful_now : NULL;
	code = replay_new(&p->replay, c->log, c->waits, NULL, &change, progress, e);
	if (code)
		return code;
	p->runtime = p->replay->runtime;
	account_of(p, c);
	code = trace_share(t, p->useful, sizeof *p->useful, e);
	return code ? code : trace_share(t, p->communication, sizeof *p->communication, e);
}

enum err_code project_new(struct projection **out, const struct waits *waits, const struct phase_spans *spans,
			  const struct what_if *w, const struct progress *progress, struct err *e)
{
	struct changes c = {.waits = waits, .log = waits->log, .spans = spans};
	struct projection *p = mem_zero(1, sizeof *p);
	enum err_code code = team_agree(trace_team(c.log->trace), p ? ERR_OK : err_memory(e, "the changed run"), e);

	if (!code)
		code = projection_fill(p, &c, w, progress, e);
	mem_free(c.rank);
	mem_free(c.span);
	mem_free(c.node);
	*out = NULL;
	if (code)
		project_free(p);
	else
		*out = p;
	return code;
}

/* --- one part alone, of many --- */

static bool is_in(const struct call_log *log, uint32_t node, uint32_t top)
{
	while (node && node != top)
		node = log->nodes[node].parent;
	return node == top;
}

static void change_part(struct changes *c, const struct project_part *part, double factor)
{
	switch (part->kind) {
	case PROJECT_PROCESS:
		c->rank[part->which] = factor;
		break;
	case PROJECT_NODE:
		if (c->log->nodes[part->which].kind == NODE_MPI)
			c->node[part->which] = factor;
		else
			for (uint32_t n = 0; n < c->log->node_count; n++)
				if (is_in(c->log, n, part->which))
					c->stay[n] = factor;
		break;
	case PROJECT_PHASE:
		for (uint32_t i = 0; i < c->spans->first[c->spans->process_count]; i++)
			if (c->spans->spans[i].phase == part->which)
				c->span[i] = factor;
		break;
	}
}

/* The run time with this part changed; NULL: with none. What is not asked about keeps no array, which would be looked
 * up. */
static enum err_code replay_part(double *runtime, const struct changes *all, const struct project_part *part, double factor,
				 const struct instances *m, const struct progress *progress, struct err *e)
{
	const struct call_log *log = all->log;
	bool computing = part && (part->kind != PROJECT_NODE || log->nodes[part->which].kind != NODE_MPI);
	bool by_node = computing && part->kind == PROJECT_NODE, by_phase = computing && part->kind == PROJECT_PHASE;
	struct changes c = *all;
	struct replay_change change = {.arg = &c, .call = call_now, .useful = computing ? useful_now : NULL};
	struct replay *r = NULL;
	enum err_code code;

	if (!by_node)
		c.stay = NULL;
	if (!by_phase)
		c.span = NULL;
	if (part)
		change_part(&c, part, factor);
	code = replay_new_among(&r, log, c.waits, m, NULL, &change, progress, e);
	if (!code)
		*runtime = r->runtime;
	replay_free(r);
	if (part)
		change_part(&c, part, 1);
	return code;
}

enum err_code project_gains(double *gains, const struct project_part *parts, uint32_t count, double factor, const struct waits *waits,
			    const struct phase_spans *spans, const struct progress *progress, struct err *e)
{
	static const struct what_if nothing = {.count = 0};
	struct changes c = {.waits = waits, .log = waits->log, .spans = spans};
	const struct team *team = trace_team(c.log->trace);
	struct instances m = {0};
	double unchanged = 0, runtime = 0;
	enum err_code code = make_changes(&c, &nothing, e);

	if (!code) {
		c.stay = mem_alloc(c.log->node_count, sizeof *c.stay);
		for (uint32_t n = 0; c.stay && n < c.log->node_count; n++)
			c.stay[n] = 1;
		code = c.stay ? instances_init(&m, c.log, progress, e) : err_memory(e, "the changes to the run");
		code = team_agree(team, code, e);
	}
	if (!code)
		code = replay_part(&unchanged, &c, NULL, 1, &m, progress, e);
	for (uint32_t i = 0; !code && i < count; i++) {
		code = replay_part(&runtime, &c, &parts[i], factor, &m, progress, e);
		/* Less is how sums were rounded. */
		gains[i] = fabs(unchanged - runtime) < SAME ? 0 : unchanged - runtime;
	}
	instances_release(&m);
	mem_free(c.rank);
	mem_free(c.span);
	mem_free(c.node);
	mem_free(c.stay);
	return code;
}

struct factors projection_factors(const struct projection *p, uint32_t processes)
{
	struct factors_from from = {.processes = processes};
	struct factors f;

	for (uint32_t i = 0; p && i < processes; i++)
		factors_add(&from, i, p->useful[i], 0, p->communication[i]);
	f = factors_of(&from, p ? p->runtime : (double)NAN, (double)NAN);
	f.serialisation_efficiency = f.transfer_efficiency = f.tracer_efficiency = (double)NAN;
	return f;
}

void project_free(struct projection *p)
{
	if (!p)
		return;
	mem_free(p->useful);
	mem_free(p->communication);
	replay_free(p->replay);
	mem_free(p);
}
