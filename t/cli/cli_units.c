/* The parts of the command line that a shell test reaches badly: how near two words are, how arguments of every
 * order and spelling end in the same options, what the progress line says, and which exit code each error gets. A
 * script's meaning depends on them, so they must hold for odd input too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "cli/cli.h"
#include "cli/listing.h"
#include "cli/options.h"
#include "cli/pages.h"
#include "cli/progress_meter.h"
#include "cli/complain.h"
#include "tap.h"

static struct options o;
static struct err e;

/* Parse blank-separated arguments; they stay valid until the next call. */
static enum err_code parse(const char *line)
{
	static char text[512], *argv[64];
	int argc = 1;

	snprintf(text, sizeof text, "%s", line);
	argv[0] = text + strlen(text); /* "" */
	for (char *p = strtok(text, " "); p; p = strtok(NULL, " "))
		argv[argc++] = p;
	argv[argc] = NULL;
	e = (struct err){0};
	return options_parse(&o, argc, argv, &e);
}

static void test_suggest(void)
{
	char longest[200];
	const char *best = NULL;

	is_int(suggest_distance("", ""), 0, "nothing and nothing");
	is_int(suggest_distance("abc", ""), 3, "all letters dropped");
	is_int(suggest_distance("order", "odrer"), 1, "neighbours swapped");
	is_int(suggest_distance("kitten", "sitting"), 3, "two changed, one added");
	is_int(suggest_distance("volume", "volumes"), 1, "one added");
	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	ok(suggest_distance(longest, "a") > 1000, "a very long word is far from all");
	best = suggest_better("foramt", best, "output");
	ok(!best, "another word is no suggestion");
	best = suggest_better("foramt", best, "format");
	is_str(best, "format", "a misspelt one is");
	best = suggest_better("foramt", best, "forest");
	is_str(best, "format", "the nearer of two stays");
	ok(!suggest_better("xy", NULL, "ab"), "a short word that shares no letter is none");
}

static void test_orders(void)
{
	static const char *const same[] = {
		"phases --volume 7% -o out a b", "phases a b --volume=7% -oout", "-o out phases --volume 7% a b",
		"--volume 7% phases -o out -- a b", "phases -qo out --volume 7% a -- b",
	};

	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		is_int(parse(same[i]), ERR_OK, "%s", same[i]);
		is_int(o.command, COMMAND_PHASES, "  its command");
		is_int(o.file_count, 2, "  its files");
		is_str(o.file_count == 2 ? o.files[0] : "", "a", "  the first");
		is_str(o.file_count == 2 ? o.files[1] : "", "b", "  the second");
		is_str(o.output, "out", "  its output");
		is_str(o.setting[SETTING_volume], "7%", "  its threshold");
	}
	is_int(parse("-- info x"), ERR_OK, "a command's name behind --");
	is_int(o.command, COMMAND_WORKBENCH, "  is a file's");
	is_int(o.file_count, 2, "  one of two");
	is_int(parse("./info"), ERR_OK, "a path");
	is_int(o.command, COMMAND_WORKBENCH, "  is no command");
	is_int(parse("info -"), ERR_OK, "a single dash");
	is_str(o.file_count ? o.files[0] : "", "-", "  is an operand");
	is_int(parse("--volume phases phases x"), ERR_USAGE, "an option's value is no command");
	is_int(o.command, COMMAND_PHASES, "  the operand is");
	is_int(parse("phases --size 9x9 x"), ERR_USAGE, "a workbench's option on a command");
	is_int(parse("--size 0x9 x"), ERR_USAGE, "no columns");
	is_int(parse("--size 80x24x x"), ERR_USAGE, "more than columns and rows");
	is_int(parse("--size 132x43 x"), ERR_OK, "columns and rows");
	is_int((long long)o.size.columns * 1000 + o.size.rows, 132043, "  as given");
	is_int(parse("--relevence=1 phases x"), ERR_USAGE, "a wrong option before the command");
	is_int(o.command, COMMAND_PHASES, "  the usage shown is the command's");
	is_str(e.text, "--relevence: unknown option\nhint: did you mean --relevance?", "  and the sentence");
	is_int(parse("phases --volume 0.5 --volume 5% x"), ERR_OK, "an option twice");
	is_str(o.setting[SETTING_volume], "5%", "  the last one counts");
	is_int(parse("phases --order pas2p -p a --volume 5% --preset b --order lamport x"), ERR_OK, "settings and presets, mixed");
	is_int(o.preset.count, 2, "  all presets");
	is_int(o.presets_before[SETTING_volume], 1, "  which stand before a setting, and which after it");
	is_int(o.presets_before[SETTING_order], 2, "  the last place counts");
}

/* Each type: a good value arrives in its member; a bad one, one out of range and none are answered with a sentence that
 * names the option, the value and what was expected. */
static void test_types(void)
{
	static const struct {
		const char *line, *says;
	} bad[] = {
		{"phases --output= x", "--output is empty"},
		{"info --threads many x", "--threads is 'many': expected a whole number from 0 to 1024"},
		{"info --threads 1.5 x", "--threads is '1.5': expected a whole number from 0 to 1024"},
		{"info --threads 1025 x", "--threads is '1025': expected a whole number from 0 to 1024"},
		{"info --threads -1 x", "--threads is '-1': expected a whole number from 0 to 1024"},
		{"info -j99999999999999999999 x", "--threads is '99999999999999999999': expected a whole number from 0 to 1024"},
		{"info --threads= x", "--threads is empty: expected a whole number from 0 to 1024"},
		{"run --runs 0 x", "--runs is '0': expected a whole number from 1 to 1000"},
		{"run --aet 0 x", "--aet is '0': expected seconds, more than 0 and at most 1000000000"},
		{"run --aet 1e10 x", "--aet is '1e10': expected seconds, more than 0 and at most 1000000000"},
		{"run --aet nan x", "--aet is 'nan': expected seconds, more than 0 and at most 1000000000"},
		{"run --timeout= x", "--timeout is empty: expected seconds, more than 0 and at most 1000000000"},
		{"info --format ymal x", "--format is 'ymal': expected table, csv, json or yaml\nhint: did you mean yaml?"},
		{"info --format tab x", "--format is 'tab': expected table, csv, json or yaml"},
		{"info --format table|csv x", "--format is 'table|csv': expected table, csv, json or yaml"},
		{"info --format= x", "--format is empty: expected table, csv, json or yaml"},
		{"--color blue x", "--color is 'blue': expected auto, always or never"},
		{"--theme dark x", "--theme is 'dark': expected default or mono"},
		{"--theme= x", "--theme is empty: expected default or mono"},
		{"run --mpi lam x", "--mpi is 'lam': expected openmpi or mpich"},
		{"--size 80 x", "--size is '80': expected columns and rows from 1 to 1000, such as 80x24"},
		{"--size 80x x", "--size is '80x': expected columns and rows from 1 to 1000, such as 80x24"},
		{"--size 1001x3 x", "--size is '1001x3': expected columns and rows from 1 to 1000, such as 80x24"},
		{"--size= x", "--size is empty: expected columns and rows from 1 to 1000, such as 80x24"},
		{"phases --volume 2 x", "volume is '2': expected a fraction from 0 to 1 or a percentage from 0% to 100%"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		is_int(parse(bad[i].line), ERR_USAGE, "%s", bad[i].line);
		is_str(e.text, bad[i].says, "  and the sentence");
	}
	is_int(parse("run -f yaml --full -n 1000 --aet 1.5 --mpi mpich -o out --label= x"), ERR_USAGE, "one of many is wrong");
	is_str(e.text, "--label is empty", "  and the sentence is about it");
	is_int(parse("run -f yaml --full -n 1000 --aet 1.5 --mpi mpich -o out x"), ERR_OK, "a value of each type");
	is_int(o.format, FORMAT_YAML, "  a choice");
	ok(o.full && !o.trust, "  a flag, and not another");
	is_int(o.runs, 1000, "  a whole number");
	is_double(o.aet, 1.5, 0, "  seconds");
	is_str(o.mpi, "mpich", "  a word");
	is_str(o.output, "out", "  a text");
	ok(!o.label && !o.threads && o.timeout == 0, "  and nothing of what is not given");
	is_int(parse("phases --match= --threads 0 x"), ERR_OK, "a text that may be empty");
	is_str(o.match, "", "  is given");
	is_int(parse("--color never x"), ERR_OK, "a choice's last");
	is_int(o.color, COLOR_NEVER, "  as given");
}

/* Whatever the table has: an empty value is refused by name, the ends of a range are good, what is beyond is not. */
static void try_option(const struct option_info *info, const char *value, bool good)
{
	char line[128];
	int c = 0;

	while (!option_goes_with(info, (enum command)c))
		c++;
	snprintf(line, sizeof line, "%s --%s=%s -- x", command_info((enum command)c)->name, info->name, value);
	is_int(parse(line), good ? ERR_OK : ERR_USAGE, "%s", line);
	ok(good || strstr(e.text, info->name), "  named by: %s", e.text);
}

static void test_ranges(void)
{
	for (unsigned i = 0; i < OPTION_COUNT; i++) {
		struct option_info info = option_info(i);
		char value[64];

		if (info.type == TYPE_FLAG)
			continue;
		try_option(&info, "", info.type == TYPE_ANY_TEXT);
		if (info.type == TYPE_WHOLE || info.type == TYPE_SECONDS) {
			snprintf(value, sizeof value, "%.0f", info.max);
			try_option(&info, value, true);
			snprintf(value, sizeof value, "%.0f", info.max + 1);
			try_option(&info, value, false);
			snprintf(value, sizeof value, "%.0f", info.min);
			try_option(&info, value, info.type == TYPE_WHOLE);
		}
		if (info.offered)
			ok(!info.words || !strcmp(info.words, info.offered), "--%s: completion offers what it takes", info.name);
		if (info.words) {
			snprintf(value, sizeof value, "%.*s", (int)strcspn(info.words, "|"), info.words);
			try_option(&info, value, true);
			try_option(&info, info.words, false);
		}
	}
}

static void test_tables(void)
{
	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info a = option_info(i);

		for (unsigned k = i + 1; k < option_total(); k++) {
			struct option_info b = option_info(k);

			if (a.letter && a.letter == b.letter)
				ok(strcmp(a.name, b.name) == 0, "--%s and --%s have different letters, unless they are one name", a.name, b.name);
			if (strcmp(a.name, b.name) == 0)
				ok(!(a.commands & b.commands) && a.letter == b.letter, "which --%s is meant is told by the command", a.name);
		}
	}
	for (int c = 1; c < COMMAND_COUNT; c++)
		ok(command_info((enum command)c)->group >= command_info((enum command)(c - 1))->group,
		   "%s stands with its group", command_info((enum command)c)->name);
	for (int c = 0; c < COMMAND_COUNT; c++)
		ok(!command_info((enum command)c)->brief || strlen(command_info((enum command)c)->brief) <= 28,
		   "command %d, in a few words, fits its column", c);
}

/* Every option that goes with a command has its place in the command's page, once. */
static unsigned listed(enum command c, unsigned option)
{
	unsigned n = 0;

	for (unsigned i = 0; i < page_common_count; i++)
		n += page_common[i] == option;
	for (const struct page_row *row = page_rows(c); row->kind != PAGE_END; row++)
		if (row->kind == PAGE_GROUP || row->kind == PAGE_MORE || row->kind == PAGE_SETTINGS)
			for (unsigned i = 0; i < row->count; i++)
				n += row->options[i] == option;
	return n;
}

static bool is_common(unsigned option)
{
	for (unsigned i = 0; i < page_common_count; i++)
		if (page_common[i] == option)
			return true;
	return false;
}

static void test_pages(void)
{
	for (int c = 0; c < COMMAND_COUNT; c++) {
		const char *name = c ? command_info((enum command)c)->name : "the workbench";

		for (unsigned i = 0; i < option_total(); i++) {
			struct option_info info = option_info(i);
			unsigned n = listed((enum command)c, i), most = option_goes_with(&info, (enum command)c);

			if (most && !info.setting)
				ok(n == 1, "%s lists --%s once", name, info.name);
			else
				ok(n <= 1 && (most || !n || is_common(i)), "%s lists --%s only if it takes it", name, info.name);
		}
		for (const struct page_row *row = page_rows((enum command)c); row->kind != PAGE_END; row++)
			if (row->kind == PAGE_EXAMPLE)
				ok(strlen(row->text) <= 29 && strlen(row->more) <= 72, "%s: an example fits a line: %s", name, row->more);
		ok(page_first((enum command)c, PAGE_ABOUT) && page_first((enum command)c, PAGE_EXAMPLE) && page_first((enum command)c, PAGE_SEE),
		   "%s says what it is for, with an example and where to look next", name);
	}
}

/* The lines of options begin with a word that says what is given or done, and have their default in brackets. */
static void test_option_texts(void)
{
	static const char *const questions[] = {"what", "how", "who", "which", "whether", "where"};

	for (unsigned i = 0; i < option_total(); i++) {
		struct option_info info = option_info(i);
		size_t n = strcspn(info.help, " ");

		for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
			ok(strncmp(info.help, questions[q], n) != 0 || n != strlen(questions[q]), "--%s begins with no question", info.name);
		ok(!strstr(info.help, "(default"), "--%s has its default in brackets", info.name);
		ok(info.setting || strlen(info.help) <= 80, "--%s says it in a line", info.name);
		for (const char *w = info.type == TYPE_CHOICE || info.type == TYPE_MAYBE ? info.words : ""; *w;) {
			char word[32];
			size_t k = strcspn(w, "|");

			snprintf(word, sizeof word, "%.*s", (int)k, w);
			ok(strstr(info.help, word), "--%s says that it may be %s", info.name, word);
			w += k + (w[k] == '|');
		}
	}
}

static void test_progress(void)
{
	char line[100], small[10];

	progress_meter_line(line, sizeof line, PROGRESS_READ, 120000000, 260000000, 35e6);
	is_str(line, "reading 46 %, 120.0 of 260.0 MB, 35.0 MB/s, 4 s left", "bytes, rate and what remains");
	progress_meter_line(line, sizeof line, PROGRESS_PHASES, 0, 0, 0);
	ok(strstr(line, "0 %"), "nothing to do is no division by zero: %s", line);
	progress_meter_line(line, sizeof line, PROGRESS_READ, 20, 10, 1);
	ok(strstr(line, "0 s left"), "more done than there was: %s", line);
	progress_meter_line(small, sizeof small, PROGRESS_READ, 1, 2, 1);
	is_int((long long)strlen(small), 9, "a short line is cut");
}

static void test_exits(void)
{
	static const struct {
		enum err_code err;
		int reading, writing;
	} want[] = {
		{ERR_OK, 0, 0},     {ERR_USAGE, 2, 2},  {ERR_IO, 3, 6},      {ERR_FORMAT, 3, 3},
		{ERR_DAMAGED, 4, 4}, {ERR_LIMIT, 7, 7}, {ERR_MEMORY, 7, 7}, {ERR_CANCELLED, 130, 130},
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		is_int(exit_of_err(want[i].err), want[i].reading, "error %d while reading", want[i].err);
		is_int(exit_of_write(want[i].err), want[i].writing, "error %d while writing", want[i].err);
	}
	for (const struct exit_info *x = exit_infos; x->words; x++)
		ok(x == exit_infos || x->number > x[-1].number, "%d %s stands after smaller ones", x->number, x->words);
}

static void test_row_text(void)
{
	static const struct column_look columns[] = {
		{"a", "a", .align = LOOK_LEFT}, {"b", "b", .align = LOOK_LEFT}, {"c", "c", LOOK_LEFT, .decimals = 3}, {"d", "d", LOOK_LEFT, .decimals = ROWS_SHORTEST},
		{"e", "e", .align = LOOK_LEFT}, {"f", "f", .align = LOOK_LEFT},
	};
	const struct cell cells[] = {
		cell_text("x\033y"), cell_empty(), cell_real(1.23456), cell_real(0.5), cell_int(-7), cell_bool(true),
	};
	struct out text;

	out_init(&text);
	listing_text(&text, columns, cells, 6);
	is_str(text.text, "x\xef\xbf\xbdy 1.235 0.5 -7 true", "the text that a pattern sees");
	out_release(&text);
}

int main(void)
{
	test_suggest();
	test_orders();
	test_types();
	test_ranges();
	test_tables();
	test_pages();
	test_option_texts();
	test_progress();
	test_exits();
	test_row_text();
	return done_testing();
}
