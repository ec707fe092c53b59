/* The diagnosis: ANDES's four questions, answered for a series of runs (docs/metrics.md 8).
 *
 * Where do we stand, how far can it go, where is it lost, did the change help: verdicts and figures, and the same as
 * sentences that a person can act on (diagnosis_text()). What the data does not support is NAN or `unknown`.
 */
#ifndef PAS2P_DIAGNOSIS_H
#define PAS2P_DIAGNOSIS_H

#include "core/io/out.h"
#include "core/metrics/metrics_rows.h"
#include "scaling.h"

enum verdict { VERDICT_OK, VERDICT_POOR, VERDICT_UNKNOWN, VERDICT_BETTER, VERDICT_SAME, VERDICT_WORSE, VERDICT_NOT_DONE };
const char *verdict_name(enum verdict v); /* "ok", "poor", ..., "not-done" */

enum trend { TREND_NONE, TREND_CONSTANT, TREND_RISING, TREND_FALLING };
const char *trend_name(enum trend t);     /* NULL, "constant", ... */

enum diagnosis_warning { WARN_FEW_POINTS = 1, WARN_SLOWS_DOWN = 2, WARN_LOOKS_WEAK = 4 };

#define DIAGNOSIS_QUESTIONS 4
#define DIAGNOSIS_TOP 3
#define DIAGNOSIS_WHERE 512

struct lost_at {
	char where[DIAGNOSIS_WHERE]; /* a routine's path, or a phase: "4", "before" */
	double lost;                 /* process-seconds */
};

struct projected_speedup {
	uint32_t processes;
	double speedup, efficiency;
};

struct diagnosis {
	struct {
		enum verdict verdict;
		const char *metric;  /* "efficiency", "parallel_efficiency" */
		double value, speedup;
		uint32_t processes;
		unsigned warnings;   /* diagnosis_warning */
	} stand;
	struct {
		enum verdict verdict;
		double serial_fraction, limit;
		enum trend trend;
		struct projected_speedup projection[3];
		uint32_t projections; /* 0 or 3 */
		uint32_t reference;   /* processes that k and speedups are counted from: 1 with a serial time; 0: none */
		bool slower;          /* on more processes than the reference: what is above is no serial fraction, and bounds nothing */
		double times_longer;  /* if so */
		uint32_t processes;   /* of the run that is slower */
		const char *grown;    /* the kind of time that grew most: "waiting", "transfer"; NULL: not known */
		double grown_from, grown_to; /* s of it, mean of the processes */
		char grown_in[DIAGNOSIS_WHERE]; /* the routine or MPI function that grew most in this; "": not known */
	} far;
	struct {
		enum verdict verdict;
		const char *factor;  /* NULL: none is known */
		double value, lost;
		uint32_t process;    /* NO_PROCESS */
		enum outside_use outside; /* what that process did outside of MPI, where it computes longest */
		char outside_text[OUTSIDE_TEXT];
		double communication_efficiency;
		double not_analysed; /* share of the total time in calls of which nothing says whether they waited; NAN: not known */
		char not_analysed_in[NOT_ANALYSED_TEXT]; /* their functions */
		uint64_t shared;     /* processes that had to share their processor: transfer contains waiting for it */
		struct lost_at routines[DIAGNOSIS_TOP], phases[DIAGNOSIS_TOP];
		uint32_t routine_count, phase_count;
	} where;
	struct {
		enum verdict verdict;
		const char *before;  /* the file; NULL */
		double runtime_change;
		/* new - old; NAN */
		double parallel_efficiency, load_balance, communication_efficiency, serialisation_efficiency, transfer_efficiency,
			communication_balance, overlap;
	} helped;
};

/* A run as the diagnosis wants it. */
struct diagnosed {
	const struct run_metrics *metrics;
	struct scaling_run figures;
	/* Of the run that is looked at (diagnosis_run()), and its state rows also of the reference: routines that compute
	 * more than there. NULL: not known. */
	const struct state_rows *states;
	const struct phase_rows *phases;
	const char *file;
};

struct diagnosis_settings {
	enum scaling_kind kind;
	double serial;   /* NAN: not given */
	double bar;      /* FACTOR_BAR, or another */
	/* The changed program is the series, this is what it was before; NULL: not given. */
	const struct run_metrics *before;
	const char *before_file;
	const char *program; /* as it was called, for the command of step 4; NULL: pas2p */
};

/* runs in order (scaling_order), `reference` as scaling_fill() gave it. */
void diagnosis_make(struct diagnosis *d, const struct diagnosed *runs, uint32_t count, uint32_t reference,
		    const struct diagnosis_settings *s);

/* Which run steps 3 and 4 are about: most processes, then shortest. */
uint32_t diagnosis_run(const struct diagnosed *runs, uint32_t count);

/* Of a diagnosis whose run is slower than the reference: "slower on more processes: 5.04 times as long on 16 processes as
 * on 8; transfer grows from 0.42 s to 1.89 s a process, most of all in MPI_Send". No line end. */
void diagnosis_slower_text(const struct diagnosis *d, struct out *out);

/* What each question, from 0, comes to: "ok", "poor", ..., "-" without a verdict; and its answer without a line end, `next`
 * between its lines. `file`: for the command of step 4. */
const char *diagnosis_verdict(const struct diagnosis *d, int question);
void diagnosis_answer(const struct diagnosis *d, const struct diagnosis_settings *s, const char *file, int question,
		      const char *next, struct out *out);

/* All answers, four lines or more, as docs/metrics.md shows them. */
void diagnosis_text(const struct diagnosis *d, const struct diagnosis_settings *s, const char *file, struct out *out);

#endif
