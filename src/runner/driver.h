/* Drivers: the mechanisms by which windows or phases are reached and measured. docs/internals/runner.md says how a site
 * adds one.
 *
 *     driver_find("criu")->probe(&e)                     can it work here, tried out?
 *     d->launch(&s, &mission, CONTROL_SIGN, &e);         the job runs in a nest, with a control file
 *     station_watch(&s, ...);                            until all ranks have stopped at a cut (runner.h)
 *     d->dump(&s, folder, &e);                           the checkpoint is in the folder; the job lives on, stopped
 *     ...
 *     d->kill(&s, true);                                 nothing of the job is left
 *
 *     d->restore(&s, &mission, part, folder, &e);        in another run: the job lives again and measures
 *     station_watch(&s, ...); d->kill(&s, false);
 *
 * A driver without dump and restore (replay) measures while the program runs from its start.
 */
#ifndef PAS2P_DRIVER_H
#define PAS2P_DRIVER_H

#include "runner.h"

struct driver_ops {
	const char *name;     /* in signatures and results */
	const char *shown;    /* the same for people, who may give either */
	const char *what;     /* one line for people */
	/* Whether it works here, by doing it on a small scale; NULL: always. The sentence says what is missing and what
	 * would help. */
	enum err_code (*probe)(const struct progress *progress, struct err *e);
	/* Start the job. On errors nothing is left to be killed; the same goes for restore. */
	enum err_code (*launch)(struct station *s, const struct mission *m, enum control_mode mode, struct err *e);
	/* NULL, NULL: it has no checkpoints. The folder exists and is empty; its name is absolute. restore notes when it
	 * began, and when nest, files and ranks were there (station_note()), for what restoring costs. */
	enum err_code (*dump)(struct station *s, const char *folder, struct err *e);
	enum err_code (*restore)(struct station *s, const struct mission *m, uint32_t part, const char *folder,
				 struct err *e);
	/* End the job; gently where it may want to tidy up. Returns the number of processes left behind. */
	unsigned (*kill)(struct station *s, bool gently);
	/* What must be the same where a checkpoint is restored, "4.2.1" of the mechanism itself; NULL: nothing. */
	enum err_code (*version)(char *text, size_t size, struct err *e);
};

extern const struct driver_ops driver_replay, driver_criu;

/* In order of preference; ends with NULL. The last one always works. */
extern const struct driver_ops *const drivers[];

const struct driver_ops *driver_find(const char *name); /* by either name; NULL: no such */

/* The first whose probe succeeds. Why the ones before it do not goes to m->say. */
const struct driver_ops *driver_pick(const struct mission *m);

#endif
