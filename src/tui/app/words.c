#include "app_int.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

/* The next word, put behind what *to has already; false: there is none, or its quote does not end (*open). */
static bool next_word(const char **line, char **to, bool *quoted, bool *open)
{
	const char *at = *line + strspn(*line, " \t");

	*quoted = *open = false;
	if (!*at)
		return false;
	while (*at && *at != ' ' && *at != '\t') {
		char quote = *at;

		if (quote != '"' && quote != '\'') {
			*(*to)++ = *at++;
			continue;
		}
		*quoted = true;
		for (at++; *at && *at != quote; at++)
			*(*to)++ = *at;
		if (!*at) {
			*open = true;
			return false;
		}
		at++;
	}
	*(*to)++ = 0;
	*line = at;
	return true;
}

/* The place of an option among those between bars; -1: it is none of them. */
static int option_place(const char *word, const char *options)
{
	for (int i = 0; *options; i++) {
		size_t n = strcspn(options, "|");

		if (strlen(word) == n && !strncmp(word, options, n))
			return i;
		options += n + (options[n] == '|');
	}
	return -1;
}

static enum err_code refuse_option(const char *word, const char *name, const char *options, struct err *e)
{
	char safe[64], list[64] = "";

	text_safe(safe, sizeof safe, word, SIZE_MAX, TEXT_UTF8);
	if (!*options)
		return err_set(e, ERR_USAGE, "%s has no option %s; a file of that name is ./%s", name, safe, safe);
	for (size_t n = 0; *options && n + 3 < sizeof list; options++) {
		if (*options == '|')
			list[n++] = ',';
		list[n++] = *options == '|' ? ' ' : *options;
	}
	return err_set(e, ERR_USAGE, "%s has no option %s; expected %s", name, safe, list);
}

enum err_code words_split(struct words *w, const char *line, const char *name, const char *arguments, int least, int most,
			  const char *options, struct err *e)
{
	bool quoted, open, plain = false;
	char *to = w->text, safe[64];

	memset(w->word, 0, sizeof w->word);
	w->count = 0;
	w->options = 0;
	if (strlen(line) >= PROMPT_TEXT)
		return err_set(e, ERR_USAGE, "a command has at most %d characters", PROMPT_TEXT - 1);
	for (char *word = to; next_word(&line, &to, &quoted, &open); word = to) {
		bool option = !quoted && !plain && !strncmp(word, "--", 2);
		int place = option ? option_place(word, options) : -1;

		if (option && !word[2])
			plain = true;
		else if (option && place < 0)
			return refuse_option(word, name, options, e);
		else if (option)
			w->options |= 1u << place;
		else if (w->count == most)
			return err_set(e, ERR_USAGE, "unexpected '%s': %s takes %s%s", text_safe(safe, sizeof safe, word, SIZE_MAX, TEXT_UTF8),
				       name, *arguments ? arguments : "nothing", strstr(arguments, "FILE") ? " (a name with blanks in quotes)" : "");
		else
			w->word[w->count++] = word;
	}
	if (open)
		return err_set(e, ERR_USAGE, "expected a closing quote");
	if (w->count < least)
		return err_set(e, ERR_USAGE, "%s needs %s", name, arguments);
	return ERR_OK;
}

bool words_quote(const char *word, char *out, size_t size)
{
	const char *quote = strpbrk(word, " \t'") ? "\"" : strchr(word, '"') ? "'" : "";

	if (*quote && strchr(word, *quote))
		return false;
	return (size_t)snprintf(out, size, "%s%s%s", quote, word, quote) < size;
}
