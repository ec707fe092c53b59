/* Rows of a run's metrics: by process, by state (the call tree), by phase, by pattern, by cause (docs/reference/metrics.md,
 * "Rows").
 *
 * Each kind of rows is made whole by its function and freed by its own; docs/reference/metrics.md says what a row's
 * figures are. Accounts of the phase rows add up to the run's, exclusive times of the state rows to its time.
 *
 * Where ranks share the trace all come to these functions, whose codes are agreed; the rows are rank 0's, on the others
 * there are none.
 */
#ifndef PAS2P_CORE_METRICS_ROWS_METRICS_ROWS_H
#define PAS2P_CORE_METRICS_ROWS_METRICS_ROWS_H

#include "core/metrics/waits/waits.h"
#include "core/patterns/phase_names.h"
#include "core/metrics/replay/replay.h"
#include "rows.h"

struct process_row {
	uint32_t process;
	int32_t thread;          /* whose account it is */
	const char *host;        /* "": not known */
	struct account account;
	struct overlap_known known;
	double time, outside, busy, idle, cpu, ideal_end;
	uint64_t sends, receives, collectives, bytes_sent, unsized; /* unsized: sends of unknown size */
};

/* What rows by state and by phase have in common. */
struct part_row {
	struct account account;
	double time, share;      /* of the run's total time */
	double time_max, ideal_time_max;
	struct factors factors;
	double imbalance;        /* processes x largest useful - their sum */
	uint32_t heaviest;       /* process; NO_PROCESS: none has useful time here */
	double critical;         /* s of the critical path of the ideal run */
	double gain_10;          /* s that the traced run wins if the computing here is 10 % less (project_gains()); NAN: not asked for */
};

/* Messages; the size of some may be unknown, and is not in bytes. */
struct message_sum {
	uint64_t bytes, messages, unsized;
};

static inline bool message_sum_known(const struct message_sum *m)
{
	return !m->messages || m->unsized < m->messages;
}

struct state_row {
	uint32_t node;           /* of the log's tree */
	double exclusive;        /* time without children */
	struct account own;      /* the same as an account: its own and its MPI calls', without inner states (for the diagnosis) */
	double own_imbalance;    /* of own: processes x largest useful - their sum */
	struct part_row part;    /* inclusive */
	struct message_sum sent, received; /* in calls of account lists; inclusive */
};

struct phase_row {
	uint32_t phase;          /* id, SPAN_BEFORE, SPAN_AFTER */
	uint32_t weight;
	bool relevant;
	struct part_row part;
};

/* All patterns of one name. Its time is that of phases, divided by the shares of their parts
 * (core/patterns/phase_names.h): it is estimated, and the rows add up to those of the phases. */
struct pattern_row {
	const char *name;        /* of the patterns, which must outlive the rows */
	const char *kind;        /* NULL: what no pattern has, at the end: time of phases that no pattern explains, then what is outside of phases */
	bool explains;           /* false: a description, which has no time: that is in the row of what no pattern explains */
	uint64_t instances, collectives;
	struct message_sum messages;
	struct account account;
	double time, share;      /* of the run's total time */
	double critical;         /* as of part_row */
};

struct process_rows { struct process_row *row; uint32_t count; };
struct state_rows { struct state_row *row; uint32_t count; }; /* depth first; siblings by time, then name */
struct phase_rows { struct phase_row *row; uint32_t count; }; /* before, 1, 2, ..., after */
struct pattern_rows { struct pattern_row *row; uint32_t count; }; /* by time, the largest first */

enum err_code process_rows_init(struct process_rows *r, const struct run_metrics *m, const struct progress *progress, struct err *e);
enum err_code state_rows_init(struct state_rows *r, const struct run_metrics *m, const struct progress *progress, struct err *e);
/* figures: for what is relevant. */
enum err_code phase_rows_init(struct phase_rows *r, const struct run_metrics *m, const struct phase_spans *spans,
			      const struct figures *figures, const struct progress *progress, struct err *e);
/* phases: those of the run, by which time is divided. names: NULL where they are not known, which is an error (ERR_LIMIT). */
enum err_code pattern_rows_init(struct pattern_rows *r, const struct run_metrics *m, const struct phase_rows *phases, const struct patterns *x,
				const struct phase_names *names, struct err *e);
void process_rows_release(struct process_rows *r);
void state_rows_release(struct state_rows *r);
void phase_rows_release(struct phase_rows *r);
void pattern_rows_release(struct pattern_rows *r);

/* "solve/relax/MPI_Send": a node's path, joined by "/"; without "(program)" but for itself. Returns text. */
char *call_node_path(const struct call_log *log, uint32_t node, char *text, size_t size);

#endif
