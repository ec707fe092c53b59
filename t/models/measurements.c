/* A fit is as good as the measurements it reads: groups, parameters and repetitions must be told apart as the page
 * says, values that stand out must go and no others, and a file that is wrong must be refused by a sentence that leads
 * to the line. The order of lines must not matter.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/models/fit/measurements_csv.h"
#include "tap.h"

static enum err_code read_text(struct measurements *m, const char *const *text, uint32_t count, const char *measured, struct err *e)
{
	struct source source[4] = {{0}};
	char name[4][16];
	enum err_code code;

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name[i], sizeof name[i], "%c.csv", 'a' + (int)i);
		if (source_open_memory(&source[i], name[i], text[i], strlen(text[i]), e))
			bail_out("%s", e->text);
	}
	code = measurements_read(m, source, count, measured, NULL, e);
	for (uint32_t i = 0; i < count; i++)
		source_release(&source[i]);
	return code;
}

static struct measured_sets sets_of(struct measurements *m, const char *text, enum measured_value value)
{
	struct measured_sets sets;
	struct err e;

	if (read_text(m, &text, 1, NULL, &e) || measurements_sets(m, value, &sets, &e))
		bail_out("%s", e.text);
	return sets;
}

static void columns(void)
{
	static const char text[] =
		"# a comment\n\n  \t\n"
		"op, where ,bytes,p,seconds\n"
		"send,intra,8,2,3e-7\r\n"
		"#send,intra,9,9,9\n"
		"send,intra,0,2,1e-7\n"
		"send,inter,8,2,5e-7\n"
		"\"b\"\"c, d\",intra,8,4,1\n"
		"send,intra,8,2,5e-7\n"
		"\"b\"\"c, d\",intra,8,2, 2 ";
	struct measurements m;
	struct measured_sets s = sets_of(&m, text, VALUE_MEAN);

	is_int(m.parameters, 2, "numbers are parameters");
	is_int(s.count, 3, "each combination of words is a group");
	is_str(s.set[0].name, "send intra", "named by its words");
	is_str(s.set[1].name, "send inter", "in the order in which they come");
	is_str(s.set[2].name, "b\"c, d intra", "words in quotes may hold commas and quotes");
	is_int(s.set[0].parameters, 1, "what does not vary in a group is no parameter of it");
	is_str(s.set[0].parameter[0], "bytes", "the other one is");
	is_int(s.set[0].points, 2, "equal parameters are one point");
	ok(s.set[0].at[0] == 0 && s.set[0].at[1] == 8, "points are in order");
	ok(fabs(s.set[0].value[1] - 4e-7) < 1e-20 && s.set[0].low[1] == 3e-7 && s.set[0].high[1] == 5e-7, "with mean, least and largest");
	is_int(s.set[0].kept[1], 2, "of two");
	ok(s.set[0].measurements == 3 && s.set[0].dropped == 0, "all measurements are counted");
	is_int(s.set[1].parameters, 0, "one point has no parameters");
	is_str(s.set[2].parameter[0], "p", "each group has its own");
	ok(s.set[2].value[0] == 2 && s.set[2].value[1] == 1, "a number may have blanks around it");
	measured_sets_release(&s);
	measurements_release(&m);

	s = sets_of(&m, "\xef\xbb\xbfseconds,n\n1,5\n", VALUE_MEAN);
	is_str(s.set[0].name, "", "without words there is one group without a name");
	ok(s.set[0].points == 1 && s.set[0].value[0] == 1, "and a mark before the first column is passed over");
	measured_sets_release(&s);
	measurements_release(&m);

	s = sets_of(&m, "n,note,seconds\n1,1,1\n2,2,2\n3,,3\n", VALUE_MEAN);
	is_int(s.count, 3, "a column with one cell that is no number is a group, whatever the others are");
	measured_sets_release(&s);
	measurements_release(&m);
}

static void several_files(void)
{
	static const char *const two[] = {"n,x,seconds\n1,2,3\n", "# more\nn,x,seconds\n1,a,5\n"}, *const other[] = {"n,seconds\n1,3\n", "p,seconds\n1,5\n"};
	struct measurements m;
	struct measured_sets s;
	struct err e;

	ok(!read_text(&m, two, 2, NULL, &e), "two files are one");
	ok(!measurements_sets(&m, VALUE_MEAN, &s, &e) && s.count == 2, "what is a group is seen over both");
	measured_sets_release(&s);
	measurements_release(&m);
	is_int(read_text(&m, other, 2, NULL, &e), ERR_FORMAT, "with other columns they are not");
	is_str(e.text, "b.csv: line 1: column 1 is 'p', but 'n' in the first file", "which says which");
	ok(!read_text(&m, other, 1, "n", &e), "another column may be what was measured");
	is_str(m.parameter[0], "seconds", "the seconds are a parameter then");
	measurements_release(&m);
	is_int(read_text(&m, other, 1, "q", &e), ERR_USAGE, "one that is not there is a mistake of who asks");
}

static void refused(void)
{
	static const struct { const char *text, *why; } wrong[] = {
		{"# nothing\n", "a.csv: line 1: the header line is missing"},
		{"n,seconds\n", "a.csv: line 1: no measurements found"},
		{"n,s\n1,2\n", "a.csv: line 1: the column 'seconds' is missing; --y gives the column of the measured values"},
		{"n,seconds\n1,2\n\n1,2,3\n", "a.csv: line 4: 3 cells, but the header has 2"},
		{"n,seconds\n1\n", "a.csv: line 2: 1 cell, but the header has 2"},
		{"n,seconds\n1,2\n1,x\x1b\n", "a.csv: line 3: seconds is 'x\xef\xbf\xbd': expected a finite number"},
		{"n,seconds\n1,nan\n", "a.csv: line 2: seconds is 'nan': expected a finite number"},
		{"n,seconds\n1,1e999\n", "a.csv: line 2: seconds is '1e999': expected a finite number"},
		{"n,seconds\n1,\n", "a.csv: line 2: seconds is '': expected a finite number"},
		{"n,n,seconds\n1,1,1\n", "a.csv: line 1: two columns have the name 'n'"},
		{",seconds\n1,1\n", "a.csv: line 1: column 1 has no name"},
	};
	char *many = malloc(3000);
	struct measurements m;
	struct err e;
	const char *text = many;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		is_int(read_text(&m, &wrong[i].text, 1, NULL, &e), ERR_FORMAT, "refused: %.40s", wrong[i].why);
		is_str(e.text, wrong[i].why, "with file, line and what was found");
	}
	if (!many)
		bail_out("no memory");
	many[0] = '\0';
	for (int i = 0; i < 300; i++)
		sprintf(many + strlen(many), "c%d,", i);
	strcat(many, "seconds\n");
	is_int(read_text(&m, &text, 1, NULL, &e), ERR_FORMAT, "300 columns are too many");
	is_str(e.text, "a.csv: line 1: 301 columns: the limit is 256", "which is said");
	free(many);
}

/* ---- outliers ---- */

static void kept_is(const char *values, double want, uint64_t dropped, enum measured_value value, const char *what)
{
	char text[400] = "n,seconds\n";
	struct measurements m;
	struct measured_sets s;

	for (const char *p = values; *p; p += strcspn(p, " "), p += *p == ' ')
		sprintf(text + strlen(text), "1,%.*s\n", (int)strcspn(p, " "), p);
	s = sets_of(&m, text, value);
	ok(s.set[0].dropped == dropped && fabs(s.set[0].value[0] - want) < 1e-12, "%s: %s", values, what);
	if (s.set[0].dropped != dropped || fabs(s.set[0].value[0] - want) >= 1e-12)
		diag("value %.17g, dropped %d", s.set[0].value[0], (int)s.set[0].dropped);
	measured_sets_release(&s);
	measurements_release(&m);
}

static void outliers(void)
{
	kept_is("1 1 1 1 1 9", 1, 1, VALUE_MEAN, "9 goes");
	kept_is("9 1 1 1 1 1", 1, 1, VALUE_MEAN, "wherever it is");
	kept_is("1.00 1.04 0.96 1.00 1.00", 1, 0, VALUE_MEAN, "nothing goes within 5 %, however even the others are");
	kept_is("1.00 1.06 0.94 1.00 1.00", 1, 2, VALUE_MEAN, "beyond that both go");
	kept_is("1 1 1 9", 3, 0, VALUE_MEAN, "of four nothing goes");
	kept_is("-1 -1 -1 -1 -1 -9 -1.04", -1.04 / 6 - 5.0 / 6, 1, VALUE_MEAN, "below 0 as above");
	kept_is("1 2 3 4 20", 2.5, 1, VALUE_MEAN, "3 + 7.413 is 10.413: 20 goes");
	kept_is("1 2 3 4 10.4", 4.08, 0, VALUE_MEAN, "10.4 stays");
	kept_is("1 2 3 4 10.4", 3, 0, VALUE_MEDIAN, "the median");
	kept_is("1 2 4 5", 3, 0, VALUE_MEDIAN, "the median of four");
	kept_is("1 2 3 4 20", 1, 1, VALUE_MIN, "the least");
	kept_is("5 5 5 5 1", 5, 1, VALUE_MIN, "the least of what is left");
}

int main(void)
{
	columns();
	several_files();
	refused();
	outliers();
	return done_testing();
}
