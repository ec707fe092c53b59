/* Reading runs in the background: one after the other, each for its figures, and what the diagnosis of all of them has
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

#include "core/settings/settings.h"
#include "run_list.h"
#include "tui/jobs/derived.h"

struct model;
struct spent;

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
enum err_code run_files_load(struct trace **out, const struct run_files *f, char say[ERR_TEXT], const struct progress *progress, struct err *e);
void run_files_release(struct run_files *f);

/* The diagnosis of all runs in sentences, a derived result: of the runs, with the settings that it was asked for with.
 * Figures of all, and the files of those that are read again: the run that is looked at, and the reference. */
struct runs_diagnosis {
	struct made made;
	struct session *session;
	uint64_t serial;             /* of the runs */
	struct diagnosed *runs;      /* by place; owned, as are the metrics */
	struct run_metrics *metrics;
	uint32_t count, reference, looked;
	const struct trace *open[2]; /* NULL: it is to be loaded */
	struct spent *spent[2];      /* references, or NULL */
	char **paths[2];
	uint32_t path_count[2];
	unsigned threads;
	enum scaling_kind kind;
	struct settings settings;
	bool complete;               /* there was memory for what it is made of */
	char *text;
};
bool runs_diagnose(struct derived *d, const struct model *m); /* as derived_update() */

#endif
