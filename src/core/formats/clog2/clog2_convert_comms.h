/* The communicators of a run that is written as CLOG2: who has which rank on which number (docs/formats.md 5.1).
 *
 * Numbers: the worlds, then MPI_COMM_SELF of each process, then the others in the order of their first use. Each
 * process has a world and a self of its own, whether the trace lists them or not.
 */
#ifndef PAS2P_CLOG2_CONVERT_COMMS_H
#define PAS2P_CLOG2_CONVERT_COMMS_H

#include "clog2_write.h"
#include "core/trace/trace.h"

struct convert_comms {
	const struct trace *trace;
	uint32_t world_count;
	int32_t *number;       /* of each of the trace's communicators */
	uint32_t *by_number;   /* the trace's communicator of a number behind the selves */
	uint32_t other_count;
	struct map *ranks;     /* (communicator, process) -> rank + 1, of those behind the selves */
};

/* Release it also after an error. */
enum err_code convert_comms_init(struct convert_comms *c, const struct trace *t, struct err *e);
void convert_comms_release(struct convert_comms *c);

/* A process as one of a communicator's, as records name it. */
struct convert_member { int32_t icomm, rank; };
struct convert_member convert_world(const struct convert_comms *c, uint32_t process);
struct convert_member convert_self(const struct convert_comms *c, uint32_t process);
/* By the trace's communicator. False: it is none of its members. */
bool convert_member(const struct convert_comms *c, uint32_t comm, uint32_t process, struct convert_member *member);

int32_t convert_world_size(const struct convert_comms *c); /* of the largest */

/* The records that say it. */
void convert_comms_write(const struct convert_comms *c, struct clog2_writer *writer);

#endif
