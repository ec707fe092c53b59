#include "calls_int.h"

#include <stdlib.h>

#include "core/base/order.h"
#include "core/team/team_pack.h"

struct sent_node {
	uint32_t parent, symbol;
	uint64_t count, unfinished;
};

static void pack_tree(struct team_pack *pack, const struct call_tree *tree)
{
	for (uint32_t n = 0; n < tree->count; n++) {
		const struct tree_node *node = &tree->nodes[n];
		const struct sent_node sent = {node->parent, node->symbol, node->count, node->unfinished};

		team_put(pack, &sent, sizeof sent);
	}
}

/* A rank's nodes; number: what each is in all. False: no memory. */
static bool add_tree(struct call_tree *all, const struct team_bytes *from, uint32_t *number)
{
	struct team_take take = {from->bytes, from->n};
	struct sent_node sent;

	for (uint32_t n = 0; team_take(&take, &sent, sizeof sent); n++) {
		number[n] = n ? call_tree_child(all, number[sent.parent], sent.symbol) : 0;
		if (number[n] == NO_NODE)
			return false;
		all->nodes[number[n]].count += sent.count;
		all->nodes[number[n]].unfinished += sent.unfinished;
	}
	return true;
}

static bool add_trees(struct call_tree *all, const struct team *team, const struct team_bytes *from, uint32_t *local)
{
	bool done = call_tree_init(all);

	for (uint32_t r = 0; done && r < team->size; r++) {
		uint32_t *number = r == team->rank ? local : mem_alloc(from[r].n / sizeof(struct sent_node), sizeof *number);

		done = number && add_tree(all, &from[r], number);
		if (number != local)
			mem_free(number);
	}
	return done;
}

ORDER_BY(compare_stays, struct node_stay, UP(process) UP(node))

static void renumber(struct call_log *log, const uint32_t *number)
{
	for (uint32_t c = 0; c < log->call_count; c++)
		log->calls[c].node = number[log->calls[c].node];
	for (uint32_t i = 0; i < log->piece_count; i++)
		log->pieces[i].node = number[log->pieces[i].node];
	for (uint32_t l = 0; l < log->list_count; l++)
		log->lists[l].last_node = number[log->lists[l].last_node];
	for (uint32_t i = 0; i < log->stay_count; i++)
		log->stays[i].node = number[log->stays[i].node];
	SORT(log->stays, log->stay_count, compare_stays);
}

static enum err_code reduce_counts(struct call_log *log, const struct team *team, struct err *e)
{
	uint64_t sums[] = {log->unpaired, log->too_deep, log->states_seen, log->users_seen};
	enum err_code code = team_reduce(team, sums, 4, TEAM_SUM, e);

	log->unpaired = sums[0];
	log->too_deep = sums[1];
	log->states_seen = sums[2];
	log->users_seen = sums[3];
	return code;
}

enum err_code call_join(struct call_tree *tree, struct call_log *log, const struct team *team, struct err *e)
{
	struct team_bytes *from = mem_zero(team->size, sizeof *from);
	uint32_t *local = mem_alloc(tree->count, sizeof *local);
	struct call_tree all = {0};
	struct team_pack pack = {0};
	enum err_code code;

	pack_tree(&pack, tree);
	code = from && local && !pack.failed ? ERR_OK : err_memory(e, "the trace's calls");
	code = code ? team_agree(team, code, e) : team_gather_all(team, pack.bytes, pack.n, from, e);
	mem_free(pack.bytes);
	if (!code)
		code = team_agree(team, add_trees(&all, team, from, local) ? ERR_OK : err_memory(e, "the trace's calls"), e);
	if (!code) {
		struct call_tree before = *tree;

		*tree = all;
		all = before;
		renumber(log, local);
		code = reduce_counts(log, team, e);
	}
	call_tree_release(&all);
	if (from)
		team_bytes_free(from, team->size);
	mem_free(from);
	mem_free(local);
	return code;
}
