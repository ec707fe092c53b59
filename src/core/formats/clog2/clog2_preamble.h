/* The preamble's strings: titles and values, as text, before any of it is believed. Private to the reader. */
#ifndef PAS2P_CLOG2_PREAMBLE_H
#define PAS2P_CLOG2_PREAMBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "clog2.h"

struct preamble {
	const char *big_endian, *finalized, *block_size, *world_size, *threads; /* NULL: not there */
	const char *table[3]; /* offset of the communicator table: [0] * [1] + [2] */
	const char *negative; /* the title of the first count that is below 0; its value stands behind it */
	bool cut;             /* a value runs off the preamble's end */
};

/* The pointers go into bytes. */
void preamble_split(struct preamble *preamble, const char bytes[CLOG2_PREAMBLE]);

bool preamble_number(const char *value, uint64_t max, uint64_t *out); /* decimal digits only, up to max */
bool preamble_bool(const char *value, bool *out);                     /* "TRUE " or "FALSE", exactly */

#endif
