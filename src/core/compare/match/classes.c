#include "match.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/order.h"

struct hashed {
	uint64_t hash;
	uint32_t process;
};

struct class_sorting {
	const struct phase_steps *s;
	struct phase_classes *c;
	struct hashed *by_kind;      /* processes with steps: those that may be of one class beside each other */
	struct hashed *by_peer;      /* of a group of them: the same again */
	uint8_t *how;                /* per step of the group */
	uint32_t *stamp, now;        /* per value of a peer: when it was seen */
	size_t used;                 /* of the classes' steps */
	uint32_t *free;              /* of the classes' order */
};

static const struct phase_step *steps_of(const struct class_sorting *o, uint32_t process)
{
	return o->s->step + o->s->first[process];
}

static size_t count_of(const struct class_sorting *o, uint32_t process)
{
	return o->s->first[process + 1] - o->s->first[process];
}

static bool has_peer(const struct phase_step *step)
{
	return step->kind == NODE_SEND || step->kind == NODE_RECV;
}

static int64_t peer_by(const struct class_sorting *o, uint8_t how, uint32_t process, uint32_t peer)
{
	int64_t p = o->s->process_count, d = (int64_t)peer - process;

	switch (how) {
	case PEER_DISTANCE: return d;
	case PEER_SUM: return (int64_t)peer + process;
	case PEER_AROUND: return d > p / 2 ? d - p : d < -(p - 1) / 2 ? d + p : d;
	default: return peer;
	}
}

static bool same_kinds(const struct class_sorting *o, uint32_t a, uint32_t b)
{
	const struct phase_step *x = steps_of(o, a), *y = steps_of(o, b);
	size_t n = count_of(o, a);

	if (n != count_of(o, b))
		return false;
	for (size_t i = 0; i < n; i++)
		if (x[i].kind != y[i].kind || x[i].bytes != y[i].bytes || x[i].tag != y[i].tag || x[i].op != y[i].op)
			return false;
	return true;
}

static bool same_peers(const struct class_sorting *o, uint32_t a, uint32_t b)
{
	const struct phase_step *x = steps_of(o, a), *y = steps_of(o, b);

	for (size_t i = 0; i < count_of(o, a); i++)
		if (has_peer(&x[i]) && peer_by(o, o->how[i], a, x[i].peer) != peer_by(o, o->how[i], b, y[i].peer))
			return false;
	return true;
}

ORDER_BY(compare_hashed, struct hashed, UP(hash) UP(process))

/* How many values a step's peer has, said in a way. */
static uint32_t values_of(struct class_sorting *o, const struct hashed *group, uint32_t n, size_t step, uint8_t how)
{
	uint32_t values = 0;

	o->now++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t process = group[i].process;
		size_t at = (size_t)(peer_by(o, how, process, steps_of(o, process)[step].peer) + o->s->process_count);

		values += o->stamp[at] != o->now;
		o->stamp[at] = o->now;
	}
	return values;
}

/* For each step the way in which the most processes of the group say the same. */
static void choose_ways(struct class_sorting *o, const struct hashed *group, uint32_t n)
{
	static const uint8_t order[] = {PEER_DISTANCE, PEER_RANK, PEER_SUM, PEER_AROUND};
	const struct phase_step *step = steps_of(o, group[0].process);

	for (size_t i = 0; i < count_of(o, group[0].process); i++) {
		uint32_t least = UINT32_MAX;

		o->how[i] = PEER_RANK;
		for (size_t k = 0; has_peer(&step[i]) && k < sizeof order && least > 1; k++) {
			uint32_t values = values_of(o, group, n, i, order[k]);

			if (values < least) {
				least = values;
				o->how[i] = order[k];
			}
		}
	}
}

static void put_class(struct class_sorting *o, const struct hashed *member, uint32_t n)
{
	struct phase_classes *c = o->c;
	struct phase_class *class = &c->items[c->count++];
	uint32_t *to = o->free;
	uint32_t first = member[0].process;

	*class = (struct phase_class){.member = to, .count = n, .step = c->steps + o->used, .steps = count_of(o, first)};
	o->used += class->steps;
	o->free += n;
	for (uint32_t i = 0; i < n; i++)
		to[i] = member[i].process;
	for (size_t k = 0; k < class->steps; k++) {
		struct class_step *step = &class->step[k];
		bool one = true;

		*step = (struct class_step){.what = &steps_of(o, first)[k]};
		for (uint32_t i = 0; i < n; i++) {
			const struct phase_step *other = &steps_of(o, to[i])[k];

			step->compute += other->compute / n;
			one = one && other->peer == step->what->peer;
		}
		step->how = one ? PEER_RANK : o->how[k];
		step->peer = peer_by(o, step->how, first, step->what->peer);
	}
}

/* Processes whose steps are of the same kinds. */
static void split(struct class_sorting *o, const struct hashed *group, uint32_t n)
{
	choose_ways(o, group, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t process = group[i].process;
		const struct phase_step *step = steps_of(o, process);
		uint64_t h = 0;

		for (size_t k = 0; k < count_of(o, process); k++)
			if (has_peer(&step[k]))
				h = hash_mix(h, (uint64_t)peer_by(o, o->how[k], process, step[k].peer));
		o->by_peer[i] = (struct hashed){h, process};
	}
	SORT(o->by_peer, n, compare_hashed);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && o->by_peer[end].hash == o->by_peer[i].hash; end++)
			if (!same_peers(o, o->by_peer[i].process, o->by_peer[end].process))
				break;
		put_class(o, o->by_peer + i, end - i);
	}
}

ORDER_BY(compare_classes, struct phase_class, UP(member[0]))

static enum err_code sort(struct class_sorting *o, struct err *e)
{
	const struct phase_steps *s = o->s;
	size_t most = 0;
	uint32_t n = 0;

	for (uint32_t q = 0; q < s->process_count; q++)
		most = count_of(o, q) > most ? count_of(o, q) : most;
	o->by_kind = mem_alloc(s->process_count, sizeof *o->by_kind);
	o->by_peer = mem_alloc(s->process_count, sizeof *o->by_peer);
	o->how = mem_alloc(most, sizeof *o->how);
	o->stamp = mem_zero(3 * (size_t)s->process_count, sizeof *o->stamp);
	o->c->items = mem_alloc(s->process_count, sizeof *o->c->items);
	o->c->order = mem_alloc(s->process_count, sizeof *o->c->order);
	o->c->steps = mem_alloc(s->first[s->process_count], sizeof *o->c->steps);
	if (!o->by_kind || !o->by_peer || !o->how || !o->stamp || !o->c->items || !o->c->order || !o->c->steps)
		return err_memory(e, "the classes of processes");
	o->free = o->c->order;
	for (uint32_t q = 0; q < s->process_count; q++) {
		const struct phase_step *step = steps_of(o, q);
		uint64_t h = count_of(o, q);

		for (size_t k = 0; k < count_of(o, q); k++)
			h = hash_mix(hash_mix(h, step[k].kind | (uint64_t)step[k].bytes << 8),
				     (uint64_t)(uint32_t)step[k].tag << 32 | step[k].op);
		if (count_of(o, q))
			o->by_kind[n++] = (struct hashed){h, q};
	}
	SORT(o->by_kind, n, compare_hashed);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && o->by_kind[end].hash == o->by_kind[i].hash; end++)
			if (!same_kinds(o, o->by_kind[i].process, o->by_kind[end].process))
				break;
		split(o, o->by_kind + i, end - i);
	}
	SORT(o->c->items, o->c->count, compare_classes);
	return ERR_OK;
}

enum err_code phase_classes_init(struct phase_classes *c, const struct phase_steps *s, struct err *e)
{
	struct class_sorting o = {.s = s, .c = c};
	enum err_code code;

	*c = (struct phase_classes){.count = 0};
	code = sort(&o, e);
	mem_free(o.by_kind);
	mem_free(o.by_peer);
	mem_free(o.how);
	mem_free(o.stamp);
	return code;
}

void phase_classes_release(struct phase_classes *c)
{
	mem_free(c->items);
	mem_free(c->order);
	mem_free(c->steps);
	*c = (struct phase_classes){.count = 0};
}
