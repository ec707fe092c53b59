/* "%u run%s", n, plural(n): one run, two runs. */
#ifndef PAS2P_PLURAL_H
#define PAS2P_PLURAL_H

#include <stdint.h>

static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

#endif
