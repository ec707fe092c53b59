/* Background work in addition to the session's: results that cost a view more than a frame, and work that a changed
 * threshold need not wait for. Most of it is derived results (derived.h); tasks that answer a command once are started
 * here.
 *
 *     slot = background_slot_new(b)                 one for each kind of work, with a thread of its own from its first task on
 *     background_ask(b, slot, &mine->task)          takes it over, also when it fails; stops the one before it
 *     ... wake() is called from its thread ...
 *     task = background_take(b, slot, &e)           the latest; NULL: none is ready, or e says what went wrong
 *
 * Whoever asks sees to it that what the task reads stays: analyses by reference, the trace until background_stop().
 */
#ifndef PAS2P_TUI_BACKGROUND_H
#define PAS2P_TUI_BACKGROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"

struct task {
	enum err_code (*run)(struct task *t, const struct progress *progress, struct err *e); /* on its thread */
	void (*free)(struct task *t);
};

struct background_state {
	bool busy;
	enum progress_stage stage;
	uint64_t done, total;
};

struct background;

enum err_code background_new(struct background **out, void (*wake)(void *arg), void *arg, struct err *e);
int background_slot_new(struct background *b); /* from 1 on; 0: no memory */
void background_ask(struct background *b, int slot, struct task *t);
struct task *background_take(struct background *b, int slot, struct err *e); /* caller frees it */
struct background_state background_state(struct background *b, int slot);
void background_cancel(struct background *b, int slot); /* what it was at gives ERR_CANCELLED */
unsigned background_asked(struct background *b); /* tasks so far: scripts wait, and take, until there are no more */
bool background_busy(struct background *b, struct background_state *state); /* at anything: the first of what it is at */
void background_cancel_all(struct background *b);
void background_wait_idle(struct background *b); /* for scripts */
void background_stop(struct background *b);      /* cancels, joins; NULL is fine */

#endif
