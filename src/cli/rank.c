#include "rank.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "complain.h"
#include "interrupt.h"
#include "mpi/job_team.h"

#define AFTER_RANK_0 4       /* s; Open MPI's launcher lets ranks live for one more second when it ends a job */
#define LAST_WORDS 200000000 /* ns, in which a launcher passes on what a rank has said: once the job is aborted, not all do */

static int voice = STDERR_FILENO; /* standard error as it was */

bool rank_begin(struct job_place *place, struct err *e)
{
	enum err_code code = job_place(place, e);

	if (!place->rank)
		return !code;
	voice = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	/* Not closed: files that are opened later would take their numbers. */
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		code = err_set(e, ERR_IO, "rank %u cannot open /dev/null", place->rank);
	return !code;
}

/* What rank 0 will not learn. */
static void say(const struct job_place *place, const char *text)
{
	if (!place->rank)
		complain("%s", text);
	else if (voice >= 0)
		dprintf(voice, "pas2p: %s\n", text);
}

/* The end of a job that cannot end as it should; it may not return. */
static enum exit_code end_job(const struct team *team, enum exit_code status)
{
	struct timespec pause = {0, LAST_WORDS};

	nanosleep(&pause, NULL);
	if (team)
		team_stop(team, status);
	job_abandon(status);
	return status;
}

/* Before ranks can tell each other anything. What one rank misses, others mostly miss as well: rank 0 says it, and ends
 * the job before they do. */
static enum exit_code not_joined(const struct job_place *place, const struct team *team, struct err *e)
{
	enum exit_code status = team ? EXIT_JOB_FAILED : exit_of_err(e->code);
	char of[32];

	if (place->rank && e->code == ERR_USAGE)
		return status; /* rank 0 says the same */
	snprintf(of, sizeof of, "rank %u: ", place->rank);
	if (place->rank) {
		sleep(AFTER_RANK_0);
		if (strncmp(e->text, of, strlen(of)))
			err_prefix(e, "rank %u", place->rank);
	}
	say(place, e->text);
	return end_job(team, status);
}

/* This rank alone knows that the job is at its end. */
static enum exit_code broken(const struct job_place *place, const struct team *team)
{
	enum exit_code status = EXIT_JOB_FAILED;

	if (team->broken->code == ERR_CANCELLED) {
		status = EXIT_INTERRUPTED;
		complain("interrupted"); /* which only rank 0 can be heard to */
	} else if (place->rank) {
		say(place, team->broken->text);
	}
	return end_job(team, status);
}

static enum exit_code shared(const struct job_place *place, command_run *run, const struct options *o)
{
	struct options with = *o;
	enum exit_code status = EXIT_OK;
	struct err e = {0};
	const struct team *team;

	interrupt_ends(job_abandon); /* ranks wait for one another there */
	if (job_join(place, interrupt_seen, &team, &e))
		return not_joined(place, team, &e);
	interrupt_catch();
	with.team = team;
	if (!with.threads)
		with.threads = 1; /* the other processors have ranks of their own */
	if (place->rank)
		with.output = NULL;
	status = run(&with);
	if (!team_broken(team) && team_tell(team, &status, sizeof status, &e) && !place->rank)
		complain("%s", e.text);
	if (team_broken(team))
		return broken(place, team);
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
