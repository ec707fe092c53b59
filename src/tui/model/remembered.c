#include "remembered.h"

#define SPREAD_MOST (1u << 24)

uint32_t remembered_spread(struct fields *f, const struct fields_map *map)
{
	uint32_t spread = fields_count(f, map, "spread", 1, SPREAD_MOST);

	if (!f->code && spread & (spread - 1))
		fields_wrong(f, fields_find(f, map, "spread"), map->path, "spread", "a power of two");
	return spread;
}
