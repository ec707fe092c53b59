#include "manual.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "cli.h"
#include "core/metrics/rows/rows.h"
#include "core/table/terms.h"
#include "core/trace/notes.h"
#include "exit.h"
#include "pages.h"

#define LONGEST_LINE 1024

/* The text of an item: sentences, one after the other. */
struct sentences {
	char text[4096];
	size_t used;
};

static void put_more(struct sentences *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put_more(struct sentences *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (s->used && s->used + 1 < sizeof s->text)
		s->text[s->used++] = ' ';
	va_start(ap, fmt);
	n = vsnprintf(s->text + s->used, sizeof s->text - s->used, fmt, ap);
	va_end(ap);
	s->used += n > 0 ? (size_t)n : 0;
	if (s->used >= sizeof s->text)
		s->used = sizeof s->text - 1;
}

/* A line of a table as a sentence: a capital in front, a full stop behind. Names of programs, options and keys stay as they are. */
static void put_sentence(struct sentences *s, const char *text)
{
	size_t n = strlen(text);
	bool name = strncmp(text, "pas2p", 5) == 0 || memchr(text, '_', strcspn(text, " "));

	if (n)
		put_more(s, "%c%s%s", name ? text[0] : toupper((unsigned char)text[0]), text + 1, strchr(".?!", text[n - 1]) ? "" : ".");
}

static void manual_sentence(struct manual *m, const char *text)
{
	struct sentences s = {.used = 0};

	put_sentence(&s, text);
	m->text(m, s.text);
}

void manual_split_default(const char *help, char *text, size_t size, char *def, size_t def_size)
{
	size_t n = strlen(help);
	const char *open = strrchr(help, '[');

	def[0] = '\0';
	snprintf(text, size, "%s", help);
	if (!open || open == help || open[-1] != ' ' || help[n - 1] != ']')
		return;
	snprintf(def, def_size, "%.*s", (int)(n - 2 - (size_t)(open - help)), open + 1);
	if ((size_t)(open - 1 - help) < size)
		text[open - 1 - help] = '\0';
}

const char *manual_see_next(const char *others, char *buf, size_t size, char *note, size_t note_size)
{
	size_t all = strcspn(others, ","), n = all;
	const char *open = memchr(others, '(', all);

	note[0] = '\0';
	if (!*others)
		return NULL;
	if (open) {
		n = (size_t)(open - others) - 1;
		snprintf(note, note_size, "%.*s", (int)(all - n - 3), open + 1);
	}
	snprintf(buf, size, "%.*s", (int)n, others);
	others += all;
	return others + strspn(others, ", ");
}

/* "a|b|c" as "`a`, `b` or `c`". */
static void manual_words(const char *words, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	while (*words && used < size) {
		size_t n = strcspn(words, "|");
		bool last = !words[n];

		used += (size_t)snprintf(buf + used, size - used, "%s`%.*s`", !used ? "" : last ? " or " : ", ", (int)n, words);
		words += n + !last;
	}
}

static void put_setting(struct manual *m, const struct setting_info *s, bool for_config)
{
	struct sentences text = {.used = 0};
	char words[256], def[SETTING_NAME_SIZE];

	help_default(s, def, sizeof def);
	put_sentence(&text, s->help);
	if (s->more[0])
		put_more(&text, "%s", s->more);
	if (s->kind == SETTING_CHOICE) {
		manual_words(s->choices, words, sizeof words);
		put_more(&text, "It is %s.", words);
	} else if (s->kind == SETTING_FRACTION) {
		put_more(&text, "It is from %g%% to %g%%.", s->min * 100, s->max * 100);
	} else if (s->kind != SETTING_NAME) {
		put_more(&text, "It is from %.10g to %.10g.", s->min, s->max);
	}
	put_more(&text, "The default is `%s`.", def);
	if (!for_config)
		put_more(&text, "Config files call it `%s`.", s->yaml);
	m->text(m, text.text);
}

/* Is the text a list of the words? */
static bool lists_words(const char *text, const char *words)
{
	for (size_t n; *words; words += n + (words[n] == '|')) {
		char word[64];

		n = strcspn(words, "|");
		snprintf(word, sizeof word, "%.*s", (int)n, words);
		if (!strstr(text, word))
			return false;
	}
	return true;
}

static void put_option(struct manual *m, unsigned i)
{
	struct option_info o = option_info(i);
	struct sentences text = {.used = 0};
	char line[512], def[128], words[256];
	bool choice = o.words && o.type != TYPE_TEXTS, listed;

	m->option(m, &o);
	if (o.setting) {
		put_setting(m, o.setting, false);
		return;
	}
	manual_split_default(o.help, line, sizeof line, def, sizeof def);
	listed = choice && lists_words(line, o.words);
	if (listed && strncmp(line, o.words, strcspn(o.words, "|")) == 0)
		put_more(&text, "%s is %s.", o.argument, line);
	else
		put_sentence(&text, line);
	if (o.more[0])
		put_more(&text, "%s", o.more);
	if (choice && !listed) {
		manual_words(o.words, words, sizeof words);
		put_more(&text, "%s is %s.", o.argument, words);
	}
	if (def[0])
		put_more(&text, "Default: %s.", def);
	m->text(m, text.text);
}

void manual_list_options(struct manual *m, const unsigned *options, unsigned count)
{
	m->list(m, "option");
	for (unsigned i = 0; i < count; i++)
		put_option(m, options[i]);
	m->list(m, NULL);
}

static void put_column(struct manual *m, const struct column *c)
{
	struct sentences text = {.used = 0};

	put_sentence(&text, c->help);
	if (c->formula)
		put_more(&text, "Formula: %s.", c->formula);
	m->text(m, text.text);
}

/* Columns: names without a text of their own share the next one's. */
static void put_columns(struct manual *m, const struct page_row *row)
{
	struct list_pick pick = {.count = 0};
	char names[LONGEST_LINE] = "", unit[32];
	size_t used = 0;

	m->group(m, row->text);
	m->list(m, "column");
	list_pick(&pick, row->columns, row->in);
	for (int i = 0; i < pick.count; i++) {
		const struct column *c = pick.column[i];

		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? " " : "", c->name);
		if (!c->help[0] && i + 1 < pick.count)
			continue;
		snprintf(unit, sizeof unit, "[%s]", c->unit);
		m->item(m, names, c->unit[0] ? unit : NULL);
		used = 0;
		put_column(m, c);
	}
	m->list(m, NULL);
}

void manual_list_notes(struct manual *m)
{
	static const char *const levels[] = {[NOTE_REMARK] = "(note)", [NOTE_WARNING] = "(warning)", [NOTE_DAMAGE] = "(error)"};

	m->list(m, "kind");
	for (int k = 0; k < NOTE_KIND_COUNT; k++) {
		m->item(m, note_name((enum note_kind)k), levels[note_level((enum note_kind)k)]);
		manual_sentence(m, note_meaning((enum note_kind)k));
	}
	m->list(m, NULL);
}

static void put_metric_notes(struct manual *m)
{
	m->list(m, "note");
	for (int n = 0; n < METRIC_NOTES; n++) {
		m->item(m, metric_note_kind((enum metric_note)n), NULL);
		manual_sentence(m, metric_note_meaning((enum metric_note)n));
	}
	m->list(m, NULL);
}

void manual_list_checks(struct manual *m)
{
	static const struct {
		const char *name, *what, *fix;
	} checks[] = {
#define CHECK(id, name, what, fix) {name, what, fix},
#include "doctor/checks.def"
	};

	m->list(m, "check");
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		struct sentences text = {.used = 0};

		m->item(m, checks[i].name, NULL);
		put_sentence(&text, checks[i].what);
		if (checks[i].fix[0])
			put_more(&text, "Fix: %s.", checks[i].fix);
		m->text(m, text.text);
	}
	m->list(m, NULL);
}

static void put_list(struct manual *m, const struct page_row *row)
{
	m->group(m, row->text);
	switch ((enum page_list)row->in) {
	case PAGE_NOTES:
		manual_list_notes(m);
		break;
	case PAGE_METRIC_NOTES:
		put_metric_notes(m);
		break;
	case PAGE_CHECKS:
		manual_list_checks(m);
		break;
	}
}

/* "a, b" as the words of an item. */
static void put_key(struct manual *m, const struct page_row *row)
{
	char names[LONGEST_LINE];
	size_t n = 0;

	for (const char *p = row->text; *p && n + 1 < sizeof names; p++)
		if (*p != ',')
			names[n++] = *p;
	names[n] = '\0';
	m->item(m, names, NULL);
	manual_sentence(m, row->more);
}

static bool is_output(enum page_row_kind kind)
{
	return kind == PAGE_OUTPUT || kind == PAGE_KEY || kind == PAGE_COLUMNS || kind == PAGE_LIST;
}

static void put_output(struct manual *m, enum command c)
{
	bool any = false, keys = false;

	for (const struct page_row *row = page_rows(c); row->kind != PAGE_END; row++) {
		if (keys && row->kind != PAGE_KEY) {
			m->list(m, NULL);
			keys = false;
		}
		if (!is_output(row->kind))
			continue;
		if (!any)
			m->section(m, "Output");
		any = true;
		if (row->kind == PAGE_OUTPUT) {
			m->text(m, row->text);
		} else if (row->kind == PAGE_COLUMNS) {
			put_columns(m, row);
		} else if (row->kind == PAGE_LIST) {
			put_list(m, row);
		} else {
			if (!keys)
				m->list(m, "column");
			keys = true;
			put_key(m, row);
		}
	}
	if (keys)
		m->list(m, NULL);
}

/* "-c FILE", as --help names the option. */
static void common_name(unsigned i, char *buf, size_t size)
{
	struct option_info o = option_info(i);
	char argument[64];

	option_argument(&o, argument, sizeof argument);
	if (o.letter)
		snprintf(buf, size, "-%c%s", o.letter, argument);
	else
		snprintf(buf, size, "--%s%s", o.name, argument);
}

static void put_common(struct manual *m, enum command c)
{
	char text[LONGEST_LINE] = "This command also takes the common options", name[96];
	size_t used = strlen(text);
	unsigned count = 0;

	for (unsigned i = 0; i < page_common_count; i++) {
		struct option_info o = option_info(page_common[i]);

		if (!option_goes_with(&o, c))
			continue;
		common_name(page_common[i], name, sizeof name);
		used += (size_t)snprintf(text + used, sizeof text - used, "%s `%s`", count++ ? "," : "", name);
	}
	snprintf(text + used, sizeof text - used, ". See `pas2p help options`.");
	m->group(m, "Common options");
	m->text(m, text);
}

static void manual_command_options(struct manual *m, enum command c)
{
	struct option_info preset = option_info(OPTION_preset);

	m->section(m, "Options");
	for (const struct page_row *row = page_rows(c); row->kind != PAGE_END; row++)
		if (row->kind == PAGE_GROUP || row->kind == PAGE_MORE || row->kind == PAGE_SETTINGS) {
			m->group(m, row->text);
			manual_list_options(m, row->options, row->count);
			if (row->kind == PAGE_SETTINGS)
				m->text(m, "Other analysis settings are options, too. See `pas2p help settings`.");
		}
	if (option_goes_with(&preset, c) && !page_first(c, PAGE_SETTINGS)) {
		m->group(m, "Analysis settings");
		m->text(m, "All analysis settings are options of this command. See `pas2p help settings`.");
	}
	put_common(m, c);
}

static void put_exits_of(struct manual *m, enum command c)
{
	const struct page_row *finding = page_first(c, PAGE_FINDING);

	m->section(m, "Exit status");
	m->list(m, "status");
	m->item(m, "0", NULL);
	m->text(m, "Success.");
	if (finding) {
		m->item(m, "1", NULL);
		m->text(m, finding->text);
	}
	m->list(m, NULL);
	m->text(m, "Other values report errors. See `pas2p help exit-status`.");
}

void manual_command(struct manual *m, enum command c)
{
	m->section(m, "Description");
	for (const struct page_row *row = page_rows(c); row->kind != PAGE_END; row++)
		if (row->kind == PAGE_ABOUT || row->kind == PAGE_TEXT)
			m->text(m, row->text);
	manual_command_options(m, c);
	put_output(m, c);
	put_exits_of(m, c);
	m->section(m, "Examples");
	for (const struct page_row *row = page_rows(c); row->kind != PAGE_END; row++)
		if (row->kind == PAGE_EXAMPLE)
			m->example(m, row->text, row->more);
	m->section(m, "See also");
	if (page_first(c, PAGE_SEE))
		m->see(m, page_first(c, PAGE_SEE)->text, command_info(c)->name);
}

/* ---- topics ---- */

void manual_options(struct manual *m)
{
	m->text(m, "Options and files may be mixed. The argument `--` ends the options. Each command has options of its own; see `pas2p COMMAND --help`.");
	m->group(m, "Options of most commands");
	manual_list_options(m, page_common, page_common_count);
	for (const struct page_row *row = page_rows(COMMAND_WORKBENCH); row->kind != PAGE_END; row++)
		if (row->kind == PAGE_GROUP || row->kind == PAGE_MORE) {
			char title[96];

			snprintf(title, sizeof title, "Without a command: %c%s", tolower((unsigned char)row->text[0]), row->text + 1);
			m->group(m, title);
			manual_list_options(m, row->options, row->count);
		}
}

void manual_list_settings(struct manual *m, bool for_config)
{
	m->list(m, "setting");
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		struct option_info o = option_info(OPTION_COUNT + i);

		if (for_config)
			m->item(m, o.setting->yaml, NULL);
		else
			m->option(m, &o);
		put_setting(m, o.setting, for_config);
	}
	m->list(m, NULL);
}

void manual_list_presets(struct manual *m)
{
	const char *name, *help;
	char values[512];

	m->list(m, "preset");
	for (size_t i = 0; help_preset(i, &name, &help, values, sizeof values); i++) {
		struct sentences text = {.used = 0};

		m->item(m, name, NULL);
		put_sentence(&text, help);
		put_more(&text, "It sets %s.", values);
		m->text(m, text.text);
	}
	m->list(m, NULL);
}

void manual_settings(struct manual *m)
{
	m->text(m, "Settings determine how pas2p finds and measures phases. Commands that read traces take each setting as an option. A share is a "
		   "fraction (0.05) or a percentage (5%).");
	m->text(m, "The last value wins: first the defaults, then your config file, then the file of `--config`, then the command line. On the command "
		   "line, the order of `--preset` and the settings decides.");
	m->group(m, "Settings");
	manual_list_settings(m, false);
	m->group(m, "Presets");
	manual_list_presets(m);
}

void manual_list_exits(struct manual *m)
{
	m->list(m, "status");
	for (const struct exit_info *x = exit_infos; x->words; x++) {
		char number[16];

		snprintf(number, sizeof number, "%d", x->number);
		m->item(m, number, x->words);
		manual_sentence(m, x->when);
	}
	m->list(m, NULL);
}

void manual_exits(struct manual *m)
{
	m->text(m, "pas2p ends with one of these exit statuses.");
	manual_list_exits(m);
	m->group(m, "Status 1, by command");
	m->list(m, "command");
	for (int c = COMMAND_WORKBENCH + 1; c < COMMAND_COUNT; c++) {
		const struct page_row *finding = page_first((enum command)c, PAGE_FINDING);

		if (!finding)
			continue;
		m->item(m, command_info((enum command)c)->name, NULL);
		m->text(m, finding->text);
	}
	m->list(m, NULL);
	m->group(m, "Signals");
	m->text(m, "After SIGTERM, SIGHUP or SIGPIPE, a command ends by that signal.");
}

static const struct {
	const char *name, *keys, *group, *help;
} actions[] = {
#define ACTION(id, name, keys, scope, group, help) {name, keys, group, help},
#include "tui/screen/actions.def"
};

void manual_list_actions(struct manual *m, bool by_name)
{
	const char *group = "";

	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
		const char *keys = actions[i].keys;
		char command[64];

		if (strcmp(group, actions[i].group)) {
			if (*group)
				m->list(m, NULL);
			m->group(m, actions[i].group);
			m->list(m, by_name ? "action" : "key");
			group = actions[i].group;
		}
		snprintf(command, sizeof command, ":%s", actions[i].name);
		if (by_name)
			m->item(m, actions[i].name, keys);
		else
			m->item(m, *keys ? keys : command, NULL);
		manual_sentence(m, actions[i].help);
	}
	m->list(m, NULL);
}

void manual_list_prompt(struct manual *m)
{
	static const struct {
		const char *name, *arguments, *help;
	} commands[] = {
#define COMMAND(id, name, arguments, least, most, options, help) {":" name, arguments, help},
#include "tui/screen/prompt_commands.def"
	};

	m->list(m, "command");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		m->item(m, commands[i].name, commands[i].arguments[0] ? commands[i].arguments : NULL);
		manual_sentence(m, commands[i].help);
	}
	m->list(m, NULL);
}

void manual_keys(struct manual *m)
{
	m->text(m, "These are the default keys of the workbench. `C-a` is Ctrl and a, `S-Tab` is Shift and Tab, `A-x` is Alt and x. "
		   "Each action is also a command after a colon.");
	manual_list_actions(m, false);
	m->group(m, "Commands after a colon");
	manual_list_prompt(m);
}

void manual_glossary(struct manual *m)
{
	size_t count;
	const struct term *terms = terms_list(&count);

	m->text(m, "These are the terms that pas2p uses in its texts and on its screens.");
	m->list(m, "term");
	for (size_t i = 0; i < count; i++) {
		m->term(m, terms[i].word);
		manual_sentence(m, terms[i].help);
	}
	m->list(m, NULL);
}
