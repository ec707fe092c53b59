#include "clog2_parts.h"

#include <string.h>

/* Share the processes out by the room that their events have; a group of processes is one part's. */
static void share_out(struct pass2 *pass)
{
	const struct loader *x = pass->x;
	uint32_t n = x->t->process_count, p = 0;
	uint64_t all = (uint64_t)x->room[n] + n;

	for (unsigned i = 0; i < pass->part_count; i++) {
		pass->parts[i].first = p;
		while (p < n && ((uint64_t)x->room[p] + p < all * (i + 1) / pass->part_count ||
				 (p > 0 && pass->group_of[p] == pass->group_of[p - 1])))
			p++;
		pass->parts[i].end = i + 1 == pass->part_count ? n : p;
	}
}

enum err_code load_parts_init(struct pass2 *pass, struct err *e)
{
	struct loader *x = pass->x;
	uint32_t n = x->t->process_count;

	pass->processes = mem_zero(n, sizeof *pass->processes);
	pass->group_of = mem_alloc(n, sizeof *pass->group_of);
	pass->totals = mem_zero((size_t)LOAD_GROUPS * x->defs.count, sizeof *pass->totals);
	pass->parts = mem_zero(pass->part_count, sizeof *pass->parts);
	if (!pass->processes || !pass->group_of || !pass->totals || !pass->parts)
		return err_memory(e, "the processes");
	for (uint32_t p = 0; p < n; p++) {
		stream_init(&pass->processes[p].main, 0, x->readings);
		pass->group_of[p] = (uint32_t)((uint64_t)p * LOAD_GROUPS / n);
		x->t->processes[p].threads = 1;
		if (x->room) {
			pass->processes[p].next = x->room[p];
			pass->processes[p].limit = x->room[p + 1];
		}
	}
	share_out(pass);
	for (unsigned i = 0; i < pass->part_count; i++) {
		struct part *y = &pass->parts[i];

		y->pass = pass;
		y->x = x;
		y->t = x->t;
		y->processes = pass->processes;
		notes_init(&y->notes);
		y->odd_threads = map_new();
		if (!y->odd_threads)
			return err_memory(e, "the processes");
	}
	return ERR_OK;
}

void load_parts_release(struct pass2 *pass)
{
	for (uint32_t p = 0; pass->processes && p < pass->x->t->process_count; p++) {
		struct stream *s = pass->processes[p].main.next;

		stream_release(&pass->processes[p].main);
		while (s) {
			struct stream *next = s->next;

			stream_release(s);
			mem_free(s);
			s = next;
		}
	}
	for (unsigned i = 0; pass->parts && i < pass->part_count; i++) {
		notes_release(&pass->parts[i].notes);
		mem_free(pass->parts[i].remote);
		map_free(pass->parts[i].odd_threads);
	}
	mem_free(pass->processes);
	mem_free(pass->group_of);
	mem_free(pass->totals);
	mem_free(pass->parts);
}

/* Does a thread make calls, most of them whole? A run that was stopped leaves open ones. */
static bool makes_calls(const struct pass2 *pass, uint32_t process, int32_t thread)
{
	for (const struct stream *s = &pass->processes[process].main; s; s = s->next)
		if (s->thread == thread)
			return s->calls > s->unpaired;
	return false;
}

/* Of threads whose number is out of range, those are none that do not make calls of their own: their records belong to
 * another thread's. Keeps them in x->false_threads; the highest number of the others in *highest. */
static bool sort_threads(struct pass2 *pass, int32_t *highest)
{
	struct loader *x = pass->x;
	uint64_t process, thread;
	uint32_t one;

	for (unsigned i = 0; i < pass->part_count; i++)
		for (size_t k = 0; map_each(pass->parts[i].odd_threads, &k, &process, &thread, &one);) {
			uint32_t *at;

			if (makes_calls(pass, (uint32_t)process, (int32_t)thread)) {
				*highest = (int32_t)thread > *highest ? (int32_t)thread : *highest;
				continue;
			}
			if (!x->false_threads)
				x->false_threads = map_new();
			at = x->false_threads ? map_at(x->false_threads, process, thread) : NULL;
			if (!at)
				return false;
			*at = 1;
		}
	return true;
}

static enum err_code gather_threads(struct pass2 *pass, struct err *e)
{
	struct loader *x = pass->x;
	int32_t highest = -1, most = x->files[0].max_threads ? x->files[0].max_threads : 1;

	if (x->false_threads)
		return ERR_OK; /* they are sorted already */
	if (!sort_threads(pass, &highest))
		return err_memory(e, "the processes");
	if (highest >= 0)
		notes_add(&x->t->notes, NOTE_BAD_PREAMBLE, (struct note_place){0, -1, -1, 0, -1},
			  "the preamble says that there are at most %d thread%s, but thread %d makes calls; its "
			  "records are used", most, most == 1 ? "" : "s", highest);
	return ERR_OK;
}

enum err_code load_parts_gather(struct pass2 *pass, struct err *e)
{
	struct loader *x = pass->x;
	struct notes *found = mem_alloc(pass->part_count, sizeof *found);
	enum err_code code = found ? ERR_OK : err_memory(e, "the trace's notes");

	for (unsigned i = 0; code == ERR_OK && i < pass->part_count; i++) {
		struct part *y = &pass->parts[i];

		if (y->code != ERR_OK) {
			*e = y->err;
			code = y->code;
			break;
		}
		found[i] = y->notes;
		x->states_seen = x->states_seen || y->states_seen;
		x->reading_count += y->reading_count;
		x->bad_readings += y->bad_readings;
		for (size_t k = 0; k < y->remote_count; k++) {
			struct remote_message *remote =
				mem_grow(x->remote, x->remote_count, &x->remote_cap, sizeof *remote);

			if (!remote) {
				code = err_memory(e, "messages between communicators");
				break;
			}
			x->remote = remote;
			remote[x->remote_count++] = y->remote[k];
		}
	}
	for (uint32_t p = 0; p < x->t->process_count; p++) {
		const struct process_load *q = &pass->processes[p];
		struct process *out = &x->t->processes[p];

		out->start = q->start;
		out->end = q->end;
		out->records = q->records;
		memcpy(out->by_kind, q->by_kind, sizeof out->by_kind);
		if (x->used)
			x->used[p] = q->next - x->room[p];
	}
	if (code == ERR_OK)
		code = gather_threads(pass, e);
	if (code == ERR_OK)
		notes_merge(&x->t->notes, found, pass->part_count);
	mem_free(found);
	for (size_t g = 0; code == ERR_OK && g < LOAD_GROUPS; g++)
		for (uint32_t d = 0; d < x->defs.count; d++) {
			struct state_total *total = &x->defs.list[d].total;
			const struct total *part = &pass->totals[g * x->defs.count + d];

			total->count += part->count;
			total->inclusive += part->inclusive;
			total->exclusive += part->exclusive;
		}
	return code;
}
