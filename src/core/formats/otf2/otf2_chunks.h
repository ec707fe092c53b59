/* What the chunks of an event file say of it, before libotf2 is given the file.
 *
 * An event file is a row of chunks of the size that the anchor says, the last one may be shorter. Each begins with a byte 3, one that tells
 * the byte order ('B' little, '#' big), and the numbers of its first and last record, from 1, without gaps. So how many records there are is
 * known without reading them, and a file with a chunk that is none is read only up to there.
 */
#ifndef PAS2P_OTF2_CHUNKS_H
#define PAS2P_OTF2_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

struct otf_chunks {
	bool missing, empty;
	bool bad;          /* a chunk is none, at byte `bad_at` */
	uint64_t bad_at;
	bool cut;          /* its last byte is not that which ends such files */
	uint64_t bytes;    /* of the file */
	uint64_t records;  /* that good chunks say they hold, but never more than the bytes can be */
};

/* chunk: bytes of a chunk, as the anchor says; 0: not known, or files are compressed, and then nothing is looked at but the size. */
struct otf_chunks otf_chunks_of(const char *path, uint64_t chunk);

#endif
