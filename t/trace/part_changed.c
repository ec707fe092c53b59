/* A trace that is written, cut or removed while the ranks of a team read it, or that is another one to some of them:
 * all ranks end, with one code and one sentence, and nobody waits for a rank that has found something else. What one
 * rank alone can tell is said with its name.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/trace/remote.h"
#include "otf2_case.h"
#include "tap.h"
#include "team_threads.h"

#define RANKS 3
#define TASKS 6
#define STEPS 1200  /* so that each stripe has more lines than are read before anyone asks whether to stop */
#define MOST_LOOKS 60
#define LINE_MOST 160
#define OWN "/of_rank_" /* what a rank has for itself lies in a folder of this name and its number */

static char folder[] = "/tmp/pas2p-changed.XXXXXX";

__attribute__((format(printf, 1, 2)))
static void run(const char *format, ...)
{
	char command[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(command, sizeof command, format, ap);
	va_end(ap);
	if (system(command) != 0)
		bail_out("cannot: %s", command);
}

/* ---- what the ranks come to ---- */

/* The change is made when a rank asks, for the `at`th time, whether to stop. */
struct change {
	const char *command; /* NULL: none */
	uint32_t rank;
	int at;
	int looks;           /* of that rank */
};

struct rank {
	const char *path;
	struct change *change;
	enum err_code code;
	struct err err;
	bool loaded;
	uint64_t missing;    /* notes of files that are */
};

static bool look(void *arg)
{
	struct change *change = arg;

	if (change->looks++ == change->at && change->command)
		run("%s", change->command);
	return false;
}

static void load(void *arg, const struct team *team)
{
	struct rank *rank = (struct rank *)arg + team_rank(team);
	struct progress progress = {.stopped = look, .arg = rank->change};
	struct trace_options o = {.threads = 1, .team = team};
	struct trace *t = NULL;

	memset(&rank->err, 0, sizeof rank->err);
	rank->code = trace_load(&t, &rank->path, 1, &o, rank->change && rank->change->rank == team_rank(team) ? &progress : NULL, &rank->err);
	for (char *at = rank->err.text; (at = strstr(at, OWN)) != NULL; at++)
		at[sizeof OWN - 1] = '0'; /* as rank 0 names it */
	rank->loaded = t;
	rank->missing = t ? t->notes.count[NOTE_MISSING_FILE] : 0;
	trace_free(t);
}

static bool is_agreed(const struct rank *ranks)
{
	bool agreed = true;

	for (int r = 1; r < RANKS; r++)
		agreed = agreed && ranks[r].code == ranks[0].code && ranks[r].loaded == ranks[0].loaded &&
			 !strcmp(ranks[r].err.text, ranks[0].err.text);
	for (int r = 0; !agreed && r < RANKS; r++)
		diag("rank %d: code %d: %s", r, ranks[r].code, ranks[r].err.text);
	return agreed;
}

/* One archive or file a rank. */
static bool load_all(struct rank *ranks, const char *const *paths, struct change *change)
{
	for (int r = 0; r < RANKS; r++)
		ranks[r] = (struct rank){.path = paths[r], .change = change};
	if (!team_threads_run(RANKS, load, ranks))
		bail_out("no team");
	return is_agreed(ranks);
}

/* ---- traces ---- */

static void write_prv(const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		bail_out("cannot write %s", path);
	fprintf(out, "#Paraver (01/01/2026 at 00:00):%d_ns:1(6):1:%d(1:1,1:1,1:1,1:1,1:1,1:1)\n", STEPS * 1000, TASKS);
	for (int step = 0; step < STEPS; step++)
		for (int task = 1; task <= TASKS; task++) {
			int at = step * 1000 + task, to = task % TASKS + 1;

			fprintf(out, "2:%d:1:%d:1:%d:50000001:1\n", task, task, at);
			fprintf(out, "3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:%d:%d\n", task, task, at + 10, at + 10, to, to, at + 400, at + 400,
				8 * task, step % 5);
			fprintf(out, "2:%d:1:%d:1:%d:50000001:0\n", task, task, at + 900);
		}
	fclose(out);
}

static const char *in_folder(const char *name)
{
	static char paths[8][LINE_MOST];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, LINE_MOST, "%s/%s", folder, name);
	return path;
}

/* A ring of six processes; the archive is in a folder of the folder. */
static void write_archive(const char *name)
{
	static const char *const scripts[TASKS] = {
		"100 [ MPI_Send; 110 send 1 0 1 8; 120 ]; 300 [ MPI_Recv; 350 recv 5 0 1 8; 360 ]",
		"100 [ MPI_Recv; 120 recv 0 0 1 8; 130 ]; 140 [ MPI_Send; 150 send 2 0 1 8; 160 ]",
		"100 [ MPI_Recv; 160 recv 1 0 1 8; 170 ]; 180 [ MPI_Send; 190 send 3 0 1 8; 200 ]",
		"100 [ MPI_Recv; 200 recv 2 0 1 8; 210 ]; 220 [ MPI_Send; 230 send 4 0 1 8; 240 ]",
		"100 [ MPI_Recv; 240 recv 3 0 1 8; 250 ]; 260 [ MPI_Send; 270 send 5 0 1 8; 280 ]",
		"100 [ MPI_Recv; 280 recv 4 0 1 8; 290 ]; 300 [ MPI_Send; 310 send 0 0 1 8; 320 ]"};
	struct otf_make_location locations[TASKS];
	struct otf_make_comm world = {.ref = 0, .count = TASKS};
	struct otf_make make = {.ticks = 1000000, .offset = 100, .locations = locations, .location_count = TASKS, .rank_count = TASKS,
				.comms = &world, .comm_count = 1};

	for (uint32_t r = 0; r < TASKS; r++) {
		locations[r] = (struct otf_make_location){.id = 10 + r, .group = r, .script = scripts[r]};
		make.ranks[r] = 10 + r;
		world.members[r] = r;
	}
	otf_make(&make, in_folder(name), NULL);
}

/* A copy of an archive or a file, with its times: the ranks have one each. */
static void copy(const char *name, const char *to)
{
	run("cd '%s' && rm -rf '%s' && cp -a '%s' '%s'", folder, to, name, to);
}

/* ---- one of the ranks has another file before it ---- */

struct other {
	const char *what;
	const char *command;   /* done to rank 1's, in its folder */
	enum err_code code;
	const char *says;
	uint64_t missing;
};

/* Each rank looks at the files of two locations, 10 and 11 those of rank 0; and owns two. */
static const struct other archives[] = {
	{"nothing is other", "true", ERR_OK, "", 0},
	{"the anchor is missing", "rm traces.otf2", ERR_IO, "rank 1: ", 0},
	{"the definitions are missing", "rm traces.def", ERR_FORMAT, "rank 1: ", 0},
	{"the definitions are of another time", "touch -d '2001-01-01' traces.def", ERR_IO, "differ between ranks", 0},
	{"the anchor is of another time", "touch -d '2001-01-01' traces.otf2", ERR_IO, "differ between ranks", 0},
	{"a file that it is to look at is missing", "rm traces/12.evt", ERR_DAMAGED, "12.evt, is missing", 1},
	{"files that others look at are missing", "rm traces/10.evt traces/15.evt", ERR_OK, "", 0},
	{"all event files are missing", "rm traces/*.evt", ERR_DAMAGED, "read 0 of 6 records", 2},
	{"a file that it is to read is shorter", "truncate -s 60 traces/12.evt", ERR_DAMAGED, "12 (rank 2)", 0},
	{"a file that it is to read has garbage at its end", "head -c 4000 /dev/zero | tr '\\0' 'x' >>traces/12.evt", ERR_DAMAGED, "12 (rank 2)", 0},
	{"local definitions are missing", "rm traces/12.def", ERR_OK, "", 0},
};

static void test_other_archives(void)
{
	const char *paths[RANKS] = {in_folder("of_rank_0/traces.otf2"), in_folder("of_rank_1/traces.otf2"), in_folder("of_rank_2/traces.otf2")};
	struct rank ranks[RANKS];

	for (int r = 0; r < RANKS; r += 2)
		copy("archive", r ? "of_rank_2" : "of_rank_0");
	for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
		const struct other *o = &archives[i];

		copy("archive", "of_rank_1");
		run("cd '%s/of_rank_1' && %s", folder, o->command);
		ok(load_all(ranks, paths, NULL), "archive: %s: all ranks say the same", o->what);
		is_int(ranks[0].code, o->code, "which is what it is to be");
		ok(strstr(ranks[0].err.text, o->says) && ranks[0].missing == o->missing, "and in words: %s", ranks[0].err.text);
	}
}

static const struct other files[] = {
	{"nothing is other", "true", ERR_OK, "", 0},
	{"the file is missing", "rm t.prv", ERR_IO, "rank 1: ", 0},
	{"the file is empty", ": >t.prv", ERR_IO, "rank 1: ", 0},
	{"the file is shorter", "truncate -s 10000 t.prv", ERR_USAGE, "all ranks of a parallel analysis must read the same files", 0},
	{"the file is longer", "echo >>t.prv", ERR_USAGE, "all ranks of a parallel analysis must read the same files", 0},
	{"the run is another", "sed -i '1s/1200000_ns/1200001_ns/' t.prv", ERR_USAGE, "all ranks of a parallel analysis must read the same files", 0},
};

static void test_other_files(void)
{
	const char *paths[RANKS] = {in_folder("of_rank_0/t.prv"), in_folder("of_rank_1/t.prv"), in_folder("of_rank_2/t.prv")};
	struct rank ranks[RANKS];

	for (int r = 0; r < RANKS; r += 2)
		copy("text", r ? "of_rank_2" : "of_rank_0");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct other *o = &files[i];

		copy("text", "of_rank_1");
		run("cd '%s/of_rank_1' && %s", folder, o->command);
		ok(load_all(ranks, paths, NULL), "file: %s: all ranks say the same", o->what);
		is_int(ranks[0].code, o->code, "which is what it is to be");
		ok(strstr(ranks[0].err.text, o->says) != NULL, "and in words: %s", ranks[0].err.text);
	}
}

/* ---- it changes while they read ---- */

/* How often a rank asks, where nothing happens. */
static int looks_of(const char *const *paths, uint32_t rank)
{
	struct rank ranks[RANKS];
	struct change change = {.rank = rank};

	load_all(ranks, paths, &change);
	return change.looks < MOST_LOOKS ? change.looks : MOST_LOOKS;
}

/* Whatever is met by then: what is read is kept, or there is a sentence; and it is noticed. */
static void test_change(const char *name, const char *anchor, const char *what, bool noticed)
{
	const char *path = in_folder(anchor), *paths[RANKS] = {path, path, path};
	struct rank ranks[RANKS];
	int runs = 0, agreed = 0, well = 0;
	char command[LINE_MOST * 2];

	snprintf(command, sizeof command, "cd '%s/now' && %s", folder, what);
	for (uint32_t r = 0; r < RANKS; r++) {
		int looks;

		copy(name, "now");
		looks = looks_of(paths, r);
		for (int at = 0; at < looks; at++, runs++) {
			struct change change = {.command = command, .rank = r, .at = at};
			bool good;

			copy(name, "now");
			good = load_all(ranks, paths, &change);
			agreed += good && mem_live() == 0;
			well += (ranks[0].code == ERR_IO && !ranks[0].loaded) || (ranks[0].code == ERR_FORMAT && !ranks[0].loaded) ||
				(ranks[0].code == ERR_DAMAGED && ranks[0].loaded) || (ranks[0].code == ERR_OK && !noticed);
		}
	}
	ok(runs > 2 * RANKS, "%s, while it is read: %s (%d times)", name, what, runs);
	is_int(agreed, runs, "all ranks end, with the same");
	is_int(well, runs, "which says that something is wrong");
}

int main(void)
{
	if (!mkdtemp(folder))
		bail_out("cannot make a folder");
	mem_fail_after(LONG_MAX); /* so that blocks are counted */
	run("mkdir '%s/text'", folder);
	write_prv(in_folder("text/t.prv"));
	test_other_files();
	test_change("text", "now/t.prv", "truncate -s 20000 t.prv", true);
	test_change("text", "now/t.prv", "truncate -s 0 t.prv", true);
	test_change("text", "now/t.prv", "rm t.prv", true);
	test_change("text", "now/t.prv", "tail -n 500 t.prv >>t.prv", true);
	test_change("text", "now/t.prv", "mv t.prv old && head -c 50000 old >t.prv", true);
	if (otf_make_able()) {
		write_archive("archive");
		test_other_archives();
		test_change("archive", "now/traces.otf2", "rm traces/13.evt", false);
		test_change("archive", "now/traces.otf2", "rm -r traces", false);
		test_change("archive", "now/traces.otf2", "truncate -s 50 traces/1*.evt", false);
		test_change("archive", "now/traces.otf2", "rm traces.def", false);
		test_change("archive", "now/traces.otf2", "rm traces.otf2", true);
		test_change("archive", "now/traces.otf2", "echo x >>traces.otf2", true);
		test_change("archive", "now/traces.otf2", "cp traces.otf2 new && mv new traces.otf2", true);
	}
	mem_fail_after(-1);
	run("rm -rf '%s'", folder);
	return done_testing();
}
