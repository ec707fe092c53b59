#include "operations.h"

#include <string.h>

static const char *const types[] = {"int", "long", "float", "double"};

static const char *const typed[] = {
#define TYPED(name, meaning) #name,
#include "operations.def"
};

static const char *const alone[] = {
#define ALONE(name, meaning) #name,
#include "operations.def"
};

static const char *const bytes[] = {
#define BYTES(name, meaning) #name,
#include "operations.def"
};

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
#define TYPED(name, meaning) #name ", "
	static const char processor[] =
#include "operations.def"
		"each with _int, _long, _float or _double"
#define ALONE(name, meaning) ", " #name
#include "operations.def"
		;
#define BYTES(name, meaning) ", " #name
	static const char memory[] =
#include "operations.def"
		;

	return family == OPERATION_MEMORY ? memory + 2 : processor;
}
