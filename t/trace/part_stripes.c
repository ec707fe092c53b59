/* Many ranks read a CLOG2 trace in stripes, and pass on what is others' (docs/internals/scale.md 3): what each has must
 * be what the whole trace has of its processes, as in part_load.c. Stripes of small traces are single blocks; sets of
 * local files, old and little-endian ones, damaged ones are among them. With several threads a rank reads all by
 * itself, and so do all with it.
 */
#include <glob.h>

#include "part_case.h"
#include "tap.h"

static void test_files(const char *pattern, uint32_t ranks)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		part_same_files((const char *const *)&found.gl_pathv[i], 1, ranks, found.gl_pathv[i]);
	globfree(&found);
}

/* All that match are one run. */
static void test_set(const char *pattern, uint32_t ranks, unsigned threads)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return;
	part_same(&(struct part_input){.paths = (const char *const *)found.gl_pathv, .count = (uint32_t)found.gl_pathc, .threads = threads}, ranks,
		  pattern);
	globfree(&found);
}

int main(void)
{
	test_files("sample-traces/*.clog2", 8);
	test_files("sample-traces/*.clog2", 11);
	test_files("sample-traces/*.clog2", 9);
	test_files(TEST_TRACES "/*.clog2", 8);
	test_set("sample-traces/unfinalized.m240.abortme.*", 8, 1);
	test_set("sample-traces/unfinalized.m240.abortme.*", 13, 1);
	test_set(TEST_TRACES "/unfinalized/unfinalized.m246.killme.*", 9, 1);
	test_set("sample-traces/lu.S.4.clog2", 8, 3);
	return done_testing();
}
