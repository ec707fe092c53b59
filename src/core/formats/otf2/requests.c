#include "otf2_int.h"

#include <string.h>

#include "core/base/mem.h"

static size_t request_first_slot(const struct otf_requests *requests, uint64_t id)
{
	id *= 0x9E3779B97F4A7C15u;
	return (size_t)(id ^ id >> 32) & (requests->size - 1);
}

static size_t request_find_slot(const struct otf_requests *requests, uint64_t id)
{
	size_t at = request_first_slot(requests, id);

	while (requests->slots[at].what && requests->slots[at].id != id)
		at = (at + 1) & (requests->size - 1);
	return at;
}

static bool requests_grow(struct otf_requests *requests)
{
	struct otf_requests larger = {.size = requests->size ? 2 * requests->size : 16};

	larger.slots = mem_zero(larger.size, sizeof *larger.slots);
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < requests->size; i++)
		if (requests->slots[i].what)
			larger.slots[request_find_slot(&larger, requests->slots[i].id)] = requests->slots[i];
	larger.count = requests->count;
	mem_free(requests->slots);
	*requests = larger;
	return true;
}

void otf_requests_release(struct otf_requests *requests)
{
	mem_free(requests->slots);
	*requests = (struct otf_requests){0};
}

bool otf_requests_put(struct otf_requests *requests, uint64_t id, uint64_t what, uint64_t *before)
{
	struct otf_request *slot;

	if (requests->count * 2 >= requests->size && !requests_grow(requests))
		return false;
	slot = &requests->slots[request_find_slot(requests, id)];
	*before = slot->what;
	requests->count += !slot->what;
	*slot = (struct otf_request){id, what};
	return true;
}

/* Those behind it that it was in the way of move up. */
uint64_t otf_requests_take(struct otf_requests *requests, uint64_t id)
{
	size_t at, next, mask = requests->size - 1;
	uint64_t what;

	if (!requests->count)
		return 0;
	at = request_find_slot(requests, id);
	what = requests->slots[at].what;
	if (!what)
		return 0;
	requests->count--;
	for (next = (at + 1) & mask; requests->slots[next].what; next = (next + 1) & mask) {
		size_t wanted = request_first_slot(requests, requests->slots[next].id);

		if (((next - wanted) & mask) < ((next - at) & mask))
			continue;
		requests->slots[at] = requests->slots[next];
		at = next;
	}
	requests->slots[at].what = 0;
	return what;
}

uint64_t otf_requests_each(const struct otf_requests *requests, size_t *at)
{
	while (*at < requests->size)
		if (requests->slots[(*at)++].what)
			return requests->slots[*at - 1].what;
	return 0;
}

void otf_requests_clear(struct otf_requests *requests)
{
	if (requests->size)
		memset(requests->slots, 0, requests->size * sizeof *requests->slots);
	requests->count = 0;
}
