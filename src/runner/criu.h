/* CRIU (criu.org) as a tool: where it is, and running it in a nest. Private to the driver and its probe.
 *
 * In the nest all that must come back with a job lies in the tmpfs on /dev/shm; what must not, in another one below it:
 *
 *     /dev/shm/pas2p/control          the control file
 *     /dev/shm/pas2p/output           what the job says
 *     /dev/shm/pas2p/tmp              its TMPDIR
 *     /dev/shm/pas2p/work             a copy of its work directory, mounted over that
 *     /dev/shm/pas2p/host/criu        the program
 *     /dev/shm/pas2p/host/signature   the signature's folder
 */
#ifndef PAS2P_CRIU_H
#define PAS2P_CRIU_H

#include <limits.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "nest.h"

#define CRIU_BASE "/dev/shm/pas2p"
#define CRIU_HOST CRIU_BASE "/host"
#define CRIU_TOOL CRIU_HOST "/criu"
#define CRIU_SIGNATURE CRIU_HOST "/signature"

/* $PAS2P_CRIU, beside pas2p (core/io/beside.h), or the PATH. ERR_IO with what to do if there is none. */
enum err_code criu_find(char path[PATH_MAX], struct err *e);

/* "4.2.1" */
enum err_code criu_version(char *text, size_t size, struct err *e);

/* The folders above in a fresh nest, with CRIU in its place and `signature` (NULL: none), which `held` is open on, in
 * its. */
enum err_code criu_furnish(struct nest *n, const char *signature, int held, struct err *e);

/* Run a step, "dump" or "restore", whose files are the caller's alone: the images are in `images` (as seen inside);
 * `more` ends with NULL, and so does env. On failure the sentence has the first error of CRIU's log. */
enum err_code criu_step(struct nest *n, const char *step, const char *images, const char *const *more,
			const char *const *env,
			const struct job *job, struct err *e);

/* Make a folder inside the nest, with its name as seen inside; it is the caller's alone, and may be there already. */
enum err_code criu_folder(struct nest *n, const char *inside, struct err *e);

/* The process that the probe dumps: pas2p itself, started with this one argument, by main() and not for people. */
#define CRIU_SUBJECT "--subject-of-criu-probe"
int criu_subject(void);

/* Dump and restore a process that talks to itself over loopback TCP. */
enum err_code criu_probe(const struct job *job, struct err *e);

#endif
