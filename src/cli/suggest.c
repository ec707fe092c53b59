#include "cli_int.h"

#include <limits.h>
#include <string.h>

#define LONGEST 63

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned suggest_distance(const char *a, const char *b)
{
	size_t m = strlen(a), n = strlen(b);
	unsigned d[3][LONGEST + 1];

	if (m > LONGEST || n > LONGEST)
		return UINT_MAX;
	for (size_t j = 0; j <= n; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		unsigned *row = d[i % 3], *above = d[(i - 1) % 3];
		const unsigned *two_above = d[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], two_above[j - 2] + 1);
		}
	}
	return d[m % 3][n];
}

const char *suggest_better(const char *given, const char *best, const char *name)
{
	unsigned d = suggest_distance(given, name);

	/* A third of the letters wrong is a typing error, more is another word. */
	if (d > 1 + strlen(given) / 4 || d >= strlen(given))
		return best;
	return !best || d < suggest_distance(given, best) ? name : best;
}
