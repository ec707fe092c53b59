/* Relating sends to receives as the format says: both ends of a message have the same number.
 *
 * A number that more than two ends have, or two sends, or ends whose partners are others, relates nothing but the first
 * send and receive that fit; what is left over is lost.
 */
#include <string.h>

#include "core/base/mem.h"
#include "relate_int.h"
#include "core/trace/remote.h"

#define REPORT_EVERY (1u << 16) /* events */
#define PER_EVENT 4             /* numbers beyond so many are of no message that is here */

/* match[] as the format's numbers; NO_EVENT if there is none afterwards. For a trace that is on several ranks each goes
 * through its local events and the sends to them: both ends of a message are where its receive is. */
struct giving {
	struct trace *t;
	const struct relate_remote *remote; /* NULL: all is here */
	uint32_t *first;          /* per number the end that came first and has no partner yet */
	uint64_t count;           /* numbers */
	uint64_t *given;
	uint64_t messages, related;
	struct notes notes;
};

static uint32_t given_process_of(const struct giving *giving, uint32_t event)
{
	return giving->remote ? relate_remote_process(giving->remote, event) : trace_process_of(giving->t, event);
}

static bool ends_fit(const struct giving *giving, uint32_t a, uint32_t p, uint32_t b)
{
	const struct trace *t = giving->t;
	uint32_t q = given_process_of(giving, b);

	return EVENT_KIND(t->type[a]) != EVENT_KIND(t->type[b]) && EVENT_INDEX(t->type[a]) == q + 1 && EVENT_INDEX(t->type[b]) == p + 1;
}

/* Both ends are there; the one that came last says where a note of them belongs. */
static void relate_ends(struct giving *giving, uint32_t first, uint32_t i, uint32_t p)
{
	bool send = EVENT_KIND(giving->t->type[i]) == EVENT_SEND;
	size_t before = giving->notes.n;

	relate_pair(&giving->notes, giving->t, send ? p : given_process_of(giving, first), send ? i : first, send ? first : i);
	if (giving->remote && giving->notes.n > before)
		notes_order(&giving->notes, before, p, relate_remote_event(giving->remote, i));
}

static void relate_event(struct giving *giving, uint32_t i, uint32_t p)
{
	struct trace *t = giving->t;
	uint32_t number = t->match[i], *first;

	t->match[i] = NO_EVENT;
	if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
		return;
	giving->messages++;
	if (!number)
		return;
	giving->related++;
	giving->given[i / 64] |= (uint64_t)1 << i % 64;
	if (number > giving->count)
		return;
	first = &giving->first[number - 1];
	if (*first == NO_EVENT) {
		*first = i;
	} else if (ends_fit(giving, i, p, *first)) {
		relate_ends(giving, *first, i, p);
		*first = NO_EVENT;
	}
}

static void give_local(struct giving *giving, const struct progress *progress)
{
	const struct trace *t = giving->t;

	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			if (i % REPORT_EVERY == 0)
				progress_report(progress, PROGRESS_RELATE, i, t->event_count);
			relate_event(giving, i, p);
		}
}

/* What came from the ranks of [first, end). */
static void give_remote(struct giving *giving, uint32_t first, uint32_t end)
{
	for (uint32_t r = first; r < end; r++) {
		const struct remote_sends *from = &giving->remote->from[r];

		for (uint32_t i = 0; i < from->count; i++)
			relate_event(giving, from->first + i, remote_source(from, i));
	}
}

static void give_all(struct giving *giving, const struct progress *progress)
{
	const struct relate_remote *remote = giving->remote;

	if (remote)
		give_remote(giving, 0, remote->rank);
	give_local(giving, progress);
	if (remote)
		give_remote(giving, remote->rank + 1, remote->ranks);
}

enum err_code relate_given(struct trace *t, const struct relate_remote *remote, uint64_t **given, bool *all, struct notes *notes,
			   const struct progress *progress, struct err *e)
{
	struct giving giving = {.t = t, .remote = remote};
	uint64_t events = trace_all_events(t), here = (uint64_t)t->event_count + (remote ? remote->count : 0);

	*all = false;
	for (uint64_t i = 0; i < here; i++)
		if (EVENT_KIND(t->type[i]) != EVENT_COLLECTIVE && t->match[i] > giving.count)
			giving.count = t->match[i];
	if (giving.count > events * PER_EVENT)
		giving.count = events * PER_EVENT;
	giving.first = mem_alloc(giving.count, sizeof *giving.first);
	*given = giving.given = mem_zero(here / 64 + 1, sizeof *giving.given);
	if (!giving.first || !giving.given) {
		mem_free(giving.first);
		return err_memory(e, "relating messages");
	}
	memset(giving.first, 0xff, giving.count * sizeof *giving.first);
	notes_init(&giving.notes);
	give_all(&giving, progress);
	notes_append(notes, &giving.notes);
	notes_release(&giving.notes);
	mem_free(giving.first);
	*all = giving.related == giving.messages;
	return ERR_OK;
}
