/* Runs' phases for tests of what several runs have in common: from traces, from tables, random ones, and by hand. */
#ifndef PAS2P_RUN_OF_H
#define PAS2P_RUN_OF_H

#include "core/method/analysis/run_phases.h"
#include "core/settings/settings.h"

/* Those of a trace or, by its ending, a phase table with content. Bails out where that fails. settings NULL: the
 * defaults. */
struct run_phases *run_of_file(const char *path, const struct settings *settings);

/* An empty run of that many processes; phases and rows are then added in order, and cells to the last row, by ascending
 * process. */
struct run_phases *run_new(uint32_t processes, double aet, double mean_message);
void run_phase_add(struct run_phases *r, uint32_t weight, double time, double compute);
struct content_row *run_row_add(struct run_phases *r);
void run_cell_add(struct run_phases *r, uint32_t process, event_type type, uint64_t size);
/* Roles, active and bytes of a row as if it were the phase's only occurrence's; shares and outside of the run. */
void run_finish(struct run_phases *r);

/* A small random run: few rows and few kinds of cells, so that much is alike. */
struct run_phases *run_random(uint64_t *state, uint32_t processes, uint32_t most_phases);

#endif
