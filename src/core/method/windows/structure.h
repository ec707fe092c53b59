/* The structure of a run: its program's loops, as they are shown to people (docs/explain/structure.md).
 *
 *     structure_new(&s, clockwork, phases, figures, patterns, &settings, STRUCTURE_SHORTEST, progress, &e);
 *     structure_text(s, &out)             "1 2 25(3 2*2) 3 ..."
 *     s->main.iterations ...              0: no loop counts what the run is long by
 *     structure_free(s);
 *
 * One folding of the two (loops.h) is shown; the main loop (windows.h) is the same whichever that is, and need not be
 * a loop of it: mostly it is of the reading. Iterations are counted from 0 here, from 1 wherever a person sees them.
 * Immutable once made; clockwork, phases, figures and patterns must outlive it. Times are seconds. Rank 0 of
 * a team makes it alone: it is of phases and their times, which all have, and of patterns, which it has.
 *
 * Text: a phase is its id, `2*7` is phase 7 twice, `14(...)` is what is inside 14 times.
 */
#ifndef PAS2P_CORE_METHOD_WINDOWS_STRUCTURE_H
#define PAS2P_CORE_METHOD_WINDOWS_STRUCTURE_H

#include "core/io/out.h"
#include "loops.h"
#include "windows.h"

enum structure_kind {
	STRUCTURE_SHORTEST, /* exact with at most 64 symbols at the top, otherwise the shorter */
	STRUCTURE_EXACT, STRUCTURE_RELEVANT
};

struct structure {
	struct window_run run;        /* for the times at which occurrences are entered: run.u[occurrence], run.u[count] the end */
	struct loops *loops;
	const struct folding *shown;  /* of loops */
	struct main_loop main;        /* main.from[i] is where iteration i begins, at run.u[main.from[i]] */
	enum structure_kind kind;     /* which that is, EXACT or RELEVANT: what was asked for, or what turned out shorter */
	double aet;
};

enum err_code structure_new(struct structure **out, const struct clockwork *c, const struct phases *p, const struct figures *f,
			    const struct patterns *patterns /* NULL: none */, const struct settings *s, enum structure_kind kind, const struct progress *progress, struct err *e);
void structure_free(struct structure *s); /* NULL is fine */

/* The whole of it in a line. */
void structure_text(const struct structure *s, struct out *out);
/* A loop of a folding alone, as it stands in the line; what is more than `depth` loops deeper is folded.
 * UINT32_MAX: all of it. */
void structure_loop_text(const struct folding *f, uint32_t loop, uint32_t depth, struct out *out);

/* The same for one line of a table: loops inside it folded, and what does not fit into so many characters cut behind a
 * word, "3(1 2 ...". */
void structure_loop_cut(const struct folding *f, uint32_t loop, size_t width, struct out *out);

/* The main loop: "299 x [ sweep from 0; sweep from 7; halo 2x4 ]" if it is of the reading, otherwise "14(2 25(...) 3 2 5)". */
void structure_main_text(const struct structure *s, struct out *out);

/* Is this loop of the folding that is shown the main one? */
static inline bool structure_is_main(const struct structure *s, uint32_t loop)
{
	return s->main.iterations && s->main.fold == s->shown->fold && s->main.loop == loop;
}

/* The whole as words that a line may be broken between: "1", "2*7", "14(", ")", each with where it belongs, so that a
 * face can fold, unfold and mark them. Symbols are those of shown->fold. A phase that is repeated is one word, though
 * it is a loop too. */
struct structure_word {
	uint32_t symbol;              /* the phase (fold_id() has its id) or the loop */
	uint32_t loop;                /* its loop, shown->fold->loops[loop], which may be the main one; STRUCTURE_NO_LOOP: a phase once */
	uint32_t times;               /* of a phase: how often in a row; of a loop: its count */
	uint32_t depth;               /* loops around it */
	bool opens, closes;           /* the "14(" and the ")" of the loop `symbol`; a loop with neither is folded: "14(...)" */
	uint32_t first;               /* the first occurrence, from 0, where it stands for the first time; of a ")": that of its "14(" */
};
#define STRUCTURE_NO_LOOP UINT32_MAX
/* Words of all symbols at most `depth` loops deep; deeper loops are one word each, folded; 0: the top alone.
 * *out to mem_free(). UINT32_MAX: all. */
enum err_code structure_words(struct structure_word **out, uint32_t *count, const struct structure *s, uint32_t depth, struct err *e);
void structure_word_text(const struct structure *s, const struct structure_word *w, struct out *out);

/* Is there a blank between two words that follow each other? There a line may be broken. */
static inline bool structure_words_apart(const struct structure_word *before, const struct structure_word *after)
{
	return !before->opens && !after->closes;
}

/* The iteration of the main loop that occurrence i is in; UINT32_MAX: none. Binary search. */
uint32_t structure_iteration_of(const struct structure *s, uint32_t occurrence);

/* Is iteration i of the main loop an outlier? Binary search. */
bool structure_stands_out(const struct structure *s, uint32_t iteration);

#endif
