/* Making a result (core/result.h) of measured times:
 *
 *     result_begin(&r, &table, "replay", runs, argv, &e); room for the times
 *     result_time(&r, phase, run, rank) = seconds;        for all of them
 *     result_finish(&r);                                  phase times, SET, PET
 *     result_set_aet(&r, seconds, "given");               PETE, SET/AET; may be left out
 *
 * A phase's time in one run is the mean over the ranks or the slowest one's, as the table's phase_time says.
 */
#ifndef PAS2P_RESULT_MAKE_H
#define PAS2P_RESULT_MAKE_H

#include "core/documents/result.h"
#include "core/documents/table.h"

enum err_code result_begin(struct result *r, const struct table *t, const char *mechanism, uint32_t runs,
			   const char *const *command, struct err *e);
double *result_time(struct result *r, uint32_t phase, uint32_t run, uint32_t rank);
void result_finish(struct result *r);

#endif
