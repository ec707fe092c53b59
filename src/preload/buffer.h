/* The record buffer of this process: CLOG2 blocks in memory, which spill to a local file.
 *
 * Memory is bounded (BUFFER_BLOCKS blocks). When they are full, or a second old, they are appended to the local file
 * STEM.rankNNNNNN.clog2, which is there from the start if it can be (job_marks.h). After every spill it is a valid
 * unfinalized CLOG-02.44 file in the host's byte order: what was spilled survives even kill -9. The file is new
 * (O_EXCL), and STEM is this run's alone: neither an earlier or concurrent run's file nor a link that somebody put
 * there is written to. buffer_rescue() also saves what is in memory, for aborts and other signals. At MPI_Finalize
 * merge.c reads all of it back through buffer_block().
 *
 * Writing, in one thread at a time (preload.h has the lock):
 *
 *     p = buffer_room(bytes);            contiguous, never NULL; may spill
 *     t = buffer_order(clock_now());     times never go back within a process
 *     p = put_bare(p, t, ...); ...       records end to end
 *     buffer_commit(bytes, t);           now they count; a signal in between loses them, and nothing else
 *
 * A spill logs itself as MPE does: state CLOG_Buffer_write2disk, first in the new block.
 */
#ifndef PAS2P_BUFFER_H
#define PAS2P_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#define BUFFER_BLOCK 65536u
#define BUFFER_BLOCKS 16u
#define BUFFER_SECONDS 1.0         /* complete blocks wait no longer than that, as long as there are calls */
#define BUFFER_SPARE (24u + 32u)   /* what MPE keeps free at the end of a local block */
#define BUFFER_CALL 512u           /* enough for the records of any call but those that complete many requests */

enum { REC_ENDLOG, REC_ENDBLOCK, REC_STATEDEF, REC_EVENTDEF, REC_CONSTDEF, REC_BARE, REC_CARGO, REC_MSG, REC_COLL,
       REC_COMM, REC_SRCLOC, REC_TIMESHIFT };
#define LEN_BARE 32u
#define LEN_CARGO 64u
#define LEN_MSG 48u
#define LEN_COMM 72u
#define LEN_STATEDEF 136u
#define LEN_EVENTDEF 128u
#define LEN_CONSTDEF 64u
#define LEN_TIMESHIFT 32u
#define NULL_COMM (-999999999)
#define ETYPE_SPILL 560     /* CLOG_Buffer_write2disk; 561 is its end */

struct buffer {
	uint8_t *block;       /* the one being filled */
	size_t used;          /* of it */
	double last;          /* time of the last record */
	double spilled_at;    /* time of the last spill */
	uint8_t *memory;
	unsigned filled;      /* complete blocks in memory */
	uint64_t spilled;     /* complete blocks in the local file */
	int fd;               /* of the local file; -1: there is none */
	bool broken;          /* the local file cannot be written: records are dropped from here on */
	int32_t rank, size;
	pid_t pid;            /* whose records these are: a forked child writes none */
	char path[4096];
};

extern struct buffer buffer;

/* stem: what the local file's name begins with. False: no memory. */
bool buffer_init(const char *stem, int rank, int size);

/* Close the block and go on to the next one; spills if there is none free. */
void buffer_next_block(void);

/* The same where records of times that have passed are still to come: what the spill took is told, for
 * buffer_log_spill() behind those. False: there was no spill. */
struct buffer_spill {
	double start, end;
};
bool buffer_next_block_at(double t, struct buffer_spill *spill);
void buffer_log_spill(const struct buffer_spill *spill);

static inline uint8_t *buffer_room(size_t bytes)
{
	if (__builtin_expect(buffer.used + bytes + BUFFER_SPARE >= BUFFER_BLOCK, 0))
		buffer_next_block();
	return buffer.block + buffer.used;
}

static inline double buffer_order(double t)
{
	return __builtin_expect(t < buffer.last, 0) ? buffer.last : t;
}

static inline void buffer_commit(size_t bytes, double last)
{
	__atomic_signal_fence(__ATOMIC_RELEASE);
	buffer.used += bytes;
	buffer.last = last;
}

/* Might the records of the next call need another block, and so perhaps a spill? */
static inline bool buffer_tight(void)
{
	return buffer.used + BUFFER_CALL + BUFFER_SPARE >= BUFFER_BLOCK;
}

/* Write all that is in memory to the local file, creating it if need be; safe in a signal handler. */
void buffer_rescue(void);

/* For the merge: close the last block with ENDLOG; then block k of buffer_block_count() into `into`. */
void buffer_close(double time);
uint64_t buffer_block_count(void);
bool buffer_block(uint64_t k, uint8_t into[BUFFER_BLOCK]);

/* Remove or keep the local file, free the memory. */
void buffer_release(bool keep);

/* The records. Host byte order, but cargo, which is big-endian always. */
static inline uint8_t *put_i32(uint8_t *p, int32_t v)
{
	memcpy(p, &v, 4);
	return p + 4;
}

static inline uint8_t *put_f64(uint8_t *p, double v)
{
	memcpy(p, &v, 8);
	return p + 8;
}

static inline uint64_t big_u64(uint64_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(v) : v;
}

static inline uint32_t big_u32(uint32_t v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(v) : v;
}

/* Into cargo. */
static inline uint8_t *put_big(uint8_t *p, int32_t v)
{
	uint32_t bits = big_u32((uint32_t)v);

	memcpy(p, &bits, 4);
	return p + 4;
}

static inline uint8_t *put_head(uint8_t *p, double time, int32_t icomm, int32_t rank, int32_t thread, int32_t type)
{
	p = put_f64(p, time);
	p = put_i32(p, icomm);
	p = put_i32(p, rank);
	p = put_i32(p, thread);
	return put_i32(p, type);
}

static inline uint8_t *put_bare(uint8_t *p, double time, int32_t icomm, int32_t rank, int32_t thread, int32_t etype)
{
	p = put_head(p, time, icomm, rank, thread, REC_BARE);
	p = put_i32(p, etype);
	return put_i32(p, 0);
}

static inline uint8_t *put_cargo(uint8_t *p, double time, int32_t icomm, int32_t rank, int32_t thread, int32_t etype,
				 uint64_t bits)
{
	bits = big_u64(bits);
	p = put_head(p, time, icomm, rank, thread, REC_CARGO);
	p = put_i32(p, etype);
	p = put_i32(p, 0);
	memset(p, 0, 32);
	memcpy(p, &bits, 8);
	return p + 32;
}

static inline uint64_t f64_bits(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, 8);
	return bits;
}

static inline uint8_t *put_msg(uint8_t *p, double time, int32_t icomm, int32_t rank, int32_t thread, int32_t etype,
			       int32_t peer, int32_t tag, int32_t size)
{
	p = put_head(p, time, icomm, rank, thread, REC_MSG);
	p = put_i32(p, etype);
	p = put_i32(p, NULL_COMM);
	p = put_i32(p, peer);
	p = put_i32(p, tag);
	p = put_i32(p, size);
	return put_i32(p, 0);
}

#endif
