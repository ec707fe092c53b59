/* The lists of pas2p except those of clocks and of metrics: the data that each is made of, and the numbers of its
 * columns, which are in NAME.def (see core/table/columns.h). */
#ifndef PAS2P_CORE_LISTS_LISTS_H
#define PAS2P_CORE_LISTS_LISTS_H

#include "core/method/analysis/analysis.h"
#include "core/method/analysis/tune.h"
#include "core/base/err.h"
#include "core/documents/result.h"
#include "core/io/out.h"
#include "core/table/columns.h"
#include "core/trace/trace.h"
#include "core/method/windows/planner.h"
#include "core/method/windows/structure.h"

/* ---- bbp_facts ---- */

/* The basic blocks of all ranks of a team, put together: values that the list of blocks (bbps.def) finds by itself in a
 * whole trace.
 *
 *     bbp_facts_init(&f, analysis, types_of, leaders, &e);
 *     bbp_facts_gather(&f, begin, end, &e);    by all ranks, and all have it; as often as wanted, at most f.most blocks at once
 *     bbp_facts_release(&f);
 */

enum { BBP_FACT_SENDS, BBP_FACT_RECEIVES, BBP_FACT_COLLECTIVES, BBP_FACT_BYTES, BBP_FACTS_OF_TICK };

struct bbp_facts {
	const struct analysis *analysis; /* has blocks */
	bool leaders;          /* types are wanted of blocks that lead a label alone */
	uint32_t processes;    /* whose types are wanted: the first ones */
	uint32_t most;
	/* The blocks at hand. */
	uint32_t begin, end;
	uint64_t *ticks;       /* BBP_FACTS_OF_TICK of each tick from begin - 1 on; then, per block, the processes with an event at either */
	double *compute;       /* per block */
	uint32_t *kept;        /* per block: its place in types[] */
	event_type *types;     /* [place][process][entry, exit] */
};

/* Collective (team.h), and so does gathering. */
enum err_code bbp_facts_init(struct bbp_facts *f, const struct analysis *a, uint32_t types_of, bool leaders, struct err *e);
enum err_code bbp_facts_gather(struct bbp_facts *f, uint32_t begin, uint32_t end, struct err *e);
void bbp_facts_release(struct bbp_facts *f);

static inline const uint64_t *bbp_facts_tick(const struct bbp_facts *f, uint32_t tick)
{
	return f->ticks + (size_t)(tick + 1 - f->begin) * BBP_FACTS_OF_TICK;
}

static inline uint32_t bbp_facts_active(const struct bbp_facts *f, uint32_t block)
{
	return (uint32_t)f->ticks[(size_t)(f->end - f->begin + 1) * BBP_FACTS_OF_TICK + (block - f->begin)];
}

/* The types of a block's entry and exit on a process. */
static inline const event_type *bbp_facts_types(const struct bbp_facts *f, uint32_t block, uint32_t process)
{
	return f->types + 2 * ((size_t)f->kept[block - f->begin] * f->processes + process);
}

/* ---- bbp_process_facts ---- */

/* The processes of all ranks of a team in each basic block, put together: values that the list (bbp_processes.def)
 * finds by itself in a whole trace.
 *
 *     bbp_process_facts_init(&f, analysis, blocks, &e);
 *     bbp_process_facts_gather(&f, begin, end, &e);   by all ranks, and all have it; as often as wanted, at most f.most places at once
 *     bbp_process_facts_release(&f);
 */

struct bbp_process_facts {
	const struct analysis *analysis; /* has blocks */
	const uint32_t *blocks; /* by place, ascending; NULL: that of place i is i + 1. Not owned */
	uint32_t most;
	uint32_t begin, end;    /* places at hand */
	event_type *types;      /* [place][process][entry, exit] */
	uint64_t *values;       /* [place][process][size at entry, size at exit, compute time as its bits] */
};

/* Collective (team.h), and so does gathering. */
enum err_code bbp_process_facts_init(struct bbp_process_facts *f, const struct analysis *a, const uint32_t *blocks, struct err *e);
enum err_code bbp_process_facts_gather(struct bbp_process_facts *f, uint32_t begin, uint32_t end, struct err *e);
void bbp_process_facts_release(struct bbp_process_facts *f);

/* For a block that is at hand. */
void bbp_process_facts_cell(const struct bbp_process_facts *f, uint32_t block, uint32_t process, struct bbp_cell *c);

/* ---- lists ---- */

/* ---- The list of calls and states: those that occur in a trace, most exclusive time first. ---- */

enum { STATES_ALL = 1 };

enum state_column {
#define COLUMN(id, ...) STATE_##id,
#include "states.def"
	STATE_COLUMNS
};

struct states_list {
	const struct trace *trace;
	uint32_t *state;   /* of each row, its index in the trace; owned */
	uint32_t count;    /* rows */
};

enum err_code states_list_init(struct states_list *l, const struct trace *t, struct err *e);
void states_list_release(struct states_list *l);

extern const struct list_table states_columns;

/* ---- The list of processes: a row is a process, row i that of rank i. ---- */

enum { PROCESSES_INFO = 1, PROCESSES_TIME = 2, PROCESSES_FILE = 4 };

enum process_column {
#define COLUMN(id, ...) PROCESS_##id,
#include "processes.def"
	PROCESS_COLUMNS
};

struct processes_list {
	const struct trace *trace;
};

extern const struct list_table processes_columns;

/* ---- notes ----
 *
 * The list of notes on a trace and on its logical order: a row is a note with its place, or all notes of a kind whose
 * places were not kept. The caller chooses the items and their order.
 */

enum { NOTES_ALL = 1 };

enum note_column {
#define COLUMN(id, ...) NOTE_COLUMN_##id,
#include "notes.def"
	NOTE_COLUMNS
};

struct note_item {
	enum note_kind kind;
	const struct note *note;   /* NULL: so many of its kind were only counted */
	uint64_t count;
};

#define NOTES_MORE 64 /* bytes for "17 more whose places were not kept" */

struct notes_list {
	const struct trace *trace; /* as loaded: has the files */
	const struct note_item *items;
	char *more;                /* NOTES_MORE bytes, for a row's text */
};

/* The process that a note names, -1: none; the number of its event in that process, from 1, 0: none. */
int64_t note_item_rank(const struct note_item *item);
uint32_t note_item_event(const struct note_item *item);

extern const struct list_table notes_columns;

/* ---- bbps ----
 *
 * The list of parallel basic blocks: a row is a block, or, with leaders, a label. Columns whose values take a look at
 * each event or process of a block need the texts.
 */

enum { BBPS_BATCH = 1, BBPS_DRAWN = 2, BBPS_FILE = 4 };

enum bbp_column {
#define COLUMN(id, ...) BBP_##id,
#include "bbps.def"
	BBP_COLUMNS
};

/* One end of a block: how many of each kind of event its tick holds, and their bytes. */
struct bbp_end {
	uint32_t sends, receives, collectives;
	uint64_t bytes;
	char text[48];     /* "2s 1r" */
};

/* Of the block at hand. */
struct bbps_texts {
	uint32_t block;    /* 0: none yet */
	struct bbp_end entry, exit;
	struct out types, shown; /* as files have them, and as tables do */
};
void bbps_texts_init(struct bbps_texts *t);
void bbps_texts_release(struct bbps_texts *t);

struct bbps_list {
	const struct analysis *analysis; /* has blocks */
	const uint32_t *leaders;         /* the block of each row; NULL: row i is block i + 1 */
	uint32_t types_of;               /* so many processes at most */
	struct bbps_texts *texts;        /* for BBP_ENTRY, BBP_EXIT, BBP_BYTES and BBP_TYPES */
	const struct bbp_facts *facts;   /* of the block of the row asked for, where ranks share the trace; otherwise NULL */
};

extern const struct list_table bbps_columns;

/* ---- bbp processes ----
 *
 * The list of what each process does in a basic block (thesis tables 3.2 and 3.5): a row is a process of the block at
 * hand. A process without an event at an end has the type 0 there, and no size; without one at the entry it has no
 * compute time either.
 */

enum { BBP_PROCESSES_ALL = 1 };

enum bbp_process_column {
#define COLUMN(id, ...) BBP_PROCESS_##id,
#include "bbp_processes.def"
	BBP_PROCESS_COLUMNS
};

enum bbp_side { BBP_ENTRY_SIDE, BBP_EXIT_SIDE, BBP_SIDES };

/* Of the row at hand. Start from {0}. */
struct bbp_process_texts {
	uint32_t block, process; /* block 0: none yet */
	struct bbp_cell cell;
	char type[BBP_SIDES][64], shown[BBP_SIDES][64]; /* as files have them, and as tables do */
};

struct bbp_processes_list {
	const struct analysis *analysis; /* has blocks */
	uint32_t block;                  /* the one at hand, from 1 */
	struct bbp_process_texts *texts;
	const struct bbp_process_facts *facts; /* of the block at hand, where ranks share the trace; otherwise NULL */
};

extern const struct list_table bbp_processes_columns;

/* ---- phases ----
 *
 * The list of phases: a row is a phase, row i that of id i + 1.
 *
 *     phases_list_init(&l, analysis, &e);      `analysis` has phases, and stays as long as the list is used
 *     phases_columns.column[PHASE_SHARE].value(&l, row)
 *     phases_list_release(&l);
 */

enum { PHASES_BATCH = 1, PHASES_WORKBENCH = 2, PHASES_RESULT = 4, PHASES_WINDOWS = 8, PHASES_WAITING = 16, PHASES_BLOCKS = 32 };

enum phase_column {
#define COLUMN(id, ...) PHASE_##id,
#include "phases.def"
	PHASE_COLUMNS
};

/* What a result says of a phase; NAN: nothing. */
struct phase_measured {
	double time, deviation; /* s */
	double ratio;           /* of the time to the traced one */
};

/* The texts of the row at hand. */
struct phases_texts {
	struct out checkpoint, stop, entry, exit, labels;
};
void phases_texts_init(struct phases_texts *t);
void phases_texts_release(struct phases_texts *t);
bool phases_texts_failed(const struct phases_texts *t); /* no memory for one of them */

struct phases_list {
	const struct analysis *analysis;
	/* By row; made by init, owned. NAN where shares are not defined. */
	double *cumulative;  /* share of the relevant phases up to this one, by number */
	double *covered;     /* share of this phase and of all with a larger one */
	/* By row; set by whoever has them, not owned. */
	const struct phase_measured *measured; /* NULL: nothing was measured */
	const double *waiting;                 /* NULL: not known */
	const struct phase_points *points;     /* for the columns from PHASE_OCCURRENCE on, as are the texts */
	struct phases_texts *texts;
	bool ranges;         /* texts as the range over the processes */
};

enum err_code phases_list_init(struct phases_list *l, const struct analysis *a, struct err *e);
void phases_list_release(struct phases_list *l);

extern const struct list_table phases_columns;

/* ---- loops ----
 *
 * The list of a structure's loops: a row is a loop, in the order in which they first stand in its line.
 *
 *     loops_list_init(&l, structure, &e);      which stays as long as the list is used
 *     loops_columns.column[LOOP_SHARE].value(&l, row)
 *     loops_list_release(&l);
 */

enum { LOOPS_TABLE = 1, LOOPS_FILE = 2 };

enum loop_column {
#define COLUMN(id, ...) LOOP_##id,
#include "loops.def"
	LOOP_COLUMNS
};

struct loop_row {
	uint32_t loop;   /* of shown->fold */
	uint32_t depth, first; /* of the place where it first stands, as a structure_word has them */
	double share, mean, deviation; /* NAN: not defined */
};

struct loops_list {
	const struct structure *structure;
	struct loop_row *row; /* owned */
	uint32_t count;
	/* Set by whoever asks for texts. */
	struct out *text;     /* the one of the row at hand, not owned; `failed` in it: no memory */
	size_t width;         /* cut to so many characters, two blanks in front for each loop around; 0: all of it */
};

enum err_code loops_list_init(struct loops_list *l, const struct structure *s, struct err *e);
void loops_list_release(struct loops_list *l);

extern const struct list_table loops_columns;

/* ---- patterns ----
 *
 * The list of a run's patterns: a row is a pattern, the one with the largest share of the run time first.
 *
 *     patterns_list_init(&l, analysis, &e);    which has patterns and their names, and stays as long as the list is used
 *     patterns_columns.column[PATTERN_COLUMN_SHARE].value(&l, row)
 *     patterns_list_release(&l);
 */

enum { PATTERNS_ALL = 1 };

enum pattern_column {
#define COLUMN(id, ...) PATTERN_COLUMN_##id,
#include "patterns.def"
	PATTERN_COLUMNS
};

struct listed_pattern {
	const struct pattern *pattern;   /* the first of those that have its name */
	double share;                    /* of the run time; NAN: the run has none */
};

struct patterns_list {
	struct listed_pattern *row; /* by share, the largest first; owned */
	uint32_t count;
};

enum err_code patterns_list_init(struct patterns_list *l, const struct analysis *a, struct err *e);
void patterns_list_release(struct patterns_list *l);

extern const struct list_table patterns_columns;

/* ---- The list of what a budget could buy: a row is a design of windows (core/method/windows/planner.h). ---- */

enum { PLAN_ALL = 1 };

enum plan_column {
#define COLUMN(id, ...) PLAN_##id,
#include "plan.def"
	PLAN_COLUMNS
};

extern const struct list_table plan_columns; /* its list is a const struct plan */

/* ---- The list of settings that cover more of a run with fewer phases: a row is one of tune's
 * (core/method/analysis/tune.h). ---- */

/* Files have all columns; a table those that decide something of phases, or of blocks. */
enum { TUNE_ALL = 1, TUNE_OF_PHASES = 2, TUNE_OF_BLOCKS = 4, TUNE_TABLES = TUNE_OF_PHASES | TUNE_OF_BLOCKS };

enum tune_column {
#define COLUMN(id, ...) TUNE_##id,
#include "tune.def"
	TUNE_COLUMNS
};

extern const struct list_table tune_columns; /* its list is a const struct tune */

/* ---- The list of results: a row is what a signature measured on some machine, as an evaluation of predictions has
 * it. ---- */

enum { RESULTS_ALL = 1 };

enum result_column {
#define COLUMN(id, ...) RESULT_COLUMN_##id,
#include "results.def"
	RESULT_COLUMNS
};

struct results_text { /* of the row at hand */
	char similarity[SETTING_NAME_SIZE], order[SETTING_NAME_SIZE];
};

struct results_list {
	const struct result *results;
	struct results_text *text;
};

extern const struct list_table results_columns;

#endif
