/* Packed records: what is kept of a thread's lines, some five bytes each, in a list of chunks.
 *
 * A record is its first byte, the time's difference to the one before it (left out where that is 0), and numbers, which
 * take a byte each while they are small. Writing:
 *
 *     struct prv_put put;
 *     if (prv_put_begin(&put, &pack, what, time)) { prv_put_number(&put, v); ... prv_put_end(&put, &pack); }
 *
 * Reading, by who knows how many numbers follow each kind:
 *
 *     prv_take_init(&take, &pack);
 *     while (prv_take_next(&take)) ... take.what, take.time, prv_take_number(&take)
 */
#ifndef PAS2P_CORE_FORMATS_PRV_PACK_H
#define PAS2P_CORE_FORMATS_PRV_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRV_PACK_MOST 80   /* bytes of a record: the first one, a time, up to six numbers */
#define PRV_SAME_TIME 0x80 /* in the first byte */

struct prv_chunk {
	struct prv_chunk *next;
	uint64_t base;         /* that numbers of relations in it count from */
	uint32_t used, cap;
	bool restart;          /* times and relations count from 0 again */
	uint8_t bytes[];
};

struct prv_pack {
	struct prv_chunk *first, *last;
	size_t bytes;          /* of all chunks */
	int64_t time;          /* of the last record */
	uint64_t relation;     /* the last one that was put */
};

void prv_pack_free(struct prv_pack *pack); /* leaves it empty */

/* One after the other; the second one's relations count from `base`, and what they counted from so far. It is empty
 * then. */
void prv_pack_join(struct prv_pack *pack, struct prv_pack *next, uint64_t base);

bool prv_pack_grow(struct prv_pack *pack);

struct prv_put {
	uint8_t *p;
};

static inline void prv_put_number(struct prv_put *put, uint64_t v)
{
	while (v >= 0x80) {
		*put->p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*put->p++ = (uint8_t)v;
}

static inline void prv_put_signed(struct prv_put *put, int64_t v)
{
	prv_put_number(put, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

/* False: no memory. */
static inline bool prv_put_begin(struct prv_put *put, struct prv_pack *pack, uint8_t what, int64_t time)
{
	struct prv_chunk *chunk = pack->last;

	if (__builtin_expect(!chunk || chunk->cap - chunk->used < PRV_PACK_MOST, 0)) {
		if (!prv_pack_grow(pack))
			return false;
		chunk = pack->last;
	}
	put->p = chunk->bytes + chunk->used;
	if (time == pack->time) {
		*put->p++ = what | PRV_SAME_TIME;
		return true;
	}
	*put->p++ = what;
	prv_put_signed(put, time - pack->time);
	pack->time = time;
	return true;
}

static inline void prv_put_relation(struct prv_put *put, struct prv_pack *pack, uint64_t relation)
{
	prv_put_signed(put, (int64_t)(relation - pack->relation));
	pack->relation = relation;
}

static inline void prv_put_end(struct prv_put *put, struct prv_pack *pack)
{
	pack->last->used = (uint32_t)(put->p - pack->last->bytes);
}

struct prv_take {
	const struct prv_chunk *chunk;
	const uint8_t *p, *end;
	uint8_t what;
	int64_t time;
	uint64_t relation;     /* the last one that was taken, without its base */
};

static inline void prv_take_init(struct prv_take *take, const struct prv_pack *pack)
{
	*take = (struct prv_take){.chunk = pack->first};
	if (take->chunk) {
		take->p = take->chunk->bytes;
		take->end = take->p + take->chunk->used;
	}
}

static inline uint64_t prv_take_number(struct prv_take *take)
{
	uint64_t v = *take->p++;

	if (__builtin_expect(v >= 0x80, 0)) {
		unsigned shift = 7;
		uint64_t more;

		v &= 0x7f;
		do {
			more = *take->p++;
			v |= (more & 0x7f) << shift;
			shift += 7;
		} while (more & 0x80);
	}
	return v;
}

static inline int64_t prv_take_signed(struct prv_take *take)
{
	uint64_t v = prv_take_number(take);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

static inline uint64_t prv_take_relation(struct prv_take *take)
{
	take->relation += (uint64_t)prv_take_signed(take);
	return take->chunk->base + take->relation;
}

static inline bool prv_take_next(struct prv_take *take)
{
	if (__builtin_expect(take->p == take->end, 0)) {
		do {
			take->chunk = take->chunk ? take->chunk->next : NULL;
			if (!take->chunk)
				return false;
			if (take->chunk->restart) {
				take->time = 0;
				take->relation = 0;
			}
		} while (!take->chunk->used);
		take->p = take->chunk->bytes;
		take->end = take->p + take->chunk->used;
	}
	take->what = *take->p++;
	if (take->what & PRV_SAME_TIME)
		take->what &= (uint8_t)~PRV_SAME_TIME;
	else
		take->time += prv_take_signed(take);
	return true;
}

#endif
