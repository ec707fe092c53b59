/* The long texts as plain text: sections at the margin, text behind it. */
#include <ctype.h>
#include <string.h>

#include "cli.h"
#include "manual.h"

#define WIDTH 80
#define INDENT 4  /* of text */
#define DEEPER 8  /* of an item's text */

static void margin(FILE *to, size_t n)
{
	fprintf(to, "%*s", (int)n, "");
}

/* A literal word without its backticks: options as they are, others in quotes. Returns the end of it. */
static const char *put_literal(const char *p, char *line, size_t *n)
{
	const char *end = strchr(p, '`');
	bool bare = p[0] == '-' && p[1] != '`';

	if (!end)
		end = p + strlen(p);
	if (!bare)
		line[(*n)++] = '\'';
	memcpy(line + *n, p, (size_t)(end - p));
	*n += (size_t)(end - p);
	if (!bare)
		line[(*n)++] = '\'';
	return *end ? end + 1 : end;
}

static void put_paragraph(struct manual *m, const char *text, size_t indent)
{
	char line[4096];
	size_t n = 0;

	for (const char *p = text; *p && n + 8 + strlen(p) < sizeof line;)
		if (*p == '`')
			p = put_literal(p + 1, line, &n);
		else
			line[n++] = *p++;
	line[n] = '\0';
	margin(m->to, indent);
	help_wrap(m->to, indent, indent, line);
}

static void text_section(struct manual *m, const char *title)
{
	if (m->begun)
		fputc('\n', m->to);
	m->begun = true;
	for (const char *p = title; *p; p++)
		fputc(toupper((unsigned char)*p), m->to);
	fputc('\n', m->to);
	m->in_list = m->after_text = false;
	m->after_section = true;
}

static void text_group(struct manual *m, const char *title)
{
	fprintf(m->to, "%s  %s:\n", m->after_section ? "" : "\n", title);
	m->in_list = m->after_text = m->after_section = false;
}

static void text_text(struct manual *m, const char *text)
{
	if (m->after_text && !m->in_list)
		fputc('\n', m->to);
	m->after_text = true;
	m->after_section = false;
	put_paragraph(m, text, m->in_list ? DEEPER : INDENT);
}

static void text_list(struct manual *m, const char *of)
{
	if (of && m->after_text)
		fputc('\n', m->to);
	m->in_list = of != NULL;
	m->after_text = !m->in_list;
	m->after_section = false;
}

static void text_option(struct manual *m, const struct option_info *o)
{
	char argument[64];

	margin(m->to, INDENT);
	if (o->letter)
		fprintf(m->to, "-%c, ", o->letter);
	fprintf(m->to, "--%s%s\n", o->name, option_argument(o, argument, sizeof argument));
}

static void text_item(struct manual *m, const char *terms, const char *note)
{
	char line[1024];
	size_t n = 0;

	for (; *terms && n + 3 < sizeof line; terms++) {
		if (*terms == ' ')
			line[n++] = ',';
		line[n++] = *terms;
	}
	snprintf(line + n, sizeof line - n, "%s%s", note ? " " : "", note ? note : "");
	margin(m->to, INDENT);
	help_wrap(m->to, INDENT, INDENT, line);
}

static void text_term(struct manual *m, const char *words)
{
	margin(m->to, INDENT);
	fprintf(m->to, "%s\n", words);
}

static void text_usage(struct manual *m, enum command c)
{
	const struct command_info *info = command_info(c);

	margin(m->to, INDENT);
	fprintf(m->to, "pas2p %s [OPTION...]%s%s\n", info->name, info->operands[0] ? " " : "", info->operands);
}

static void text_example(struct manual *m, const char *comment, const char *command)
{
	margin(m->to, INDENT);
	fprintf(m->to, "# %s\n", comment);
	margin(m->to, INDENT);
	fprintf(m->to, "pas2p %s\n", command);
}

static void text_see(struct manual *m, const char *others, const char *self)
{
	char word[64], note[96], line[512] = "";
	size_t used = 0;

	while ((others = manual_see_next(others, word, sizeof word, note, sizeof note))) {
		if (strncmp(word, "help ", 5) == 0 && strcmp(word + 5, self) == 0)
			continue;
		used += (size_t)snprintf(line + used, sizeof line - used, "%spas2p %s", used ? ", " : "", word);
	}
	put_paragraph(m, line, INDENT);
}

void manual_text(struct manual *m, FILE *to)
{
	*m = (struct manual){.to = to, .section = text_section, .group = text_group, .text = text_text, .list = text_list, .option = text_option,
			     .item = text_item, .term = text_term, .usage = text_usage, .example = text_example, .see = text_see};
}
