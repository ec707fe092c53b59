/* Settings are read and printed as text in four places (command line, config file, phase table, workbench), so the
 * one parser must take every notation that people use for a fraction, refuse everything else with a sentence that
 * names the range, and do both alike in any locale. What it prints it must read back to the same value.
 */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/io/out.h"
#include "core/settings/settings_tree.h"
#include "tap.h"

static void takes(enum setting_id id, const char *text, double want)
{
	struct settings s;
	struct err e = {0};

	settings_init(&s);
	settings_set_number(&s, id, setting_info(id)->max); /* so that a setter that does nothing is seen */
	if (ok(settings_set(&s, id, text, &e) == ERR_OK, "%s takes '%s' %s", setting_info(id)->key, text, e.text))
		ok(settings_number(&s, id) == want, "and it is exactly %g", want);
}

static void refuses(enum setting_id id, const char *text, const char *part)
{
	struct settings s, before;
	struct err e = {0};

	settings_init(&s);
	before = s;
	is_int(settings_set(&s, id, text, &e), ERR_USAGE, "%s refuses '%s'", setting_info(id)->key, text);
	if (!ok(strstr(e.text, part) != NULL, "and says: %s", part))
		diag("it said: %s", e.text);
	ok(settings_equal(&s, &before), "and nothing changed");
}

static void fractions(void)
{
	static const char *const bad[] = {"", " ", "%", "x", "5%%", "5 % ", " 0.5", "0.5 ", "0.5x", "nan", "inf",
					  "-inf",
					  "0x1p-3", "0x0", "1,5", "0,5", ".", "1e", "1e+", "+0.5", "-0.01", "1.01",
					  "101%",
					  "7", "1e400", "0.5.5", "--1", "1_0", "\xff", "5\xe2\x80\xae%"};

	takes(SETTING_volume, "5%", 0.05);
	takes(SETTING_volume, "5 %", 0.05);
	takes(SETTING_volume, "0.05", 0.05);
	takes(SETTING_volume, ".05", 0.05);
	takes(SETTING_volume, "5e-2", 0.05);
	takes(SETTING_volume, "7.3%", 0.073);
	takes(SETTING_volume, "73e-1%", 0.073);
	takes(SETTING_volume, "0", 0);
	takes(SETTING_volume, "-0", 0);
	takes(SETTING_volume, "1", 1);
	takes(SETTING_volume, "100%", 1);
	takes(SETTING_volume, "1e-400", 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refuses(SETTING_volume, bad[i], "expected a fraction from 0 to 1 or a percentage from 0% to 100%");
	refuses(SETTING_relevance, "7 %x", "relevance is '7 %x'");
}

static void whole_numbers(void)
{
	static const char *const bad[] = {"", "-1", "1.0", "1e3", "10 ", "0x10", "1000000001", "99999999999999999999",
					  "ten"};

	takes(SETTING_warmup_sends, "0", 0);
	takes(SETTING_warmup_sends, "25", 25);
	takes(SETTING_warmup_sends, "1000000000", 1e9);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refuses(SETTING_warmup_sends, bad[i], "expected a whole number from 0 to 1000000000");
}

static void seconds(void)
{
	static const char *const bad[] = {"", "s", "1m", "1h", "-1", "86401", "1 x", "10%", "1ss"};

	takes(SETTING_warmup_seconds, "0.25", 0.25);
	takes(SETTING_warmup_seconds, "2s", 2);
	takes(SETTING_warmup_seconds, "60 ms", 0.06);
	takes(SETTING_warmup_seconds, "500us", 0.0005);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refuses(SETTING_warmup_seconds, bad[i], "expected seconds from 0 to 86400");
}

static void choices(void)
{
	takes(SETTING_order, "lamport", ORDER_LAMPORT);
	takes(SETTING_order, "pas2p", ORDER_PAS2P);
	takes(SETTING_representative, "median", REPRESENTATIVE_MEDIAN);
	refuses(SETTING_compute_of, "", "expected max, sum or each");
	refuses(SETTING_compute_of, "ma", "expected max, sum or each");
	refuses(SETTING_compute_of, "max|sum", "compute-of is 'max|sum'");
	refuses(SETTING_order, "PAS2P", "expected lamport or pas2p");
}

static void names(void)
{
	struct settings s, other;
	struct err e = {0};
	char text[80], most[SETTING_NAME_SIZE + 1];

	settings_init(&s);
	settings_init(&other);
	is_str(s.compute_counter, "", "no counter is chosen");
	settings_get(&s, SETTING_compute_counter, text, sizeof text);
	is_str(text, "none", "which is none");
	is_int(settings_set(&s, SETTING_compute_counter, "PAPI_TOT_INS::k \xc3\xa9", &e), ERR_OK, "a counter is taken %s", e.text);
	ok(!settings_same(&s, &other, SETTING_compute_counter) && settings_same(&s, &other, SETTING_volume), "only that is another one");
	settings_copy(&other, &s, SETTING_compute_counter);
	ok(settings_equal(&s, &other), "until it is copied");
	settings_set(&other, SETTING_compute_counter, "INS", &e);
	ok(!settings_equal(&s, &other), "two names are not the same");
	refuses(SETTING_compute_counter, "a\033b", "expected a name of at most 63 bytes, or none");
	memset(most, 'x', sizeof most - 1);
	most[SETTING_NAME_SIZE] = '\0';
	refuses(SETTING_compute_counter, most, "expected a name of at most 63 bytes");
	most[SETTING_NAME_SIZE - 1] = '\0';
	is_int(settings_set(&s, SETTING_compute_counter, most, &e), ERR_OK, "63 bytes are");
	is_str(s.compute_counter, most, "kept");
	is_int(settings_set(&s, SETTING_compute_counter, "none", &e), ERR_OK, "none is taken");
	is_str(s.compute_counter, "", "and is none");
}

static void the_table(void)
{
	struct settings s, again;

	settings_init(&s);
	is_int(s.order, ORDER_PAS2P, "the thesis's order");
	is_double(s.events, 0.8, 0, "and its 80 %%");
	is_int(s.warmup_sends, 10, "and ten sends of warm-up");
	is_str(setting_info(SETTING_volume)->yaml, "thresholds.volume", "a fraction's place in YAML");
	is_str(setting_info(SETTING_warmup_seconds)->yaml, "warmup.seconds", "the warm-up's place in YAML");
	ok(setting_find("compute-of") == setting_info(SETTING_compute_of), "found by key");
	ok(setting_find("compute_of") == setting_info(SETTING_compute_of), "found with an underscore");
	ok(!setting_find("compute-") && !setting_find("") && !setting_find("volumes"), "no other name is found");
	again = s;
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		const struct setting_info *info = setting_info(id);

		is_int(info->id, id, "%s is where it belongs", info->key);
		if (info->kind != SETTING_CHOICE)
			continue;
		int bars = 0;

		for (const char *c = info->choices; *c; c++)
			bars += *c == '|';
		is_int((int)info->max, bars, "%s has as many choices as names", info->key);
	}
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		if (setting_info(id)->kind == SETTING_NAME)
			settings_set(&again, id, "INS", NULL);
		else
			settings_set_number(&again, id, setting_info(id)->def == 1 ? 0 : 1);
		ok(!settings_equal(&s, &again), "a change of %s is seen", setting_info(id)->key);
		again = s;
	}
}

static void clamping(void)
{
	struct settings s;

	settings_init(&s);
	settings_set_number(&s, SETTING_volume, 7);
	is_double(s.volume, 1, 0, "a knob stops at its upper end");
	settings_set_number(&s, SETTING_volume, -7);
	is_double(s.volume, 0, 0, "and at its lower end");
	settings_set_number(&s, SETTING_volume, (double)NAN);
	is_double(s.volume, 0, 0, "and is never not a number");
	settings_set_number(&s, SETTING_warmup_sends, 1e18);
	is_u64(s.warmup_sends, 1000000000, "a count too");
	settings_set_number(&s, SETTING_order, 9);
	is_int(s.order, ORDER_PAS2P, "a choice too");
}

/* Every setting, at values that need all their digits, printed and read back. */
static void round_trip(void)
{
	uint64_t seed = 1;
	bool same = true;

	for (int i = 0; i < 20000 && same; i++) {
		struct settings s, again;
		char text[64];

		settings_init(&s);
		settings_init(&again);
		for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
			const struct setting_info *info = setting_info(id);

			seed = seed * 6364136223846793005u + 1442695040888963407u;
			settings_set_number(&s,
					    id,
					    info->min + (info->max - info->min) * (double)(seed >> 11) / 9007199254740992.0);
			settings_get(&s, id, text, sizeof text);
			same = same && settings_set(&again, id, text, NULL) == ERR_OK;
		}
		same = same && settings_equal(&s, &again);
	}
	ok(same, "20000 random settings are printed and read back the same");
}

static void written(const struct settings *s, struct out *o)
{
	struct tree_out t;

	out_init(o);
	tree_out_init(&t, o, true);
	tree_map(&t, false);
	settings_write_tree(&t, "analysis", s);
	tree_end(&t);
	tree_out_finish(&t, NULL);
}

/* What came after the first tables is only where it decides something, and then whole. */
static void groups(void)
{
	struct settings s;
	struct err e = {0};
	struct out o;

	settings_init(&s);
	s.window_seconds = 3;
	written(&s, &o);
	ok(strstr(o.text, "thresholds") && !strstr(o.text, "windows") && !strstr(o.text, "sample"),
	   "without windows and samples neither is written");
	out_release(&o);
	s.windows = 5;
	written(&s, &o);
	ok(strstr(o.text, "\"windows\": {\"count\": 5, \"seconds\": 3, \"rare\": 1, \"span\": 1, \"align\": \"iterations\"}") != NULL,
	   "with windows all of theirs is");
	out_release(&o);
	is_int(settings_check(&s, &e), ERR_OK, "windows alone are fine");
	s.sample_seconds = 0.5;
	is_int(settings_check(&s, &e), ERR_USAGE, "with samples they are not");
	is_str(e.text, "windows and sample-seconds cannot both be set, because windows replace representatives and their "
	       "samples: set one of them to 0", "and it is said why");
	s.windows = 0;
	is_int(settings_check(&s, &e), ERR_OK, "samples alone are fine");
	ok(!settings_matters(&s, SETTING_window_span), "without windows their span decides nothing");
	is_str(setting_info(SETTING_windows)->yaml, "windows.count", "windows have a group of their own");
	s.windows = 5;
	s.sample_seconds = 0;
	s.clocks = CLOCKS_CORRECTED;
	written(&s, &o);
	ok(!strstr(o.text, "clocks"), "no table has what none depends on");
	out_release(&o);
	is_str(setting_info(SETTING_clocks)->yaml, "clocks", "but people write it");
}

static void numbers(void)
{
	static const struct {
		double v;
		const char *text;
	} want[] = {{0.05, "0.05"}, {832, "832"}, {1e-6, "1.0e-06"}, {1.5e-7, "1.5e-07"}, {0.1 + 0.2,
											   "0.30000000000000004"},
		    {1e22, "1.0e+22"}, {-0.0, "0"}, {-2.5, "-2.5"}, {5e-324, "4.94065645841247e-324"}};
	char buf[NUMBER_TEXT];
	double v;

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		number_format(want[i].v, buf);
		is_str(buf, want[i].text, "a number in as few digits as tell it");
		ok(number_parse(buf, strlen(buf), &v) && v == want[i].v, "and it reads back");
	}
	number_format((double)INFINITY, buf);
	is_str(buf, "0", "infinity is not written");
	number_format((double)NAN, buf);
	is_str(buf, "0", "nor is what is not a number");
	number_fixed(1234.5678, 2, buf, sizeof buf);
	is_str(buf, "1234.57", "a number for a screen");
}

int main(void)
{
	fractions();
	whole_numbers();
	seconds();
	choices();
	names();
	the_table();
	clamping();
	round_trip();
	groups();
	numbers();
	return done_testing();
}
