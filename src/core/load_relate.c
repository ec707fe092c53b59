/* Relating events, and what is left without a relation. */
#include "load_relate.h"
#include "trace_load.h"

static void count_lost(struct trace *t)
{
	for (uint32_t p = 0; p < t->process_count; p++) {
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			bool send = EVENT_KIND(t->type[i]) == EVENT_SEND;
			char name[16];

			if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE) {
				t->collective_count++;
				continue;
			}
			if (send)
				t->send_count++;
			else
				t->receive_count++;
			if (t->match[i] != NO_EVENT)
				continue;
			if (send)
				t->lost_sends++;
			else
				t->lost_receives++;
			notes_add(&t->notes, send ? NOTE_LOST_SEND : NOTE_LOST_RECEIVE,
				  (struct note_place){-1, (int32_t)p, -1, -1, i}, "rank %u, event %u (%s, tag %d, time %.9g s)", p,
				  trace_number_of(t, p, i), trace_type_name(t, t->type[i], name, sizeof name), t->tag[i], t->time[i]);
		}
	}
}

enum err_code load_relate(struct loader *x, struct err *e)
{
	enum err_code code = relate_messages(x, e);

	if (code == ERR_OK)
		code = relate_collectives(x->t, e);
	if (code == ERR_OK)
		count_lost(x->t);
	return code;
}
