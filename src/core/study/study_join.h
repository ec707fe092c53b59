/* Local files of one run that were given as operands, each by itself, become the run that they are of
 * (docs/studies.md 5).
 *
 * Which files belong together is told as everywhere (core/formats/runs.h). Parameters of any of its files are the
 * run's.
 */
#ifndef PAS2P_STUDY_JOIN_H
#define PAS2P_STUDY_JOIN_H

#include "study_file.h"

/* f: with runs of one file each. ERR_USAGE: two files of a run say different things of it. */
enum err_code study_join(struct study_file *f, struct err *e);

#endif
