#include "records_int.h"

#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/io/descriptor.h"

#define FIRST_CHUNK 512
#define LONGEST 64   /* record */

enum {
	KIND = 7,            /* enum record_kind, and: */
	KIND_NUMBERS = 6,    /* what follows says something by numbers: RECORD_BEGINS and others beside it */
	KIND_THREAD = 7,     /* what follows is of another thread */
	SAME_TIME = 8,
	HAS_ROOT = 16,
	HAS_RECEIVED = 32,
	IS_EMPTY = 64,
	IS_APART = 128       /* an event that is not the next one */
};

/* ---- the store ---- */

void record_store_init(struct record_store *store, uint64_t budget)
{
	*store = (struct record_store){.budget = budget, .fd = -1};
	pthread_mutex_init(&store->lock, NULL);
}

void record_store_reset(struct record_store *store)
{
	atomic_store(&store->kept, 0);
	atomic_store(&store->written, 0);
}

void record_store_release(struct record_store *store)
{
	if (store->fd >= 0)
		close(store->fd);
	pthread_mutex_destroy(&store->lock);
}

static int store_file(struct record_store *store)
{
	int fd;

	pthread_mutex_lock(&store->lock);
	if (store->fd < 0 && !store->err.code)
		store->fd = descriptor_scratch(&store->err);
	fd = store->fd;
	pthread_mutex_unlock(&store->lock);
	return fd;
}

static bool store_write(struct record_store *store, const uint8_t *bytes, uint32_t n, uint64_t *offset)
{
	int fd = store_file(store), error;

	if (fd < 0)
		return false;
	*offset = atomic_fetch_add(&store->written, n);
	error = descriptor_write(fd, bytes, n, (int64_t)*offset);
	if (!error)
		return true;
	pthread_mutex_lock(&store->lock);
	if (!store->err.code)
		descriptor_scratch_failed(error, &store->err);
	pthread_mutex_unlock(&store->lock);
	return false;
}

/* ---- packing ---- */

static inline uint8_t *varint_put(uint8_t *at, uint64_t v)
{
	while (v >= 0x80) {
		*at++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*at++ = (uint8_t)v;
	return at;
}

/* The difference of two numbers' bits, small ones of either sign in few bytes. */
static inline uint8_t *put_difference(uint8_t *at, uint64_t v, uint64_t before)
{
	uint64_t d = v - before;

	return varint_put(at, d << 1 ^ (0 - (d >> 63)));
}

static inline uint64_t bits_of(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

/* The chunk is full, or there is none. */
static __attribute__((noinline)) bool next_chunk(struct record_pack *pack, struct record_store *store)
{
	uint32_t size = !pack->size ? FIRST_CHUNK : pack->size < RECORD_CHUNK ? pack->size * 2 : RECORD_CHUNK;
	struct record_chunk chunk = {.bytes = pack->bytes, .used = pack->used};
	bool keeps = atomic_load(&store->kept) + size <= store->budget || pack->size < RECORD_CHUNK;

	if (pack->bytes) {
		struct record_chunk *chunks = mem_grow(pack->chunks, pack->count, &pack->cap, sizeof *chunks);

		if (!chunks)
			return false;
		pack->chunks = chunks;
		if (!keeps) {
			chunk.bytes = NULL;
			if (!store_write(store, pack->bytes, pack->used, &chunk.offset))
				return false;
			chunks[pack->count++] = chunk;
			pack->used = 0;
			return true;
		}
		chunks[pack->count++] = chunk;
	}
	pack->used = pack->size = 0;
	pack->bytes = mem_alloc(size, 1);
	if (!pack->bytes)
		return false;
	atomic_fetch_add(&store->kept, size);
	pack->size = size;
	return true;
}

static __attribute__((noinline)) uint8_t *put_numbers(uint8_t *at, const struct record *record)
{
	*at++ = (uint8_t)(KIND_NUMBERS | record->says);
	if (record->says & (RECORD_BEGINS | RECORD_COMPLETES))
		at = varint_put(at, record->request);
	if (record->says & RECORD_BEGINS)
		at = varint_put(at, record->count);
	if (record->says & (RECORD_GATHERS | RECORD_NEIGHBOUR)) {
		at = varint_put(at, record->comm);
		at = varint_put(at, record->number);
	}
	return at;
}

bool record_pack_add(struct record_pack *pack, struct record_store *store, const struct record *record)
{
	uint64_t time = bits_of(record->time), seconds;
	uint8_t *at, tag = (uint8_t)record->kind;

	if (__builtin_expect(pack->used + LONGEST > pack->size, 0) && !next_chunk(pack, store))
		return false;
	at = pack->bytes + pack->used;
	if (__builtin_expect(record->thread != pack->thread, 0)) {
		*at++ = KIND_THREAD;
		at = varint_put(at, (uint32_t)record->thread);
		pack->thread = record->thread;
	}
	if (__builtin_expect(record->says, 0))
		at = put_numbers(at, record);
	if (time == pack->time)
		tag |= SAME_TIME;
	if (record->kind == RECORD_EVENT)
		tag = (uint8_t)(tag | (record->root != NO_PROCESS ? HAS_ROOT : 0) | (record->received != UINT64_MAX ? HAS_RECEIVED : 0) |
				(record->empty ? IS_EMPTY : 0) | (record->event != pack->event ? IS_APART : 0));
	*at++ = tag;
	if (!(tag & SAME_TIME))
		at = put_difference(at, time, pack->time);
	pack->time = time;
	switch (record->kind) {
	case RECORD_ENTER:
	case RECORD_LEAVE:
		at = varint_put(at, record->state);
		break;
	case RECORD_EVENT:
		if (tag & IS_APART)
			at = varint_put(at, record->event - pack->event);
		pack->event = record->event + 1;
		if (tag & HAS_ROOT)
			at = varint_put(at, record->root);
		if (tag & HAS_RECEIVED)
			at = varint_put(at, record->received);
		break;
	case RECORD_CPU_SAMPLE:
		seconds = bits_of(record->seconds);
		at = put_difference(at, seconds, pack->seconds);
		pack->seconds = seconds;
		break;
	case RECORD_OTHER:
		break;
	}
	pack->used = (uint32_t)(at - pack->bytes);
	pack->records++;
	return true;
}

void record_pack_release(struct record_pack *pack)
{
	for (uint32_t i = 0; i < pack->count; i++)
		mem_free(pack->chunks[i].bytes);
	mem_free(pack->chunks);
	mem_free(pack->bytes);
	*pack = (struct record_pack){0};
}

/* ---- reading ---- */

static inline uint64_t varint_get(const uint8_t **at)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = *(*at)++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return v;
}

static inline uint64_t get_difference(const uint8_t **at, uint64_t before)
{
	uint64_t v = varint_get(at);

	return before + (v >> 1 ^ (0 - (v & 1)));
}

static inline double of_bits(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

static bool open_chunk(const struct record_pack *pack, const struct record_store *store, struct record_reading *reading, struct err *e)
{
	const struct record_chunk *chunk;
	int error;

	if (reading->chunk > pack->count)
		return false;
	if (reading->chunk++ == pack->count) {
		if (!pack->used)
			return false;
		reading->at = pack->bytes;
		reading->end = pack->bytes + pack->used;
		return true;
	}
	chunk = &pack->chunks[reading->chunk - 1];
	reading->at = chunk->bytes;
	if (!chunk->bytes) {
		if (!reading->buffer)
			reading->buffer = mem_alloc(RECORD_CHUNK, 1);
		if (!reading->buffer) {
			err_memory(e, "the trace's records");
			return false;
		}
		error = descriptor_read(store->fd, reading->buffer, chunk->used, (int64_t)chunk->offset);
		if (error) {
			descriptor_scratch_failed(error, e);
			return false;
		}
		reading->at = reading->buffer;
	}
	reading->end = reading->at + chunk->used;
	return true;
}

static __attribute__((noinline)) const uint8_t *get_numbers(const uint8_t *at, uint8_t tag, struct record *record)
{
	record->says = tag & ~(unsigned)KIND;
	if (record->says & (RECORD_BEGINS | RECORD_COMPLETES))
		record->request = (uint32_t)varint_get(&at);
	if (record->says & RECORD_BEGINS)
		record->count = (uint32_t)varint_get(&at);
	if (record->says & (RECORD_GATHERS | RECORD_NEIGHBOUR)) {
		record->comm = (uint32_t)varint_get(&at);
		record->number = (uint32_t)varint_get(&at);
	}
	return at;
}

bool record_pack_next(const struct record_pack *pack, const struct record_store *store, struct record_reading *reading,
		      struct record *record, struct err *e)
{
	const uint8_t *at;
	uint8_t tag;

	if (__builtin_expect(reading->at == reading->end, 0) && !open_chunk(pack, store, reading, e))
		return false;
	at = reading->at;
	tag = *at++;
	if (__builtin_expect((tag & KIND) == KIND_THREAD, 0)) {
		reading->thread = (int32_t)(uint32_t)varint_get(&at);
		tag = *at++;
	}
	*record = (struct record){.thread = reading->thread, .root = NO_PROCESS, .received = UINT64_MAX};
	if (__builtin_expect((tag & KIND) == KIND_NUMBERS, 0)) {
		at = get_numbers(at, tag, record);
		tag = *at++;
	}
	if (!(tag & SAME_TIME))
		reading->time = get_difference(&at, reading->time);
	record->kind = (enum record_kind)(tag & KIND);
	record->time = of_bits(reading->time);
	switch (record->kind) {
	case RECORD_ENTER:
	case RECORD_LEAVE:
		record->state = (uint32_t)varint_get(&at);
		break;
	case RECORD_EVENT:
		if (tag & IS_APART)
			reading->event += (uint32_t)varint_get(&at);
		record->event = reading->event++;
		if (tag & HAS_ROOT)
			record->root = (uint32_t)varint_get(&at);
		if (tag & HAS_RECEIVED)
			record->received = varint_get(&at);
		record->empty = tag & IS_EMPTY;
		break;
	case RECORD_CPU_SAMPLE:
		reading->seconds = get_difference(&at, reading->seconds);
		record->seconds = of_bits(reading->seconds);
		break;
	case RECORD_OTHER:
		break;
	}
	reading->at = at;
	return true;
}
