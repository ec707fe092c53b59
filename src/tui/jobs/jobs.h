/* Work beside the drawing thread that is no derived result. Besides session.h (loads and analyses), background.h
 * (tasks) and derived.h (results of tasks): counts of events for the session, exports in slices, and pas2p doctor as
 * another process.
 */
#ifndef PAS2P_TUI_JOBS_JOBS_H
#define PAS2P_TUI_JOBS_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/io/yaml_in.h"
#include "core/method/logical/logical.h"
#include "core/table/rows.h"

/* ---- doctor_run ---- */

/* What `pas2p doctor` finds, for the workbench. It is another process of the program: looking starts launchers and
 * CRIU's trial, which wants a process of one thread, and whatever goes wrong with those is not the workbench's end. It
 * has this one's terminal as its input, which it looks at and does not read.
 *
 *     doctor_run("/proc/self/exe", &found, progress, &e);  seconds, at most a minute; ERR_CANCELLED ends it and all that it has started
 *     found.rows[0 .. found.count - 1]
 *     doctor_found_release(&found);
 */

struct doctor_row {
	const char *check, *text, *mend; /* safe texts; mend "": there is nothing to be mended */
	enum { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_MISSING } state;
	bool needed;
};

struct doctor_found {
	struct doctor_row *rows; /* owned */
	uint32_t count;
	struct yaml_in yaml;     /* has the texts */
};

/* ERR_IO: it could not be run, or has failed; ERR_FORMAT: it said something else. Then nothing is found. */
enum err_code doctor_run(const char *program, struct doctor_found *found, const struct progress *progress, struct err *e);
void doctor_found_release(struct doctor_found *found);

/* ---- event_counts ---- */

/* Counts of events: how many lie where, for grids that show more than can be counted while one waits.
 *
 * The logical trace is cut into blocks of ticks and groups of processes (powers of two), small enough that even a
 * whole run on a large screen is made of many of them. before[] counts, so that any range of blocks costs a
 * subtraction. One pass over all events, made by the worker once for each logical trace; immutable then.
 */

struct event_counts {
	const struct logical *of;  /* to tell whose it is; not a reference */
	uint32_t block, group;     /* ticks, processes */
	uint32_t blocks, groups;
	uint32_t *before;          /* [block][group]: events of the group at ticks before the block; blocks + 1 rows */
};

#define EVENT_COUNTS_BLOCKS 8192 /* enough for any screen */
#define EVENT_COUNTS_GROUPS 256

/* At most so many blocks and groups. */
enum err_code event_counts_new(struct event_counts **out, const struct logical *l, uint32_t blocks, uint32_t groups,
			   const struct progress *progress, struct err *e);
void event_counts_free(struct event_counts *o); /* NULL is fine */

/* Events of groups [g0, g1) in blocks [b0, b1). */
uint64_t event_counts_of(const struct event_counts *o, uint32_t b0, uint32_t b1, uint32_t g0, uint32_t g1);

/* ---- export_rows ---- */

/* A listing of the workbench as a file, by the same code (core/table/rows.h) that writes those of the command
 * line. Apart from the views, whose columns and cells are things of the screen. */

/* A file that is being written, a slice at a time. Until it is done, what was there under its name stays. */
struct export_file;

/* What the rows point to must stay. The format is that of the name's ending: csv, json, yaml or yml, txt. ERR_USAGE:
 * another one. */
enum err_code export_begin(struct export_file **out, const struct rows *rows, const char *path, struct err *e);
enum err_code export_step(struct export_file *f, unsigned ms, bool *done, struct err *e); /* for some milliseconds */
double export_part(const struct export_file *f); /* how much is written, 0 to 1 */
void export_end(struct export_file *f);          /* not done: nothing is written; NULL is fine */

#endif
