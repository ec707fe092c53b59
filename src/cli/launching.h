/* What the commands that launch jobs have in common. */
#ifndef PAS2P_LAUNCHING_H
#define PAS2P_LAUNCHING_H

#include "core/documents/table.h"
#include "exit.h"
#include "options.h"
#include "progress.h"
#include "runner/driver.h"
#include "runner/launch.h"
#include "runner/plan.h"
#include "runner/station.h"

/* Of sign and run, from the options to a mission. */
struct launching {
	const struct options *options;
	struct progress progress;
	struct launch launch;
	struct job_plan plan;
	struct mission mission;
	const struct driver_ops *driver;
	const char *directory;   /* where the command is going to be started; NULL: here */
	bool planned, writing;   /* which kind of failure an ERR_IO is from here on: the job's, the output's */
};

/* Everything but table and driver; catches signals from here on. */
enum err_code launching_begin(struct launching *l, const struct options *o, struct err *e);

/* Check the table against the command and the options. Nothing is executed. */
enum err_code launching_check(const struct launching *l, const struct table *t, const char *const *argv, struct err *e);

/* Check it, ask the launcher, and plan the run. */
enum err_code launching_plan(struct launching *l, const struct table *t, const char *const *argv, struct err *e);

/* The driver that the options name, probed, or the first that works. */
enum err_code launching_driver(struct launching *l, struct err *e);

/* Say how it went, if not well, and give the exit code. */
enum exit_code launching_end(struct launching *l, enum err_code code, const struct err *e);

#endif
