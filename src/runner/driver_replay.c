/* replay: the program runs from its start, and every phase is measured as it comes. Needs nothing but the MPI, on any
 * number of nodes; costs the time up to the last representative occurrence. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "driver.h"
#include "core/io/files.h"
#include "host.h"

#define OPENMPI_YIELDS "OMPI_MCA_mpi_yield_when_idle"

static enum err_code make_folder(struct station *s, struct err *e)
{
	const char *temporary = getenv("TMPDIR");
	const char *base = s->mission->control;

	if (!base && access("/dev/shm", W_OK | X_OK) == 0)
		base = "/dev/shm";
	if (!base)
		base = temporary && temporary[0] ? temporary : "/tmp";
	if (snprintf(s->folder, sizeof s->folder, "%s/pas2p-run.XXXXXX", base) >= (int)sizeof s->folder) {
		s->folder[0] = '\0';
		return err_set(e, ERR_LIMIT, "the name of the control directory is too long");
	}
	return files_make(s->folder, &s->folder_fd, e) ? err_prefix(e, "the control directory") : ERR_OK;
}

static unsigned replay_kill(struct station *s, bool gently)
{
	unsigned left = nest_close(s->nest, gently);

	s->nest = NULL;
	board_close(&s->board);
	if (s->folder[0]) {
		files_remove(AT_FDCWD, s->folder, s->folder_fd, NULL);
		close(s->folder_fd);
	}
	s->folder[0] = '\0';
	return left;
}

/* Open MPI sees only the machine: confined to fewer processors than there are ranks, they would spin for whole time
 * slices. */
static bool shares_processors(const struct mission *m)
{
	return m->cpus.given && cpus_count(&m->cpus) < m->plan->ranks;
}

static enum err_code replay_start_job(struct station *s, enum control_mode mode, struct err *e)
{
	const struct mission *m = s->mission;
	struct nest_command c = {.cpus = m->cpus};
	struct arena a;
	const char **env, *told;
	enum err_code code;
	unsigned n;

	code = board_make(&s->board, s->folder, m->plan, mode, e);
	if (!code && !m->show_output) {
		code = files_join(s->log, s->folder, "output", e);
		c.output = s->log;
	}
	if (!code)
		code = nest_open(&s->nest, NEST_PLAIN, e);
	if (!code)
		code = nest_remove_later(s->nest, s->folder, e);
	if (code)
		return code;
	arena_init(&a);
	c.argv = launch_words(m->launch, (const char *const[]){CONTROL_ENVIRONMENT, NULL}, &a, &told);
	env = launch_environment(m->launch, s->folder, m->cpus.given, &a, 2, &n);
	if (env && m->launch->mpi == MPI_OPENMPI && shares_processors(m) && !getenv(OPENMPI_YIELDS))
		env[n++] = OPENMPI_YIELDS "=1";
	if (env)
		env[n] = told;
	c.env = env;
	code = c.env && c.argv ? nest_start(s->nest, &c, &s->child, e) : err_memory(e, "the job's environment");
	arena_release(&a);
	return code;
}

static enum err_code replay_launch(struct station *s, const struct mission *m, enum control_mode mode, struct err *e)
{
	enum err_code code;

	*s = (struct station){.mission = m, .board = {.fd = -1}};
	code = make_folder(s, e);
	if (!code)
		code = replay_start_job(s, mode, e);
	if (code)
		replay_kill(s, false);
	return code;
}

const struct driver_ops driver_replay = {
	.name = "replay",
	.shown = "rerun",
	.what = "runs the program from its start to the last phase; needs no privileges",
	.launch = replay_launch,
	.kill = replay_kill,
};
