/* A trace that the ranks of a team load together must be the trace that one process loads: what an analysis says must
 * not depend on how many ranks made it. Each rank's events, and all totals, notes and relations to events of other
 * ranks, are held against the whole.
 *
 * `part_load.t FILE...` holds these traces alone.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "part_case.h"
#include "tap.h"

static const uint32_t sizes[] = {2, 3, 4, 7};

static void test_files(const char *pattern)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
			part_same_files((const char *const *)&found.gl_pathv[i], 1, sizes[k], found.gl_pathv[i]);
	globfree(&found);
}

/* All that match are one run. */
static void test_set(const char *pattern)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		part_same_files((const char *const *)found.gl_pathv, (uint32_t)found.gl_pathc, sizes[k], pattern);
	globfree(&found);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		test_files(argv[i]);
	if (argc > 1)
		return done_testing();
	test_files("sample-traces/*.clog2");
	test_files("sample-traces/*.otf2");
	test_files("sample-traces/*.prv");
	test_set("sample-traces/unfinalized.m240.abortme.*");
	test_files(TEST_TRACES "/*.clog2");
	test_set(TEST_TRACES "/unfinalized/unfinalized.m246.killme.*");
	return done_testing();
}
