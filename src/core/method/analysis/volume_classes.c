#include "analysis_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/method/phases/bbp.h"

/* Ascending, none twice; the unknown one is like no other at any volume. NULL: no memory. */
static uint64_t *sizes_of(const struct trace *t, uint32_t *count)
{
	struct map *seen = map_new();
	uint64_t *list = NULL, size, none;
	uint32_t value, n = 0;
	bool failed = !seen;

	for (uint32_t i = 0; !failed && i < t->event_count; i++) {
		uint32_t *at;

		size = trace_size(t, i);
		if (size == SIZE_UNKNOWN)
			continue;
		at = map_at(seen, size, 0);
		failed = !at;
		if (at)
			*at = 1;
	}
	if (!failed)
		list = mem_alloc(map_count(seen) + 1, sizeof *list);
	for (size_t i = 0; list && map_each(seen, &i, &size, &none, &value);)
		list[n++] = size;
	map_free(seen);
	if (list)
		SORT(list, n, order_u64);
	*count = n;
	return list;
}

/* reach[i]: how many sizes are similar to size i or smaller than it: those from i up to there are similar to it. */
static void reach_of(uint32_t *reach, const uint64_t *sizes, uint32_t n, double volume)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (end <= i)
			end = i + 1;
		while (end < n && size_similar(sizes[i], sizes[end], volume))
			end++;
		reach[i] = end;
	}
}

enum err_code volume_classes(uint32_t *class, const struct trace *t, const double *volumes, uint32_t count, struct err *e)
{
	uint32_t n = 0;
	uint64_t *sizes = sizes_of(t, &n);
	uint32_t *before = mem_alloc((size_t)n + 1, sizeof *before), *reach = mem_alloc((size_t)n + 1, sizeof *reach);
	enum err_code code = sizes && before && reach ? ERR_OK : err_memory(e, "the sizes of the trace");

	for (uint32_t v = 0; !code && v < count; v++) {
		uint32_t *swap = before;

		reach_of(reach, sizes, n, volumes[v]);
		class[v] = !v ? 0 : class[v - 1] + (memcmp(reach, before, n * sizeof *reach) != 0);
		before = reach;
		reach = swap;
	}
	mem_free(sizes);
	mem_free(before);
	mem_free(reach);
	return code;
}
