/* Relating a trace's events: sends to receives, FIFO per channel, and the calls of a collective to each other
 * (docs/explain/method.md, "Messages and collectives"). Where a format says which sends and receives belong together,
 * that stands, and only the other messages are related FIFO.
 *
 * trace_relate() fills match[], counts events by kind, communicator and what is left without a relation, and notes what
 * is odd. It runs on t->threads threads; what comes out does not depend on how many. It reports to
 * progress, and does not ask whether to stop, since what was read before a stop is a whole trace only once it is
 * related.
 *
 * For a trace that is on several ranks (t->remote) it is a collective step, which relates events of different ranks,
 * too, and fills in the rest of t->remote.
 */
#ifndef PAS2P_CORE_TRACE_RELATE_RELATE_H
#define PAS2P_CORE_TRACE_RELATE_RELATE_H

#include "core/base/progress.h"
#include "core/trace/trace.h"

/* A message whose partner's communicator is not its own: the remote side of an intercommunicator. */
struct intercomm_message {
	uint32_t process, number; /* number from 0 within its process */
	uint32_t comm;            /* the partner's side */
};

/* `intercomm` is sorted in place; it may be NULL if there are none. related: match[] has the format's numbers of
 * relations, the same at both ends, counted from 1 and so at most a few per event; 0: it gives none. Else match[] has
 * nothing yet. */
enum err_code trace_relate(struct trace *t, struct intercomm_message *intercomm, size_t count, bool related, const struct progress *progress,
			   struct err *e);

int relate_compare_intercomm(const void *a, const void *b); /* by process and number */

struct relate_remote;
struct intercomm_messages;

/* Its parts, each in a file of its own. remote: what came from other ranks; NULL: all is here. given: a bit for each
 * event that relate_given() has seen to; NULL: none. What is noted goes to `notes`. The step for collectives is
 * collective if there is t->remote. */
enum err_code relate_given(struct trace *t, const struct relate_remote *remote, uint64_t **given, bool *all, struct notes *notes,
			   const struct progress *progress, struct err *e);
enum err_code relate_messages(struct trace *t, const struct intercomm_messages *intercomm, const struct relate_remote *remote, const uint64_t *given,
			      struct notes *notes, const struct progress *progress, struct err *e);
enum err_code relate_collectives(struct trace *t, struct notes *notes, struct err *e);

/* A send, which `source` made, and its receive; a receive that is stamped before its send is noted. */
void relate_note_early(struct notes *notes, const struct trace *t, uint32_t source, uint32_t receive, double early);

static inline void relate_pair(struct notes *notes, struct trace *t, uint32_t source, uint32_t send, uint32_t receive)
{
	double early = t->time[send] - t->time[receive];

	t->match[send] = receive;
	t->match[receive] = send;
	if (early > 0)
		relate_note_early(notes, t, source, receive, early);
}

#endif
