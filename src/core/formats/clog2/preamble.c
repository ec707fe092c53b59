#include "clog2_int.h"

#include <string.h>

/* The NUL-terminated string at *at, which moves behind it; NULL if it is not terminated in the preamble. */
static const char *next_string(const char bytes[CLOG2_PREAMBLE], size_t *at)
{
	size_t len = strnlen(bytes + *at, CLOG2_PREAMBLE - *at);
	const char *s = bytes + *at;

	if (*at + len >= CLOG2_PREAMBLE)
		return NULL;
	*at += len + 1;
	return s;
}

/* A count that is read for nothing else. */
static bool is_count(const char *title)
{
	static const char *const counts[] = {"num_buffered_blocks=", "known_stateID_count=", "user_stateID_count=",
					     "known_solo_eventID_count=", "user_solo_eventID_count="};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (!strcmp(title, counts[i]))
			return true;
	return false;
}

void preamble_split(struct preamble *preamble, const char bytes[CLOG2_PREAMBLE])
{
	size_t at = 0;

	memset(preamble, 0, sizeof *preamble);
	next_string(bytes, &at); /* the version */
	for (;;) {
		const char *title = next_string(bytes, &at), *value;

		/* Zeros after the last pair; in the first 02.10 builds, junk. */
		if (!title || !*title || title[strlen(title) - 1] != '=')
			return;
		value = next_string(bytes, &at);
		if (!value) {
			preamble->cut = true;
			return;
		}
		if (*value == '-' && !preamble->negative && is_count(title))
			preamble->negative = title;
		if (!strcmp(title, "is_big_endian="))
			preamble->big_endian = value;
		else if (!strcmp(title, "is_finalzed=")) /* as MPE writes it */
			preamble->finalized = value;
		else if (!strcmp(title, "block_size="))
			preamble->block_size = value;
		else if (!strcmp(title, "comm_world_size=") || !strcmp(title, "max_comm_world_size="))
			preamble->world_size = value;
		else if (!strcmp(title, "max_thread_count="))
			preamble->threads = value;
		else if (!strcmp(title, "commtable_fptr=")) {
			preamble->table[0] = value;
			preamble->table[1] = next_string(bytes, &at);
			preamble->table[2] = preamble->table[1] ? next_string(bytes, &at) : NULL;
			preamble->cut = !preamble->table[2];
			if (preamble->cut)
				return;
		}
	}
}

bool preamble_number(const char *s, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (!s || !*s)
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9' || v > (UINT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (uint64_t)(*s - '0');
	}
	*out = v;
	return v <= max;
}

bool preamble_bool(const char *s, bool *out)
{
	if (!s || (strcmp(s, "TRUE ") && strcmp(s, "FALSE")))
		return false;
	*out = *s == 'T';
	return true;
}
