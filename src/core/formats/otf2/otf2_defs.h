/* The global definitions of an OTF2 archive as tables (docs/formats.md 2): what is read of them, as it stands there, in
 * the order in which it stands there. What they mean together is otf2_world.h's and otf2_comms.h's.
 */
#ifndef PAS2P_OTF2_DEFS_H
#define PAS2P_OTF2_DEFS_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "otf2_refs.h"

struct otf_region {
	uint32_t name, canonical; /* references of strings */
	OTF2_Paradigm paradigm;
};

struct otf_location {
	uint64_t id, events;   /* as defined */
	uint32_t group;        /* reference */
	OTF2_LocationType type;
};

struct otf_location_group {
	uint32_t ref, node;    /* node: of the system tree, a reference */
	OTF2_LocationGroupType type;
};

struct otf_node {
	uint32_t name, kind, parent;
};

struct otf_group {
	OTF2_GroupType type;
	OTF2_Paradigm paradigm;
	uint32_t count;
	size_t first;          /* of its members in defs->members */
};

struct otf_comm {
	uint32_t ref, group;
	uint32_t other;        /* the second group of an intercommunicator */
	bool inter;
};

struct otf_member {
	uint32_t name, unit;   /* references of strings */
	OTF2_Base base;
	int64_t exponent;
	OTF2_MetricMode mode;
};

/* A class of metrics, or an instance of one. */
struct otf_metric {
	size_t first;          /* of its members, references, in defs->metric_members */
	uint32_t count;
	uint32_t of;           /* an instance: reference of its class */
	bool instance;
};

struct otf_defs {
	struct arena arena;
	uint64_t ticks, offset; /* a second; of the first timestamp */
	bool clock;            /* these were there */
	const char **strings;
	struct otf_region *regions;
	struct otf_location *locations;
	struct otf_location_group *location_groups;
	struct otf_node *nodes;
	struct otf_group *groups;
	struct otf_comm *comms;
	struct otf_member *metric_members;
	struct otf_metric *metrics;
	uint32_t *contexts;    /* of calls: reference of the region */
	uint64_t *members;     /* of all groups */
	uint32_t *member_refs; /* of all metrics */
	uint32_t string_count, region_count, location_count, location_group_count, node_count, group_count, comm_count,
		metric_member_count, metric_count, context_count;
	size_t members_count, member_refs_count;
	/* By reference. Of groups of the same reference one that lists a communicator's ranks wins over one that lists
	 * locations. */
	struct otf_refs string_at, region_at, location_at, location_group_at, node_at, group_at, comm_at, metric_member_at, metric_at,
		context_at;
	struct otf_attribute {
		uint32_t ref, name;
	} *attributes;         /* of records; name: reference of a string */
	uint32_t attribute_count;
	uint32_t world;        /* the group that lists the locations of MPI's ranks; OTF2_NOWHERE: there is none */
	bool no_memory;
	size_t caps[13];
};

enum err_code otf_defs_init(struct otf_defs *defs, struct err *e);
void otf_defs_release(struct otf_defs *defs);

/* What a definition reader is to call; the defs are its user data. NULL: no memory.
 * OTF2_GlobalDefReaderCallbacks_Delete(). */
OTF2_GlobalDefReaderCallbacks *otf_defs_callbacks(void);

const char *otf_defs_string(const struct otf_defs *defs, uint32_t ref); /* "": there is none; not made safe */

#endif
