/* Probing: looking at single blocks to find out what the preamble says wrongly or not at all. Private to
 * clog2_open(); costs a few blocks' reading, more only where the stated block size does not fit. */
#ifndef PAS2P_CLOG2_PROBE_H
#define PAS2P_CLOG2_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "clog2.h"

#define PROBE_MIN_BLOCK 48u
#define PROBE_MAX_BLOCK (1u << 30)
#define PROBE_END_TIME 1.0e8 /* of ENDLOG in a finalized file */

struct probe {
	const struct clog2_file *file; /* version, byte order, and table as known so far */
	struct clog2_block block;      /* the one looked at last */
	struct err *e;                 /* not NULL */
};

/* The block size by what the blocks look like; `stated` if it fits or nothing fits better. 0 (is no
 * usable size): not to be told. A failed read is an error in p->e, and an error's code is returned. */
enum err_code probe_block_size(struct probe *probe, uint64_t stated, uint32_t *size);

/* Does block k end the log? The marker's time is in p->block. Zero-filled bytes are no end. */
bool probe_ends_log(struct probe *probe, uint64_t k);

/* Is a file that does not say so (up to 02.42) a merged one? Its records tell; else the guess. */
bool probe_merged(struct probe *probe, bool guess);

#endif
