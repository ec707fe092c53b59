/* Random programs whose patterns are known, against a second implementation that was written from the definition alone, and
 * against what is true: no name may be wrong. Five of six programs have one grid and part their patterns by calls of all
 * processes, as most programs do; the others mix grids and groups, and only the two implementations must agree there.
 *
 * A program can be named where its messages show its grid. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern_case.h"
#include "tap.h"

#define FIRST 1
#define END 601               /* 500 of them have one grid */

struct judged {
	uint32_t same, count;
	uint32_t tidy, wrong, can_be_named, unnamed;
};

/* Does some acceptable name fit? Truth is "a|b ; c": per pattern its acceptable names. */
static bool truth_has(const char *truth, const char *name)
{
	char *copy = strdup(truth), *save, *word;
	bool found = false;

	if (!copy)
		bail_out("no memory");
	for (word = strtok_r(copy, "|;", &save); word && !found; word = strtok_r(NULL, "|;", &save)) {
		while (*word == ' ')
			word++;
		for (size_t n = strlen(word); n && word[n - 1] == ' '; n--)
			word[n - 1] = '\0';
		found = fnmatch(word, name, 0) == 0;
	}
	free(copy);
	return found;
}

/* Patterns of the program of which nothing was found. */
static uint32_t truth_missing(const char *truth, const struct patterns *x)
{
	char *copy = strdup(truth), *save, *one;
	uint32_t missing = 0;

	if (!copy)
		bail_out("no memory");
	for (one = strtok_r(copy, ";", &save); one; one = strtok_r(NULL, ";", &save)) {
		bool found = false;

		for (uint32_t i = 0; i < x->count; i++)
			found = found || truth_has(one, x->list[i].name);
		missing += !found;
	}
	free(copy);
	return missing;
}

static void judge(struct judged *j, const struct pattern_case *c, uint32_t seed, const char *grid)
{
	char *truth = pattern_case_known(c, "truth"), *own = pattern_case_known(c, "own grid");
	uint32_t described = 0, wrong = 0;
	bool shown = own && (!strcmp(own, "any") || !strcmp(own, grid));

	for (uint32_t i = 0; truth && i < c->patterns->count; i++) {
		const struct pattern *p = &c->patterns->list[i];
		bool plain = !pattern_is_named((enum pattern_kind)p->key.kind) || p->key.kind == PATTERN_ONE_WAY || p->key.kind == PATTERN_SELF;

		if (truth_has(truth, p->name))
			continue;
		described += plain;
		wrong += !plain;
		if (!plain && shown)
			diag("seed %u, grid %s: %s", seed, grid, p->name);
	}
	j->tidy++;
	j->wrong += shown && wrong;
	j->can_be_named += shown;
	j->unnamed += shown && !wrong && (described || truth_missing(truth, c->patterns));
	free(truth);
	free(own);
}

static void check(struct judged *j, const char *text)
{
	struct pattern_case c;
	char grid[GRID_TEXT + 16], *reading, *want, *want_grid, *number;
	uint32_t seed;

	pattern_case_make(&c, text);
	number = pattern_case_known(&c, "seed");
	seed = number ? (uint32_t)strtoul(number, NULL, 10) : 0;
	strcpy(grid, "none");
	if (c.patterns->grid.dims)
		grid_text(&c.patterns->grid, grid);
	reading = pattern_case_reading(&c);
	want = pattern_case_known(&c, "found reading");
	want_grid = pattern_case_known(&c, "found grid");
	j->count++;
	if (seed % 6)
		judge(j, &c, seed, grid);
	if (c.patterns->grid.place)
		strcat(grid, " permuted");
	if (want && want_grid && !strcmp(reading, want) && !strcmp(grid, want_grid))
		j->same++;
	else
		diag("seed %u\n  grid     %s, expected %s\n  reading  %s\n  expected %s", seed, grid, want_grid, reading, want);
	free(number);
	free(reading);
	free(want);
	free(want_grid);
	pattern_case_free(&c);
}

int main(void)
{
	struct judged j = {0};
	char *line = NULL, *text = NULL, command[128];
	size_t cap = 0, n = 0, room = 0;
	FILE *cases;

	if (system("python3 -c 'pass' 2>/dev/null")) {
		skip(4, "there is no python3");
		return done_testing();
	}
	snprintf(command, sizeof command, "python3 t/lib/naive_patterns.py --many %d %d", FIRST, END);
	cases = popen(command, "r");
	while (cases && getline(&line, &cap, cases) > 0) {
		size_t length = strlen(line);

		if (!strcmp(line, "end\n")) {
			check(&j, text);
			n = 0;
			continue;
		}
		if (n + length + 1 > room) {
			room = 2 * (n + length + 1);
			text = realloc(text, room);
			if (!text)
				bail_out("no memory");
		}
		memcpy(text + n, line, length + 1);
		n += length;
	}
	ok(cases && !pclose(cases), "programs were made");
	is_int(j.same, END - FIRST, "both implementations find the same grids and readings");
	is_int(j.wrong, 0, "no name is wrong where messages show the grid, in %u of %u programs", j.can_be_named, j.tidy);
	ok(j.can_be_named > j.tidy / 2 && 20 * j.unnamed <= j.can_be_named, "%u of these %u are not named in full", j.unnamed, j.can_be_named);
	free(line);
	free(text);
	return done_testing();
}
