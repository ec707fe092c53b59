#include "pack.h"

#include "core/base/mem.h"

#define LEAST 256
#define MOST (1u << 16)

/* A quarter of what is there, so that the room that stays unused is small beside it. */
bool prv_pack_grow(struct prv_pack *pack)
{
	size_t cap = pack->bytes / 4 < LEAST ? LEAST : pack->bytes / 4 > MOST ? MOST : pack->bytes / 4;
	struct prv_chunk *chunk = mem_alloc(1, sizeof *chunk + cap);

	if (!chunk)
		return false;
	*chunk = (struct prv_chunk){.cap = (uint32_t)cap};
	if (pack->last)
		pack->last->next = chunk;
	else
		pack->first = chunk;
	pack->last = chunk;
	pack->bytes += cap;
	return true;
}

void prv_pack_free(struct prv_pack *pack)
{
	struct prv_chunk *chunk = pack->first;

	while (chunk) {
		struct prv_chunk *next = chunk->next;

		mem_free(chunk);
		chunk = next;
	}
	*pack = (struct prv_pack){0};
}

void prv_pack_join(struct prv_pack *pack, struct prv_pack *next, uint64_t base)
{
	for (struct prv_chunk *chunk = next->first; chunk; chunk = chunk->next)
		chunk->base += base;
	if (next->first)
		next->first->restart = true;
	if (pack->last)
		pack->last->next = next->first;
	else
		pack->first = next->first;
	pack->last = next->last ? next->last : pack->last;
	pack->bytes += next->bytes;
	*next = (struct prv_pack){0};
}
