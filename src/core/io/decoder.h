/* Decompressors: gzip, xz and zstd behind one interface, each there if its library was when this was built.
 *
 * A compressed file is members end to end: gzip members, xz streams, zstd frames. decoder_begin() begins one,
 * decoder_run() takes its bytes and gives what they decompress to, until it says that the member is at its end. Not for
 * several threads at once.
 */
#ifndef PAS2P_DECODER_H
#define PAS2P_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "packing.h"

#define DECODER_MOST (UINT64_C(256) << 20)         /* bytes of memory that a decompressor may want */

enum decoder_step {
	DECODER_MORE,    /* it goes on: give it more bytes, or more room */
	DECODER_MEMBER,  /* the member is at its end, and what it decompresses to was given */
	DECODER_BAD,     /* the bytes are no such member's, or their checksum is wrong; what was before that was given */
	DECODER_HUGE,    /* it would need more than DECODER_MOST */
	DECODER_MEMORY   /* an allocation failed */
};

struct decoder;

/* ERR_FORMAT, naming the package, if this was built without it; ERR_MEMORY. */
enum err_code decoder_new(struct decoder **decoder, enum packing packing, struct err *e);
void decoder_free(struct decoder *decoder); /* NULL is fine */

/* May bytes be the beginning of another member? As many are needed as PACKING_MAGIC says. */
bool decoder_member(const struct decoder *decoder, const uint8_t *bytes, size_t n);
bool decoder_begin(struct decoder *decoder); /* false: no memory */
/* Moves *in and *out on. With no bytes left it gives what it still has. */
enum decoder_step decoder_run(struct decoder *decoder, const uint8_t **in, size_t *in_left, uint8_t **out, size_t *out_left);

#endif
