/* Making a struct phases: both techniques append occurrences and finish. Internal to the core. */
#ifndef PAS2P_PHASE_LIST_H
#define PAS2P_PHASE_LIST_H

#include "phases.h"
#include "core/team/team.h"

struct phase_list {
	struct phases *p;
	size_t list_cap, occurrences_cap;
};

enum err_code phase_list_init(struct phase_list *m, enum similarity similarity, struct err *e);
/* Save a new phase of that many ticks, whose content is the occurrence appended next; its id, or 0: no memory. */
uint32_t phase_list_save(struct phase_list *m, uint32_t ticks);
bool phase_list_occur(struct phase_list *m, uint32_t id, uint32_t first, uint32_t last);
/* Group the occurrences by phase and hand the result over; on failure everything is freed. */
enum err_code phase_list_finish(struct phase_list *m, struct phases **out, struct err *e);
void phase_list_release(struct phase_list *m);

/* The phases of rank 0 at all ranks: *p is made on the others. On failure all are freed. Holds meetings (team.h). */
enum err_code phases_tell(struct phases **p, const struct team *team, enum similarity similarity, struct err *e);

#endif
