/* CLOG2 (MPE2's trace format), reading: container, blocks, records. No meaning is given to records
 * here; trace_load() does that. Writing is below.
 *
 * A file is a 1024-byte preamble and blocks of block_size bytes; records lie end to end in a block,
 * which ends with ENDBLOCK (another block follows) or ENDLOG. Who calls what:
 *
 *     source_open_file(&src, path, &e);
 *     clog2_open(&file, &src, &notes, &e);             preamble, version, byte order
 *     clog2_block_init(&block);                        one buffer, reused; one per thread
 *     for (k = 0; k < file.block_count; k++) {
 *         clog2_block_read(&file, k, &block, &e);      k in any order, from any thread
 *         while (clog2_block_next(&block, &rec)) ...   the records of block k but its end marker
 *         block.end says how the block ended: ENDBLOCK go on, ENDLOG done, otherwise stop and note it
 *     }
 *
 * Versions CLOG-02.10 to 02.44, both byte orders. In <= 02.20 records (16-byte header) icomm is 0 and
 * rank is the world rank. All sizes are bytes, times seconds as stored (see `finalized`).
 * Limits come from the file's size, never from header fields.
 */
#ifndef PAS2P_CORE_FORMATS_CLOG2_CLOG2_H
#define PAS2P_CORE_FORMATS_CLOG2_CLOG2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/trace/notes.h"
#include "core/io/source.h"
#include "core/base/progress.h"
#include "core/base/index.h"

/* ---- clog2 ---- */

#define CLOG2_PREAMBLE 1024
#define CLOG2_NULL_COMM (-999999999)
#define CLOG2_CONSTANT (-201) /* the event type of every CONSTDEF */
#define CLOG2_CLOCK_ERROR "PAS2P_clock_error_ns" /* as above: trace->clock_error, in ns (docs/internals/tracer.md) */
#define CLOG2_COST_LOW "PAS2P_record_cost_low_ps"   /* as above: trace->record_cost_low, in ps */
#define CLOG2_COST_HIGH "PAS2P_record_cost_high_ps"
#define CLOG2_COST_MOST 100000000 /* ps: no record costs more */
#define CLOG2_CLOCKS "PAS2P_clocks" /* a CONSTDEF of this name: the times are corrected; its value is trace->clocks */

enum clog2_type {
	CLOG2_ENDLOG, CLOG2_ENDBLOCK, CLOG2_STATEDEF, CLOG2_EVENTDEF, CLOG2_CONSTDEF, CLOG2_BAREEVT, CLOG2_CARGOEVT,
	CLOG2_MSGEVT, CLOG2_COLLEVT, CLOG2_COMMEVT, CLOG2_SRCLOC, CLOG2_TIMESHIFT, CLOG2_TYPES
};

/* How a block ended. */
enum clog2_end {
	CLOG2_END_OPEN,      /* not at its end yet */
	CLOG2_END_BLOCK,     /* ENDBLOCK: the next block follows */
	CLOG2_END_LOG,       /* ENDLOG: the last block */
	CLOG2_END_TRUNCATED, /* the file ended inside the block */
	CLOG2_END_DAMAGED    /* an impossible record, or no marker before the block's end */
};

struct clog2_file {
	const struct source *source; /* not owned */
	int file_index;         /* for notes; set by the caller after clog2_open, 0 by it */
	char version[11];       /* "CLOG-02.44" */
	int minor;              /* 44 */
	bool big_endian, finalized;
	uint32_t block_size;    /* as the blocks show, where the preamble says it wrongly */
	uint64_t block_count;   /* from the file's size; a last short block counts, a communicator table does not */
	uint32_t header_size;   /* of a record: 24, or 16 up to 02.20 */
	int32_t world_size;     /* as the preamble says; 0: it does not */
	int32_t max_threads;    /* as above */
	bool ended;             /* the last of these blocks ends the log */
	uint64_t commtable;     /* offset of the communicator table; 0: none */
};

/* Does a file begin as one of a version that we read does? Its name does not matter. */
bool clog2_recognise(const uint8_t *bytes, size_t n, const char *name);

/* As many as MPI_COMM_WORLD had, by the file's first n bytes, which are of one of these versions; 0: they do not say
 * it. */
uint32_t clog2_processes(const uint8_t *bytes, size_t n);

/* ERR_FORMAT with what the file is (CLOG-01, SLOG2, OTF2 anchor, gzip, xz, ELF, text, ...) if it is not
 * CLOG2 of a version we read; ERR_DAMAGED if the preamble is unusable. Odd but usable fields become notes;
 * a false byte order or block size is corrected by what the records show, and noted.
 *
 * NOTE_CUT_TAIL is added here where the cut is behind the end of the log (stale bytes or the table are missing); a log
 * without its end is seen, and to be noted, by who reads the blocks. Up to 02.42 `finalized` is found out: ENDLOG at
 * 1e8; without an ENDLOG, records of several processes or messages that name a communicator; otherwise the byte order
 * (merged files are big-endian by default). */
enum err_code clog2_open(struct clog2_file *file, const struct source *source, struct notes *notes, struct err *e);

/* A file as its preamble says it is, of which nothing but that was looked at; block_count is UINT64_MAX where it does
 * not follow. false: the preamble does not say enough. */
bool clog2_guess(struct clog2_file *file, const struct source *source);

struct clog2_block {
	uint8_t *bytes;      /* owned; grows to the block size */
	size_t cap, len;     /* len: bytes of this block that the file has */
	size_t at;           /* where the next record starts */
	uint64_t offset;     /* of the block in the file */
	uint64_t index;
	const struct clog2_file *file;
	enum clog2_end end;
	double end_time;     /* of the end marker. Finalized: ENDBLOCK repeats, bit for bit, the time of the next
	                        block's first record. Local: the clock when the block was closed */
	const char *reason;  /* why END_TRUNCATED or END_DAMAGED: a static phrase; bytes + at is the place */
	int32_t reason_code; /* the impossible record type, where that was the reason */
};

struct clog2_rec {
	double time;
	int32_t icomm, rank, thread;
	enum clog2_type type;
	uint32_t length;        /* with header */
	const uint8_t *payload; /* into the block's bytes, file byte order, valid until the next block_read */
	uint64_t offset;        /* of the record in the file */
};

void clog2_block_init(struct clog2_block *block);
void clog2_block_release(struct clog2_block *block);
enum err_code clog2_block_read(const struct clog2_file *file, uint64_t k, struct clog2_block *block, struct err *e);

/* The next record that is no end marker; false at the end of the block, with b->end set. Checked: the record is
 * whole and inside the block, its type exists, and ENDLOG of a finalized file is at 1e8 (zero-filled bytes look
 * like an ENDLOG at 0). Not checked: times, ranks, ids; they are passed on as stored. */
static inline bool clog2_block_next(struct clog2_block *block, struct clog2_rec *rec);

/* Numbers in the file's byte order. */
static inline int32_t clog2_i32(bool big_endian, const uint8_t *p)
{
	uint32_t v;

	__builtin_memcpy(&v, p, 4);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (int32_t)(big_endian ? __builtin_bswap32(v) : v);
#else
	return (int32_t)(big_endian ? v : __builtin_bswap32(v));
#endif
}

static inline double clog2_f64(bool big_endian, const uint8_t *p)
{
	uint64_t v;
	double d;

	__builtin_memcpy(&v, p, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = big_endian ? __builtin_bswap64(v) : v;
#else
	v = big_endian ? v : __builtin_bswap64(v);
#endif
	__builtin_memcpy(&d, &v, 8);
	return d;
}

/* Lengths of records by type, with the 24-byte header and with that of up to 02.20. */
extern const uint8_t clog2_lengths[CLOG2_TYPES], clog2_old_lengths[CLOG2_TYPES];

/* If no whole record follows, at `at`: set b->end and why. */
void clog2_block_stop(struct clog2_block *block, size_t at);

/* One record on, in two steps, so that records can be told apart before they are decoded: clog2_block_step() says whose
 * the record is and of what type, clog2_decode() all of it, then or later. Begin with an empty step. */
struct clog2_step {
	uint32_t at, next; /* the record, and the one behind it, in the block's bytes */
	int32_t icomm, rank;
	uint32_t type;
};

/* Where a record ends is known only when its length is, and the next one begins there. A branch that the processor
 * predicts lets it go on meanwhile, a look-up would make it wait: most records are of three types. */
static inline uint32_t clog2_length(bool wide, uint32_t type)
{
	uint32_t header = wide ? 24 : 16;

	if (__builtin_expect_with_probability(type == CLOG2_BAREEVT, 1, 0.6))
		return header + 8;
	if (__builtin_expect_with_probability(type == CLOG2_MSGEVT, 1, 0.6))
		return header + 24;
	if (__builtin_expect_with_probability(type == CLOG2_CARGOEVT, 1, 0.6))
		return header + 40;
	return wide ? clog2_lengths[type] : clog2_old_lengths[type];
}

/* The same with the layout given: a loop that knows it has no branches for it. */
#define CLOG2_INLINE static inline __attribute__((always_inline))

CLOG2_INLINE bool clog2_block_step_as(bool wide, bool be, struct clog2_block *block, struct clog2_step *step)
{
	const uint8_t *p = block->bytes + step->next;
	size_t left = block->len - step->next;
	uint32_t length;

	step->at = step->next;
	if (__builtin_expect(left < (wide ? 24 : 16), 0)) {
		clog2_block_stop(block, step->at);
		return false;
	}
	step->type = (uint32_t)clog2_i32(be, p + (wide ? 20 : 8));
	if (__builtin_expect(step->type <= CLOG2_ENDBLOCK || step->type >= CLOG2_TYPES, 0)) {
		clog2_block_stop(block, step->at);
		return false;
	}
	length = clog2_length(wide, step->type);
	if (__builtin_expect(left < length, 0)) {
		clog2_block_stop(block, step->at);
		return false;
	}
	step->icomm = wide ? clog2_i32(be, p + 8) : 0;
	step->rank = clog2_i32(be, p + 12);
	step->next += length;
	return true;
}

static inline bool clog2_block_step(struct clog2_block *block, struct clog2_step *step)
{
	return clog2_block_step_as(block->file->header_size == 24, block->file->big_endian, block, step);
}

/* The record whose bytes are at p, all of them; except for its place. */
CLOG2_INLINE void clog2_decode_bytes(bool wide, bool be, const uint8_t *p, struct clog2_rec *rec)
{
	rec->time = clog2_f64(be, p);
	rec->icomm = wide ? clog2_i32(be, p + 8) : 0;
	rec->rank = clog2_i32(be, p + 12);
	rec->thread = wide ? clog2_i32(be, p + 16) : 0;
	rec->payload = p + (wide ? 24 : 16);
	rec->type = (enum clog2_type)clog2_i32(be, p + (wide ? 20 : 8));
	rec->length = wide ? clog2_lengths[rec->type] : clog2_old_lengths[rec->type];
}

/* The record that stands at `at`, where clog2_block_step() has found one. */
CLOG2_INLINE void clog2_decode_as(bool wide, bool be, const struct clog2_block *block, uint32_t at, struct clog2_rec *rec)
{
	clog2_decode_bytes(wide, be, block->bytes + at, rec);
	rec->offset = block->offset + at;
}

static inline void clog2_decode(const struct clog2_block *block, uint32_t at, struct clog2_rec *rec)
{
	clog2_decode_as(block->file->header_size == 24, block->file->big_endian, block, at, rec);
}

static inline bool clog2_block_next(struct clog2_block *block, struct clog2_rec *rec)
{
	struct clog2_step step = {.next = (uint32_t)block->at};

	if (block->end != CLOG2_END_OPEN || !clog2_block_step(block, &step))
		return false;
	block->at = step.next;
	clog2_decode(block, step.at, rec);
	return true;
}

/* Payloads, decoded. Strings are cut at the first NUL or the field's end, and not yet text_safe(). */
struct clog2_statedef { int32_t state, start, final; char color[25], name[33], format[41]; };
struct clog2_eventdef { int32_t etype; char color[25], name[33], format[41]; };
struct clog2_constdef { int32_t etype, value; char name[33]; };
struct clog2_msg { int32_t etype, icomm, rank, tag, size; }; /* etype -101 send, -102 receive; icomm 0 up to 02.20 */
struct clog2_coll { int32_t etype, root, size; };
struct clog2_srcloc { int32_t location, line; char file[41]; };
struct clog2_gid { uint8_t bytes[32]; }; /* in one canonical byte order, so that memcmp compares across files */
#define CLOG2_GID_HOST 12 /* where in it the name of the host begins that made it, up to a NUL or the end */
struct clog2_comm { int32_t etype, icomm, rank, wrank; struct clog2_gid gid; }; /* not in <= 02.20 */

void clog2_get_statedef(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_statedef *record);
void clog2_get_eventdef(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_eventdef *record);
void clog2_get_constdef(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_constdef *record);
void clog2_get_comm(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_comm *payload);
void clog2_get_coll(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_coll *record);
void clog2_get_srcloc(const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_srcloc *record);
double clog2_get_timeshift(const struct clog2_file *file, const struct clog2_rec *rec);

/* The hot ones, inline: the event type of BAREEVT and CARGOEVT, and a message. */
static inline int32_t clog2_get_etype(const struct clog2_file *file, const struct clog2_rec *rec)
{
	return clog2_i32(file->big_endian, rec->payload);
}

CLOG2_INLINE int32_t clog2_get_tag_as(bool wide, bool be, const uint8_t *payload)
{
	return clog2_i32(be, payload + (wide ? 12 : 4));
}

CLOG2_INLINE void clog2_get_msg_as(bool wide, bool be, const struct clog2_rec *rec, struct clog2_msg *message)
{
	const uint8_t *p = rec->payload;

	message->etype = clog2_i32(be, p);
	if (wide) {
		message->icomm = clog2_i32(be, p + 4);
		message->rank = clog2_i32(be, p + 8);
	} else {
		message->rank = clog2_i32(be, p + 8);
		message->icomm = 0;
	}
	message->tag = clog2_get_tag_as(wide, be, p);
	message->size = clog2_i32(be, p + 16);
}

static inline void clog2_get_msg(const struct clog2_file *file, const struct clog2_rec *rec,
				struct clog2_msg *message)
{
	clog2_get_msg_as(file->header_size == 24, file->big_endian, rec, message);
}

/* CARGOEVT: the 32 cargo bytes. */
static inline const uint8_t *clog2_get_cargo(const struct clog2_rec *rec)
{
	return rec->payload + 8;
}

/* The communicator table (>= 02.42), for cross-checks: *count entries, to mem_free(); none (NULL, 0)
 * where f->commtable is 0. ERR_DAMAGED if it is odd. */
struct clog2_commentry { struct clog2_gid gid; int32_t icomm, kind; };
enum err_code clog2_commtable(const struct clog2_file *file, struct clog2_commentry **list, uint32_t *count,
			      struct err *e);

/* ---- retime ---- */

/* A CLOG2 trace once more, with other times: a finalized, big-endian CLOG-02.44 of the same records, whatever the files
 * are.
 *
 * Each process's records stay in their order; processes are merged by time (ties: the smaller rank). Shifts of clocks
 * are raised by what the time there was lowered by, so that raw = time + shift still holds. Left out is what reading
 * leaves out: records of no process. Added to rank 0, before its definitions: a constant that says how times were
 * corrected, now and before.
 */

struct clog2_new_times {
	uint32_t process_count;
	const size_t *first;   /* process_count + 1 */
	const double *time;    /* of records, as a watch is told them (core/trace/make/trace_make.h) */
	unsigned steps;        /* as trace->clocks */
	void *room;            /* 8 bytes per record, aligned for them, that may be written over; NULL: it is allocated */
};

/* The file is replaced whole or not at all; it may be one of the sources. ERR_IO: it cannot be written, or the sources
 * have changed; ERR_LIMIT: a time is outside of what CLOG2 holds; ERR_FORMAT: they are not CLOG2; ERR_CANCELLED,
 * ERR_MEMORY.
 * *unwritten: it is the new file that an error is of. */
enum err_code clog2_retime(const char *path, const struct source *sources, uint32_t count, const struct clog2_new_times *times,
			   bool *unwritten, const struct progress *progress, struct err *e);

/* ---- write ---- */

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
	uint32_t comm_count, comm_written;
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
