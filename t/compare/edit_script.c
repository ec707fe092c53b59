/* The edits that turn one sequence into another (docs/internals/compare-rules.md, "Logical difference"): as few as
 * there are, and of the shortest scripts the one that the page decides. People compare scripts of two versions, and
 * count on getting the same one: so it is held against a table of all distances and, where sequences are short, against
 * every shortest script there is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare/diff/diff.h"
#include "gen.h"
#include "tap.h"

#define MOST 40

static struct edit_script script_of(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t effort)
{
	struct edit_script s;

	if (edit_script_init(&s, a, n, b, m, effort, NULL, 0))
		bail_out("no memory");
	return s;
}

/* "-2 =1 +3" */
static void as_text(const struct edit_script *s, char *text)
{
	*text = 0;
	for (uint32_t i = 0; i < s->run_count; i++)
		text += sprintf(text, "%s%c%u", i ? " " : "", "=-+"[s->runs[i].edit], s->runs[i].count);
}

static void vector(const char *a, const char *b, const char *want, uint32_t edits)
{
	uint32_t x[16], y[16], n = (uint32_t)strlen(a), m = (uint32_t)strlen(b);
	struct edit_script s;
	char text[256];

	for (uint32_t i = 0; i < n; i++)
		x[i] = (uint32_t)a[i];
	for (uint32_t i = 0; i < m; i++)
		y[i] = (uint32_t)b[i];
	s = script_of(x, n, y, m, 2000);
	as_text(&s, text);
	is_str(text, want, "'%s' to '%s'", a, b);
	is_u64(s.removed + s.added, edits, "  so many edits");
	edit_script_release(&s);
	s = script_of(x, n, y, m, edits);
	ok(!s.beyond, "  are found with just that effort");
	edit_script_release(&s);
	if (!edits)
		return;
	s = script_of(x, n, y, m, edits - 1);
	ok(s.beyond && !s.runs && !s.removed && !s.added, "  and are beyond one less");
	edit_script_release(&s);
}

static void test_vectors(void)
{
	vector("abcabba", "cbabac", "-2 =1 -1 =1 +1 =2 +1", 5);
	vector("abAB", "abcAB", "=2 +1 =2", 1);
	vector("xyxy", "yxyx", "-1 =3 +1", 2);
	vector("", "", "", 0);
	vector("abc", "abc", "=3", 0);
	vector("abc", "", "-3", 3);
	vector("", "abc", "+3", 3);
	vector("ab", "cd", "-2 +2", 4);
	vector("aa", "a", "=1 -1", 1);
	vector("aba", "abaXaba", "=3 +4", 4);
}

/* ---- all shortest scripts ---- */

struct table { uint32_t left[MOST + 1][MOST + 1]; }; /* edits from (x, y) to the ends */

static void fill(struct table *t, const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
	for (uint32_t x = n + 1; x-- > 0;)
		for (uint32_t y = m + 1; y-- > 0;) {
			uint32_t best = x == n && y == m ? 0 : UINT32_MAX;

			if (x < n && y < m && a[x] == b[y])
				best = t->left[x + 1][y + 1];
			if (x < n && t->left[x + 1][y] + 1 < best)
				best = t->left[x + 1][y] + 1;
			if (y < m && t->left[x][y + 1] + 1 < best)
				best = t->left[x][y + 1] + 1;
			t->left[x][y] = best;
		}
}

struct search {
	const struct table *t;
	const uint32_t *a, *b;
	uint32_t n, m, length;
	char now[2 * MOST + 1], best[2 * MOST + 1]; /* '0' keep, '1' delete, '2' insert */
	uint64_t scripts;
};

/* Every script that takes no more edits than it must. */
static void each_script(struct search *s, uint32_t x, uint32_t y)
{
	if (x == s->n && y == s->m) {
		s->now[s->length] = 0;
		if (!s->scripts++ || strcmp(s->now, s->best) < 0)
			strcpy(s->best, s->now);
		return;
	}
	s->length++;
	if (x < s->n && y < s->m && s->a[x] == s->b[y] && s->t->left[x + 1][y + 1] == s->t->left[x][y]) {
		s->now[s->length - 1] = '0';
		each_script(s, x + 1, y + 1);
	}
	if (x < s->n && s->t->left[x + 1][y] + 1 == s->t->left[x][y]) {
		s->now[s->length - 1] = '1';
		each_script(s, x + 1, y);
	}
	if (y < s->m && s->t->left[x][y + 1] + 1 == s->t->left[x][y]) {
		s->now[s->length - 1] = '2';
		each_script(s, x, y + 1);
	}
	s->length--;
}

static void spell(const struct edit_script *s, char *text)
{
	for (uint32_t i = 0; i < s->run_count; i++)
		for (uint32_t k = 0; k < s->runs[i].count; k++)
			*text++ = (char)('0' + s->runs[i].edit);
	*text = 0;
}

/* What the page says: prefix, suffix, and of all shortest scripts for the rest the first. */
static void by_the_page(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, char *text, uint64_t *scripts)
{
	static struct table t;
	static struct search s;
	uint32_t prefix = 0, suffix = 0;

	while (prefix < n && prefix < m && a[prefix] == b[prefix])
		prefix++;
	while (suffix < n - prefix && suffix < m - prefix && a[n - suffix - 1] == b[m - suffix - 1])
		suffix++;
	s = (struct search){.t = &t, .a = a + prefix, .b = b + prefix, .n = n - prefix - suffix, .m = m - prefix - suffix};
	fill(&t, s.a, s.n, s.b, s.m);
	each_script(&s, 0, 0);
	memset(text, '0', prefix);
	strcpy(text + prefix, s.best);
	text += strlen(text);
	memset(text, '0', suffix);
	text[suffix] = 0;
	*scripts += s.scripts;
}

static bool applies(const struct edit_script *s, const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m)
{
	uint32_t x = 0, y = 0, last = UINT32_MAX;

	for (uint32_t i = 0; i < s->run_count; i++) {
		if (s->runs[i].edit == last || !s->runs[i].count)
			return false;
		last = s->runs[i].edit;
		for (uint32_t k = 0; k < s->runs[i].count; k++) {
			if (x + (last != EDIT_INSERT) > n || y + (last != EDIT_DELETE) > m || (last == EDIT_KEEP && a[x] != b[y]))
				return false;
			x += last != EDIT_INSERT;
			y += last != EDIT_DELETE;
		}
	}
	return x == n && y == m;
}

static uint32_t random_sequence(uint64_t *seed, uint32_t *a, uint32_t most)
{
	uint32_t n = gen_below(seed, most + 1);

	for (uint32_t i = 0; i < n; i++)
		a[i] = gen_below(seed, 3);
	return n;
}

static void test_random(uint32_t most, int rounds, bool all_scripts)
{
	static struct table t;
	uint32_t a[MOST], b[MOST];
	uint64_t seed = 42, scripts = 0;
	int wrong_length = 0, wrong_choice = 0, wrong_result = 0, wrong_swap = 0, wrong_beyond = 0;

	for (int i = 0; i < rounds; i++) {
		uint32_t n = random_sequence(&seed, a, most), m = random_sequence(&seed, b, most), edits;
		struct edit_script s = script_of(a, n, b, m, 2 * MOST), back = script_of(b, m, a, n, 2 * MOST), less;
		char text[2 * MOST + 1], want[2 * MOST + 1];

		fill(&t, a, n, b, m);
		edits = t.left[0][0];
		wrong_length += s.removed + s.added != edits;
		wrong_result += !applies(&s, a, n, b, m);
		wrong_swap += back.removed != s.added || back.added != s.removed;
		if (all_scripts) {
			spell(&s, text);
			by_the_page(a, n, b, m, want, &scripts);
			wrong_choice += strcmp(text, want) != 0;
		}
		if (edits) {
			less = script_of(a, n, b, m, edits - 1);
			wrong_beyond += !less.beyond;
			edit_script_release(&less);
			less = script_of(a, n, b, m, edits);
			wrong_beyond += less.beyond;
			edit_script_release(&less);
		}
		edit_script_release(&s);
		edit_script_release(&back);
	}
	is_int(wrong_length, 0, "%d random pairs of up to %u: as few edits as the table of all distances says", rounds, most);
	is_int(wrong_result, 0, "  applying the script gives the other sequence");
	is_int(wrong_swap, 0, "  the other way round removes what was added");
	is_int(wrong_beyond, 0, "  beyond is told exactly");
	if (all_scripts) {
		is_int(wrong_choice, 0, "  of all shortest scripts the page's");
		ok(scripts > 3 * (uint64_t)rounds, "  of which there were several: %llu", (unsigned long long)scripts);
	}
}

/* Long ones, of which nothing, or all but the order, is the same. */
static void test_long(void)
{
	enum { LONG = 300 };
	uint32_t a[LONG], b[LONG], turned[LONG];
	struct edit_script s;

	for (uint32_t i = 0; i < LONG; i++) {
		a[i] = i;
		b[i] = LONG + i;
		turned[i] = LONG - 1 - i;
	}
	s = script_of(a, LONG, b, LONG, 2 * LONG - 1);
	ok(s.beyond, "nothing in common takes more edits than one less than both have");
	s = script_of(a, LONG, b, LONG, 2 * LONG);
	ok(!s.beyond && s.removed == LONG && s.added == LONG && applies(&s, a, LONG, b, LONG), "and all of these");
	edit_script_release(&s);
	s = script_of(a, LONG, turned, LONG, 2 * LONG - 3);
	ok(s.beyond, "the other way round, one number can be kept");
	s = script_of(a, LONG, turned, LONG, 2 * LONG - 2);
	ok(!s.beyond && s.removed == LONG - 1 && applies(&s, a, LONG, turned, LONG), "and no more");
	edit_script_release(&s);
}

/* What must be edited is also counted, numbers and neighbours that one has more often: never more than the table of
 * distances says. */
static void test_counted(void)
{
	enum { LONG = 400 };
	static uint32_t line[2][LONG + 1];
	uint32_t a[LONG], b[LONG], edits, far = 0;
	uint64_t seed = 5;
	int wrong = 0;

	for (int round = 0; round < 120; round++) {
		uint32_t letters = 2 + gen_below(&seed, 12), n = LONG - gen_below(&seed, 100), m = LONG - gen_below(&seed, 100);
		struct edit_script s;

		for (uint32_t i = 0; i < LONG; i++) {
			a[i] = round % 3 ? gen_below(&seed, letters) : i % letters;
			b[i] = round % 3 == 1 && gen_below(&seed, 4) ? a[i] : round % 3 ? gen_below(&seed, letters) : letters - 1 - i % letters;
		}
		for (uint32_t k = 0; k <= m; k++)
			line[0][k] = k;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t *above = line[i % 2], *now = line[1 - i % 2];

			now[0] = i + 1;
			for (uint32_t k = 0; k < m; k++)
				now[k + 1] = a[i] == b[k] ? above[k] : 1 + (above[k + 1] < now[k] ? above[k + 1] : now[k]);
		}
		edits = line[n % 2][m];
		far += edits > 100;
		s = script_of(a, n, b, m, edits);
		wrong += s.beyond || s.removed + s.added != edits || !applies(&s, a, n, b, m);
		edit_script_release(&s);
		if (edits) {
			s = script_of(a, n, b, m, edits - 1);
			wrong += !s.beyond;
			edit_script_release(&s);
		}
	}
	is_int(wrong, 0, "long ones: found with just the effort that they take");
	ok(far > 80, "which is much, %u times", far);
}

int main(void)
{
	test_long();
	test_counted();
	test_vectors();
	test_random(9, 4000, true);
	test_random(MOST, 4000, false);
	return done_testing();
}
