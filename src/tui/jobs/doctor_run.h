/* What `pas2p doctor` finds, for the workbench. It is another process of the program: looking starts launchers and
 * CRIU's trial, which wants a process of one thread, and whatever goes wrong with those is not the workbench's end. It
 * has this one's terminal as its input, which it looks at and does not read.
 *
 *     doctor_run("/proc/self/exe", &found, job, &e);     seconds, at most a minute; ERR_CANCELLED ends it and all that it has started
 *     found.rows[0 .. found.count - 1]
 *     doctor_found_release(&found);
 */
#ifndef PAS2P_TUI_DOCTOR_RUN_H
#define PAS2P_TUI_DOCTOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "core/io/yaml_in.h"

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
enum err_code doctor_run(const char *program, struct doctor_found *found, const struct job *job, struct err *e);
void doctor_found_release(struct doctor_found *found);

#endif
