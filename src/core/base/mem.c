#include "mem.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "spill.h"

static atomic_long fail_after = -1;
static atomic_bool fail_once;
static atomic_long counted, live;

static int testing(void)
{
	return atomic_load_explicit(&fail_after, memory_order_relaxed) >= 0;
}

static int may_allocate(void)
{
	long n, limit = atomic_load_explicit(&fail_after, memory_order_relaxed);

	if (limit < 0)
		return 1;
	n = atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
	return n < limit || (n > limit && atomic_load_explicit(&fail_once, memory_order_relaxed));
}

/* A new block, seen by tests. */
static void *block_count_live(void *p)
{
	if (p && testing())
		atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
	return p;
}

static void start_counting(long n, bool once)
{
	atomic_store(&counted, 0);
	atomic_store(&live, 0);
	atomic_store(&fail_once, once);
	atomic_store(&fail_after, n);
}

void mem_fail_after(long n)
{
	start_counting(n, false);
}

void mem_fail_once(long n)
{
	start_counting(n, true);
}

long mem_count(void)
{
	return atomic_load(&counted);
}

long mem_live(void)
{
	return atomic_load(&live);
}

static int overflows(size_t count, size_t size)
{
	return size && count > SIZE_MAX / 2 / size;
}

/* Columns of events are written in as many places as there are processes: ask for large pages, which
 * cut page faults from 151 000 to 8 000 on a trace of 25 million records. Whether there are any is no error. */
#define LARGE ((size_t)8 << 20)

static void *prefer_large_pages(void *p, size_t bytes)
{
	if (p && bytes >= LARGE) {
		uintptr_t page = 4096, begin = ((uintptr_t)p + page - 1) & ~(page - 1), end = ((uintptr_t)p + bytes) & ~(page - 1);

		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
	}
	return p;
}

static bool spills(size_t count, size_t size)
{
	return spill_on() && count * size >= SPILL_LEAST;
}

void *mem_alloc(size_t count, size_t size)
{
	if (overflows(count, size) || !may_allocate())
		return NULL;
	if (spills(count, size))
		return block_count_live(spill_alloc(count * size));
	return block_count_live(prefer_large_pages(malloc(count && size ? count * size : 1), count * size));
}

void *mem_zero(size_t count, size_t size)
{
	if (overflows(count, size) || !may_allocate())
		return NULL;
	if (spills(count, size))
		return block_count_live(spill_alloc(count * size));
	return block_count_live(prefer_large_pages(calloc(count ? count : 1, size ? size : 1), count * size));
}

/* A block of malloc's has grown so large that it spills. */
static void *start_to_spill(void *p, size_t bytes)
{
	size_t old = malloc_usable_size(p);
	void *moved = spill_alloc(bytes);

	if (moved) {
		memcpy(moved, p, old < bytes ? old : bytes);
		free(p);
	}
	return moved;
}

void *mem_resize(void *p, size_t count, size_t size)
{
	if (overflows(count, size) || !may_allocate())
		return NULL;
	if (p && spill_has(p))
		return spill_resize(p, count * size);
	if (p && spills(count, size))
		return start_to_spill(p, count * size);
	if (p)
		return realloc(p, count && size ? count * size : 1);
	if (spills(count, size))
		return block_count_live(spill_alloc(count * size));
	return block_count_live(malloc(count && size ? count * size : 1));
}

void mem_free(void *p)
{
	if (p && testing())
		atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
	if (p && spill_has(p))
		spill_free(p);
	else
		free(p);
}

/* What malloc writes beside and into a free block, it writes after this. */
void mem_give_back(void *p, size_t bytes)
{
	uintptr_t page = 4096, begin = ((uintptr_t)p + page - 1) & ~(page - 1), end = ((uintptr_t)p + bytes) & ~(page - 1);

	if (p && end > begin && !spill_has(p))
		madvise((void *)begin, end - begin, MADV_DONTNEED);
	mem_free(p);
}

uint64_t mem_of_machine(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

void mem_trim(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

char *mem_strdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = mem_alloc(n, 1);

	if (copy)
		memcpy(copy, s, n);
	return copy;
}

void *mem_grow(void *p, size_t n, size_t *cap, size_t size)
{
	size_t want;
	void *moved;

	if (n < *cap)
		return p;
	want = *cap < 8 ? 16 : *cap * 2;
	moved = mem_resize(p, want, size);
	if (moved)
		*cap = want;
	return moved;
}

#define CHUNK_BYTES 16384

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	max_align_t data[];
};

void arena_init(struct arena *a)
{
	a->chunks = NULL;
	a->bytes = 0;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_chunk *c = a->chunks;
	char *at;

	if (size > SIZE_MAX / 4)
		return NULL;
	size = (size + 15) & ~(size_t)15;
	if (!c || c->size - c->used < size) {
		size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;

		c = mem_zero(1, sizeof *c + room);
		if (!c)
			return NULL;
		c->size = room;
		c->next = a->chunks;
		a->chunks = c;
	}
	at = (char *)c->data + c->used;
	c->used += size;
	a->bytes += size;
	return at;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_alloc(a, n + 1);

	if (copy)
		memcpy(copy, s, n);
	return copy;
}

void arena_release(struct arena *a)
{
	while (a->chunks) {
		struct arena_chunk *next = a->chunks->next;

		mem_free(a->chunks);
		a->chunks = next;
	}
	a->bytes = 0;
}
