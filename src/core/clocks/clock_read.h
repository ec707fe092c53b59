/* Reading what a trace's columns do not keep of clocks: when collectives ended, when persistent sends were started,
 * where clocks were synchronised, how finely they stamp (docs/clocks.md 1).
 *
 *     clock_times_load(&c, &trace, paths, count, &options, resolution, records, job, &e);   with the trace, in one reading
 *     clock_times_read(&c, trace, resolution, records, job, &e);                   later: its files are read again
 *     clock_times_release(&c);
 *
 * resolution: s, of all processes; RESOLUTION_AUTO: as their records show. The trace must outlive what was read.
 */
#ifndef PAS2P_CLOCK_READ_H
#define PAS2P_CLOCK_READ_H

#include "clock_times.h"
#include "core/formats/load.h"

#define RESOLUTION_AUTO (-1.0)
#define RESOLUTION_COARSE 1e-6 /* s: of clocks that stamp in whole microseconds */

/* records: all times are wanted, too, to correct them, which is not done by a team. As trace_load(), with a team a
 * meeting; whatever else than ERR_OK and ERR_DAMAGED with a trace leaves *out empty. */
enum err_code clock_times_load(struct clock_times *out, struct trace **trace, const char *const *paths, uint32_t count,
			       const struct trace_options *o, double resolution, bool records, const struct job *job, struct err *e);

/* Of a whole trace; one that was not loaded from files is its columns. ERR_IO if a file is gone or is not what was
 * loaded, ERR_CANCELLED, ERR_MEMORY. */
enum err_code clock_times_read(struct clock_times *out, const struct trace *t, double resolution, bool records, const struct job *job,
			       struct err *e);

/* Tell a watch the trace's files once more; and what to say if that was not what had been loaded. */
struct make_watch;
enum err_code clock_read_again(const struct trace *t, const struct make_watch *watch, const struct job *job, struct err *e);
enum err_code clock_read_changed(struct err *e);

#endif
