/* Runs: which of several files are of one run. A whole (finalized) file is a run; the local files of one run belong
 * together, by what their format says (CLOG2: the identity of their MPI_COMM_WORLD).
 *
 * Only the beginning of a file is read, and nothing of a single one, which is a run whatever it is. A part that does
 * not say which run it is of, such as an empty file of a process that was killed early, goes with the part before it,
 * or with the first one. What no format knows is a run, for trace_load() to refuse.
 */
#ifndef PAS2P_RUNS_H
#define PAS2P_RUNS_H

#include <stdint.h>

#include "core/base/err.h"

struct format_run;
struct source;

/* run[i]: the run of file i; runs are numbered from 0, in the order of their first files. Returns through *runs how
 * many there are. */
enum err_code runs_of_files(const char *const *paths, uint32_t count, uint32_t *run, uint32_t *runs, struct err *e);
enum err_code runs_of_sources(const struct source *sources, uint32_t count, uint32_t *run, uint32_t *runs, struct err *e);

/* The same of files that have been looked at already (core/formats/api/glance.h). */
void runs_number(const struct format_run *of, uint32_t count, uint32_t *run, uint32_t *runs);

#endif
