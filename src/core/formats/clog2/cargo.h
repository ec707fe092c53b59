/* Cargo: the 32 bytes of a CARGOEVT, read by the format string of its definition.
 *
 * A format is label text and tokens: %s %h %d %x %l %X %e %E (MPE2's packer: big-endian, unaligned, no
 * flags or widths). Bytes behind the last field are arbitrary.
 */
#ifndef PAS2P_CARGO_H
#define PAS2P_CARGO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cargo_type { CARGO_TEXT, CARGO_INT, CARGO_HEX, CARGO_REAL };

struct cargo_field {
	enum cargo_type type;
	char label[41];       /* text before the token, trimmed of blanks, commas, semicolons and a trailing '=' or ':' */
	char token;           /* the letter: s h d x l X e E */
	int64_t i;            /* CARGO_INT, CARGO_HEX; the length of CARGO_TEXT */
	double d;             /* CARGO_REAL */
	char text[33];        /* CARGO_TEXT, raw */
	unsigned offset;      /* in the cargo */
};

#define CARGO_FIELDS 16

/* Decode up to CARGO_FIELDS fields. Returns how many were decoded; *whole is false if the format is
 * malformed or asks for more than 32 bytes (what came before is decoded). Never reads past 32 bytes. */
size_t cargo_decode(const char *format, const uint8_t bytes[32], struct cargo_field out[CARGO_FIELDS], bool *whole);

#endif
