#include "otf2_int.h"

#include <string.h>

/* One more entry of a table; NULL: no memory. The caller counts it. */
#define GROW(defs, list, count, cap)                                                                         \
	do {                                                                                                  \
		void *grown = mem_grow((defs)->list, (defs)->count, &(defs)->caps[cap], sizeof *(defs)->list); \
		if (!grown)                                                                                   \
			return defs_no_memory(defs);                                                               \
		(defs)->list = grown;                                                                         \
	} while (0)

static OTF2_CallbackCode defs_no_memory(struct otf_defs *defs)
{
	defs->no_memory = true;
	return OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode defs_set_ref(struct otf_defs *defs, struct otf_refs *refs, uint64_t ref, uint32_t place)
{
	return otf_refs_set(refs, ref, place) ? OTF2_CALLBACK_SUCCESS : defs_no_memory(defs);
}

static OTF2_CallbackCode add_clock(void *arg, uint64_t ticks, uint64_t offset, uint64_t length, uint64_t date)
{
	struct otf_defs *defs = arg;

	(void)length;
	(void)date;
	defs->ticks = ticks;
	defs->offset = offset;
	defs->clock = true;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode add_string(void *arg, OTF2_StringRef self, const char *string)
{
	struct otf_defs *defs = arg;
	char *copy = arena_strndup(&defs->arena, string, strlen(string));

	if (!copy)
		return defs_no_memory(defs);
	GROW(defs, strings, string_count, 0);
	defs->strings[defs->string_count] = copy;
	return defs_set_ref(defs, &defs->string_at, self, defs->string_count++);
}

static OTF2_CallbackCode add_region(void *arg, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical, OTF2_StringRef what,
				    OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file,
				    uint32_t begin, uint32_t end)
{
	struct otf_defs *defs = arg;

	(void)what;
	(void)role;
	(void)flags;
	(void)file;
	(void)begin;
	(void)end;
	GROW(defs, regions, region_count, 1);
	defs->regions[defs->region_count] = (struct otf_region){name, canonical, paradigm};
	return defs_set_ref(defs, &defs->region_at, self, defs->region_count++);
}

static OTF2_CallbackCode add_location(void *arg, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t events,
				      OTF2_LocationGroupRef group)
{
	struct otf_defs *defs = arg;

	(void)name;
	/* Said twice, it would be read twice. */
	if (otf_refs_get(&defs->location_at, self) != OTF2_NOWHERE)
		return OTF2_CALLBACK_SUCCESS;
	GROW(defs, locations, location_count, 2);
	defs->locations[defs->location_count] = (struct otf_location){self, events, group, type};
	return defs_set_ref(defs, &defs->location_at, self, defs->location_count++);
}

static OTF2_CallbackCode add_location_group(void *arg, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
					    OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator)
{
	struct otf_defs *defs = arg;

	(void)name;
	(void)creator;
	if (otf_refs_get(&defs->location_group_at, self) != OTF2_NOWHERE)
		return OTF2_CALLBACK_SUCCESS;
	GROW(defs, location_groups, location_group_count, 3);
	defs->location_groups[defs->location_group_count] = (struct otf_location_group){self, node, type};
	return defs_set_ref(defs, &defs->location_group_at, self, defs->location_group_count++);
}

static OTF2_CallbackCode add_node(void *arg, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef kind,
				  OTF2_SystemTreeNodeRef parent)
{
	struct otf_defs *defs = arg;

	GROW(defs, nodes, node_count, 4);
	defs->nodes[defs->node_count] = (struct otf_node){name, kind, parent};
	return defs_set_ref(defs, &defs->node_at, self, defs->node_count++);
}

static bool lists_ranks(const struct otf_group *group)
{
	return group->type == OTF2_GROUP_TYPE_COMM_GROUP || group->type == OTF2_GROUP_TYPE_COMM_SELF;
}

static OTF2_CallbackCode add_group(void *arg, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
				   OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
	struct otf_defs *defs = arg;
	struct otf_group group = {type, paradigm, count, defs->members_count};
	uint32_t before = otf_refs_get(&defs->group_at, self);

	(void)name;
	(void)flags;
	if (type != OTF2_GROUP_TYPE_COMM_LOCATIONS && !lists_ranks(&group))
		return OTF2_CALLBACK_SUCCESS;
	for (uint32_t i = 0; i < count; i++) {
		GROW(defs, members, members_count, 6);
		defs->members[defs->members_count++] = members[i];
	}
	GROW(defs, groups, group_count, 5);
	defs->groups[defs->group_count++] = group;
	if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_MPI && defs->world == OTF2_NOWHERE)
		defs->world = defs->group_count - 1;
	if (before != OTF2_NOWHERE && lists_ranks(&defs->groups[before]) && !lists_ranks(&group))
		return OTF2_CALLBACK_SUCCESS;
	return defs_set_ref(defs, &defs->group_at, self, defs->group_count - 1);
}

static OTF2_CallbackCode keep_comm(struct otf_defs *defs, struct otf_comm comm)
{
	GROW(defs, comms, comm_count, 7);
	defs->comms[defs->comm_count] = comm;
	return defs_set_ref(defs, &defs->comm_at, comm.ref, defs->comm_count++);
}

static OTF2_CallbackCode add_comm(void *arg, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
				  OTF2_CommFlag flags)
{
	(void)name;
	(void)parent;
	(void)flags;
	return keep_comm(arg, (struct otf_comm){.ref = self, .group = group});
}

static OTF2_CallbackCode add_inter(void *arg, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b,
				   OTF2_CommRef common, OTF2_CommFlag flags)
{
	(void)name;
	(void)common;
	(void)flags;
	return keep_comm(arg, (struct otf_comm){.ref = self, .group = a, .other = b, .inter = true});
}

static OTF2_CallbackCode add_member(void *arg, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef what, OTF2_MetricType type,
				    OTF2_MetricMode mode, OTF2_Type value, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
	struct otf_defs *defs = arg;

	(void)what;
	(void)type;
	(void)value;
	GROW(defs, metric_members, metric_member_count, 8);
	defs->metric_members[defs->metric_member_count] = (struct otf_member){name, unit, base, exponent, mode};
	return defs_set_ref(defs, &defs->metric_member_at, self, defs->metric_member_count++);
}

static OTF2_CallbackCode keep_metric(struct otf_defs *defs, OTF2_MetricRef self, struct otf_metric metric)
{
	GROW(defs, metrics, metric_count, 9);
	defs->metrics[defs->metric_count] = metric;
	return defs_set_ref(defs, &defs->metric_at, self, defs->metric_count++);
}

static OTF2_CallbackCode add_class(void *arg, OTF2_MetricRef self, uint8_t count, const OTF2_MetricMemberRef *members,
				   OTF2_MetricOccurrence occurrence, OTF2_RecorderKind recorder)
{
	struct otf_defs *defs = arg;
	struct otf_metric metric = {.first = defs->member_refs_count, .count = count};

	(void)occurrence;
	(void)recorder;
	for (uint32_t i = 0; i < count; i++) {
		GROW(defs, member_refs, member_refs_count, 10);
		defs->member_refs[defs->member_refs_count++] = members[i];
	}
	return keep_metric(defs, self, metric);
}

static OTF2_CallbackCode add_instance(void *arg, OTF2_MetricRef self, OTF2_MetricRef of, OTF2_LocationRef recorder, OTF2_MetricScope kind,
				      uint64_t scope)
{
	(void)recorder;
	(void)kind;
	(void)scope;
	return keep_metric(arg, self, (struct otf_metric){.of = of, .instance = true});
}

static OTF2_CallbackCode add_context(void *arg, OTF2_CallingContextRef self, OTF2_RegionRef region, OTF2_SourceCodeLocationRef place,
				     OTF2_CallingContextRef parent)
{
	struct otf_defs *defs = arg;

	(void)place;
	(void)parent;
	GROW(defs, contexts, context_count, 11);
	defs->contexts[defs->context_count] = region;
	return defs_set_ref(defs, &defs->context_at, self, defs->context_count++);
}

static OTF2_CallbackCode add_attribute(void *arg, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef what, OTF2_Type type)
{
	struct otf_defs *defs = arg;

	(void)what;
	(void)type;
	GROW(defs, attributes, attribute_count, 12);
	defs->attributes[defs->attribute_count++] = (struct otf_attribute){self, name};
	return OTF2_CALLBACK_SUCCESS;
}

OTF2_GlobalDefReaderCallbacks *otf_defs_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *c = OTF2_GlobalDefReaderCallbacks_New();

	if (!c)
		return NULL;
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, add_clock);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, add_string);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, add_region);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, add_location);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, add_location_group);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, add_node);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, add_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, add_comm);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, add_inter);
	OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(c, add_member);
	OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(c, add_class);
	OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(c, add_instance);
	OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(c, add_context);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(c, add_attribute);
	return c;
}

static struct otf_refs *const *all_refs(struct otf_defs *defs, struct otf_refs *list[11])
{
	struct otf_refs *all[] = {&defs->string_at, &defs->region_at, &defs->location_at, &defs->location_group_at, &defs->node_at,
				   &defs->group_at, &defs->comm_at, &defs->metric_member_at, &defs->metric_at, &defs->context_at, NULL};

	memcpy(list, all, sizeof all);
	return list;
}

enum err_code otf_defs_init(struct otf_defs *defs, struct err *e)
{
	struct otf_refs *list[11];
	bool done = true;

	*defs = (struct otf_defs){.world = OTF2_NOWHERE};
	arena_init(&defs->arena);
	for (struct otf_refs *const *at = all_refs(defs, list); *at; at++)
		done = otf_refs_init(*at) && done;
	return done ? ERR_OK : err_memory(e, "the definitions");
}

void otf_defs_release(struct otf_defs *defs)
{
	struct otf_refs *list[11];

	for (struct otf_refs *const *at = all_refs(defs, list); *at; at++)
		otf_refs_release(*at);
	mem_free(defs->strings);
	mem_free(defs->regions);
	mem_free(defs->locations);
	mem_free(defs->location_groups);
	mem_free(defs->nodes);
	mem_free(defs->groups);
	mem_free(defs->comms);
	mem_free(defs->metric_members);
	mem_free(defs->metrics);
	mem_free(defs->contexts);
	mem_free(defs->attributes);
	mem_free(defs->members);
	mem_free(defs->member_refs);
	arena_release(&defs->arena);
}

const char *otf_defs_string(const struct otf_defs *defs, uint32_t ref)
{
	uint32_t place = otf_refs_get(&defs->string_at, ref);

	return place == OTF2_NOWHERE ? "" : defs->strings[place];
}
