/* Derived results: what is made in the background of what is shown, and made again when that is another.
 *
 *     static const struct derived_kind kind = {"a plan", sizeof(struct run_plan), can, begin, is_of, make, release};
 *
 *     derived_update(&d, &kind, background, from);   before drawing: takes what has come, asks for what is not there
 *     derived_current(&d, from)                      what is there, if it is of what is shown; otherwise NULL
 *     d.now, d.failure, d.serial                     the latest, whatever it is of; why there is no newer one; grows with each
 *
 * A thing made is one struct that begins with a struct made, goes on with what it is made of (references: begin() takes
 * them) and ends with what was made. So it is its own task, and says what it was asked for. It is counted and, once it
 * is there, immutable: a view that keeps one holds a reference. What was stopped or has failed is asked for again when
 * it would be made of something else, or after derived_again().
 */
#ifndef PAS2P_TUI_DERIVED_H
#define PAS2P_TUI_DERIVED_H

#include <stdatomic.h>
#include <stddef.h>

#include "background.h"

struct derived_kind {
	const char *what;                                                                  /* "a plan": there is no memory for it */
	size_t size;                                                                       /* of the struct */
	bool (*can)(const void *from);                                                     /* there is what it is made of; NULL: always */
	void (*begin)(void *made, const void *from);                                       /* what it is made of, into what is zero */
	bool (*is_of)(const void *made, const void *from);                                 /* it would be made of the same now; NULL: always */
	enum err_code (*make)(void *made, const struct progress *progress, struct err *e); /* on its thread */
	void (*release)(void *made);                                                       /* on any thread, also what was never made */
};

struct made {
	struct task task;
	atomic_int references;
	const struct derived_kind *kind;
};

/* NULL is fine. */
void *made_ref(void *made);
void made_unref(void *made);

/* All zero before the first update. */
struct derived {
	const struct derived_kind *kind;
	struct background *background; /* NULL: never updated */
	int slot;
	void *now;                     /* a reference; NULL: nothing has come */
	void *asked;                   /* a reference; the same, or what is being made, or what failed; NULL: nothing */
	char failure[ERR_TEXT];        /* "": none; without `asked` nothing more is asked for */
	uint64_t serial;
};

/* True: something came. */
bool derived_update(struct derived *d, const struct derived_kind *kind, struct background *b, const void *from);
void *derived_current(const struct derived *d, const void *from);
struct background_state derived_state(const struct derived *d);
bool derived_busy(const struct derived *d);
void derived_cancel(struct derived *d);
void derived_again(struct derived *d);   /* what is there stays until there is another */
void derived_forget(struct derived *d);  /* none of it may be shown any more */
void derived_leave(struct derived *d);   /* the background is going to be stopped: the next update, of another one, goes on */
void derived_release(struct derived *d); /* what is being made is made to its end, or to background_stop() */

#endif
