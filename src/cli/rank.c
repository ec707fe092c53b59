#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "complain.h"
#include "core/io/out.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"
#include "interrupt.h"
#include "mpi/mpi_team.h"
#include "version.h"

#define AFTER_RANK_0 4       /* s; Open MPI's launcher lets ranks live for one more second when it ends a job */
#define LAST_WORDS 200000000 /* ns, in which a launcher passes on what a rank has said: once the job is aborted, not all do */

#define LATE 120             /* s, after which a rank no longer waits for others to join */
#define TEXT_OF(n) TEXT_OF_TOKEN(n)
#define TEXT_OF_TOKEN(n) #n

static int voice = STDERR_FILENO; /* standard error as it was */

bool rank_begin(struct mpi_place *place, struct err *e)
{
	enum err_code code = mpi_place(place, e);

	if (!place->rank)
		return !code;
	voice = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	/* Not closed: files that are opened later would take their numbers. */
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		code = err_set(e, ERR_IO, "rank %u cannot open /dev/null", place->rank);
	return !code;
}

/* What rank 0 will not learn. */
static void rank_say(const struct mpi_place *place, const char *text)
{
	if (!place->rank)
		complain("%s", text);
	else if (voice >= 0)
		dprintf(voice, "pas2p: %s\n", text);
}

/* The end of a job that cannot end as it should; it may not return. */
static enum exit_code abort_job(const struct team *team, enum exit_code status)
{
	struct timespec pause = {0, LAST_WORDS};

	nanosleep(&pause, NULL);
	if (team)
		team_stop(team, status);
	mpi_team_abandon(status);
	return status;
}

/* Before ranks can tell each other anything. What one rank misses, others mostly miss as well: rank 0 says it, and ends
 * the job before they do. */
static enum exit_code not_joined(const struct mpi_place *place, const struct team *team, struct err *e)
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
	rank_say(place, e->text);
	return abort_job(team, status);
}

/* This rank alone knows that the job is at its end. */
static enum exit_code broken(const struct mpi_place *place, const struct team *team)
{
	enum exit_code status = EXIT_JOB_FAILED;

	if (team->broken->code == ERR_CANCELLED) {
		status = EXIT_INTERRUPTED;
		complain("interrupted"); /* which only rank 0 can be heard to */
	} else if (place->rank) {
		rank_say(place, team->broken->text);
	}
	return abort_job(team, status);
}

/* Where some rank does not come: it runs alone, or has another command, or hangs before it. */
static void end_late(int number)
{
	static const char says[] = "pas2p: a rank has waited " TEXT_OF(LATE) " s for the other ranks to join the "
				   "analysis\nhint: all ranks must run the same command, without PAS2P_JOB=none\n";

	(void)number;
	if (write(voice, says, sizeof says - 1) > 0)
		nanosleep(&(struct timespec){0, LAST_WORDS}, NULL);
	mpi_team_abandon(EXIT_JOB_FAILED);
	_exit(EXIT_JOB_FAILED);
}

/* With rank 0's sentence before that of others. */
static enum err_code rank_join_team(const struct mpi_place *place, const struct team **team, struct err *e)
{
	enum err_code code;

	interrupt_ends(mpi_team_abandon); /* ranks wait for one another there */
	signal(SIGALRM, end_late);
	alarm(LATE + (place->rank ? AFTER_RANK_0 : 0));
	code = mpi_team_join(place, interrupt_seen, team, e);
	alarm(0);
	signal(SIGALRM, SIG_DFL);
	if (!code)
		interrupt_catch();
	return code;
}

/* What each node may have of its own, what rank 0 alone does, and what becomes settings, which are compared. */
static bool may_differ(unsigned option)
{
	switch (option) {
	case OPTION_output:
	case OPTION_quiet:
	case OPTION_scratch:
	case OPTION_memory:
	case OPTION_config:
	case OPTION_no_config:
	case OPTION_preset:
		return true;
	default:
		return false;
	}
}

static void put_option(struct team_pack *facts, const struct options *o, unsigned i)
{
	const struct option_info info = option_info(i);
	bool file = info.type == TYPE_INPUT || info.type == TYPE_OUTPUT; /* copies have other names on other nodes */
	struct out name, value;
	bool said;

	out_init(&name);
	out_init(&value);
	out_printf(&name, "--%s", info.name);
	said = option_said(o, i, &value);
	out_str(&value, "");
	if (name.failed || value.failed)
		facts->failed = true;
	else
		team_fact(facts, name.text, !said ? NULL : file ? "given" : value.text);
	out_release(&name);
	out_release(&value);
}

/* The first collective step of all ranks. */
static enum err_code same_asked(const struct team *team, const struct options *o, struct err *e)
{
	struct team_pack facts = {0};
	char count[16];

	team_fact(&facts, "pas2p", version_text());
	team_fact(&facts, "the command", command_info(o->command)->name);
	for (unsigned i = 0; i < option_total(); i++)
		if (!may_differ(i))
			put_option(&facts, o, i);
	snprintf(count, sizeof count, "%u", (unsigned)o->file_count);
	team_fact(&facts, "the number of files", count);
	for (uint32_t i = 0; i < o->file_count; i++)
		team_fact(&facts, o->files[i], strcmp(o->files[i], ":") ? "a file" : "a colon");
	return team_alike(team, &facts, ERR_OK, "all ranks of a parallel analysis need the same command and the same "
			  "version of pas2p", e);
}

static enum exit_code shared(const struct mpi_place *place, command_run *run, const struct options *o)
{
	struct options with = *o;
	enum exit_code status;
	struct err e = {0};
	const struct team *team;
	enum err_code code = rank_join_team(place, &team, &e);

	if (code)
		return not_joined(place, team, &e);
	with.team = team;
	if (!with.threads)
		with.threads = 1; /* the other processors have ranks of their own */
	if (place->rank)
		with.output = NULL;
	code = same_asked(team, o, &e);
	if (code && !team_broken(team))
		complain("%s", e.text);
	status = code ? exit_of_err(code) : run(&with);
	if (!team_broken(team) && team_broadcast(team, &status, sizeof status, &e) && !team_broken(team))
		complain("%s", e.text);
	if (team_broken(team))
		return broken(place, team);
	mpi_team_leave(team);
	return status;
}

/* COMMAND_WORKBENCH also stands for a word that is no command: most likely a misspelt one, which other ranks have
 * right. */
static bool would_share(const struct options *o)
{
	return command_info(o->command)->shared || o->command == COMMAND_WORKBENCH;
}

enum exit_code rank_refuse(const struct mpi_place *place, const struct options *o, bool with_usage, struct err *e)
{
	const struct team *joined = NULL, *team;
	bool failed = place->size > 1 && would_share(o) && rank_join_team(place, &joined, &(struct err){0});
	enum exit_code status;
	struct err why;

	team = failed ? NULL : joined;
	team_agree(team, e->code, e);
	if (team_broken(team))
		return broken(place, team);
	status = exit_of_err(e->code);
	if (with_usage)
		misused(o, e->text);
	else
		complain("%s", e->text);
	if (failed)
		return abort_job(joined, status);
	/* A launcher may end rank 0 as soon as another rank has ended: not before it has spoken. */
	if (place->rank && !team)
		nanosleep(&(struct timespec){0, LAST_WORDS}, NULL);
	if (team_broadcast(team, &status, sizeof status, &why) && team_broken(team))
		return broken(place, team);
	mpi_team_leave(team);
	return status;
}

/* What rank 0 does alone, by the command line only, which is the same on all ranks; NULL: it is shared. Other
 * ranks then end at once, without having read anything. */
static const char *alone(const struct options *o)
{
	const struct command_info *command = command_info(o->command);

	if (o->command == COMMAND_CLOCKS && o->correct)
		return "clocks --correct";
	if (o->command == COMMAND_METRICS && o->by == METRICS_BY_CAUSE)
		return "metrics --by cause";
	if (o->command == COMMAND_METRICS && o->by == METRICS_BY_PATTERN)
		return "metrics --by pattern";
	return command->shared ? NULL : command->name;
}

enum exit_code rank_run(const struct mpi_place *place, command_run *run, const struct options *o)
{
	const char *unshared = alone(o);
	struct err e = {0};

	if (place->size == 1)
		return run(o);
	if (o->command == COMMAND_WORKBENCH) {
		err_set(&e, ERR_USAGE, "the workbench does not run as an MPI job\nhint: open the trace without the "
			"launcher, or give a command");
		return rank_refuse(place, o, true, &e);
	}
	if (o->words) {
		err_set(&e, ERR_USAGE, "pas2p %s starts an MPI job itself\nhint: call it without the "
			"launcher", command_info(o->command)->name);
		return rank_refuse(place, o, false, &e);
	}
	if (!unshared)
		return shared(place, run, o);
	if (place->rank)
		return EXIT_OK;
	if (!o->quiet)
		complain("note: %s does not run in parallel: rank 0 of the %u ranks does all the "
			 "work", unshared, place->size);
	return run(o);
}
