/* The config file is written by people, so every mistake in it must be told with file and line, and a file with a
 * mistake must change nothing at all. The file that is shipped as the example must say what the program does
 * without it. What only the workbench understands is handed on with its lines.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/settings/config.h"
#include "core/base/mem.h"
#include "core/io/out.h"
#include "tap.h"

static enum err_code load(struct config *c, const char *text, struct err *e)
{
	return config_load_text(c, "my.yaml", text, strlen(text), e);
}

static void shipped_file(void)
{
	struct config c;
	struct preset preset;
	struct settings def, changed;
	struct err e = {0};
	char text[20000], *found;
	int fd = open("config/pas2p.yaml", O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (n < 0)
		bail_out("no config/pas2p.yaml");
	close(fd);
	text[n] = '\0';
	settings_init(&def);
	config_init(&c);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		settings_set_number(&c.settings, id, setting_info(id)->max); /* so that what the file leaves out is seen */
	settings_set_number(&c.settings, SETTING_order, ORDER_LAMPORT);
	settings_set_number(&c.settings, SETTING_similarity, SIMILARITY_BBP);
	is_int(config_load_file(&c, "config/pas2p.yaml", &e), ERR_OK, "the shipped file is read %s", e.text);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		char got[64], want[64];

		settings_get(&c.settings, id, got, sizeof got);
		settings_get(&def, id, want, sizeof want);
		is_str(got, want, "and has the default of %s", setting_info(id)->key);
	}
	ok(c.preset_count >= 2 && !config_preset(&c, "strict", &preset, &e), "and presets");
	changed = def;
	preset_apply(&preset, &changed);
	is_double(changed.events, 0.95, 0, "a preset sets what it names");
	is_double(changed.relevance, def.relevance, 0, "and leaves what it does not");
	config_release(&c);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		const char *dot = strchr(setting_info(id)->yaml, '.');
		char key[64];

		snprintf(key, sizeof key, "  %s: ", dot ? dot + 1 : setting_info(id)->yaml);
		found = strstr(text, key);
		ok(found != NULL, "%s is in it under its name", setting_info(id)->key);
	}
}

static void later_wins(void)
{
	struct config c;
	struct preset preset;
	struct err e = {0};

	config_init(&c);
	is_int(load(&c,
		    "analysis:\n  order: lamport\n  thresholds: {volume: 10%, events: .5}\npresets: {p: {order: lamport}}\n",
		    &e), ERR_OK, "one file %s", e.text);
	is_int(load(&c, "analysis:\n  thresholds:\n    volume: 0.2\n  warmup: {seconds: 50ms}\n"
			"presets: {p: {absent: different}, q: {}}\n", &e), ERR_OK, "and another %s", e.text);
	is_int(c.settings.order, ORDER_LAMPORT, "what only the first says stands");
	is_double(c.settings.events, 0.5, 0, "in groups too");
	is_double(c.settings.volume, 0.2, 0, "what both say is the second's");
	is_double(c.settings.warmup_seconds, 0.05, 0, "with units");
	is_u64(c.preset_count, 2, "presets add up by name");
	ok(!config_preset(&c, "p", &preset, &e) && preset.given[SETTING_absent] && !preset.given[SETTING_order],
	   "and one of the same name is replaced");
	is_int(config_preset(&c, "r", &preset, &e), ERR_USAGE, "a preset that nobody gave is not there");
	is_str(e.text, "preset is 'r': expected p, q or thesis", "and those that are there are named");
	is_int(load(&c, "", &e), ERR_OK, "an empty file is fine");
	is_int(load(&c, "# only a comment\n", &e), ERR_OK, "or one of comments");
	is_int(load(&c, "analysis:\n  thresholds:\npresets:\nkeys:\nui: ~\n", &e), ERR_OK, "or of empty sections %s",
	       e.text);
	is_double(c.settings.volume, 0.2, 0, "which change nothing");
	config_release(&c);
}

static void entry_is(const struct config *c, size_t i, const char *path, const char *value, uint32_t line)
{
	if (!ok(i < c->entry_count, "there is entry %zu", i))
		return;
	is_str(c->entries[i].path, path, "its path");
	is_str(c->entries[i].value, value, "its value");
	is_u64(c->entries[i].line, line, "its line");
	is_str(c->entries[i].file, "my.yaml", "its file");
}

static void handed_on(void)
{
	struct config c;
	struct err e = {0};

	config_init(&c);
	is_int(load(&c,
		    "theme: mono\nui:\n  mouse: off\n  colour: {p1: \"#ff0000\"}\nkeys:\n  grid:\n    zoom-in: [+, \"=\"]\n"
			"    zoom-out: []\n  general: {quit: q, back: }\n", &e), ERR_OK, "keys, theme and ui %s",
			e.text);
	is_u64(c.entry_count, 8, "all of them");
	entry_is(&c, 0, "theme", "mono", 1);
	entry_is(&c, 1, "ui.mouse", "off", 3);
	entry_is(&c, 2, "ui.colour.p1", "#ff0000", 4);
	entry_is(&c, 3, "keys.grid.zoom-in", "+", 7);
	entry_is(&c, 4, "keys.grid.zoom-in", "=", 7);
	entry_is(&c, 5, "keys.grid.zoom-out", NULL, 8);
	entry_is(&c, 6, "keys.general.quit", "q", 9);
	entry_is(&c, 7, "keys.general.back", NULL, 9);
	config_release(&c);
}

static void refused(const char *text, const char *sentence)
{
	struct config c;
	struct preset preset;
	struct settings def;
	struct err e = {0};

	config_init(&c);
	settings_init(&def);
	if (load(&c, "presets: {a: {order: lamport}}\nui: {x: 1}\n", &e) != ERR_OK)
		bail_out("%s", e.text);
	is_int(load(&c, text, &e), ERR_USAGE, "refused: %.60s", text);
	is_str(e.text, sentence, "with file and line");
	is_int(e.code, ERR_USAGE, "and the code is in the error too");
	ok(settings_equal(&c.settings, &def) && c.preset_count == 1 && c.entry_count == 1 && config_preset(&c, "new", &preset, &e),
	   "and nothing has changed");
	config_release(&c);
}

static void refusals(void)
{
	refused("presets: {new: {}}\nui: {y: 2}\nanalysis:\n  order: lamport\n  thresholds:\n    volume: 500%\n",
		"my.yaml: line 6: volume is '500%': expected a fraction from 0 to 1 or a percentage from 0% to 100%");
	refused("analysis:\n  order: lamport\n  ordr: pas2p\n", "my.yaml: line 3: 'ordr' is not a setting of analysis");
	refused("analysis: {thresholds: {volumes: 1}}", "my.yaml: line 1: 'volumes' is not a setting of thresholds");
	refused("analysis: {volume: 0.1}", "my.yaml: line 1: 'volume' is not a setting of analysis");
	refused("analysis: {order: [lamport]}", "my.yaml: line 1: order is a list: expected a single value");
	refused("analysis: {order: }", "my.yaml: line 1: order is '': expected lamport or pas2p");
	refused("analysis: {thresholds: 5%}",
		"my.yaml: line 1: thresholds is a value: expected settings with their values");
	refused("analysis: 5", "my.yaml: line 1: analysis is a value: expected settings with their values");
	refused("presets: [a]", "my.yaml: line 1: presets is a list: expected names with their settings");
	refused("presets:\n  b: {warmup: {sends: -1}}\n",
		"my.yaml: line 2: warmup-sends is '-1': expected a whole number from 0 to 1000000000");
	refused("presets:\n  b: {colour: 1}\n", "my.yaml: line 2: 'colour' is not a setting of b");
	refused("presets:\n  ? ''\n  : {}\n", "my.yaml: line 2: a preset needs a name");
	refused("anlysis: {}\n",
		"my.yaml: line 1: unknown section 'anlysis': expected analysis, preset, presets, memory, scratch, keys, theme or ui");
	refused("\"a\\e[2J\": {}\n",
		"my.yaml: line 1: unknown section 'a\xef\xbf\xbd[2J': expected analysis, preset, presets, memory, scratch, keys, theme or ui");
	refused("- a\n",
		"my.yaml: line 1: the file is a list: expected the sections analysis, preset, presets, memory, scratch, keys, theme and ui");
	refused("keys: {a: [[b]]}\n", "my.yaml: line 1: keys.a is a list: expected single values in a list");
	refused("ui: {a: 1, b: 2, a: 3}\n", "my.yaml: line 1: the key 'a' appears twice, first in line 1");
	refused("ui: &x {a: 1}\n", "my.yaml: line 1: anchors and aliases are not accepted; write the value out");
	refused("ui: {a\n", "my.yaml: line 2: not YAML: did not find expected ',' or '}'");
}

static void default_file(void)
{
	char dir[PATH_MAX], path[PATH_MAX + 64];
	struct config c;
	struct err e = {0};

	snprintf(dir, sizeof dir, "%s/pas2p-config.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(dir))
		bail_out("no temporary directory");
	config_init(&c);
	setenv("XDG_CONFIG_HOME", "relative", 1);
	setenv("HOME", "/home/someone", 1);
	ok(config_default_path(path, sizeof path), "there is a default path");
	is_str(path, "/home/someone/.config/pas2p/config.yaml", "at home, where XDG_CONFIG_HOME is not absolute");
	ok(!config_default_path(path, 10), "a path that does not fit is none");
	unsetenv("HOME");
	ok(!config_default_path(path, sizeof path), "nor is there one without a home");
	is_int(config_load_default(&c, &e), ERR_OK, "which is fine");
	setenv("XDG_CONFIG_HOME", dir, 1);
	is_int(config_load_default(&c, &e), ERR_OK, "a default file that is not there is fine");
	snprintf(path, sizeof path, "%s/pas2p", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/pas2p/config.yaml", dir);
	is_int(config_load_file(&c, path, &e), ERR_IO, "a named file that is not there is an error");
	ok(strstr(e.text, path) != NULL, "that names it: %s", e.text);
	out_replace_file(path, "analysis: {order: lamport}\n", 27, &e);
	is_int(config_load_default(&c, &e), ERR_OK, "the default file");
	is_int(c.settings.order, ORDER_LAMPORT, "is read");
	out_replace_file(path, "analysis: {order: lam}\n", 23, &e);
	is_int(config_load_default(&c, &e), ERR_USAGE, "a broken default file is an error");
	ok(strstr(e.text, path) == e.text && strstr(e.text, ": line 1: order is 'lam'"), "with its path: %s", e.text);
	is_int(config_load_file(&c, "/dev/zero", &e), ERR_IO, "an endless file is refused: %s", e.text);
	is_int(config_load_file(&c, dir, &e), ERR_IO, "a directory too: %s", e.text);
	unlink(path);
	snprintf(path, sizeof path, "%s/pas2p", dir);
	rmdir(path);
	rmdir(dir);
	config_release(&c);
}

static void out_of_memory(void)
{
	static const char text[] = "analysis: {order: lamport}\npresets: {a: {order: pas2p}}\nkeys: {a: [b, c]}\n";
	struct err e = {0};
	int n, errors = 0;

	for (n = 0; n < 1000; n++) {
		struct config c;
		enum err_code code;

		config_init(&c);
		mem_fail_after(n);
		code = load(&c, text, &e);
		mem_fail_after(-1);
		config_release(&c);
		if (code == ERR_OK)
			break;
		errors += code == ERR_MEMORY;
	}
	ok(n > 3 && n < 1000, "with enough memory it works");
	is_int(errors, n, "with less there is an error that says so");
}

int main(void)
{
	shipped_file();
	later_wins();
	handed_on();
	refusals();
	default_file();
	out_of_memory();
	return done_testing();
}
