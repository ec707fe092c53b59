#include "language.h"

#include <string.h>

/* The operations that a program does and a machine has times for (docs/explain/models-language.md, "Machine files"):
 * with a type behind it, sum_int, sum_long, sum_float, sum_double; alone, whatever the type; and per byte of memory
 * beyond the caches. */
#define TYPED(NAME) NAME(sum) NAME(sub) NAME(mpy) NAME(div) NAME(mod) NAME(compare) NAME(assign) NAME(access)
#define ALONE(NAME) NAME(compare) NAME(access) NAME(assign) NAME(call)
#define BYTES(NAME) NAME(read) NAME(write) NAME(copy)
#define AS_TEXT(name) #name,

static const char *const types[] = {"int", "long", "float", "double"};

static const char *const typed[] = {TYPED(AS_TEXT)};
static const char *const alone[] = {ALONE(AS_TEXT)};
static const char *const bytes[] = {BYTES(AS_TEXT)};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool stands_in(const char *const *list, size_t count, const char *name, size_t n)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i]) == n && !memcmp(list[i], name, n))
			return true;
	return false;
}

enum operation_family operation_family(const char *name)
{
	const char *type = strchr(name, '_');
	size_t n = strlen(name);

	if (stands_in(bytes, COUNT(bytes), name, n))
		return OPERATION_MEMORY;
	if (stands_in(alone, COUNT(alone), name, n))
		return OPERATION_PROCESSOR;
	if (type && stands_in(typed, COUNT(typed), name, (size_t)(type - name)) &&
	    stands_in(types, COUNT(types), type + 1, strlen(type + 1)))
		return OPERATION_PROCESSOR;
	return OPERATION_UNKNOWN;
}

const char *operation_names(enum operation_family family)
{
#define BEFORE_COMMA(name) #name ", "
#define BEHIND_COMMA(name) ", " #name
	static const char processor[] = TYPED(BEFORE_COMMA) "each with the ending _int, _long, _float or "
					      "_double" ALONE(BEHIND_COMMA);
	static const char memory[] = BYTES(BEHIND_COMMA);

	return family == OPERATION_MEMORY ? memory + 2 : processor;
}
