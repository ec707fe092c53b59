#include "prv_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/team/team_pack.h"
#include "core/trace/remote.h"

/* So that little is there twice at a time. */
#define ROUNDS 8

uint64_t *prv_alike(uint32_t processes)
{
	uint64_t *about = mem_alloc(processes, sizeof *about);

	for (uint32_t p = 0; about && p < processes; p++)
		about[p] = 1;
	return about;
}

/* ---- how much there is ---- */

static uint64_t pack_bytes_of(const struct prv_pack *pack)
{
	uint64_t bytes = 0;

	for (const struct prv_chunk *chunk = pack->first; chunk; chunk = chunk->next)
		bytes += chunk->used;
	return bytes;
}

static enum err_code find_owners(const struct prv_scan *scan, struct maker *maker, struct err *e)
{
	uint32_t processes = maker->trace->process_count;
	uint64_t *about = scan->striped ? mem_zero(processes, sizeof *about) : prv_alike(processes);
	enum err_code code = about ? ERR_OK : err_memory(e, "the trace's processes");

	for (uint32_t i = 0; !code && scan->striped && i < scan->thread_count; i++)
		about[scan->threads[i].process] += pack_bytes_of(&scan->threads[i].raw) + pack_bytes_of(&scan->threads[i].states);
	if (!code && scan->striped)
		code = maker_agreed(maker, team_reduce(maker->team, about, processes, TEAM_SUM, e));
	if (!code)
		code = make_owners(maker, about, e);
	mem_free(about);
	return code;
}

/* ---- to their owners ---- */

/* A thread of another rank's, and the chunks of its packs. */
struct sent_thread {
	uint32_t process;
	int32_t number;
	uint32_t raw, states;
};

struct sent_chunk {
	uint64_t base;
	uint32_t used, restart;
};

static uint32_t chunks_of(const struct prv_pack *pack)
{
	uint32_t n = 0;

	for (const struct prv_chunk *chunk = pack->first; chunk; chunk = chunk->next)
		n++;
	return n;
}

static uint64_t room_of(const struct prv_pack *pack)
{
	return pack_bytes_of(pack) + chunks_of(pack) * sizeof(struct sent_chunk);
}

/* Messages of a stripe count from those that are before it. */
static void put_pack(struct team_pack *to, struct prv_pack *pack, uint64_t base)
{
	for (const struct prv_chunk *chunk = pack->first; chunk; chunk = chunk->next) {
		struct sent_chunk head = {chunk->base + base, chunk->used, chunk->restart};

		team_put(to, &head, sizeof head);
		team_put(to, chunk->bytes, chunk->used);
	}
	prv_pack_free(pack);
}

static bool take_pack(struct team_take *take, struct prv_pack *pack, uint32_t chunks)
{
	for (uint32_t i = 0; i < chunks; i++) {
		struct sent_chunk head;
		struct prv_chunk *chunk;

		if (!team_take(take, &head, sizeof head))
			return false;
		chunk = mem_alloc(1, sizeof *chunk + head.used);
		if (!chunk)
			return false;
		*chunk = (struct prv_chunk){.base = head.base, .used = head.used, .cap = head.used, .restart = head.restart};
		if (pack->last)
			pack->last->next = chunk;
		else
			pack->first = chunk;
		pack->last = chunk;
		pack->bytes += head.used;
		if (!team_take(take, chunk->bytes, head.used))
			return false;
	}
	return true;
}

/* Another rank's thread whose turn it is. */
static bool thread_is_sent(const struct prv_thread *thread, const struct trace_remote *remote, uint32_t turn)
{
	return thread->process % ROUNDS == turn && trace_owner(remote, thread->process) != remote->team->rank;
}

static bool put_threads(struct team_pack *to, const struct prv_scan *scan, const struct trace_remote *remote, uint32_t turn)
{
	uint64_t *room = mem_zero(remote->team->size, sizeof *room);
	bool put = room;

	for (uint32_t i = 0; put && i < scan->thread_count; i++) {
		const struct prv_thread *thread = &scan->threads[i];

		if (thread_is_sent(thread, remote, turn))
			room[trace_owner(remote, thread->process)] += sizeof(struct sent_thread) + room_of(&thread->raw) + room_of(&thread->states);
	}
	for (uint32_t r = 0; put && r < remote->team->size; r++) {
		if (!room[r])
			continue;
		to[r].bytes = mem_alloc(room[r], 1);
		to[r].cap = room[r];
		put = to[r].bytes;
	}
	for (uint32_t i = 0; put && i < scan->thread_count; i++) {
		struct prv_thread *thread = &scan->threads[i];
		uint32_t owner = trace_owner(remote, thread->process);
		struct sent_thread head = {thread->process, thread->number, chunks_of(&thread->raw), chunks_of(&thread->states)};

		if (!thread_is_sent(thread, remote, turn))
			continue;
		team_put(&to[owner], &head, sizeof head);
		put_pack(&to[owner], &thread->raw, scan->before.messages);
		put_pack(&to[owner], &thread->states, 0);
		put = !to[owner].failed;
	}
	mem_free(room);
	return put;
}

/* ---- what has come ---- */

struct coming {
	struct prv_thread *threads;
	struct prv_piece *pieces;
	size_t n, cap, piece_cap;
};

static bool add_piece(struct coming *coming, struct prv_thread thread, uint64_t base, uint32_t rank)
{
	struct prv_thread *threads = mem_grow(coming->threads, coming->n, &coming->cap, sizeof *threads);
	struct prv_piece *pieces;

	if (!threads)
		return false;
	coming->threads = threads;
	pieces = mem_grow(coming->pieces, coming->n, &coming->piece_cap, sizeof *pieces);
	if (!pieces)
		return false;
	coming->pieces = pieces;
	threads[coming->n] = thread;
	pieces[coming->n++] = (struct prv_piece){NULL, base, rank};
	return true;
}

static bool take_threads(struct coming *coming, const struct team_bytes *from, uint32_t rank)
{
	struct team_take take = {from->bytes, from->n};
	struct sent_thread head;

	while (team_take(&take, &head, sizeof head)) {
		struct prv_thread thread = {.process = head.process, .number = head.number};

		if (!take_pack(&take, &thread.raw, head.raw) || !take_pack(&take, &thread.states, head.states) ||
		    !add_piece(coming, thread, 0, rank)) {
			prv_pack_free(&thread.raw);
			prv_pack_free(&thread.states);
			return false;
		}
	}
	return true;
}

/* The packs move; the scan has no threads then. */
static bool take_local(struct coming *coming, struct prv_scan *scan, const struct trace_remote *remote)
{
	bool taken = true;

	for (uint32_t i = 0; taken && i < scan->thread_count; i++) {
		struct prv_thread *thread = &scan->threads[i];

		if (trace_owner(remote, thread->process) != remote->team->rank)
			continue;
		taken = add_piece(coming, *thread, scan->before.messages, remote->team->rank);
		if (taken)
			thread->raw = thread->states = (struct prv_pack){0};
	}
	return taken;
}

static enum err_code join_all(struct coming *coming, struct prv_scan *scan, struct err *e)
{
	mem_free(scan->threads);
	scan->threads = NULL;
	scan->thread_count = 0;
	for (size_t i = 0; i < coming->n; i++)
		coming->pieces[i].thread = &coming->threads[i];
	return prv_scan_threads(scan, coming->pieces, coming->n, e);
}

static void coming_release(struct coming *coming)
{
	for (size_t i = 0; i < coming->n; i++) {
		prv_pack_free(&coming->threads[i].raw);
		prv_pack_free(&coming->threads[i].states);
	}
	mem_free(coming->threads);
	mem_free(coming->pieces);
}

static bool coming_take_all(struct coming *coming, struct team_bytes *from, uint32_t ranks)
{
	bool taken = true;

	for (uint32_t r = 0; r < ranks; r++) {
		taken = taken && take_threads(coming, &from[r], r);
		mem_free(from[r].bytes);
	}
	return taken;
}

static enum err_code coming_exchange(struct coming *coming, struct prv_scan *scan, struct maker *maker, uint32_t turn, struct err *e)
{
	const struct trace_remote *remote = maker->trace->remote;
	uint32_t ranks = remote->team->size;
	struct team_pack *packs = mem_zero(ranks, sizeof *packs);
	struct team_bytes *to = mem_zero(ranks, sizeof *to), *from = mem_zero(ranks, sizeof *from);
	bool put = packs && to && from && put_threads(packs, scan, remote, turn);
	enum err_code code = put ? ERR_OK : err_memory(e, "the trace's records");

	for (uint32_t r = 0; put && r < ranks; r++)
		to[r] = (struct team_bytes){packs[r].bytes, packs[r].n};
	if (!code)
		code = maker_agreed(maker, team_exchange(remote->team, to, from, e));
	for (uint32_t r = 0; packs && r < ranks; r++)
		mem_free(packs[r].bytes);
	if (!code && !coming_take_all(coming, from, ranks))
		code = err_memory(e, "the trace's records");
	mem_free(packs);
	mem_free(to);
	mem_free(from);
	return code;
}

static enum err_code exchange_all(struct prv_scan *scan, struct maker *maker, struct err *e)
{
	struct coming coming = {0};
	enum err_code code = take_local(&coming, scan, maker->trace->remote) ? ERR_OK : err_memory(e, "the trace's records");

	for (uint32_t turn = 0; !code && turn < ROUNDS; turn++)
		code = coming_exchange(&coming, scan, maker, turn, e);
	if (!code)
		code = join_all(&coming, scan, e);
	coming_release(&coming);
	return code;
}

enum err_code prv_share(struct prv_scan *scan, struct maker *maker, struct err *e)
{
	enum err_code code = maker->team ? find_owners(scan, maker, e) : ERR_OK;

	return code || !scan->striped ? code : exchange_all(scan, maker, e);
}
