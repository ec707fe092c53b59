/* Making a result (core/documents/result.h) of measured times:
 *
 *     result_begin(&r, &table, "replay", runs, argv, &e); room for the times
 *     result_time(&r, phase, run, rank) = seconds;        for all of them, or
 *     result_window(&r, window, run, rank, seconds);      where the table has windows
 *     result_finish(&r, &e);                              phase times, SET, PET, interval
 *     result_set_aet(&r, seconds, "given");               PETE, SET/AET, held; may be left out
 *
 * A phase's time in one run is the mean over the ranks or the slowest one's, as the table's phase_time says. With
 * windows, what the durations themselves put in doubt becomes a note of the result: a warm-up that was too short
 * (settling.h; only of what was restored), and phases that were measured as nothing.
 */
#ifndef PAS2P_RESULT_MAKE_H
#define PAS2P_RESULT_MAKE_H

#include "core/documents/result.h"
#include "core/documents/table.h"

enum err_code result_begin(struct result *r, const struct table *t, const char *mechanism, uint32_t runs,
			   const char *const *command, struct err *e);
double *result_time(struct result *r, uint32_t phase, uint32_t run, uint32_t rank);
/* What each of the window's occurrences took on a rank in a run; for all windows, ranks and runs. */
void result_window(struct result *r, uint32_t window, uint32_t run, uint32_t rank, const double *seconds);
enum err_code result_finish(struct result *r, struct err *e);

/* A call with its stamp takes up to so long without doing anything: a phase that lasts less is measured as next to
 * nothing. */
#define RESULT_STAMP 0.5e-6

#endif
