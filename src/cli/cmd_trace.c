/* pas2p trace: run an MPI program with the tracer's library preloaded into its processes. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch.h"
#include "core/text.h"
#include "help.h"
#include "interrupt.h"
#include "launching.h"

#define DEFAULT_OUTPUT "trace.clog2"

static enum exit_code misused(const char *text)
{
	complain("%s", text);
	help_usage(stderr, COMMAND_TRACE);
	return EXIT_USAGE;
}

/* The output's full name, since ranks may run elsewhere; and whether its folder can be written, which is better known
 * now than after the run. */
static enum err_code name_output(const char *given, char full[PATH_MAX], struct err *e)
{
	char folder[PATH_MAX], safe[256];
	const char *slash = strrchr(given, '/');
	const char *name = slash ? slash + 1 : given;
	size_t n = slash ? (size_t)(slash - given) + 1 : 0;
	struct stat st;

	text_safe(safe, sizeof safe, given, SIZE_MAX, TEXT_UTF8);
	if (n >= sizeof folder || (stat(given, &st) == 0 && !S_ISREG(st.st_mode)))
		return err_set(e, ERR_IO, "the trace cannot be written to %s: that is no regular file", safe);
	snprintf(full, PATH_MAX, "%.*s", n ? (int)n : 1, n ? given : ".");
	if (!realpath(full, folder) || access(folder, W_OK | X_OK) != 0)
		return err_set(e, ERR_IO, "the trace cannot be written to %s: %s", safe, strerror(errno));
	if (snprintf(full, PATH_MAX, "%s/%s", strcmp(folder, "/") ? folder : "", name) >= PATH_MAX)
		return err_set(e, ERR_IO, "the trace cannot be written to %s: the name is too long", safe);
	return ERR_OK;
}

/* In the child. */
static void start(const struct launch *l, const char *output)
{
	static char preload[2 * PATH_MAX];
	const char *loaded = getenv("LD_PRELOAD"), *told;
	const char *const *words;
	struct arena a;

	arena_init(&a); /* execvp() or _exit() ends it */
	words = launch_words(l, "PAS2P_TRACE", &a, &told);
	snprintf(preload, sizeof preload, "%s%s%s", l->library, loaded && *loaded ? ":" : "", loaded ? loaded : "");
	unsetenv("PAS2P_CONTROL");
	setenv("PAS2P_TRACE", output, 1);
	setenv("LD_PRELOAD", preload, 1);
	if (words && (!told || putenv((char *)(uintptr_t)told) == 0))
		execvp(words[0], (char *const *)(uintptr_t)words);
	complain("cannot start %s: %s", l->argv[0], strerror(errno));
	_exit(127);
}

static int wait_for(pid_t pid)
{
	bool passed = false;
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
		/* Ctrl-C reaches the launcher by itself; a signal to us alone does not. */
		if (interrupt_seen() && !passed) {
			kill(pid, SIGTERM);
			passed = true;
		}
	}
	return status;
}

/* The output's name without its ending, from which those of the local files are made. */
static void name_stem(const char *output, char stem[PATH_MAX])
{
	size_t n = strlen(output);

	snprintf(stem, PATH_MAX, "%s", output);
	if (n > 6 && strcmp(stem + n - 6, ".clog2") == 0)
		stem[n - 6] = '\0';
}

/* Local files of an earlier run that broke off would be taken for this one's. Some of a run may be
 * missing. */
static void remove_leftovers(const char *output)
{
	char stem[PATH_MAX], name[PATH_MAX + 32];

	name_stem(output, stem);
	for (int r = 0, missing = 0; missing < 1024; r++) {
		snprintf(name, sizeof name, "%s.rank%06d.clog2", stem, r);
		missing = unlink(name) == 0 ? 0 : missing + 1;
	}
}

/* Processes that ended without MPI_Finalize left their local files. */
static void tell_leftovers(const char *output)
{
	char stem[PATH_MAX], name[PATH_MAX + 32];
	bool any = false;

	name_stem(output, stem);
	for (int r = 0; r < 1024 && !any; r++) {
		snprintf(name, sizeof name, "%s.rank%06d.clog2", stem, r);
		any = access(name, R_OK) == 0;
	}
	if (any)
		complain("what each process wrote before it ended is in %s.rank*.clog2: pas2p reads them together",
			 stem);
	else
		complain("nothing was traced: is the program one of the launcher's MPI, and linked dynamically?");
}

static enum exit_code report(const struct options *o, const char *output, const struct stat *before, int status)
{
	struct stat after;
	bool made = stat(output, &after) == 0 &&
		    (after.st_ino != before->st_ino || after.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		     after.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
	char safe[PATH_MAX];

	if (!made)
		tell_leftovers(output);
	else if (!o->quiet)
		fprintf(stderr, "pas2p: %s: %.1f MB\n", text_safe(safe, sizeof safe, output, SIZE_MAX, TEXT_UTF8),
			(double)after.st_size / 1e6);
	if (WIFSIGNALED(status))
		return (enum exit_code)(128 + WTERMSIG(status));
	if (WEXITSTATUS(status))
		return (enum exit_code)WEXITSTATUS(status);
	return made ? EXIT_OK : EXIT_CANNOT_WRITE;
}

enum exit_code cmd_trace(const struct options *o)
{
	struct stat before = {0};
	char output[PATH_MAX];
	struct err e = {0};
	struct launch l;
	pid_t pid;
	int status;

	if (!o->words || !o->words[0])
		return misused("the launch command is not given: pas2p trace -o FILE -- mpirun -np 4 program");
	if (o->file_count)
		return misused("what is to be traced stands after --");
	if (name_output(o->output ? o->output : DEFAULT_OUTPUT, output, &e)) {
		complain("%s", e.text);
		return EXIT_CANNOT_WRITE;
	}
	if (launch_look(&l, o->words, o->launch.mpi, &e)) {
		complain("%s", e.text);
		return exit_of_err(e.code);
	}
	if (stat(output, &before) != 0)
		memset(&before, 0, sizeof before);
	remove_leftovers(output);
	pid = fork();
	if (pid == 0)
		start(&l, output);
	if (pid < 0) {
		complain("cannot start %s: %s", o->words[0], strerror(errno));
		return EXIT_NO_ROOM;
	}
	interrupt_catch();
	status = wait_for(pid);
	if (interrupt_seen()) {
		tell_leftovers(output);
		interrupt_pass_on();
		return EXIT_INTERRUPTED;
	}
	return report(o, output, &before, status);
}
