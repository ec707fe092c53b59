/* criu: checkpoints of whole jobs on one node, by CRIU 4.2 or later, as root. docs/internals/runner.md tells the
 * recipe. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/io/out.h"
#include "core/base/text.h"
#include "runner.h"
#include "driver.h"
#include "core/io/files.h"
#include "host.h"

#define CONTROL CRIU_BASE "/control"
#define TEMPORARY CRIU_BASE "/tmp"
#define WORK CRIU_BASE "/work"
#define OUTPUT CRIU_BASE "/output"
#define HOOK CRIU_HOST "/hook"

/* Run by CRIU; while everything is frozen the files are copied, so that they are as the processes know them. */
static const char hook[] =
	"#!/bin/sh\n"
	"[ \"$CRTOOLS_SCRIPT_ACTION\" = post-dump ] || exit 0\n"
	"cd /dev/shm || exit 1\n" /* not '/dev/shm/.': that would give the copy its rights, which are everyone's */
	"exec find . -mindepth 1 -maxdepth 1 -exec cp -a -x --sparse=always -t \"$PAS2P_FILES\" {} +\n";

/* Transports that can be dumped, and what mpirun may do in a nest. What the command line says wins over these. */
static const char *const openmpi[] = {
	"OMPI_MCA_pml=ob1", "OMPI_MCA_btl=self,vader", "OMPI_MCA_btl_tcp_if_include=lo",
		"OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1",
	"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", NULL,
};
static const char *const mpich[] = {"UCX_TLS=posix,cma,self", "HYDRA_LAUNCHER=fork", NULL};

/* The job's output must lie in the nest while it runs; what it said is shown when it ends. */
static void show_output(const struct station *s)
{
	char bytes[4096];
	int fd = s->log[0] ? open(s->log, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n;

	while (fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
		fwrite(bytes, 1, (size_t)n, stderr);
	if (fd >= 0)
		close(fd);
}

static unsigned criu_kill(struct station *s, bool gently)
{
	unsigned left;

	if (s->mission->show_output && s->nest)
		show_output(s);
	left = nest_close(s->nest, gently);
	s->nest = NULL;
	board_close(&s->board);
	return left;
}

static enum err_code work_directory_get(char path[PATH_MAX], struct err *e)
{
	if (!getcwd(path, PATH_MAX))
		return err_set(e, ERR_IO, "cannot determine the work directory: %s", strerror(errno));
	if (strcmp(path, "/") == 0)
		return err_set(e, ERR_USAGE, "the work directory is /, and a checkpoint copies the work "
			       "directory\nhint: start in another directory");
	return ERR_OK;
}

static enum err_code copy_tree(struct nest *n, const char *from, const char *to, const struct progress *progress, struct err *e)
{
	const char *argv[] = {"cp", "-a", "-x", "--sparse=always", from, to, NULL};
	struct nest_command c = {.argv = argv, .directory = "/", .output = CRIU_HOST "/cp.out"};
	char safe[256], words[256] = "", path[128];
	int status, fd;

	if (nest_run(n, &c, &status, progress, e))
		return e->code;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return ERR_OK;
	snprintf(path, sizeof path, "%s" CRIU_HOST "/cp.out", nest_root(n));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		ssize_t got = read(fd, words, sizeof words - 1);

		words[got > 0 ? got : 0] = '\0';
		words[strcspn(words, "\n")] = '\0';
		close(fd);
	}
	return err_set(e, ERR_IO, "cannot copy the job's files: %s", text_safe(safe, sizeof safe, words, SIZE_MAX,
									       TEXT_UTF8));
}

/* Copied onto, it has the rights of a checkpoint's folder; it must have those of a folder for all. */
static enum err_code share_memory(const struct nest *n, struct err *e)
{
	char path[128];

	snprintf(path, sizeof path, "%s/dev/shm", nest_root(n));
	return chmod(path, 01777) == 0 ? ERR_OK
		: err_set(e, ERR_IO, "cannot set up /dev/shm for the job: %s", strerror(errno));
}

/* The work directory is replaced by a copy in memory, which is kept with every checkpoint. */
static enum err_code cover_work(struct station *s, const char *directory, struct err *e)
{
	char from[PATH_MAX + 2], safe[256];
	uint64_t bytes, available = host_memory_available();

	if (files_size(directory, &bytes, e))
		return e->code;
	if (available && bytes > available / 4)
		return err_set(e, ERR_USAGE, "the work directory %s has %llu MB, and each checkpoint keeps a copy of "
			       "it\nhint: start in a directory with only the files that the program needs",
			       text_safe(safe, sizeof safe, directory, SIZE_MAX, TEXT_UTF8),
			       (unsigned long long)(bytes >> 20));
	snprintf(from, sizeof from, "%s/.", directory);
	if (copy_tree(s->nest, from, WORK, s->mission->progress, e))
		return e->code;
	return nest_bind(s->nest, WORK, directory, e);
}

static enum err_code write_hook(const struct station *s, struct err *e)
{
	char path[128];
	int fd;

	snprintf(path, sizeof path, "%s" HOOK, nest_root(s->nest));
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	if (fd < 0 || write(fd, hook, sizeof hook - 1) != (ssize_t)sizeof hook - 1) {
		if (fd >= 0)
			close(fd);
		return err_set(e, ERR_IO, "cannot write the hook for criu: %s", strerror(errno));
	}
	close(fd);
	return ERR_OK;
}

static enum err_code criu_start_job(struct station *s, const char *directory, struct err *e)
{
	const struct mission *m = s->mission;
	const char *const *own = m->launch->mpi == MPI_OPENMPI ? openmpi : mpich;
	struct nest_command c = {.argv = m->launch->argv, .directory = directory, .output = OUTPUT, .cpus = m->cpus};
	struct arena a;
	enum err_code code;
	unsigned n;

	arena_init(&a);
	c.env = NULL;
	if (own) {
		const char **env = launch_environment(m->launch, CONTROL, m->cpus.given, &a, 9, &n);

		for (int i = 0; env && own[i]; i++) {
			char name[64];

			snprintf(name, sizeof name, "%.*s", (int)strcspn(own[i], "="), own[i]);
			if (!getenv(name))
				env[n++] = own[i];
		}
		if (env)
			env[n] = "TMPDIR=" TEMPORARY;
		c.env = env;
	}
	code = c.env ? nest_high_pids(s->nest, e) : err_memory(e, "the job's environment");
	if (!code)
		code = nest_start(s->nest, &c, &s->child, e);
	arena_release(&a);
	return code;
}

static enum err_code set_up(struct station *s, enum control_mode mode, struct err *e)
{
	static const char *const folders[] = {CONTROL, TEMPORARY, WORK};
	char directory[PATH_MAX], control[128];
	enum err_code code = work_directory_get(directory, e);

	if (!code)
		code = nest_open(&s->nest, NEST_APART, e);
	if (!code)
		code = criu_furnish(s->nest, s->mission->signature, s->mission->signature_fd, e);
	for (size_t i = 0; i < sizeof folders / sizeof folders[0] && !code; i++)
		code = criu_folder(s->nest, folders[i], e);
	if (!code)
		code = write_hook(s, e);
	if (!code)
		code = cover_work(s, directory, e);
	if (code)
		return code;
	snprintf(control, sizeof control, "%s" CONTROL, nest_root(s->nest));
	snprintf(s->log, sizeof s->log, "%s" OUTPUT, nest_root(s->nest));
	code = board_make(&s->board, control, s->mission->plan, mode, e);
	return code ? code : criu_start_job(s, directory, e);
}

static enum err_code criu_launch(struct station *s, const struct mission *m, enum control_mode mode, struct err *e)
{
	enum err_code code;

	*s = (struct station){.mission = m, .board = {.fd = -1}};
	code = set_up(s, mode, e);
	if (code)
		criu_kill(s, false);
	return code;
}

/* A file or folder of a checkpoint, as seen inside: there nobody can exchange the signature for another one. */
static enum err_code inside(const struct mission *m, const char *folder, const char *name, char path[PATH_MAX],
			    struct err *e)
{
	size_t n = strlen(m->signature);

	if (strncmp(folder, m->signature, n) != 0)
		return err_set(e, ERR_USAGE, "a checkpoint's folder is outside of the signature's folder");
	if (snprintf(path, PATH_MAX, "%s%s/%s", CRIU_SIGNATURE, folder + n, name) >= PATH_MAX)
		return err_set(e, ERR_LIMIT, "the path of a folder is too long");
	return ERR_OK;
}

/* The checkpoint's file that holds the launcher's process number; -1 and errno. */
static int open_pid(const struct station *s, const char *folder, int flags)
{
	char path[PATH_MAX], whole[PATH_MAX];

	errno = ENAMETOOLONG;
	if (inside(s->mission, folder, "pid", path, NULL) ||
	    snprintf(whole, sizeof whole, "%s%s", nest_root(s->nest), path) >= (int)sizeof whole)
		return -1;
	return open(whole, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
}

static enum err_code write_pid(const struct station *s, const char *folder, struct err *e)
{
	char text[16];
	int n = snprintf(text, sizeof text, "%d\n", (int)s->child.pid);
	int fd = open_pid(s, folder, O_WRONLY | O_CREAT | O_EXCL);
	bool good;

	errno = fd < 0 ? errno : ENOSPC;
	good = fd >= 0 && write(fd, text, (size_t)n) == n;
	if (fd >= 0 && close(fd) != 0)
		good = false;
	return good ? ERR_OK : err_set(e, ERR_IO, "cannot write the checkpoint's file 'pid': %s", strerror(errno));
}

static enum err_code read_pid(const struct station *s, const char *folder, pid_t *pid, struct err *e)
{
	char text[16] = "";
	int fd = open_pid(s, folder, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof text - 1) <= 0 || atoi(text) <= 1) {
		if (fd >= 0)
			close(fd);
		return err_set(e, ERR_DAMAGED, "the checkpoint's file 'pid' is missing or damaged\nhint: make the "
			       "signature again");
	}
	close(fd);
	*pid = (pid_t)atoi(text);
	return ERR_OK;
}

static enum err_code criu_dump(struct station *s, const char *folder, struct err *e)
{
	char images[PATH_MAX], files[PATH_MAX], variable[PATH_MAX + 16], pid[16];
	const char *more[] = {"--tree", pid, "--leave-running", "--network-lock", "skip", "--action-script", HOOK,
			      NULL};
	const char *env[] = {variable, NULL};
	const struct mission *m = s->mission;

	if (inside(m, folder, "images", images, e) || inside(m, folder, "files", files, e))
		return e->code;
	if (criu_folder(s->nest, images, e) || criu_folder(s->nest, files, e) || write_pid(s, folder, e))
		return e->code;
	snprintf(pid, sizeof pid, "%d", (int)s->child.pid);
	snprintf(variable, sizeof variable, "PAS2P_FILES=%s", files);
	return criu_step(s->nest, "dump", images, more, env, m->progress, e);
}

static enum err_code criu_wake_job(struct station *s, uint32_t phase, const char *folder, struct err *e)
{
	static const char *const more[] = {"--restore-detached", NULL};
	const struct mission *m = s->mission;
	char directory[PATH_MAX], images[PATH_MAX], files[PATH_MAX], control[128];
	pid_t pid = 0;
	enum err_code code = work_directory_get(directory, e);

	if (!code)
		code = nest_open(&s->nest, NEST_APART, e);
	if (!code)
		code = criu_furnish(s->nest, m->signature, m->signature_fd, e);
	if (!code)
		code = inside(m, folder, "images", images, e);
	if (!code)
		code = inside(m, folder, "files/.", files, e);
	if (!code)
		station_note(s, MOMENT_NEST);
	if (!code)
		code = copy_tree(s->nest, files, "/dev/shm", m->progress, e);
	if (!code)
		code = share_memory(s->nest, e);
	if (!code)
		code = nest_bind(s->nest, WORK, directory, e);
	if (code)
		return code;
	snprintf(control, sizeof control, "%s" CONTROL, nest_root(s->nest));
	snprintf(s->log, sizeof s->log, "%s" OUTPUT, nest_root(s->nest));
	code = board_open(&s->board, control, m->plan, e);
	if (!code)
		code = board_measure(&s->board, phase, &m->cpus, e);
	if (!code)
		code = read_pid(s, folder, &pid, e);
	if (code)
		return code;
	nest_adopt(s->nest, pid, &s->child);
	station_note(s, MOMENT_FILES);
	code = criu_step(s->nest, "restore", images, more, NULL, m->progress, e);
	station_note(s, MOMENT_MOVING);
	return code;
}

static enum err_code criu_restore(struct station *s, const struct mission *m, uint32_t phase, const char *folder,
				  struct err *e)
{
	enum err_code code;

	*s = (struct station){.mission = m, .board = {.fd = -1}};
	station_note(s, MOMENT_BEGAN);
	code = criu_wake_job(s, phase, folder, e);
	if (code)
		criu_kill(s, false);
	return code;
}

const struct driver_ops driver_criu = {
	.name = "criu",
	.shown = "criu",
	.what = "restores checkpoints of the complete job; needs root, a single node, and CRIU 4.2 or later",
	.probe = criu_probe,
	.launch = criu_launch,
	.dump = criu_dump,
	.restore = criu_restore,
	.kill = criu_kill,
	.version = criu_version,
};
