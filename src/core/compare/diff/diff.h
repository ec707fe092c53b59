/* Two runs compared exactly: which events correspond, where they differ, and the report of it. run_diff_new() is
 * where to start.
 */
#ifndef PAS2P_CORE_COMPARE_DIFF_DIFF_H
#define PAS2P_CORE_COMPARE_DIFF_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "core/method/analysis/analysis.h"
#include "core/io/out.h"
#include "core/team/team.h"
#include "core/compare/match/match.h"
#include "core/base/err.h"
#include "core/base/parallel.h"
#include "core/team/team_pack.h"

/* ---- edit_script ---- */

/* Which insertions and deletions turn one sequence of numbers into another (docs/internals/compare-rules.md, "Logical
 * difference").
 *
 * A script is as short as any. Of the shortest it is the one that the page decides: the common prefix is kept, then the
 * common suffix of what is left, and of the scripts for the rest it is the lexicographically first with keep < delete <
 * insert. So equal sequences give equal scripts, however they were computed.
 *
 * Myers' O(ND) from the end, remembering the furthest points of each distance, then a walk from the front. Time O((n +
 * m) D), memory 2 D^2 bytes for a script of D edits: D grows no further than `effort`.
 */

enum edit { EDIT_KEEP, EDIT_DELETE, EDIT_INSERT };

struct edit_run {
	enum edit edit;
	uint32_t count;
};

struct edit_script {
	struct edit_run *runs;   /* neighbours differ in what they do; NULL where beyond */
	uint32_t run_count;
	uint32_t removed, added; /* 0 where beyond */
	bool beyond;             /* it takes more than `effort` edits */
};

/* stop: asked as the part that it says; NULL: never stopped. ERR_MEMORY and ERR_CANCELLED without a sentence: others
 * work beside it. */
enum err_code edit_script_init(struct edit_script *s, const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t effort,
			       struct parallel_stop *stop, unsigned part);
void edit_script_release(struct edit_script *s);

/* ---- run_diff ---- */

/* Two runs, compared exactly: are their logical traces the same, where do they part, and by which edits
 * (docs/internals/compare-rules.md, "Logical difference").
 *
 *     run_diff_new(&d, a, b, &options, progress, &e);      verdict and first difference
 *     run_diff_edit(d, progress, &e);                      edits, process by process; may be left out
 *     ... diff.h: ticks of both sides beside one another; diff.h: what differs, as a person reads it ...
 *     run_diff_free(d);
 *
 * Types are compared as canonical ones (core/method/analysis/analysis.h), so neither clocks nor the numbers of
 * communicators count. Times never do. Where the numbers of processes differ there is nothing more than that verdict.
 *
 * A process's sequence is its events in the order of their ticks, which is not the order in which it made them: a
 * receive stands behind its send. Cost: O(events), and 4 bytes an event of each side (8 if strict); edits come to O(ND)
 * of each process by itself, at most `effort` of them. Everything is the same however many threads there are. The
 * analyses must outlive the diff; it is immutable once its last step is done, and may then be read from any thread.
 *
 * For traces that the ranks of a team share (core/trace/remote.h) all ranks come to both steps, as a collective step
 * (team.h). A process is of the same rank in both (trace_options.beside). Each rank compares its own: it has sequences
 * and scripts of these. Verdict, first difference, counts, and `beyond` are those of all processes, and the same on all
 * ranks.
 */

#define DIFF_EFFORT 2000       /* edits of a process that are looked for */
#define DIFF_EFFORT_MOST 20000 /* a thread takes up to 4 * effort^2 bytes */

enum diff_verdict { DIFF_IDENTICAL, DIFF_SIZES, DIFF_STRUCTURE, DIFF_PROCESSES };
const char *diff_verdict_name(enum diff_verdict v); /* "identical", "sizes", "structure", "processes" */

enum diff_side { DIFF_A, DIFF_B };

struct diff_options {
	uint32_t effort;       /* 0: DIFF_EFFORT */
	bool strict;           /* tags and the communicators of messages are part of a type */
};

/* What a side has at a place, told without its trace. */
struct diff_cell {
	bool there;            /* false: nothing */
	event_type type;       /* canonical, of its own run */
	uint64_t size;
	uint32_t tick;
	uint32_t comm;         /* strict, of a message: index into comms.list, UINT32_MAX: not known; and */
	int32_t tag;
};

/* The smallest tick, and in it the smallest process, at which the runs differ. */
struct diff_first {
	bool there;
	uint32_t tick, process;
	uint32_t event[2];     /* of A, of B; NO_EVENT: it has nothing there, or the process is another rank's */
	struct diff_cell cell[2];
};

struct process_diff {
	struct edit_script script;     /* beyond: there is none, and no counts. Of another rank's process: the counts without runs */
	uint32_t resized, resized_far; /* of kept pairs: sizes differ, by more than the setting `volume` of A */
};

struct diff_run {
	const struct analysis *analysis;
	const struct logical *l;
	struct canonical types;
	uint32_t *sequence;    /* events, process by process as the trace has them, each process's by tick */
	uint32_t *key;         /* strict: per event, what is compared; otherwise NULL. With it: */
	struct canonical comms; /* of messages */
	uint32_t *comm_of;     /* of a trace's communicator: index into comms.list; of one without messages UINT32_MAX */
};

struct run_diff {
	struct diff_options options;
	enum diff_verdict verdict;
	struct diff_first first;
	uint32_t process_count;          /* of both; 0 if they differ */
	struct diff_run run[2];
	uint32_t *of_b;                  /* canonical_joint() */
	struct process_diff *processes;  /* NULL: run_diff_edit() was not called, or the runs differ in processes */
	bool beyond;                     /* of some process the edits are not known */
};

/* a, b: with ANALYSIS_ORDER, made with the same settings; both shared by a team, or none. */
enum err_code run_diff_new(struct run_diff **out, const struct analysis *a, const struct analysis *b, const struct diff_options *options,
			   const struct progress *progress, struct err *e);
enum err_code run_diff_edit(struct run_diff *d, const struct progress *progress, struct err *e);
void run_diff_free(struct run_diff *d); /* NULL is fine */

/* Who shares the runs; NULL: nobody. */
const struct team *run_diff_team(const struct run_diff *d);

/* What is compared of an event, by its own rank: equal numbers are equal types. */
static inline uint32_t run_diff_key(const struct run_diff *d, enum diff_side side, uint32_t event)
{
	const struct diff_run *r = &d->run[side];
	event_type type;

	if (r->key)
		return r->key[event];
	type = canonical_type(&r->types, r->l->trace->type[event]);
	return side == DIFF_B ? canonical_as(d->of_b, type) : type;
}

struct diff_cell run_diff_cell(const struct run_diff *d, enum diff_side side, uint32_t event); /* of NO_EVENT: nothing */

/* The type as text: ">1", "Bcast 0,1,2,3 1"; strict, of messages: ">1 tag 7 on 0,1,2,3". Files have them otherwise. */
void run_diff_print_cell(const struct run_diff *d, enum diff_side side, const struct diff_cell *cell, enum type_style style,
			 struct out *out);

/* The kept pairs and edits of a process, in the order of its script. For a process beyond the effort there are none.
 *
 *     struct diff_walk w = diff_walk(d, process);
 *     while (diff_next(&w)) ... w.a, w.b ...     events; NO_EVENT in w.b: removed, in w.a: added */
struct diff_walk {
	const struct run_diff *d;
	const struct edit_script *script;
	uint32_t run, left;    /* of the script; and what is left of that run */
	uint32_t at[2];        /* next places in the sequences */
	uint32_t a, b;
};

struct diff_walk diff_walk(const struct run_diff *d, uint32_t process);
bool diff_next(struct diff_walk *w);

/* ---- align ---- */

/* The ticks of two runs beside one another, and every cell's counterpart (docs/internals/compare-rules.md, "Logical
 * difference").
 *
 * Rows are for scrolling: each has a tick of A, one of B, or both, and the ticks of both sides ascend. Two ticks share
 * a row if the edits keep most of their events together; ticks between those are paired in order, and surplus ticks of
 * one side are alone. The partner of an event is the one that its process's edits keep it with, in any row. If those
 * edits are not known, it is the event of the same row, if the types are equal.
 *
 * Between two runs that are identical or differ in sizes, rows are ticks. Immutable once made; the diff must outlive
 * it, with its edits. Memory: 4 bytes per event and 36 per tick of either side. Time: O(events + ticks x log(ticks)).
 *
 * Of runs that the ranks of a team share all ranks come to diff_align_new(), as a collective step (team.h). All have
 * the same rows; partners are those of the rank's local events.
 */

#define NO_TICK UINT32_MAX
#define NO_ROW UINT32_MAX

struct diff_row {
	uint32_t tick[2];      /* of A, of B; NO_TICK: it has none here */
	uint32_t changes;      /* cells removed, added and resized */
	uint32_t removed, added, resized; /* those of processes whose edits are known */
};

struct diff_align {
	const struct run_diff *d;
	struct diff_row *rows;
	uint32_t row_count;
	uint32_t *row_of[2];   /* of a tick */
	uint32_t *partner[2];  /* of an event: the other run's, NO_EVENT: removed (A), added (B) */
	uint64_t changes;      /* of all rows; a resized pair counts once, in its row of A */
};

/* d: with edits, and of equal numbers of processes. */
enum err_code diff_align_new(struct diff_align **out, const struct run_diff *d, const struct progress *progress, struct err *e);
void diff_align_free(struct diff_align *x); /* NULL is fine */

enum diff_change { CHANGE_NONE, CHANGE_REMOVED, CHANGE_ADDED, CHANGE_RESIZED };
enum diff_change diff_change_of(const struct diff_align *x, enum diff_side side, uint32_t event);

/* The next row after this one that has changes, and the one before it; NO_ROW: there is none. From NO_ROW: the first,
 * the last. */
uint32_t diff_align_next(const struct diff_align *x, uint32_t row);
uint32_t diff_align_previous(const struct diff_align *x, uint32_t row);

/* How many changes lie in each of so many equal parts of the rows: the strip over the whole run. */
void diff_align_density(const struct diff_align *x, uint64_t *changes, uint32_t parts);

/* ---- hunks ---- */

/* Hunks: where two runs differ, as a person reads it (docs/internals/compare-rules.md, "Logical difference").
 *
 * Rows of a align in which events were removed, added or resized, joined where they are at most HUNK_NEAR ticks
 * apart in a side that has them. Processes whose edits are not known take no part. A hunk's lines go row by row, and in
 * a row by rank: removed, then added or kept. Computed one after the other, without memory of their own:
 *
 *     struct hunk h = {.end = 0};
 *     while (hunk_next(&h, align))
 *             for (struct hunk_line line = {0}; hunk_line_next(&line, &h, align);) ... line ...
 */

#define HUNK_NEAR 3

struct hunk {
	uint32_t first, end;       /* rows; end is after the last */
	uint32_t tick[2], ticks[2]; /* of A and of B: the first, how many. Of none: the tick before which they would be */
	uint64_t removed, added, resized;
};

/* The first after h; false: there is none. */
bool hunk_next(struct hunk *h, const struct diff_align *x);

/* Of runs that the ranks of a team share hunks are the same on all ranks, and these lines are those of a rank's local
 * processes: hunk_lines, below, has all. */
struct hunk_line {
	char mark;                 /* ' ', '-', '+', '~' */
	uint32_t process;
	uint32_t event[2];         /* NO_EVENT: that side has none */
	/* Where it goes on. */
	uint32_t row, at[2];
	bool begun;
};

/* Kept events stand where A has them. */
bool hunk_line_next(struct hunk_line *line, const struct hunk *h, const struct diff_align *x);

/* ---- waterfall ---- */

/* What made run B longer or shorter than run A, as rows that add up exactly (docs/internals/compare-rules.md,
 * "Waterfall").
 *
 * Swapping A and B changes signs only. Times are s; what only one side has is 0 on the other. The AET of both must be
 * defined.
 */

enum waterfall_kind { WATERFALL_GROUP, WATERFALL_ONLY_A, WATERFALL_ONLY_B, WATERFALL_OTHERS, WATERFALL_OUTSIDE };

struct waterfall_row {
	enum waterfall_kind kind;
	const struct phase_group *group;      /* NULL: others, outside */
	double change;                        /* s, B - A */
	double by_weight, by_compute, by_rest; /* of WATERFALL_GROUP, adding up to change; otherwise NAN */
	uint32_t rank;                        /* process whose time in it changed most; NO_PROCESS: not known */
};

struct waterfall {
	struct waterfall_row *rows; /* groups by abs(change) descending, then ids; then others, if there are any; then outside */
	uint32_t count;
	double change;              /* AET of B - AET of A */
};

/* analyses: what a and b of the match were made of, for the ranks; NULL (a table stands for a trace), and runs with
 * different numbers of processes: no ranks. The match must outlive it. Of analyses of traces that the ranks of a team
 * share all ranks come to it, as a collective step (team.h): rank 0 has the match and gets the waterfall, the others
 * give NULL and get NULL. */
enum err_code waterfall_new(struct waterfall **out, const struct phase_match *m, const struct analysis *a, const struct analysis *b,
			    const struct progress *progress, struct err *e);
void waterfall_free(struct waterfall *w); /* NULL is fine */

/* ---- report ---- */

/* The complete report of `pas2p diff` on two runs (docs/internals/compare-rules.md, "Logical difference",
 * "Corresponding phases", "Waterfall" and "Output of study"): the verdict, the first difference, the corresponding
 * phases, and the causes of the longer time. Parts that are not wanted or have no meaning are NULL.
 *
 * A side is an analysed trace, or the phases of a table that was written with content: then there is no trace to be
 * compared, and the verdict comes from the phases. The sides' analyses and names are the caller's and must outlive the
 * report.
 *
 * With a team (diff_asked.team), whose ranks share both traces, all ranks come to diff_report_new(), as a collective
 * step (team.h). Rank 0 has all of the report; the others have what run_diff and the alignment have there, and no phases, match,
 * waterfall and rows. A table is given to rank 0 alone.
 */

struct diff_asked {
	struct diff_options options;
	bool edits, ticks, phases; /* process by process; aligned ticks, which take edits; groups of phases */
	bool phases_only;          /* the verdict comes from the phases: they correspond one to one with equal weights */
	const struct team *team;   /* NULL: nobody shares */
	double min_share;          /* groups below this share of both run times are one row */
};

struct diff_of {
	const char *file;
	const struct analysis *analysis; /* with ANALYSIS_PHASES where phases are asked for; NULL: of a table */
	struct run_phases *phases;       /* given if there is no analysis, otherwise made; the report's */
	uint32_t processes;
	double aet;                      /* s; NAN: not defined */
};

/* A row of what made B longer or shorter. Ids, weights and times of a group are in `of`. */
struct diff_row_of {
	enum waterfall_kind kind;
	struct phase_group group;  /* of groups and of what only one side has */
	bool small;                /* what is below min_share, as one group: no similarity, parts or rank */
	double change, by_weight, by_compute, by_rest; /* s; NAN: not defined */
	uint32_t rank;             /* NO_PROCESS: not known */
	const struct run_phase *named[2]; /* that the group is called by; NULL: none */
	enum kinds_alike alike;    /* what these do */
};

struct diff_report {
	struct arena arena;
	struct diff_asked asked;
	struct diff_of of[2];
	enum diff_verdict verdict;
	struct run_diff *diff;       /* NULL: phases_only */
	struct diff_align *align;
	struct phase_match *match;
	struct waterfall *waterfall; /* NULL: no run time of a side is known */
	struct diff_row_of *rows;    /* as the waterfall has them; the small ones together behind the groups */
	uint32_t row_count;
	double change;               /* s, B - A; NAN: not defined */
};

/* of: file, and analysis or phases, which the report frees in any case; of a table not on rank 0 neither. */
enum err_code diff_report_new(struct diff_report **out, const struct diff_of of[2], const struct diff_asked *asked, const struct progress *progress,
			      struct err *e);
void diff_report_free(struct diff_report *r); /* NULL is fine */

/* Is this where all of it is? */
static inline bool diff_report_here(const struct diff_report *r)
{
	return !team_rank(r->asked.team);
}

/* Is B's run time further from A's than this share of A's? Yes, too, where that is not known. */
bool diff_report_beyond(const struct diff_report *r, double tolerance);

/* ---- write ---- */

/* A report as a document: YAML, or JSON. Keys stand in docs/internals/compare-rules.md, "Output of study", in this
 * order. `lines`: each hunk with its lines. With a team all ranks come to it, rank 0 writes, and with lines it is a
 * collective step (team.h). */

enum err_code diff_write(const struct diff_report *r, bool lines, struct out *out, bool json, const struct progress *progress, struct err *e);

/* ---- hunk_lines ---- */

/* The lines of all hunks, one after another, told without the traces: at rank 0 where the ranks of a team share these.
 *
 *     hunk_lines_init(&l, align, &e);                       all ranks
 *     while (hunk_next(&h, align))                          rank 0
 *             for (hunk_lines_of(&l, &h); !(code = hunk_lines_next(&l, &line, &e)) && line.there;) ... line ...
 *     code = hunk_lines_end(&l, code, &e);                  all ranks
 *
 * Rank 0 goes through all lines of all hunks, or ends with its error. Ranks take a collective step for some ten
 * thousand lines at a time, so that it needs no more memory than these take: 56 bytes per line. The others come
 * straight to hunk_lines_end(), and to the same collective steps there.
 */

struct shown_line {
	bool there;                /* false: the hunk has no more */
	char mark;                 /* as of hunk_line */
	uint32_t process;
	struct diff_cell cell[2];
};

struct hunk_lines {
	const struct diff_align *align;
	const struct team *team;
	const struct hunk *hunk;   /* that lines are asked for of */
	struct hunk_line line;     /* alone: where it goes on */
	/* In a team: where the next collective step begins, the same on all ranks; */
	struct hunk ahead;
	uint32_t ahead_row;
	/* what has come, and of it what is left: rows, then of one rank's lines in the row. */
	struct team_bytes *from;
	struct team_take *take;
	uint32_t rows, rows_of_hunk, rank, lines;
	bool agreed;               /* the error that ended it is all ranks' */
};

/* Collective. To be ended in any case but an error. */
enum err_code hunk_lines_init(struct hunk_lines *l, const struct diff_align *x, struct err *e);
void hunk_lines_of(struct hunk_lines *l, const struct hunk *h);
enum err_code hunk_lines_next(struct hunk_lines *l, struct shown_line *line, struct err *e);
/* code: what rank 0 has come to, ERR_OK on others. Collective, and returns what all have come to. */
enum err_code hunk_lines_end(struct hunk_lines *l, enum err_code code, struct err *e);

#endif
