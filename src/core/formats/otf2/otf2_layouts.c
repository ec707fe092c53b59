#include "otf2_layouts.h"

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

const struct otf_layout *otf_layout_of(enum otf_files files, uint8_t kind)
{
	static const struct otf_layout layouts[OTF_FILES][KINDS] = {
#define PUT_GLOBAL(kind, fields, lists) [OTF_FILES_GLOBAL][kind] = {fields, lists},
#define PUT_LOCAL(kind, fields, lists) [OTF_FILES_LOCAL][kind] = {fields, lists},
#define PUT_EVENTS(kind, fields, lists) [OTF_FILES_EVENTS][kind] = {fields, lists},
#define PUT_DEFINITIONS(kind, fields, lists) PUT_GLOBAL(kind, fields, lists) PUT_LOCAL(kind, fields, lists)
#define LAYOUT(files, kind, fields) PUT_##files(kind, fields, false)
#define LISTS(files, kind, fields) PUT_##files(kind, fields, true)
#include "otf2_layouts.def"
	};

	return &layouts[files][kind];
}

static bool pass(struct reading_fields *r, size_t n)
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
	return pass(r, 1 + length);
}

static bool pass_value(struct reading_fields *r)
{
	switch (r->number) {
	case TYPE_UINT8:
	case TYPE_INT8:
		return pass(r, 1);
	case TYPE_UINT16:
	case TYPE_INT16:
		return pass(r, 2);
	case TYPE_FLOAT:
		return pass(r, 4);
	case TYPE_DOUBLE:
		return pass(r, 8);
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
	if (!pass(r, 1))
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
		return pass(r, 1);
	case 't':
		return pass(r, 8);
	case 's':
		end = memchr(r->at, '\0', r->left);
		return end && pass(r, (size_t)(end - r->at) + 1);
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
