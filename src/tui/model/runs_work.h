/* Reading runs behind the screen: one after the other, each for its figures, and what the diagnosis of all of them has
 * to read again.
 *
 *     runs_work(m);            on the drawing thread, whenever there may be news: takes what is done, begins what is next
 *     runs_stop(m);            what is being read, and what is still to be
 *     runs_work_end(r);        the background is stopped: what was being read is to be read again
 *
 * The open trace is not read again, only its calls; that waits until its first analysis is there.
 */
#ifndef PAS2P_TUI_RUNS_WORK_H
#define PAS2P_TUI_RUNS_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct model;
struct run;
struct runs;
struct trace;
struct job;

/* Returns a run that could not be read, or was found damaged, since the last call: it has something to say. NULL:
 * none. */
const struct run *runs_work(struct model *m);
bool runs_stop(struct model *m); /* false: there is nothing to stop */
void runs_work_end(struct runs *r);

/* How far the reading is, 0 to 1, and whether that is known. */
double runs_progress(const struct model *m, bool *known);

/* A run's files, for who wants all of its trace: copied on the drawing thread, loaded on another. say: what is wrong
 * with the trace, though it can be used; "": nothing. */
struct run_files {
	char **paths;              /* owned */
	uint32_t count;
	unsigned threads;
};
bool run_files_init(struct run_files *f, const struct run *run, unsigned threads); /* false: no memory */
enum err_code run_files_load(struct trace **out, const struct run_files *f, char say[ERR_TEXT], const struct job *job, struct err *e);
void run_files_release(struct run_files *f);

/* The diagnosis of all runs in sentences, with the settings that are shown: asked for, it comes some time after. False:
 * no memory. */
bool runs_diagnose(struct model *m);
/* Once: its text, to mem_free(). NULL and ERR_OK: it is not there yet. */
char *runs_diagnosed(struct model *m, struct err *e);

#endif
