/* CLOG2, writing: a CLOG-02.44 (or 02.40) file of records, through the block structure that MPE writes.
 *
 * For tests and benchmarks (whole traces from nothing), for the tracer's merge and for traces with other times. The
 * writer closes a block where MPE would (used + record + 24 [+ 32 in local files] >= block size), repeats the first
 * record's time of the next block in ENDBLOCK, ends with ENDLOG at 1e8, and appends the communicator
 * table (>= 02.42). Strings longer than their field are cut. Output is buffered by whole blocks, goes to
 * a seekable file descriptor that the caller owns (from its byte 0 on), and is deterministic (pads and
 * stale bytes are zero).
 *
 * Errors stick: after the first one all calls are no-ops and clog2_writer_finish() returns it.
 */
#ifndef PAS2P_CLOG2_WRITE_H
#define PAS2P_CLOG2_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "clog2.h"
#include "core/base/err.h"
#include "core/base/index.h"

/* A communicator of the table. */
struct clog2_writer_comm {
	struct clog2_commentry entry;
	uint32_t order;      /* in which they were told */
};

struct clog2_writer {
	int fd;
	int minor;           /* 40 or 44 */
	bool big_endian, finalized;
	uint32_t block_size;
	int32_t world_size, max_threads;
	uint8_t *block;      /* owned */
	size_t used;
	uint64_t blocks;     /* complete ones */
	int32_t world_rank;  /* of the last COMMEVT of MPI_COMM_WORLD: a local file's markers carry it */
	double last_time;    /* of the last record */
	uint32_t user_states, user_events; /* numbers taken so far, up to the highest: the preamble's counts */
	struct clog2_writer_comm *comms; /* owned; filled from the COMMEVTs written */
	uint32_t comm_count, comm_told;
	size_t comm_cap;
	struct index comm_index; /* by GID and number; an entry's kind may change */
	struct err err;
};

struct clog2_write_options {
	int minor;             /* 44 */
	bool big_endian;       /* true: as finalized files are */
	bool finalized;        /* false: a local file */
	uint32_t block_size;   /* 65536; from 256 to 2^30, whatever multiple */
	int32_t world_size, max_threads;
};

enum err_code clog2_writer_init(struct clog2_writer *writer, int fd, const struct clog2_write_options *o,
				struct err *e);

/* Every record starts with this header. */
struct clog2_head { double time; int32_t icomm, rank, thread; };

/* A BAREEVT, CARGOEVT or MSGEVT of a big-endian file with headers of 24 bytes, once more in such a file, at another
 * time. */
void clog2_write_again(struct clog2_writer *writer, double time, enum clog2_type type, const uint8_t *record);
void clog2_write_bare(struct clog2_writer *writer, struct clog2_head head, int32_t etype);
void clog2_write_cargo(struct clog2_writer *writer, struct clog2_head head, int32_t etype, const uint8_t cargo[32]);
void clog2_write_msg(struct clog2_writer *writer, struct clog2_head head, const struct clog2_msg *message);
void clog2_write_comm(struct clog2_writer *writer, struct clog2_head head, const struct clog2_comm *payload);
void clog2_write_statedef(struct clog2_writer *writer, struct clog2_head head, const struct clog2_statedef *record);
void clog2_write_eventdef(struct clog2_writer *writer, struct clog2_head head, const struct clog2_eventdef *record);
void clog2_write_constdef(struct clog2_writer *writer, struct clog2_head head, const struct clog2_constdef *record);
void clog2_write_timeshift(struct clog2_writer *writer, struct clog2_head head, double shift);
/* No tracer is known to write these two. */
void clog2_write_coll(struct clog2_writer *writer, struct clog2_head head, const struct clog2_coll *record);
void clog2_write_srcloc(struct clog2_writer *writer, struct clog2_head head, const struct clog2_srcloc *record);

/* Write the last block, the table and the final preamble. close_log false leaves the file as a crash
 * would: no ENDLOG, no table, only whole blocks. */
enum err_code clog2_writer_finish(struct clog2_writer *writer, bool close_log, struct err *e);
void clog2_writer_release(struct clog2_writer *writer);

/* Pack one number as MPE's packer does. Return the bytes used. */
unsigned clog2_pack_f64(uint8_t *at, double v);
unsigned clog2_pack_i64(uint8_t *at, int64_t v);
unsigned clog2_pack_i32(uint8_t *at, int32_t v);

/* MPE's known state of an MPI function ("MPI_Send" -> 80); -1: none. And back; NULL: none. */
int clog2_known_state(const char *name);
const char *clog2_known_name(int state);

#endif
