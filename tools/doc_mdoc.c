/* The long texts as mdoc, for man pages. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "doc_forms.h"

static void mdoc_char(FILE *to, char c)
{
	switch (c) {
	case '-': fputs("\\-", to); break;
	case '\\': fputs("\\e", to); break;
	case '"': fputs("\\(dq", to); break;
	case '\'': fputs("\\(aq", to); break;
	case '`': fputs("\\(ga", to); break;
	case '^': fputs("\\(ha", to); break;
	case '~': fputs("\\(ti", to); break;
	default: fputc(c, to);
	}
}

static void mdoc_text(FILE *to, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		mdoc_char(to, text[i]);
}

void mdoc_line(FILE *to, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", to);
	mdoc_text(to, text, strlen(text));
}

/* Words as arguments of a macro: short ones that could be macros, and lone punctuation, are guarded. */
static void mdoc_arguments(FILE *to, const char *words, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t k = 0;

		while (i + k < n && words[i + k] != ' ')
			k++;
		fputs(k <= 1 || (k <= 2 && isupper((unsigned char)words[i])) || !isalnum((unsigned char)words[i]) ? " \\&" : " ", to);
		mdoc_text(to, words + i, k);
		i += k;
		while (i < n && words[i] == ' ')
			i++;
	}
}

/* A run of prose up to a literal or the end, with a line for each sentence. Returns whether a line is open. */
static bool put_prose(FILE *to, const char *p, size_t n, bool open)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] == ' ' && !open)
			continue;
		if (!open && (p[i] == '.' || p[i] == '\''))
			fputs("\\&", to);
		if (p[i] == ' ' && i && strchr(".?!", p[i - 1]) && i + 1 < n && isupper((unsigned char)p[i + 1])) {
			fputc('\n', to);
			open = false;
			continue;
		}
		if (p[i] == ' ' && i + 1 == n) /* a macro follows */
			continue;
		mdoc_char(to, p[i]);
		open = true;
	}
	return open;
}

/* How many characters at the end of prose belong to the literal behind it: an opening bracket. */
static size_t mdoc_opens(const char *p, size_t n)
{
	return n && (p[n - 1] == '(' || p[n - 1] == '[') ? 1 : 0;
}

static void put_text(FILE *to, const char *text)
{
	bool open = false;

	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "`"), opens = mdoc_opens(p, n), closes;
		const char *literal = p + n + 1, *end;

		open = put_prose(to, p, n - opens, open);
		if (!p[n])
			break;
		end = strchr(literal, '`');
		if (!end)
			break;
		if (open)
			fputc('\n', to);
		fputs(".Cm", to);
		if (opens)
			fprintf(to, " %c", p[n - 1]);
		mdoc_arguments(to, literal, (size_t)(end - literal));
		p = end + 1;
		for (closes = 0; p[closes] && strchr(".,:;)]?!", p[closes]); closes++)
			fprintf(to, " %c", p[closes]);
		p += closes;
		fputc('\n', to);
		open = false;
	}
	if (open)
		fputc('\n', to);
}

static void mdoc_section(struct manual *m, const char *title)
{
	fputs(".Sh ", m->to);
	for (const char *p = title; *p; p++)
		fputc(toupper((unsigned char)*p), m->to);
	fputc('\n', m->to);
	m->after_section = true;
}

static void mdoc_group(struct manual *m, const char *title)
{
	fputs(".Ss ", m->to);
	mdoc_line(m->to, title);
	fputc('\n', m->to);
	m->after_section = true;
}

static void mdoc_paragraph(struct manual *m, const char *text)
{
	if (!m->in_list && !m->after_section)
		fputs(".Pp\n", m->to);
	m->after_section = false;
	put_text(m->to, text);
}

static void mdoc_list(struct manual *m, const char *of)
{
	fputs(of ? ".Bl -tag -width Ds\n" : ".El\n", m->to);
	m->in_list = of != NULL;
	m->after_section = false;
}

static void mdoc_option(struct manual *m, const struct option_info *o)
{
	fputs(".It", m->to);
	if (o->letter)
		fprintf(m->to, " Fl %c ,", o->letter);
	fprintf(m->to, " Fl Fl %s", o->name);
	if (option_stands_alone(o))
		fprintf(m->to, " Ns Op = Ns Ar %s", o->argument);
	else if (o->argument)
		fprintf(m->to, " Ar %s", o->argument);
	fputc('\n', m->to);
}

static void mdoc_item(struct manual *m, const char *terms, const char *note)
{
	fputs(".It Xo\n.Va", m->to);
	for (const char *p = terms; *p;) {
		size_t n = strcspn(p, " ");

		mdoc_arguments(m->to, p, n);
		p += n;
		p += *p == ' ';
		if (*p)
			fputs(" ,", m->to);
	}
	if (note) {
		fputs("\n.No", m->to);
		mdoc_arguments(m->to, note, strlen(note));
	}
	fputs("\n.Xc\n", m->to);
}

static void mdoc_term(struct manual *m, const char *words)
{
	fputs(".It Sy", m->to);
	mdoc_arguments(m->to, words, strlen(words));
	fputc('\n', m->to);
}

static void mdoc_usage(struct manual *m, enum command c)
{
	const struct command_info *info = command_info(c);

	fprintf(m->to, ".Nm pas2p\n.Cm %s\n.Op Ar OPTION ...\n", info->name);
	if (!info->operands[0])
		return;
	fputs(".Ar", m->to);
	mdoc_arguments(m->to, info->operands, strlen(info->operands));
	fputc('\n', m->to);
}

static void mdoc_example(struct manual *m, const char *comment, const char *command)
{
	if (!m->after_section)
		fputs(".Pp\n", m->to);
	m->after_section = false;
	fprintf(m->to, "%c", toupper((unsigned char)*comment));
	mdoc_text(m->to, comment + 1, strlen(comment + 1));
	fputs(":\n.Pp\n.Dl pas2p", m->to);
	mdoc_arguments(m->to, command, strlen(command));
	fputc('\n', m->to);
}

static int compare_pages(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	int section = strchr(*x, ' ')[1] - strchr(*y, ' ')[1];

	return section ? section : strcmp(*x, *y);
}

#define PAGES_MOST 16

/* By section and name, as man pages have it. */
static void mdoc_see(struct manual *m, const char *others, const char *self)
{
	static const struct {
		const char *topic, *page;
	} topics[] = {
		{"help settings", "pas2p-settings 7"}, {"help glossary", "pas2p-glossary 7"}, {"help keys", "pas2p-workbench 1"},
		{"help options", NULL}, {"help exit-status", NULL},
	};
	char word[64], note[96], names[PAGES_MOST][80];
	const char *pages[PAGES_MOST] = {"pas2p 1"};
	size_t count = 1;

	while ((others = manual_see_next(others, word, sizeof word, note, sizeof note)) && count < PAGES_MOST) {
		const char *page = names[count];

		if (strncmp(word, "help ", 5) == 0 && strcmp(word + 5, self) == 0)
			continue;
		snprintf(names[count], sizeof names[count], "pas2p-%s 1", word);
		for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
			if (strcmp(topics[i].topic, word) == 0)
				page = topics[i].page;
		if (page)
			pages[count++] = page;
	}
	qsort(pages, count, sizeof *pages, compare_pages);
	for (size_t i = 0; i < count; i++)
		fprintf(m->to, ".Xr %s%s\n", pages[i], i + 1 < count ? " ," : "");
}

void manual_mdoc(struct manual *m, FILE *to)
{
	*m = (struct manual){.to = to, .section = mdoc_section, .group = mdoc_group, .text = mdoc_paragraph, .list = mdoc_list, .option = mdoc_option,
			     .item = mdoc_item, .term = mdoc_term, .usage = mdoc_usage, .example = mdoc_example, .see = mdoc_see};
}
