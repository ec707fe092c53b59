/* Declarations that only the files of src/core/method/phases use. Each part begins with its own description. */
#ifndef PAS2P_CORE_METHOD_PHASES_PHASES_INT_H
#define PAS2P_CORE_METHOD_PHASES_PHASES_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "bbp.h"
#include "core/method/logical/tick_cells.h"
#include "phases.h"
#include "core/team/team.h"

/* ---- bbp_space ---- */

/* The space of the basic blocks, inside: what bbps_new() works on (bbp.h says what it is for).
 *
 * With a team (trace_team()) rank 0 labels: it alone has size_values and gathered. All have the rest.
 */

struct bbp_space {
	const struct logical *l;
	struct tick_classes types;  /* by type */
	struct tick_classes sizes;  /* by type and size */
	struct tick_cells gathered; /* of the examples of `sizes`, with a team */
	double *largest;            /* per tick: compute time that follows its events, at most; never below 0. NAN: one is not known */
	uint64_t *size_values;      /* the sizes that there are, ascending */
	uint32_t size_count;
};

/* The cells of a class by type and size. */
static inline struct cell_walk bbp_cells(const struct bbp_space *b, uint32_t class)
{
	return b->gathered.first ? cells_gathered(&b->gathered, class) : cells_of_tick(b->l, b->sizes.example[class], false);
}

/* The compute times that follow a tick's events, of one's own: the largest, never below 0; the sum, of a whole
 * trace. NAN: one is not known. */
double bbp_largest(const struct logical *l, uint32_t tick);
double bbp_sum(const struct logical *l, uint32_t tick);
/* The largest of the ticks [begin, end) over all ranks of a team. Collective (team.h). */
enum err_code bbp_reduce_largest(double *largest, const struct logical *l, uint32_t begin, uint32_t end, struct err *e);

/* The compute times that blocks are compared by, as `compute-of` says. */
struct bbp_times {
	const double *tick;      /* per tick: the largest, or the sum */
	double *sum;             /* owned; NULL: not asked for */
	/* With a team, for `each`: rank 0 has the compute times of all events, at 8 bytes each, by tick and process. first
	 * NULL: they are in the trace. */
	uint64_t *first;         /* tick_count + 1 */
	double *compute;
};

/* Collective (team.h). */
enum err_code bbp_times_init(struct bbp_times *times, const struct bbp_space *space, const struct settings *settings, const struct progress *progress,
			     struct err *e);
void bbp_times_release(struct bbp_times *times);

/* ---- bbp_index ---- */

/* An index of the leaders: the basic blocks that gave their label its number. For traces with tens of thousands of
 * labels, where comparing each block with every leader made labelling quadratic.
 *
 * It gives what comparing with all leaders in turn would give: the first one that is similar (docs/explain/method.md,
 * "Basic blocks"). Internal to bbp.c.
 */

struct bbp_index;

/* times: by the same settings. NULL: no memory. */
struct bbp_index *bbp_index_new(const struct bbp_space *space, const struct settings *settings, const struct bbp_times *times);
void bbp_index_free(struct bbp_index *index); /* NULL is fine */

/* The leader of the lowest number that block i is similar to; 0: none. */
uint32_t bbp_index_find(struct bbp_index *index, uint32_t i);

/* Add block i as a leader; their numbers must rise. False: no memory. */
bool bbp_index_add(struct bbp_index *index, uint32_t i);

/* Pairs of blocks compared so far: what all this is to keep low. */
uint64_t bbp_index_compared(const struct bbp_index *index);

/* ---- phase_space ---- */

/* The phase space, inside: what phases_search() works on (phases.h says what it is for).
 *
 * Send ticks (those with sends or collectives) are numbered 0 .. count-1; tick[k] is the tick of the logical
 * trace. class.of[k] interns its content (processes, types, sizes of sends and collectives).
 *
 * Repeats: for send tick k, repeat[repeat_first[k] .. repeat_first[k+1]) are the distinct send ticks, ascending, at
 * which some process last had the type that it has at k. In a window without repeats that starts at s, the type of k
 * occurs again iff the last of them is >= s, and the first of them that is >= s is where it occurred first.
 *
 * With a team (trace_team()) the search is rank 0's: it alone has repeats, cells, and gathered; the others have count
 * and tick.
 */

struct phase_space {
	const struct logical *l;
	uint32_t count;
	uint32_t *tick;
	struct tick_classes class;
	uint32_t *cells;         /* per class: events in it */
	bool size_unknown;       /* that of one of them is */
	struct tick_cells gathered; /* per class, with a team */
	uint64_t *repeat_first;  /* count + 1 */
	uint32_t *repeat;
};

/* The cells of a class of send ticks: of any tick that is of it. */
static inline struct cell_walk phase_cells(const struct phase_space *p, uint32_t class)
{
	return p->gathered.first ? cells_gathered(&p->gathered, class) : cells_of_tick(p->l, p->class.example[class], true);
}

/* The counts of two ticks. */
struct phase_counts cells_compare(struct cell_walk *a, struct cell_walk *b, double volume);

/* Repeats of a team's ranks, each of its local processes, become those of all, on rank 0; the others' are freed. Takes
 * collective steps (team.h). */
enum err_code phase_space_join_repeats(struct phase_space *p, const struct progress *progress, struct err *e);
/* Sorts and thins out; returns how many are left. */
uint32_t phase_space_distinct(uint32_t *list, uint32_t n);

/* ---- phase_index ---- */

/* An index of the saved phases by what is in their cells, for traces with thousands of phases of one length.
 *
 * Two windows are similar only if some cell of both holds the same type with similar sizes (m >= 1 in
 * docs/explain/method.md, "Phases"). So the candidates for a window are the phases that share with it, in some cell,
 * process, type and a range of sizes: few, where comparing it with every phase made the search quadratic. What comes
 * out may hold phases that are not similar, but misses none that is. Internal to the search for phases.
 */

struct phase_index;

struct phase_index *phase_index_new(const struct phase_space *p, const struct settings *settings); /* NULL: no memory */
void phase_index_free(struct phase_index *index);

/* Add the saved phase `id`, whose content is the window of `length` send ticks from `first` on. Ids of one length must
 * rise. False: no memory. */
bool phase_index_add(struct phase_index *index, uint32_t id, uint32_t first, uint32_t length);

/* The candidates above `after` for a window, ascending, in memory of the index until the next call (something must have
 * been added); if there are more than `most` of them, counting some twice, *count is UINT32_MAX. False: no memory. */
bool phase_index_find(struct phase_index *index, uint32_t first, uint32_t length, uint32_t after, uint32_t most,
		      const uint32_t **ids, uint32_t *count);

/* ---- phase_list ---- */

/* Making a struct phases: both techniques append occurrences and finish. Internal to the core. */

struct phase_list {
	struct phases *p;
	size_t list_cap, occurrences_cap;
};

enum err_code phase_list_init(struct phase_list *m, enum similarity similarity, struct err *e);
/* Save a new phase of that many ticks, whose content is the occurrence appended next; its id, or 0: no memory. */
uint32_t phase_list_save(struct phase_list *m, uint32_t ticks);
bool phase_list_occur(struct phase_list *m, uint32_t id, uint32_t first, uint32_t last);
/* Group the occurrences by phase and hand the result over; on failure everything is freed. */
enum err_code phase_list_finish(struct phase_list *m, struct phases **out, struct err *e);
void phase_list_release(struct phase_list *m);

/* The phases of rank 0 at all ranks: *p is made on the others. On failure all are freed. Takes collective steps
 * (team.h). */
enum err_code phases_broadcast(struct phases **p, const struct team *team, enum similarity similarity, struct err *e);

#endif
