#include "otf2_int.h"

#include <string.h>

#define KINDS 256
#define NUMBER_MOST 8
#define UNDEFINED 255 /* of a number's length */

/* Types of values (OTF2_Type): those that are no numbers as others are. */
enum { TYPE_UINT8 = 1, TYPE_UINT16 = 2, TYPE_INT8 = 5, TYPE_INT16 = 6, TYPE_FLOAT = 9, TYPE_DOUBLE = 10 };

struct reading_fields {
	const uint8_t *at;
	size_t left;
	bool little;
	uint64_t number; /* read last */
};

/* What libotf2 reads of a record, in its order, whatever length the record says it has: LAYOUT(files, kind, fields),
 * and LISTS() where some are there as often as another says.
 *
 *     b  a byte                u  a number: how many bytes it has (0 to 8; 255: it is undefined), and these
 *     t  eight bytes           s  a text, up to a 0
 *     v  a value, of the type that is the byte before it
 *     [] what is there as often as the number before it says
 *     m  a map: how many pairs, how they are said (1: both ends of each), and these
 *     |  the record may end here: what follows was added later
 *     =  a number alone: the record is nothing else, and does not say how long it is
 *
 * Kinds that are not here the library skips, or reads nothing of. */
#define PUT_GLOBAL(kind, fields, lists) [OTF_FILES_GLOBAL][kind] = {fields, lists},
#define PUT_LOCAL(kind, fields, lists) [OTF_FILES_LOCAL][kind] = {fields, lists},
#define PUT_EVENTS(kind, fields, lists) [OTF_FILES_EVENTS][kind] = {fields, lists},
#define PUT_DEFINITIONS(kind, fields, lists) PUT_GLOBAL(kind, fields, lists) PUT_LOCAL(kind, fields, lists)
#define LAYOUT(files, kind, fields) PUT_##files(kind, fields, false)
#define LISTS(files, kind, fields) PUT_##files(kind, fields, true)
static const struct otf_layout layouts[OTF_FILES][KINDS] = {
/* global definitions */
LAYOUT(GLOBAL, 5, "uuu|u")
LAYOUT(GLOBAL, 6, "bub")
LAYOUT(GLOBAL, 7, "bbbv")
LISTS(GLOBAL, 8, "buubub[bbv]")

/* definitions of one location */
LISTS(LOCAL, 5, "bm")
LAYOUT(LOCAL, 6, "tut")

/* both */
LAYOUT(DEFINITIONS, 10, "us")
LAYOUT(DEFINITIONS, 11, "uub|u")
LAYOUT(DEFINITIONS, 12, "uuuu")
LAYOUT(DEFINITIONS, 13, "uubu|u")
LAYOUT(DEFINITIONS, 14, "uubuu")
LAYOUT(DEFINITIONS, 15, "uuubuuu|ubbu")
LAYOUT(DEFINITIONS, 16, "uuuuu")
LAYOUT(DEFINITIONS, 17, "uuu")
LISTS(DEFINITIONS, 18, "uubu[u]|bbu")
LAYOUT(DEFINITIONS, 19, "uuubbbbuu")
LISTS(DEFINITIONS, 20, "ub[u]b|b")
LAYOUT(DEFINITIONS, 21, "uuubu")
LAYOUT(DEFINITIONS, 22, "uuuu|u")
LAYOUT(DEFINITIONS, 23, "uub")
LAYOUT(DEFINITIONS, 24, "uuu|u")
LAYOUT(DEFINITIONS, 25, "uu")
LAYOUT(DEFINITIONS, 26, "uuu|bv")
LAYOUT(DEFINITIONS, 27, "ub")
LAYOUT(DEFINITIONS, 28, "uuu|bv")
LAYOUT(DEFINITIONS, 29, "uuu|bv")
LAYOUT(DEFINITIONS, 30, "uuub")
LISTS(DEFINITIONS, 31, "uuub[u]")
LISTS(DEFINITIONS, 32, "uub[u]")
LAYOUT(DEFINITIONS, 33, "uuu")
LAYOUT(DEFINITIONS, 34, "uuuu")
LAYOUT(DEFINITIONS, 35, "uubv")
LAYOUT(DEFINITIONS, 36, "uubbuu")
LAYOUT(DEFINITIONS, 37, "uubv")
LAYOUT(DEFINITIONS, 38, "uuu")
LAYOUT(DEFINITIONS, 39, "uuu")
LAYOUT(DEFINITIONS, 40, "uuubuuu")
LAYOUT(DEFINITIONS, 41, "ubu")
LAYOUT(DEFINITIONS, 42, "uubv")
LAYOUT(DEFINITIONS, 43, "uuuuuu")

/* events */
LISTS(EVENTS, 6, "u[ubv]")
LAYOUT(EVENTS, 10, "t")
LAYOUT(EVENTS, 11, "b")
LAYOUT(EVENTS, 12, "=")
LAYOUT(EVENTS, 13, "=")
LAYOUT(EVENTS, 14, "uuuu")
LAYOUT(EVENTS, 15, "uuuuu")
LAYOUT(EVENTS, 16, "=")
LAYOUT(EVENTS, 17, "=")
LAYOUT(EVENTS, 18, "uuuu")
LAYOUT(EVENTS, 19, "uuuuu")
LAYOUT(EVENTS, 20, "=")
LAYOUT(EVENTS, 21, "=")
LAYOUT(EVENTS, 23, "buuuu")
LAYOUT(EVENTS, 24, "=")
LAYOUT(EVENTS, 26, "uu")
LAYOUT(EVENTS, 27, "uu")
LAYOUT(EVENTS, 28, "=")
LAYOUT(EVENTS, 29, "=")
LAYOUT(EVENTS, 30, "=")
LISTS(EVENTS, 31, "ub[bu]")
LAYOUT(EVENTS, 32, "uu")
LAYOUT(EVENTS, 33, "uu")
LAYOUT(EVENTS, 34, "uu")
LAYOUT(EVENTS, 35, "u")
LAYOUT(EVENTS, 36, "u")
LAYOUT(EVENTS, 38, "buuuuu")
LAYOUT(EVENTS, 39, "uuu")
LAYOUT(EVENTS, 40, "uuub")
LAYOUT(EVENTS, 41, "uuub")
LAYOUT(EVENTS, 42, "uuub")
LAYOUT(EVENTS, 43, "uuu")
LAYOUT(EVENTS, 44, "uub")
LAYOUT(EVENTS, 45, "u")
LAYOUT(EVENTS, 46, "uuuu")
LAYOUT(EVENTS, 47, "uuuu")
LAYOUT(EVENTS, 48, "uubuuu")
LAYOUT(EVENTS, 49, "uu")
LAYOUT(EVENTS, 50, "uu")
LAYOUT(EVENTS, 51, "uu")
LAYOUT(EVENTS, 52, "uu")
LAYOUT(EVENTS, 53, "bu")
LAYOUT(EVENTS, 54, "b")
LAYOUT(EVENTS, 55, "u")
LAYOUT(EVENTS, 56, "u")
LAYOUT(EVENTS, 57, "buu")
LAYOUT(EVENTS, 58, "buu")
LAYOUT(EVENTS, 59, "uuu")
LAYOUT(EVENTS, 60, "uuu")
LAYOUT(EVENTS, 61, "uuu")
LAYOUT(EVENTS, 62, "uu")
LAYOUT(EVENTS, 63, "uu")
LAYOUT(EVENTS, 64, "uu")
LAYOUT(EVENTS, 65, "uu")
LAYOUT(EVENTS, 66, "uu")
LAYOUT(EVENTS, 67, "u")
LAYOUT(EVENTS, 68, "uuu")
LAYOUT(EVENTS, 69, "ubuu")
LAYOUT(EVENTS, 70, "u")
LAYOUT(EVENTS, 71, "uuu")
LAYOUT(EVENTS, 72, "uubu")
LAYOUT(EVENTS, 73, "uu")
LAYOUT(EVENTS, 74, "bu")
LAYOUT(EVENTS, 75, "ubuuu")
LAYOUT(EVENTS, 76, "uu")
LAYOUT(EVENTS, 77, "uu")
LAYOUT(EVENTS, 78, "uuu")
LAYOUT(EVENTS, 79, "uu")
LAYOUT(EVENTS, 80, "ub")
LAYOUT(EVENTS, 81, "ub")
LAYOUT(EVENTS, 82, "ub")
LISTS(EVENTS, 83, "uu[u]")
LAYOUT(EVENTS, 84, "u")
LAYOUT(EVENTS, 85, "u")
LAYOUT(EVENTS, 86, "buuuuu")
LAYOUT(EVENTS, 87, "u")
LAYOUT(EVENTS, 88, "u")
};

const struct otf_layout *otf_layout_of(enum otf_files files, uint8_t kind)
{
	return &layouts[files][kind];
}

static bool fields_pass_bytes(struct reading_fields *r, size_t n)
{
	if (n > r->left)
		return false;
	r->at += n;
	r->left -= n;
	return true;
}

static bool pass_number(struct reading_fields *r)
{
	size_t length;

	if (!r->left)
		return false;
	length = *r->at == UNDEFINED ? 0 : *r->at;
	r->number = *r->at == UNDEFINED ? UINT64_MAX : 0;
	if (length > NUMBER_MOST || length >= r->left)
		return false;
	for (size_t i = 0; i < length; i++)
		r->number = r->number << 8 | r->at[1 + (r->little ? length - 1 - i : i)];
	return fields_pass_bytes(r, 1 + length);
}

static bool pass_value(struct reading_fields *r)
{
	switch (r->number) {
	case TYPE_UINT8:
	case TYPE_INT8:
		return fields_pass_bytes(r, 1);
	case TYPE_UINT16:
	case TYPE_INT16:
		return fields_pass_bytes(r, 2);
	case TYPE_FLOAT:
		return fields_pass_bytes(r, 4);
	case TYPE_DOUBLE:
		return fields_pass_bytes(r, 8);
	default:
		return pass_number(r);
	}
}

static bool pass_map(struct reading_fields *r)
{
	uint64_t pairs;

	if (!pass_number(r) || !r->left)
		return false;
	pairs = r->number;
	if (pairs > r->left)
		return false;
	pairs *= *r->at ? 2 : 1;
	if (!fields_pass_bytes(r, 1))
		return false;
	while (pairs--)
		if (!pass_number(r))
			return false;
	return true;
}

static bool pass_field(struct reading_fields *r, char field)
{
	const uint8_t *end;

	switch (field) {
	case 'b':
		r->number = r->left ? *r->at : 0;
		return fields_pass_bytes(r, 1);
	case 't':
		return fields_pass_bytes(r, 8);
	case 's':
		end = memchr(r->at, '\0', r->left);
		return end && fields_pass_bytes(r, (size_t)(end - r->at) + 1);
	case 'v':
		return pass_value(r);
	case 'm':
		return pass_map(r);
	default:
		return pass_number(r);
	}
}

/* A list is at its beginning in the fields; *end: behind it. */
static bool pass_list(struct reading_fields *r, const char *fields, const char **end)
{
	uint64_t times = r->number;

	*end = strchr(fields, ']') + 1;
	if (times > r->left) /* each takes a byte at least */
		return false;
	while (times--)
		for (const char *field = fields + 1; *field != ']'; field++)
			if (!pass_field(r, *field))
				return false;
	return true;
}

bool otf_layout_fits(const struct otf_layout *layout, const uint8_t *record, size_t n, bool little)
{
	struct reading_fields r = {.at = record, .left = n, .little = little};
	const char *fields = layout->fields ? layout->fields : "";

	if (otf_layout_is_number(layout))
		return n <= NUMBER_MOST;
	while (*fields) {
		bool fits = true;

		if (*fields == '|' && !r.left)
			return true;
		if (*fields == '[')
			fits = pass_list(&r, fields, &fields);
		else if (*fields++ != '|')
			fits = pass_field(&r, fields[-1]);
		if (!fits)
			return false;
	}
	return true;
}
