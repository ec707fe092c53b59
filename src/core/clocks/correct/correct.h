/* A trace's times put right, so that nothing arrives before it was sent (docs/explain/clocks-bounds.md, "Correction").
 *
 *     clock_correction_new(&c, &points, bounds, &options, progress, &e);
 *     c->time[c->first[p] + i]                     the new time of record i of process p (correct_int.h)
 *     clock_correction_free(c);
 *
 *     clock_correct_file("out.clog2", &figures, &points, bounds, &options, progress, &e);  the same, written
 *
 * Two steps, either or both: linear, each clock by its estimate; controlled logical clock, for what that leaves. A
 * trace that has nothing to put right keeps its times. Kept of each process is the order of its records. After the
 * second step no receive and no end of a collective is before what it needs; no record before its linear time; no
 * interval between records of a process is shorter than (1 - amortise) of its linear length, nor longer than (1 +
 * amortise) of it, but those that are counted as abrupt; a process's last record is moved by what it needs alone. All
 * related messages count, and those collectives that the bounds trusted. The times of all records that were kept when
 * the trace was read (clock_times) are used up; if there are none it is read again. Beside the trace: 24 bytes per
 * record while it works, the 8 of the result among them, and 12 per message's end; less while the file is written.
 */
#ifndef PAS2P_CORE_CLOCKS_CORRECT_CORRECT_H
#define PAS2P_CORE_CLOCKS_CORRECT_CORRECT_H

#include "core/clocks/bounds/bounds.h"
#include "core/formats/api/load.h"
#include "core/metrics/calls/log.h"
#include "core/trace/times.h"

/* ---- correct ---- */

enum clock_method {
	CLOCK_AUTO,          /* linear if that leaves fewer violations than there are, then the controlled logical clock if it leaves any */
	CLOCK_LINEAR, CLOCK_CLC /* that one alone */
};

#define CLOCK_AMORTISE 0.01

struct clock_correct_options {
	enum clock_method method;
	double amortise;     /* from 0 to below 1: by which part an interval may be stretched or shortened */
};

struct clock_correct_figures {
	unsigned steps;      /* that were taken: of TRACE_CLOCKS_LINEAR and TRACE_CLOCKS_CLC; 0: nothing was to be put right */
	uint64_t violations; /* as recorded: receives and ends of collectives before what they need */
	uint64_t violations_after_linear; /* the same as recorded if that step was not taken */
	uint64_t left;       /* violations by the new times */
	uint64_t moved;      /* records whose time is not the recorded one */
	double largest;      /* s, by how much, at most */
	uint64_t abrupt;
	double abrupt_worst; /* s, too long */
	uint64_t broken;     /* relations left out, since they close a cycle */
};

struct clock_correction {
	struct clock_correct_figures figures;
	size_t *first;       /* process_count + 1 */
	double *time;
};

/* The latency is the points'; so are the collectives, which are to be those of the bounds: points->barriers is
 * bounds->barriers. ERR_IO if the trace's files are not what was loaded, ERR_USAGE (also of a trace that was not read
 * to its end), ERR_LIMIT, ERR_CANCELLED, ERR_MEMORY. */
enum err_code clock_correction_new(struct clock_correction **out, const struct clock_points *points, const struct clock_bounds *b,
				   const struct clock_correct_options *o, const struct progress *progress, struct err *e);
void clock_correction_free(struct clock_correction *c); /* NULL is fine */
/* Its times, as a trace refers to them; they are taken from it. c NULL, or without steps: there are none. */
struct trace_times;
enum err_code clock_correction_times(struct trace_times **out, struct clock_correction *c, uint32_t process_count, struct err *e);

/* Correct the points' trace, which was loaded from files, and write it to a file, whole or not at all; it may be one of
 * those. Besides the above: ERR_IO where that cannot be written. *unwritten: it is the new file that an error is of. */
enum err_code clock_correct_file(const char *path, struct clock_correct_figures *figures, const struct clock_points *points,
				 const struct clock_bounds *b, const struct clock_correct_options *o, bool *unwritten,
				 const struct progress *progress, struct err *e);

/* ---- new_times ---- */

/* A trace with its times put right, without a file: the setting `clocks: corrected` (docs/explain/clocks-bounds.md,
 * "Corrected times").
 *
 *     clock_new_times(&times, log, progress, &e);                    of one that is loaded with its log; its files are read once more
 *     clock_new_times_load(&times, paths, count, &options, progress, &e); of files
 *     options.times = times;                                         what is loaded with these is as `pas2p clocks --correct` would write it
 *     trace_times_unref(times);
 *
 * Nothing to put right is no error: times->figures.steps is 0, and the trace is as it was. So are traces of one
 * process, or of none.
 */

/* Of the trace as it was recorded: one that has other times already gives ERR_USAGE, as does one that was not read to
 * its end or was not loaded from files. ERR_IO: its files are not what was loaded; ERR_LIMIT; ERR_CANCELLED,
 * ERR_MEMORY. */
enum err_code clock_new_times(struct trace_times **out, const struct call_log *log, const struct progress *progress, struct err *e);

/* Besides: whatever loading says, but damage, which loading with these times says again. With a team in the options a
 * collective step: rank 0 makes them, of the whole trace, and all get all of them, 8 bytes per record. */
enum err_code clock_new_times_load(struct trace_times **out, const char *const *paths, uint32_t count, const struct trace_options *o,
				   const struct progress *progress, struct err *e);

#endif
