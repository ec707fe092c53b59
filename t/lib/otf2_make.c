#include "otf2_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct otf_make_location vector_locations[] = {
	{.id = 10, .group = 0, .script =
		"1000 [ MPI_Init; 2000 ]; 3000 [ work; 4000 [ MPI_Irecv; 4001 irreq 1; 4010 ]; 5000 [ MPI_Isend; 5001 isend 1 0 7 100 2; 5010 ];"
		"6000 [ MPI_Iallreduce; 6001 nbc 3; 6010 ]; 7000 flush 7500; 8000 [ MPI_Waitall; 8001 isdone 2; 8002 irecv 2 0 9 50 1;"
		"8003 done ALLREDUCE 0 - 8 3; 8010 ]; 9000 [ MPI_Comm_dup; 9000 begin; 9005 end CREATE_HANDLE 0 - 0; 9006 ];"
		"9100 [ MPI_Barrier; 9100 begin; 9150 end BARRIER 1 - 0; 9151 ]; 9200 [ MPI_Bcast; 9200 begin; 9290 end BCAST 2 0 0; 9291 ]; 9900 ]"},
	{.id = 11, .group = 1, .script =
		"1000 [ MPI_Init; 2000 ]; 4500 [ MPI_Recv; 5600 recv 0 0 7 100; 5610 ]; 6050 [ MPI_Iallreduce; 6051 nbc 1; 6060 ];"
		"8100 [ MPI_Wait; 8103 done ALLREDUCE 0 - 8 1; 8110 ]; 9000 [ MPI_Comm_dup; 9000 begin; 9005 end CREATE_HANDLE 0 - 0; 9006 ]"},
	{.id = 12, .group = 1, .script = "7000 [ MPI_Send; 7001 send 2 0 3 10; 7010 ]"},
	{.id = 13, .group = 2, .script =
		"1000 [ MPI_Init; 2000 ]; 4000 [ MPI_Isend; 4001 isend 0 0 9 50 1; 4010 ]; 6100 [ MPI_Iallreduce; 6101 nbc 2; 6110 ];"
		"7100 [ MPI_Recv; 7200 recv 1 0 3 10; 7210 ]; 8000 [ MPI_Waitall; 8001 isdone 1; 8005 done ALLREDUCE 0 - 8 2; 8010 ];"
		"9000 [ MPI_Comm_dup; 9000 begin; 9005 end CREATE_HANDLE 0 - 0; 9006 ]; 9210 [ MPI_Bcast; 9210 begin; 9280 end BCAST 2 0 128; 9281 ];"
		"9300 [ MPI_Irecv; 9301 irreq 5; 9302 ]; 9310 [ MPI_Cancel; 9311 cancel 5; 9320 ]"},
};

static const struct otf_make_comm vector_comms[] = {
	{.ref = 0, .count = 3, .members = {0, 1, 2}},
	{.ref = 1, .self = true},
	{.ref = 2, .count = 2, .members = {2, 0}},
};

const struct otf_make otf_make_vector = {.ticks = 1000000000, .offset = 1000, .locations = vector_locations, .location_count = 4,
					 .ranks = {10, 11, 13}, .rank_count = 3, .comms = vector_comms, .comm_count = 3};

#ifndef WITH_OTF2

bool otf_make_able(void)
{
	return false;
}

void otf_make(const struct otf_make *make, const char *folder, uint64_t *records)
{
	(void)make;
	(void)folder;
	(void)records;
	abort();
}

#else

#include <otf2/otf2.h>
#include <sys/stat.h>

#define NAMES 64
#define WORDS 8
#define CHUNK (256u << 10)

bool otf_make_able(void)
{
	return true;
}

struct writing {
	const struct otf_make *make;
	char names[NAMES][40]; /* of regions */
	int name_count;
	uint64_t *counts;      /* records, per location */
	OTF2_Archive *archive;
	OTF2_GlobalDefWriter *defs;
	uint32_t strings;
};

static void check(OTF2_ErrorCode code, const char *what)
{
	if (code == OTF2_SUCCESS)
		return;
	fprintf(stderr, "otf_make: %s: %s\n", what, OTF2_Error_GetDescription(code));
	exit(1);
}

static OTF2_FlushType before_flush(void *arg, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)arg;
	(void)type;
	(void)location;
	(void)caller;
	(void)final;
	return OTF2_FLUSH;
}

static OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = before_flush};

/* ---- names and numbers ---- */

static int name_index(struct writing *w, const char *name)
{
	for (int i = 0; i < w->name_count; i++)
		if (!strcmp(w->names[i], name))
			return i;
	if (w->name_count == NAMES)
		exit(1);
	snprintf(w->names[w->name_count], sizeof w->names[0], "%s", name);
	return w->name_count++;
}

/* With local numbers the order is the other way round. */
static uint32_t region_ref(struct writing *w, const char *name)
{
	int i = name_index(w, name);

	return w->make->map ? (uint32_t)(NAMES - 1 - i) : w->make->region_base + (uint32_t)i;
}

/* A number that no communicator of the archive has stays as it is. */
static uint32_t comm_ref(const struct writing *w, const char *word)
{
	uint32_t ref = (uint32_t)strtoul(word, NULL, 10);

	for (int i = 0; w->make->map && i < w->make->comm_count; i++)
		if (w->make->comms[i].ref == ref)
			return (uint32_t)(w->make->comm_count - 1 - i);
	return ref;
}

static OTF2_CollectiveOp op_of(const char *word)
{
	static const struct {
		const char *name;
		OTF2_CollectiveOp op;
	} ops[] = {{"BARRIER", OTF2_COLLECTIVE_OP_BARRIER},	    {"BCAST", OTF2_COLLECTIVE_OP_BCAST},
		   {"ALLREDUCE", OTF2_COLLECTIVE_OP_ALLREDUCE},	    {"REDUCE", OTF2_COLLECTIVE_OP_REDUCE},
		   {"ALLTOALL", OTF2_COLLECTIVE_OP_ALLTOALL},	    {"GATHER", OTF2_COLLECTIVE_OP_GATHER},
		   {"ALLGATHER", OTF2_COLLECTIVE_OP_ALLGATHER},	    {"REDUCE_SCATTER", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
		   {"REDUCE_SCATTER_BLOCK", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
		   {"CREATE_HANDLE", OTF2_COLLECTIVE_OP_CREATE_HANDLE}};

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (!strcmp(word, ops[i].name))
			return ops[i].op;
	fprintf(stderr, "otf_make: no operation %s\n", word);
	exit(1);
}

static uint32_t root_of(const char *word)
{
	return *word == '-' ? OTF2_COLLECTIVE_ROOT_NONE : (uint32_t)strtoul(word, NULL, 10);
}

/* What the location's clock shows. */
static uint64_t on_clock(const struct otf_make_location *location, uint64_t time)
{
	return (uint64_t)((int64_t)time + location->skew + (int64_t)((double)time * location->drift));
}

/* ---- events ---- */

struct line {
	char text[128];
	const char *word[WORDS];
	int n;
};

static uint64_t number(const struct line *line, int i)
{
	return i < line->n ? strtoull(line->word[i], NULL, 10) : 0;
}

static bool is(const struct line *line, const char *word)
{
	return !strcmp(line->word[1], word);
}

static void write_metric(OTF2_EvtWriter *events, uint64_t time, uint64_t number_shown)
{
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = {.unsigned_int = number_shown};

	check(OTF2_EvtWriter_Metric(events, NULL, time, 0, 1, &type, &value), "metric");
}

static uint64_t write_line(struct writing *w, OTF2_EvtWriter *e, const struct otf_make_location *location, const struct line *l,
			   char open[][40], int *depth)
{
	uint64_t time = on_clock(location, number(l, 0)), written = 1;
	uint32_t partner = (uint32_t)number(l, 2), comm = l->n > 3 ? comm_ref(w, l->word[3]) : 0, tag = (uint32_t)number(l, 4);
	OTF2_AttributeList *list = w->make->attributes ? OTF2_AttributeList_New() : NULL;
	OTF2_ErrorCode code;

	if (list)
		check(OTF2_AttributeList_AddUint64(list, 0, time), "attribute");
	if (is(l, "[")) {
		if (w->make->metric_before_enter) {
			write_metric(e, time, time);
			written++;
		}
		snprintf(open[(*depth)++], 40, "%s", l->word[2]);
		code = OTF2_EvtWriter_Enter(e, list, time, region_ref(w, l->word[2]));
	} else if (is(l, "]")) {
		const char *name = l->n > 2 ? l->word[2] : open[*depth - 1];

		*depth -= *depth && !strcmp(name, open[*depth - 1]);
		code = OTF2_EvtWriter_Leave(e, list, time, region_ref(w, name));
	} else if (is(l, "send"))
		code = OTF2_EvtWriter_MpiSend(e, list, time, partner, comm, tag, number(l, 5));
	else if (is(l, "recv"))
		code = OTF2_EvtWriter_MpiRecv(e, list, time, partner, comm, tag, number(l, 5));
	else if (is(l, "isend"))
		code = OTF2_EvtWriter_MpiIsend(e, list, time, partner, comm, tag, number(l, 5), number(l, 6));
	else if (is(l, "irecv"))
		code = OTF2_EvtWriter_MpiIrecv(e, list, time, partner, comm, tag, number(l, 5), number(l, 6));
	else if (is(l, "isdone"))
		code = OTF2_EvtWriter_MpiIsendComplete(e, list, time, number(l, 2));
	else if (is(l, "irreq"))
		code = OTF2_EvtWriter_MpiIrecvRequest(e, list, time, number(l, 2));
	else if (is(l, "test"))
		code = OTF2_EvtWriter_MpiRequestTest(e, list, time, number(l, 2));
	else if (is(l, "cancel"))
		code = OTF2_EvtWriter_MpiRequestCancelled(e, list, time, number(l, 2));
	else if (is(l, "begin"))
		code = OTF2_EvtWriter_MpiCollectiveBegin(e, list, time);
	else if (is(l, "end"))
		code = OTF2_EvtWriter_MpiCollectiveEnd(e, list, time, op_of(l->word[2]), comm, root_of(l->word[4]), number(l, 5), 0);
	else if (is(l, "nbc"))
		code = OTF2_EvtWriter_NonBlockingCollectiveRequest(e, list, time, number(l, 2));
	else if (is(l, "done"))
		code = OTF2_EvtWriter_NonBlockingCollectiveComplete(e, list, time, op_of(l->word[2]), comm, root_of(l->word[4]), number(l, 5), 0,
								   number(l, 6));
	else if (is(l, "flush"))
		code = OTF2_EvtWriter_BufferFlush(e, list, time, on_clock(location, number(l, 2)));
	else if (is(l, "off") || is(l, "on"))
		code = OTF2_EvtWriter_MeasurementOnOff(e, list, time, is(l, "on") ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
	else if (is(l, "rma"))
		code = OTF2_EvtWriter_RmaPut(e, list, time, 0, 0, 8, 1);
	else if (is(l, "other"))
		code = OTF2_EvtWriter_ThreadFork(e, list, time, OTF2_PARADIGM_OPENMP, 2);
	else if (is(l, "metric")) {
		write_metric(e, time, number(l, 2));
		code = OTF2_SUCCESS;
	} else {
		fprintf(stderr, "otf_make: %s?\n", l->word[1]);
		exit(1);
	}
	check(code, l->word[1]);
	if (list)
		OTF2_AttributeList_Delete(list);
	return written;
}

static void split(struct line *line, const char *text, size_t n)
{
	char *rest = NULL;

	snprintf(line->text, sizeof line->text, "%.*s", (int)n, text);
	line->n = 0;
	for (char *word = strtok_r(line->text, " \n\t", &rest); word && line->n < WORDS; word = strtok_r(NULL, " \n\t", &rest))
		line->word[line->n++] = word;
}

/* Every command of a script, for what one does with it. */
static void run_script(struct writing *w, const struct otf_make_location *location, OTF2_EvtWriter *events, uint64_t *count)
{
	char open[32][40];
	int depth = 0;

	for (const char *at = location->script; *at;) {
		struct line line;
		size_t n = 0;

		/* By hand: under a sanitizer strcspn() measures all that is left of the script, at each command. */
		while (at[n] && at[n] != ';')
			n++;
		split(&line, at, n);
		if (line.n > 2 && is(&line, "["))
			name_index(w, line.word[2]);
		if (line.n > 1 && events)
			*count += write_line(w, events, location, &line, open, &depth);
		at += n + (at[n] == ';');
	}
}

/* ---- definitions ---- */

static uint32_t string(struct writing *w, const char *text)
{
	check(OTF2_GlobalDefWriter_WriteString(w->defs, w->strings, text), "string");
	return w->strings++;
}

static void write_local(struct writing *w, const struct otf_make_location *location)
{
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(w->archive, location->id);
	uint64_t map[NAMES];

	if (w->make->map) {
		OTF2_IdMap *ids;

		for (int i = 0; i < NAMES; i++)
			map[i] = w->make->region_base + (uint64_t)(NAMES - 1 - i);
		ids = OTF2_IdMap_CreateFromUint64Array(NAMES, map, false);
		check(OTF2_DefWriter_WriteMappingTable(local, OTF2_MAPPING_REGION, ids), "map");
		OTF2_IdMap_Free(ids);
		for (int i = 0; i < w->make->comm_count; i++)
			map[w->make->comm_count - 1 - i] = w->make->comms[i].ref;
		ids = OTF2_IdMap_CreateFromUint64Array((uint64_t)w->make->comm_count, map, false);
		check(OTF2_DefWriter_WriteMappingTable(local, OTF2_MAPPING_COMM, ids), "map");
		OTF2_IdMap_Free(ids);
	}
	if (location->skew || location->drift != 0) {
		const uint64_t at[] = {0, 1000000};

		for (int i = 0; i < 2; i++)
			check(OTF2_DefWriter_WriteClockOffset(local, on_clock(location, at[i]), (int64_t)(at[i] - on_clock(location, at[i])), 0),
			      "clock");
	}
	check(OTF2_Archive_CloseDefWriter(w->archive, local), "definitions");
}

static void write_locations(struct writing *w)
{
	static const OTF2_LocationType types[] = {OTF2_LOCATION_TYPE_CPU_THREAD, OTF2_LOCATION_TYPE_ACCELERATOR_STREAM,
						  OTF2_LOCATION_TYPE_METRIC};
	uint32_t groups = 0, nobody = string(w, "");

	if (w->make->attributes)
		check(OTF2_GlobalDefWriter_WriteAttribute(w->defs, 0, string(w, "when"), string(w, "its own time"), OTF2_TYPE_UINT64), "attribute");
	check(OTF2_GlobalDefWriter_WriteSystemTreeNode(w->defs, 0, string(w, "machine"), string(w, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE),
	      "node");
	check(OTF2_GlobalDefWriter_WriteSystemTreeNode(w->defs, 1, string(w, "node07"), string(w, "node"), 0), "node");
	for (int i = 0; i < w->make->location_count; i++)
		groups = w->make->locations[i].group >= groups ? w->make->locations[i].group + 1 : groups;
	for (uint32_t g = 0; g < groups; g++)
		check(OTF2_GlobalDefWriter_WriteLocationGroup(w->defs, g, nobody, OTF2_LOCATION_GROUP_TYPE_PROCESS, 1,
							      OTF2_UNDEFINED_LOCATION_GROUP), "location group");
	for (int k = 0; k < w->make->location_count; k++) {
		int i = w->make->groups_backwards ? w->make->location_count - 1 - k : k;
		const struct otf_make_location *location = &w->make->locations[i];

		check(OTF2_GlobalDefWriter_WriteLocation(w->defs, location->id, nobody, types[location->type],
							 w->counts[i] + location->lie, location->group), "location");
	}
}

static void write_group(struct writing *w, uint32_t ref, OTF2_GroupType type, OTF2_Paradigm paradigm, const uint64_t *members, int n)
{
	check(OTF2_GlobalDefWriter_WriteGroup(w->defs, ref, string(w, ""), type, paradigm, OTF2_GROUP_FLAG_NONE, (uint32_t)n, members), "group");
}

static void write_members(struct writing *w, uint32_t ref, const uint32_t *members, int n)
{
	uint64_t list[OTF_MAKE_MEMBERS];

	for (int i = 0; i < n; i++)
		list[i] = members[i];
	write_group(w, ref, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, list, n);
}

static void write_comm(struct writing *w, const struct otf_make_comm *comm, uint32_t group)
{
	uint32_t nobody = string(w, "");

	if (comm->self)
		write_group(w, group, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, NULL, 0);
	else
		write_members(w, group, comm->members, comm->count);
	if (comm->other_count) {
		write_members(w, group + 1, comm->others, comm->other_count);
		check(OTF2_GlobalDefWriter_WriteInterComm(w->defs, comm->ref, nobody, group, group + 1, 0, OTF2_COMM_FLAG_NONE), "comm");
	} else {
		check(OTF2_GlobalDefWriter_WriteComm(w->defs, comm->ref, nobody, group, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE), "comm");
	}
}

static void write_comms(struct writing *w)
{
	const struct otf_make *make = w->make;
	uint32_t first = make->one_group_number ? 0 : 1;
	const uint64_t others[] = {make->locations[0].id};

	if (make->groups_backwards)
		write_group(w, 90, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, others, 1);
	if (!make->groups_backwards && make->rank_count)
		write_group(w, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, make->ranks, make->rank_count);
	for (int k = 0; k < make->comm_count; k++) {
		int i = make->groups_backwards ? make->comm_count - 1 - k : k;

		write_comm(w, &make->comms[i], first + (uint32_t)i * 2);
	}
	if (make->groups_backwards && make->rank_count)
		write_group(w, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, make->ranks, make->rank_count);
}

static void write_global(struct writing *w)
{
	const struct otf_make *make = w->make;
	uint32_t nobody, member = 0;

	w->defs = OTF2_Archive_GetGlobalDefWriter(w->archive);
	check(OTF2_GlobalDefWriter_WriteClockProperties(w->defs, make->no_clock ? 0 : make->ticks, make->offset, 100000, OTF2_UNDEFINED_TIMESTAMP),
	      "clock");
	nobody = string(w, "");
	for (int i = 0; i < w->name_count; i++) {
		bool mpi = !strncmp(w->names[i], "MPI_", 4) && !make->user_paradigm;
		uint32_t name = string(w, w->names[i]);

		check(OTF2_GlobalDefWriter_WriteRegion(w->defs, make->region_base + (uint32_t)i, nobody, name, nobody, OTF2_REGION_ROLE_FUNCTION,
						       mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, nobody, 0, 0),
		      "region");
	}
	check(OTF2_GlobalDefWriter_WriteMetricMember(w->defs, 0, string(w, make->metric ? make->metric : "PAPI_TOT_INS"), nobody,
						     OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL,
						     0, string(w, "#")), "member");
	check(OTF2_GlobalDefWriter_WriteMetricClass(w->defs, 0, 1, &member, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU), "class");
	write_locations(w);
	write_comms(w);
	check(OTF2_Archive_CloseGlobalDefWriter(w->archive, w->defs), "definitions");
}

void otf_make(const struct otf_make *make, const char *folder, uint64_t *records)
{
	struct writing w = {.make = make, .counts = calloc((size_t)make->location_count, sizeof *w.counts)};

	mkdir(folder, 0700);
	w.archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, CHUNK, CHUNK, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!w.archive || !w.counts)
		exit(1);
	check(OTF2_Archive_SetFlushCallbacks(w.archive, &flush_callbacks, NULL), "flush");
	check(OTF2_Archive_SetSerialCollectiveCallbacks(w.archive), "serial");
	check(OTF2_Archive_OpenEvtFiles(w.archive), "events");
	for (int i = 0; i < make->location_count; i++) {
		OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(w.archive, make->locations[i].id);

		run_script(&w, &make->locations[i], events, &w.counts[i]);
		check(OTF2_Archive_CloseEvtWriter(w.archive, events), "events");
		if (records)
			*records += w.counts[i];
	}
	check(OTF2_Archive_CloseEvtFiles(w.archive), "events");
	if (!make->no_local) {
		check(OTF2_Archive_OpenDefFiles(w.archive), "definitions");
		for (int i = 0; i < make->location_count; i++)
			write_local(&w, &make->locations[i]);
		check(OTF2_Archive_CloseDefFiles(w.archive), "definitions");
	}
	write_global(&w);
	check(OTF2_Archive_Close(w.archive), "archive");
	free(w.counts);
}

#endif
