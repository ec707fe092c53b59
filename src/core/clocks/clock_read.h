/* Reading what a trace's columns do not keep of clocks: when collectives ended, when persistent sends were started, where clocks were
 * synchronised, how finely they stamp (docs/clocks.md 1). One reading of the trace's files. */
#ifndef PAS2P_CLOCK_READ_H
#define PAS2P_CLOCK_READ_H

#include "clock_times.h"

#define RESOLUTION_AUTO (-1.0)
#define RESOLUTION_COARSE 1e-6 /* s: of clocks that stamp in whole microseconds */

/* resolution: s, of all processes; RESOLUTION_AUTO: as their records show. A trace that was not loaded from files is its columns.
 * ERR_IO if a file is gone or is not what was loaded, ERR_CANCELLED, ERR_MEMORY. The trace must outlive it. */
enum err_code clock_times_read(struct clock_times *out, const struct trace *t, double resolution, const struct job *job, struct err *e);

/* Tell a watch the trace's files once more; and what to say if that was not what had been loaded. */
struct make_watch;
enum err_code clock_read_again(const struct trace *t, const struct make_watch *watch, const struct job *job, struct err *e);
enum err_code clock_read_changed(struct err *e);

#endif
