/* Every listing goes through one writer, so that it means the same in each of the four formats: what a program reads
 * back from CSV, JSON or YAML is what was in the cell, an empty cell is told from an empty text where the format can,
 * columns line up for the eye, names from traces bring no control characters along, and a million rows are written a
 * piece at a time.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/io/out.h"
#include "core/table/rows.h"
#include "tap.h"
#include "core/io/yaml_in.h"

static const struct column_look columns[] = {
	{"rank", "Rank", LOOK_RIGHT, .decimals = ROWS_SHORTEST},
	{"name", "Name", LOOK_LEFT, .decimals = ROWS_SHORTEST},
	{"time", "Time s", LOOK_RIGHT, .decimals = 3},
	{"n", "N", LOOK_RIGHT, .decimals = ROWS_SHORTEST},
	{"good", "Good", LOOK_LEFT, .decimals = ROWS_SHORTEST},
};

static const char *const texts[] = {"plain", "a,b", "say \"hi\"", "\x1b[2J\n", "", "12", "null"};

static enum err_code some_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	(void)arg;
	(void)e;
	if (i == 1)
		*keep = false;
	cells[0] = cell_whole(i == 6 ? UINT64_MAX : i);
	cells[1] = cell_text(i == 5 ? NULL : texts[i]);
	cells[2] = cell_real((double)i * 0.25);
	if (i % 2)
		cells[3] = cell_int(i == 3 ? INT64_MIN : -(int64_t)i);
	if (i != 6)
		cells[4] = cell_bool(i % 2 == 0);
	return ERR_OK;
}

static const struct rows some = {columns, 5, 7, some_row, NULL};

static enum err_code gather(void *arg, const char *bytes, size_t n, struct err *e)
{
	struct out *o = arg;

	(void)e;
	out_add(o, bytes, n);
	return ERR_OK;
}

static void written(const struct rows *r, enum rows_format format, enum text_flags flags, const char *want)
{
	struct out o;
	struct rows_sink sink = {gather, &o};
	struct err e = {0};

	out_init(&o);
	is_int(rows_write(r, format, flags, 0, &sink, NULL, &e), ERR_OK, "as format %d %s", (int)format, e.text);
	is_str(o.text, want, "the text is right");
	out_release(&o);
}

static void formats(void)
{
	enum rows_format f = ROWS_YAML;

	ok(rows_format_find("csv", &f) && f == ROWS_CSV, "csv is a format");
	ok(!rows_format_find("xml", &f) && !rows_format_find("", &f), "xml is not");
	written(&some, ROWS_CSV, TEXT_UTF8,
		"rank,name,time,n,good\n"
		"0,plain,0,,true\n"
		"2,\"say \"\"hi\"\"\",0.5,,true\n"
		"3,\xef\xbf\xbd[2J\xef\xbf\xbd,0.75,-9223372036854775808,false\n"
		"4,,1,,true\n"
		"5,,1.25,-5,false\n"
		"18446744073709551615,null,1.5,,\n");
	written(&some, ROWS_JSON, TEXT_UTF8,
		"[\n"
		"  {\"rank\": 0, \"name\": \"plain\", \"time\": 0, \"n\": null, \"good\": true},\n"
		"  {\"rank\": 2, \"name\": \"say \\\"hi\\\"\", \"time\": 0.5, \"n\": null, \"good\": true},\n"
		"  {\"rank\": 3, \"name\": \"\xef\xbf\xbd[2J\xef\xbf\xbd\", \"time\": 0.75, \"n\": -9223372036854775808, "
		"\"good\": false},\n"
		"  {\"rank\": 4, \"name\": \"\", \"time\": 1, \"n\": null, \"good\": true},\n"
		"  {\"rank\": 5, \"name\": null, \"time\": 1.25, \"n\": -5, \"good\": false},\n"
		"  {\"rank\": 18446744073709551615, \"name\": \"null\", \"time\": 1.5, \"n\": null, \"good\": null}\n"
		"]\n");
	written(&some, ROWS_YAML, TEXT_UTF8,
		"- {rank: 0, name: plain, time: 0, \"n\": null, good: true}\n"
		"- {rank: 2, name: \"say \\\"hi\\\"\", time: 0.5, \"n\": null, good: true}\n"
		"- {rank: 3, name: \"\xef\xbf\xbd[2J\xef\xbf\xbd\", time: 0.75, \"n\": -9223372036854775808, good: false}\n"
		"- {rank: 4, name: \"\", time: 1, \"n\": null, good: true}\n"
		"- {rank: 5, name: null, time: 1.25, \"n\": -5, good: false}\n"
		"- {rank: 18446744073709551615, name: \"null\", time: 1.5, \"n\": null, good: null}\n");
	written(&some, ROWS_TABLE, TEXT_ASCII,
		"                Rank  Name      Time s                     N  Good\n"
		"                   0  plain      0.000                        true\n"
		"                   2  say \"hi\"   0.500                        true\n"
		"                   3  ?[2J?      0.750  -9223372036854775808  false\n"
		"                   4             1.000                        true\n"
		"                   5             1.250                    -5  false\n"
		"18446744073709551615  null       1.500\n");
}

static enum err_code no_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	(void)arg;
	(void)i;
	(void)cells;
	(void)e;
	*keep = false;
	return ERR_OK;
}

static void nothing(void)
{
	struct rows none = {columns, 2, 3, no_row, NULL};

	written(&none, ROWS_CSV, TEXT_UTF8, "rank,name\n");
	written(&none, ROWS_JSON, TEXT_UTF8, "[]\n");
	written(&none, ROWS_YAML, TEXT_UTF8, "[]\n");
	written(&none, ROWS_TABLE, TEXT_UTF8, "Rank  Name\n");
}

/* Texts that mean something in YAML, and one of each ASCII character: read back as what they were. */
static const char *const awkward[] = {"yes", "NO", "~", "", " ", "1e5", "0x1f", "- a", "a: b", "a #b", "#", "{}", "[",
				      "'", "\"",
				      "\\", "*a", "&a", "!x", "|", ">", "%", "@", "`", "?", ":", "-", "--- x", "...",
				      ",", "+2", "-3",
				      "CAllreduce", "2024-01-01", "12:30:45", ".inf", "=", "<<", "\xc3\xa9",
				      "\xf0\x9f\x98\x80", "0b1", "0o7", "1_0"};
#define AWKWARD (sizeof awkward / sizeof *awkward)

static const char *awkward_text(uint64_t i)
{
	static char text[4];

	if (i < AWKWARD)
		return awkward[i];
	text[0] = 'a';
	text[1] = (char)(i - AWKWARD + 32);
	text[2] = 'b';
	return text;
}

static enum err_code awkward_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	(void)arg;
	(void)keep;
	(void)e;
	cells[0] = cell_text(awkward_text(i));
	cells[1] = cell_real(1e-7);
	return ERR_OK;
}

static void yaml_reads_back(enum rows_format format)
{
	struct column_look two[] = {{"text", "Text", LOOK_LEFT, .decimals = ROWS_SHORTEST}, {"number", "Number", LOOK_RIGHT,
									    .decimals = ROWS_SHORTEST}};
	struct rows r = {two, 2, AWKWARD + 95, awkward_row, NULL};
	struct out o;
	struct rows_sink sink = {gather, &o};
	struct err e = {0};
	struct yaml_in y;
	uint64_t i = 0, same = 0;

	out_init(&o);
	is_int(rows_write(&r, format, TEXT_UTF8, 0, &sink, NULL, &e), ERR_OK, "awkward texts are written");
	if (ok(yaml_in_init(&y, "rows", o.text, o.len, &e) == ERR_OK, "and are YAML %s", e.text)) {
		for (const struct yaml_node *n = y.root->first; n; n = n->next, i++) {
			const struct yaml_node *text = yaml_get(n, "text"), *number = yaml_get(n, "number");

			if (!strcmp(text->text, awkward_text(i)) && (text->quoted || !yaml_needs_quotes(text->text)) &&
			    !strcmp(number->text, "1.0e-07"))
				same++;
			else
				diag("row %d: %s", (int)i, text->text);
		}
		is_u64(same, AWKWARD + 95, "that reads back as they were (format %d)", (int)format);
		yaml_in_release(&y);
	}
	out_release(&o);
}

struct counting {
	uint64_t rows, bytes, calls, most, stop_after;
	char last[4];
};

static enum err_code many_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct counting *c = arg;

	(void)keep;
	c->rows++;
	if (i == 900000 && c->stop_after == 1)
		return err_set(e, ERR_DAMAGED, "row 900000 is not readable");
	cells[0] = cell_whole(i);
	cells[1] = cell_text("x");
	return ERR_OK;
}

static enum err_code count_bytes(void *arg, const char *bytes, size_t n, struct err *e)
{
	struct counting *c = arg;

	(void)bytes;
	if (c->stop_after == 2 && c->calls == 3)
		return err_set(e, ERR_IO, "the disk is full");
	c->calls++;
	c->bytes += n;
	c->most = n > c->most ? n : c->most;
	return ERR_OK;
}

static bool stop(void *arg)
{
	struct counting *c = arg;

	return c->stop_after == 3 && c->rows > 500000;
}

static enum err_code write_many(struct counting *c, enum rows_format format, uint64_t stop_after, struct err *e)
{
	struct rows many = {columns, 2, 1000000, many_row, c};
	struct rows_sink sink = {count_bytes, c};
	struct progress progress = {NULL, stop, c};

	*c = (struct counting){.stop_after = stop_after};
	return rows_write(&many, format, TEXT_UTF8, 0, &sink, &progress, e);
}

static void streaming(void)
{
	struct counting c;
	struct err e = {0};

	is_int(write_many(&c, ROWS_CSV, 0, &e), ERR_OK, "a million rows");
	is_u64(c.bytes, 10 + 5888890 + 3 * 1000000, "all bytes come out");
	is_u64(c.rows, 1000000, "each row is asked for once");
	ok(c.most < 70000, "in pieces of at most %d bytes", (int)c.most);
	is_int(write_many(&c, ROWS_TABLE, 0, &e), ERR_OK, "a million rows as a table");
	is_u64(c.rows, 2000000, "each row is asked for twice");
	is_int(write_many(&c, ROWS_JSON, 1, &e), ERR_DAMAGED, "a row's error ends it");
	is_str(e.text, "row 900000 is not readable", "with its sentence");
	is_int(write_many(&c, ROWS_CSV, 2, &e), ERR_IO, "a sink's error ends it");
	is_u64(c.calls, 3, "at once");
	is_int(write_many(&c, ROWS_CSV, 3, &e), ERR_CANCELLED, "a job that stops ends it");
	ok(c.rows < 510000, "soon");
}

static enum err_code accented_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	(void)arg;
	(void)keep;
	(void)e;
	cells[0] = cell_text(i ? "abc" : "\xc3\xa9\xc3\xa9");
	cells[1] = cell_whole(i);
	return ERR_OK;
}

/* Columns line up by what is seen, not by bytes. */
static void accents(void)
{
	struct column_look two[] = {{"text", "T", LOOK_LEFT, .decimals = ROWS_SHORTEST}, {"number", "N", LOOK_RIGHT, .decimals = ROWS_SHORTEST}};
	struct rows r = {two, 2, 2, accented_row, NULL};

	written(&r, ROWS_TABLE, TEXT_UTF8, "T    N\n\xc3\xa9\xc3\xa9   0\nabc  1\n");
}

static void out_of_memory(void)
{
	int errors = 0, n = 0;

	for (; n < 1000; n++) {
		struct counting c = {0};
		struct rows_sink sink = {count_bytes, &c};
		struct err e = {0};
		enum err_code code;

		mem_fail_after(n);
		code = rows_write(&some, ROWS_TABLE, TEXT_UTF8, 0, &sink, NULL, &e);
		mem_fail_after(-1);
		if (code == ERR_OK)
			break;
		errors += code == ERR_MEMORY;
	}
	ok(n > 3 && n < 1000, "with enough memory it works");
	is_int(errors, n, "with less there is an error that says so");
}

static size_t widest(const char *text)
{
	size_t most = 0;

	for (const char *line = text; *line;) {
		size_t n = strcspn(line, "\n"), wide = 0;

		for (size_t i = 0; i < n; i++)
			wide += ((unsigned char)line[i] & 0xc0) != 0x80;
		if (line[0] != '(' && wide > most)
			most = wide;
		line += n + (line[n] == '\n');
	}
	return most;
}

/* A table for a terminal: no row is wider, what gives way first goes first and together, and a line says how many. */
static void narrow(void)
{
	static const int priority[] = {0, 0, 2, 1, 2};
	struct column_look yielding[5];
	struct rows r = {yielding, 5, 7, some_row, NULL};
	struct out o;
	struct rows_sink sink = {gather, &o};
	struct err e = {0};
	size_t all;
	int wider = 0;

	for (int i = 0; i < 5; i++) {
		yielding[i] = columns[i];
		yielding[i].priority = priority[i];
	}
	out_init(&o);
	is_int(rows_write(&r, ROWS_TABLE, TEXT_UTF8, 0, &sink, NULL, &e), ERR_OK, "it is written");
	all = widest(o.text);
	ok(!strstr(o.text, "left out"), "any width: nothing is left out");
	for (size_t width = strlen("18446744073709551615"); width <= all; width++) {
		o.len = 0;
		wider += rows_write(&r, ROWS_TABLE, TEXT_UTF8, width, &sink, NULL, &e) != ERR_OK;
		wider += widest(o.text) > width;
	}
	is_int(wider, 0, "no row is wider than asked for");
	ok(strstr(o.text, "left out") == NULL, "as wide as it is: nothing is left out");
	o.len = 0;
	is_int(rows_write(&r, ROWS_TABLE, TEXT_UTF8, all - 1, &sink, NULL, &e), ERR_OK, "it is written");
	ok(strstr(o.text, "  N") && !strstr(o.text, "Time s") && !strstr(o.text, "Good"), "those of the largest number go, together");
	ok(strstr(o.text, "\n(2 of 5 columns are left out; COLUMNS=") && strstr(o.text, " or --format json shows them)\n"), "and a line says so: %s", o.text);
	o.len = 0;
	r.columns = columns;
	is_int(rows_write(&r, ROWS_TABLE, TEXT_UTF8, 1, &sink, NULL, &e), ERR_OK, "it is written");
	ok(strstr(o.text, "Rank\n") && strstr(o.text, "(4 of 5"), "the first column stays: %s", o.text);
	o.len = 0;
	is_int(rows_write(&r, ROWS_CSV, TEXT_UTF8, 1, &sink, NULL, &e), ERR_OK, "it is written");
	ok(strstr(o.text, "rank,name,time,n,good\n") == o.text, "csv has all columns");
	out_release(&o);
}

static struct column_look cut_columns[] = {
	{"n", "n", LOOK_RIGHT, .decimals = ROWS_SHORTEST}, {"words", "words", LOOK_WORDS, .decimals = ROWS_SHORTEST}, {"end", "end", LOOK_LEFT, .decimals = ROWS_SHORTEST}};
static const char *const sentences[] = {"1 2 3 4 5 6 7 8 9 10 11 12", "one", "Zeppelinüberführung", "ünd wörter mit zwei punkten"};

static enum err_code cut_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	(void)arg;
	(void)keep;
	(void)e;
	cells[0] = cell_whole(i);
	cells[1] = cell_text(sentences[i]);
	cells[2] = cell_text("x");
	return ERR_OK;
}

static void cut_to(size_t width, const char *want)
{
	struct rows r = {cut_columns, 3, 4, cut_row, NULL};
	struct out o;
	struct rows_sink sink = {gather, &o};
	struct err e = {0};

	out_init(&o);
	is_int(rows_write(&r, ROWS_TABLE, TEXT_UTF8, width, &sink, NULL, &e), ERR_OK, "it is written");
	is_str(o.text, want, "%zu columns", width);
	out_release(&o);
}

/* A text that may be cut gets the room that is left, and ends with a whole word and a mark. */
static void long_texts(void)
{
	cut_to(0, "n  words                        end\n"
		  "0  1 2 3 4 5 6 7 8 9 10 11 12   x\n"
		  "1  one                          x\n"
		  "2  Zeppelinüberführung          x\n"
		  "3  ünd wörter mit zwei punkten  x\n");
	cut_to(26, "n  words               end\n"
		   "0  1 2 3 4 5 6 7 ...   x\n"
		   "1  one                 x\n"
		   "2  ...                 x\n"
		   "3  ünd wörter mit ...  x\n");
	cut_to(27, "n  words                end\n"
		   "0  1 2 3 4 5 6 7 8 ...  x\n"
		   "1  one                  x\n"
		   "2  Zeppelinüberführung  x\n"
		   "3  ünd wörter mit ...   x\n");
	cut_to(20, "n  words         end\n"
		   "0  1 2 3 4 ...   x\n"
		   "1  one           x\n"
		   "2  ...           x\n"
		   "3  ünd ...       x\n");
	cut_columns[1].least = 19;
	cut_to(22, "n  words\n"
		   "0  1 2 3 4 5 6 7 8 ...\n"
		   "1  one\n"
		   "2  Zeppelinüberführung\n"
		   "3  ünd wörter mit ...\n"
		   "(1 of 3 columns are left out; COLUMNS=35 or --format json shows them)\n");
}

/* What a trace names must not become a formula where the file is opened as a sheet; what counts stays what it is. */
static void formulas(void)
{
	static const struct { const char *text, *want; } cases[] = {
		{"=1+1", "'=1+1"}, {"=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""}, {"@SUM(1,2)", "\"'@SUM(1,2)\""}, {"+cmd|' /C x'!A0", "'+cmd|' /C x'!A0"},
		{"-danger", "'-danger"}, {"-1+A1", "'-1+A1"}, {"+1>CB(2)", "'+1>CB(2)"}, {"-1>2e3", "'-1>2e3"}, {"=", "'="}, {"@", "'@"},
		{"+2", "+2"}, {"-3", "-3"}, {"-0.5e-7", "-0.5e-7"}, {"+1.5", "+1.5"}, {"+?", "+?"}, {"-", "-"}, {"", ""}, {"plain", "plain"}, {"a=b", "a=b"},
		{"+2>-4 +3>-1 +4>-2", "+2>-4 +3>-1 +4>-2"}, {"-4>CBarrier 0>0 -1>CBarrier", "-4>CBarrier 0>0 -1>CBarrier"},
	};
	struct out o;

	out_init(&o);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		o.len = 0;
		out_csv(&o, cases[i].text);
		out_add(&o, "", 1);
		is_str(o.text, cases[i].want, "in CSV: %s", cases[i].text);
	}
	out_release(&o);
}

int main(void)
{
	formats();
	formulas();
	narrow();
	long_texts();
	nothing();
	yaml_reads_back(ROWS_YAML);
	yaml_reads_back(ROWS_JSON);
	streaming();
	accents();
	out_of_memory();
	return done_testing();
}
