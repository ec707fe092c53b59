/* A run's phases as they are compared with those of other runs: weights, times, and what they hold
 * (docs/internals/compare-rules.md, "Notation").
 *
 * Made of an analysed trace (phase_content.h), or read from a phase table that was written with content
 * (core/documents/table.h): the same numbers either way, so that a table stands for its trace. Ids are those of the
 * run, and say nothing about another's.
 *
 * Each phase has a row per send tick of its content. A row has the cells of the phase's first occurrence, process by
 * process, with canonical types; and, pooled over all occurrences, what part the processes play in it, without any
 * absolute rank ("roles"): that is what lets 6 processes be compared with 8. Receives are left out. Times are s, of a
 * phase's one occurrence.
 *
 * Immutable once made; readable from any thread; freed with run_phases_free().
 */
#ifndef PAS2P_CORE_METHOD_ANALYSIS_RUN_PHASES_H
#define PAS2P_CORE_METHOD_ANALYSIS_RUN_PHASES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis.h"
#include "core/io/out.h"
#include "core/io/tree_out.h"

/* What an event of a row does. Text: "+", "-", "0", "?"; "CBcast all", "CBcast part". */
enum role_kind {
	ROLE_UP, ROLE_DOWN,        /* sends to a higher, a lower rank */
	ROLE_SELF,
	ROLE_UNKNOWN,              /* sends to who is not known */
	ROLE_ALL, ROLE_PART        /* a collective of all processes, of some */
};

struct phase_role {
	enum role_kind kind;
	const char *op;            /* of a collective, otherwise "" */
	double share;              /* of the row's events */
};

struct phase_cell {
	uint32_t process;
	event_type type;           /* canonical, of the run's `types` */
	uint64_t size;             /* bytes or SIZE_UNKNOWN */
};

struct content_row {
	double active;             /* events / (occurrences * processes) */
	double bytes;              /* mean size of the events whose size is known, 0 without one */
	const struct phase_role *roles; /* by kind, then op (bytes); none twice */
	const struct phase_cell *cells; /* ascending processes */
	uint32_t role_count, cell_count;
};

struct run_phase {
	uint32_t id;               /* ascending, from 1 */
	uint32_t weight;
	double time, compute;      /* s; rest = time - compute */
	double share;              /* weight * time / AET; NAN without an AET above 0 */
	bool relevant;
	const char *name;          /* what it does (core/patterns/phase_names.h); NULL: not known */
	const char *kinds;         /* of what kinds that is; NULL: it is not named, as without a name */
	const struct content_row *rows; /* in order of the ticks */
	uint32_t row_count;
	const uint32_t *labels;    /* of its basic blocks, in their order */
	uint32_t label_count;      /* 0: it is not made of blocks */
};

struct run_phases {
	struct arena arena;        /* what the arrays lie in */
	struct canonical types;    /* of the cells */
	uint32_t processes;
	double aet;                /* NAN: not defined */
	double outside;            /* AET - the sum of weight * time over all phases; NAN where AET is */
	double mean_message;       /* mean size of the run's sends, bytes; 1 if they are all 0, or there is none */
	struct run_phase *list;
	uint32_t count;
};

/* outside and shares of what is there; the maker's last step. */
void run_phases_sum(struct run_phases *r);
void run_phases_free(struct run_phases *r); /* NULL is fine */

/* A copy with only some phases: ids ascending, and there. Shares and what is outside stay those of the whole run.
 * ERR_MEMORY. */
enum err_code run_phases_pick(struct run_phases **out, const struct run_phases *r, const uint32_t *ids, uint32_t count, struct err *e);

/* Do two phases do the same, by their kinds (NULL: not known)? One in common is enough, since the shares of a phase's parts shift with the
 * number of processes and with the work; none is another kind. With unlike numbers of processes a pair exchange says nothing: over two
 * processes most patterns are one. */
enum kinds_alike { KINDS_UNKNOWN, KINDS_SAME, KINDS_OTHER };
enum kinds_alike kinds_alike(const char *a, const char *b, bool equal_processes);

void kinds_alike_write(struct tree_out *t, enum kinds_alike alike); /* the key same_kind; null: not known */

/* What people are told of KINDS_OTHER: "phase 3 (halo 2x2) of a is matched with phase 4 (sweep from 0) of b, which does something else". */
struct phase_called {
	uint32_t id;
	const char *name;
	const char *run;           /* NULL: that need not be said */
};
void kinds_other_text(struct out *out, const struct phase_called *a, const struct phase_called *b);

/* name and kinds of a phase, copied into the arena. ERR_MEMORY: false. */
bool run_phase_name(struct arena *arena, struct run_phase *p, const char *name, const char *kinds);

const struct run_phase *run_phases_find(const struct run_phases *r, uint32_t id); /* NULL: no such phase */

#endif
