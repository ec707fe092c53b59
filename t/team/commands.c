/* Commands that ranks share, with a rank that fails at any of their collective steps: for lack of memory, which all
 * ranks learn, or because it cannot meet them any more, which nobody learns until it ends the team. Each time all ranks
 * end, nobody waits for ever, each says one sentence, which names that rank, nothing is leaked, and the old output
 * stands, alone.
 *
 * `commands.t FILE...`: these traces instead.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/batch.h"
#include "cli/options.h"
#include "core/base/mem.h"
#include "tap.h"
#include "team_threads.h"

#define MOST 3
#define ENDS 3           /* the last collective steps: what comes after the output has its name */
#define MEETINGS 1000
#define PATIENCE 1200    /* s, of the whole test */

enum fault { NO_FAULT, NO_MEMORY, BROKEN };

static const char *const words[] = {"nothing", "no memory", "a broken team"};

/* What goes wrong on which rank, at which of its collective steps, from 0. */
static struct {
	enum fault fault;
	uint32_t rank;
	long at;
} wrong;

/* A rank's team: that of threads, with what goes wrong in between. */
struct rank {
	struct options options;
	const struct team *inner;
	struct team team;
	struct err broken;
	long met;
	bool adds_up[MEETINGS]; /* which of them are reductions, before which all have agreed that they are well */
	enum exit_code status;
};

static struct rank ranks[MOST];
static char dir[PATH_MAX], output[PATH_MAX + 8];
static char said[4096]; /* on standard error */

static bool now(struct rank *r, enum fault fault)
{
	return fault == wrong.fault && r->inner->rank == wrong.rank && r->met == wrong.at;
}

static enum err_code cut(struct rank *r, char *text)
{
	snprintf(text, ERR_TEXT, "rank %u: the cable is cut", r->inner->rank);
	return ERR_IO;
}

static enum err_code agree(void *of, enum err_code *worst, char *text, uint32_t *rank)
{
	struct rank *r = of;
	enum err_code held;

	if (now(r, NO_MEMORY)) {
		*worst = ERR_MEMORY;
		snprintf(text, ERR_TEXT, "no memory here");
	}
	held = now(r, BROKEN) ? cut(r, text) : r->inner->kind->agree(r->inner->of, worst, text, rank);
	r->met++;
	return held;
}

static enum err_code exchange(void *of, const struct team_bytes *to, struct team_bytes *from, enum err_code *worst, char *text, uint32_t *rank)
{
	struct rank *r = of;
	enum err_code held;

	if (now(r, NO_MEMORY))
		return agree(of, worst, text, rank); /* it had none for what it was to send */
	held = now(r, BROKEN) ? cut(r, text) : r->inner->kind->exchange(r->inner->of, to, from, worst, text, rank);
	r->met++;
	return held;
}

static enum err_code reduce(void *of, uint64_t *list, size_t n, enum team_operation by, char *text)
{
	struct rank *r = of;
	enum err_code held = now(r, BROKEN) ? cut(r, text) : r->inner->kind->reduce(r->inner->of, list, n, by, text);

	r->adds_up[r->met < MEETINGS ? r->met : 0] = true;
	r->met++;
	return held;
}

static void release(void *of)
{
	(void)of;
}

static void stop(void *of, int status)
{
	struct rank *r = of;

	r->inner->kind->stop(r->inner->of, status);
}

static const struct team_kind failing = {agree, exchange, reduce, release, stop};

/* As a rank of an MPI job does it (cli/rank.c). */
static void run(void *arg, const struct team *team)
{
	struct rank *r = &ranks[team->rank];

	(void)arg;
	r->inner = team;
	r->broken = (struct err){0};
	r->met = 0;
	memset(r->adds_up, 0, sizeof r->adds_up);
	r->team = (struct team){team->rank, team->size, &failing, r, &r->broken, NULL, NULL};
	r->options.team = &r->team;
	r->options.threads = 1;
	r->options.output = team->rank ? NULL : output;
	r->status = batch_run(&r->options);
	if (team_broken(&r->team))
		team_stop(&r->team, 0);
}

static bool output_is(const char *text)
{
	char written[16] = "";
	int fd = open(output, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, written, sizeof written - 1);

	if (fd >= 0)
		close(fd);
	return n >= 0 && !strcmp(written, text);
}

static void put_old(void)
{
	FILE *f;

	if (output_is("old\n"))
		return;
	f = fopen(output, "w");
	if (!f || fputs("old\n", f) < 0 || fclose(f))
		bail_out("cannot write %s", output);
}

static int files_in_dir(void)
{
	DIR *d = opendir(dir);
	int n = 0;

	for (struct dirent *x; (x = readdir(d));)
		n += x->d_name[0] != '.' || strlen(x->d_name) > 2;
	closedir(d);
	return n;
}

/* All ranks; their standard output goes nowhere. */
static bool run_all(uint32_t size)
{
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY), file = memfd_create("said", MFD_CLOEXEC);
	ssize_t n;
	bool ran;

	put_old();
	fflush(stdout);
	if (dup2(null, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0)
		bail_out("no files");
	ran = team_threads_run(size, run, NULL);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	n = pread(file, said, sizeof said - 1, 0);
	said[n > 0 ? n : 0] = '\0';
	close(out);
	close(err);
	close(null);
	close(file);
	return ran;
}

/* How many lines of the text are this one; all: is any other there? */
static uint32_t lines(const char *text, const char *line, uint32_t *others)
{
	uint32_t n = 0;

	*others = 0;
	for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
		bool same = strlen(line) == (size_t)(end - text) && !strncmp(text, line, (size_t)(end - text));

		n += same;
		*others += !same;
	}
	return n;
}

static bool ended_well(uint32_t size, long live, long last)
{
	char line[200];
	uint32_t others, count;
	bool good = mem_live() == live && files_in_dir() == 1 && (wrong.at >= last || output_is("old\n"));

	if (wrong.fault == NO_MEMORY) {
		snprintf(line, sizeof line, wrong.rank ? "pas2p: rank %u: no memory here" : "pas2p: no memory here", wrong.rank);
		count = lines(said, line, &others);
		good = good && count == size && !others;
		for (uint32_t r = 0; r < size; r++)
			good = good && ranks[r].status == EXIT_NO_ROOM;
	} else {
		snprintf(line, sizeof line, "pas2p: rank %u: the cable is cut", wrong.rank);
		count = lines(said, line, &others);
		good = good && count == 1 && others < size;
		for (uint32_t r = 0; r < size && wrong.at < last; r++)
			good = good && ranks[r].status != EXIT_OK && team_broken(&ranks[r].team);
	}
	if (!good)
		diag("%s at meeting %ld of rank %u of %u: %d files, %ld allocations stay, status %d, %s output; said: %s", words[wrong.fault], wrong.at,
		     wrong.rank, size, files_in_dir(), mem_live() - live, ranks[wrong.rank].status, output_is("old\n") ? "old" : "new", said);
	return good;
}

/* One command on one trace, by so many ranks. */
static void command(char *const *arguments, int count, uint32_t size)
{
	char *argv[MOST][8], title[200] = "";
	bool adds_up[MEETINGS];
	struct err e = {0};

	for (int i = 1; i < count; i++)
		snprintf(title + strlen(title), sizeof title - strlen(title), "%s%s", i > 1 ? " " : "", arguments[i]);
	for (uint32_t r = 0; r < size; r++) {
		memcpy(argv[r], arguments, (size_t)count * sizeof *arguments);
		argv[r][count] = NULL;
		if (options_parse(&ranks[r].options, count, argv[r], &e))
			bail_out("%s: %s", title, e.text);
	}
	wrong.fault = NO_FAULT;
	run_all(size);
	if (!ok(ranks[0].status <= EXIT_FINDING && ranks[0].met > 10 && ranks[0].met < MEETINGS, "%s, %u ranks: %ld meetings", title, size, ranks[0].met))
		return;
	/* Of two ranks both, of three the last. */
	for (uint32_t rank = size == 2 ? 0 : size - 1; rank < size; rank++)
		for (enum fault fault = NO_MEMORY; fault <= BROKEN; fault++) {
			long all, good = 0, runs = 0;

			wrong.fault = NO_FAULT;
			run_all(size);
			all = ranks[rank].met;
			memcpy(adds_up, ranks[rank].adds_up, sizeof adds_up);
			wrong.fault = fault;
			wrong.rank = rank;
			for (wrong.at = 0; wrong.at < all; wrong.at++) {
				long live = mem_live();

				if (fault == NO_MEMORY && adds_up[wrong.at])
					continue;
				runs++;
				good += run_all(size) && ended_well(size, live, all - ENDS);
			}
			is_int((int)good, (int)runs, "%s, %u ranks: %s at any meeting of rank %u", title, size, words[fault], rank);
		}
}

int main(int argc, char **argv)
{
	static const char *const commands[][4] = {
		{"phases", "--format", "yaml"}, {"events", "--format", "csv"}, {"bbps", "--format", "csv"}, {"bbps", "--processes"}, {"info", "--format", "json"}, {"check"}};
	static char trace[] = "sample-traces/sendrecv.4.clog2";
	char *of_this = trace, **traces = argc > 1 ? argv + 1 : &of_this;
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof dir, "%s/pas2p-commands.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		bail_out("no temporary directory");
	snprintf(output, sizeof output, "%s/out", dir);
	alarm(PATIENCE); /* who waits for ever fails */
	for (int i = 0; i < (argc > 1 ? argc - 1 : 1); i++)
		for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
			for (uint32_t size = 2; size <= MOST; size++) {
				char *arguments[8] = {strdup("pas2p")};
				int n = 1;

				for (size_t w = 0; w < 4 && commands[c][w]; w++)
					arguments[n++] = strdup(commands[c][w]);
				arguments[n++] = strdup("-q");
				arguments[n++] = strdup(traces[i]);
				command(arguments, n, size);
				while (n)
					free(arguments[--n]);
			}
	unlink(output);
	rmdir(dir);
	return done_testing();
}
