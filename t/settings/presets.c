/* A preset is a promise: whoever takes `thesis` compares with the thesis's own figures, so one value that is another makes
 * the comparison false, and a setting that it leaves out is as it was. Config files add presets, can replace one of pas2p,
 * and can begin with one; then the order in the file decides, as it does on the command line.
 */
#include <stdio.h>
#include <string.h>

#include "core/settings/config.h"
#include "tap.h"

static const struct {
	enum setting_id id;
	const char *value;
} thesis[] = {
	{SETTING_order, "pas2p"}, {SETTING_similarity, "bbp"}, {SETTING_collectives, "ignore"}, {SETTING_compute_of, "max"},
	{SETTING_absent, "similar"}, {SETTING_phase_time, "slowest"}, {SETTING_representative, "first"}, {SETTING_volume, "0.05"},
	{SETTING_compute, "0.05"}, {SETTING_events, "0.8"}, {SETTING_relevance, "0.01"}, {SETTING_warmup_sends, "10"},
	{SETTING_warmup_seconds, "0"},
};
#define THESIS (sizeof thesis / sizeof *thesis)

/* Settings that differ from the defaults, and from the thesis, wherever there is room. */
static struct settings far_off(void)
{
	struct settings s;

	settings_init(&s);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		const struct setting_info *i = setting_info(id);

		if (i->kind == SETTING_NAME)
			settings_set(&s, id, "PAPI_TOT_INS", NULL);
		else
			settings_set_number(&s, id, settings_number(&s, id) < i->max ? i->max : i->min);
	}
	return s;
}

static void sets_what_it_lists(void)
{
	struct settings before = far_off(), s = before;
	struct preset p;
	struct err e = {0};

	is_int(config_preset(NULL, "thesis", &p, &e), ERR_OK, "pas2p has the preset thesis %s", e.text);
	preset_apply(&p, &s);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		const char *want = NULL;
		char got[SETTING_NAME_SIZE], as_before[SETTING_NAME_SIZE];

		for (size_t i = 0; i < THESIS; i++)
			if (thesis[i].id == id)
				want = thesis[i].value;
		settings_get(&s, id, got, sizeof got);
		settings_get(&before, id, as_before, sizeof as_before);
		ok(p.given[id] == (want != NULL), "%s is %s", setting_info(id)->key, want ? "of it" : "none of it");
		is_str(got, want ? want : as_before, "%s after it", setting_info(id)->key);
	}
}

/* A value that does not parse would be left out without a word. */
static void rows_are_sound(void)
{
	struct preset p, again;
	const char *help;
	size_t n = 0, values = 0, set = 0;

	for (; preset_built_in(n, &p, &help); n++) {
		ok(*p.name && *help, "preset %zu has a name and says what it is", n);
		ok(!config_preset(NULL, p.name, &again, NULL) && again.name == p.name, "%s is found, and it alone has the name", p.name);
		is_str(config_preset_name(NULL, n), p.name, "%s is listed", p.name);
		for (enum setting_id id = 0; id < SETTING_COUNT; id++)
			set += p.given[id];
	}
#define VALUE(setting, value) +1
#define PRESET(id, name, help, more) values += (size_t)(0 more);
#include "core/settings/presets.def"
#undef VALUE
	ok(n > 0 && !config_preset_name(NULL, n), "and no more");
	is_u64(set, values, "every value of the table is one of its setting");
}

static enum err_code load(struct config *c, const char *text, struct err *e)
{
	return config_load_text(c, "my.yaml", text, strlen(text), e);
}

static void in_config_files(void)
{
	struct config c;
	struct preset p;
	struct err e = {0};

	config_init(&c);
	is_int(load(&c, "analysis: {order: lamport, phase_time: mean}\npreset: thesis\n", &e), ERR_OK, "a file begins with a preset %s", e.text);
	is_int(c.settings.order, ORDER_PAS2P, "which wins over what stands before it");
	is_int(c.settings.phase_time, PHASE_TIME_SLOWEST, "all of it");
	config_release(&c);

	is_int(load(&c, "preset: thesis\nanalysis: {phase_time: mean}\n", &e), ERR_OK, "and goes on %s", e.text);
	is_int(c.settings.phase_time, PHASE_TIME_MEAN, "what stands after it wins");
	is_int(c.settings.similarity, SIMILARITY_BBP, "and leaves the rest");
	is_int(load(&c, "analysis: {similarity: phase}\n", &e), ERR_OK, "a later file %s", e.text);
	is_int(c.settings.similarity, SIMILARITY_PHASE, "wins over it, too");
	is_int(c.settings.phase_time, PHASE_TIME_MEAN, "and leaves the rest");
	config_release(&c);

	is_int(load(&c, "preset: mine\npresets: {mine: {order: lamport}}\n", &e), ERR_OK, "a preset may stand after its use %s", e.text);
	is_int(c.settings.order, ORDER_LAMPORT, "and is found");
	is_int(load(&c, "analysis: {order: pas2p}\n", &e), ERR_OK, "another file %s", e.text);
	is_int(load(&c, "preset: mine\n", &e), ERR_OK, "and a third, which uses it %s", e.text);
	is_int(c.settings.order, ORDER_LAMPORT, "finds that of the first");
	is_int(load(&c, "preset:\n", &e), ERR_OK, "no name is no preset %s", e.text);
	config_release(&c);

	is_int(load(&c, "presets: {thesis: {order: lamport}}\n", &e), ERR_OK, "a file replaces a preset of pas2p %s", e.text);
	ok(!config_preset(&c, "thesis", &p, &e) && p.given[SETTING_order] && !p.given[SETTING_similarity], "the file's is meant");
	is_str(config_preset_name(&c, 0), "thesis", "it is listed");
	ok(!config_preset_name(&c, 1), "once");
	config_release(&c);
}

static void unknown_ones(void)
{
	struct config c;
	struct preset p;
	struct err e = {0};

	is_int(config_preset(NULL, "fine", &p, &e), ERR_USAGE, "a preset that is not there");
	is_str(e.text, "preset is 'fine': expected thesis", "the sentence names those that there are");
	config_init(&c);
	is_int(load(&c, "presets: {coarse: {order: lamport}}\npreset: fine\n", &e), ERR_USAGE, "in a file");
	is_str(e.text, "my.yaml: line 2: preset is 'fine': expected coarse or thesis", "with its line");
	ok(!c.preset_count, "nothing is taken of it");
	is_int(load(&c, "preset: [thesis]\n", &e), ERR_USAGE, "a list");
	is_str(e.text, "my.yaml: line 1: preset is a list: expected a name", "is no name");
	config_release(&c);

	for (int i = 0; i < 100; i++) {
		char text[64];

		snprintf(text, sizeof text, "presets: {a_long_name_of_a_preset_%d: {}}\n", i);
		if (load(&c, text, &e))
			bail_out("%s", e.text);
	}
	is_int(config_preset(&c, "fine", &p, &e), ERR_USAGE, "of a hundred");
	ok(strstr(e.text, "a_long_name_of_a_preset_0, ") && strlen(e.text) < 320 && !strcmp(e.text + strlen(e.text) - 5, ", ..."),
	   "those that there is room for are named");
	config_release(&c);
}

int main(void)
{
	sets_what_it_lists();
	rows_are_sound();
	in_config_files();
	unknown_ones();
	return done_testing();
}
