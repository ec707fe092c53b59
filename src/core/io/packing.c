#include "packing.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *name, *ending, *library, *package, *magic;
	size_t length;
	bool built;
} packings[PACKINGS] = {
	[PACKING_NONE] = {"", "", "", "", "", 0, true},
	[PACKING_GZIP] = {"gzip", ".gz", "zlib", "zlib1g-dev", "\x1F\x8B", 2,
#ifdef WITH_ZLIB
			  true
#else
			  false
#endif
	},
	[PACKING_XZ] = {"xz", ".xz", "liblzma", "liblzma-dev", "\xFD" "7zXZ\0", 6,
#ifdef WITH_LZMA
			true
#else
			false
#endif
	},
	[PACKING_ZSTD] = {"zstd", ".zst", "libzstd", "libzstd-dev", "\x28\xB5\x2F\xFD", 4,
#ifdef WITH_ZSTD
			  true
#else
			  false
#endif
	},
};

bool packing_begins(enum packing packing, const uint8_t *bytes, size_t n)
{
	/* A zstd frame that is to be skipped, as pzstd writes before each of its own, is one too. */
	if (packing == PACKING_ZSTD && n >= 4 && (bytes[0] & 0xF0) == 0x50 && !memcmp(bytes + 1, "\x2A\x4D\x18", 3))
		return true;
	return n >= packings[packing].length && !memcmp(bytes, packings[packing].magic, packings[packing].length);
}

enum packing packing_of(const uint8_t *bytes, size_t n)
{
	for (enum packing p = PACKING_NONE + 1; p < PACKINGS; p++)
		if (packing_begins(p, bytes, n))
			return p;
	return PACKING_NONE;
}

const char *packing_name(enum packing packing)
{
	return packings[packing].name;
}

const char *packing_ending(enum packing packing)
{
	return packings[packing].ending;
}

const char *packing_library(enum packing packing)
{
	return packings[packing].library;
}

const char *packing_package(enum packing packing)
{
	return packings[packing].package;
}

bool packing_built(enum packing packing)
{
	return packings[packing].built;
}

static bool has_ending(const char *name, size_t n, enum packing packing)
{
	size_t length = strlen(packings[packing].ending);

	return n > length && !strncasecmp(name + n - length, packings[packing].ending, length);
}

enum packing packing_of_name(const char *name)
{
	for (enum packing p = PACKING_NONE + 1; p < PACKINGS; p++)
		if (has_ending(name, strlen(name), p))
			return p;
	return PACKING_NONE;
}

size_t packing_stem(const char *name, size_t n)
{
	for (enum packing p = PACKING_NONE + 1; p < PACKINGS; p++)
		if (has_ending(name, n, p))
			return n - strlen(packings[p].ending);
	return n;
}
