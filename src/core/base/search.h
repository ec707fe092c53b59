/* Binary searches: SEARCH_PAST(i, first, end, before) is the first number from `first` to `end` for which `before` (an
 * expression of i) does not hold; `end` if it holds for all. SEARCH_LAST() is the last number for which it holds;
 * `first` if it holds for none or there is none. */
#ifndef PAS2P_SEARCH_H
#define PAS2P_SEARCH_H

#include <stddef.h>

#define SEARCH_PAST(i, first, end, before) \
	__extension__({ \
		__typeof__((end) + 0) search_low = (first), search_high = (end); \
 \
		while (search_low < search_high) { \
			__typeof__((end) + 0) i = search_low + (search_high - search_low) / 2; \
 \
			if (before) \
				search_low = i + 1; \
			else \
				search_high = i; \
		} \
		search_low; \
	})
#define SEARCH_LAST(i, first, end, before) (SEARCH_PAST(i, (first) + 1, end, before) - 1)

#endif
