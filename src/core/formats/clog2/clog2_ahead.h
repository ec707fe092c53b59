/* Pass 1 over a compressed file, before it is opened.
 *
 * To open a file is to look at its end, which a compressed one shows only when all of it has been decompressed. So it
 * is scanned on the way there, as a file that is what its preamble says. Then it is opened as any other; the scan
 * stands if the blocks are the same, as they are but for damaged files, which are scanned once more.
 */
#ifndef PAS2P_CLOG2_AHEAD_H
#define PAS2P_CLOG2_AHEAD_H

#include "clog2_chunk.h"
#include "core/io/unpack.h"

struct ahead {
	struct clog2_file file; /* as its preamble says */
	struct chunk chunk;     /* empty: nothing was scanned */
};

/* Scan a source whose size is not known, for the loader's file of that number, and find out the size. The loader's
 * definitions must not hold anything yet. ERR_CANCELLED, and errors of reading. The chunk is to be released. */
enum err_code ahead_scan(struct ahead *ahead, struct loader *loader, const struct source *source, int file_index, struct err *e);

/* What was scanned becomes the file's only chunk, once. false: it does not stand, or there is none. */
bool ahead_take(struct ahead *ahead, struct chunk *chunk, const struct clog2_file *file);

#endif
