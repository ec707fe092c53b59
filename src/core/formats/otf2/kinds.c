#include "otf2_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/base/text.h"
#include "core/trace/mpi_functions.h"

#define NAME 160

static const struct {
	OTF2_CollectiveOp op;
	const char *name, *nonblocking;
} records[] = {
	{OTF2_COLLECTIVE_OP_BARRIER, "Barrier", "Ibarrier"},
	{OTF2_COLLECTIVE_OP_BCAST, "Bcast", "Ibcast"},
	{OTF2_COLLECTIVE_OP_GATHER, "Gather", "Igather"},
	{OTF2_COLLECTIVE_OP_GATHERV, "Gatherv", "Igatherv"},
	{OTF2_COLLECTIVE_OP_SCATTER, "Scatter", "Iscatter"},
	{OTF2_COLLECTIVE_OP_SCATTERV, "Scatterv", "Iscatterv"},
	{OTF2_COLLECTIVE_OP_ALLGATHER, "Allgather", "Iallgather"},
	{OTF2_COLLECTIVE_OP_ALLGATHERV, "Allgatherv", "Iallgatherv"},
	{OTF2_COLLECTIVE_OP_ALLTOALL, "Alltoall", "Ialltoall"},
	{OTF2_COLLECTIVE_OP_ALLTOALLV, "Alltoallv", "Ialltoallv"},
	{OTF2_COLLECTIVE_OP_ALLTOALLW, "Alltoallw", "Ialltoallw"},
	{OTF2_COLLECTIVE_OP_ALLREDUCE, "Allreduce", "Iallreduce"},
	{OTF2_COLLECTIVE_OP_REDUCE, "Reduce", "Ireduce"},
	{OTF2_COLLECTIVE_OP_REDUCE_SCATTER, "Reduce_scatter", "Ireduce_scatter"},
	{OTF2_COLLECTIVE_OP_SCAN, "Scan", "Iscan"},
	{OTF2_COLLECTIVE_OP_EXSCAN, "Exscan", "Iexscan"},
	{OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, "Reduce_scatter_block", "Ireduce_scatter_block"},
};

#define RECORDS (sizeof records / sizeof *records)

uint16_t otf_record_op(OTF2_CollectiveOp op, bool nonblocking)
{
	for (uint16_t i = 0; i < RECORDS; i++)
		if (records[i].op == op)
			return (uint16_t)(i + (nonblocking ? RECORDS : 0));
	return OTF2_NO_OP;
}

static bool add_op(struct otf_kinds *kinds, const char *op)
{
	const char **ops = mem_grow(kinds->ops, kinds->op_count, &kinds->op_cap, sizeof *ops);

	if (!ops)
		return false;
	kinds->ops = ops;
	ops[kinds->op_count++] = op;
	return true;
}

/* NULL: no memory. */
static bool find_op(struct otf_kinds *kinds, const char *op, uint16_t *found)
{
	for (uint32_t i = 0; i < kinds->op_count; i++)
		if (!strcmp(kinds->ops[i], op)) {
			*found = (uint16_t)i;
			return true;
		}
	*found = (uint16_t)kinds->op_count;
	return kinds->op_count < OTF2_NO_OP && add_op(kinds, op);
}

/* "mpi_send_", as Fortran's linkers see it, is MPI_Send. */
static const char *as_in_c(const char *name, char buf[NAME])
{
	size_t n = strlen(name);

	if (strncmp(name, "mpi_", 4) != 0 || n >= NAME)
		return name;
	while (n > 4 && name[n - 1] == '_')
		n--;
	memcpy(buf, name, n);
	buf[n] = '\0';
	memcpy(buf, "MPI_", 4);
	buf[4] = (char)toupper((unsigned char)buf[4]);
	return buf;
}

static bool begins_as_mpi(const char *name)
{
	return !strncmp(name, "MPI_", 4) || !strncmp(name, "mpi_", 4);
}

/* One more kind. name: of the trace's arena, or for ever. */
static bool add_kind(struct otf_kinds *kinds, struct maker *maker, const char *name, bool mpi)
{
	struct otf_kind *list = mem_grow(kinds->list, kinds->count, &kinds->cap, sizeof *list);
	struct make_kind kind = {.total = {.name = name, .colour = "white", .format = "", .key = kinds->count, .mpi = mpi},
				 .time = TIME_OTHER_MPI, .tracer = kinds->count == OTF2_KIND_FLUSH,
				 .unnamed = kinds->count == OTF2_KIND_UNDEFINED};
	uint16_t op = OTF2_NO_OP;

	if (!list)
		return false;
	kinds->list = list;
	if (kind.tracer)
		kind.time = TIME_TRACER;
	if (mpi) {
		char buf[NAME];
		struct mpi_call call = mpi_call(as_in_c(name, buf));
		const char *kept = arena_strndup(&maker->trace->arena, call.op, strlen(call.op));

		kind.time = call.time;
		kind.starts = call.starts;
		if (!kept || (call.collective && !find_op(kinds, kept, &op)))
			return false;
	}
	list[kinds->count++] = (struct otf_kind){mpi, op};
	return make_kind(maker, &kind);
}

/* Regions by name, those that are MPI's apart. */
struct named {
	const char *name;
	uint32_t region;
	bool mpi;
};

ORDER_BY(compare_named, struct named, TEXT(name) UP(mpi) UP(region))

static enum err_code add_regions(struct otf_kinds *kinds, struct maker *maker, struct named *named, struct err *e)
{
	const struct otf_defs *defs = kinds->defs;
	uint32_t *first = mem_alloc(defs->region_count, sizeof *first); /* of the same name */
	bool done = first;

	for (uint32_t i = 0; i < defs->region_count; i++) {
		const struct otf_region *region = &defs->regions[i];
		const char *name = otf_defs_string(defs, region->canonical);

		name = *name ? name : otf_defs_string(defs, region->name);
		named[i] = (struct named){name, i, region->paradigm == OTF2_PARADIGM_MPI || begins_as_mpi(name)};
	}
	SORT(named, defs->region_count, compare_named);
	for (uint32_t i = 0; done && i < defs->region_count; i++) {
		bool same = i && named[i].mpi == named[i - 1].mpi && !strcmp(named[i].name, named[i - 1].name);

		first[named[i].region] = same ? first[named[i - 1].region] : named[i].region;
	}
	for (uint32_t i = 0; done && i < defs->region_count; i++) {
		char safe[NAME];
		const char *name = otf_defs_string(defs, defs->regions[i].canonical);

		if (first[i] != i) {
			kinds->of_region[i] = kinds->of_region[first[i]];
			continue;
		}
		kinds->of_region[i] = kinds->count;
		text_safe(safe, sizeof safe, *name ? name : otf_defs_string(defs, defs->regions[i].name), SIZE_MAX, TEXT_UTF8);
		name = arena_strndup(&maker->trace->arena, safe, strlen(safe));
		done = name && add_kind(kinds, maker, name, defs->regions[i].paradigm == OTF2_PARADIGM_MPI || begins_as_mpi(name));
	}
	mem_free(first);
	return done ? ERR_OK : err_memory(e, "the regions");
}

enum err_code otf_kinds_init(struct otf_kinds *kinds, const struct otf_defs *defs, struct maker *maker, struct err *e)
{
	struct named *named = mem_alloc(defs->region_count, sizeof *named);
	enum err_code code;
	bool done = true;

	*kinds = (struct otf_kinds){.defs = defs};
	kinds->of_region = mem_alloc(defs->region_count, sizeof *kinds->of_region);
	for (size_t i = 0; done && i < RECORDS; i++)
		done = add_op(kinds, records[i].name);
	for (size_t i = 0; done && i < RECORDS; i++)
		done = add_op(kinds, records[i].nonblocking);
	done = done && named && kinds->of_region && add_kind(kinds, maker, "region without a definition", false) &&
	       add_kind(kinds, maker, "buffer flush", false);
	code = done ? add_regions(kinds, maker, named, e) : err_memory(e, "the regions");
	mem_free(named);
	return code;
}

void otf_kinds_release(struct otf_kinds *kinds)
{
	mem_free(kinds->list);
	mem_free(kinds->of_region);
	mem_free(kinds->ops);
}
