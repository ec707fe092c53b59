/* Relating sends to receives as the format says: both ends of a message have the same number.
 *
 * A number that more than two ends have, or two sends, or ends whose partners are others, relates nothing but the first send and receive
 * that fit; what is left over is lost.
 */
#include <string.h>

#include "core/base/mem.h"
#include "relate.h"

#define TELL_EVERY (1u << 16) /* events */
#define PER_EVENT 4           /* numbers beyond so many are of no message that is here */

/* match[] as the format's numbers; NO_EVENT where there is none afterwards. */
struct giving {
	struct trace *t;
	uint32_t *first;          /* per number the end that came first and has no partner yet */
	uint64_t count;           /* numbers */
	uint64_t *given;
	uint64_t messages, related;
	struct notes notes;
};

static bool fit(const struct trace *t, uint32_t a, uint32_t p, uint32_t b)
{
	uint32_t q = trace_process_of(t, b);

	return EVENT_KIND(t->type[a]) != EVENT_KIND(t->type[b]) && EVENT_INDEX(t->type[a]) == q + 1 && EVENT_INDEX(t->type[b]) == p + 1;
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
	} else if (fit(t, i, p, *first)) {
		bool send = EVENT_KIND(t->type[i]) == EVENT_SEND;

		relate_pair(&giving->notes, t, send ? i : *first, send ? *first : i);
		*first = NO_EVENT;
	}
}

enum err_code relate_given(struct trace *t, uint64_t **given, bool *all, const struct job *job, struct err *e)
{
	struct giving giving = {.t = t};

	*all = false;
	for (uint32_t i = 0; i < t->event_count; i++)
		if (t->match[i] > giving.count && EVENT_KIND(t->type[i]) != EVENT_COLLECTIVE)
			giving.count = t->match[i];
	if (giving.count > (uint64_t)t->event_count * PER_EVENT)
		giving.count = (uint64_t)t->event_count * PER_EVENT;
	giving.first = mem_alloc(giving.count, sizeof *giving.first);
	*given = giving.given = mem_zero((size_t)t->event_count / 64 + 1, sizeof *giving.given);
	if (!giving.first || !giving.given) {
		mem_free(giving.first);
		return err_memory(e, "relating messages");
	}
	memset(giving.first, 0xff, giving.count * sizeof *giving.first);
	notes_init(&giving.notes);
	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			if (i % TELL_EVERY == 0)
				job_progress(job, JOB_RELATE, i, t->event_count);
			relate_event(&giving, i, p);
		}
	notes_append(&t->notes, &giving.notes);
	notes_release(&giving.notes);
	mem_free(giving.first);
	*all = giving.related == giving.messages;
	return ERR_OK;
}
