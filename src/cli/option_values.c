/* The given options as text: to write a command down, or to compare two. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "cli.h"
#include "core/base/text.h"
#include "core/io/out.h"
#include "core/io/shell_words.h"
#include "options.h"

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
