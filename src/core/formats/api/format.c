#include "format.h"

#include <string.h>
#include <strings.h>

#include "core/io/packing.h"

size_t format_stem(const char *name, size_t n)
{
	size_t all = n;

	n = packing_stem(name, n);
	for (const struct format *const *format = formats; *format; format++) {
		size_t length = strlen((*format)->ending);

		if (n > length && !strncasecmp(name + n - length, (*format)->ending, length))
			return n - length;
	}
	return all;
}
