/* The open run and another one as a pair, made behind the screen (docs/studies.md 2 to 4): where they differ, tick by
 * tick, and which phases correspond, with what that did to the run time.
 *
 *     run_pair_update(m);      in the update of a view that shows some of it: asks for it, takes what has come
 *     m->pair.first            the verdict and the first difference; NULL: not there yet
 *     m->pair.first->align     ticks beside one another; NULL: not there yet, or the runs differ in processes
 *     m->pair.phases           groups and waterfall; NULL: not there yet
 *
 * Which run the other one is, the runs say (run_list.h, `beside`). Its trace is read once, and analysed by the settings
 * of the open one. Phases follow every setting, ticks only those that change the logical traces. Each is a derived
 * result (tui/jobs/derived.h); the older stays until the newer one is there. Side 0 is on the left: the open run, unless swapped.
 */
#ifndef PAS2P_TUI_RUN_PAIR_H
#define PAS2P_TUI_RUN_PAIR_H

#include "core/study/diff_align.h"
#include "core/study/waterfall.h"
#include "tui/jobs/derived.h"

struct model;

struct pair_ticks {
	struct made made;
	struct pair_ticks *of;           /* with align: the same without, a reference, whose the next three are; NULL: they are its own */
	struct pair_trace *other;        /* a reference, as are the analyses */
	const struct analysis *side[2];
	struct run_diff *diff;
	enum diff_verdict verdict;
	struct diff_first first;
	struct diff_align *align;
	uint32_t *hunks, hunk_count;     /* their first rows; with align */
	uint64_t changes[4];             /* cells, by enum diff_change; with align */
	uint32_t beyond;                 /* processes whose edits are not known, and not in changes; with align */
};

struct pair_phases {
	struct made made;
	struct pair_trace *other;        /* a reference, as are the analyses */
	const struct analysis *open, *second;
	const struct analysis *previous; /* of the other run, or NULL */
	bool swapped;
	struct run_phases *side[2];
	struct phase_match *match;
	struct waterfall *waterfall;     /* NULL: a run time is not known */
};

struct run_pair {
	bool show;                 /* a view that has something else in front, too, should show the runs */
	bool swapped;
	uint32_t with;             /* id of the other run; 0: there is none */
	struct derived reading, matching, comparing, aligning; /* each is made of what the one before made */
	const struct pair_phases *phases;
	const struct pair_ticks *first;
	uint64_t serial;           /* grows with everything that comes */
	bool stopped;              /* until it is asked for again, whatever knobs say */
};

void run_pair_update(struct model *m);
const char *run_pair_failure(const struct run_pair *p); /* "": none */
/* Esc; false: there was nothing to stop. And what was stopped or has failed, again; what failed also tries again when a
 * knob moves. */
bool run_pair_stop(struct run_pair *p);
void run_pair_again(struct run_pair *p);
/* What is being done, and how far it is: 0 to 1, NAN where that is not known. NULL: nothing. */
const char *run_pair_doing(const struct run_pair *p, double *part);
void run_pair_release(struct run_pair *p);

/* Analyses by side; NULL: not there yet. */
const struct analysis *run_pair_side(const struct run_pair *p, int side);

#endif
