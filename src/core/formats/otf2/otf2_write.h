/* Writing a run as an OTF2 archive in a folder: what the parts of the writer share.
 *
 * Order: events first, one location (a thread of a process) after the other, so that two files at most are open; then a
 * file of definitions for each location, empty but for its head; then the global definitions, which name only what
 * occurred.
 *
 * Numbers: times in ns since the run's first record. A location is its rank, its thread number in the upper 32 bits.
 * Strings, regions, groups and communicators are numbered from 0 as they are first needed.
 */
#ifndef PAS2P_OTF2_WRITE_H
#define PAS2P_OTF2_WRITE_H

#include <otf2/otf2.h>

#include "core/formats/format_write.h"
#include "core/formats/nested_walk.h"
#include "otf2_operations.h"

/* Strings that have fixed numbers. */
enum { OTF2_STRING_EMPTY, OTF2_STRING_PROGRAM, OTF2_STRING_FIRST };
enum { OTF2_METRIC_CPU_TIME }; /* the metric, its class and its member */
enum { OTF2_ATTRIBUTE_UNKNOWN }; /* otf2_unknown.h */

/* How communicators are written. All of a single process each are MPI_COMM_SELF. A trace has the two sides of an
 * intercommunicator as two, each with what its members do among themselves; what goes from one side to the other is on
 * one more, behind the others. */
struct otf2_write_comms {
	const struct trace *trace;
	uint32_t *ref;         /* per communicator of the trace; OTF2_UNDEFINED_COMM: it is not written */
	uint32_t *other;       /* the other side of an intercommunicator, or UINT32_MAX */
	uint32_t *inter;       /* that of both sides, or OTF2_UNDEFINED_COMM */
	uint32_t *by_process;  /* as trace->comm_members: ranks in order of process */
	bool *plain;           /* rank i is process i */
	uint32_t count;        /* of those that are written */
	bool missing;          /* the trace has none: there is MPI_COMM_WORLD, with all processes */
};

enum err_code otf2_write_comms_init(struct otf2_write_comms *comms, const struct trace *t, struct err *e);
void otf2_write_comms_release(struct otf2_write_comms *comms);

/* What a message or a collective's root is on, and the rank of a process there: OTF2_UNDEFINED_UINT32: it has none. */
struct otf2_partner {
	uint32_t ref, rank;
};
struct otf2_partner otf2_write_comms_partner(const struct otf2_write_comms *comms, uint32_t comm, uint32_t process);

/* What a state is to the writer. */
struct otf2_state {
	uint32_t region;       /* OTF2_UNDEFINED_REGION until it occurs */
	OTF2_RegionRole role;
	bool waits;            /* Wait*, Test* */
	bool starts;           /* Start, Startall */
	bool requests;         /* sends in it have a request: I*, Start* */
	bool posts;            /* a receive is posted in it */
};

struct otf2_writing {
	struct convert_run *run;
	OTF2_Archive *archive;
	struct nested_threads threads;
	uint64_t *counts;      /* per thread: its records */
	const struct record_state *states;
	struct otf2_state *of_state; /* per state */
	uint32_t state_count;
	uint32_t *regions;     /* their states, by number */
	uint32_t region_count;
	struct otf2_operation *operations; /* per collective type */
	struct otf2_write_comms comms;
	uint64_t last;         /* the latest time, ns */
	uint64_t done;         /* steps, for progress */
	bool cpu_time;         /* some thread has readings of the CPU clock */
	bool unknowns;         /* some record has a number that the trace did not record */
	uint64_t partnerless;  /* messages */
};

/* The library could not do it: a sentence with what it said. */
enum err_code otf2_write_failed(const char *what, struct err *e);

/* What one thread did. */
enum err_code otf2_write_events(struct otf2_writing *writing, uint32_t thread, struct err *e);

/* All global definitions. */
enum err_code otf2_write_definitions(struct otf2_writing *writing, struct err *e);

/* Of the archive that is closed. */
enum err_code otf2_write_id(const struct otf2_writing *writing, struct err *e);

static inline uint64_t otf2_location(const struct nested_thread *thread)
{
	return thread->process | (uint64_t)(uint32_t)thread->thread << 32;
}

#endif
