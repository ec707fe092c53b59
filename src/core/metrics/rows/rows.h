/* The metrics of a whole run, made of calls, waits and replay. Their rows by process, state and phase are in
 * metrics_rows.h.
 */
#ifndef PAS2P_CORE_METRICS_ROWS_ROWS_H
#define PAS2P_CORE_METRICS_ROWS_ROWS_H

#include "core/trace/trace.h"
#include "core/metrics/calls/log.h"
#include "core/metrics/replay/replay.h"
#include "core/metrics/calls/calls.h"
#include "core/metrics/waits/not_analysed.h"
#include "core/metrics/waits/waits.h"

/* ---- outside_mpi ---- */

/* What a process did while it was outside of MPI: its time there is called computing, but a process that sleeps, or
 * that has to wait for a processor, does not compute. Where the trace has CPU samples and our tracer has told how long
 * the process waited (docs/internals/tracer.md), these are told apart (docs/reference/metrics.md, "Time breakdown"). */

enum outside_use {
	OUTSIDE_UNKNOWN,
	OUTSIDE_COMPUTING, /* it had a processor for at least half of its time outside of MPI */
	OUTSIDE_IDLE,      /* it did not, and did not want one: it slept, or waited for a file */
	OUTSIDE_SHARED     /* it did not, mostly because others had it */
};

/* useful, cpu: s outside of MPI, of wall time and of processor time; cpu NAN: there are no CPU samples. */
enum outside_use outside_use(const struct process_node *node, double useful, double cpu);

const char *outside_use_name(enum outside_use use); /* "computing", "idle", "shared"; NULL: unknown */

/* "was idle outside MPI: 1.20 ms of processor time in 1.02 s", for OUTSIDE_IDLE and OUTSIDE_SHARED; "" for others.
 * Returns text, OUTSIDE_TEXT bytes. */
#define OUTSIDE_TEXT 128
char *outside_use_text(enum outside_use use, double useful, double cpu, char *text);

/* ---- run_metrics ---- */

/* A run's metrics: where its time went, how well, and what that is made of (docs/reference/metrics.md, "Efficiency
 * factors" and "Rows").
 *
 *     run_metrics_new(&m, log, &rules, progress, &e);
 *     m->factors.load_balance ...; process_rows_init(&rows, m, ...), metrics_rows.h
 *     run_metrics_free(m);
 *
 * All times in seconds, over all processes where nothing
 * else is said; NAN: the trace does not support it, and a note says why. Immutable once made; the log must outlive it.
 *
 * Where ranks share the trace all come to run_metrics_new(). All figures and of_process are of the whole run, the same
 * on all ranks and the same as without a team. Waits, ideal and critical are of a rank's local processes: of the whole
 * run the replay says runtime, t0 and broken, and each rank has its local processes' pieces of the path, in their
 * order.
 */

/* Why a figure is absent or must be read with care. METRIC_NOTE(id, "kind", "meaning"); %s none: the count stands
 * beside it */
enum metric_note {
#define METRIC_NOTE(id, kind, meaning) METRIC_NOTE_##id,
#include "metric_notes.def"
	METRIC_NOTES
};
const char *metric_note_kind(enum metric_note n);
const char *metric_note_meaning(enum metric_note n);

/* Where a piece of the critical path lies: its times are the replay's. */
struct critical_step {
	uint32_t list, call, place;
	enum critical_what what;
};

struct run_metrics {
	const struct call_log *log;
	struct waits *waits;     /* NULL, as the next two: no account */
	struct replay *ideal;
	struct critical_step *critical; /* of the ideal run's critical path: its pieces, in order */
	uint32_t critical_count;
	bool has_account;        /* some MPI call is in the trace; otherwise only times and counts are there */
	uint32_t processes;
	uint32_t threads;        /* (process, thread) pairs with records */
	double runtime;          /* the trace's: from its earliest record to its latest */
	double total;            /* run time x processes: what every share of time is of */
	double ideal_runtime;
	struct account account;
	struct overlap_known known;
	double time, outside;    /* between first and last records, and the rest: they add up to total */
	double useful_mean, useful_max, cpu, idle, average_parallelism;
	struct factors factors;
	uint32_t nodes;          /* hosts; 0: not known */
	double load_balance_nodes, load_balance_inside;
	uint64_t messages, bytes, collectives, unrelated;
	uint64_t unknown_sizes;     /* messages that are not in `bytes` */
	struct not_analysed not_analysed; /* account.not_analysed by function */
	uint64_t notes[METRIC_NOTES]; /* how often; 0: it does not apply */
	struct account *of_process; /* per process; NAN: it has no records */
	double *cpu_of_process;  /* as above: s of processor time outside of MPI; NAN: also without CPU samples */
};

enum err_code run_metrics_new(struct run_metrics **out, const struct call_log *log, const struct replay_rules *rules,
			      const struct progress *progress, struct err *e);
void run_metrics_free(struct run_metrics *m); /* NULL is fine */

/* The share of the total time (run time x processes) in calls that may wait for others in a way that is not
 * analysed; NAN: not known. */
double run_metrics_not_analysed(const struct run_metrics *m);
/* What a process did outside of MPI, and in words (outside_mpi). */
enum outside_use run_metrics_outside(const struct run_metrics *m, uint32_t process);
char *run_metrics_outside_text(const struct run_metrics *m, uint32_t process, char *text);

/* Piece i of the critical path, as critical_new() has it. */
struct critical_piece run_metrics_critical(const struct run_metrics *m, uint32_t i);

#endif
