/* Loading an OTF2 archive: what its parts share. load.c goes through them in this order. */
#ifndef PAS2P_CORE_FORMATS_OTF2_LOAD_H
#define PAS2P_CORE_FORMATS_OTF2_LOAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "comms.h"
#include "otf2_int.h"

/* The collective types that were met: threads meet them in any order. */
struct otf_colls {
	pthread_mutex_t lock;
	struct map *at;        /* operation, communicator -> number + 1 */
	struct otf_coll {
		uint32_t op, comm;
	} *list;
	uint32_t count;
	size_t cap;
};

/* What METRIC records of a class tell: a counter for each member, or the CPU clock. */
struct otf_counter {
	uint32_t counter;      /* the maker's; MAKE_NO_NUMBER: a reading of the CPU clock */
	bool relative;         /* a value is an increase, else what the counter shows */
	double scale;
};

struct otf_loader {
	struct maker *maker;
	struct otf_archive archive;
	struct otf_world world;
	struct otf_comms comms;
	struct otf_kinds kinds;
	struct otf_colls colls;
	struct otf_counter *counters; /* as the metric members of the definitions */
	uint32_t unknown;      /* the attribute of what is not known (otf2_int.h); OTF2_UNDEFINED_ATTRIBUTE: no record has it */
	uint64_t total_bytes;  /* of event files */
	atomic_bool maps;      /* some location's own definitions say what its references mean */
	atomic_bool one_sided; /* there are RMA records */
	unsigned readings;     /* how often all records have been told, and are being told */
	bool damaged;          /* something is missing that has no note of damage */
};

/* The type's number, for all threads; UINT32_MAX: no memory. */
uint32_t otf_coll_type(struct otf_colls *colls, uint32_t op, uint32_t comm);

/* Look at each location's files (files.c): what is missing is noted; room for events. */
enum err_code otf_look_at_files(struct otf_loader *loader, struct err *e);
/* Which counters there are (counters.c). */
enum err_code otf_tell_counters(struct otf_loader *loader, struct err *e);
/* Reads all locations and tells their records (events.c). */
enum err_code otf_read_events(struct otf_loader *loader, struct err *e);
/* Collectives and communicators get the numbers of a fixed order; those that no event is on go (settle.c). */
enum err_code otf_settle(struct otf_loader *loader, struct err *e);

#endif
