#include "rank.h"

#include <stdio.h>

#include "complain.h"
#include "mpi/job_team.h"

bool rank_begin(struct job_place *place, struct err *e)
{
	if (job_place(place, e))
		return false;
	/* Not closed: files that are opened later would take their numbers. */
	if (place->rank && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))) {
		err_set(e, ERR_IO, "rank %u cannot open /dev/null", place->rank);
		return false;
	}
	return true;
}

static enum exit_code shared(const struct job_place *place, command_run *run, const struct options *o)
{
	struct options with = *o;
	enum exit_code status = EXIT_OK;
	struct err e = {0};
	const struct team *team;

	if (job_join(place, &team, &e)) {
		complain("%s", e.text);
		return exit_of_err(e.code);
	}
	with.team = team;
	if (!with.threads)
		with.threads = 1; /* the other processors have ranks of their own */
	if (place->rank)
		with.output = NULL;
	status = run(&with);
	if (team_tell(team, &status, sizeof status, &e))
		complain("%s", e.text);
	job_leave(team);
	return status;
}

/* What of it rank 0 does alone; NULL: it is shared. */
static const char *alone(const struct options *o)
{
	const struct command_info *command = command_info(o->command);

#define ALONE(id, condition, what) \
	if (o->command == COMMAND_##id && (condition)) \
		return what;
#include "rank_alone.def"
#undef ALONE
	return command->shared ? NULL : command->name;
}

enum exit_code rank_run(const struct job_place *place, command_run *run, const struct options *o)
{
	const char *unshared = alone(o);

	if (place->size == 1)
		return run(o);
	if (o->command == COMMAND_WORKBENCH)
		return misused(o, "the workbench does not run as an MPI job: open the trace without the launcher, or name a command");
	if (o->words) {
		complain("pas2p %s starts an MPI job itself: call it without the launcher", command_info(o->command)->name);
		return EXIT_USAGE;
	}
	if (!unshared)
		return shared(place, run, o);
	if (place->rank)
		return EXIT_OK;
	if (!o->quiet)
		complain("%s is not shared by the %u ranks of this job: rank 0 does all of it", unshared, place->size);
	return run(o);
}
