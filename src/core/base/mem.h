/* Memory: the few allocation calls that all of the core goes through.
 *
 * Sizes are counts times element sizes, checked for overflow. A failed allocation is NULL, never an
 * exit. Tests make the n-th allocation fail through mem_fail_after() to show that every caller copes.
 */
#ifndef PAS2P_MEM_H
#define PAS2P_MEM_H

#include <stddef.h>
#include <stdint.h>

void *mem_alloc(size_t count, size_t size);            /* not cleared; count 0 gives a valid pointer */
void *mem_zero(size_t count, size_t size);             /* cleared */
void *mem_resize(void *p, size_t count, size_t size);  /* as realloc: on NULL the old block stands */
void mem_free(void *p);
/* Free a block of that many bytes, and give its pages back at once: what malloc keeps for later stays resident, unless
 * it lies at the heap's end. For much that was needed for a while. */
void mem_give_back(void *p, size_t bytes);
void mem_trim(void); /* the same with all that is free: after many small blocks */
uint64_t mem_of_machine(void); /* bytes of memory that the machine has; 0: it does not say */
char *mem_strdup(const char *s);

/* Room for one more element in a growing array: doubles *cap when n has reached it.
 * Returns the array, moved or not, or NULL with the old one intact. */
void *mem_grow(void *p, size_t n, size_t *cap, size_t size);

/* Testing: let the next `n` allocations succeed and all later ones fail, or only the one behind them; negative: none
 * fails. Since then mem_count() have been made and mem_live() of them not been freed. The only state of the core that
 * is not in a caller's struct; atomic, and untouched outside tests. */
void mem_fail_after(long n);
void mem_fail_once(long n);
long mem_count(void);
long mem_live(void);

/* An arena: many small things with one lifetime (names, definitions). Never moves what it gave. */
struct arena {
	struct arena_chunk *chunks;
	size_t bytes; /* given out so far */
};

void arena_init(struct arena *a);
void *arena_alloc(struct arena *a, size_t size); /* 16-byte aligned, cleared; NULL: no memory */
char *arena_strndup(struct arena *a, const char *s, size_t n);
void arena_release(struct arena *a);

#endif
