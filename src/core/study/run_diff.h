/* Two runs, compared exactly: are their logical traces the same, where do they part, and by which edits
 * (docs/studies.md 2).
 *
 *     run_diff_new(&d, a, b, &options, job, &e);           verdict and first difference
 *     run_diff_edit(d, job, &e);                           edits, process by process; may be left out
 *     ... diff_align.h: ticks of both sides beside one another; hunks.h: what differs, as a person reads it ...
 *     run_diff_free(d);
 *
 * Types are compared as canonical ones (canonical.h), so neither clocks nor the numbers of communicators count. Times
 * never do. Where the numbers of processes differ there is nothing more than that verdict.
 *
 * A process's sequence is its events in the order of their ticks, which is not the order in which it made them: a
 * receive stands behind its send. Cost: O(events), and 4 bytes an event of each side (8 if strict); edits come to O(ND)
 * of each process by itself, at most `effort` of them. Everything is the same however many threads there are. The
 * analyses must outlive the diff; it is immutable once its last step is done, and may then be read from any thread.
 *
 * Of traces that the ranks of a team share (trace_far.h) all ranks come to both steps, which meet (team.h). A process
 * is of the same rank in both (trace_options.beside). Each rank compares its own: it has sequences and scripts of
 * these. Verdict, first difference, counts, and `beyond` are those of all processes, and the same on all ranks.
 */
#ifndef PAS2P_RUN_DIFF_H
#define PAS2P_RUN_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "core/analysis/analysis.h"
#include "core/analysis/canonical.h"
#include "core/io/out.h"
#include "core/team/team.h"
#include "edit_script.h"

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
	uint32_t *key;         /* strict: per event, what is compared; else NULL. With it: */
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
			   const struct job *job, struct err *e);
enum err_code run_diff_edit(struct run_diff *d, const struct job *job, struct err *e);
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
/* Of an event that is here. */
void run_diff_print_type(const struct run_diff *d, enum diff_side side, uint32_t event, struct out *out);

/* The kept pairs and edits of a process, in the order of its script. Of a process beyond the effort there are none.
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

#endif
