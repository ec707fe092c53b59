/* Whom each process has to do with: how many others it exchanges messages with, which of them most, and whom it waited
 * for most (docs/metrics.md 3).
 *
 * A partner is another process that it sends to or receives from; the heaviest is the one with most bytes of known size
 * both ways, then most messages, then the lowest. A wait is for the process of the call that came late (waits_for()).
 * O(events + calls x log members); immutable once made.
 */
#ifndef PAS2P_PROCESS_PEERS_H
#define PAS2P_PROCESS_PEERS_H

#include "core/trace/trace.h"
#include "waits.h"

struct process_peer {
	uint32_t partners;
	uint32_t heaviest;            /* NO_PROCESS: it has none */
	uint64_t bytes, messages;     /* both ways with that one */
	uint32_t waited_for;          /* NO_PROCESS: it waited for nobody, or that is not known */
	double waited;                /* s for that one */
};

struct process_peers {
	struct process_peer *of;      /* per process */
	uint32_t count;
};

/* w NULL: waits are not known. */
enum err_code process_peers_new(struct process_peers **out, const struct trace *t, const struct waits *w, const struct job *job,
				struct err *e);
void process_peers_free(struct process_peers *p); /* NULL is fine */

#endif
