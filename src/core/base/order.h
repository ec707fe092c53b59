/* Orders for qsort() and bsearch(), and sorting by them.
 *
 * ORDER_BY(name, struct thing, UP(process) DOWN(time) TEXT(name)) defines a comparator of things: by one member
 * after another, UP from the least, DOWN from the largest, TEXT as strcmp() has it; things that are equal in all
 * of them, or not numbers, are equal. order_u32 and its like compare numbers, order_text compares texts. order_key()
 * makes of a double that is not NAN a whole number above 0, in the same order, so that medians are found digit by digit
 * in linear time; order_key_number() is its inverse. */
#ifndef PAS2P_ORDER_H
#define PAS2P_ORDER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UP(member) \
	if (x->member < y->member || x->member > y->member) \
		return x->member < y->member ? -1 : 1;
#define DOWN(member) \
	if (x->member < y->member || x->member > y->member) \
		return x->member > y->member ? -1 : 1;
#define TEXT(member) \
	if (strcmp(x->member, y->member) != 0) \
		return strcmp(x->member, y->member);
#define ORDER_BY(name, type, members) \
	static int name(const void *a, const void *b) \
	{ \
		const type *x = a, *y = b; \
 \
		members \
		return 0; \
	}

#define ORDER(name, type) \
	static inline int order_##name(const void *a, const void *b) \
	{ \
		type x = *(const type *)a, y = *(const type *)b; \
 \
		return x < y ? -1 : x > y; \
	}
ORDER(i32, int32_t)
ORDER(u32, uint32_t)
ORDER(u64, uint64_t)
ORDER(double, double)
#undef ORDER

static inline int order_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static inline uint64_t order_key(double v)
{
	uint64_t bits;

	v += 0.0; /* -0 is 0 */
	memcpy(&bits, &v, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static inline double order_key_number(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Sorts a list; one without anything in it may be NULL. */
#define SORT(list, count, order) sort_list(list, count, sizeof *(list), order)

static inline void sort_list(void *list, size_t count, size_t size, int (*order)(const void *a, const void *b))
{
	if (count)
		qsort(list, count, size, order);
}

#endif
