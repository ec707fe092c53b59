/* CLOG2 bytes for tests: files slurped, small runs written, and what the reader makes of bytes.
 *
 *     struct gen_bytes b = gen_clog2_run(&options, 3, 20);
 *     b.bytes[1100] ^= 1;
 *     struct gen_reading r = gen_read(b.bytes, b.size);
 *     ... r.code, r.list, r.end, r.notes ...
 *     gen_reading_free(&r);
 *     free(b.bytes);
 */
#ifndef PAS2P_GEN_CLOG2_H
#define PAS2P_GEN_CLOG2_H

#include <stddef.h>
#include <stdint.h>

#include "core/formats/clog2/clog2.h"

struct gen_bytes {
	uint8_t *bytes; /* free() it */
	size_t size;
};

struct gen_bytes gen_slurp(const char *path); /* bails out if it cannot be read */
struct gen_bytes gen_slurp_fd(int fd);

/* Two options of the writer that a run needs: everything else as given. */
struct clog2_write_options gen_clog2_options(int minor, bool big_endian, bool finalized, uint32_t block_size);

/* A run of so many processes, each of which sends so many messages to the next, with every kind of record that the
 * writer writes. A local file holds process 0 alone. */
struct gen_bytes gen_clog2_run(const struct clog2_write_options *o, int32_t processes, int messages);

/* All that the reader delivers: the records in order, without their payloads' place in memory. */
struct gen_reading {
	enum err_code code; /* of clog2_open or clog2_block_read */
	struct err err;
	struct clog2_file file; /* its source is gone */
	struct notes notes;
	struct clog2_rec *list; /* payload NULL */
	uint32_t *digest;       /* of each record's payload */
	size_t n;
	uint64_t by_type[CLOG2_TYPES];
	uint64_t blocks;        /* read until the log's end or damage */
	uint64_t breaks;        /* blocks that do not start at the time that the one before them promised */
	enum clog2_end end;     /* of the last block read */
	double end_time;
	const char *reason;
	uint64_t end_offset;    /* where reading ended */
};

struct gen_reading gen_read(const void *bytes, size_t size);
void gen_reading_free(struct gen_reading *r);

#endif
