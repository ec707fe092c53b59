/* pas2p trace: run an MPI program with the tracer's library preloaded into its processes. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/given.h"
#include "cli/complain.h"
#include "cli/cli.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/order.h"
#include "core/io/packing.h"
#include "core/io/settle.h"
#include "core/base/text.h"
#include "core/base/unit.h"
#include "cli/interrupt.h"
#include "core/io/shell_words.h"
#include "preload/job_marks.h"
#include "runner/runner.h"
#include "runner/launch.h"
#include "commands_int.h"

#define DEFAULT_OUTPUT "trace.clog2"
#define ENDING ".clog2"
#define PARTIAL ".partial"
#define SPAWNED ".spawned"
#define SHORTEST 10e-6 /* s; as options.def says */
#define NAMES_ROOM 64 /* for what stems and names of local files add to the output's */

/* Where the trace is to come, and where the ranks leave it first: under a name that no other run has, so that two runs
 * with one output cannot meet. What they leave besides begins with the same stem (src/preload/buffer.h). */
struct output {
	char folder[PATH_MAX];
	char name[NAME_MAX + 1];     /* the output's, without its folder */
	size_t kept;                 /* of the name: without its ending */
	char stem[NAME_MAX + 1];     /* NAME.TOKEN */
	char path[PATH_MAX], own[PATH_MAX];
	char loaded[PATH_MAX];       /* a mark that a process of the job loaded the tracer (preload/job_marks.h) */
	struct settle_seen before;   /* what stands under `path` at the start */
	/* Of another format, or compressed; NULL: the trace is what the ranks write. */
	const struct format_writer *writer;
	struct convert_output *converted;
};

static bool output_join_path(char path[PATH_MAX], const struct output *out, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s", strcmp(out->folder, "/") ? out->folder : "", name) < PATH_MAX;
}

static enum err_code no_output(const char *given, const char *why, struct err *e)
{
	char safe[256];

	return err_set(e, ERR_IO, "cannot write the trace to %s: %s",
		       text_safe(safe, sizeof safe, given, SIZE_MAX, TEXT_UTF8), why);
}

/* What may not be replaced by a trace. */
static enum err_code look_at_output(struct output *out, const char *given, struct err *e)
{
	settle_look(&out->before, given);
	if (!*given || given[strlen(given) - 1] == '/' || (out->before.there && S_ISDIR(out->before.mode)))
		return no_output(given, "it is a folder", e);
	if (out->before.there && S_ISLNK(out->before.mode))
		return no_output(given, "it is a symbolic link; give the name of the file itself", e);
	if (out->before.there && !S_ISREG(out->before.mode))
		return no_output(given, "it is not a regular file", e);
	if (out->before.there && access(given, W_OK) != 0)
		return no_output(given, strerror(errno), e);
	return ERR_OK;
}

/* Full names, since ranks may run elsewhere; and whether the folder can be written, which is better known now than
 * after the run. */
static enum err_code name_output(struct output *out, const char *given, struct err *e)
{
	const char *slash, *name;
	size_t n, length = strlen(given);
	char folder[PATH_MAX], token[SETTLE_TOKEN + 1], own[NAME_MAX + 1], loaded[NAME_MAX + 1];

	while (out->converted && length > 1 && given[length - 1] == '/') /* a folder's name */
		length--;
	slash = memrchr(given, '/', length);
	name = slash ? slash + 1 : given;
	n = (size_t)(name - given);
	length -= n;
	if (n >= sizeof folder || length > NAME_MAX - NAMES_ROOM)
		return no_output(given, "the name is too long", e);
	snprintf(folder, sizeof folder, "%.*s", n ? (int)n : 1, n ? given : ".");
	if (!realpath(folder, out->folder) || access(out->folder, W_OK | X_OK) != 0)
		return no_output(given, strerror(errno), e);
	if (!settle_token(token))
		return no_output(given, "the system has no random numbers for temporary names", e);
	snprintf(out->name, sizeof out->name, "%.*s", (int)length, name);
	out->kept = packing_stem(out->name, length);
	if (out->kept > strlen(ENDING) && !memcmp(out->name + out->kept - strlen(ENDING), ENDING, strlen(ENDING)))
		out->kept -= strlen(ENDING);
	snprintf(out->stem, sizeof out->stem, "%.*s.%s", (int)out->kept, name, token);
	snprintf(own, sizeof own, "%.*s" ENDING, NAME_MAX - NAMES_ROOM + SETTLE_TOKEN + 1, out->stem);
	snprintf(loaded, sizeof loaded, "%.*s.loaded", NAME_MAX - NAMES_ROOM + SETTLE_TOKEN + 1, out->stem);
	if (!output_join_path(out->path, out, name) || !output_join_path(out->own, out, own) || !output_join_path(out->loaded, out, loaded))
		return no_output(given, "the name is too long", e);
	return ERR_OK;
}

/* Where it is to come, or why that cannot be. */
static enum err_code choose_output(struct output *out, const struct options *o, struct err *e)
{
	char name[64] = DEFAULT_OUTPUT;
	const char *given = o->output ? o->output : name;
	enum err_code code;

	*out = (struct output){.writer = NULL};
	code = trace_convert_writer(&out->writer, o->to, o->output, e);
	if (code)
		return code;
	if (!out->writer) {
		code = look_at_output(out, given, e);
		return code ? code : name_output(out, given, e);
	}
	if (o->to)
		snprintf(name, sizeof name, "trace.%s", o->to);
	code = convert_output_new(&out->converted, given, out->writer, true, NULL, e);
	return code ? code : name_output(out, given, e);
}

/* The user states that are asked for, as the tracer's library is told (docs/internals/tracer.md). */
static bool name_states(const struct options *o, char text[64])
{
	char seconds[NUMBER_TEXT];

	number_format(o->shortest > 0 ? o->shortest : SHORTEST, seconds);
	snprintf(text, 64, "%s%s%s%s", o->regions ? "regions" : "", o->regions && o->functions ? "," : "",
		 o->functions ? "functions=" : "", o->functions ? seconds : "");
	return *text;
}

/* In the child. */
static void trace_start_child(const struct options *o, const struct launch *l, const struct output *out)
{
	const char *names[] = {"PAS2P_TRACE", MARK_LOADED_ENVIRONMENT, NULL, NULL, NULL};
	char states[64], seconds[NUMBER_TEXT];
	int named = 2;
	const char *preload[3], *told;
	const char *const *words;
	bool ready;
	struct arena a;

	arena_init(&a); /* execvp() or _exit() ends it */
	if (name_states(o, states))
		setenv("PAS2P_STATES", states, 1);
	if (getenv("PAS2P_STATES"))
		names[named++] = "PAS2P_STATES";
	if (o->resync > 0) {
		number_format(o->resync, seconds);
		setenv("PAS2P_RESYNC", seconds, 1);
	}
	if (getenv("PAS2P_RESYNC"))
		names[named++] = "PAS2P_RESYNC";
	words = launch_words(l, names, &a, &told);
	ready = words && launch_preload(l, &a, preload);
	unsetenv("PAS2P_CONTROL");
	setenv("PAS2P_TRACE", out->own, 1);
	setenv(MARK_LOADED_ENVIRONMENT, out->loaded, 1);
	for (size_t i = 0; ready && preload[i]; i++)
		ready = putenv((char *)(uintptr_t)preload[i]) == 0;
	if (ready && (!told || putenv((char *)(uintptr_t)told) == 0))
		execvp(words[0], (char *const *)(uintptr_t)words);
	complain("cannot start %s: %s", l->argv[0], strerror(errno));
	_exit(127);
}

enum part { PART_OTHER, PART_SPAWNED, PART_LOCAL, PART_PARTIAL };

/* What a file in the output's folder is to this run, beside its trace; *n is the length of the name, of a local file's
 * up to what tells the ranks apart. */
static enum part output_part_of(const struct output *out, const char *name, size_t *n)
{
	size_t stem = strlen(out->stem), length = strlen(name);
	const char *rest = name + stem, *rank;

	if (strncmp(name, out->stem, stem) != 0 || *rest != '.')
		return PART_OTHER;
	*n = length;
	if (length > strlen(PARTIAL) && !strcmp(name + length - strlen(PARTIAL), PARTIAL))
		return PART_PARTIAL;
	if (length < stem + strlen(ENDING) || strcmp(name + length - strlen(ENDING), ENDING) != 0)
		return PART_OTHER;
	rank = strstr(rest, ".rank");
	if (rank) {
		*n = (size_t)(rank - name);
		return PART_LOCAL;
	}
	rest += strncmp(rest, SPAWNED, strlen(SPAWNED)) ? 0 : strlen(SPAWNED);
	return *rest != '.' && !strcmp(rest + strspn(rest, "0123456789"), ENDING) ? PART_SPAWNED : PART_OTHER;
}

struct trace_parts {
	struct arena arena;
	const char **names;      /* of local files what those of a world have in common */
	size_t count, cap;
	bool failed;
};

static void add_part(struct trace_parts *p, const char *name, size_t n)
{
	const char **list;

	for (size_t i = 0; i < p->count; i++)
		if (strlen(p->names[i]) == n && !memcmp(p->names[i], name, n))
			return;
	list = mem_grow(p->names, p->count, &p->cap, sizeof *list);
	if (list) {
		p->names = list;
		list[p->count] = arena_strndup(&p->arena, name, n);
	}
	if (!list || !list[p->count])
		p->failed = true;
	else
		p->count++;
}

/* What the run has left in the output's folder of one kind, sorted. */
static void find_parts(struct trace_parts *p, const struct output *out, enum part kind)
{
	DIR *d = opendir(out->folder);
	struct dirent *entry;

	*p = (struct trace_parts){0};
	arena_init(&p->arena);
	while (d && (entry = readdir(d))) {
		size_t n = 0;

		if (output_part_of(out, entry->d_name, &n) == kind)
			add_part(p, entry->d_name, n);
	}
	if (d)
		closedir(d);
	SORT(p->names, p->count, order_text);
}

static void release_parts(struct trace_parts *p)
{
	mem_free(p->names);
	arena_release(&p->arena);
}

/* How many processes of a world left records, and of how many; 0: that is not known. */
static unsigned count_records(const struct output *out, const char *world, uint32_t *of)
{
	DIR *d = opendir(out->folder);
	struct dirent *entry;
	char path[PATH_MAX];
	unsigned count = 0;

	*of = 0;
	while (d && (entry = readdir(d))) {
		size_t n = 0;

		if (output_part_of(out, entry->d_name, &n) != PART_LOCAL || strlen(world) != n || memcmp(entry->d_name, world, n) != 0)
			continue;
		count++;
		if (!*of && output_join_path(path, out, entry->d_name))
			*of = given_processes(path);
	}
	if (d)
		closedir(d);
	return count;
}

/* Processes that ended without MPI_Finalize left their local files, those of each world to be read together. One
 * that was killed, as a launcher kills the others when one fails, has left none if it had written no record yet. */
static bool tell_leftovers(const struct options *o, const struct output *out)
{
	char path[PATH_MAX];
	struct trace_parts p;
	struct out word;
	unsigned count;
	uint32_t of;
	bool any;

	find_parts(&p, out, PART_LOCAL);
	for (size_t i = 0; i < p.count; i++) {
		if (!output_join_path(path, out, p.names[i]))
			continue;
		out_init(&word);
		command_line(&word, o, "info", (const char *const[]){path}, 1);
		count = count_records(out, p.names[i], &of);
		if (!word.failed && count < of)
			complain("the records of %u of %" PRIu32 " ranks are kept; the other ranks ended before their first record", count, of);
		else if (!word.failed)
			complain("the records that each rank wrote before it ended are kept");
		if (!word.failed)
			complain_hint("%s.rank*" ENDING, word.text);
		out_release(&word);
	}
	any = p.count || p.failed;
	release_parts(&p);
	return any;
}

/* Local files that hold no record yet are marks that their processes have begun MPI: counts them, and removes them
 * unless their processes may still run. *records: there are others. */
static unsigned remove_marks(const struct output *out, bool running, bool *records)
{
	DIR *d = opendir(out->folder);
	struct dirent *entry;
	char path[PATH_MAX];
	struct stat st;
	unsigned marks = 0;

	*records = false;

	while (d && (entry = readdir(d))) {
		size_t n = 0;

		if (output_part_of(out, entry->d_name, &n) != PART_LOCAL || !output_join_path(path, out, entry->d_name))
			continue;
		if (lstat(path, &st) != 0)
			continue;
		if (st.st_size > MARK_BYTES)
			*records = true;
		else
			marks += running || unlink(path) == 0;
	}
	if (d)
		closedir(d);
	return marks;
}

/* A job that has ended. */
struct ended_launch {
	struct launch_output words;
	int status;              /* the launcher's, as waitpid() has it */
	bool hydra;              /* the launcher is MPICH's */
	bool began;              /* some process of the job was seen */
	bool loaded, called;     /* one loaded the tracer; one called MPI_Init */
	const char *launcher;    /* safe text */
	bool said;               /* how it ended, with what was seen of it */
};

/* Its launcher could do nothing about its processes any more: they may still run. */
static bool left_alone(const struct ended_launch *ended)
{
	return WIFSIGNALED(ended->status) && WTERMSIG(ended->status) == SIGKILL;
}

/* How the job ended, by its launcher's status. Open MPI has the shell's number for a signal (but also numbers of its
 * own, where nothing started), Hydra the signal's own. */
static const char *name_status(const struct ended_launch *ended, char text[128])
{
	static const int deadly[] = {SIGKILL, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM};
	int status = ended->status, code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

	snprintf(text, 128, "exit status %d", code);
	for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
		if (code == 128 + deadly[i] && (ended->began || WIFSIGNALED(status)))
			snprintf(text, 128, "killed by signal %d (%s)", deadly[i], strsignal(deadly[i]));
		else if (code == deadly[i] && ended->hydra)
			snprintf(text, 128, "exit status %d or killed by signal %d (%s)", code, code, strsignal(code));
	return text;
}

/* There is no trace, and no record of it: what was seen of the job all the same. */
static void say_nothing(struct ended_launch *ended, unsigned marks)
{
	char how[128], sentence[REFUSAL_TEXT];

	if (left_alone(ended) && (marks || ended->called)) {
		complain("nothing was traced: %s was %s; the ranks of the job may still run", ended->launcher, name_status(ended, how));
		ended->said = true;
	} else if (marks) {
		complain("nothing was traced: %u process%s called MPI_Init, but ended before the first record and without MPI_Finalize: %s, "
			 "reported by %s", marks, marks == 1 ? "" : "es", name_status(ended, how), ended->launcher);
		ended->said = true;
	} else if (ended->called) {
		complain("nothing was traced: MPI_Init had not returned in any process when the job ended: %s, reported by %s",
			 name_status(ended, how), ended->launcher);
		complain_hint("check whether a process ends before MPI_Init, and whether the program uses the MPI of %s", ended->launcher);
		ended->said = true;
	} else if (refusal_explain(ended->words.first, sentence)) {
		complain("the job did not start: %s", sentence);
		ended->said = true;
	} else {
		/* If the job failed, this does not show whether the program can be traced: no rank may have come so far. */
		bool failed = !WIFEXITED(ended->status) || WEXITSTATUS(ended->status);

		if (ended->loaded)
			complain("no MPI calls traced: the tracer was loaded, but no process called MPI_Init%s", failed ? " before it ended" : "");
		else
			complain("no MPI calls traced: no process loaded the tracer%s", failed ? " before it ended" : "");
		if (!failed)
			complain_hint("the program must be linked dynamically with the MPI of %s: ldd PROGRAM", ended->launcher);
		else if (!ended->loaded)
			complain_hint("check whether the program starts without pas2p");
	}
}

static enum exit_code say_trace(const struct options *o, const char *path)
{
	char safe[PATH_MAX], bytes[UNIT_TEXT];
	struct stat st;

	if (!o->quiet && stat(path, &st) == 0)
		fprintf(stderr, "pas2p: %s: %s\n", text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8), unit_bytes(bytes, (uint64_t)st.st_size));
	return EXIT_OK;
}

/* Give a whole trace its name, or leave it under the run's own if another run has taken that. */
static enum exit_code trace_put_name(const struct options *o, const char *own, const char *path, const struct settle_seen *before)
{
	char safe[PATH_MAX], safe_own[PATH_MAX];
	int error = settle(own, path, before);

	if (!error)
		return say_trace(o, path);
	complain("%s was not replaced: %s; the trace of this run is %s",
		 text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8),
		 error == EEXIST ? settle_why(before) : strerror(error),
		 text_safe(safe_own, sizeof safe_own, own, SIZE_MAX, TEXT_UTF8));
	return EXIT_CANNOT_WRITE;
}

/* The traces of worlds that were spawned: NAME.TOKEN.spawned1234.clog2 becomes NAME.spawned1234.clog2. */
static enum exit_code put_spawned(const struct options *o, const struct output *out)
{
	static const struct settle_seen none;
	char own[PATH_MAX], path[PATH_MAX], name[2 * NAME_MAX];
	enum exit_code status = EXIT_OK, code;
	struct trace_parts p;

	find_parts(&p, out, PART_SPAWNED);
	for (size_t i = 0; i < p.count; i++) {
		snprintf(name, sizeof name, "%.*s%s", (int)out->kept, out->name, p.names[i] + strlen(out->stem));
		if (!output_join_path(own, out, p.names[i]) || !output_join_path(path, out, name))
			continue;
		code = trace_put_name(o, own, path, &none);
		status = code ? code : status;
	}
	release_parts(&p);
	return status;
}

/* A merge that was killed leaves half a trace, beside the local files that it is made of. */
static void remove_partial(const struct output *out)
{
	char path[PATH_MAX];
	struct trace_parts p;

	find_parts(&p, out, PART_PARTIAL);
	for (size_t i = 0; i < p.count; i++)
		if (output_join_path(path, out, p.names[i]))
			unlink(path);
	release_parts(&p);
}

/* What the run has left, to its place; the exit code if all went well with the run itself. */
static enum exit_code settle_all(const struct options *o, const struct output *out, struct ended_launch *ended)
{
	enum exit_code status = EXIT_CANNOT_WRITE, spawned;
	bool made = access(out->own, F_OK) == 0, left = false, records;
	unsigned marks = remove_marks(out, left_alone(ended), &records);
	struct stat st;

	ended->called = lstat(out->loaded, &st) == 0 && st.st_size > 0;
	ended->loaded = unlink(out->loaded) == 0;
	remove_partial(out);
	if (made && out->converted)
		status = trace_convert(o, out->converted, out->writer, out->path, out->own);
	else if (made)
		status = trace_put_name(o, out->own, out->path, &out->before);
	spawned = put_spawned(o, out);
	if (records && (!made || !getenv("PAS2P_KEEP_LOCAL")))
		left = tell_leftovers(o, out);
	ended->began = made || left || marks || ended->loaded;
	if (!made && left && WIFEXITED(ended->status) && !WEXITSTATUS(ended->status))
		complain("the trace is incomplete: the ranks ended without MPI_Finalize");
	if (!made && !left)
		say_nothing(ended, marks);
	return status ? status : spawned;
}

static enum exit_code report(const struct options *o, const struct output *out, struct ended_launch *ended)
{
	enum exit_code settled = settle_all(o, out, ended);
	char how[128];

	if (WIFEXITED(ended->status) && !WEXITSTATUS(ended->status))
		return settled;
	if (!ended->said)
		complain("the %s failed: %s, reported by %s", ended->began ? "program" : "job", name_status(ended, how), ended->launcher);
	return EXIT_JOB_FAILED;
}

static enum exit_code trace(const struct options *o, struct output *out)
{
	struct err e = {0};
	struct ended_launch ended = {.said = false};
	struct launch l;
	char safe[256];
	pid_t pid;

	if (!o->words || !o->words[0])
		return misused(o, "trace: no launch command given\nhint: pas2p trace -o FILE.clog2 -- mpirun -np 2 ./program");
	if (o->file_count)
		return misused(o, "trace: put -- in front of the launch command\nhint: pas2p trace -o FILE.clog2 -- mpirun -np 2 ./program");
	if (o->shortest > 0 && !o->functions)
		return misused(o, "--shortest needs --functions");
	if (choose_output(out, o, &e)) {
		complain("%s", e.text);
		return e.code == ERR_USAGE ? EXIT_USAGE : EXIT_CANNOT_WRITE;
	}
	if (launch_look(&l, o->words, o->mpi, NULL, NULL, &e)) {
		complain("%s", e.text);
		return exit_of_err(e.code);
	}
	ended.launcher = text_safe(safe, sizeof safe, o->words[0], SIZE_MAX, TEXT_UTF8);
	ended.hydra = l.mpi == MPI_MPICH && *l.version;
	launch_output_open(&ended.words);
	pid = fork();
	if (pid == 0) {
		launch_output_child(&ended.words);
		trace_start_child(o, &l, out);
	}
	if (pid < 0) {
		complain("cannot start %s: %s", o->words[0], strerror(errno));
		return EXIT_NO_ROOM;
	}
	interrupt_catch();
	ended.status = launch_output_wait(&ended.words, pid, interrupt_seen);
	if (interrupt_seen()) {
		settle_all(o, out, &ended);
		return EXIT_INTERRUPTED;
	}
	return report(o, out, &ended);
}

enum exit_code cmd_trace(const struct options *o)
{
	struct output out = {.writer = NULL};
	enum exit_code status = trace(o, &out);

	convert_output_free(out.converted);
	return status;
}
