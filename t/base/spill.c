/* Blocks that spill: what is written comes back, whatever was let go of meanwhile; a folder that is full, or none, is
 * an error; nothing is left in the folder.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/spill.h"
#include "tap.h"

#define NUMBERS ((size_t)4 << 20) /* 32 MiB of them; two such blocks are more than the limit */
#define LIMIT ((uint64_t)(SANITIZED ? 40 : 16) << 20) /* a sanitizer's own memory is the process's, too */

static char folder[] = "/tmp/pas2p-spill.XXXXXX";

static uint32_t entries(void)
{
	DIR *d = opendir(folder);
	uint32_t n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n - 2;
}

static uint64_t resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long long pages = 0;

	if (f && fscanf(f, "%*u %llu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * 4096;
}

static bool holds(const uint64_t *list, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] != hash_mix(seed, i))
			return false;
	return true;
}

static void fill(uint64_t *list, size_t from, size_t n, uint64_t seed)
{
	for (size_t i = from; i < n; i++)
		list[i] = hash_mix(seed, i);
}

static void test_blocks(void)
{
	uint64_t *a = mem_alloc(NUMBERS, sizeof *a), *b = mem_zero(NUMBERS, sizeof *b), *more;
	bool clear = true;

	ok(a && b && spill_has(a) && spill_has(b), "large blocks spill");
	for (size_t i = 0; i < NUMBERS; i++)
		clear = clear && !b[i];
	ok(clear, "one that is to be cleared is");
	fill(a, 0, NUMBERS, 1);
	fill(b, 0, NUMBERS, 2);
	ok(holds(a, NUMBERS, 1) && holds(b, NUMBERS, 2), "what was written stays");
	for (int i = 0; i < 1000 && resident() > LIMIT; i++)
		usleep(10000);
	ok(resident() <= LIMIT, "64 MiB of blocks, a limit of %d: where nobody works, that is held", (int)(LIMIT >> 20));
	ok(holds(a, NUMBERS, 1) && holds(b, NUMBERS, 2), "and all comes back");
	more = mem_resize(a, NUMBERS * 2, sizeof *a);
	ok(more && holds(more, NUMBERS, 1), "a block that grows keeps what it held");
	a = more;
	fill(a, NUMBERS, NUMBERS * 2, 1);
	ok(holds(a, NUMBERS * 2, 1), "and has its new part");
	more = mem_resize(a, NUMBERS / 4, sizeof *a);
	ok(more && holds(more, NUMBERS / 4, 1), "likewise one that shrinks");
	is_int(entries(), 0, "nothing has a name in the folder");
	mem_free(more);
	mem_give_back(b, NUMBERS * sizeof *b);
}

static void test_growing(void)
{
	uint64_t *list = NULL;
	size_t cap = 0, n = 0;
	bool good = true;

	for (; good && n < NUMBERS; n++) {
		uint64_t *more = mem_grow(list, n, &cap, sizeof *list);

		good = more != NULL;
		list = good ? more : list;
		if (good)
			list[n] = hash_mix(3, n);
	}
	ok(good && spill_has(list) && holds(list, n, 3), "an array that grows from nothing spills on the way");
	mem_free(list);
}

static void test_full(void)
{
	struct rlimit old, little = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
	char why[ERR_TEXT] = "";
	struct err e;
	void *block, *small;

	ok(!spill_failure(why), "nothing has failed so far");
	getrlimit(RLIMIT_FSIZE, &old);
	little.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &little);
	block = mem_alloc(NUMBERS, 8);
	small = mem_alloc(600, 1024);
	setrlimit(RLIMIT_FSIZE, &old);
	ok(!block, "a block that the folder has no room for is none");
	ok(small && spill_has(small), "a smaller one is");
	mem_free(small);
	ok(spill_failure(why) && strstr(why, folder), "why it failed names the folder: %s", why);
	err_memory(&e, "a thing");
	ok(strstr(e.text, "a thing in the scratch folder"), "so does the sentence: %s", e.text);
}

static void test_folders(void)
{
	struct err e = {0};
	void *before;

	is_int(spill_begin(LIMIT, "/nonexistent/folder", &e), ERR_USAGE, "no folder: %s", e.text);
	is_int(spill_begin(LIMIT, "/dev/null", &e), ERR_USAGE, "a file: %s", e.text);
	ok(!spill_on(), "it is not on then");
	before = mem_alloc(NUMBERS, 8);
	ok(before && !spill_has(before), "without it nothing spills");
	is_int(spill_begin(LIMIT, folder, &e), ERR_OK, "a folder");
	mem_free(before);
}

int main(void)
{
	if (!mkdtemp(folder))
		bail_out("no folder");
	test_folders();
	test_blocks();
	test_growing();
	test_full();
	spill_end();
	ok(!spill_on() && rmdir(folder) == 0, "the end, and the folder is empty");
	return done_testing();
}
