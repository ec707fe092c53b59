/* What libotf2 writes has its fields within its records, each kind that it can write, and with a byte less it has not: so
 * the table of fields is the library's. A record whose counts lead behind it is damage before the library sees it. The
 * library would read behind its memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/otf2/otf2_int.h"
#include "otf2_make.h"
#include "tap.h"

#ifdef WITH_OTF2
#include <otf2/otf2.h>

#define CHUNK ((uint64_t)256 << 10)
#define HEADER 18
#define BIG 0x123456789aull

static OTF2_FlushType flush(void *arg, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool last)
{
	(void)arg, (void)type, (void)location, (void)caller, (void)last;
	return OTF2_FLUSH;
}

static OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};

static OTF2_AttributeList *attributes(void)
{
	OTF2_AttributeList *list = OTF2_AttributeList_New();
	OTF2_AttributeValue value = {.uint64 = 0x0102030405060708ull};

	for (uint32_t type = OTF2_TYPE_UINT8; type <= OTF2_TYPE_COMM; type++)
		OTF2_AttributeList_AddAttribute(list, type, (OTF2_Type)type, value);
	return list;
}

#define EVENT(name, ...) written += OTF2_EvtWriter_##name(w, list, time, __VA_ARGS__) == OTF2_SUCCESS
#define BARE(name) written += OTF2_EvtWriter_##name(w, list, time) == OTF2_SUCCESS

static uint64_t write_events(OTF2_EvtWriter *w, bool with_attributes)
{
	const OTF2_Type types[3] = {OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE};
	const OTF2_MetricValue values[3] = {{.unsigned_int = BIG}, {.signed_int = -1}, {.floating_point = 0.5}};
	const uint32_t arguments[4] = {1, 2, 300, 70000};
	uint64_t time = 5, written = 0;
	OTF2_AttributeList *list = with_attributes ? attributes() : NULL;

	EVENT(BufferFlush, 9);
	EVENT(MeasurementOnOff, OTF2_MEASUREMENT_ON);
	EVENT(Enter, 300);
	list = with_attributes ? attributes() : NULL;
	EVENT(Leave, OTF2_UNDEFINED_UINT32);
	EVENT(MpiSend, 1, 70000, 3, BIG);
	EVENT(MpiIsend, 1, 2, 3, BIG, UINT64_MAX);
	EVENT(MpiIsendComplete, BIG);
	EVENT(MpiIrecvRequest, BIG);
	EVENT(MpiRecv, 1, 2, 3, BIG);
	EVENT(MpiIrecv, 1, 2, 3, BIG, 7);
	EVENT(MpiRequestTest, 7);
	EVENT(MpiRequestCancelled, 7);
	BARE(MpiCollectiveBegin);
	EVENT(MpiCollectiveEnd, OTF2_COLLECTIVE_OP_BCAST, 2, 3, BIG, 0);
	EVENT(Metric, 1, 3, types, values);
	EVENT(ParameterString, 1, 2);
	EVENT(ParameterInt, 1, -2);
	EVENT(ParameterUnsignedInt, 1, BIG);
	EVENT(RmaWinCreate, 1);
	EVENT(RmaWinDestroy, 1);
	BARE(RmaCollectiveBegin);
	EVENT(RmaCollectiveEnd, OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_NONE, 1, 2, 3, BIG);
	EVENT(RmaGroupSync, OTF2_RMA_SYNC_LEVEL_NONE, 1, 2);
	EVENT(RmaRequestLock, 1, 2, BIG, OTF2_LOCK_SHARED);
	EVENT(RmaAcquireLock, 1, 2, BIG, OTF2_LOCK_SHARED);
	EVENT(RmaTryLock, 1, 2, BIG, OTF2_LOCK_SHARED);
	EVENT(RmaReleaseLock, 1, 2, BIG);
	EVENT(RmaSync, 1, 2, OTF2_RMA_SYNC_TYPE_MEMORY);
	EVENT(RmaWaitChange, 1);
	EVENT(RmaPut, 1, 2, BIG, 4);
	EVENT(RmaGet, 1, 2, BIG, 4);
	EVENT(RmaAtomic, 1, 2, OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, BIG, 4, 5);
	EVENT(RmaOpCompleteBlocking, 1, BIG);
	EVENT(RmaOpCompleteNonBlocking, 1, BIG);
	EVENT(RmaOpTest, 1, BIG);
	EVENT(RmaOpCompleteRemote, 1, BIG);
	EVENT(ThreadFork, OTF2_PARADIGM_OPENMP, 4);
	EVENT(ThreadJoin, OTF2_PARADIGM_OPENMP);
	EVENT(ThreadTeamBegin, 1);
	EVENT(ThreadTeamEnd, 1);
	EVENT(ThreadAcquireLock, OTF2_PARADIGM_OPENMP, 1, 2);
	EVENT(ThreadReleaseLock, OTF2_PARADIGM_OPENMP, 1, 2);
	EVENT(ThreadTaskCreate, 1, 2, 3);
	EVENT(ThreadTaskSwitch, 1, 2, 3);
	EVENT(ThreadTaskComplete, 1, 2, 3);
	EVENT(ThreadCreate, 1, BIG);
	EVENT(ThreadBegin, 1, BIG);
	EVENT(ThreadWait, 1, BIG);
	EVENT(ThreadEnd, 1, BIG);
	EVENT(CallingContextEnter, 1, 2);
	EVENT(CallingContextLeave, 1);
	EVENT(CallingContextSample, 1, 2, 3);
	EVENT(IoCreateHandle, 1, OTF2_IO_ACCESS_MODE_READ_ONLY, 2, 3);
	EVENT(IoDestroyHandle, 1);
	EVENT(IoDuplicateHandle, 1, 2, 3);
	EVENT(IoSeek, 1, -5, OTF2_IO_SEEK_FROM_START, BIG);
	EVENT(IoChangeStatusFlags, 1, 2);
	EVENT(IoDeleteFile, 1, 2);
	EVENT(IoOperationBegin, 1, OTF2_IO_OPERATION_MODE_READ, 2, BIG, 3);
	EVENT(IoOperationTest, 1, BIG);
	EVENT(IoOperationIssued, 1, BIG);
	EVENT(IoOperationComplete, 1, BIG, 2);
	EVENT(IoOperationCancelled, 1, BIG);
	EVENT(IoAcquireLock, 1, OTF2_LOCK_SHARED);
	EVENT(IoReleaseLock, 1, OTF2_LOCK_SHARED);
	EVENT(IoTryLock, 1, OTF2_LOCK_SHARED);
	EVENT(ProgramBegin, 1, 4, arguments);
	EVENT(ProgramEnd, -1);
	EVENT(NonBlockingCollectiveRequest, BIG);
	EVENT(NonBlockingCollectiveComplete, OTF2_COLLECTIVE_OP_BCAST, 1, 2, 3, BIG, 4);
	EVENT(CommCreate, 70000);
	EVENT(CommDestroy, 70000);
	return written;
}

#define DEFINE(name, ...) written += OTF2_GlobalDefWriter_Write##name(w, __VA_ARGS__) == OTF2_SUCCESS

static uint64_t write_global(OTF2_GlobalDefWriter *w)
{
	const uint64_t members[5] = {0, 1, 300, BIG, UINT64_MAX};
	const uint32_t refs[3] = {0, 300, 70000};
	const OTF2_IoParadigmProperty properties[2] = {0, 0};
	const OTF2_Type types[2] = {OTF2_TYPE_STRING, OTF2_TYPE_UINT8};
	const OTF2_AttributeValue value = {.uint64 = BIG}, values[2] = {{.stringRef = 70000}, {.uint8 = 1}};
	uint64_t written = 0;

	DEFINE(ClockProperties, 1000000000, BIG, BIG, 1);
	DEFINE(Paradigm, OTF2_PARADIGM_MPI, 1, OTF2_PARADIGM_CLASS_PROCESS);
	DEFINE(ParadigmProperty, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_STRING, values[0]);
	DEFINE(IoParadigm, 0, 1, 2, OTF2_IO_PARADIGM_CLASS_SERIAL, 0, 2, properties, types, values);
	DEFINE(String, 300, "a text");
	DEFINE(String, 0, "");
	DEFINE(Attribute, 1, 2, 3, OTF2_TYPE_UINT64);
	DEFINE(SystemTreeNode, 0, 1, 2, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	DEFINE(LocationGroup, 0, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
	DEFINE(Location, 7, 1, OTF2_LOCATION_TYPE_CPU_THREAD, BIG, 0);
	DEFINE(Region, 1, 2, 3, 4, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, 0, 5, 6, 70000);
	DEFINE(Callpath, 1, 2, 3);
	DEFINE(Group, 1, 2, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 0, 5, members);
	DEFINE(MetricMember, 1, 2, 3, OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, -3, 4);
	DEFINE(MetricClass, 1, 3, refs, OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
	DEFINE(MetricInstance, 1, 2, BIG, OTF2_SCOPE_LOCATION, 7);
	DEFINE(Comm, 1, 2, 3, OTF2_UNDEFINED_COMM, 0);
	DEFINE(Parameter, 1, 2, OTF2_PARAMETER_TYPE_STRING);
	DEFINE(RmaWin, 1, 2, 3, 0);
	DEFINE(MetricClassRecorder, 1, BIG);
	DEFINE(SystemTreeNodeProperty, 1, 2, OTF2_TYPE_UINT64, value);
	DEFINE(SystemTreeNodeDomain, 1, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
	DEFINE(LocationGroupProperty, 1, 2, OTF2_TYPE_STRING, values[0]);
	DEFINE(LocationProperty, BIG, 2, OTF2_TYPE_DOUBLE, value);
	DEFINE(CartDimension, 1, 2, 3, OTF2_CART_PERIODIC_TRUE);
	DEFINE(CartTopology, 1, 2, 3, 3, refs);
	DEFINE(CartCoordinate, 1, 2, 3, refs);
	DEFINE(SourceCodeLocation, 1, 2, 3);
	DEFINE(CallingContext, 1, 2, 3, 4);
	DEFINE(CallingContextProperty, 1, 2, OTF2_TYPE_UINT16, value);
	DEFINE(InterruptGenerator, 1, 2, OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -3, BIG);
	DEFINE(IoFileProperty, 1, 2, OTF2_TYPE_FLOAT, value);
	DEFINE(IoRegularFile, 1, 2, 3);
	DEFINE(IoDirectory, 1, 2, 3);
	DEFINE(IoHandle, 1, 2, 3, 0, 0, 4, 5);
	DEFINE(IoPreCreatedHandleState, 1, OTF2_IO_ACCESS_MODE_READ_ONLY, 2);
	DEFINE(CallpathParameter, 1, 2, OTF2_TYPE_INT64, value);
	DEFINE(InterComm, 1, 2, 3, 4, 5, 0);
	return written;
}

static uint64_t write_local(OTF2_DefWriter *w)
{
	const uint64_t pairs[6] = {1, 70000, 300, 2, BIG, 3}, dense[3] = {5, 300, BIG};
	OTF2_IdMap *sparse = OTF2_IdMap_CreateFromUint64Array(6, pairs, false);
	OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array(3, dense, true);
	uint64_t written = 0;

	written += OTF2_DefWriter_WriteMappingTable(w, OTF2_MAPPING_STRING, sparse) == OTF2_SUCCESS;
	written += OTF2_DefWriter_WriteMappingTable(w, OTF2_MAPPING_REGION, map) == OTF2_SUCCESS;
	written += OTF2_DefWriter_WriteClockOffset(w, 5, -(int64_t)BIG, 0.5) == OTF2_SUCCESS;
	written += OTF2_DefWriter_WriteString(w, 1, "local") == OTF2_SUCCESS;
	OTF2_IdMap_Free(sparse);
	OTF2_IdMap_Free(map);
	return written;
}

struct written {
	uint64_t global, local, events[2];
};

/* Location 7, and 8 with attributes. */
static struct written write_archive(const char *folder)
{
	OTF2_Archive *a = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, CHUNK, CHUNK, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	struct written written = {0};
	OTF2_DefWriter *local;

	if (!a || OTF2_Archive_SetFlushCallbacks(a, &callbacks, NULL) || OTF2_Archive_SetSerialCollectiveCallbacks(a))
		bail_out("no archive");
	OTF2_Archive_OpenEvtFiles(a);
	for (int i = 0; i < 2; i++)
		written.events[i] = write_events(OTF2_Archive_GetEvtWriter(a, 7 + (unsigned)i), i);
	OTF2_Archive_CloseEvtFiles(a);
	OTF2_Archive_OpenDefFiles(a);
	local = OTF2_Archive_GetDefWriter(a, 7);
	written.local = write_local(local);
	OTF2_Archive_CloseDefWriter(a, local);
	OTF2_Archive_CloseDefFiles(a);
	written.global = write_global(OTF2_Archive_GetGlobalDefWriter(a));
	OTF2_Archive_Close(a);
	return written;
}

/* ---- looking at it ---- */

struct file {
	char path[200];
	uint8_t bytes[20000];
	size_t n;
};

static void read_file(struct file *file, const char *folder, const char *name)
{
	FILE *f;

	snprintf(file->path, sizeof file->path, "%s/%s", folder, name);
	f = fopen(file->path, "rb");
	file->n = f ? fread(file->bytes, 1, sizeof file->bytes, f) : 0;
	if (!f || fclose(f) || file->n < HEADER)
		bail_out("%s is missing", name);
}

static void write_file(const struct file *file)
{
	FILE *f = fopen(file->path, "wb");

	if (!f || fwrite(file->bytes, 1, file->n, f) != file->n || fclose(f))
		bail_out("cannot write %s", file->path);
}

static struct otf_chunks look(const struct file *file, enum otf_files files)
{
	static const enum otf_look looks[] = {[OTF_FILES_GLOBAL] = OTF_LOOK_GLOBAL, [OTF_FILES_LOCAL] = OTF_LOOK_LOCAL, [OTF_FILES_EVENTS] = OTF_LOOK_EVENTS};

	return otf_chunks_of(file->path, CHUNK, looks[files]);
}

/* Each record: with its bytes it fits, with one less it does not; with a count that is too large it is damage. */
static void check_file(const char *folder, const char *name, enum otf_files files, uint64_t written)
{
	static struct file file, changed;
	uint64_t seen = 0, counted = 0, lists = 0;
	struct otf_chunks chunks;

	read_file(&file, folder, name);
	chunks = look(&file, files);
	ok(!chunks.broken && !chunks.cut && chunks.records == written, "%s: all of %d records are whole (%d)", name, (int)written, (int)chunks.records);
	for (size_t at = HEADER; at < file.n && file.bytes[at] > 2;) {
		uint8_t kind = file.bytes[at];
		const uint8_t *record = file.bytes + at + 2;
		size_t length = file.bytes[at + 1];
		const struct otf_layout *layout = otf_layout_of(files, kind);
		bool fits, less;

		if (files == OTF_FILES_EVENTS && kind == 5) {
			at += 9;
			continue;
		}
		if (length == 255 && otf_layout_is_number(layout)) {
			length = 0;
		} else if (length == 255) {
			length = file.bytes[at + 2] | (size_t)file.bytes[at + 3] << 8;
			record += 8;
		}
		fits = !length || (layout->fields && otf_layout_fits(layout, record, length, true));
		/* It may end before the fields of later versions. */
		less = length && !otf_layout_is_number(layout) && !strchr(layout->fields, '|') && otf_layout_fits(layout, record, length - 1, true);
		if (!fits || less)
			diag("%s: kind %d of %d bytes: fields %s %s", name, kind, (int)length, layout->fields ? layout->fields : "?",
			     fits ? "fit in fewer" : "do not fit");
		seen++;
		counted += fits && !less;
		/* Each byte in turn says 255: of some it is the count. */
		for (size_t i = 0; layout->lists && i < length; i++) {
			changed = file;
			changed.bytes[record - file.bytes + (ptrdiff_t)i] = 0xFF;
			lists += !otf_layout_fits(layout, changed.bytes + (record - file.bytes), length, true);
		}
		at = (size_t)(record - file.bytes) + length;
	}
	is_int((int)counted, (int)seen, "%s: each record takes as many bytes as its fields", name);
	ok(lists || files == OTF_FILES_EVENTS, "%s: %d bytes changed within lists lead out of them", name, (int)lists);
}

/* The number of members, pairs, arguments, too large by one and by many. */
static void check_counts(const char *folder, const char *name, enum otf_files files, uint8_t kind, size_t count_at, uint64_t before)
{
	static struct file file, changed;
	static const uint8_t more[] = {1, 20, 200};
	size_t at = HEADER;

	read_file(&file, folder, name);
	while (at < file.n && file.bytes[at] != kind)
		at += file.bytes[at] == 5 && files == OTF_FILES_EVENTS ? 9 : file.bytes[at + 1] == 255 ? 2 : 2u + file.bytes[at + 1];
	count_at += at + (file.bytes[at + 1] == 255 ? 10 : 2);
	for (size_t i = 0; i < sizeof more; i++) {
		struct otf_chunks chunks;

		changed = file;
		changed.bytes[count_at] = (uint8_t)(changed.bytes[count_at] + more[i]);
		write_file(&changed);
		chunks = look(&changed, files);
		ok(chunks.broken && chunks.records == before, "%s: %d more in a record of kind %d: %d records before it are whole", name, more[i], kind,
		   (int)chunks.records);
	}
	write_file(&file);
}

/* Behind a time comes a record, whatever its kind. */
static void check_times(const char *folder, const char *name, uint64_t written)
{
	static struct file file, changed;
	struct otf_chunks chunks;

	read_file(&file, folder, name);
	changed = file;
	is_int(changed.bytes[HEADER] * 100 + changed.bytes[HEADER + 9], 510, "%s: a time, and a flush of the buffer", name);
	changed.bytes[HEADER + 9] = 5;
	write_file(&changed);
	chunks = look(&changed, OTF_FILES_EVENTS);
	ok(!chunks.broken && chunks.records == written, "%s: a time behind a time is an unknown record (%d)", name, (int)chunks.records);
	write_file(&file);
}

int main(void)
{
	char folder[] = "/tmp/pas2p-layouts.XXXXXX", command[100];
	struct written written;

	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	written = write_archive(folder);
	is_int((int)written.global, 38, "all definitions are written");
	is_int((int)written.local, 4, "and those of a location");
	is_int((int)written.events[0], 72, "and all events");
	check_file(folder, "traces.def", OTF_FILES_GLOBAL, written.global);
	check_file(folder, "traces/7.def", OTF_FILES_LOCAL, written.local);
	check_file(folder, "traces/7.evt", OTF_FILES_EVENTS, written.events[0]);
	check_file(folder, "traces/8.evt", OTF_FILES_EVENTS, written.events[1]);
	check_counts(folder, "traces/7.def", OTF_FILES_LOCAL, 5, 2, 0);
	check_counts(folder, "traces.def", OTF_FILES_GLOBAL, 18, 6, 12);
	check_counts(folder, "traces.def", OTF_FILES_GLOBAL, 20, 2, 14);
	check_counts(folder, "traces/7.evt", OTF_FILES_EVENTS, 31, 2, 14);
	check_counts(folder, "traces/7.evt", OTF_FILES_EVENTS, 83, 3, 66);
	check_counts(folder, "traces/8.evt", OTF_FILES_EVENTS, 6, 1, 0);
	check_times(folder, "traces/7.evt", written.events[0]);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	if (system(command) != 0)
		diag("%s is left", folder);
	return done_testing();
}
#else
int main(void)
{
	printf("1..0 # SKIP built without OTF2\n");
	return 0;
}
#endif
