#include "clog2.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/io/descriptor.h"

#define HEAD 24u
#define LOCAL_RESERVE 32u /* what MPE keeps free besides ENDBLOCK in a local file, for a record of its own */
#define MIN_BLOCK 256u    /* the largest record, its marker and the reserve, with room to spare */
#define MAX_BLOCK (1u << 30)
#define END_TIME 1.0e8
#define UNIT UINT64_C(1073741824) /* in which the preamble counts offsets */
#define ENTRY 40u                 /* of the communicator table */

/* ---- bytes ---- */

static void put_big(uint8_t *p, uint64_t v, unsigned n)
{
	for (unsigned i = n; i > 0; i--, v >>= 8)
		p[i - 1] = (uint8_t)v;
}

static void put_u32(bool big_endian, uint8_t *p, uint32_t v)
{
	if (big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		v = __builtin_bswap32(v);
	memcpy(p, &v, sizeof v);
}

static void put_i32(bool big_endian, uint8_t *p, int32_t v)
{
	put_u32(big_endian, p, (uint32_t)v);
}

static void put_f64(bool big_endian, uint8_t *p, double d)
{
	uint64_t v;

	memcpy(&v, &d, sizeof v);
	if (big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof v);
}

/* A string field of n bytes: cut so that its last byte is NUL. */
static void field_put_text(uint8_t *p, const char *s, size_t n)
{
	size_t len = strnlen(s, n - 1);

	memcpy(p, s, len);
	memset(p + len, 0, n - len);
}

/* GIDs are held big-endian (clog2.h). */
static void put_gid(bool big_endian, uint8_t *p, const struct clog2_gid *gid)
{
	memcpy(p, gid->bytes, sizeof gid->bytes);
	if (big_endian)
		return;
	for (unsigned i = 0; i < 4; i++)
		p[i] = gid->bytes[3 - i];
	for (unsigned i = 0; i < 8; i++)
		p[4 + i] = gid->bytes[11 - i];
}

unsigned clog2_pack_f64(uint8_t *at, double v)
{
	put_f64(true, at, v);
	return 8;
}

unsigned clog2_pack_i64(uint8_t *at, int64_t v)
{
	put_big(at, (uint64_t)v, 8);
	return 8;
}

unsigned clog2_pack_i32(uint8_t *at, int32_t v)
{
	put_i32(true, at, v);
	return 4;
}

/* ---- file ---- */

static void write_at(struct clog2_writer *writer, uint64_t offset, const void *bytes, size_t n)
{
	char text[DESCRIPTOR_TEXT];
	int error;

	if (writer->err.code)
		return;
	error = descriptor_write(writer->fd, bytes, n, (int64_t)offset);
	if (error)
		err_set(&writer->err, ERR_IO, "cannot write the trace at byte %" PRIu64 ": %s", offset, descriptor_reason(error, text));
}

static uint64_t block_offset(const struct clog2_writer *writer)
{
	return CLOG2_PREAMBLE + writer->blocks * writer->block_size;
}

/* Titles and values, each with its NUL, on a zeroed page. */
struct preamble_page {
	char bytes[CLOG2_PREAMBLE];
	size_t at;
};

static void add_text(struct preamble_page *p, const char *title, const char *value)
{
	p->at += (size_t)snprintf(p->bytes + p->at, sizeof p->bytes - p->at, "%s", title) + 1;
	p->at += (size_t)snprintf(p->bytes + p->at, sizeof p->bytes - p->at, "%s", value) + 1;
}

static void add_number(struct preamble_page *p, const char *title, int64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRId64, value);
	add_text(p, title, text);
}

static void write_preamble(struct clog2_writer *writer, uint64_t table)
{
	struct preamble_page p = {.at = 0};
	bool new = writer->minor >= 44, placeholders = !writer->finalized;

	p.at = (size_t)snprintf(p.bytes, sizeof p.bytes, "CLOG-02.%02d", writer->minor) + 1;
	add_text(&p, "is_big_endian=", writer->big_endian ? "TRUE " : "FALSE");
	if (new)
		add_text(&p, "is_finalzed=", writer->finalized ? "TRUE " : "FALSE");
	add_number(&p, "block_size=", writer->block_size);
	add_number(&p, "num_buffered_blocks=", 128);
	add_number(&p, new ? "max_comm_world_size=" : "comm_world_size=", writer->world_size);
	if (new)
		add_number(&p, "max_thread_count=", writer->max_threads);
	add_number(&p, "known_eventID_start=", 0);
	add_number(&p, "user_eventID_start=", 600);
	if (new)
		add_number(&p, "known_solo_eventID_start=", -10);
	add_number(&p, new ? "user_solo_eventID_start=" : "user_eventID_start=", 5000); /* 02.40's title is so */
	add_number(&p, "known_stateID_count=", 300);
	add_number(&p, "user_stateID_count=", placeholders ? 100 : writer->user_states);
	if (new)
		add_number(&p, "known_solo_eventID_count=", placeholders ? 10 : 2);
	add_number(&p, "user_solo_eventID_count=", placeholders ? 100 : writer->user_events);
	if (new) {
		add_number(&p, "commtable_fptr=", (int64_t)(table / UNIT));
		p.at += (size_t)snprintf(p.bytes + p.at, sizeof p.bytes - p.at, "%" PRIu64, UNIT) + 1;
		snprintf(p.bytes + p.at, sizeof p.bytes - p.at, "%" PRIu64, table % UNIT);
	}
	write_at(writer, 0, p.bytes, sizeof p.bytes);
}

/* ---- records ---- */

static void put_head(struct clog2_writer *writer, struct clog2_head head, enum clog2_type type)
{
	uint8_t *p = writer->block + writer->used;

	put_f64(writer->big_endian, p, head.time);
	put_i32(writer->big_endian, p + 8, head.icomm);
	put_i32(writer->big_endian, p + 12, head.rank);
	put_i32(writer->big_endian, p + 16, head.thread);
	put_i32(writer->big_endian, p + 20, type);
}

/* End the block with a marker and write it. The room for the marker was kept by start(). */
static void close_block(struct clog2_writer *writer, enum clog2_type type, double time)
{
	put_head(writer, (struct clog2_head){time, 0, writer->finalized ? 0 : writer->world_rank, 0}, type);
	writer->used += HEAD;
	memset(writer->block + writer->used, 0, writer->block_size - writer->used);
	write_at(writer, block_offset(writer), writer->block, writer->block_size);
	writer->blocks++;
	writer->used = 0;
}

/* In the block, or in the next one. */
static bool has_room(struct clog2_writer *writer, size_t length, double time)
{
	size_t keep = HEAD + (writer->finalized ? 0 : LOCAL_RESERVE);

	if (writer->err.code)
		return false;
	if (writer->used + length + keep >= writer->block_size)
		close_block(writer, CLOG2_ENDBLOCK, time);
	return true;
}

/* Room for a record, its header written; the payload's zeroed bytes, or NULL after an error. */
static uint8_t *writer_start_record(struct clog2_writer *writer, struct clog2_head head, enum clog2_type type, size_t payload)
{
	uint8_t *p;

	if (!has_room(writer, HEAD + payload, head.time))
		return NULL;
	put_head(writer, head, type);
	p = writer->block + writer->used + HEAD;
	memset(p, 0, payload);
	writer->used += HEAD + payload;
	writer->last_time = head.time;
	return writer->err.code ? NULL : p;
}

/* Four bytes of the payload, from `pad` on, say nothing. */
static inline void writer_copy_record(struct clog2_writer *writer, const uint8_t *record, size_t payload, size_t pad)
{
	uint8_t *p = writer->block + writer->used;

	memcpy(p, record, HEAD + payload);
	memset(p + HEAD + pad, 0, 4);
	writer->used += HEAD + payload;
}

void clog2_write_again(struct clog2_writer *writer, double time, enum clog2_type type, const uint8_t *record)
{
	size_t payload = type == CLOG2_BAREEVT ? 8 : type == CLOG2_MSGEVT ? 24 : 40, before;

	if (!has_room(writer, HEAD + payload, time))
		return;
	before = writer->used;
	switch (type) {
	case CLOG2_BAREEVT:
		writer_copy_record(writer, record, 8, 4);
		break;
	case CLOG2_MSGEVT:
		writer_copy_record(writer, record, 24, 20);
		break;
	default:
		writer_copy_record(writer, record, 40, 4);
	}
	put_f64(true, writer->block + before, time);
	writer->last_time = time;
}

void clog2_write_bare(struct clog2_writer *writer, struct clog2_head head, int32_t etype)
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_BAREEVT, 8);

	if (p)
		put_i32(writer->big_endian, p, etype);
}

void clog2_write_cargo(struct clog2_writer *writer, struct clog2_head head, int32_t etype, const uint8_t cargo[32])
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_CARGOEVT, 40);

	if (!p)
		return;
	put_i32(writer->big_endian, p, etype);
	memcpy(p + 8, cargo, 32);
}

void clog2_write_msg(struct clog2_writer *writer, struct clog2_head head, const struct clog2_msg *message)
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_MSGEVT, 24);

	if (!p)
		return;
	put_i32(writer->big_endian, p, message->etype);
	put_i32(writer->big_endian, p + 4, message->icomm);
	put_i32(writer->big_endian, p + 8, message->rank);
	put_i32(writer->big_endian, p + 12, message->tag);
	put_i32(writer->big_endian, p + 16, message->size);
}

void clog2_write_statedef(struct clog2_writer *writer, struct clog2_head head, const struct clog2_statedef *record)
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_STATEDEF, 112);

	if (!p)
		return;
	put_i32(writer->big_endian, p, record->state);
	put_i32(writer->big_endian, p + 4, record->start);
	put_i32(writer->big_endian, p + 8, record->final);
	field_put_text(p + 16, record->color, 24);
	field_put_text(p + 40, record->name, 32);
	field_put_text(p + 72, record->format, 40);
	if (record->start >= 600 && record->start < 5000 &&
	    writer->user_states < (uint32_t)(record->start - 600) / 2 + 1)
		writer->user_states = (uint32_t)(record->start - 600) / 2 + 1;
}

void clog2_write_eventdef(struct clog2_writer *writer, struct clog2_head head, const struct clog2_eventdef *record)
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_EVENTDEF, 104);

	if (!p)
		return;
	put_i32(writer->big_endian, p, record->etype);
	field_put_text(p + 8, record->color, 24);
	field_put_text(p + 32, record->name, 32);
	field_put_text(p + 64, record->format, 40);
	if (record->etype >= 5000 && writer->user_events < (uint32_t)record->etype - 5000 + 1)
		writer->user_events = (uint32_t)record->etype - 5000 + 1;
}

void clog2_write_constdef(struct clog2_writer *writer, struct clog2_head head, const struct clog2_constdef *record)
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_CONSTDEF, 40);

	if (!p)
		return;
	put_i32(writer->big_endian, p, record->etype);
	put_i32(writer->big_endian, p + 4, record->value);
	field_put_text(p + 8, record->name, 32);
}

void clog2_write_timeshift(struct clog2_writer *writer, struct clog2_head head, double shift)
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_TIMESHIFT, 8);

	if (p)
		put_f64(writer->big_endian, p, shift);
}

void clog2_write_coll(struct clog2_writer *writer, struct clog2_head head, const struct clog2_coll *record)
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_COLLEVT, 16);

	if (!p)
		return;
	put_i32(writer->big_endian, p, record->etype);
	put_i32(writer->big_endian, p + 4, record->root);
	put_i32(writer->big_endian, p + 8, record->size);
}

void clog2_write_srcloc(struct clog2_writer *writer, struct clog2_head head, const struct clog2_srcloc *record)
{
	uint8_t *p = writer_start_record(writer, head, CLOG2_SRCLOC, 48);

	if (!p)
		return;
	put_i32(writer->big_endian, p, record->location);
	put_i32(writer->big_endian, p + 4, record->line);
	field_put_text(p + 8, record->file, 40);
}

/* ---- communicator table ---- */

#define COMM_KINDS 4

/* What a COMMEVT creates, as the table names it. */
static int32_t kind_of(int32_t etype)
{
	switch (etype) {
	case 1000:
		return 0; /* intercommunicator */
	case 101:
		return 2; /* its local side */
	case 102:
		return 3; /* its remote side */
	default:
		return 1; /* intracommunicator */
	}
}

struct comm_key {
	const struct clog2_comm *payload;
	int32_t kind;
};

static uint64_t hash_comm(const struct clog2_gid *gid, int32_t icomm)
{
	uint64_t h = hash_mix(0, (uint32_t)icomm), word; /* mixed: GIDs may begin with the same number */

	for (size_t i = 0; i < sizeof gid->bytes; i += sizeof word) {
		memcpy(&word, gid->bytes + i, sizeof word);
		h = hash_mix(h, word);
	}
	return h;
}

static uint64_t hash_entry(const void *comms, uint32_t i)
{
	const struct clog2_commentry *entry = &((const struct clog2_writer_comm *)comms)[i].entry;

	return hash_comm(&entry->gid, entry->icomm);
}

static inline bool same_entry(const void *comms, uint32_t i, const void *key)
{
	const struct clog2_commentry *entry = &((const struct clog2_writer_comm *)comms)[i].entry;
	const struct comm_key *wanted = key;

	return entry->icomm == wanted->payload->icomm && entry->kind == wanted->kind &&
	       !memcmp(&entry->gid, &wanted->payload->gid, sizeof entry->gid);
}

static struct clog2_writer_comm *find_comm(const struct clog2_writer *writer, const struct clog2_comm *payload, int32_t kind)
{
	struct comm_key key = {payload, kind};
	uint32_t at = index_find(&writer->comm_index, hash_comm(&payload->gid, payload->icomm), writer->comms, same_entry, &key);

	return at ? &writer->comms[at - 1] : NULL;
}

static bool append_comm(struct clog2_writer *writer, const struct clog2_comm *payload, int32_t kind)
{
	struct clog2_writer_comm *list = mem_grow(writer->comms, writer->comm_count, &writer->comm_cap, sizeof *list);
	struct comm_key key = {payload, kind};
	uint32_t *slot;

	if (!list)
		return false;
	writer->comms = list;
	slot = index_slot(&writer->comm_index, hash_comm(&payload->gid, payload->icomm), list, writer->comm_count, same_entry, hash_entry, &key);
	if (!slot)
		return false;
	list[writer->comm_count] = (struct clog2_writer_comm){{payload->gid, payload->icomm, kind}, writer->comm_written++};
	*slot = ++writer->comm_count;
	return true;
}

/* The table is rank 0's, in its order of creation, and behind it, by number, what only others know, of kind -1. What
 * these told first becomes rank 0's where it stands: the kind is no part of the hash. */
static void add_comm(struct clog2_writer *writer, const struct clog2_comm *payload)
{
	int32_t kind = payload->wrank == 0 ? kind_of(payload->etype) : -1;
	struct clog2_writer_comm *others = find_comm(writer, payload, -1);

	if (kind == -1) {
		for (int32_t k = 0; !others && k < COMM_KINDS; k++)
			others = find_comm(writer, payload, k);
		if (others)
			return;
	} else if (find_comm(writer, payload, kind)) {
		return;
	}
	if (others) {
		others->entry.kind = kind;
		others->order = writer->comm_written++;
	} else if (!append_comm(writer, payload, kind)) {
		err_memory(&writer->err, "the communicator table");
	}
}

void clog2_write_comm(struct clog2_writer *writer, struct clog2_head head, const struct clog2_comm *payload)
{
	uint8_t *p;

	if (payload->etype == 0)
		writer->world_rank = payload->wrank;
	p = writer_start_record(writer, head, CLOG2_COMMEVT, 48);
	if (!p)
		return;
	put_i32(writer->big_endian, p, payload->etype);
	put_i32(writer->big_endian, p + 4, payload->icomm);
	put_i32(writer->big_endian, p + 8, payload->rank);
	put_i32(writer->big_endian, p + 12, payload->wrank);
	put_gid(writer->big_endian, p + 16, &payload->gid);
	if (writer->minor >= 42 && payload->icomm != CLOG2_NULL_COMM)
		add_comm(writer, payload);
}

static int compare_comms(const void *a, const void *b)
{
	const struct clog2_writer_comm *x = a, *y = b;

	if ((x->entry.kind == -1) != (y->entry.kind == -1))
		return x->entry.kind == -1 ? 1 : -1;
	if (x->entry.kind == -1 && x->entry.icomm != y->entry.icomm)
		return x->entry.icomm < y->entry.icomm ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void write_table(struct clog2_writer *writer, uint64_t offset)
{
	size_t n = 4 + (size_t)writer->comm_count * ENTRY;
	uint8_t *bytes = mem_alloc(n, 1);

	if (!bytes) {
		err_memory(&writer->err, "the communicator table");
		return;
	}
	SORT(writer->comms, writer->comm_count, compare_comms);
	index_release(&writer->comm_index); /* they are not where it says any more */
	put_u32(writer->big_endian, bytes, writer->comm_count);
	for (uint32_t i = 0; i < writer->comm_count; i++) {
		const struct clog2_commentry *entry = &writer->comms[i].entry;
		uint8_t *p = bytes + 4 + (size_t)i * ENTRY;

		put_gid(writer->big_endian, p, &entry->gid);
		put_i32(writer->big_endian, p + 32, entry->icomm);
		put_i32(writer->big_endian, p + 36, entry->kind);
	}
	write_at(writer, offset, bytes, n);
	mem_free(bytes);
}

/* ---- life ---- */

enum err_code clog2_writer_init(struct clog2_writer *writer, int fd, const struct clog2_write_options *o, struct err *e)
{
	*writer = (struct clog2_writer){
		.fd = fd, .minor = o->minor, .big_endian = o->big_endian, .finalized = o->finalized,
		.block_size = o->block_size, .world_size = o->world_size, .max_threads = o->max_threads,
	};
	if (o->minor != 40 && o->minor != 44)
		return err_set(e, ERR_USAGE, "cannot write CLOG-02.%02d: expected 02.40 or 02.44", o->minor);
	if (o->block_size < MIN_BLOCK || o->block_size > MAX_BLOCK)
		return err_set(e, ERR_USAGE, "the block size is %" PRIu32 ": expected %u to %u", o->block_size,
			       MIN_BLOCK, MAX_BLOCK);
	writer->block = mem_alloc(writer->block_size, 1);
	if (!writer->block)
		return err_memory(e, "a block of the trace");
	write_preamble(writer, 0);
	if (writer->err.code) {
		clog2_writer_release(writer);
		return err_set(e, writer->err.code, "%s", writer->err.text);
	}
	return ERR_OK;
}

enum err_code clog2_writer_finish(struct clog2_writer *writer, bool close_log, struct err *e)
{
	uint64_t table = 0;

	if (close_log && !writer->err.code) {
		close_block(writer, CLOG2_ENDLOG, writer->finalized ? END_TIME : writer->last_time);
		if (writer->minor >= 42) {
			table = block_offset(writer);
			write_table(writer, table);
		}
		write_preamble(writer, table);
	}
	if (writer->err.code && e)
		*e = writer->err;
	return writer->err.code;
}

void clog2_writer_release(struct clog2_writer *writer)
{
	mem_free(writer->block);
	mem_free(writer->comms);
	writer->block = NULL;
	writer->comms = NULL;
	writer->comm_count = writer->comm_written = 0;
	writer->comm_cap = 0;
	index_release(&writer->comm_index);
}
