/* Declarations that only the files of src/core/formats/clog2 use. Each part begins with its own description. */
#ifndef PAS2P_CORE_FORMATS_CLOG2_CLOG2_INT_H
#define PAS2P_CORE_FORMATS_CLOG2_CLOG2_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "clog2.h"
#include "comms.h"
#include "kinds.h"
#include "core/base/map.h"
#include "core/trace/make/trace_make.h"
#include "core/io/unpack.h"
#include "core/trace/trace.h"
#include "core/records/format_write.h"
#include "core/io/source.h"
#include "core/formats/api/format.h"

/* ---- load ---- */

/* Reading a CLOG2 trace, inside: what the passes share. What comes out is told to a maker
 * (core/trace/make/trace_make.h).
 *
 *     load_scan()     pass 1 over the records: definitions, communicators, an upper bound of each process's events
 *     load_world()    who is who
 *     load_events()   pass 2: the records, told to the maker
 *
 * Two passes, because definitions and a partner's communicator records may stand behind their uses, and because
 * columns that are allocated once at their final size need half the memory of growing ones.
 */

struct ahead;

struct loader {
	struct maker *maker;
	struct clog2_file *files;
	struct ahead *ahead;     /* per file, if one is compressed: what of it was scanned before it was opened */
	uint32_t file_count, given; /* those that are read, of those that were given */
	uint64_t *blocks;        /* per file: blocks up to the end of the log */
	uint64_t total_bytes;
	struct comms comms;
	struct defs defs;        /* their numbers are those of the maker's kinds */
	struct map *counts;      /* (file << 32 | icomm, rank) -> records that may become events */
	struct map *coll_starts; /* (file << 32 | icomm, etype) -> 1: records that may start a collective */
	struct map *coll_ids;    /* (def, comm) -> collective type + 1 */
	struct map *false_threads; /* (process, thread) of records that are taken as of thread 0 -> 1; NULL: none found yet */
	int32_t tag_least, tag_highest; /* of messages; 0 is one */
	bool stopped;            /* before any event was read */
};

/* All that comes before the events: definitions, communicators, processes, and room. Release the loader also after an
 * error. */
enum err_code load_prepare(struct loader *loader, const struct source *sources, uint32_t count, struct err *e);
void load_release(struct loader *loader);
enum err_code load_scan(struct loader *loader, struct err *e);
enum err_code load_events(struct loader *loader, struct err *e);
/* Local files: ERR_USAGE where they are not of one run, or two of one process; afterwards, notes of what they are. */
enum err_code load_set_check(const struct loader *loader, struct err *e);
void load_set_note(struct loader *loader);

/* ---- chunk ---- */

/* A chunk of a file's blocks, scanned on its own: what is found is put together with that of others afterwards
 * (scan.c). */

/* A record that is rare and whose order matters, kept for later. */
struct rare {
	struct clog2_rec r;
	uint8_t payload[112];
};

struct chunk {
	struct loader *loader;
	const struct clog2_file *f;
	struct clog2_file *unsized; /* the same, if nobody knows how many blocks it has: who comes to the last one says it here */
	uint64_t begin, end;     /* blocks */
	uint64_t done;           /* blocks scanned */
	bool log_ended;          /* at or before `end`: nothing follows */
	bool cut;                /* and the last block was not whole */
	bool asked_ended;        /* whether the file says that its log ends with its last block made a difference */
	uint64_t first_time;     /* bits of the first record's time; 0: no record in the first block */
	uint64_t next_time;      /* bits of the time that the last block announces for the next; 0: none */
	uint64_t records;
	int32_t tag_least, tag_highest; /* of messages; 0 is one */
	struct rare *rare;
	size_t rare_count, rare_cap;
	uint32_t *world_counts;  /* records on communicator 0 that may become events, by rank */
	uint32_t world_cap;
	struct map *counts;      /* (icomm, rank) of all others */
	struct map *user_counts; /* (icomm, rank) of user states, which are events if they are collectives of newer MPIs */
	struct map *coll_starts; /* (icomm, etype) */
	uint64_t last_coll;      /* the last one of these, to save look-ups */
	uint8_t *seen;           /* etypes below DEFS_DIRECT */
	struct map *seen_others;
	struct notes notes;
	enum err_code code;
	struct err err;
};

enum err_code chunk_init(struct chunk *c, struct loader *loader, const struct clog2_file *f, uint64_t begin, uint64_t end,
			 struct err *e);
void chunk_release(struct chunk *c);

/* The next block, by way of b; maybe: of defs_maybe_table(). false: it was the last one, or c->code says what went
 * wrong. */
bool chunk_scan(struct chunk *c, const uint8_t maybe[DEFS_DIRECT], struct clog2_block *b);

/* A block, of all chunks of a file the first that tells so, does not begin as the one before it announces. */
void chunk_broken(const struct chunk *c, uint64_t block, uint64_t offset, struct notes *notes);

/* ---- ahead ---- */

/* Pass 1 over a compressed file, before it is opened.
 *
 * To open a file is to look at its end, which a compressed one shows only when all of it has been decompressed. So it
 * is scanned on the way there, as a file that is what its preamble says. Then it is opened as any other; the scan
 * stands if the blocks are the same, as they are but for damaged files, which are scanned once more.
 */

struct ahead {
	struct clog2_file file; /* as its preamble says */
	struct chunk chunk;     /* empty: nothing was scanned */
};

/* Scan a source whose size is not known, for the loader's file of that number, and find out the size. The loader's
 * definitions must not hold anything yet. ERR_CANCELLED, and errors of reading. The chunk is to be released. */
enum err_code ahead_scan(struct ahead *ahead, struct loader *loader, const struct source *source, int file_index, struct err *e);

/* What was scanned becomes the file's only chunk, once. false: it does not stand, or there is none. */
bool ahead_take(struct ahead *ahead, struct chunk *chunk, const struct clog2_file *file);

/* ---- blocks ---- */

/* Blocks of a trace that several threads read: each is read by one thread, which also sorts its records by whose they
 * are.
 *
 * All threads go through the same blocks in the same order. Who comes to a block first reads it for all; who comes
 * while it is being read reads others ahead. Blocks are kept until all threads that have joined are through with them,
 * and who is too far ahead waits. A thread that joins late (where no thread could be made, after another has left) is
 * told to read by itself what has gone by. What is told does not depend on who reads.
 */

/* A block, and where in its bytes the records of each share begin: those of share i are at[i * most] and on. */
struct shared_block {
	struct clog2_block block;
	uint32_t *at, *counts;
	size_t most;
	enum err_code code;  /* of reading it */
	struct err err;
};

/* List the records of a block that was read. */
typedef void list_records(void *arg, struct shared_block *b);

struct shared_blocks;

/* For `shares` threads, PARALLEL_MOST at most; blocks of more than SHARED_BLOCK_MOST bytes are for each thread to
 * read. */
#define SHARED_BLOCK_MOST ((size_t)1 << 20)
struct shared_blocks *shared_blocks_new(unsigned shares); /* NULL: no memory */
void shared_blocks_free(struct shared_blocks *s);         /* NULL is fine */

/* A share's thread is about to take blocks, from the first on; it will take no more (also after an error). */
void shared_blocks_join(struct shared_blocks *s, unsigned share);
void shared_blocks_leave(struct shared_blocks *s, unsigned share);

/* Block `index` of the file, for a share; the file's `count` blocks are numbered from `base` on among those of all
 * files. NULL: the caller reads it. list(arg) is called, on the caller's thread, for this block or others of the file,
 * or not at all. To be given back before the next one is taken. */
const struct shared_block *shared_block_take(struct shared_blocks *s, unsigned share, const struct clog2_file *file,
					     uint64_t base, uint64_t index, uint64_t count, list_records *list, void *arg);
void shared_block_give(struct shared_blocks *s, unsigned share, const struct shared_block *b);

/* ---- cargo ---- */

/* Cargo: the 32 bytes of a CARGOEVT, read by the format string of its definition.
 *
 * A format is label text and tokens: %s %h %d %x %l %X %e %E (MPE2's packer: big-endian, unaligned, no flags or
 * widths). Bytes after the last field are arbitrary.
 */

enum cargo_type { CARGO_TEXT, CARGO_INT, CARGO_HEX, CARGO_REAL };

struct cargo_field {
	enum cargo_type type;
	char label[41];       /* text before the token, trimmed of blanks, commas, semicolons and a trailing '=' or ':' */
	char token;           /* the letter: s h d x l X e E */
	int64_t i;            /* CARGO_INT, CARGO_HEX; the length of CARGO_TEXT */
	double d;             /* CARGO_REAL */
	char text[33];        /* CARGO_TEXT, raw */
	unsigned offset;      /* in the cargo */
};

#define CARGO_FIELDS 16

/* Decode up to CARGO_FIELDS fields. Returns how many were decoded; *whole is false if the format is
 * malformed or asks for more than 32 bytes (what came before is decoded). Never reads past 32 bytes. */
size_t cargo_decode(const char *format, const uint8_t bytes[32], struct cargo_field out[CARGO_FIELDS], bool *whole);

/* ---- chunk_team ---- */

/* Pass 1 of a trace that ranks share: each scans blocks of its own, and all come to know what all have found
 * (docs/internals/scale.md 3). */

/* Is a file of those that ranks share? One that is compressed is read from its beginning, by each of them. */
bool chunk_shared(const struct loader *loader, const struct clog2_file *f);

/* The shared blocks, counted through all files, that are this rank's to scan: from *begin up to, not including, *end.
 */
void chunk_range(const struct loader *loader, uint64_t *begin, uint64_t *end);

/* The chunks of all ranks, in their order in the files: the list grows, and what was in it stays. A collective step;
 * returns the rank's own code where that failed, or the team's (maker_agreed()). */
enum err_code chunks_gather(struct loader *loader, struct chunk **chunks, unsigned *count, struct err *e);

/* ---- convert_comms ---- */

/* The communicators of a run that is written as CLOG2: who has which rank on which number (docs/reference/formats.md,
 * "CLOG2 output").
 *
 * Numbers: the worlds, then MPI_COMM_SELF of each process, then the others in the order of their first use. Each
 * process has a world and a self of its own, whether the trace lists them or not.
 */

struct convert_comms {
	const struct trace *trace;
	uint32_t world_count;
	int32_t *number;       /* of each of the trace's communicators */
	uint32_t *by_number;   /* the trace's communicator of a number behind the selves */
	uint32_t other_count;
	struct map *ranks;     /* (communicator, process) -> rank + 1, of those behind the selves */
};

/* Release it also after an error. */
enum err_code convert_comms_init(struct convert_comms *c, const struct trace *t, struct err *e);
void convert_comms_release(struct convert_comms *c);

/* A process as one of a communicator's, as records name it. */
struct convert_member { int32_t icomm, rank; };
struct convert_member convert_world(const struct convert_comms *c, uint32_t process);
struct convert_member convert_self(const struct convert_comms *c, uint32_t process);
/* By the trace's communicator. False: it is none of its members. */
bool convert_member(const struct convert_comms *c, uint32_t comm, uint32_t process, struct convert_member *member);

int32_t convert_world_size(const struct convert_comms *c); /* of the largest */

/* The records that say it. */
void convert_comms_write(const struct convert_comms *c, struct clog2_writer *writer);

/* ---- convert_states ---- */

/* The states of a run that is written as CLOG2: MPE's numbers for calls that it has, numbers of the user's for all
 * else, names that fit.
 *
 * What a CLOG2 file's states mean, their names say. So calls whose names do not begin as MPI calls' do get a name that
 * does, what a tracer writes has MPE's name for it, and a collective has a state of its operation's name, whatever it
 * was called.
 */

struct convert_state {
	char name[32], colour[24];
	int32_t start, final;  /* etypes */
	bool mpi, collective;  /* by its name */
	bool starts;           /* MPI_Start, MPI_Startall */
	bool sizes;            /* a collective's starts say bytes and root in their cargo */
	unsigned says;         /* and behind these, RECORD_BEGINS and others */
};

struct convert_states {
	struct convert_state *list; /* those of the record log, then those of operations that none of them has */
	uint32_t count;
	uint32_t *of_type;     /* per collective type of the trace: its state */
	uint64_t cut;          /* names that did not fit */
};

/* Release it also after an error. */
enum err_code convert_states_init(struct convert_states *s, const struct convert_run *run, struct err *e);
void convert_states_release(struct convert_states *s);

/* Their definitions. */
void convert_states_write(const struct convert_states *s, struct clog2_writer *writer, struct clog2_head head);

/* ---- pages ---- */

/* Bytes of several files, a few at a time, from places that move on slowly: a cache of pages.
 *
 * It begins small and grows, to 256 MiB at most, while pages are wanted again that it had to drop: how far apart the
 * places lie is not known before. For a compressed file a dropped page costs so much that it grows with each; too many
 * are ERR_LIMIT. */

struct clog2_pages;

/* The sources of later, by their numbers. NULL: no memory. */
struct clog2_pages *clog2_pages_new(const struct source *const *sources, uint32_t count);
void clog2_pages_free(struct clog2_pages *pages); /* NULL is fine */

/* Up to len bytes of a source, which must be few, valid until the next call; *got is less only at its end. */
enum err_code clog2_pages_read(struct clog2_pages *pages, uint32_t source, uint64_t offset, size_t len, const uint8_t **bytes,
			       size_t *got, struct err *e);

/* ---- preamble ---- */

/* The preamble's strings: titles and values, as text, before any of it is believed. Private to the reader. */

struct preamble {
	const char *big_endian, *finalized, *block_size, *world_size, *threads; /* NULL: not there */
	const char *table[3]; /* offset of the communicator table: [0] * [1] + [2] */
	const char *negative; /* the title of the first count that is below 0; its value stands behind it */
	bool cut;             /* a value runs off the preamble's end */
};

/* The pointers go into bytes. */
void preamble_split(struct preamble *preamble, const char bytes[CLOG2_PREAMBLE]);

bool preamble_number(const char *value, uint64_t max, uint64_t *out); /* decimal digits only, up to max */
bool preamble_bool(const char *value, bool *out);                     /* "TRUE " or "FALSE", exactly */

/* ---- probe ---- */

/* Probing: looking at single blocks to find out what the preamble says wrongly or not at all. Private to
 * clog2_open(); costs a few blocks' reading, more only where the stated block size does not fit. */

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

/* Is a file that does not say so (up to 02.42) a merged one? Its records tell; otherwise the guess. */
bool probe_merged(struct probe *probe, bool guess);

/* ---- run ---- */

/* Which run a CLOG2 file is of (core/formats/runs.h). */

enum err_code clog2_run(const struct source *source, struct format_run *run, struct err *e);

/* ---- streams ---- */

/* A trace's records, process by process: where each lies in its files, and when it is to be. Internal to clog2_retime.
 *
 * Records that a watch is told (core/trace/make/trace_make.h) get the times that are given for them. All others of a
 * process (definitions, communicators, shifts of the clock) are moved with those around them. 8 bytes per record.
 */

enum other_kind {
	OTHER_RECORD,        /* of the file */
	OTHER_WORLD,         /* made: that the process is of MPI_COMM_WORLD; up to 02.20 files do not say so */
	OTHER_CLOCKS         /* made: how times are corrected */
};

struct clog2_other {
	enum other_kind kind;
	uint32_t process, before; /* so many told records come before it */
	uint32_t next;       /* of the process; UINT32_MAX: none */
	uint64_t at;         /* where it lies */
	double old, time;    /* of the trace; new */
};

struct clog2_streams {
	const struct loader *loader;
	const struct clog2_new_times *times;
	uint64_t *base;      /* per file, and one more: bytes of those before it */
	uint64_t *at;        /* where each told record lies: base of its file + offset */
	struct clog2_other *others;
	uint32_t other_count;
	size_t other_cap;
	uint32_t *first_other; /* per process; UINT32_MAX: none */
	unsigned steps;      /* that the files have been corrected by before */
	int32_t threads;     /* highest number of a thread + 1 */
};

/* ERR_IO: the files are not those that the times are for. */
enum err_code clog2_streams_init(struct clog2_streams *s, const struct loader *loader, const struct clog2_new_times *times,
				 const struct progress *progress, struct err *e);
void clog2_streams_release(struct clog2_streams *s);

/* The file that a place lies in. */
uint32_t clog2_streams_file(const struct clog2_streams *s, uint64_t at);

/* ---- stripes ---- */

/* The second pass of a trace that ranks share, in stripes: each rank reads some of the files' blocks, and passes on the
 * records that are others' (docs/internals/scale.md 3).
 *
 * Stripe i, whole blocks of at most STRIPE_BYTES, is read by rank i mod N, and N of them are a round. What a rank gets
 * in a round it tells in the order of stripes, so that each process has its records in the file's order.
 *
 *     stripes_new()      all ranks, or none
 *     stripes_next()     a round; a collective step
 *     stripes_part()     what stripe r of it has for this rank, for each r: with
 *     stripe_block()     the records of a block at a time, and in it
 *     stripe_record()    each of them
 */

#define STRIPE_BYTES ((uint64_t)4 << 20)
#define STRIPE_RANKS 8 /* fewer read all, each of them: to skip a record costs less than to pass it on (docs/internals/scale.md 3) */

struct stripes;

struct stripe_part {
	const uint8_t *at, *block_end, *end;
	uint64_t block_offset; /* in the file, of the block */
};

/* There is a trace_remote. NULL: no memory. */
struct stripes *stripes_new(const struct loader *loader);
void stripes_free(struct stripes *s); /* NULL is fine */

/* *more: there was one. *stop: in, this rank is to stop; out, some rank is. Returns the rank's own code where reading
 * failed, or the team's (maker_agreed()). */
enum err_code stripes_next(struct stripes *s, bool *more, bool *stop, struct err *e);
/* Bytes of the files up to the round's end. */
uint64_t stripes_done(const struct stripes *s);

struct stripe_part stripes_part(const struct stripes *s, uint32_t rank);
/* False: there is no other block. */
bool stripe_block(struct stripe_part *part, uint32_t *file, uint64_t *block, const struct loader *loader);

/* The next record of the block; false at its end. */
CLOG2_INLINE bool stripe_record(struct stripe_part *part, bool wide, bool be, struct clog2_rec *rec)
{
	const uint8_t *p = part->at + sizeof(uint32_t);
	uint32_t at;

	if (part->at == part->block_end)
		return false;
	memcpy(&at, part->at, sizeof at);
	clog2_decode_bytes(wide, be, p, rec);
	rec->offset = part->block_offset + at;
	part->at = p + rec->length;
	return true;
}

/* ---- whose ---- */

/* Whose is a record? By its communicator and rank, while the records of a file go by in a second pass. */

struct whose {
	const struct loader *loader;
	const struct clog2_file *file;
	int32_t icomm;           /* of the last record; its communicator, and the processes of its ranks */
	uint32_t comm;
	const uint32_t *dense;   /* NULL if there are none such */
	uint32_t dense_count;
};

/* Communicators seldom change from record to record: what is asked of the last one is kept. */
static inline void whose_look(struct whose *w, int32_t icomm)
{
	const struct comms *comms = &w->loader->comms;
	const struct comm_entry *c;

	w->icomm = icomm;
	w->comm = comms_find(comms, (uint32_t)w->file->file_index, w->file->finalized ? icomm : comms_local_side(comms, w->file, icomm));
	c = w->comm == NO_COMM ? NULL : &comms->list[w->comm];
	w->dense = c ? c->dense : NULL;
	w->dense_count = c && c->dense ? (uint32_t)c->highest + 1 : 0;
}

/* The records of a file begin. */
static inline void whose_begin(struct whose *w, const struct clog2_file *file)
{
	w->file = file;
	whose_look(w, 0);
}

/* Definitions, of communicators too, are no records of a process. */
CLOG2_INLINE bool whose_any(uint32_t type)
{
	return type >= CLOG2_BAREEVT && type != CLOG2_COMMEVT;
}

/* NO_PROCESS: there is none of that rank. */
CLOG2_INLINE uint32_t whose_process(struct whose *w, int32_t icomm, int32_t rank)
{
	if (__builtin_expect(icomm != w->icomm, 0))
		whose_look(w, icomm);
	if (__builtin_expect((uint32_t)rank < w->dense_count, 1))
		return w->dense[rank];
	return comms_process(&w->loader->comms, w->comm, rank);
}

/* ---- world ---- */

/* Which processes a trace has, after pass 1 and before room is made for their events. Internal to load.c.
 *
 * A process is one that its records say who it is, or that a run of such ranks or messages shows to be there. A number
 * in a preamble makes none: it is compared, and what contradicts it is noted. Only of local files, where processes may
 * be missing, is the number of processes the one that most of them state.
 */

/* Settle who is who and number the processes (comms_finish()). */
enum err_code load_world(struct loader *loader, struct err *e);

/* After it: hold the communicator table, which is used for nothing, against the communicators. */
enum err_code load_check_table(struct loader *loader, struct err *e);

#endif
