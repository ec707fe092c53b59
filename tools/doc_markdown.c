/* The long texts as Markdown, for docs/reference. Lists are tables: a row for each item. */
#include <ctype.h>
#include <string.h>

#include "doc_forms.h"

static bool row_open;  /* an item whose text follows */
static int level_of_sections;

static void end_row(struct manual *m)
{
	if (row_open)
		fputs(" |\n", m->to);
	row_open = false;
}

/* A bar would end a cell; outside of literals nothing else of the texts is marked up. */
static void put_cell(FILE *to, const char *text)
{
	bool literal = false;

	for (const char *p = text; *p; p++) {
		literal ^= *p == '`';
		if (*p == '|')
			fputc('\\', to);
		if (!literal && ((*p == '<' && p[1] != ' ') || *p == '*'))
			fputc('\\', to);
		fputc(*p, to);
	}
}

static void put_code(FILE *to, const char *p, size_t n)
{
	bool tick = memchr(p, '`', n) != NULL;

	fputs(tick ? "`` " : "`", to);
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '|')
			fputc('\\', to);
		fputc(p[i], to);
	}
	fputs(tick ? " ``" : "`", to);
}

static void markdown_heading(struct manual *m, int level, const char *title)
{
	fprintf(m->to, "%.*s %s\n\n", level, "######", title);
}

static void markdown_section(struct manual *m, const char *title)
{
	markdown_heading(m, level_of_sections, title);
}

static void markdown_group(struct manual *m, const char *title)
{
	markdown_heading(m, level_of_sections + (level_of_sections > 2), title);
}

static void markdown_text(struct manual *m, const char *text)
{
	if (row_open) {
		fputc(' ', m->to);
		put_cell(m->to, text);
		return;
	}
	fprintf(m->to, "%s\n\n", text);
}

static void markdown_list(struct manual *m, const char *of)
{
	end_row(m);
	if (of)
		fprintf(m->to, "| %s | meaning |\n|---|---|\n", of);
	else
		fputc('\n', m->to);
}

static void markdown_option(struct manual *m, const struct option_info *o)
{
	char name[96], argument[64];

	end_row(m);
	fputs("| ", m->to);
	if (o->letter)
		fprintf(m->to, "`-%c`, ", o->letter);
	snprintf(name, sizeof name, "--%s%s", o->name, option_argument(o, argument, sizeof argument));
	put_code(m->to, name, strlen(name));
	fputs(" |", m->to);
	row_open = true;
}

static void markdown_item(struct manual *m, const char *terms, const char *note)
{
	end_row(m);
	fputs("| ", m->to);
	for (const char *p = terms; *p;) {
		size_t n = strcspn(p, " ");

		put_code(m->to, p, n);
		p += n;
		p += *p == ' ';
		fputs(*p ? ", " : "", m->to);
	}
	if (note) {
		fputc(' ', m->to);
		put_cell(m->to, note);
	}
	fputs(" |", m->to);
	row_open = true;
}

static void markdown_term(struct manual *m, const char *words)
{
	end_row(m);
	fprintf(m->to, "| %s |", words);
	row_open = true;
}

static void markdown_usage(struct manual *m, enum command c)
{
	const struct command_info *info = command_info(c);

	fprintf(m->to, "```\npas2p %s [OPTION...]%s%s\n```\n\n", info->name, info->operands[0] ? " " : "", info->operands);
}

static void markdown_example(struct manual *m, const char *comment, const char *command)
{
	fprintf(m->to, "```\npas2p %s   # %s\n```\n\n", command, comment);
}

static void markdown_see(struct manual *m, const char *others, const char *self)
{
	char word[64], note[96];
	bool any = false;

	while ((others = manual_see_next(others, word, sizeof word, note, sizeof note))) {
		const char *topic = strncmp(word, "help ", 5) == 0 ? word + 5 : NULL;

		if (topic && strcmp(topic, self) == 0)
			continue;
		if (topic && strcmp(topic, "options") == 0)
			fprintf(m->to, "%s[options](#common-options)", any ? ", " : "");
		else if (topic)
			fprintf(m->to, "%s[%s](%s%s)", any ? ", " : "", topic, topic, ".md");
		else
			fprintf(m->to, "%s[%s](#%s)", any ? ", " : "", word, word);
		any = true;
	}
	fputs(any ? "\n\n" : "", m->to);
}

void manual_markdown(struct manual *m, FILE *to, int level)
{
	level_of_sections = level;
	*m = (struct manual){.to = to, .section = markdown_section, .group = markdown_group, .text = markdown_text, .list = markdown_list,
			     .option = markdown_option, .item = markdown_item, .term = markdown_term, .usage = markdown_usage,
			     .example = markdown_example, .see = markdown_see};
}
