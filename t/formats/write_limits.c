/* Writing must end well where the machine does: memory that runs out, a person who has seen enough, a full disk, and
 * fewer file descriptors than the run has ranks. Each time there is a sentence and nothing is left behind; with few
 * descriptors it is all written. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/mem.h"
#include "core/formats/convert.h"
#include "gen_calls.h"
#include "same_run.h"
#include "tap.h"

#define RANKS 200

static char folder[] = "/tmp/pas2p-write-limits.XXXXXX";

/* How much is there; then it is gone. */
static unsigned files_left(void)
{
	char command[300];
	DIR *d = opendir(folder);
	unsigned n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	snprintf(command, sizeof command, "rm -rf %s/*", folder);
	if (n > 2 && system(command) != 0)
		bail_out("%s cannot be emptied", folder);
	return n - 2;
}

static enum err_code write_as(const struct same_run *from, const char *to, const struct progress *progress, struct err *e)
{
	const struct format_writer *writer = convert_writer(to);
	struct convert_run run = {.trace = from->trace, .log = from->log, .progress = progress, .to = INFINITY};
	char path[300];
	enum err_code code;

	snprintf(path, sizeof path, "%s/out%s", folder, writer->ending ? writer->ending : "");
	*e = (struct err){0};
	code = convert_output_new(&run.output, path, writer, true, progress, e);
	if (!code)
		code = convert_write(&run, writer, e);
	convert_output_free(run.output);
	return code;
}

static void test_memory(const struct same_run *from, const char *to)
{
	unsigned wrong = 0, tries = 0, left = 0;
	long live = mem_live();

	for (int once = 0; once < 2; once++)
		for (long n = 0; n < 2000; n++) {
			struct err e;
			enum err_code code;

			if (once)
				mem_fail_once(n);
			else
				mem_fail_after(n);
			code = write_as(from, to, NULL, &e);
			mem_fail_after(-1);
			/* Without any memory a folder is not emptied either. */
			left += once && code ? files_left() : 0;
			files_left();
			if (!code)
				break;
			wrong += code != ERR_MEMORY || !*e.text;
			tries++;
		}
	ok(tries > 20, "%s: memory fails at %u places", to, tries);
	is_int(wrong, 0, "%s: and each time it is said", to);
	is_int(left, 0, "%s: nothing is left", to);
	is_int(mem_live(), live, "%s: no memory is lost", to);
}

static bool stop(void *arg)
{
	int *left = arg;

	return (*left)-- <= 0;
}

static void test_stopped(const struct same_run *from, const char *to)
{
	int polls = 0;
	const struct progress progress = {.stopped = stop, .arg = &polls};
	struct err e;

	is_int(write_as(from, to, &progress, &e), ERR_CANCELLED, "%s: it can be stopped", to);
	is_int(files_left(), 0, "%s: and leaves nothing", to);
}

static void test_full(const struct same_run *from, const char *to)
{
	struct rlimit limit, small = {512, RLIM_INFINITY};
	struct err e;
	enum err_code code;

	getrlimit(RLIMIT_FSIZE, &limit);
	small.rlim_max = limit.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	code = write_as(from, to, NULL, &e);
	setrlimit(RLIMIT_FSIZE, &limit);
	is_int(code, ERR_IO, "%s: no more room is an error", to);
	ok(strstr(e.text, "written") || strstr(e.text, "write"), "%s: that is said: %s", to, e.text);
	is_int(files_left(), 0, "%s: nothing is left", to);
}

static void many_ranks(struct same_run *run)
{
	struct gen_calls *g = gen_calls_new(RANKS, NULL);
	struct gen_bytes bytes;

	for (int32_t p = 0; p < RANKS; p++) {
		gen_begin(g, p, 1, "MPI_Send");
		gen_message(g, p, 1.5, true, (p + 1) % RANKS, 8, 1);
		gen_end(g, p, 2, "MPI_Send");
	}
	for (int32_t p = 0; p < RANKS; p++) {
		gen_begin(g, p, 3, "MPI_Recv");
		gen_message(g, p, 4, false, (p + RANKS - 1) % RANKS, 8, 1);
		gen_end(g, p, 4.5, "MPI_Recv");
		gen_call(g, p, 5, 6, "MPI_Barrier");
	}
	bytes = gen_calls_bytes(g);
	same_run_load_bytes(run, bytes.bytes, bytes.size);
	mem_free(bytes.bytes);
}

/* Those of the test itself are among them. */
static void test_descriptors(const struct same_run *from, const char *to)
{
	struct rlimit limit, small;
	struct err e;

	getrlimit(RLIMIT_NOFILE, &limit);
	small = limit;
	small.rlim_cur = 24;
	setrlimit(RLIMIT_NOFILE, &small);
	is_int(write_as(from, to, NULL, &e), ERR_OK, "%s: %d ranks with 24 descriptors: %s", to, RANKS, e.text);
	setrlimit(RLIMIT_NOFILE, &limit);
	is_int(files_left(), convert_writer(to)->ending ? 3 : 1, "%s: there it is", to);
}

int main(void)
{
	static const char *const formats[] = {"otf2", "prv"};
	struct same_run run, many;
	char command[300];

	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	same_run_odd(&run);
	many_ranks(&many);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (!convert_writer(formats[i])) {
			skip(1, "built without %s", formats[i]);
			continue;
		}
		test_memory(&run, formats[i]);
		test_stopped(&run, formats[i]);
		test_full(&run, formats[i]);
		test_descriptors(&many, formats[i]);
	}
	same_run_release(&run);
	same_run_release(&many);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) == 0 ? done_testing() : 1;
}
