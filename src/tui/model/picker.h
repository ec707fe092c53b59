/* Traces that could be opened: those of a folder, and before them those that were opened lately. Both are derived
 * results (tui/jobs/derived.h), once somebody has asked for them.
 *
 *     picker_init(&p);
 *     picker_go(&p, "runs", NULL);   another folder; what was found of the one before is gone
 *     picker_ask(m);                 on the drawing thread: look for them, again
 *     picker_work(m);                whenever there may be news
 *     picker_leave(&p);              the background is going to be stopped
 *     picker_row(&p, i)              those opened lately, then the folders, then the folder's traces
 */
#ifndef PAS2P_TUI_PICKER_H
#define PAS2P_TUI_PICKER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/formats/trace_folder.h"
#include "tui/jobs/derived.h"

struct model;

struct picker {
	char *folder;              /* owned; as it was named, "." where nobody did */
	const char *full;          /* its whole path, once it is known; NULL: it is not */
	char *came_from;           /* owned; the path in it to have the cursor on; NULL: none */
	char *recent_file;         /* owned; NULL: nothing is remembered */
	struct derived look, look_recent;
	const struct trace_folder *here, *recent; /* the latest that came */
	bool wanted;               /* somebody looks */
	bool alone;                /* the workbench began with it: whatever cannot be opened leads back to it */
	bool known;                /* the folder has been read, or cannot be: look.failure says why */
	uint64_t serial;           /* grows with every change */
};

void picker_init(struct picker *p);
void picker_release(struct picker *p);

/* ERR_MEMORY: the folder stays the same. */
enum err_code picker_go(struct picker *p, const char *folder, struct err *e);
/* To the folder above, with the cursor on the one that was left. False: there is none. */
bool picker_go_up(struct picker *p);

void picker_ask(struct model *m);
void picker_work(struct model *m);
void picker_leave(struct picker *p);

uint32_t picker_rows(const struct picker *p);
const struct found_run *picker_row(const struct picker *p, uint32_t row);

#endif
