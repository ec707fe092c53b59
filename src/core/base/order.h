/* Numbers in ascending order, for qsort(). */
#ifndef PAS2P_ORDER_H
#define PAS2P_ORDER_H

#include <stdint.h>

#define ORDER(name, type) \
	static inline int order_##name(const void *a, const void *b) \
	{ \
		type x = *(const type *)a, y = *(const type *)b; \
 \
		return x < y ? -1 : x > y; \
	}
ORDER(i32, int32_t)
ORDER(u64, uint64_t)
ORDER(double, double)
#undef ORDER

#endif
