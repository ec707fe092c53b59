/* What it costs to read a trace compressed: loading it against loading it as it is, and against nothing but
 * decompressing it.
 *
 *     unpack [--records N] [--dir DIR] [--packing NAME] [FILE...]       traces; without any, one is generated in DIR
 *
 * Loading reads a trace twice. So two decompressions are what it cannot do without, but as loading and decompressing go
 * on at once, the bar is the longer of the two, and a fifth. Each measurement is the best of three, in processes of
 * their own, for their memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/formats/api/load.h"
#include "core/io/unpack.h"
#include "generate.h"

#define PIECE ((size_t)64 << 10)
#define ROUNDS 3
#define BAR 1.25
#define BAR_MIB 8

struct cost {
	double seconds, work, mib; /* work: processor time of all threads */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const char *what)
{
	fprintf(stderr, "bench/unpack: %s\n", what);
	exit(1);
}

static void load(const char *path)
{
	struct trace *t = NULL;
	struct err e;
	enum err_code code = trace_load(&t, &path, 1, NULL, NULL, &e);

	if (code && code != ERR_DAMAGED)
		die(e.text);
	trace_free(t);
}

static void decompress(const char *path)
{
	static uint8_t out[PIECE];
	struct unpack_stream *stream = NULL;
	uint8_t magic[PACKING_MAGIC];
	size_t got = 1;
	struct source s;
	struct err e;

	if (source_open_file(&s, path, &e) || source_read(&s, 0, magic, sizeof magic, &got, &e) ||
	    unpack_stream_new(&stream, &s, packing_of(magic, got), &e))
		die(e.text);
	while (got)
		if (unpack_stream_read(stream, out, sizeof out, &got, &e))
			die(e.text);
	unpack_stream_free(stream);
	source_release(&s);
}

static struct cost measure(void (*what)(const char *path), const char *path)
{
	struct cost best = {0, 0, 0};

	for (int round = 0; round < ROUNDS; round++) {
		double begin = now(), seconds, work;
		struct rusage used;
		pid_t child = fork();
		int status = 1;

		if (!child) {
			what(path);
			_exit(0);
		}
		if (child < 0 || wait4(child, &status, 0, &used) < 0 || status)
			die("a measurement failed");
		seconds = now() - begin;
		work = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
		best.work = !round || work < best.work ? work : best.work;
		best.seconds = !round || seconds < best.seconds ? seconds : best.seconds;
		best.mib = (double)used.ru_maxrss / 1024;
	}
	return best;
}

/* false: there is no such program. */
static bool compress(const char *program, const char *path, const char *to)
{
	FILE *in = fopen(path, "rb");
	pid_t child;
	int status = 1;

	if (!in)
		die("cannot read the trace");
	fflush(stdout);
	child = fork();
	if (!child) {
		if (dup2(fileno(in), STDIN_FILENO) < 0 || !freopen(to, "wb", stdout))
			_exit(1);
		execlp(program, program, "-c", (char *)NULL);
		_exit(1);
	}
	fclose(in);
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static const char *verdict(bool kept)
{
	return kept ? "" : "  MISSED";
}

/* only: of the packings; NULL: all. */
static void measure_file(const char *path, const char *only)
{
	static const struct {
		enum packing packing;
		const char *program;
	} kinds[] = {{PACKING_GZIP, "gzip"}, {PACKING_XZ, "xz"}, {PACKING_ZSTD, "zstd"}};
	struct cost plain = measure(load, path);
	struct stat st;
	double mb = stat(path, &st) ? 0 : (double)st.st_size / 1e6;

	printf("%s: %.1f MB, loaded as it is in %.3f s (%.3f s of processor time) with %.1f MiB\n", path, mb, plain.seconds, plain.work, plain.mib);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char to[4200];
		struct cost packed, bare;
		double least;

		if (only && strcmp(only, kinds[i].program))
			continue;
		snprintf(to, sizeof to, "%s%s", path, packing_ending(kinds[i].packing));
		if (!packing_built(kinds[i].packing) || !compress(kinds[i].program, path, to)) {
			unlink(to);
			printf("  %-6s cannot be measured\n", kinds[i].program);
			continue;
		}
		bare = measure(decompress, to);
		packed = measure(load, to);
		least = 2 * bare.seconds > plain.seconds ? 2 * bare.seconds : plain.seconds;
		printf("  %-6s %6.1f MB/s decompressed, %6.1f MB/s over both passes of loading (%.3f s: %.2f x two "
		       "decompressions, %.2f x as it is)   bar %.2f x the longer%s\n", kinds[i].program, mb / bare.seconds, 2 * mb / packed.seconds, packed.seconds,
		       packed.seconds / (2 * bare.seconds), packed.seconds / plain.seconds, BAR, verdict(packed.seconds <= BAR * least));
		printf("  %-6s processor time: %.3f s, of that two decompressions %.3f s: %.2f x what loading as it is and they take\n", "", packed.work,
		       2 * bare.work, packed.work / (plain.work + 2 * bare.work));
		printf("  %-6s %6.1f MiB more than as it is, %.1f MiB to decompress alone   bar %d MiB beyond that%s\n", "",
		       packed.mib - plain.mib, bare.mib, BAR_MIB, verdict(packed.mib - plain.mib <= bare.mib + BAR_MIB));
		unlink(to);
	}
}

int main(int argc, char **argv)
{
	const char *dir = ".", *only = NULL;
	uint64_t records = 5000000;
	int files = 0;

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--records") && i + 1 < argc)
			records = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--dir") && i + 1 < argc)
			dir = argv[++i];
		else if (!strcmp(argv[i], "--packing") && i + 1 < argc)
			only = argv[++i];
		else
			measure_file(argv[i], only), files++;
	if (!files) {
		char path[4096];
		struct err e;

		snprintf(path, sizeof path, "%s/unpack.%" PRIu64 ".clog2", dir, records);
		if (access(path, R_OK) && generate_trace(path, TRAFFIC_HALO, CLOCKS_ONE, 64, records, &e) != ERR_OK)
			die(e.text);
		measure_file(path, only);
		unlink(path);
	}
	return 0;
}
