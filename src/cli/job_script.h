/* A job script: what a batch system is given so that one run of pas2p takes place inside its job.
 *
 * The kinds are rows of a table in job_script.c, by the names that --script takes. A script asks for nodes and tasks,
 * goes to the directory, sets the variables that the run's programs and libraries are found by, and becomes the run. No
 * other variable is written down: what else an environment holds may be secret. Every word is quoted, whatever it
 * consists of; the same arguments in the same environment give the same bytes. It needs bash.
 */
#ifndef PAS2P_JOB_SCRIPT_H
#define PAS2P_JOB_SCRIPT_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/io/out.h"
#include "options.h"

struct job_script {
	const char *kind;          /* "slurm", "pbs" */
	const char *application;   /* named in the job's name, as far as such names allow */
	uint32_t tasks, nodes;     /* nodes from 1 to tasks */
	const char *directory;     /* where the run starts, absolute */
	const char *control;       /* --control, absolute; NULL: none */
	const struct options *options; /* of the run: its operand, its options, its launch command */
};

/* ERR_USAGE if there is no such kind or pas2p's own place is not known. */
enum err_code job_script_write(const struct job_script *s, struct out *o, struct err *e);

#endif
