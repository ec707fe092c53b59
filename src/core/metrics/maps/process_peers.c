#include "maps.h"

#include <stdlib.h>

#include "core/base/order.h"
#include "traffic.h"
#include "core/metrics/waits/waited_pairs.h"

/* --- partners --- */

ORDER_BY(by_pair, struct comm_pair, UP(from) UP(to))

/* Partners come in the order of their numbers, but those that only send to it: so ties are decided here. */
static void offer(struct process_peer *p, uint32_t partner, uint64_t bytes, uint64_t messages)
{
	p->partners++;
	if (p->heaviest != NO_PROCESS) {
		if (bytes != p->bytes ? bytes < p->bytes : messages != p->messages ? messages < p->messages : partner > p->heaviest)
			return;
	}
	p->heaviest = partner;
	p->bytes = bytes;
	p->messages = messages;
}

static enum err_code add_partners(struct process_peers *p, const struct trace *t, const struct progress *progress, struct err *e)
{
	struct comm_pair *pairs;
	uint32_t count;
	enum err_code code = comm_pairs(&pairs, &count, t, progress, e);

	if (code)
		return code;
	for (uint32_t i = 0; i < count; i++) {
		struct comm_pair back = {.from = pairs[i].to, .to = pairs[i].from};
		const struct comm_pair *other = bsearch(&back, pairs, count, sizeof *pairs, by_pair);
		uint64_t bytes = pairs[i].sent.bytes + (other ? other->sent.bytes : 0);
		uint64_t messages = pairs[i].sent.messages + (other ? other->sent.messages : 0);

		if (pairs[i].from == pairs[i].to)
			continue;
		offer(&p->of[pairs[i].from], pairs[i].to, bytes, messages);
		if (!other)
			offer(&p->of[pairs[i].to], pairs[i].from, bytes, messages);
	}
	mem_free(pairs);
	return ERR_OK;
}

/* --- waits --- */

/* Of several that it waited for as long, the lowest: pairs come in the order of their numbers. */
static enum err_code add_waits(struct process_peers *p, const struct waits *w, const struct progress *progress, struct err *e)
{
	struct waited_pairs *pairs;
	enum err_code code = waited_pairs_new(&pairs, w, progress, e);

	if (code)
		return code;
	for (uint32_t i = 0; i < pairs->count; i++) {
		struct process_peer *peer = &p->of[pairs->pair[i].process];

		if (pairs->pair[i].seconds > peer->waited) {
			peer->waited = pairs->pair[i].seconds;
			peer->waited_for = pairs->pair[i].other;
		}
	}
	waited_pairs_free(pairs);
	return ERR_OK;
}

enum err_code process_peers_new(struct process_peers **out, const struct trace *t, const struct waits *w, const struct progress *progress,
				struct err *e)
{
	struct process_peers *p = mem_zero(1, sizeof *p);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (p)
		p->of = mem_zero(t->process_count, sizeof *p->of);
	if (!p || !p->of) {
		process_peers_free(p);
		return err_memory(e, "the peers of the ranks");
	}
	p->count = t->process_count;
	for (uint32_t i = 0; i < p->count; i++)
		p->of[i].heaviest = p->of[i].waited_for = NO_PROCESS;
	code = add_partners(p, t, progress, e);
	if (!code && w)
		code = add_waits(p, w, progress, e);
	if (code)
		process_peers_free(p);
	else
		*out = p;
	return code;
}

void process_peers_free(struct process_peers *p)
{
	if (!p)
		return;
	mem_free(p->of);
	mem_free(p);
}
