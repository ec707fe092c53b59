/* Filters of rows: conditions against a naive evaluation of random ones, names and units as people write them, what is
 * refused, and that a regular expression stays one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "tui/widgets/list.h"

#define ROWS 60

struct rand {
	uint64_t state;
};

static void rand_seed(struct rand *r, uint64_t seed)
{
	r->state = seed;
}

static uint64_t rand_below(struct rand *r, uint64_t n)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return (r->state >> 33) % n;
}

static const struct column_look columns[] = {{"size", "Size", LOOK_RIGHT, .width = 8}, {"share", "Share", LOOK_RIGHT, .width = 8}, {"to", "To", .width = 4},
					{"time", "Time", LOOK_RIGHT, .width = 8}, {"time_min", "least", LOOK_RIGHT, .width = 8}};
static double value[ROWS][5];

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	(void)ctx;
	if (column == 2)
		snprintf(f->text, sizeof f->text, "  r%.0f ", value[row][2]);
	else
		snprintf(f->text, sizeof f->text, "%g", value[row][column]);
}

static double key(const void *ctx, uint32_t row, int column)
{
	(void)ctx;
	return value[row][column];
}

static const struct row_source source = {columns, 5, field, key, NULL};

static void make_line(void *arg, uint32_t row, char *line, size_t size)
{
	(void)arg;
	snprintf(line, size, "row %u r%.0f", row, value[row][2]);
}

/* How many rows are shown; -1: refused, and err says why. */
static struct err err;
static int shown(const char *text)
{
	struct row_filter *f;
	int n = 0;

	if (row_filter_new(&f, text, &source, &err))
		return -1;
	for (uint32_t r = 0; r < ROWS; r++)
		n += row_filter_match(f, &source, NULL, r, make_line, NULL) == QUERY_YES;
	row_filter_free(f);
	return n;
}

static int rows_where(bool (*holds)(const double *v))
{
	int n = 0;

	for (int r = 0; r < ROWS; r++)
		n += holds(value[r]);
	return n;
}

static bool large(const double *v) { return v[0] > 65536; }
static bool large_to_4(const double *v) { return v[0] > 65536 && v[2] >= 4 && v[2] <= 4; }
static bool heavy(const double *v) { return v[1] > 0.01; }
static bool either(const double *v) { return v[1] >= 0.5 || (v[0] <= 1024 && v[3] < 0.002); }
static bool not_3(const double *v) { return v[2] < 3 || v[2] > 3; }

static bool naive(const double *v, const int *column, const int *op, const double *than, const bool *alternative, int n)
{
	bool any = false, all = true;

	for (int i = 0; i < n; i++) {
		double x = v[column[i]];

		if (alternative[i]) {
			any |= all;
			all = true;
		}
		all &= op[i] == 0 ? x < than[i] : op[i] == 1 ? x <= than[i] : op[i] == 2 ? x > than[i] : x >= than[i];
	}
	return any || all;
}

static void test_random(void)
{
	static const char *const ops[] = {"<", "<=", ">", ">="};
	struct rand r;
	int wrong = 0;

	rand_seed(&r, 7);
	for (int round = 0; round < 2000; round++) {
		int column[5], op[5], n = (int)rand_below(&r, 5) + 1, expected = 0;
		double than[5];
		bool alternative[5] = {false};
		char text[512] = "";

		for (int i = 0; i < n; i++) {
			column[i] = (int)rand_below(&r, 2);
			op[i] = (int)rand_below(&r, 4);
			than[i] = column[i] ? (double)rand_below(&r, 100) / 100 : (double)rand_below(&r, 200000);
			alternative[i] = i && rand_below(&r, 2);
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%s%s%.2f", i ? alternative[i] ? "|" : " & " : "", columns[column[i]].name,
				 rand_below(&r, 2) ? " " : "", ops[op[i]], than[i]);
		}
		for (int row = 0; row < ROWS; row++)
			expected += naive(value[row], column, op, than, alternative, n);
		wrong += shown(text) != expected;
	}
	is_int(wrong, 0, "2000 random conditions are what they say");
}

static void refused(const char *text, const char *part)
{
	ok(shown(text) == -1 && strstr(err.text, part), "'%s' is refused: %s", text, err.text);
}

int main(void)
{
	struct rand r;

	rand_seed(&r, 1);
	for (int row = 0; row < ROWS; row++) {
		value[row][0] = (double)rand_below(&r, 200000);
		value[row][1] = (double)rand_below(&r, 1000) / 1000 / (1 + row % 7 * 10);
		value[row][2] = row % 9 + 1;
		value[row][3] = (double)rand_below(&r, 1000) * 1e-5;
		value[row][4] = row % 5 ? value[row][3] / 2 : (double)NAN;
	}
	is_int(shown("size>64K"), rows_where(large), "size>64K");
	is_int(shown("Size > 64 KiB"), rows_where(large), "by title, with blanks and a whole unit");
	is_int(shown("size>64K & to=r4"), rows_where(large_to_4), "and what the row shows");
	is_int(shown("size>64K&to=R4"), rows_where(large_to_4), "whatever its case");
	is_int(shown("share>1%"), rows_where(heavy), "a percentage");
	is_int(shown("sh>0.01"), rows_where(heavy), "the same as a fraction; a name that is cut");
	is_int(shown("share>=50% | size<=1K & time<2ms"), rows_where(either), "& before |");
	is_int(shown("to!=r3"), rows_where(not_3), "!=");
	is_int(shown("time_min>=0"), ROWS - ROWS / 5, "a row without a value holds for nothing");
	is_int(shown("r4"), ROWS / 9 + (ROWS % 9 >= 4), "else a regular expression");
	is_int(shown("row=|r4"), ROWS / 9 + (ROWS % 9 >= 4), "also with a name that is no column's");
	is_int(shown("^row (1|2) "), 2, "with alternatives");
	is_int(shown("P4x|^row 1 "), 1, "a name that begins like a process counted from 1");
	refused("to=P4", "P4 is rank 3: ranks count from 0");
	refused("to!=P4", "P4 is rank 3");
	refused("^P4", "P4 is rank 3");
	refused("siz5>3", "unknown column 'siz5'");
	refused("ti>3", "'ti' fits several columns");
	refused("size>", "expected a value after >");
	refused("size > big", "expected a number");
	refused("size > 1 & nothing", "expected a condition");
	refused("size > 1 & ", "expected a condition");
	refused("(", "parenthesis");
	test_random();
	return done_testing();
}
