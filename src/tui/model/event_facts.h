/* An event of the analysed trace and what it has to do with: whom it goes to or comes from, how large it is, how late.
 * For views that show places in time: in a line, and in full as facts.
 *
 * A message is late by what the call that sent it began behind the call that received it: the receiver was ready
 * before. A member of a collective came so much before the last one (docs/metrics.md 3 has the waiting that comes of
 * both). Both need the run's calls: while those are being read (spending.h) they are not known.
 */
#ifndef PAS2P_TUI_EVENT_FACTS_H
#define PAS2P_TUI_EVENT_FACTS_H

#include "model.h"

/* s; more than 0: the message was sent late, or the collective's last member came so long after this one. NAN: not
 * known, or there is no other end. *last (may be NULL): of a collective, the event of the member that came last.
 * O(members). */
double event_lateness(const struct model *m, uint32_t event, uint32_t *last);

/* "sent 12.1 µs early", "came 3.1 ms before rank 2, the last"; "": not known. */
void event_late_text(const struct model *m, uint32_t event, char *text, size_t size);

/* "#17 send to rank 1 · 40 B · tag 7" */
void event_brief(const struct model *m, uint32_t event, char *text, size_t size);

#define EVENT_FACTS 12

struct event_fact {
	const char *name;
	char text[128];
};

/* One fact a line, the most telling first; returns how many, EVENT_FACTS at most. */
int event_facts(const struct model *m, uint32_t event, struct event_fact facts[EVENT_FACTS]);

#endif
