/* What each event of a run becomes in a time-independent trace, so that its replay ends (docs/reference/formats.md,
 * "TIT output").
 *
 * A replay knows one communicator, relates messages by sender, receiver and tag in their order, and takes a collective
 * for one of all processes. So a message gets a tag by which that relates it as the trace does: its own where nothing
 * stands against it. Messages that the trace does not relate, or that would be received before they were sent, are left
 * out; so are collectives that only one process made.
 */
#ifndef PAS2P_CORE_FORMATS_TIT_TIT_INT_H
#define PAS2P_CORE_FORMATS_TIT_TIT_INT_H

#include "core/records/format_write.h"

#define TIT_TAGS (1u << 30)           /* those of messages lie below; this and the next one are collectives' of a part of the world */

enum tit_fate {
	TIT_LEFT_OUT,
	TIT_MESSAGE,           /* value: its tag */
	TIT_WORLD,             /* a collective of all processes; value: the largest of its members' bytes */
	TIT_PART               /* of some; value: the first member's event */
};

struct tit_plan {
	uint8_t *fate;         /* enum tit_fate, per event */
	uint32_t *value;
};

/* What is lost by it is told. Release it also after an error. */
enum err_code tit_plan_init(struct tit_plan *plan, struct convert_run *run, struct err *e);
void tit_plan_release(struct tit_plan *plan);

/* A size as a replay takes it: what is not known is 0. */
static inline uint32_t tit_bytes(uint64_t size)
{
	return size == SIZE_UNKNOWN ? 0 : size > INT32_MAX ? INT32_MAX : (uint32_t)size;
}

#endif
