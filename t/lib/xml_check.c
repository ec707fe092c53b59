#include "xml_check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

#define DEEPEST 64
#define NAME 32

struct reader {
	const char *at;
	const char *elements, *attributes;
	char open[DEEPEST][NAME];
	int depth;
	char *wrong;
};

static bool complain_of(struct reader *r, const char *what)
{
	snprintf(r->wrong, XML_WRONG, "%s at: %.80s", what, r->at);
	return false;
}

static bool listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; (p = strstr(p, name)); p += n)
		if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

static bool read_name(struct reader *r, char name[NAME])
{
	size_t n = 0;

	while (isalnum((unsigned char)r->at[n]) || (r->at[n] && strchr("-:", r->at[n])))
		n++;
	if (!n || n >= NAME)
		return complain_of(r, "no name");
	memcpy(name, r->at, n);
	name[n] = 0;
	r->at += n;
	return true;
}

/* A character of content or of a value. */
static bool read_character(struct reader *r)
{
	static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
	uint32_t c;
	size_t n;

	if (*r->at == '&') {
		for (size_t i = 0; i < sizeof references / sizeof *references; i++)
			if (!strncmp(r->at, references[i], strlen(references[i]))) {
				r->at += strlen(references[i]);
				return true;
			}
		return complain_of(r, "no such reference");
	}
	n = text_decode(r->at, SIZE_MAX, &c);
	if (c != '\n' && (!text_is_safe(c) || (c == 0xFFFD && n == 1)))
		return complain_of(r, "an unsafe character");
	r->at += n;
	return true;
}

static bool read_attributes(struct reader *r)
{
	char seen[16][NAME];
	int n = 0;

	while (*r->at == ' ') {
		char name[NAME];

		r->at++;
		if (!read_name(r, name))
			return false;
		if (!listed(r->attributes, name))
			return complain_of(r, name);
		for (int i = 0; i < n; i++)
			if (!strcmp(seen[i], name))
				return complain_of(r, "an attribute twice");
		if (n < 16)
			strcpy(seen[n++], name);
		if (strncmp(r->at, "=\"", 2) != 0)
			return complain_of(r, "a value without quotes");
		for (r->at += 2; *r->at != '"';) {
			if (!*r->at || *r->at == '<')
				return complain_of(r, "a value does not end");
			if (!read_character(r))
				return false;
		}
		r->at++;
	}
	return true;
}

static bool read_tag(struct reader *r)
{
	char name[NAME];
	bool closes = r->at[1] == '/';

	r->at += closes ? 2 : 1;
	if (!read_name(r, name))
		return false;
	if (closes) {
		if (!r->depth || strcmp(r->open[r->depth - 1], name) != 0)
			return complain_of(r, "another element is open");
		r->depth--;
	} else {
		if (!listed(r->elements, name))
			return complain_of(r, name);
		if (!read_attributes(r))
			return false;
		if (!strncmp(r->at, "/>", 2)) {
			r->at += 2;
			return true;
		}
		if (r->depth == DEEPEST)
			return complain_of(r, "too deep");
		strcpy(r->open[r->depth++], name);
	}
	if (*r->at != '>')
		return complain_of(r, "a tag does not end");
	r->at++;
	return true;
}

bool xml_check(const char *text, const char *elements, const char *attributes, char wrong[XML_WRONG])
{
	static const char doctype[] = "<!DOCTYPE html>\n";
	struct reader r = {.at = text, .elements = elements, .attributes = attributes, .wrong = wrong};
	int roots = 0;

	*wrong = 0;
	if (!strncmp(text, doctype, sizeof doctype - 1))
		r.at += sizeof doctype - 1;
	while (*r.at) {
		if (*r.at == '<') {
			roots += r.depth == 0;
			if (!read_tag(&r))
				return false;
		} else if (!r.depth && *r.at != '\n') {
			return complain_of(&r, "text outside");
		} else if (!strncmp(r.at, "]]>", 3)) {
			return complain_of(&r, "an end of CDATA");
		} else if (!read_character(&r)) {
			return false;
		}
	}
	if (r.depth)
		return complain_of(&r, r.open[r.depth - 1]);
	return roots == 1 || complain_of(&r, "not one root");
}

uint32_t text_count(const char *text, const char *what)
{
	uint32_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}
