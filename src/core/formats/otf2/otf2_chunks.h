/* What the chunks of an archive's file say of it, before libotf2 is given the file: the library takes what lies behind
 * a file's end in its memory for more of it, and a length or a count in a record for what it says.
 *
 * A file is a row of chunks of the size that the anchor says, the last one may be shorter. Each begins with a byte 3,
 * one that tells the byte order ('B' little, '#' big), and in event files the numbers of its first and last record,
 * from 1, without gaps. Records follow: a byte what it is, a byte how many more there are (255: eight bytes say so),
 * and these. An event that is one number has that number's length in place of its own (255: it is undefined). In event
 * files 5 and eight bytes are a time, and 6, the attributes of a record, belongs to the one that follows. 0: the rest of
 * the chunk is unused. 2 and then 1: the file ends. What a record has beyond its fields is
 * of a later version; fields that lie beyond the record are damage (otf2_layouts.h).
 */
#ifndef PAS2P_OTF2_CHUNKS_H
#define PAS2P_OTF2_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

enum otf_look { OTF_LOOK_HEADERS, OTF_LOOK_EVENTS, OTF_LOOK_GLOBAL, OTF_LOOK_LOCAL }; /* the last two: definitions */

struct otf_chunks {
	bool missing;      /* or empty, or no file */
	bool broken;       /* a chunk is none, or a record in it: those before it can be read */
	bool no_memory;    /* to look at it: nothing else here counts */
	bool cut;          /* the file does not end as such files do */
	uint64_t bytes;    /* of the file */
	uint64_t records;  /* that are whole; of headers alone: that these say there are, but never more than the bytes can be */
};

/* chunk: bytes of one, as the anchor says; 0: files are compressed, and then nothing is looked at but the size. */
struct otf_chunks otf_chunks_of(const char *path, uint64_t chunk, enum otf_look look);

#endif
