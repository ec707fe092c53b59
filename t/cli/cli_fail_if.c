/* Conditions of --fail-if decide whether a build passes: each operator means what it says at its very bound, a figure
 * that is not there never passes, and what is no condition is refused with a sentence. A text of any bytes is read or
 * refused, and nothing else.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "tap.h"

static enum fail_answer ask(const char *text, const struct metrics_report *r, char said[FAIL_SAID])
{
	struct fail_if f = {.count = 0};
	struct err e = {0};

	if (fail_if_parse(&f, text, &e) || f.count != 1) {
		diag("%s: %s", text, e.text);
		return (enum fail_answer)-1;
	}
	return fail_if_ask(&f.list[0], r, said);
}

static void refused(const char *text, const char *says)
{
	struct fail_if f = {.count = 0};
	struct err e = {0};

	ok(fail_if_parse(&f, text, &e) == ERR_USAGE, "'%s' is refused", text);
	ok(strstr(e.text, says) != NULL, "with '%s'", says);
	if (!strstr(e.text, says))
		diag("got: %s", e.text);
}

static void read_right(void)
{
	struct fail_if f = {.count = 0};
	struct err e = {0};

	ok(!fail_if_parse(&f, "  load_balance<75% or transfer >= 1e-3,idle<=.5 ,\truntime_change > -2%", &e), "several are read");
	is_int(f.count, 4, "all of them");
	is_int(f.list[0].metric, METRICS_RUN_LOAD_BALANCE, "by its key");
	is_double(f.list[0].number, 0.75, 0, "a percentage");
	ok(f.list[0].op == CONDITION_LESS && f.list[1].op == CONDITION_MORE_OR_EQUAL && f.list[2].op == CONDITION_LESS_OR_EQUAL &&
	   f.list[3].op == CONDITION_MORE, "with their operators");
	is_double(f.list[1].number, 1e-3, 0, "an exponent");
	is_int(f.list[3].metric, FAIL_CHANGE, "the change");
	is_double(f.list[3].number, -0.02, 0, "below 0");
	ok(!fail_if_parse(&f, "nodes > 3", &e) && f.count == 5, "another text adds to them");
	for (int i = 0; i < FAIL_CONDITIONS && !e.code; i++)
		fail_if_parse(&f, "nodes > 3", &e);
	ok(e.code == ERR_USAGE && f.count == FAIL_CONDITIONS, "up to so many");
}

static void refusals(void)
{
	refused("", "the metric is missing");
	refused("< 3", "the metric is missing");
	refused("load_balanse < 3", "unknown metric 'load_balanse'\nhint: did you mean load_balance? pas2p help metrics lists the metrics");
	refused("file < 3", "unknown metric 'file'");
	refused("load_balance", "expected <");
	refused("load_balance = 3", "'load_balance = 3' is never true: values are from 0 to 1");
	refused("load_balance != 3", "is always true");
	refused("load_balance ! 3", "expected <, <=, >, >=, = or !=");
	refused("load_balance < ", "expected a number");
	refused("load_balance < x", "expected a number");
	refused("load_balance < 3 and idle > 1", "expected 'or'");
	refused("load_balance < 3,", "the metric is missing");
	refused("load_balance < 3 or", "expected 'or'");
	refused("load_balance < nan", "expected a number");
	refused("load_balance < 0.8%%", "expected a number");
	refused("load_balance < 5 ms", "a unit of time does not fit 'load_balance'");
	refused("runtime > 5 KiB", "a unit of size does not fit 'runtime': expected a number of seconds");
	refused("messages > 5 s", "a unit of time does not fit 'messages'");
	refused("idle > 20", "'idle > 20' is never true: values are from 0 to 1\nhint: did you mean 20%?");
	refused("efficiency < 80", "'efficiency' is a share, of which 1 is 100 %: found 80\nhint: did you mean 80%?");
	refused("global_efficiency < 80", "did you mean 80%?");
	refused("runtime_change > 20", "did you mean 20%?");
	refused("wait > 20%", "a percentage does not fit 'wait': expected a number of seconds");
	refused("processes < 3%", "expected a number");
	refused("processes < 1", "is never true: values are from 1 up");
	refused("idle > 2%, parallel_efficiency < 80", "is always true: values are from 0 to 1\nhint: did you mean 80%?");
	refused("load_balance > 100%", "is never true");
	refused("unrelated >= 0", "is always true");
	refused("runtime < 0", "is never true");
	refused("runtime_change < -100%", "is never true");
}

static void bounds_that_can_be_crossed(void)
{
	static const char *const texts[] = {"efficiency < 2", "transfer_efficiency > 1.05", "efficiency < 80%", "speedup < 7", "serial_fraction > 3", "runtime_change > 5", "load_balance < 1",
					    "load_balance >= 1", "unrelated > 0", "idle > 0", "idle <= 0", "runtime > 3600",
					    "runtime > 5 ms", "wait>=20us,idle=20%", "bytes > 1.5GiB", "processes != 4"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct fail_if f = {.count = 0};
		struct err e = {0};

		ok(fail_if_parse(&f, texts[i], &e) == ERR_OK, "%s: %s", texts[i], e.text);
	}
}

static void answers(void)
{
	struct run_metrics m[2] = {{.has_account = true, .processes = 4, .runtime = 2}, {.has_account = true, .processes = 8, .runtime = 1}};
	struct metrics_run run[2] = {{.file = "a.clog2", .metrics = &m[0]}, {.file = "b.clog2", .metrics = &m[1]}};
	const struct metrics_run *runs[] = {&run[0], &run[1]};
	struct diagnosis d = {.helped = {.runtime_change = 0.05}};
	struct metrics_report r = {.run = runs, .count = 2, .diagnosis = &d};
	char said[FAIL_SAID];

	m[0].factors.load_balance = 0.9;
	m[1].factors.load_balance = 0.8;
	run[0].figures.serial_fraction = (double)NAN;
	run[1].figures.serial_fraction = 0.1;
	run[0].figures.speedup = run[1].figures.speedup = (double)NAN;
	is_int(ask("load_balance < 0.8", &r, said), FAIL_NO, "< at the bound");
	is_str(said, "", "and nothing is said");
	is_int(ask("load_balance <= 80%", &r, said), FAIL_HOLDS, "<= at the bound");
	is_str(said, "--fail-if: 'load_balance <= 0.8' is true: 0.8 in b.clog2", "of which run");
	is_int(ask("load_balance > 0.9", &r, said), FAIL_NO, "> at the bound");
	is_int(ask("load_balance >= 0.9", &r, said), FAIL_HOLDS, ">= at the bound");
	is_int(ask("processes > 7", &r, said), FAIL_HOLDS, "a whole number");
	is_int(ask("processes != 4", &r, said), FAIL_HOLDS, "another one");
	is_str(said, "--fail-if: 'processes != 4' is true: 8 in b.clog2", "of which run");
	is_int(ask("processes == 3", &r, said), FAIL_NO, "none is equal");
	is_int(ask("runtime >= 2000 ms", &r, said), FAIL_HOLDS, "a time in its unit");
	is_int(ask("runtime_change > 2%", &r, said), FAIL_HOLDS, "the change");
	is_int(ask("runtime_change > 5%", &r, said), FAIL_NO, "at its bound");
	d.helped.runtime_change = (double)NAN;
	is_int(ask("runtime_change > 2%", &r, said), FAIL_UNKNOWN, "a change that is not known");
	is_int(ask("speedup < 3", &r, said), FAIL_UNKNOWN, "a figure that no run has");
	ok(strstr(said, "'speedup' is undefined: a.clog2 lacks the data") != NULL, "says of which");
	is_int(ask("serial_fraction > 0.2", &r, said), FAIL_NO, "a serial fraction that the reference has not");
	is_int(ask("serial_fraction > 0.05", &r, said), FAIL_HOLDS, "and the other one has");
	m[0].factors.load_balance = (double)NAN;
	is_int(ask("load_balance < 0.5", &r, said), FAIL_UNKNOWN, "a figure that one run lacks does not pass");
	is_int(ask("load_balance < 0.9", &r, said), FAIL_HOLDS, "unless the condition holds of another");
}

/* Whatever it is given: an answer, and conditions that are whole. */
static void any_bytes(void)
{
	static const char *const pieces[] = {"load_balance", "idle", "<", ">", "=", "<=", " ", ",", "or", "%", "0.8", "1e9", "-", "\x1b[", "\xff",
					     "runtime_change", "nan", "e", ".", "\t"};
	unsigned read = 0, wrong = 0;

	srand(7);
	for (int i = 0; i < 20000; i++) {
		struct fail_if f = {.count = 0};
		struct err e = {0};
		char text[1024] = "load_balance < 0.8 or idle > 3%, runtime_change >= -2e-1";

		/* Half of them nearly right, half of pieces in any order. */
		for (int k = rand() % 3; i % 2 && k >= 0; k--)
			text[(size_t)rand() % strlen(text)] = (char)(1 + rand() % 255);
		text[i % 2 ? strlen(text) : 0] = 0;
		for (int k = rand() % 9; i % 2 == 0 && k >= 0; k--)
			strcat(text, rand() % 4 ? pieces[(size_t)rand() % (sizeof pieces / sizeof *pieces)]
						: (char[]){(char)(1 + rand() % 255), 0});
		if (!fail_if_parse(&f, text, &e))
			read += f.count > 0;
		else
			wrong += e.code != ERR_USAGE || !e.text[0] || strchr(e.text, '\x1b');
		for (uint32_t k = 0; k < f.count; k++)
			wrong += !isfinite(f.list[k].number) || f.list[k].metric < FAIL_CHANGE || f.list[k].metric >= METRICS_RUN_COLUMNS;
	}
	ok(read > 10, "some of any texts are conditions (%u)", read);
	is_int(wrong, 0, "the others are refused with a sentence");
}

int main(void)
{
	read_right();
	refusals();
	bounds_that_can_be_crossed();
	answers();
	any_bytes();
	return done_testing();
}
