/* The global definitions of an archive, each behind those that it refers to. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/hash.h"
#include "core/io/source.h"
#include "otf2_int.h"

struct definitions {
	struct otf2_writing *writing;
	OTF2_GlobalDefWriter *to;
	uint32_t strings, groups; /* written so far */
	OTF2_ErrorCode status;
};

static void definitions_check(struct definitions *d, OTF2_ErrorCode status)
{
	if (status != OTF2_SUCCESS && d->status == OTF2_SUCCESS)
		d->status = status;
}

static OTF2_StringRef string(struct definitions *d, const char *text)
{
	definitions_check(d, OTF2_GlobalDefWriter_WriteString(d->to, d->strings, text));
	return d->strings++;
}

static void write_regions(struct definitions *d)
{
	struct otf2_writing *w = d->writing;

	for (uint32_t i = 0; i < w->region_count; i++) {
		const struct record_state *state = &w->states[w->regions[i]];
		OTF2_StringRef name = string(d, state->name);

		definitions_check(d, OTF2_GlobalDefWriter_WriteRegion(d->to, i, name, name, OTF2_STRING_EMPTY, w->of_state[w->regions[i]].role,
							  state->mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
							  OTF2_REGION_FLAG_NONE, OTF2_STRING_EMPTY, 0, 0));
	}
}

static void write_locations(struct definitions *d)
{
	const struct otf2_writing *w = d->writing;
	OTF2_StringRef machine = string(d, "machine"), node = string(d, "node");
	OTF2_StringRef threads = string(d, "Master thread");

	definitions_check(d, OTF2_GlobalDefWriter_WriteSystemTreeNode(d->to, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	definitions_check(d, OTF2_GlobalDefWriter_WriteSystemTreeNode(d->to, 1, node, node, 0));
	for (uint32_t p = 0; p < w->run->trace->process_count; p++) {
		char name[32];

		snprintf(name, sizeof name, "MPI Rank %u", p);
		definitions_check(d, OTF2_GlobalDefWriter_WriteLocationGroup(d->to, p, string(d, name), OTF2_LOCATION_GROUP_TYPE_PROCESS, 1,
								 OTF2_UNDEFINED_LOCATION_GROUP));
	}
	for (uint32_t i = 0; i < w->threads.count; i++) {
		const struct nested_thread *thread = &w->threads.list[i];
		OTF2_StringRef name = threads;
		char text[32];

		if (thread->thread) {
			snprintf(text, sizeof text, "Thread %d", thread->thread);
			name = string(d, text);
		}
		definitions_check(d, OTF2_GlobalDefWriter_WriteLocation(d->to, otf2_location(thread), name, OTF2_LOCATION_TYPE_CPU_THREAD,
							    w->counts[i], thread->process));
	}
}

static OTF2_GroupRef write_group(struct definitions *d, OTF2_GroupType type, uint32_t count, const uint64_t *members)
{
	definitions_check(d, OTF2_GlobalDefWriter_WriteGroup(d->to, d->groups, OTF2_STRING_EMPTY, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count,
						 members));
	return d->groups++;
}

/* The members of a communicator, as places in the list of all. */
static OTF2_GroupRef write_members(struct definitions *d, uint32_t comm, uint64_t *room)
{
	const struct trace *t = d->writing->run->trace;
	const uint32_t *members = t->comm_members + t->comms[comm].members;

	for (uint32_t i = 0; i < t->comms[comm].size; i++)
		room[i] = members[i];
	return write_group(d, OTF2_GROUP_TYPE_COMM_GROUP, t->comms[comm].size, room);
}

static OTF2_StringRef name_of(struct definitions *d, uint32_t comm)
{
	const struct comm_info *info = &d->writing->run->trace->comms[comm];
	char name[48];

	if (!strcmp(info->kind, "self"))
		return string(d, "MPI_COMM_SELF");
	if (!strcmp(info->kind, "world"))
		return string(d, "MPI_COMM_WORLD");
	snprintf(name, sizeof name, "communicator %d", info->number);
	return string(d, name);
}

static void write_comm(struct definitions *d, uint32_t comm, OTF2_CommRef ref, uint64_t *room)
{
	const struct trace *t = d->writing->run->trace;
	OTF2_StringRef name = name_of(d, comm);

	if (!strcmp(t->comms[comm].kind, "self")) {
		OTF2_GroupRef self = write_group(d, OTF2_GROUP_TYPE_COMM_SELF, 0, room);

		definitions_check(d, OTF2_GlobalDefWriter_WriteComm(d->to, ref, name, self, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	} else {
		OTF2_GroupRef members = write_members(d, comm, room);

		definitions_check(d, OTF2_GlobalDefWriter_WriteComm(d->to, ref, name, members, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	}
}

static void write_inter_comm(struct definitions *d, uint32_t comm, OTF2_CommRef ref, uint64_t *room)
{
	OTF2_StringRef name = name_of(d, comm);
	OTF2_GroupRef a = write_members(d, comm, room), b = write_members(d, d->writing->comms.other[comm], room);

	definitions_check(d, OTF2_GlobalDefWriter_WriteInterComm(d->to, ref, name, a, b, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

/* Group 0 is the location of each rank; the others and communicators refer to places in it. */
static enum err_code write_comms(struct definitions *d, struct err *e)
{
	const struct otf2_writing *w = d->writing;
	const struct trace *t = w->run->trace;
	uint32_t most = t->process_count, next = 0;
	uint64_t *room;

	for (uint32_t c = 0; c < t->comm_count; c++)
		most = t->comms[c].size > most ? t->comms[c].size : most;
	room = mem_alloc(most, sizeof *room);
	if (!room)
		return err_memory(e, "the communicators");
	for (uint32_t i = 0; i < w->threads.count; i++)
		if (!i || w->threads.list[i].process != w->threads.list[i - 1].process)
			room[w->threads.list[i].process] = otf2_location(&w->threads.list[i]);
	write_group(d, OTF2_GROUP_TYPE_COMM_LOCATIONS, t->process_count, room);
	for (uint32_t c = 0; c < t->comm_count; c++)
		if (w->comms.ref[c] == next)
			write_comm(d, c, next++, room);
	for (uint32_t c = 0; c < t->comm_count; c++)
		if (w->comms.inter[c] == next)
			write_inter_comm(d, c, next++, room);
	if (w->comms.missing) {
		for (uint32_t p = 0; p < t->process_count; p++)
			room[p] = p;
		definitions_check(d, OTF2_GlobalDefWriter_WriteComm(d->to, 0, string(d, "MPI_COMM_WORLD"),
							write_group(d, OTF2_GROUP_TYPE_COMM_GROUP, t->process_count, room),
							OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	}
	mem_free(room);
	return ERR_OK;
}

static void write_metric(struct definitions *d)
{
	OTF2_MetricMemberRef member = OTF2_METRIC_CPU_TIME;
	OTF2_StringRef name = string(d, "pas2p::cpu_time"), what = string(d, "CPU time of the process"), unit = string(d, "s");

	definitions_check(d, OTF2_GlobalDefWriter_WriteMetricMember(d->to, member, name, what, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
							OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, -9, unit));
	definitions_check(d, OTF2_GlobalDefWriter_WriteMetricClass(d->to, OTF2_METRIC_CPU_TIME, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
						       OTF2_RECORDER_KIND_CPU));
}

static void write_unknown(struct definitions *d)
{
	OTF2_StringRef name = string(d, OTF_UNKNOWN_NAME), what = string(d, OTF_UNKNOWN_WHAT);

	definitions_check(d, OTF2_GlobalDefWriter_WriteAttribute(d->to, OTF2_ATTRIBUTE_UNKNOWN, name, what, OTF2_TYPE_UINT8));
}

enum err_code otf2_write_definitions(struct otf2_writing *writing, struct err *e)
{
	struct definitions d = {.writing = writing, .to = OTF2_Archive_GetGlobalDefWriter(writing->archive)};
	enum err_code code;

	if (!d.to)
		return otf2_write_failed("definitions", e);
	definitions_check(&d, OTF2_GlobalDefWriter_WriteClockProperties(d.to, 1000000000, 0, writing->last + 1, OTF2_UNDEFINED_TIMESTAMP));
	string(&d, "");
	string(&d, "program");
	definitions_check(&d, OTF2_GlobalDefWriter_WriteParadigm(d.to, OTF2_PARADIGM_MPI, string(&d, "MPI"), OTF2_PARADIGM_CLASS_PROCESS));
	definitions_check(&d, OTF2_GlobalDefWriter_WriteParadigm(d.to, OTF2_PARADIGM_USER, string(&d, "User"), OTF2_PARADIGM_CLASS_PROCESS));
	write_regions(&d);
	write_locations(&d);
	code = write_comms(&d, e);
	if (writing->cpu_time)
		write_metric(&d);
	if (writing->unknowns)
		write_unknown(&d);
	if (!code && d.status != OTF2_SUCCESS)
		code = otf2_write_failed("definitions", e);
	return code;
}

/* The identifier of a trace stands near the end of its anchor. The library draws it at random, and has no call to set
 * it; one that follows from the trace makes of the same run the same bytes. */

static enum err_code identify(const struct otf2_writing *w, uint64_t *id, struct err *e)
{
	const struct trace *t = w->run->trace;
	uint64_t h = hash_mix(hash_mix(t->process_count, w->partnerless), w->state_count);

	for (uint32_t i = 0; i < w->threads.count; i++)
		h = hash_mix(h, w->counts[i]);
	for (uint32_t i = 0; i < t->event_count; i++) {
		union {
			double time;
			uint64_t bits;
		} at = {t->time[i]};

		if (!(i & 0xffff) && progress_stopped(w->run->progress))
			return err_set(e, ERR_CANCELLED, "stopped while writing");

		h = hash_mix(hash_mix(hash_mix(h, at.bits), t->type[i]), trace_size(t, i));
	}
	*id = h;
	return ERR_OK;
}

static enum err_code write_at(const char *path, uint64_t offset, const uint8_t *bytes, size_t n, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	bool written = fd >= 0 && pwrite(fd, bytes, n, (off_t)offset) == (ssize_t)n;

	if (fd >= 0)
		written = close(fd) == 0 && written;
	return written ? ERR_OK : err_set(e, ERR_IO, "cannot write the archive's anchor");
}

/* The archive has been closed. An anchor that is not laid out as known here keeps the library's. */
enum err_code otf2_write_id(const struct otf2_writing *w, struct err *e)
{
	char path[PATH_MAX];
	uint8_t *anchor, bytes[8];
	struct source source;
	size_t got = 0, at;
	uint64_t id = 0;
	enum err_code code;

	snprintf(path, sizeof path, "%s/traces.otf2", convert_output_folder(w->run->output));
	code = source_open_file(&source, path, e);
	if (code)
		return code;
	anchor = mem_alloc(source.file_size, 1);
	code = anchor ? source_read(&source, 0, anchor, source.file_size, &got, e) : err_memory(e, "the anchor");
	at = code ? 0 : otf_anchor_id_at(anchor, got);
	if (at)
		code = identify(w, &id, e);
	if (at && !code) {
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)(id >> 8 * i);
		code = write_at(path, at, bytes, sizeof bytes, e);
	}
	mem_free(anchor);
	source_release(&source);
	return code;
}
