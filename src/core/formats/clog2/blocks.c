#include "clog2_int.h"

#include <pthread.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/parallel.h"

/* As many as the caches next to the cores hold with ease. */
#define SLOTS 8

struct block_slot {
	struct shared_block b;
	uint64_t number;     /* among the blocks of all files */
	uint64_t left;       /* bits of the shares that have not given it back; 0: the slot is free */
	bool ready;          /* it was read */
	size_t room;         /* of b.at */
};

struct shared_blocks {
	pthread_mutex_t mutex;
	pthread_cond_t changed; /* a block was read, or a slot is free */
	unsigned shares;
	uint64_t next[PARALLEL_MOST]; /* per share: the first block that it has not taken; UINT64_MAX: it takes none */
	struct block_slot slots[SLOTS];
};

struct shared_blocks *shared_blocks_new(unsigned shares)
{
	struct shared_blocks *s = mem_zero(1, sizeof *s);

	if (!s)
		return NULL;
	pthread_mutex_init(&s->mutex, NULL);
	pthread_cond_init(&s->changed, NULL);
	s->shares = shares;
	memset(s->next, 0xff, sizeof s->next);
	for (unsigned i = 0; i < SLOTS; i++) {
		clog2_block_init(&s->slots[i].b.block);
		s->slots[i].b.counts = mem_alloc(shares, sizeof *s->slots[i].b.counts);
		if (!s->slots[i].b.counts) {
			shared_blocks_free(s);
			return NULL;
		}
	}
	return s;
}

void shared_blocks_free(struct shared_blocks *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < SLOTS; i++) {
		clog2_block_release(&s->slots[i].b.block);
		mem_free(s->slots[i].b.counts);
		mem_free(s->slots[i].b.at);
	}
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->mutex);
	mem_free(s);
}

/* Room for all records, if they were all of one share. */
static bool make_lists(struct shared_blocks *s, struct block_slot *slot)
{
	struct shared_block *b = &slot->b;
	size_t want;

	b->most = b->block.len / b->block.file->header_size + 1;
	want = b->most * s->shares;
	for (unsigned i = 0; i < s->shares; i++)
		b->counts[i] = 0;
	if (want <= slot->room)
		return true;
	mem_free(b->at);
	slot->room = 0;
	b->at = mem_alloc(want, sizeof *b->at);
	slot->room = b->at ? want : 0;
	return b->at;
}

/* Take a free slot for a block, read it without the lock, and tell the others. */
static void block_slot_fill(struct shared_blocks *s, struct block_slot *slot, const struct clog2_file *file, uint64_t base, uint64_t index,
		 list_records *list, void *arg)
{
	slot->number = base + index;
	slot->ready = false;
	for (unsigned i = 0; i < s->shares; i++)
		if (s->next[i] <= slot->number)
			slot->left |= (uint64_t)1 << i;
	pthread_mutex_unlock(&s->mutex);
	slot->b.code = clog2_block_read(file, index, &slot->b.block, &slot->b.err);
	if (slot->b.code == ERR_OK && !make_lists(s, slot))
		slot->b.code = err_memory(&slot->b.err, "a block of the trace");
	if (slot->b.code == ERR_OK)
		list(arg, &slot->b);
	pthread_mutex_lock(&s->mutex);
	slot->ready = true;
	pthread_cond_broadcast(&s->changed);
}

/* The first free slot of the blocks behind this one becomes theirs; else wait for others. */
static void read_ahead(struct shared_blocks *s, const struct clog2_file *file, uint64_t base, uint64_t index, uint64_t count,
		       list_records *list, void *arg)
{
	for (uint64_t ahead = index + 1; ahead < count && ahead < index + SLOTS; ahead++) {
		struct block_slot *slot = &s->slots[(base + ahead) % SLOTS];

		if (!slot->left) {
			block_slot_fill(s, slot, file, base, ahead, list, arg);
			return;
		}
	}
	pthread_cond_wait(&s->changed, &s->mutex);
}

void shared_blocks_join(struct shared_blocks *s, unsigned share)
{
	pthread_mutex_lock(&s->mutex);
	s->next[share] = 0;
	pthread_mutex_unlock(&s->mutex);
}

void shared_blocks_leave(struct shared_blocks *s, unsigned share)
{
	pthread_mutex_lock(&s->mutex);
	s->next[share] = UINT64_MAX;
	for (unsigned i = 0; i < SLOTS; i++)
		s->slots[i].left &= ~((uint64_t)1 << share);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
}

const struct shared_block *shared_block_take(struct shared_blocks *s, unsigned share, const struct clog2_file *file,
					     uint64_t base, uint64_t index, uint64_t count, list_records *list, void *arg)
{
	uint64_t number = base + index;
	struct block_slot *slot = &s->slots[number % SLOTS];
	bool mine;

	if (file->block_size > SHARED_BLOCK_MOST)
		return NULL;
	pthread_mutex_lock(&s->mutex);
	s->next[share] = number;
	for (unsigned i = 0; i < SLOTS; i++) /* what it skipped: a stop ends a file early */
		if (s->slots[i].number < number)
			s->slots[i].left &= ~((uint64_t)1 << share);
	while (slot->left && slot->number < number)
		pthread_cond_wait(&s->changed, &s->mutex);
	if (!slot->left)
		block_slot_fill(s, slot, file, base, index, list, arg);
	mine = slot->number == number && slot->left >> share & 1;
	while (mine && !slot->ready)
		read_ahead(s, file, base, index, count, list, arg);
	s->next[share] = number + 1;
	pthread_mutex_unlock(&s->mutex);
	return mine ? &slot->b : NULL;
}

void shared_block_give(struct shared_blocks *s, unsigned share, const struct shared_block *b)
{
	struct block_slot *slot = s->slots;

	while (&slot->b != b)
		slot++;
	pthread_mutex_lock(&s->mutex);
	slot->left &= ~((uint64_t)1 << share);
	if (!slot->left)
		pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
}
