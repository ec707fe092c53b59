/* A trace that lies about one thing is not taken at its word: line by line of the format's list of what a reader must
 * check (clog2-format, section 12), a file with that one fault gives the note or the refusal that is listed here, and
 * the figures of the file without it, or of what is left; never other figures in silence. Which processes there are the
 * records decide, and no number in a header.
 *
 * Some lines have tests of their own besides: cuts and changed bytes anywhere in t/formats/clog2/damage.c, false
 * preambles in t/formats/clog2/read.c, clocks, partners and blocks in t/formats/oddities.c, local files in
 * t/formats/recovery.c, sizes and exit statuses in t/formats/broken_input.t.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "gen_run.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "tap.h"
#include "core/metrics/maps/maps.h"

#define BLOCK 1024u

/* ---- changing bytes ---- */

static void put_i32(struct gen_bytes *b, size_t at, int32_t v)
{
	clog2_pack_i32(b->bytes + at, v);
}

static int32_t get_i32(const struct gen_bytes *b, size_t at)
{
	return clog2_i32(true, b->bytes + at);
}

enum { ICOMM = 8, RANK = 12, THREAD = 16, TYPE = 20, ETYPE = 24, COMM_ICOMM = 28, COMM_RANK = 32, COMM_WRANK = 36, COMM_GID = 40,
       MSG_RANK = 32, MSG_TAG = 36, MSG_SIZE = 40 };

/* The n-th record (from 0) of a type and event type whose header names the rank (-1: any) of the world. */
static size_t record(const struct gen_bytes *b, enum clog2_type type, int32_t etype, int32_t rank, int n)
{
	struct gen_reading r = gen_read(b->bytes, b->size);
	size_t at = 0;

	for (size_t i = 0; i < r.n && !at; i++)
		if (r.list[i].type == type && (type == CLOG2_STATEDEF || get_i32(b, r.list[i].offset + ETYPE) == etype) &&
		    r.list[i].icomm == 0 && (rank < 0 || r.list[i].rank == rank) && n-- == 0)
			at = r.list[i].offset;
	gen_reading_free(&r);
	if (!at)
		bail_out("no record of type %d, event type %d, rank %d", (int)type, etype, rank);
	return at;
}

/* The end marker of block k. */
static size_t marker(const struct gen_bytes *b, size_t k)
{
	size_t at = 1024 + k * BLOCK;

	while (get_i32(b, at + TYPE) > 1)
		at += clog2_lengths[get_i32(b, at + TYPE)];
	return at;
}

static size_t blocks(const struct gen_bytes *b)
{
	return (b->size - 1024) / BLOCK;
}

static size_t table(const struct gen_bytes *b)
{
	return 1024 + blocks(b) * BLOCK;
}

/* Replace a value of the preamble. */
static void set_value(struct gen_bytes *b, const char *title, const char *value)
{
	char page[1024] = {0};
	char *at = memmem(b->bytes, 1024, title, strlen(title) + 1), *old;
	size_t before, n = strlen(value) + 1;

	if (!at)
		bail_out("no %s", title);
	old = at + strlen(title) + 1;
	before = (size_t)(old - (char *)b->bytes);
	memcpy(page, b->bytes, before);
	memcpy(page + before, value, n);
	memcpy(page + before + n, old + strlen(old) + 1, 1024 - before - n - strlen(old));
	memcpy(b->bytes, page, 1024);
}

/* ---- the faults ---- */

static void only_preamble(struct gen_bytes *b) { b->size = 1024; }
static void version(struct gen_bytes *b) { b->bytes[8] = '9'; }

static void no_end_of_string(struct gen_bytes *b)
{
	char *last = memmem(b->bytes, 1024, "commtable_fptr=", 16);

	for (int i = 0; i < 4; i++)
		last += strlen(last) + 1;
	memcpy(last, "more=", 6);
	memset(last + 6, 'x', (size_t)((char *)b->bytes + 1024 - last - 6));
}

static void block_size(struct gen_bytes *b) { set_value(b, "block_size=", "40"); }
static void block_size_huge(struct gen_bytes *b) { set_value(b, "block_size=", "1073741825"); }
static void big_endian(struct gen_bytes *b) { set_value(b, "is_big_endian=", "TRUE"); }
static void finalized(struct gen_bytes *b) { set_value(b, "is_finalzed=", "True "); }
static void not_finalized(struct gen_bytes *b) { set_value(b, "is_finalzed=", "FALSE"); }
static void negative_states(struct gen_bytes *b) { set_value(b, "known_stateID_count=", "-300"); }
static void negative_threads(struct gen_bytes *b) { set_value(b, "max_thread_count=", "-1"); }
static void negative_world(struct gen_bytes *b) { set_value(b, "max_comm_world_size=", "-4"); }

static void table_overflow(struct gen_bytes *b)
{
	set_value(b, "1073741824", "9223372036854775807"); /* the value behind the unit */
	set_value(b, "commtable_fptr=", "4294967295");
}


static void set_table(struct gen_bytes *b, size_t offset)
{
	char number[32];

	snprintf(number, sizeof number, "%zu", offset);
	set_value(b, "1073741824", number);
}

static void table_within(struct gen_bytes *b) { set_table(b, table(b) - 8); }
static void table_of_other_block(struct gen_bytes *b) { set_table(b, table(b) - 2 * BLOCK); }
static void table_behind(struct gen_bytes *b) { set_table(b, table(b) + 4 * BLOCK); }
static void table_nowhere(struct gen_bytes *b) { set_table(b, 0); }
static void table_cut(struct gen_bytes *b) { b->size = table(b) + 30; }
static void table_negative(struct gen_bytes *b) { put_i32(b, table(b), -1); }
static void table_count(struct gen_bytes *b) { put_i32(b, table(b), 1000000); }
static void table_empty(struct gen_bytes *b) { put_i32(b, table(b), 0); }
static void table_short(struct gen_bytes *b) { put_i32(b, table(b), get_i32(b, table(b)) - 1); }
static void table_kind(struct gen_bytes *b) { put_i32(b, table(b) + 4 + 36, 4); }
static void table_icomm(struct gen_bytes *b) { put_i32(b, table(b) + 4 + 32, 77); }
static void table_gid(struct gen_bytes *b) { b->bytes[table(b) + 4] ^= 1; }
static void table_twice(struct gen_bytes *b) { put_i32(b, table(b) + 4 + 40 + 32, 0); }

static void unknown_type(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_MSGEVT, -101, 1, 4) + TYPE, 12); }
static void no_marker(struct gen_bytes *b) { put_i32(b, marker(b, blocks(b) / 2) + TYPE, CLOG2_BAREEVT); }
static void over_the_end(struct gen_bytes *b) { put_i32(b, marker(b, blocks(b) / 2) + TYPE, CLOG2_STATEDEF); }
static void before_the_end(struct gen_bytes *b) { b->size = 1024 + (blocks(b) - 3) * BLOCK; }
static void short_block(struct gen_bytes *b) { b->size = 1024 + (blocks(b) - 3) * BLOCK - 200; }

static void put_time(struct gen_bytes *b, size_t at, double time) { clog2_pack_f64(b->bytes + at, time); }
static void time_nan(struct gen_bytes *b) { put_time(b, record(b, CLOG2_BAREEVT, 161, 1, 4), (double)NAN); }
static void time_sentinel(struct gen_bytes *b) { put_time(b, record(b, CLOG2_BAREEVT, 161, 1, 4), 1e8); }
static void time_back(struct gen_bytes *b) { put_time(b, record(b, CLOG2_BAREEVT, 161, 1, 4), 0.75); }

static void set_thread(struct gen_bytes *b, enum clog2_type type, int32_t etype, int32_t thread)
{
	put_i32(b, record(b, type, etype, 1, 4) + THREAD, thread);
}

static void thread_of_start(struct gen_bytes *b) { set_thread(b, CLOG2_BAREEVT, 160, 7); }
static void thread_of_end(struct gen_bytes *b) { set_thread(b, CLOG2_BAREEVT, 161, 2000000000); }
static void thread_of_message(struct gen_bytes *b) { set_thread(b, CLOG2_MSGEVT, -101, 1); }
static void thread_negative(struct gen_bytes *b) { set_thread(b, CLOG2_BAREEVT, 160, -1); }

/* A thread that makes whole calls is one, whatever the preamble says. */
static void thread_count(struct gen_bytes *b)
{
	set_thread(b, CLOG2_BAREEVT, 160, 1);
	set_thread(b, CLOG2_MSGEVT, -101, 1);
	set_thread(b, CLOG2_BAREEVT, 161, 1);
}

static void unknown_rank(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_MSGEVT, -101, 1, 4) + RANK, 777); }
static void unknown_comm(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_MSGEVT, -101, 1, 4) + ICOMM, 777); }

/* The records of rank 3 on MPI_COMM_WORLD, on MPI_COMM_SELF and on its half of the world. */
static size_t world(const struct gen_bytes *b) { return record(b, CLOG2_COMMEVT, 0, 3, 0); }
static size_t self(const struct gen_bytes *b) { return record(b, CLOG2_COMMEVT, 1, 3, 0); }
static size_t half(const struct gen_bytes *b) { return record(b, CLOG2_COMMEVT, 100, 3, 0); }

static void world_wrank(struct gen_bytes *b) { put_i32(b, world(b) + COMM_WRANK, 1000000); }
static void world_wrank_other(struct gen_bytes *b) { put_i32(b, world(b) + COMM_WRANK, 1); }
static void world_wrank_negative(struct gen_bytes *b) { put_i32(b, world(b) + COMM_WRANK, -5); }
static void world_payload_rank(struct gen_bytes *b) { put_i32(b, world(b) + COMM_RANK, 2); }
static void world_header_rank(struct gen_bytes *b) { put_i32(b, world(b) + RANK, 12); }
static void world_header_icomm(struct gen_bytes *b) { put_i32(b, world(b) + ICOMM, 12); }
static void world_icomm(struct gen_bytes *b) { put_i32(b, world(b) + COMM_ICOMM, 99); }
static void world_icomm_first(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_COMMEVT, 0, 0, 0) + COMM_ICOMM, 99); }
static void world_etype(struct gen_bytes *b) { put_i32(b, world(b) + ETYPE, 55); }

static void world_no_two(struct gen_bytes *b)
{
	size_t at = world(b);

	put_i32(b, at + COMM_WRANK, 1);
	put_i32(b, at + COMM_RANK, 2);
}

static void world_all_three(struct gen_bytes *b)
{
	size_t at = world(b);

	put_i32(b, at + RANK, 1000000);
	put_i32(b, at + COMM_RANK, 1000000);
	put_i32(b, at + COMM_WRANK, 1000000);
}

static void self_wrank(struct gen_bytes *b) { put_i32(b, self(b) + COMM_WRANK, 1000000); }
static void self_wrank_other(struct gen_bytes *b) { put_i32(b, self(b) + COMM_WRANK, 2); }
static void self_header(struct gen_bytes *b) { put_i32(b, self(b) + RANK, 2); }
static void half_wrank(struct gen_bytes *b) { put_i32(b, half(b) + COMM_WRANK, 1000000); }
static void half_wrank_other(struct gen_bytes *b) { put_i32(b, half(b) + COMM_WRANK, 1); }
static void half_header(struct gen_bytes *b) { put_i32(b, half(b) + RANK, 1); }
static void half_header_unknown(struct gen_bytes *b) { put_i32(b, half(b) + RANK, 777); }
static void half_icomm(struct gen_bytes *b) { put_i32(b, half(b) + COMM_ICOMM, 2000000000); }

static void half_rank_twice(struct gen_bytes *b)
{
	put_i32(b, half(b) + COMM_RANK, get_i32(b, record(b, CLOG2_COMMEVT, 100, 1, 0) + COMM_RANK));
}

static void half_gid(struct gen_bytes *b) { b->bytes[half(b) + COMM_GID] ^= 1; }

static void world_of_a_million(struct gen_bytes *b) { set_value(b, "max_comm_world_size=", "1000000"); }
static void world_of_five(struct gen_bytes *b) { set_value(b, "max_comm_world_size=", "5"); }
static void world_of_two(struct gen_bytes *b) { set_value(b, "max_comm_world_size=", "2"); }
static void world_of_most(struct gen_bytes *b) { set_value(b, "max_comm_world_size=", "2147483647"); }
static void threads_of_most(struct gen_bytes *b) { set_value(b, "max_thread_count=", "2147483647"); }

static void partner(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_MSGEVT, -101, 1, 4) + MSG_RANK, 999); }
static void partner_negative(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_MSGEVT, -101, 1, 4) + MSG_RANK, -7); }
static void message_type(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_MSGEVT, -101, 1, 4) + ETYPE, -103); }
static void message_tag(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_MSGEVT, -101, 1, 4) + MSG_TAG, -1); }
static void message_size(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_MSGEVT, -101, 1, 4) + MSG_SIZE, -32766); }

static void continuity(struct gen_bytes *b) { put_time(b, marker(b, blocks(b) / 2), 0.5); }

static void end_in_the_middle(struct gen_bytes *b)
{
	size_t at = marker(b, blocks(b) / 2);

	put_i32(b, at + TYPE, CLOG2_ENDLOG);
	put_time(b, at, 1e8);
}

static void end_time(struct gen_bytes *b) { put_time(b, marker(b, blocks(b) - 1), 99.0); }
static void end_is_none(struct gen_bytes *b) { put_i32(b, marker(b, blocks(b) - 1) + TYPE, CLOG2_ENDBLOCK); }

static void constant(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_CONSTDEF, -201, -1, 0) + ETYPE, -202); }

static void endless_string(struct gen_bytes *b) { memset(b->bytes + record(b, CLOG2_STATEDEF, 0, -1, 0) + 40, '\033', 24); }
static void endless_format(struct gen_bytes *b) { memset(b->bytes + record(b, CLOG2_STATEDEF, 0, -1, 0) + 96, '%', 40); }
static void unknown_etype(struct gen_bytes *b) { put_i32(b, record(b, CLOG2_CONSTDEF, -201, -1, 0) + TYPE, CLOG2_CARGOEVT); }

/* ---- what comes of it ---- */

enum outcome {
	SAME,      /* processes, events and figures of the file without the fault */
	SAME_RUN,  /* the same events of the same processes; a figure hangs on the changed number itself */
	LESS,      /* what is left of the events, of the same processes */
	NONE,      /* refused */
};

#define QUIET NOTE_KIND_COUNT /* the fault changes nothing and needs no note */

static const struct fault {
	const char *line;  /* of the list */
	const char *what;
	void (*make)(struct gen_bytes *b);
	enum err_code code;
	enum note_kind kind;
	const char *part;  /* of the note, or of the refusal */
	enum outcome figures;
} list[] = {
#define LINE "the file and its version"
	{LINE, "a preamble and no record", only_preamble, ERR_DAMAGED, 0, "no record", NONE},
	{LINE, "an unknown version", version, ERR_FORMAT, 0, "CLOG-02.94", NONE},
	{LINE, "a string of the preamble without its end", no_end_of_string, ERR_OK, NOTE_BAD_PREAMBLE, "has no end", SAME},
#undef LINE
#define LINE "the preamble's values"
	{LINE, "a block size below 48", block_size, ERR_OK, NOTE_BAD_PREAMBLE, "the blocks have 1024 bytes", SAME},
	{LINE, "a block size above 2^30", block_size_huge, ERR_OK, NOTE_BAD_PREAMBLE, "the blocks have 1024 bytes", SAME},
	{LINE, "a byte order that is no flag", big_endian, ERR_OK, NOTE_BAD_PREAMBLE, "is_big_endian= is", SAME},
	{LINE, "a finalized flag that is none", finalized, ERR_OK, NOTE_BAD_PREAMBLE, "is_finalzed= is", SAME},
	{LINE, "a merged file that is called local", not_finalized, ERR_OK, NOTE_BAD_PREAMBLE, "those of a merged file", SAME},
	{LINE, "a negative count of states", negative_states, ERR_OK, NOTE_BAD_PREAMBLE, "known_stateID_count= is \"-300\"", SAME},
	{LINE, "a negative count of threads", negative_threads, ERR_OK, NOTE_BAD_PREAMBLE, "max_thread_count= is \"-1\"", SAME},
	{LINE, "a negative world", negative_world, ERR_OK, NOTE_BAD_PREAMBLE, "comm_world_size= is \"-4\"", SAME},
	{LINE, "an offset of the table beyond all numbers", table_overflow, ERR_OK, NOTE_BAD_PREAMBLE, "commtable_fptr=", SAME},
#undef LINE
#define LINE "the communicator table"
	{LINE, "not where a block ends", table_within, ERR_OK, NOTE_BAD_PREAMBLE, "which is not the end of a block", SAME},
	{LINE, "where another block ends", table_of_other_block, ERR_OK, NOTE_BAD_PREAMBLE, "did not use", SAME},
	{LINE, "behind the file's end", table_behind, ERR_DAMAGED, NOTE_CUT_TAIL, "the communicator table should be at", SAME},
	{LINE, "nowhere", table_nowhere, ERR_OK, NOTE_BAD_PREAMBLE, "although the log is complete", SAME},
	{LINE, "cut short", table_cut, ERR_OK, NOTE_BAD_PREAMBLE, "more entries than the file can hold", SAME},
	{LINE, "with a negative count", table_negative, ERR_OK, NOTE_BAD_PREAMBLE, "an impossible count (-1)", SAME},
	{LINE, "with a count of a million", table_count, ERR_OK, NOTE_BAD_PREAMBLE, "more entries than the file can hold", SAME},
	{LINE, "with a count of 0", table_empty, ERR_OK, NOTE_BAD_TABLE, "is empty, but the records have 9", SAME},
	{LINE, "without its last entry", table_short, ERR_OK, NOTE_BAD_TABLE, "lacks communicator 8", SAME},
	{LINE, "with an impossible kind", table_kind, ERR_OK, NOTE_BAD_PREAMBLE, "an unknown kind (4)", SAME},
	{LINE, "with an impossible number", table_icomm, ERR_OK, NOTE_BAD_PREAMBLE, "an impossible number (77)", SAME},
	{LINE, "with another communicator than the records", table_gid, ERR_OK, NOTE_BAD_TABLE, "describe communicator 0 differently", SAME},
	{LINE, "with one communicator for another", table_twice, ERR_OK, NOTE_BAD_TABLE, "lacks communicator 1", SAME},
#undef LINE
#define LINE "records in their block"
	{LINE, "a type that does not exist", unknown_type, ERR_DAMAGED, NOTE_BAD_RECORD, "the record type is 12, expected 0 to 11", LESS},
	{LINE, "a block without its marker", no_marker, ERR_DAMAGED, NOTE_BAD_RECORD, "the block has no end marker", LESS},
	{LINE, "a record over the block's end", over_the_end, ERR_DAMAGED, NOTE_BAD_RECORD, "a record crosses the block's end", SAME_RUN},
	{LINE, "an end before the log's", before_the_end, ERR_DAMAGED, NOTE_TRUNCATED, "the file ends after block", LESS},
	{LINE, "a short last block", short_block, ERR_DAMAGED, NOTE_TRUNCATED, "of its ", LESS},
#undef LINE
#define LINE "times and threads"
	{LINE, "a time that is no number", time_nan, ERR_OK, NOTE_BAD_TIME, "rank 1 has a record at time nan", SAME_RUN},
	{LINE, "a time of 1e8", time_sentinel, ERR_OK, NOTE_BAD_TIME, "rank 1 has a record at time 1e+08", SAME_RUN},
	{LINE, "a time that steps back", time_back, ERR_OK, NOTE_TIME_BACKWARD, "the clock of rank 1 steps back", SAME_RUN},
	{LINE, "a call's start on a thread 7 of 1", thread_of_start, ERR_OK, NOTE_BAD_THREAD, "a record of thread 7, expected 0 to 0", SAME},
	{LINE, "a call's end on thread 2000000000", thread_of_end, ERR_OK, NOTE_BAD_THREAD, "a record of thread 2000000000", SAME},
	{LINE, "a message on a thread 1 of 1", thread_of_message, ERR_OK, NOTE_BAD_THREAD, "a record of thread 1", SAME},
	{LINE, "a negative thread", thread_negative, ERR_OK, NOTE_BAD_THREAD, "a record of thread -1", SAME},
	{LINE, "more threads than the preamble says", thread_count, ERR_OK, NOTE_BAD_PREAMBLE, "allows 1 thread, but thread 1 makes calls", SAME_RUN},
#undef LINE
#define LINE "who is who"
	{LINE, "a rank that nobody is", unknown_rank, ERR_DAMAGED, NOTE_UNKNOWN_PROCESS, "rank 777 of communicator 0", LESS},
	{LINE, "a communicator that does not exist", unknown_comm, ERR_DAMAGED, NOTE_UNKNOWN_PROCESS, "communicator 777", LESS},
	{LINE, "the world: a world rank of a million", world_wrank, ERR_OK, NOTE_DOUBTFUL_COMM,
	 "rank 3, world rank 1000000, and rank 3 in its header; pas2p uses rank 3", SAME},
	{LINE, "the world: another's world rank", world_wrank_other, ERR_OK, NOTE_DOUBTFUL_COMM, "world rank 1, and", SAME},
	{LINE, "the world: a negative world rank", world_wrank_negative, ERR_OK, NOTE_DOUBTFUL_COMM, "world rank -5, and", SAME},
	{LINE, "the world: another's rank", world_payload_rank, ERR_OK, NOTE_DOUBTFUL_COMM, "has rank 2, world rank 3", SAME},
	{LINE, "the world: another rank in the header", world_header_rank, ERR_OK, NOTE_DOUBTFUL_COMM, "rank 12 in its header", SAME},
	{LINE, "the world: another communicator in the header", world_header_icomm, ERR_OK, NOTE_DOUBTFUL_COMM, "12 in its header", SAME},
	{LINE, "the world: another communicator", world_icomm, ERR_OK, NOTE_DOUBTFUL_COMM, "has communicator 99", SAME},
	{LINE, "the world: another communicator at first", world_icomm_first, ERR_OK, NOTE_DOUBTFUL_COMM, "has communicator 99", SAME},
	{LINE, "the world: a record of another type", world_etype, ERR_OK, NOTE_DOUBTFUL_COMM, "unknown type 55", SAME},
	{LINE, "the world: three different ranks", world_no_two, ERR_DAMAGED, NOTE_BAD_COMM, "ignores it", SAME},
	{LINE, "the world: a rank of a million throughout", world_all_three, ERR_DAMAGED, NOTE_BAD_COMM, "which it does not have", SAME},
	{LINE, "MPI_COMM_SELF: a world rank of a million", self_wrank, ERR_OK, NOTE_DOUBTFUL_COMM, "pas2p uses rank 3", SAME},
	{LINE, "MPI_COMM_SELF: another's world rank", self_wrank_other, ERR_OK, NOTE_DOUBTFUL_COMM, "pas2p uses rank 3", SAME},
	{LINE, "MPI_COMM_SELF: another's header", self_header, ERR_OK, NOTE_DOUBTFUL_COMM, "pas2p uses rank 3", SAME},
	{LINE, "a split: a world rank of a million", half_wrank, ERR_OK, NOTE_DOUBTFUL_COMM, "pas2p uses rank 3", SAME},
	{LINE, "a split: another's world rank", half_wrank_other, ERR_OK, NOTE_DOUBTFUL_COMM, "pas2p uses rank 3", SAME},
	{LINE, "a split: another's header", half_header, ERR_OK, NOTE_DOUBTFUL_COMM, "pas2p uses rank 3", SAME},
	{LINE, "a split: a header of nobody", half_header_unknown, ERR_OK, NOTE_DOUBTFUL_COMM, "pas2p uses rank 3", SAME},
	{LINE, "a split: a number of two thousand million", half_icomm, ERR_OK, NOTE_BAD_TABLE, "lacks communicator 2000000000", SAME},
	{LINE, "two processes for one rank", half_rank_twice, ERR_DAMAGED, NOTE_BAD_COMM, "is two processes", SAME},
	{LINE, "two identities of one communicator", half_gid, ERR_DAMAGED, NOTE_BAD_COMM, "two different identities", SAME},
	{LINE, "a world of a million", world_of_a_million, ERR_OK, NOTE_BAD_PREAMBLE, "1000000 processes, but the records show 4", SAME},
	{LINE, "a world of one more", world_of_five, ERR_OK, NOTE_BAD_PREAMBLE, "5 processes, but the records show 4", SAME},
	{LINE, "a world of fewer", world_of_two, ERR_OK, NOTE_BAD_PREAMBLE, "2 processes, but 4 have records", SAME},
	{LINE, "a partner that nobody is", partner, ERR_OK, NOTE_BAD_PARTNER, "rank 999 of communicator 0", SAME_RUN},
#undef LINE
#define LINE "messages"
	{LINE, "neither sent nor received", message_type, ERR_OK, NOTE_BAD_MESSAGE, "event type -103, expected -101 or -102", LESS},
	{LINE, "a negative rank", partner_negative, ERR_OK, NOTE_BAD_PARTNER, "rank -7", SAME_RUN},
	{LINE, "a negative tag", message_tag, ERR_OK, NOTE_BAD_MESSAGE, "has tag -1", SAME_RUN},
	{LINE, "a negative size", message_size, ERR_OK, NOTE_UNKNOWN_SIZE, "has size -32766", SAME_RUN},
#undef LINE
#define LINE "the order of blocks"
	{LINE, "a block that another one announces", continuity, ERR_DAMAGED, NOTE_BAD_BLOCK, "does not begin with the record", SAME},
#undef LINE
#define LINE "one end of the log, constants, strings"
	{LINE, "an end in the middle", end_in_the_middle, ERR_DAMAGED, NOTE_BAD_BLOCK, "ends the log, but block", SAME},
	{LINE, "an end at another time", end_time, ERR_DAMAGED, NOTE_BAD_RECORD, "is not 1e8", SAME},
	{LINE, "no end", end_is_none, ERR_DAMAGED, NOTE_TRUNCATED, "the file ends after block", SAME},
	{LINE, "a constant of another event type", constant, ERR_OK, NOTE_BAD_DEFINITION, "event type -202, expected -201", SAME},
	{LINE, "a colour without end, of escapes", endless_string, ERR_OK, QUIET, NULL, SAME},
	{LINE, "a format without end", endless_format, ERR_OK, QUIET, NULL, SAME},
#undef LINE
#define LINE "numbers as keys, room by the file's size"
	{LINE, "a world of 2^31 - 1", world_of_most, ERR_OK, NOTE_BAD_PREAMBLE, "2147483647 processes, but the records show 4", SAME},
	{LINE, "2^31 - 1 threads", threads_of_most, ERR_OK, QUIET, NULL, SAME},
	{LINE, "an event type that nothing defines", unknown_etype, ERR_OK, NOTE_UNDEFINED_EVENT, "event -201", SAME_RUN},
#undef LINE
};

/* ---- the test ---- */

static struct trace *load(const struct source *s, uint32_t n, enum err_code *code, struct err *e)
{
	struct trace *t = NULL;

	*e = (struct err){0};
	*code = trace_load_sources(&t, s, n, NULL, NULL, e);
	return t;
}

static struct trace *load_bytes(const struct gen_bytes *b, enum err_code *code, struct err *e)
{
	struct source s;
	struct trace *t;

	source_open_memory(&s, "false.clog2", b->bytes, b->size, NULL);
	t = load(&s, 1, code, e);
	source_release(&s);
	return t;
}

static struct analysis *analyse(const struct trace *t)
{
	struct settings s;
	struct analysis *a;
	struct err e;

	settings_init(&s);
	if (analysis_new(&a, t, &s, NULL, ANALYSIS_PHASES, NULL, &e))
		bail_out("%s", e.text);
	return a;
}

static bool same_figures(const struct trace *t, const struct trace *u)
{
	struct analysis *a = analyse(t), *b = analyse(u);
	const struct figures *f = a->figures, *g = b->figures;
	bool same = t->process_count == u->process_count && t->event_count == u->event_count && t->start == u->start && t->end == u->end &&
		    t->lost_sends == u->lost_sends && t->lost_receives == u->lost_receives && f->count == g->count &&
		    f->relevant == g->relevant && f->coverage == g->coverage && f->set == g->set && f->pet == g->pet && f->pete == g->pete;

	if (!same)
		diag("%u and %u processes, %u and %u events, %u and %u phases, coverage %.4f and %.4f, lost %llu", t->process_count,
		     u->process_count, t->event_count, u->event_count, f->count, g->count, f->coverage, g->coverage,
		     (unsigned long long)(u->lost_sends + u->lost_receives));
	for (int k = 0; same && k < TIME_KINDS; k++)
		for (uint32_t p = 0; same && p < t->process_count; p++)
			same = t->processes[p].by_kind[k] == u->processes[p].by_kind[k];
	for (uint32_t i = 0; same && i < t->event_count; i++)
		same = t->type[i] == u->type[i] && !memcmp(&t->compute[i], &u->compute[i], sizeof *t->compute) && t->match[i] == u->match[i];
	analysis_unref(a);
	analysis_unref(b);
	return same;
}

static bool said(const struct trace *t, enum note_kind kind, const char *part)
{
	for (size_t i = 0; i < t->notes.n; i++)
		if (t->notes.list[i].kind == kind && strstr(t->notes.list[i].text, part))
			return true;
	for (size_t i = 0; i < t->notes.n; i++)
		diag("%s: %s", note_name(t->notes.list[i].kind), t->notes.list[i].text);
	return false;
}

static void figures_are(const struct trace *whole, const struct trace *t, enum outcome what, const char *line, const char *name)
{
	is_int(t->process_count, whole->process_count, "%s: %s: the same processes", line, name);
	if (what == SAME)
		ok(same_figures(whole, t), "%s: %s: the same figures", line, name);
	else if (what == SAME_RUN)
		is_int(t->event_count, whole->event_count, "%s: %s: the same events", line, name);
	else
		ok(t->event_count < whole->event_count && t->event_count > whole->event_count / 4, "%s: %s: the other events", line, name);
}

static void check_line(const struct fault *x, const struct gen_bytes *whole_bytes, const struct trace *whole)
{
	struct gen_bytes b = {malloc(whole_bytes->size), whole_bytes->size};
	struct trace *t;
	struct err e;
	enum err_code code;

	memcpy(b.bytes, whole_bytes->bytes, b.size);
	x->make(&b);
	t = load_bytes(&b, &code, &e);
	is_int(code, x->code, "%s: %s%s%s", x->line, x->what, code ? ": " : "", code ? e.text : "");
	if (x->figures == NONE) {
		ok(!t && strstr(e.text, x->part), "%s: %s: refused", x->line, x->what);
	} else if (ok(t != NULL, "%s: %s: read", x->line, x->what)) {
		if (x->kind == QUIET)
			is_u64(notes_total(&t->notes, NOTE_WARNING), 0, "%s: %s: nothing to warn of", x->line, x->what);
		else
			ok(said(t, x->kind, x->part), "%s: %s: said", x->line, x->what);
		figures_are(whole, t, x->figures, x->line, x->what);
	}
	trace_free(t);
	free(b.bytes);
}

/* The run with three constants, as MPE defines them. */
static struct gen_bytes make_whole(void)
{
	struct gen_run r = {.processes = 4, .rounds = 9, .id = 11, .constants = true};

	return gen_run_finalized(&r);
}

static void every_line(void)
{
	struct gen_bytes b = make_whole();
	struct err e;
	enum err_code code;
	struct trace *whole = load_bytes(&b, &code, &e);

	is_int(code, ERR_OK, "the file without a fault is read");
	is_u64(notes_total(&whole->notes, NOTE_WARNING) + notes_total(&whole->notes, NOTE_REMARK), 0, "and nothing is odd about it");
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		check_line(&list[i], &b, whole);
	trace_free(whole);
	free(b.bytes);
}

/* Up to 02.41 nothing but the file's size tells of a tail. */
static void before_tables(void)
{
	struct gen_run r = {.processes = 4, .rounds = 9, .id = 11, .minor = 40};
	struct gen_bytes b = gen_run_finalized(&r);
	struct err e;
	enum err_code code;
	struct trace *whole = load_bytes(&b, &code, &e), *t;

	b.size -= 100;
	t = load_bytes(&b, &code, &e);
	ok(code == ERR_DAMAGED && said(t, NOTE_CUT_TAIL, "is cut after the end-of-log record"), "02.40: a last block that is cut: %s", e.text);
	figures_are(whole, t, SAME, "02.40", "cut");
	trace_free(t);
	b.size += 100;
	b.bytes = realloc(b.bytes, b.size + 5000);
	memset(b.bytes + b.size, 'x', 5000);
	b.size += 3000;
	t = load_bytes(&b, &code, &e);
	ok(code == ERR_OK && said(t, NOTE_BAD_PREAMBLE, "3000 bytes follow"), "02.40: bytes behind the last block: %s", e.text);
	figures_are(whole, t, SAME, "02.40", "a tail");
	trace_free(t);
	b.size += 2000 - 8;
	t = load_bytes(&b, &code, &e);
	ok(code == ERR_DAMAGED && said(t, NOTE_BAD_BLOCK, "pas2p ignores it"), "02.40: blocks behind the last one: %s", e.text);
	figures_are(whole, t, SAME, "02.40", "a long tail");
	trace_free(t);
	b.size -= 5000 - 8;
	put_i32(&b, record(&b, CLOG2_MSGEVT, -101, 1, 4) + THREAD, 1);
	t = load_bytes(&b, &code, &e);
	ok(code == ERR_OK && said(t, NOTE_BAD_THREAD, "expected 0 to 0"), "02.40: has one thread");
	figures_are(whole, t, SAME, "02.40", "a thread");
	trace_free(t);
	trace_free(whole);
	free(b.bytes);
}

/* The timeline reads the calls again, with the same idea of who made them. */
static void timeline_of_threads(void)
{
	struct timeline *tl[2] = {NULL, NULL};
	struct trace *t[2];
	struct gen_bytes b[2];
	struct call_log *log[2];
	bool same = true;

	for (int i = 0; i < 2; i++) {
		struct source s;
		struct err e;
		enum err_code code;

		b[i] = make_whole();
		if (i)
			thread_of_start(&b[i]);
		source_open_memory(&s, "false.clog2", b[i].bytes, b[i].size, NULL);
		t[i] = load(&s, 1, &code, &e);
		if (!t[i] || call_log_new_sources(&log[i], t[i], &s, 1, NULL, &e) || timeline_new(&tl[i], log[i], NULL, &e))
			bail_out("%s", e.text);
		source_release(&s);
	}
	is_u64(tl[1]->calls, tl[0]->calls, "a call's start on a thread 7 of 1: the same calls in the timeline");
	for (uint32_t p = 0; p < t[0]->process_count; p++) {
		const struct timeline_process *x = &tl[0]->processes[p], *y = &tl[1]->processes[p];

		same = same && x->count == y->count;
		for (uint32_t k = 0; same && k < x->count; k++)
			same = x->calls[k].start == y->calls[k].start && x->calls[k].end == y->calls[k].end;
	}
	ok(same, "a call's start on a thread 7 of 1: each when it was");
	for (int i = 0; i < 2; i++) {
		timeline_free(tl[i]);
		call_log_free(log[i]);
		trace_free(t[i]);
		free(b[i].bytes);
	}
}

/* ---- who there is where less is known ---- */

static size_t old_bare(uint8_t *p, double time, int32_t rank, int32_t etype)
{
	clog2_pack_f64(p, time);
	clog2_pack_i32(p + 8, CLOG2_BAREEVT);
	clog2_pack_i32(p + 12, rank);
	clog2_pack_i32(p + 16, etype);
	return 24;
}

/* 02.20 has neither communicators nor a number of processes: one record does not make a process. */
static void old_ranks(void)
{
	static uint8_t bytes[1024 + 4096];
	struct gen_bytes b = {bytes, sizeof bytes};
	uint8_t *p = bytes + 1024;
	struct trace *t;
	struct err e;
	enum err_code code;

	sprintf((char *)bytes, "CLOG-02.20%cis_big_endian=%cTRUE %cblock_size=%c4096", 0, 0, 0, 0);
	for (int i = 0; i < 20; i++)
		for (int32_t rank = 0; rank < 3; rank++) {
			p += old_bare(p, i + 0.1 * rank, i == 10 && rank == 1 ? 40 : rank, 4);
			p += old_bare(p, i + 0.1 * rank + 0.01, rank, 5);
		}
	clog2_pack_f64(p, 1e8);
	t = load_bytes(&b, &code, &e);
	if (ok(code == ERR_DAMAGED && t, "02.20: a rank of one record: %s", e.text)) {
		is_int(t->process_count, 3, "02.20: makes no process");
		ok(said(t, NOTE_UNKNOWN_PROCESS, "rank 40 of communicator 0"), "02.20: which is said");
	}
	trace_free(t);
}

/* A process of which nothing is left, but to which others send, was there. */
static void silent_rank(void)
{
	struct gen_bytes b = make_whole();
	struct gen_reading r = gen_read(b.bytes, b.size);
	struct trace *t;
	struct err e;
	enum err_code code;

	/* All that rank 3 logs, on the world, its half and the way to the other one, becomes rank 0's and of no meaning. */
	for (size_t i = 0; i < r.n; i++) {
		const struct clog2_rec *x = &r.list[i];

		if (x->type == CLOG2_STATEDEF || x->type == CLOG2_CONSTDEF ||
		    (x->icomm ? x->rank || (x->icomm != 6 && x->icomm != 8) : x->rank != 3))
			continue;
		put_i32(&b, x->offset + ICOMM, 0);
		put_i32(&b, x->offset + RANK, 0);
		if (x->type != CLOG2_TIMESHIFT)
			put_i32(&b, x->offset + ETYPE, x->type == CLOG2_COMMEVT ? 10 : -1);
	}
	gen_reading_free(&r);
	set_value(&b, "max_comm_world_size=", "900");
	t = load_bytes(&b, &code, &e);
	if (ok(t != NULL, "a process without a record: read")) {
		is_int(t->process_count, 4, "a process without a record is there, for messages name it");
		ok(said(t, NOTE_MISSING_PROCESS, "rank 3 has no record"), "and is said to be missing");
		ok(said(t, NOTE_BAD_PREAMBLE, "900 processes, but the records show 4"), "no other is");
	}
	trace_free(t);
	free(b.bytes);
}

/* Of local files some may be missing, so that the number counts; but one file's against the others' does not. */
static void local_files(void)
{
	struct gen_run r = {.processes = 4, .rounds = 9, .id = 12};
	struct gen_bytes b[4];
	struct source s[4];
	struct trace *whole, *t;
	struct err e;
	enum err_code code;

	for (int32_t p = 0; p < 4; p++) {
		b[p] = gen_run_local(&r, p);
		source_open_memory(&s[p], "part.clog2", b[p].bytes, b[p].size, NULL);
	}
	whole = load(s, 3, &code, &e);
	is_int(code == ERR_OK && whole ? (int)whole->process_count : -1, 4, "three local files of four: four processes");
	ok(said(whole, NOTE_MISSING_FILE, "rank 3"), "one of which is missing");
	set_value(&b[1], "max_comm_world_size=", "1000000");
	t = load(s, 3, &code, &e);
	ok(code == ERR_OK && said(t, NOTE_BAD_PREAMBLE, "1000000 processes, but other files of the run give 4"), "one of them says a million");
	figures_are(whole, t, SAME, "local files", "a world of a million");
	trace_free(t);
	set_value(&b[1], "max_comm_world_size=", "4");
	set_value(&b[2], "is_finalzed=", "TRUE ");
	t = load(s, 3, &code, &e);
	ok(code == ERR_OK && t && said(t, NOTE_BAD_PREAMBLE, "the local file of one rank"), "one of them says that it is whole: %s", e.text);
	if (t)
		figures_are(whole, t, SAME, "local files", "a whole one");
	trace_free(t);
	trace_free(whole);
	for (int p = 0; p < 4; p++) {
		source_release(&s[p]);
		free(b[p].bytes);
	}
}

int main(void)
{
	every_line();
	before_tables();
	timeline_of_threads();
	old_ranks();
	silent_rank();
	local_files();
	return done_testing();
}
