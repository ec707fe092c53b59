/* A trace with its times put right, without a file: the setting `clocks: corrected` (docs/clocks.md 4.6).
 *
 *     clock_new_times(&times, log, job, &e);                         of one that is loaded with its log; its files are read once more
 *     clock_new_times_load(&times, paths, count, &options, job, &e); of files
 *     options.times = times;                                         what is loaded with these is as `pas2p clocks --correct` would write it
 *     trace_times_unref(times);
 *
 * Nothing to put right is no error: times->figures.steps is 0, and the trace is as it was. So are traces of one
 * process, or of none.
 */
#ifndef PAS2P_CLOCK_NEW_TIMES_H
#define PAS2P_CLOCK_NEW_TIMES_H

#include "core/formats/load.h"
#include "core/metrics/call_log.h"
#include "core/trace/trace_times.h"

/* Of the trace as it was recorded: one that has other times already gives ERR_USAGE, as does one that was not read to
 * its end or was not loaded from files. ERR_IO: its files are not what was loaded; ERR_LIMIT; ERR_CANCELLED,
 * ERR_MEMORY. */
enum err_code clock_new_times(struct trace_times **out, const struct call_log *log, const struct job *job, struct err *e);

/* Besides: whatever loading says, but damage, which loading with these times says again. With a team in the options a
 * meeting: rank 0 makes them, of the whole trace, and all get all of them, 8 bytes a record. */
enum err_code clock_new_times_load(struct trace_times **out, const char *const *paths, uint32_t count, const struct trace_options *o,
				   const struct job *job, struct err *e);

#endif
