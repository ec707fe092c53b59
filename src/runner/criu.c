#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/io/beside.h"

/* Dump and restore must agree on these. */
static const char *const common[] = {
	"--tcp-established", "--ext-unix-sk", "--file-locks", "--link-remap", "--ghost-limit", "1G",
		"--manage-cgroups=ignore",
	"--shell-job", "-v2", NULL,
};

static bool program_is_executable(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Debian has it where a user's PATH does not lead. */
static bool in_path(char path[PATH_MAX])
{
	return path_find("criu", path) || (snprintf(path, PATH_MAX, "/usr/sbin/criu") > 0 && program_is_executable(path));
}

enum err_code criu_find(char path[PATH_MAX], struct err *e)
{
	static const char *const built[] = {".", "build", NULL};
	const char *given = getenv("PAS2P_CRIU");
	char found[PATH_MAX], safe[256];

	if (given && given[0]) {
		if (!program_is_executable(given))
			return err_set(e, ERR_IO, "PAS2P_CRIU is %s, which is not a program",
				       text_safe(safe, sizeof safe, given, SIZE_MAX, TEXT_UTF8));
		snprintf(found, sizeof found, "%s", given);
	} else if (!beside_find(built, BESIDE_LIBRARIES, "criu", X_OK, found) && !in_path(found)) {
		return err_set(e, ERR_IO, "criu is not installed; make criu builds it from Debian's source package");
	}
	if (!realpath(found, path))
		return err_set(e, ERR_IO, "cannot use criu: %s", strerror(errno));
	return ERR_OK;
}

enum err_code criu_version(char *text, size_t size, struct err *e)
{
	char path[PATH_MAX], says[128];
	const char *argv[] = {path, "--version", NULL};
	int status;

	if (criu_find(path, e) || ask_program(argv, NULL, says, sizeof says, &status, NULL, e))
		return e->code;
	if (strncmp(says, "Version: ", 9) != 0)
		return err_set(e, ERR_IO, "criu --version prints no version");
	text_safe(text, size, says + 9, strcspn(says + 9, "\n"), TEXT_UTF8);
	return ERR_OK;
}

/* As seen from outside. */
static enum err_code outside(const struct nest *n, const char *inside, char path[PATH_MAX], struct err *e)
{
	if (snprintf(path, PATH_MAX, "%s%s", nest_root(n), inside) >= PATH_MAX)
		return err_set(e, ERR_LIMIT, "the path of a folder is too long");
	return ERR_OK;
}

enum err_code criu_folder(struct nest *n, const char *inside, struct err *e)
{
	char path[PATH_MAX], safe[256];

	if (outside(n, inside, path, e))
		return e->code;
	if (mkdir(path, 0700) == 0 || errno == EEXIST)
		return ERR_OK;
	return err_set(e, ERR_IO, "cannot make the folder %s for the job: %s",
		       text_safe(safe, sizeof safe, inside, SIZE_MAX, TEXT_UTF8), strerror(errno));
}

static enum err_code empty_file(struct nest *n, const char *inside, struct err *e)
{
	char path[PATH_MAX];
	int fd;

	if (outside(n, inside, path, e))
		return e->code;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	if (fd < 0)
		return err_set(e, ERR_IO, "cannot make %s for the job: %s", inside, strerror(errno));
	close(fd);
	return ERR_OK;
}

/* The signature is mounted by its name, which in a folder where others may write may be that of something else now. */
static enum err_code is_signature(const struct nest *n, int held, struct err *e)
{
	struct stat want, got;
	char path[PATH_MAX];

	if (outside(n, CRIU_SIGNATURE, path, e))
		return e->code;
	if (fstat(held, &want) != 0 || lstat(path, &got) != 0 || want.st_dev != got.st_dev || want.st_ino != got.st_ino)
		return err_set(e, ERR_IO, "the signature's folder was replaced during the run");
	return ERR_OK;
}

enum err_code criu_furnish(struct nest *n, const char *signature, int held, struct err *e)
{
	char tool[PATH_MAX];
	enum err_code code = criu_find(tool, e);

	if (!code)
		code = criu_folder(n, CRIU_BASE, e);
	if (!code)
		code = criu_folder(n, CRIU_HOST, e);
	if (!code)
		code = nest_tmpfs(n, CRIU_HOST, e);
	if (!code)
		code = empty_file(n, CRIU_TOOL, e);
	if (!code)
		code = nest_bind(n, tool, CRIU_TOOL, e);
	if (!code)
		code = criu_folder(n, CRIU_SIGNATURE, e);
	if (!code && signature)
		code = nest_bind(n, signature, CRIU_SIGNATURE, e);
	if (!code && signature)
		code = is_signature(n, held, e);
	return code;
}

/* The first error in the log is mostly the cause, and those after it what follows from it. */
static void first_error(const struct nest *n, const char *images, const char *step, char *text, size_t size)
{
	char path[PATH_MAX], line[1024];
	FILE *f;

	text[0] = '\0';
	if (snprintf(path, sizeof path, "%s%s/%s.log", nest_root(n), images, step) >= (int)sizeof path)
		return;
	f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f)) {
		const char *error = strstr(line, "Error (");
		const char *says = error ? strstr(error, "): ") : NULL;

		if (!says || strstr(says, "RLIMIT_NOFILE"))
			continue; /* without CAP_SYS_RESOURCE it says that, and goes on */
		line[strcspn(line, "\n")] = '\0';
		text_safe(text, size, says + 3, SIZE_MAX, TEXT_UTF8);
		break;
	}
	if (f)
		fclose(f);
}

static const char *advice(const char *says)
{
	if (strstr(says, "Can't get 1:16 opt"))
		return "; this needs CRIU 4.2 or later, which make criu builds";
	if (strstr(says, "vDSO"))
		return "; this CRIU is too old for the kernel; make criu builds a newer one";
	if (strstr(says, "No space left"))
		return "; the disk or the memory is full";
	if (strstr(says, "mismatch") || strstr(says, "bad size") || strstr(says, "build-id"))
		return "; a file has changed since the checkpoint";
	return "";
}

enum err_code criu_step(struct nest *n, const char *step, const char *images, const char *const *more,
			const char *const *env,
			const struct progress *progress, struct err *e)
{
	const char *argv[40] = {CRIU_TOOL, step, "-D", images};
	char log[32], says[256];
	/* What it writes is the processes' memory. */
	struct nest_command c = {.argv = argv, .env = env, .directory = "/", .output = CRIU_HOST "/criu.out",
				 .private_files = true};
	int status, at = 4;

	for (const char *const *word = common; *word; word++)
		argv[at++] = *word;
	snprintf(log, sizeof log, "%s.log", step);
	argv[at++] = "-o";
	argv[at++] = log;
	for (; *more && at < 39; more++)
		argv[at++] = *more;
	if (nest_run(n, &c, &status, progress, e))
		return e->code;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return ERR_OK;
	first_error(n, images, step, says, sizeof says);
	if (!says[0])
		snprintf(says, sizeof says, "exit status %d, without a message",
			 WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return err_set(e, ERR_IO, "criu %s failed: %s%s", step, says, advice(says));
}
