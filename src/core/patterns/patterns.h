/* Patterns: what a run does, in a programmer's words (docs/explain/patterns.md).
 *
 *     patterns_new(&x, trace, progress, &e);            from the matched events alone: no times, no thresholds
 *     x->instances[i], x->list[x->instances[i].pattern].name      "sweep from 0", "halo 4x4", "allreduce"
 *     patterns_free(x);
 *
 * The run is parsed. A node is a message (both ends) or a collective (all members). Nodes that no cut can part form an
 * atom. The atoms are consumed in rounds, each of which makes a step. A step is classified by the links that it has,
 * and neighbouring steps that belong together become one instance of a pattern.
 *
 * Invariants: instances are in the order of the run; each matched event belongs to exactly one. Every set is visited in
 * sorted order, so that results are the same always. A wrong name is worse than none: a pattern whose kind is not named
 * (pattern_is_named()) is a description only.
 *
 * Memory: 4 bytes an event and an atom while it is made, and 20 a message of each order of messages that differs from
 * all before; 4 bytes an event stay. Immutable once made; readable from
 * any thread; the trace must outlive it.
 */
#ifndef PAS2P_CORE_PATTERNS_PATTERNS_H
#define PAS2P_CORE_PATTERNS_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/progress.h"
#include "core/io/out.h"
#include "core/trace/trace.h"

/* ---- pattern_grid ---- */

#define GRID_DIMS 3

/* How the program lays its processes out, as its messages tell. Dimensions are x, y, z: x is the one in which ranks are
 * consecutive, unless the grid is permuted. A place is x + side[0] * (y + side[1] * z). */
struct pattern_grid {
	uint32_t dims;            /* 0: there is none */
	uint32_t side[GRID_DIMS]; /* 1 beyond dims */
	bool periodic[GRID_DIMS]; /* some message wraps */
	double cost;              /* mean distance of what is sent; 0 where it is permuted */
	uint32_t *place, *rank;   /* permuted: the place of a rank, the rank at a place; owned. NULL: they are the same */
};

/* "4x3": slowest dimension first. Returns text. */
#define GRID_TEXT 40
char *grid_text(const struct pattern_grid *g, char *text);

/* A direction is a step of -1, 0 or 1 in each dimension; its number is x+1 + 3 (y+1) + 9 (z+1). */
#define DIRECTIONS 27
#define DIRECTION_NONE 13
/* "+x-y"; room for 8 bytes. Returns text. */
char *direction_text(uint32_t direction, char *text);
/* Those of a set, in the order of their texts: "+x", "+x+y", "-x". Room for DIRECTIONS; returns how many. */
uint32_t directions_list(uint32_t directions, char (*text)[8]);

/* ---- pattern ---- */

enum pattern_kind {
#define PATTERN(id, word, shown, named) PATTERN_##id,
#include "patterns.def"
#undef PATTERN
	PATTERN_KINDS
};

/* A pattern without its names: all of it are numbers, so that two can be compared byte by byte. What a kind does not
 * have is 0. */
struct pattern_key {
	uint32_t kind;            /* enum pattern_kind */
	uint32_t op;              /* of a call: number in patterns->ops */
	uint32_t members, groups; /* processes in a group, groups */
	uint32_t root;            /* the rank that it goes from or to; of a sweep its corner */
	uint32_t number;          /* pair exchange: the bits; ring: ranks further; line solve: shifts one way */
	uint32_t least, most;     /* irregular: neighbours of a process */
	uint32_t directions;      /* bit set */
	uint32_t periodic;        /* bit per dimension */
	uint32_t side[GRID_DIMS]; /* of a grid: all 0 where it has none */
	uint32_t fill;            /* some neighbours: links that are there, per cent */
};

struct pattern_total {
	uint64_t instances, messages, calls, sized, bytes; /* as an instance has them */
};

struct pattern {
	struct pattern_key key;
	const char *name;         /* "halo 4x4" */
	const char *meaning;      /* "exchange with the neighbours along x, y of the 4x4 grid" */
	const char *word;         /* the kind in files: "neighbours", of a call its operation: "allreduce" */
	const char *shown;        /* the kind for people, of several: "halo exchanges", "allreduce" */
	uint32_t blocks;          /* sweep: blocks one after the other; 0: they differ */
	uint32_t times;           /* instances of it */
	uint32_t namesake;        /* the first pattern of this name: people do not tell the two apart */
	struct pattern_total total; /* of all of the name, at the first of them */
	double fill;              /* neighbours: the smallest part of its links that an instance has */
};

struct pattern_instance {
	uint32_t pattern;
	uint32_t messages, calls; /* calls: collectives, once for each communicator */
	uint32_t sized;           /* of the messages, those whose size is known */
	uint64_t bytes;           /* of these */
	double explained;         /* share of the messages; 0: described, not named */
};

#define INSTANCE_NONE UINT32_MAX

struct patterns {
	const struct trace *trace;
	struct arena arena;       /* names */
	struct pattern_grid grid;
	struct pattern *list;
	uint32_t count;
	struct pattern_instance *instances;
	uint32_t instance_count;
	uint32_t *instance_of;    /* per event; INSTANCE_NONE: its other end is missing */
	const char **ops;
	uint32_t op_count;
	struct reading *reading;
	/* Of a trace that ranks of a team share: what was put together. Owned; NULL: `trace` was whole. */
	struct trace *gathered;
	uint32_t *gathered_tick;
};

/* Can a trace's patterns be found: is it whole here, and not too large? */
bool patterns_possible(const struct trace *t);
/* Of such a trace. ERR_MEMORY, ERR_CANCELLED. */
enum err_code patterns_new(struct patterns **out, const struct trace *t, const struct progress *progress, struct err *e);
/* Of a trace that ranks share, by all of them: rank 0 has them, the others get NULL, and so does rank 0 where it has no
 * memory for all events. ticks: of the rank's events. Collective (team.h). */
enum err_code patterns_gather(struct patterns **out, const struct trace *t, const uint32_t *ticks, const struct progress *progress, struct err *e);
void patterns_free(struct patterns *x); /* NULL is fine */

/* Does this kind have a name, or only a description? */
bool pattern_is_named(enum pattern_kind kind);
/* Is it a sweep of 2 or 3 dimensions? A phase names those of one grid together. */
bool pattern_is_sweep(const struct pattern *p);

/* "8 B", "5.62 KB": at most 16 bytes. Returns text. */
#define PATTERN_SIZE_TEXT 24
char *pattern_size_text(double bytes, char *text);

/* "Ialltoallv" is "all-to-all": what the operation of a collective is called. Other names come out as they are, small.
 * Returns text. */
char *collective_word(const char *op, char *text, size_t size);

/* ---- reading ---- */

/* The run as a line that reads like the program: "299 x [ sweep from 0; sweep from 7; halo 2x4 ]; allreduce". */

struct reading_symbol {
	uint32_t pattern;
	int32_t size;             /* log2 of the mean message's bytes; READING_NO_SIZE: not told apart by size */
	bool size_shown;          /* the same name occurs with several */
};
#define READING_NO_SIZE INT32_MIN
#define READING_EMPTY (INT32_MIN + 1) /* messages of 0 bytes */
#define READING_TOP 64        /* symbols at the top that are written */

struct reading {
	struct fold *fold;        /* of symbols[]; the sequence is that of the instances */
	struct reading_symbol *symbols;
	uint32_t symbol_count;
};

/* patterns_new() makes one of its own. */
enum err_code reading_new(struct reading **out, const struct patterns *x, const struct progress *progress, struct err *e);
void reading_free(struct reading *r); /* NULL is fine */
/* most: symbols at the top, the rest is "..."; UINT32_MAX: all. */
void reading_text(const struct patterns *x, uint32_t most, struct out *out);
/* Symbols of its fold as they stand in the line: "halo 4x4 8 KB; 20 x allreduce". */
void reading_symbols_text(const struct patterns *x, const uint32_t *symbols, uint32_t count, struct out *out);

#endif
