#include "unpack.h"

#include <pthread.h>
#include <string.h>

#include "core/base/mem.h"

#define BLOCK ((size_t)64 << 10)
#define HEAD_BLOCKS (SOURCE_HEAD / BLOCK)
#define RING_BLOCKS 108u /* with the head, and what a stream has read, 8 MiB */
#define AHEAD 24u        /* blocks that are made before they are asked for; the others are kept behind */
#define NONE UINT64_MAX

struct unpack_slot {
	uint8_t *bytes;
	uint64_t number;     /* of the block in it; NONE: no whole one */
	size_t len;
	unsigned taken;      /* by who copies from it */
};

/* Who waits for a block, on its stack. */
struct block_waiting {
	uint64_t number;
	struct block_waiting *next;
};

struct unpack {
	struct source file;  /* as it is given; the descriptor is the source's */
	enum packing packing;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	pthread_t thread;
	bool running, to_join, quit;
	bool asleep, stuck;  /* the thread waits; for a slot to be given back, not to be needed */
	struct unpack_stream *stream; /* NULL: none is under way */
	bool busy;           /* someone is making a block, without the lock */
	uint64_t next;       /* block to make */
	uint64_t wanted;     /* the highest block that was asked for since it began */
	uint64_t size;       /* SOURCE_SIZE_UNKNOWN */
	uint64_t taken;      /* bytes of the file, by now */
	uint64_t begun;      /* how often */
	struct block_waiting *waiting;
	enum unpack_end end;
	uint64_t end_at;
	enum err_code code;  /* of making a block */
	struct err err;
	struct unpack_slot head[HEAD_BLOCKS], ring[RING_BLOCKS];
};

/* ---- making blocks; all with the lock ---- */

static struct unpack_slot *slot_of(struct unpack *u, uint64_t number)
{
	return number < HEAD_BLOCKS ? &u->head[number] : &u->ring[number % RING_BLOCKS];
}

static bool is_waited_for(const struct unpack *u, uint64_t number)
{
	for (const struct block_waiting *w = u->waiting; w; w = w->next)
		if (w->number == number)
			return true;
	return false;
}

/* The head is made again beside what is there, which others may be reading. */
static struct unpack_slot *slot_to_fill(struct unpack *u)
{
	struct unpack_slot *slot = slot_of(u, u->next);

	if (slot->number == u->next)
		slot = &u->ring[u->next % RING_BLOCKS];
	if (slot->taken || (slot->number != NONE && is_waited_for(u, slot->number)))
		return NULL;
	return slot;
}

static bool can_make(struct unpack *u)
{
	return u->stream && !u->busy && !u->code && slot_to_fill(u);
}

static void unpack_stop(struct unpack *u)
{
	unpack_stream_free(u->stream);
	u->stream = NULL;
}

static void unpack_make_block(struct unpack *u)
{
	struct unpack_slot *slot = slot_to_fill(u);
	bool again = slot != slot_of(u, u->next);
	struct err err;
	enum err_code code;
	size_t got = 0;
	uint64_t at;

	u->busy = true;
	slot->number = NONE;
	pthread_mutex_unlock(&u->mutex);
	if (!slot->bytes)
		slot->bytes = mem_alloc(BLOCK, 1);
	code = slot->bytes ? unpack_stream_read(u->stream, slot->bytes, BLOCK, &got, &err) : err_memory(&err, "decompressing a file");
	pthread_mutex_lock(&u->mutex);
	u->busy = false;
	if (code) {
		u->code = code;
		u->err = err;
	} else {
		slot->number = again ? NONE : u->next;
		slot->len = got;
		u->end = unpack_stream_end(u->stream, &at);
		u->taken = u->end_at = at;
		if (got < BLOCK) {
			u->size = u->next * BLOCK + got;
			unpack_stop(u);
		}
		u->next++;
	}
	pthread_cond_broadcast(&u->changed);
}

static enum err_code unpack_begin(struct unpack *u, struct err *e)
{
	enum err_code code;

	unpack_stop(u);
	code = unpack_stream_new(&u->stream, &u->file, u->packing, e);
	if (code)
		return code;
	for (unsigned i = 0; i < RING_BLOCKS; i++)
		u->ring[i].number = NONE;
	u->next = u->wanted = u->taken = 0;
	u->begun++;
	u->code = ERR_OK;
	return ERR_OK;
}

static void *make_ahead(void *arg)
{
	struct unpack *u = arg;

	pthread_mutex_lock(&u->mutex);
	while (!u->quit && u->stream && !u->code)
		if (u->next <= u->wanted + AHEAD && can_make(u)) {
			unpack_make_block(u);
		} else {
			u->stuck = u->next <= u->wanted + AHEAD;
			u->asleep = true;
			pthread_cond_wait(&u->changed, &u->mutex);
			u->stuck = u->asleep = false;
		}
	u->running = false;
	pthread_cond_broadcast(&u->changed);
	pthread_mutex_unlock(&u->mutex);
	return NULL;
}

static void unpack_join_thread(struct unpack *u)
{
	if (u->to_join)
		pthread_join(u->thread, NULL);
	u->to_join = false;
}

/* A small file, or one whose beginning is looked at, needs no thread. */
static void need_thread(struct unpack *u)
{
	if (u->running || u->wanted < HEAD_BLOCKS || !u->stream)
		return;
	unpack_join_thread(u);
	u->running = u->to_join = pthread_create(&u->thread, NULL, make_ahead, u) == 0;
}

/* ---- taking them; all with the lock ---- */

/* One step towards a block that is not there. */
static enum err_code approach(struct unpack *u, uint64_t number, struct err *e)
{
	bool missed = number < u->next || !u->stream;

	if (u->code) {
		if (e)
			*e = u->err;
		return u->code;
	}
	if (missed && !u->busy)
		return unpack_begin(u, e);
	if (!missed && number > u->wanted) {
		u->wanted = number;
		pthread_cond_broadcast(&u->changed);
	}
	if (!missed)
		need_thread(u);
	if (!missed && !u->running && can_make(u))
		unpack_make_block(u);
	else
		pthread_cond_wait(&u->changed, &u->mutex);
	return ERR_OK;
}

/* The slot of a block, which is not to be filled again until it is given back; NULL: there is no such block, or why. */
static struct unpack_slot *unpack_take_slot(struct unpack *u, uint64_t number, enum err_code *code, struct err *e)
{
	struct block_waiting w = {number, u->waiting}, **at;
	struct unpack_slot *slot = slot_of(u, number);

	/* cppcheck-suppress autoVariables -- it is taken out before it goes */
	u->waiting = &w;
	*code = ERR_OK;
	while (!*code && slot->number != number && number <= u->size / BLOCK)
		*code = approach(u, number, e);
	for (at = &u->waiting; *at != &w; at = &(*at)->next)
		;
	*at = w.next;
	if (*code || slot->number != number)
		return NULL;
	slot->taken++;
	if (number > u->wanted)
		u->wanted = number;
	if (u->asleep && u->next <= u->wanted + AHEAD / 2) /* so that it makes many at once */
		pthread_cond_broadcast(&u->changed);
	return slot;
}

static void unpack_give_slot(struct unpack *u, struct unpack_slot *slot)
{
	if (!--slot->taken && (u->stuck || u->waiting))
		pthread_cond_broadcast(&u->changed);
}

enum err_code unpack_read(struct unpack *u, uint64_t offset, void *buf, size_t len, size_t *got, struct err *e)
{
	enum err_code code = ERR_OK;

	*got = 0;
	pthread_mutex_lock(&u->mutex);
	while (!code && *got < len) {
		size_t from = (size_t)((offset + *got) % BLOCK), n;
		struct unpack_slot *slot = unpack_take_slot(u, (offset + *got) / BLOCK, &code, e);

		if (!slot)
			break;
		n = slot->len > from ? slot->len - from : 0;
		n = n < len - *got ? n : len - *got;
		pthread_mutex_unlock(&u->mutex);
		memcpy((char *)buf + *got, slot->bytes + from, n);
		pthread_mutex_lock(&u->mutex);
		*got += n;
		unpack_give_slot(u, slot);
		if (from + n < BLOCK)
			break;
	}
	pthread_mutex_unlock(&u->mutex);
	return code;
}

/* ---- the rest ---- */

enum err_code source_unpack(struct source *source, enum packing packing, struct err *e)
{
	struct unpack *u = packing == PACKING_NONE ? NULL : mem_zero(1, sizeof *u);
	struct decoder *decoder;
	enum err_code code;

	if (packing == PACKING_NONE)
		return ERR_OK;
	code = u ? decoder_new(&decoder, packing, e) : err_memory(e, "decompressing a file"); /* is it there? */
	if (code) {
		mem_free(u);
		return code;
	}
	decoder_free(decoder);
	u->file = *source;
	u->file.file_size -= source->hole;
	u->packing = packing;
	u->size = SOURCE_SIZE_UNKNOWN;
	pthread_mutex_init(&u->mutex, NULL);
	pthread_cond_init(&u->changed, NULL);
	for (unsigned i = 0; i < HEAD_BLOCKS; i++)
		u->head[i].number = NONE;
	for (unsigned i = 0; i < RING_BLOCKS; i++)
		u->ring[i].number = NONE;
	source->hole = 0;
	source->unpack = u;
	return ERR_OK;
}

static void free_slots(struct unpack_slot *slots, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		mem_free(slots[i].bytes);
		slots[i] = (struct unpack_slot){.number = NONE};
	}
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	pthread_mutex_lock(&u->mutex);
	u->quit = true;
	pthread_cond_broadcast(&u->changed);
	pthread_mutex_unlock(&u->mutex);
	unpack_join_thread(u);
	unpack_stop(u);
	free_slots(u->head, HEAD_BLOCKS);
	free_slots(u->ring, RING_BLOCKS);
	pthread_cond_destroy(&u->changed);
	pthread_mutex_destroy(&u->mutex);
	mem_free(u);
}

void unpack_rest(struct unpack *u)
{
	bool used = false;

	pthread_mutex_lock(&u->mutex);
	for (unsigned i = 0; i < RING_BLOCKS; i++)
		used |= u->ring[i].taken > 0;
	if (!used && !u->waiting && !u->busy) {
		unpack_stop(u);
		free_slots(u->ring, RING_BLOCKS);
		pthread_cond_broadcast(&u->changed);
	}
	pthread_mutex_unlock(&u->mutex);
}

uint64_t unpack_size(struct unpack *u)
{
	uint64_t size;

	pthread_mutex_lock(&u->mutex);
	size = u->size;
	pthread_mutex_unlock(&u->mutex);
	return size;
}

uint64_t unpack_taken(struct unpack *u, uint64_t offset)
{
	uint64_t taken;

	pthread_mutex_lock(&u->mutex);
	taken = u->taken;
	if (u->size != SOURCE_SIZE_UNKNOWN && u->size)
		taken = (uint64_t)((double)u->file.file_size * (offset < u->size ? (double)offset / (double)u->size : 1));
	pthread_mutex_unlock(&u->mutex);
	return taken;
}

enum packing source_packing(const struct source *source)
{
	return source->unpack ? source->unpack->packing : PACKING_NONE;
}

enum unpack_end source_end(const struct source *source, uint64_t *at)
{
	struct unpack *u = source->unpack;
	enum unpack_end end;

	*at = 0;
	if (!u)
		return UNPACK_WHOLE;
	pthread_mutex_lock(&u->mutex);
	end = u->size == SOURCE_SIZE_UNKNOWN ? UNPACK_OPEN : u->end;
	*at = u->end_at;
	pthread_mutex_unlock(&u->mutex);
	return end;
}

uint64_t source_unpacked(const struct source *source)
{
	uint64_t begun = 0;

	if (source->unpack) {
		pthread_mutex_lock(&source->unpack->mutex);
		begun = source->unpack->begun;
		pthread_mutex_unlock(&source->unpack->mutex);
	}
	return begun;
}
