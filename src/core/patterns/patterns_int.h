/* Declarations that only the files of src/core/patterns use. Each part begins with its own description. */
#ifndef PAS2P_CORE_PATTERNS_PATTERNS_INT_H
#define PAS2P_CORE_PATTERNS_PATTERNS_INT_H

#include <math.h>

#include "core/base/index.h"
#include "patterns.h"

/* ---- atoms ---- */

/* What cannot be cut: the strongly connected components of the graph a -> b, "some process has b right after a", on
 * nodes. They are numbered so that each comes after all that it depends on. */

#define PATTERNS_EVENTS_MOST 0x7ffffff0u /* numbers of nodes have 31 bits */

#define ATOM_NONE UINT32_MAX /* of an event whose other end is missing */

enum atom_sort {
	ATOM_CALL,               /* one collective */
	ATOM_ONE_WAY,            /* one message to another process */
	ATOM_SEVERAL             /* more than that; or a message of a process to itself */
};

struct atoms {
	uint32_t *of;            /* per event: its atom, with ATOM_IS_ONE_WAY; the parse puts steps here afterwards. Owned */
	uint32_t *left;          /* per atom: sort << 30 | processes that have not come to it yet. Owned */
	uint32_t count;
};
#define ATOM_IS_ONE_WAY 0x80000000u /* in of[], since sweeps ask it of every event: looking it up in left[] took a third of their time */
#define ATOM_NUMBER(of) ((of) & ~ATOM_IS_ONE_WAY)
#define ATOM_SORT(left) ((enum atom_sort)((left) >> 30))
#define ATOM_WAITS ((1u << 30) - 1)

enum err_code atoms_init(struct atoms *a, const struct trace *t, const struct progress *progress, struct err *e);
void atoms_release(struct atoms *a);

/* Is the event part of a node? */
static inline bool event_is_related(const struct trace *t, uint32_t event)
{
	return t->match[event] != NO_EVENT;
}

/* The process at the other end of a message. */
static inline uint32_t message_partner(const struct trace *t, uint32_t event)
{
	uint32_t k = EVENT_INDEX(t->type[event]);

	return k ? k - 1 : trace_process_of(t, t->match[event]);
}

/* ---- gather ---- */

/* Of a trace that ranks share, at rank 0: all of it that patterns need, and the ticks of its events, both the caller's.
 * *whole NULL: on the other ranks, and where rank 0 has no memory for it. ticks: of the rank's events. Collective
 * (team.h). */
enum err_code gathered_trace(struct trace **whole, uint32_t **tick, const struct trace *t, const uint32_t *ticks, struct err *e);

/* ---- grid ---- */

/* A link: who sends to whom. */
struct link {
	uint32_t from, to;
};

/* Sets of numbers, joined: the one that stands for that of i. */
static inline uint32_t set_root(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

/* Joins the sets of a and b, of which the smaller number stays the root; true: they were apart. */
static inline bool set_join(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = set_root(parent, a);
	b = set_root(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
	return a != b;
}

static inline int order_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->to < y->to ? -1 : x->to > y->to;
}

static inline bool is_one_bit(uint32_t set)
{
	return set && !(set & (set - 1));
}

enum err_code grid_init(struct pattern_grid *g, const struct trace *t, const struct progress *progress, struct err *e);
void grid_release(struct pattern_grid *g);
/* From channels that need be neither symmetric nor sorted; *found: there is one. */
enum err_code grid_permuted(struct pattern_grid *g, uint32_t processes, const struct link *channels, uint32_t count, bool *found, struct err *e);

static inline uint32_t grid_place(const struct pattern_grid *g, uint32_t rank)
{
	return g->place ? g->place[rank] : rank;
}

static inline uint32_t grid_rank(const struct pattern_grid *g, uint32_t place)
{
	return g->rank ? g->rank[place] : place;
}

struct grid_offset {
	int32_t d[GRID_DIMS];
	bool wraps[GRID_DIMS];
};
struct grid_offset grid_offset(const struct pattern_grid *g, uint32_t from, uint32_t to);
/* The direction's number; DIRECTIONS: it is further than a neighbour. */
static inline uint32_t offset_direction(const struct grid_offset *o)
{
	uint32_t number = 0;

	for (int i = GRID_DIMS - 1; i >= 0; i--) {
		if (o->d[i] < -1 || o->d[i] > 1)
			return DIRECTIONS;
		number = number * 3 + (uint32_t)(o->d[i] + 1);
	}
	return number;
}

static inline int32_t direction_step(uint32_t direction, int dim)
{
	static const uint32_t power[GRID_DIMS] = {1, 3, 9};

	return (int32_t)(direction / power[dim] % 3) - 1;
}

static inline uint32_t direction_opposite(uint32_t direction)
{
	return DIRECTIONS - 1 - direction;
}

/* One step along a dimension. */
static inline uint32_t direction_unit(int dim, bool up)
{
	static const int32_t power[GRID_DIMS] = {1, 3, 9};

	return (uint32_t)(DIRECTION_NONE + (up ? power[dim] : -power[dim]));
}

/* The dimensions that it leads along, as bits; of a set, those of all. */
unsigned direction_axes(uint32_t direction);
unsigned directions_axes(uint32_t directions);
/* Those along one dimension. */
extern const uint32_t directions_unit;
/* The links that a direction has on the grid; periodic: bits of dimensions. */
uint64_t direction_links(const struct pattern_grid *g, uint32_t direction, unsigned periodic);

/* For each direction its opposite, too? */
static inline bool directions_are_symmetric(uint32_t directions)
{
	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (directions >> d & 1 && !(directions >> direction_opposite(d) & 1))
			return false;
	return true;
}

static inline void key_set_grid(struct pattern_key *key, const struct pattern_grid *g)
{
	for (uint32_t i = 0; i < g->dims; i++)
		key->side[i] = g->side[i];
}

/* The part of messages, or links, that makes a pattern (docs/explain/patterns.md, "What is recognized"). */
#define PATTERN_ENOUGH 0.95

/* ---- shapes ---- */

/* The links of a step, told apart: steps of the same links have the same shape, which is classified once. */

struct shape {
	size_t first;             /* in shapes->links */
	uint32_t count;           /* links, sorted by from, to; none twice */
	uint32_t messages;
	uint32_t most_on_link;    /* messages */
	/* What the rules of combine.c ask. */
	bool permutes;            /* no process sends, or receives, more than once, and those that send are those that receive; not to itself */
	uint32_t directions;      /* bit set, if all links lead to neighbours on the grid; 0: they do not */
	unsigned wraps;           /* bits of dimensions in which some of these wrap */
	struct pattern_key key;   /* its class */
	double explained, fill;
};

struct shapes {
	const struct trace *trace;
	const struct pattern_grid *grid;
	struct shape *list;
	uint32_t count;
	size_t list_cap;
	struct link *links;
	size_t link_count, links_cap;
	uint32_t *counts;         /* per link: messages */
	size_t counts_cap;
	struct index index;
	/* The order in which messages came, which is that of the last time as a rule: no need to sort. */
	struct shape_arrival *arrivals;
	uint32_t arrival_count;
	size_t arrivals_cap;
	struct link *arrived;
	size_t arrived_count, arrived_cap;
	struct index arrival_index;
	struct classify_scratch *scratch;
};

enum err_code shapes_init(struct shapes *s, const struct trace *t, const struct pattern_grid *g, struct err *e);
void shapes_release(struct shapes *s);
/* The number of the shape that these messages have. False: no memory. */
bool shapes_find(struct shapes *s, const struct link *messages, uint32_t count, uint32_t *shape);

/* ---- classify ---- */

struct classify_scratch;
struct classify_scratch *classify_scratch_new(uint32_t processes);
void classify_scratch_free(struct classify_scratch *c);
/* Fills key, explained, fill and what rules ask, from the links of the shape. */
void shape_classify(struct shapes *s, struct shape *shape);
/* Is it a tree, a gather, a scatter, or workers of one process? */
bool key_is_rooted(const struct pattern_key *key);

/* ---- steps ---- */

#define SHAPE_NONE UINT32_MAX

/* What a round of the parse consumed. */
struct step {
	uint32_t shape;           /* SHAPE_NONE: a collective, a sweep */
	uint32_t messages, calls, sized;
	uint64_t bytes;
	uint32_t blocks;          /* of a sweep */
	bool fragment;
	double explained, fill;
	struct pattern_key key;
};

struct steps {
	struct step *list;
	uint32_t count;
	size_t cap;
};

static inline double step_mean(const struct step *s)
{
	return s->sized ? (double)s->bytes / s->sized : 0;
}

/* Within 5 %. */
static inline bool sizes_agree(double a, double b)
{
	return fabs(a - b) <= 0.05 * fmax(a, b);
}

/* ---- parser ---- */

/* The parse at hand: shared by its rounds (parse.c), sweeps (sweeps.c) and fragments (fragments.c). Functions that return
 * false have no memory, or were stopped. */

#define NO_RANK UINT32_MAX

struct event_list {
	uint32_t *list;
	uint32_t count;
	size_t cap;
};

/* A grid as sweeps see it: without wrapping. */
struct lattice {
	const struct pattern_grid *grid;
	uint32_t (*near)[2 * GRID_DIMS];      /* per process: -x, +x, -y, ...; NO_RANK: none */
	uint32_t contradicts[DIRECTIONS], shift_contradicts[DIRECTIONS]; /* the process that did last time: asked first */
};

struct parser {
	const struct trace *t;
	const struct pattern_grid *grid;
	struct pattern_grid in_line; /* all processes by rank */
	struct lattice own, line;
	bool own_is_line;
	struct patterns *patterns;
	struct shapes *shapes;
	struct atoms *atoms;
	struct steps *steps;
	uint32_t *cursor;         /* per process; first[p + 1]: it is done */
	struct event_list ready[3]; /* by sort: one event of each atom that is ready */
	struct event_list taken, bag, processes;
	struct link *links;       /* of the step that is made */
	uint32_t link_count;
	size_t links_cap;
	uint32_t *sweep_at, *sweep_count; /* per process: where the blocks of a sweep end, and how many there are */
	uint32_t *best_at;        /* sweep_at[] of the best sweep so far */
	uint32_t *op_of;          /* per trace->colls: number in x->ops */
	bool bag_open;            /* the last step is a bag of fragments */
	bool one_way_tried;       /* no sweep and no shift fits, and no process has come to another single message since */
	const struct progress *progress;
	uint64_t consumed;        /* events */
	bool stopped;
	bool *in_step;            /* per process */
};

static inline bool event_is_one_way(const struct parser *x, uint32_t event)
{
	return x->atoms->of[event] & ATOM_IS_ONE_WAY;
}

/* The first related event from `event` on, of a process that ends there. */
static inline uint32_t event_from(const struct trace *t, uint32_t event, uint32_t end)
{
	while (event < end && !event_is_related(t, event))
		event++;
	return event;
}

bool parser_push(struct event_list *l, uint32_t event);
/* The process has come to the event. */
bool parser_come(struct parser *x, uint32_t process, uint32_t event);
struct step *parser_step_add(struct parser *x); /* NULL: no memory */
void step_add_message(struct step *step, const struct trace *t, uint32_t send);
bool parser_link(struct parser *x, uint32_t from, uint32_t to);
/* What the links gathered make of the step. */
bool parser_classify(struct parser *x, struct step *step);

/* *done: something fits, and was consumed. */
bool parser_consume_sweep(struct parser *x, struct lattice *grid, bool *done);
bool parser_consume_shift(struct parser *x, struct lattice *grid, bool *done);

/* The ready single messages, which none of the other rules wants. */
bool parser_consume_fragment(struct parser *x);
/* The fragments end here: they are one bag. */
bool parser_close_bag(struct parser *x);

/* ---- parse ---- */

/* Consumes all atoms; puts the step of each event into atoms->of. */
enum err_code parse_run(struct steps *steps, struct patterns *x, struct shapes *shapes, struct atoms *atoms, const struct progress *progress,
			struct err *e);

/* ---- combine ---- */

/* Consecutive steps become instances. into[i]: the instance of step i. */
enum err_code combine_steps(struct patterns *x, struct shapes *shapes, struct steps *steps, uint32_t *into, const struct progress *progress,
			    struct err *e);

/* ---- wording ---- */

struct pattern_table {
	struct index index;
	size_t cap;
};
/* The pattern of a key, made with its names if it is new. UINT32_MAX: no memory. */
uint32_t pattern_intern(struct patterns *x, struct pattern_table *table, const struct pattern_key *key);

#endif
