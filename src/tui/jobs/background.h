/* Background work beside the session's own: what a view needs that costs more than a frame, and what a moved knob
 * need not wait for (the timeline's reading of the files, counts of the summary, nearest misses, what comes of merging
 * two, the sensitivity strip, a result's reading, the trace's SHA-256 that says whether the result is of it, what a
 * signature would measure, plans of windows, settings that cover more, the figures of runs and their diagnosis,
 * metrics of the run and of its phases, what the run would be, who waited for whom, the program's loops, the grid's
 * heat maps, whom each process has to do with, how far clocks are apart, what models come to: figures, ranges, curves
 * and fits, studies of many runs, the run that the open one is compared with, where the two differ, the file of a trace
 * with corrected times, the traces of a folder and those opened lately, what works on this machine).
 *
 * One slot for each such thing, each with a thread of its own from its first task on. A new task of a slot stops the
 * one before it; the latest that is finished waits until the drawing thread takes it.
 *
 *     background_ask(b, BACKGROUND_TIMELINE, &mine->task);      takes it over, also when it fails
 *     ... wake() is called from its thread ...
 *     task = background_take(b, BACKGROUND_TIMELINE, &e);       NULL: none is ready, or e says what went wrong
 *
 * Whoever asks sees to it that what the task reads stays: analyses by reference, the trace until background_stop().
 */
#ifndef PAS2P_TUI_BACKGROUND_H
#define PAS2P_TUI_BACKGROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"

enum background_slot {
	BACKGROUND_TIMELINE, BACKGROUND_SUMMARY, BACKGROUND_MISSES, BACKGROUND_MERGE, BACKGROUND_STRIP, BACKGROUND_RESULT, BACKGROUND_HASH,
	BACKGROUND_MEASURE, BACKGROUND_PLAN, BACKGROUND_TUNE, BACKGROUND_RUN, BACKGROUND_DIAGNOSIS, BACKGROUND_METRICS, BACKGROUND_METRICS_PHASES,
	BACKGROUND_WHAT_IF, BACKGROUND_WAITED, BACKGROUND_STRUCTURE, BACKGROUND_HEAT, BACKGROUND_PEERS,
	BACKGROUND_CLOCKS, BACKGROUND_CORRECT, BACKGROUND_MODEL, BACKGROUND_MODEL_SWEEP, BACKGROUND_MODEL_CURVE, BACKGROUND_MODEL_FIT,
	BACKGROUND_STUDY, BACKGROUND_PAIR, BACKGROUND_DIFF, BACKGROUND_FOLDER, BACKGROUND_RECENT, BACKGROUND_DOCTOR,
	BACKGROUND_SLOTS
};

struct task {
	enum err_code (*run)(struct task *t, const struct job *job, struct err *e); /* on its thread */
	void (*free)(struct task *t);
};

struct background_state {
	bool busy;
	enum job_stage stage;
	uint64_t done, total;
};

struct background;

enum err_code background_new(struct background **out, void (*wake)(void *arg), void *arg, struct err *e);
void background_ask(struct background *b, enum background_slot slot, struct task *t);
struct task *background_take(struct background *b, enum background_slot slot, struct err *e); /* caller frees it */
struct background_state background_state(struct background *b, enum background_slot slot);
void background_cancel(struct background *b, enum background_slot slot); /* what it was at gives ERR_CANCELLED */
unsigned background_asked(struct background *b); /* tasks so far: scripts wait, and take, until there are no more */
bool background_busy(struct background *b, struct background_state *state); /* at anything: the first of what it is at */
void background_cancel_all(struct background *b);
void background_wait_idle(struct background *b); /* for scripts */
void background_stop(struct background *b);      /* cancels, joins; NULL is fine */

#endif
