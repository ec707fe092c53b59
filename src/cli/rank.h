/* A command as a rank of an MPI job (mpi/job_team.h): rank 0 alone prints and complains, and all end with its exit
 * code.
 *
 * Commands that are SHARED_BY_RANKS run on all ranks, with a team in their options, unless rank 0 does alone what was
 * asked for: first of all ranks compare what they were asked for. All of that, and of any other command, is done by
 * rank 0; the workbench and what starts jobs itself do not run in one (EXIT_USAGE).
 */
#ifndef PAS2P_RANK_H
#define PAS2P_RANK_H

#include "command.h"

struct job_place;

/* Before the program says anything: a rank but rank 0 is silent from here on. False: the environment is wrong, as *e
 * says. */
bool rank_begin(struct job_place *place, struct err *e);

/* What this rank was asked for cannot be done, as *e says, which the others are not to wait for: it says so, and how the
 * program is used. o: as far as it is known. Of a job of one too. */
enum exit_code rank_refuse(const struct job_place *place, const struct options *o, bool with_usage, struct err *e);

/* run(o) as such a rank. */
enum exit_code rank_run(const struct job_place *place, command_run *run, const struct options *o);

#endif
