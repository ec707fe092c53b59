#include "metrics.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"

/* ---- what several lists have ---- */

/* Where the time of a row went. */
struct row_spent {
	const struct account *account; /* NULL: there is none */
	double time;
	struct overlap_known known;
};

static struct cell spent_as(struct row_spent s, enum account_kind k)
{
	return s.account ? cell_figure(s.account->by_kind[k]) : cell_empty();
}

static struct cell spent_sum(struct row_spent s, double (*sum)(const struct account *))
{
	return s.account ? cell_figure(sum(s.account)) : cell_empty();
}

static struct cell spent_overlap(struct row_spent s)
{
	return s.account ? cell_figure(account_overlap(s.account, s.known)) : cell_empty();
}

static struct cell share_of(struct cell part, double whole)
{
	return part.kind == CELL_REAL && whole > 0 ? cell_figure(part.real / whole) : cell_empty();
}

static double hidden(const struct account *a)
{
	return a->hidden;
}

static double not_analysed(const struct account *a)
{
	return a->not_analysed;
}

static double not_analysed_transfer(const struct account *a)
{
	return a->not_analysed_transfer;
}

static double account_rest_of(const struct account *a)
{
	return account_other_mpi(a) + a->by_kind[ACCOUNT_UNTRACED] + a->by_kind[ACCOUNT_TRACER];
}

static struct row_spent part_spent(const struct run_metrics *m, const struct part_row *p)
{
	return (struct row_spent){m->has_account ? &p->account : NULL, p->time, m->known};
}

static struct cell cell_process(uint32_t process)
{
	return process == NO_PROCESS ? cell_empty() : cell_whole(process);
}

/* A phase's number, "before" or "after". */
static struct cell cell_phase(uint32_t phase)
{
	return phase == SPAN_BEFORE ? cell_text("before") : phase == SPAN_AFTER ? cell_text("after") : cell_whole(phase);
}

#define row_of(l, row) (&(l)->rows->row[row])

/* ---- runs ---- */

static const struct run_metrics *metrics(const struct metrics_runs_list *l, uint32_t row)
{
	return l->run[row].metrics;
}

static struct cell reason(const struct metrics_runs_list *l, uint32_t row, enum wait_reason r)
{
	return metrics(l, row)->has_account ? cell_real(metrics(l, row)->account.by_reason[r]) : cell_empty();
}

/* Of no message it is known: then nor is the sum. */
static struct cell bytes_known(const struct run_metrics *m)
{
	return m->messages && m->unknown_sizes == m->messages ? cell_empty() : cell_whole(m->bytes);
}

static struct row_spent run_spent(const struct metrics_runs_list *l, uint32_t row)
{
	const struct run_metrics *m = metrics(l, row);

	return (struct row_spent){m->has_account ? &m->account : NULL, m->time, m->known};
}

#define spent(l, row) run_spent(l, row)
#define factor(l, row, which) cell_figure(metrics(l, row)->factors.which)
#define LIST metrics_runs
#define LIST_NAME "metrics"
#define LIST_OF struct metrics_runs_list
#define LIST_DEF "core/lists/metrics_run.def"
#include "core/table/list.inc"
#undef spent
#undef factor
_Static_assert(METRICS_RUN_TRACER - METRICS_RUN_USEFUL + 1 == ACCOUNT_KINDS, "a column for each kind of time");

/* ---- processes ---- */

static struct row_spent process_spent(const struct metrics_processes_list *l, uint32_t row)
{
	const struct process_row *r = row_of(l, row);

	return (struct row_spent){l->metrics->has_account ? &r->account : NULL, r->time, r->known};
}

static const struct process *in_trace(const struct metrics_processes_list *l, uint32_t row)
{
	return &l->metrics->log->trace->processes[row_of(l, row)->process];
}

/* For a process without records nothing is known. */
static bool is_there(const struct metrics_processes_list *l, uint32_t row)
{
	return in_trace(l, row)->records > 0;
}

static struct cell by_process(const struct metrics_processes_list *l, uint32_t row, const double *seconds)
{
	return seconds ? cell_figure(seconds[row_of(l, row)->process]) : cell_empty();
}

static const struct process_peer *process_row_peer(const struct metrics_processes_list *l, uint32_t row)
{
	return &l->peers->of[row_of(l, row)->process];
}

#define spent(l, row) process_spent(l, row)
#define LIST metrics_processes
#define LIST_NAME "process-metrics"
#define LIST_OF struct metrics_processes_list
#define LIST_DEF "core/lists/metrics_process.def"
#include "core/table/list.inc"
#undef spent

/* ---- routines and phases ---- */

static const struct call_node *state_row_node(const struct metrics_states_list *l, uint32_t row)
{
	return &l->metrics->log->nodes[row_of(l, row)->node];
}

static const char *kind_name(enum node_kind k)
{
	static const char *const names[] = {[NODE_PROGRAM] = "program", [NODE_USER] = "user", [NODE_MPI] = "mpi"};

	return names[k];
}

static struct cell message_sum_bytes(const struct message_sum *m)
{
	return message_sum_known(m) ? cell_whole(m->bytes) : cell_empty();
}

static struct cell indented(const struct metrics_states_list *l, uint32_t row)
{
	const struct call_node *n = state_row_node(l, row);

	snprintf(l->path, METRICS_PATH_SIZE, "%*s%s", (int)(n->depth < 256 ? n->depth : 256), "", n->name);
	return cell_text(l->path);
}

#define part(l, row) (&row_of(l, row)->part)
#define spent(l, row) part_spent((l)->metrics, part(l, row))
#define factor(l, row, which) cell_figure(part(l, row)->factors.which)
#define LIST metrics_states
#define LIST_NAME "state-metrics"
#define LIST_OF struct metrics_states_list
#define LIST_DEF "core/lists/metrics_state.def"
#include "core/table/list.inc"

static bool is_phase(const struct metrics_phases_list *l, uint32_t row)
{
	return row_of(l, row)->phase != SPAN_BEFORE && row_of(l, row)->phase != SPAN_AFTER;
}

#define LIST metrics_phases
#define LIST_NAME "phase-metrics"
#define LIST_OF struct metrics_phases_list
#define LIST_DEF "core/lists/metrics_phase.def"
#include "core/table/list.inc"

#undef part
#undef spent
#undef factor

/* ---- patterns ---- */

/* A description has no time of its own. */
static struct row_spent pattern_spent(const struct metrics_patterns_list *l, uint32_t row)
{
	const struct pattern_row *r = row_of(l, row);

	return (struct row_spent){l->metrics->has_account && r->explains ? &r->account : NULL, r->explains ? r->time : (double)NAN, l->metrics->known};
}

/* Of a pattern; none of a row that is none, nor, where there is something in its place, a 0. */
static struct cell counted(const struct metrics_patterns_list *l, uint32_t row, uint64_t count, uint64_t instead)
{
	return row_of(l, row)->kind && (count || !instead) ? cell_whole(count) : cell_empty();
}

#define spent(l, row) pattern_spent(l, row)
#define LIST metrics_patterns
#define LIST_NAME "pattern-metrics"
#define LIST_OF struct metrics_patterns_list
#define LIST_DEF "core/lists/metrics_pattern.def"
#include "core/table/list.inc"
#undef spent

/* ---- causes ---- */

#define LIST metrics_causes
#define LIST_NAME "causes"
#define LIST_OF struct metrics_causes_list
#define LIST_DEF "core/lists/metrics_cause.def"
#include "core/table/list.inc"

/* Ties in the order of the causes: by process, node, phase. */
ORDER_BY(most_waiting, struct metrics_cause, DOWN(waiting) UP(cause) UP(in_calls))

enum err_code metrics_causes_init(struct metrics_causes_list *l, const struct causes *causes, const struct call_log *log, char *path,
				  struct err *e)
{
	*l = (struct metrics_causes_list){.causes = causes, .log = log, .path = path};
	l->row = mem_alloc(2 * (size_t)causes->count, sizeof *l->row);
	if (!l->row)
		return err_memory(e, "the causes");
	for (uint32_t i = 0; i < causes->count; i++) {
		const struct cause *c = &causes->list[i];

		if (c->useful > 0)
			l->row[l->count++] = (struct metrics_cause){c, false, c->useful};
		if (c->in_calls > 0)
			l->row[l->count++] = (struct metrics_cause){c, true, c->in_calls};
	}
	SORT(l->row, l->count, most_waiting);
	return ERR_OK;
}

void metrics_causes_release(struct metrics_causes_list *l)
{
	mem_free(l->row);
	*l = (struct metrics_causes_list){0};
}
