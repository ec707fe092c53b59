/* The values of options: read from text, and as text again, to write a command down or to compare two. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "cli.h"
#include "core/base/text.h"
#include "core/io/out.h"
#include "core/base/unit.h"
#include "core/io/shell_words.h"
#include "complain.h"
#include "options.h"

/* The next of "a|b|c", whose length goes to *n; *rest goes on behind it, to NULL at the end. */
static const char *option_next_word(const char **rest, size_t *n)
{
	const char *word = *rest;

	*n = strcspn(word, "|");
	*rest = word[*n] ? word + *n + 1 : NULL;
	return word;
}

/* What was expected of an option's value, for people. */
static void value_expected(const struct option_info *o, char *buf, size_t size)
{
	char least[UNIT_TEXT];

	buf[0] = 0;
	switch (o->type) {
	case TYPE_WHOLE:
		snprintf(buf, size, "a whole number from %.0f to %.0f", o->min, o->max);
		break;
	case TYPE_SECONDS:
		snprintf(buf, size, "seconds, more than 0 and at most %.0f", o->max);
		break;
	case TYPE_SHARE:
		snprintf(buf, size, "a share, more than 0 and at most %.0f%%, such as 2%%", o->max * 100);
		break;
	case TYPE_PART:
		snprintf(buf, size, "a share such as 0.02 or 2%%, at most %.0f%%", o->max * 100);
		break;
	case TYPE_TEXTS:
		snprintf(buf, size, "at most %.0f of them", o->max);
		break;
	case TYPE_BYTES:
		snprintf(buf, size, "bytes, at least %s, such as 256M or 4G", unit_bytes(least, (uint64_t)o->min));
		break;
	case TYPE_SIZE:
		snprintf(buf, size, "columns and rows from %.0f to %.0f, such as 80x24", o->min, o->max);
		break;
	case TYPE_CHOICE:
	case TYPE_MAYBE:
	case TYPE_WORD:
		for (const char *rest = o->words; rest;) {
			size_t used = strlen(buf), n;
			const char *word = option_next_word(&rest, &n);

			snprintf(buf + used, size - used, "%s%.*s", !used ? "" : rest ? ", " : " or ", (int)n, word);
		}
		break;
	default:
		break;
	}
}

enum err_code option_value_refuse(const struct option_info *o, const char *value, struct err *e)
{
	char wanted[128], word[32], best[32] = "";

	value_expected(o, wanted, sizeof wanted);
	if (!value[0] && o->type == TYPE_TEXTS)
		snprintf(wanted, sizeof wanted, "%s", o->argument); /* how many there may be is not what is wrong */
	if (!value[0])
		return err_set(e, ERR_USAGE, "--%s is empty%s%s", o->name, wanted[0] ? ": expected " : "", wanted);
	for (const char *rest = o->words; rest;) {
		size_t n;
		const char *next = option_next_word(&rest, &n);

		snprintf(word, sizeof word, "%.*s", (int)n, next);
		if (suggest_better(value, best[0] ? best : NULL, word) == word)
			memcpy(best, word, sizeof best);
	}
	option_wrong_value(e, o->name, value, wanted);
	if (best[0])
		err_hint(e, "did you mean %s?", best);
	return ERR_USAGE;
}

int option_word_index(unsigned option, const char *words, const char *value)
{
	size_t n;

	value = option_word_shown(option, value);
	for (int i = 0; words; i++) {
		const char *word = option_next_word(&words, &n);

		if (strlen(value) == n && memcmp(word, value, n) == 0)
			return i;
	}
	return -1;
}

static bool parse_whole(const struct option_info *o, const char *value, size_t n, uint32_t *to)
{
	uint64_t v;

	if (!number_parse_whole(value, n, &v) || (double)v < o->min || (double)v > o->max)
		return false;
	*to = (uint32_t)v;
	return true;
}

bool option_value_put(unsigned i, const struct option_info *o, const char *value, void *member)
{
	size_t n = strlen(value), columns = strcspn(value, "x");
	struct screen_size size;
	struct texts *texts;
	int index;
	double v;

	switch (o->type) {
	case TYPE_FLAG:
		*(bool *)member = true;
		return true;
	case TYPE_TEXT:
	case TYPE_INPUT:
	case TYPE_OUTPUT:
	case TYPE_ANY_TEXT:
		*(const char **)member = value;
		return n || o->type == TYPE_ANY_TEXT;
	case TYPE_TEXTS:
		texts = member;
		if (!n || texts->count == TEXTS_MOST)
			return false;
		texts->text[texts->count++] = value;
		return true;
	case TYPE_WHOLE:
		return parse_whole(o, value, n, member);
	case TYPE_SECONDS:
		if (!number_parse(value, n, &v) || !(v > o->min && v <= o->max))
			return false;
		*(double *)member = v;
		return true;
	case TYPE_BYTES:
		if (!number_parse_bytes(value, n, &v) || !(v >= o->min && v <= o->max))
			return false;
		*(double *)member = v;
		return true;
	case TYPE_SHARE:
	case TYPE_PART:
		index = n && value[n - 1] == '%';
		if (!number_parse_shifted(value, n - (size_t)index, index ? -2 : 0, &v) || !(v >= o->min && v <= o->max) ||
		    (o->type == TYPE_SHARE && v == 0))
			return false;
		*(double *)member = v;
		return true;
	case TYPE_CHOICE:
		index = option_word_index(i, o->words, value);
		if (index < 0)
			return false;
		memcpy(member, &index, sizeof index); /* an enum, whichever */
		return true;
	case TYPE_MAYBE:
		index = option_word_index(i, o->words, value);
		if (index < 0)
			return false;
		index += 2;
		memcpy(member, &index, sizeof index);
		return true;
	case TYPE_WORD:
		*(const char **)member = option_word_stored(i, value);
		return option_word_index(i, o->words, value) >= 0;
	case TYPE_SIZE:
		if (columns == n || !parse_whole(o, value, columns, &size.columns) ||
		    !parse_whole(o, value + columns + 1, n - columns - 1, &size.rows))
			return false;
		*(struct screen_size *)member = size;
		return true;
	case TYPE_SETTING:
		break;
	}
	return false;
}

/* Values are 0 where they are not given, whatever their type. */
bool option_given(const struct options *o, unsigned i, char number[NUMBER_TEXT], const char **value)
{
	const void *member = option_member(o, i);

	*value = NULL;
	switch (option_info(i).type) {
	case TYPE_FLAG:
		return *(const bool *)member;
	case TYPE_TEXT:
	case TYPE_INPUT:
	case TYPE_OUTPUT:
	case TYPE_ANY_TEXT:
	case TYPE_SETTING:
		*value = *(const char *const *)member;
		return *value != NULL;
	case TYPE_WORD:
		*value = *(const char *const *)member;
		if (*value)
			*value = option_word_shown(i, *value);
		return *value != NULL;
	case TYPE_WHOLE:
		snprintf(number, NUMBER_TEXT, "%" PRIu32, *(const uint32_t *)member);
		*value = number;
		return *(const uint32_t *)member != 0;
	case TYPE_SECONDS:
	case TYPE_SHARE:
	case TYPE_PART:
	case TYPE_BYTES:
		number_format(*(const double *)member, number);
		*value = number;
		return *(const double *)member > 0;
	default:
		return false;
	}
}

/* Number `index` of words like "a|b|c"; below 0: none. */
static void add_word(struct out *to, const char *words, int index)
{
	for (; index > 0; index--)
		words += strcspn(words, "|") + 1;
	if (index == 0)
		out_add(to, words, strcspn(words, "|"));
}

bool option_said(const struct options *o, unsigned i, struct out *to)
{
	struct option_info info = option_info(i);
	char number[NUMBER_TEXT];
	const char *value;
	int index;

	if (!info.setting && !o->named[i])
		return false;
	switch (info.type) {
	case TYPE_TEXTS: {
		const struct texts *texts = option_member(o, i);

		for (uint32_t k = 0; k < texts->count; k++)
			out_printf(to, "%s%s", k ? ", " : "", texts->text[k]);
		return true;
	}
	case TYPE_CHOICE:
	case TYPE_MAYBE:
		memcpy(&index, option_member(o, i), sizeof index);
		add_word(to, info.words, index - (info.type == TYPE_MAYBE ? 2 : 0));
		return true;
	default:
		option_given(o, i, number, &value); /* has the value also where that is 0 */
		if (info.setting && !value)
			return false;
		out_str(to, value ? value : "given");
		return true;
	}
}

enum err_code option_wrong_value(struct err *e, const char *option, const char *value, const char *expected)
{
	char safe[80];

	return err_set(e, ERR_USAGE, "--%s is '%s': expected %s", option, text_safe(safe, sizeof safe, value, SIZE_MAX, TEXT_UTF8), expected);
}

void command_option(struct out *o, const char *name, const char *value)
{
	out_printf(o, " --%s ", name);
	shell_word(o, value);
}

void setting_options(struct out *o, const struct settings *s, const struct settings *usual)
{
	char value[SETTING_NAME_SIZE];

	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		if (settings_same(s, usual, id))
			continue;
		settings_get(s, id, value, sizeof value);
		command_option(o, setting_info(id)->key, value);
	}
}
