/* CLOG2 files as lists of records, for what changes traces record by record: the mutator and the cutter.
 *
 * It knows lengths and blocks only, and has nothing in common with the reader that it is to test.
 */
#ifndef PAS2P_FUZZ_RECORDS_H
#define PAS2P_FUZZ_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REC_MAX 4096

struct rec {
	uint8_t bytes[136];
	uint8_t length;
};

struct recs {
	char version[11];
	bool big_endian, finalized, closed; /* closed: ends with ENDLOG */
	uint32_t block_size, header;
	int32_t world_size;
	size_t n;
	struct rec list[REC_MAX];
};

/* False if it is no such file. What stands behind a broken record is left out. */
bool recs_parse(struct recs *r, const uint8_t *bytes, size_t size);

/* The file again, through blocks of r->block_size; 0 if it does not fit into max bytes. */
size_t recs_write(const struct recs *r, uint8_t *bytes, size_t max);

uint32_t rec_type(const struct recs *r, const struct rec *x);
uint32_t rec_length(const struct recs *r, uint32_t type); /* 0: no such type */
uint32_t rec_get32(const struct recs *r, const struct rec *x, size_t at);
void rec_put32(const struct recs *r, struct rec *x, size_t at, uint32_t v);
double rec_time(const struct recs *r, const struct rec *x);
void rec_put64(const struct recs *r, struct rec *x, size_t at, double v);

#endif
