/* Phases: the repeated parts of the logical trace, and where each occurs (docs/explain/method.md, "Basic blocks" and
 * "Phases").
 *
 * Both techniques give the same result shape: saved phases with ids from 1 in order of first appearance,
 * and the list of occurrences in order of time, which tile the trace. An occurrence spans the ticks
 * [first, last]; both are ticks of the logical trace (events' ticks), also in the `phase` technique, which
 * itself counts only the ticks with sends or collectives.
 *
 * With a team (trace_team()) all ranks call what makes phases or a space of them, and all have the same phases; the
 * functions take collective steps (team.h). What compares ticks asks for a whole trace.
 */
#ifndef PAS2P_CORE_METHOD_PHASES_PHASES_H
#define PAS2P_CORE_METHOD_PHASES_PHASES_H

#include <stdbool.h>
#include <stdint.h>

#include "bbp.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/method/logical/logical.h"
#include "core/settings/settings.h"

struct occurrence {
	uint32_t phase;       /* id, from 1 */
	uint32_t first, last; /* ticks */
};

struct phase {
	uint32_t id;          /* from 1 */
	uint32_t weight;      /* occurrences */
	uint32_t ticks;       /* phase: send ticks of its content; bbp: ticks spanned */
	uint32_t content;     /* index of the first occurrence: its content is the phase's */
};

struct phases {
	enum similarity similarity;
	struct phase *list;   /* list[id - 1] */
	uint32_t count;
	struct occurrence *occurrences;
	uint32_t occurrence_count;
	/* The occurrences of a phase, in order: those of id are by_phase[phase_first[id-1] .. phase_first[id]). */
	uint32_t *phase_first; /* count + 1 */
	uint32_t *by_phase;    /* indices into occurrences */
};

/* What of the logical trace does not depend on thresholds, prepared once so that a moved knob costs little:
 * ticks with sends interned by content, last occurrence of each type. Shared between searches. */
struct phase_space;
enum err_code phase_space_new(struct phase_space **out, const struct logical *l, const struct progress *progress, struct err *e);
void phase_space_free(struct phase_space *p);

/* `similarity: phase` (docs/explain/method.md, "Phases"). */
enum err_code phases_search(struct phases **out, const struct phase_space *p, const struct settings *settings,
			    const struct progress *progress, struct err *e);
/* `similarity: bbp` (docs/explain/method.md, "Basic blocks"). By all ranks, of the labels that all have: no collective
 * step. */
enum err_code phases_join(struct phases **out, const struct bbps *b, const struct progress *progress, struct err *e);
void phases_free(struct phases *p);

/* The counts behind the similarity of two windows of the same number of send ticks, each given by the full
 * tick numbers of its first and last send tick (docs/explain/method.md, "Phases"): for the Compare view and for tests.
 * */
struct phase_counts {
	uint64_t same, different, absent; /* m, x, z; `absent: different` is not applied yet */
	bool comparable;                  /* the same number of ticks */
};
struct phase_counts phases_compare(const struct logical *l, uint32_t first_a, uint32_t last_a, uint32_t first_b,
				   uint32_t last_b, double volume);
bool phases_similar(const struct phase_counts *c, const struct settings *settings);

/* Which occurrence covers a tick: index, or UINT32_MAX before the first. Binary search. */
uint32_t phases_occurrence_at(const struct phases *p, uint32_t tick);

#endif
