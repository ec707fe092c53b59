#include "settings.h"

#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/text.h"

/* What the table cannot say for itself: the place in YAML, and the last of each choice. */
#define YAML_order "order"
#define YAML_similarity "similarity"
#define YAML_collectives "collectives"
#define YAML_absent "absent"
#define YAML_compute_of "compute_of"
#define YAML_phase_time "phase_time"
#define YAML_representative "representative"
#define YAML_volume "thresholds.volume"
#define YAML_compute "thresholds.compute"
#define YAML_events "thresholds.events"
#define YAML_relevance "thresholds.relevance"
#define YAML_warmup_sends "warmup.sends"
#define YAML_warmup_seconds "warmup.seconds"
#define YAML_sample_seconds "sample.seconds"
#define YAML_windows "windows.count"
#define YAML_window_seconds "windows.seconds"
#define YAML_window_rare "windows.rare"
#define YAML_window_span "windows.span"
#define YAML_window_align "windows.align"
#define YAML_clocks "clocks"
#define YAML_compute_counter "compute_counter"
#define LAST_order ORDER_PAS2P
#define LAST_similarity SIMILARITY_PHASE
#define LAST_collectives COLLECTIVES_IGNORE
#define LAST_absent ABSENT_DIFFERENT
#define LAST_compute_of COMPUTE_EACH
#define LAST_phase_time PHASE_TIME_SLOWEST
#define LAST_representative REPRESENTATIVE_LAST
#define LAST_window_align WINDOW_ALIGN_NONE
#define LAST_clocks CLOCKS_CORRECTED

/* No table depends on it: phases are found by the times in the file (docs/explain/clocks-bounds.md, "Corrected times").
 * */
#define IN_TABLES(id) (SETTING_##id != SETTING_clocks)

/* What opens a setting's group: those from sample_seconds on came after the first tables. */
#define OPENER(id) \
	(SETTING_##id < SETTING_sample_seconds || !IN_TABLES(id) ? SETTING_COUNT \
	 : SETTING_##id == SETTING_compute_counter ? SETTING_compute_counter \
	 : SETTING_##id < SETTING_windows ? SETTING_sample_seconds : SETTING_windows)

static const struct setting_info infos[SETTING_COUNT] = {
#define CHOICE(id, key, def, choices, help, more) \
	{SETTING_##id, SETTING_CHOICE, key, YAML_##id, choices, def, 0, LAST_##id, OPENER(id), IN_TABLES(id), help, more},
#define FRACTION(id, key, def, min, max, help, more) \
	{SETTING_##id, SETTING_FRACTION, key, YAML_##id, NULL, def, min, max, OPENER(id), IN_TABLES(id), help, more},
#define COUNT(id, key, def, min, max, help, more) \
	{SETTING_##id, SETTING_WHOLE, key, YAML_##id, NULL, def, min, max, OPENER(id), IN_TABLES(id), help, more},
#define SECONDS(id, key, def, min, max, help, more) \
	{SETTING_##id, SETTING_SECONDS, key, YAML_##id, NULL, def, min, max, OPENER(id), IN_TABLES(id), help, more},
#define NAME(id, key, help, more) {SETTING_##id, SETTING_NAME, key, YAML_##id, NULL, 0, 0, 1, OPENER(id), IN_TABLES(id), help, more},
#include "settings.def"
};

static const size_t offsets[SETTING_COUNT] = {
#define CHOICE(id, key, def, choices, help, more) offsetof(struct settings, id),
#define FRACTION(id, key, def, min, max, help, more) offsetof(struct settings, id),
#define COUNT(id, key, def, min, max, help, more) offsetof(struct settings, id),
#define SECONDS(id, key, def, min, max, help, more) offsetof(struct settings, id),
#define NAME(id, key, help, more) offsetof(struct settings, id),
#include "settings.def"
};

const struct setting_info *setting_info(enum setting_id id)
{
	return &infos[id];
}

static bool same_key(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(*a == '-' && *b == '_') && !(*a == '_' && *b == '-'))
			return false;
	return *a == *b;
}

const struct setting_info *setting_find(const char *key)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		if (same_key(infos[i].key, key))
			return &infos[i];
	return NULL;
}

double settings_number(const struct settings *settings, enum setting_id id)
{
	const char *at = (const char *)settings + offsets[id];
	uint32_t whole;
	double real;
	int choice;

	switch (infos[id].kind) {
	case SETTING_CHOICE:
		memcpy(&choice, at, sizeof choice);
		return choice;
	case SETTING_WHOLE:
		memcpy(&whole, at, sizeof whole);
		return whole;
	case SETTING_NAME:
		return *at != 0;
	default:
		memcpy(&real, at, sizeof real);
		return real;
	}
}

void settings_set_number(struct settings *settings, enum setting_id id, double value)
{
	const struct setting_info *info = &infos[id];
	char *at = (char *)settings + offsets[id];
	uint32_t whole;
	int choice;

	if (!(value >= info->min)) /* also what is no number */
		value = info->min;
	if (value > info->max)
		value = info->max;
	switch (info->kind) {
	case SETTING_CHOICE:
		choice = (int)(value + 0.5);
		memcpy(at, &choice, sizeof choice);
		break;
	case SETTING_WHOLE:
		whole = (uint32_t)(value + 0.5);
		memcpy(at, &whole, sizeof whole);
		break;
	case SETTING_NAME: /* its only number is that of none */
		memset(at, 0, SETTING_NAME_SIZE);
		break;
	default:
		value += 0.0; /* -0 to 0 */
		memcpy(at, &value, sizeof value);
	}
}

void settings_init(struct settings *settings)
{
	*settings = (struct settings){0};
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		settings_set_number(settings, id, infos[id].def);
}

enum err_code settings_check(const struct settings *s, struct err *e)
{
	if (s->windows && s->sample_seconds > 0)
		return err_set(e, ERR_USAGE, "windows and sample-seconds cannot both be set, because windows replace "
			       "representatives and their samples: set one of them to 0");
	return ERR_OK;
}

bool settings_same(const struct settings *a, const struct settings *b, enum setting_id id)
{
	if (infos[id].kind == SETTING_NAME)
		return !strcmp((const char *)a + offsets[id], (const char *)b + offsets[id]);
	return settings_number(a, id) == settings_number(b, id);
}

void settings_copy(struct settings *to, const struct settings *from, enum setting_id id)
{
	if (infos[id].kind == SETTING_NAME)
		memcpy((char *)to + offsets[id], (const char *)from + offsets[id], SETTING_NAME_SIZE);
	else
		settings_set_number(to, id, settings_number(from, id));
}

bool settings_equal(const struct settings *a, const struct settings *b)
{
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (!settings_same(a, b, id))
			return false;
	return true;
}

const enum setting_id settings_of_phases[SETTINGS_OF_PHASES] = {
	SETTING_order, SETTING_similarity, SETTING_collectives, SETTING_absent, SETTING_compute_of, SETTING_volume, SETTING_compute,
	SETTING_events, SETTING_compute_counter,
};

bool settings_same_phases(const struct settings *a, const struct settings *b)
{
	for (size_t i = 0; i < SETTINGS_OF_PHASES; i++)
		if (!settings_same(a, b, settings_of_phases[i]))
			return false;
	return true;
}

bool settings_matters(const struct settings *settings, enum setting_id id)
{
	if (id == SETTING_compute || id == SETTING_compute_of)
		return settings->similarity == SIMILARITY_BBP;
	if (id == SETTING_events || id == SETTING_absent)
		return settings->similarity == SIMILARITY_PHASE;
	if (id == SETTING_window_seconds || id == SETTING_window_rare || id == SETTING_window_span || id == SETTING_window_align)
		return settings->windows > 0;
	return true;
}

bool settings_shares_tile(const struct settings *settings)
{
	return settings->phase_time == PHASE_TIME_MEAN;
}

const char *settings_share_of(const struct settings *settings, const char *usual)
{
	return settings_shares_tile(settings) ? usual : "of run time, slowest rank";
}

/* The index of text among "a|b|c", or -1. */
static int choice_index(const char *choices, const char *text, size_t n)
{
	for (int index = 0;; index++) {
		size_t length = strcspn(choices, "|");

		if (n == length && !memcmp(choices, text, n))
			return index;
		if (!choices[length])
			return -1;
		choices += length + 1;
	}
}

/* Take `suffix` and the blanks before it off the end of text; false if it does not end so. */
static bool take_suffix(const char *text, size_t *n, const char *suffix)
{
	size_t length = strlen(suffix);

	if (*n <= length || memcmp(text + *n - length, suffix, length) != 0)
		return false;
	*n -= length;
	while (*n && text[*n - 1] == ' ')
		--*n;
	return true;
}

static bool parse(const struct setting_info *info, const char *text, double *v)
{
	size_t n = strlen(text);
	uint64_t whole;
	int shift = 0;

	*v = 0;
	switch (info->kind) {
	case SETTING_CHOICE:
		*v = choice_index(info->choices, text, n);
		return *v >= 0;
	case SETTING_WHOLE:
		if (!number_parse_whole(text, n, &whole))
			return false;
		*v = (double)whole;
		break;
	case SETTING_FRACTION:
		if (take_suffix(text, &n, "%"))
			shift = -2;
		if (!number_parse_shifted(text, n, shift, v))
			return false;
		break;
	default:
		if (take_suffix(text, &n, "ms"))
			shift = -3;
		else if (take_suffix(text, &n, "us"))
			shift = -6;
		else
			take_suffix(text, &n, "s");
		if (!number_parse_shifted(text, n, shift, v))
			return false;
	}
	return *v >= info->min && *v <= info->max;
}

/* "a, b or c" from "a|b|c". */
static void list_choices(const char *choices, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	while (*choices && used < size) {
		int length = (int)strcspn(choices, "|");
		bool last = !choices[length];
		const char *between = !used ? "" : last ? " or " : ", ";

		used += (size_t)snprintf(buf + used, size - used, "%s%.*s", between, length, choices);
		choices += length + !last;
	}
}

static enum err_code set_name(struct settings *settings, const struct setting_info *info, const char *text, struct err *e)
{
	char *at = (char *)settings + offsets[info->id];
	char safe[SETTING_NAME_SIZE], given[96];

	/* What is in a trace is safe text. */
	text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8);
	if (strcmp(safe, text) != 0)
		return err_set(e, ERR_USAGE, "%s is '%s': expected a name of at most %d bytes, or none", info->key,
			       text_safe(given, sizeof given, text, SIZE_MAX, TEXT_UTF8), SETTING_NAME_SIZE - 1);
	memset(at, 0, SETTING_NAME_SIZE);
	if (strcmp(safe, "none") != 0)
		memcpy(at, safe, strlen(safe));
	return ERR_OK;
}

enum err_code settings_set(struct settings *settings, enum setting_id id, const char *text, struct err *e)
{
	const struct setting_info *info = &infos[id];
	char given[96], low[NUMBER_TEXT], high[NUMBER_TEXT], low_percent[NUMBER_TEXT], high_percent[NUMBER_TEXT];
	char choices[128];
	double v;

	if (info->kind == SETTING_NAME)
		return set_name(settings, info, text, e);
	if (parse(info, text, &v)) {
		settings_set_number(settings, id, v);
		return ERR_OK;
	}
	text_safe(given, sizeof given, text, SIZE_MAX, TEXT_UTF8);
	number_format(info->min, low);
	number_format(info->max, high);
	switch (info->kind) {
	case SETTING_CHOICE:
		list_choices(info->choices, choices, sizeof choices);
		return err_set(e, ERR_USAGE, "%s is '%s': expected %s", info->key, given, choices);
	case SETTING_FRACTION:
		number_format(info->min * 100, low_percent);
		number_format(info->max * 100, high_percent);
		return err_set(e, ERR_USAGE,
			       "%s is '%s': expected a fraction from %s to %s or a percentage from %s%% to %s%%",
			       info->key, given, low, high, low_percent, high_percent);
	case SETTING_WHOLE:
		number_whole((uint64_t)info->max, high);
		return err_set(e, ERR_USAGE, "%s is '%s': expected a whole number from %s to %s", info->key, given, low,
			       high);
	default:
		return err_set(e, ERR_USAGE, "%s is '%s': expected seconds from %s to %s", info->key, given, low, high);
	}
}

void settings_get(const struct settings *settings, enum setting_id id, char *buf, size_t size)
{
	const struct setting_info *info = &infos[id];
	double v = settings_number(settings, id);
	char text[NUMBER_TEXT];

	if (info->kind == SETTING_CHOICE) {
		const char *choice = info->choices;

		for (int i = 0; i < (int)v; i++)
			choice += strcspn(choice, "|") + 1;
		snprintf(buf, size, "%.*s", (int)strcspn(choice, "|"), choice);
		return;
	}
	if (info->kind == SETTING_NAME) {
		snprintf(buf, size, "%s", v > 0 ? (const char *)settings + offsets[id] : "none");
		return;
	}
	if (info->kind == SETTING_WHOLE)
		number_whole((uint64_t)v, text);
	else
		number_format(v, text);
	snprintf(buf, size, "%s", text);
}

static const struct {
	const char *name, *help, *values[SETTING_COUNT];
} rows[] = {
#define VALUE(setting, value) [SETTING_##setting] = (value),
#define PRESET(id, name, help, values) {name, help, {values}},
#include "presets.def"
#undef VALUE
};

bool preset_built_in(size_t i, struct preset *to, const char **help)
{
	if (i >= sizeof rows / sizeof *rows)
		return false;
	*to = (struct preset){.name = rows[i].name};
	*help = rows[i].help;
	settings_init(&to->settings);
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		to->given[id] = rows[i].values[id] && !settings_set(&to->settings, id, rows[i].values[id], NULL);
	return true;
}

void preset_apply(const struct preset *p, struct settings *settings)
{
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (p->given[id])
			settings_copy(settings, &p->settings, id);
}
