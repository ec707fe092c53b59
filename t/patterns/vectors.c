/* The page's examples of patterns: each run has the grid, the name and the reading that are known of it, and none has
 * a wrong one (docs/explain/patterns.md). */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern_case.h"
#include "tap.h"

static void check_text(const struct pattern_case *c, const char *key, const char *got, const char *name)
{
	char *want = pattern_case_known(c, key);

	is_str(got, want ? want : "", "%s: %s", name, key);
	free(want);
}

static void check(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct pattern_case c;
	char grid[GRID_TEXT], *reading, *want, *meaning, *size, explained[16];

	pattern_case_read(&c, path);
	reading = pattern_case_reading(&c);
	meaning = strdup(c.names->list[0].meaning);
	if (!meaning)
		bail_out("no memory");
	check_text(&c, "reading", reading, name);
	check_text(&c, "grid", c.patterns->grid.dims ? grid_text(&c.patterns->grid, grid) : "none", name);
	check_text(&c, "name", c.names->list[0].name, name);
	/* They say nothing of sizes, which are the last of it. */
	size = strrchr(meaning, ',');
	if (size && size[1] == ' ' && size[2] >= '0' && size[2] <= '9')
		*size = '\0';
	check_text(&c, "long", meaning, name);
	snprintf(explained, sizeof explained, "%.4f", c.names->list[0].explained);
	check_text(&c, "explained", explained, name);
	want = pattern_case_known(&c, "truth");
	if (want && !strcmp(want, "unnamed"))
		ok(!c.names->list[0].named, "%s: has no name", name);
	free(want);
	free(meaning);
	free(reading);
	pattern_case_free(&c);
}

int main(void)
{
	glob_t found;

	if (glob("t/patterns/vectors/*.txt", 0, NULL, &found))
		bail_out("there are no vectors");
	for (size_t i = 0; i < found.gl_pathc; i++)
		check(found.gl_pathv[i]);
	globfree(&found);
	return done_testing();
}
