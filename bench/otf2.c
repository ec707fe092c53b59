/* What reading an OTF2 archive costs, beside the library's own loop over the same records in the same run, since
 * machines differ.
 *
 * Archives of a ring of messages are written to a folder in memory (DIR, otherwise /dev/shm), and read: by the library
 * alone, one location after the other, with callbacks that count; by the loader with one thread and with two. Each
 * figure is the best of three.
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "core/formats/api/load.h"

#define CHUNK (1u << 20)
#define ROUNDS 3
#define PATTERN 6 /* records of a step */

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

static void check(OTF2_ErrorCode code)
{
	if (code == OTF2_SUCCESS)
		return;
	fprintf(stderr, "%s\n", OTF2_Error_GetDescription(code));
	exit(1);
}

static void write_events(OTF2_EvtWriter *events, uint32_t rank, uint32_t ranks, uint64_t steps)
{
	for (uint64_t i = 0, time = 1000; i < steps; i++, time += 300) {
		check(OTF2_EvtWriter_Enter(events, NULL, time, 0));
		check(OTF2_EvtWriter_MpiSend(events, NULL, time + 10, (rank + 1) % ranks, 0, 1, 4096));
		check(OTF2_EvtWriter_Leave(events, NULL, time + 20, 0));
		check(OTF2_EvtWriter_Enter(events, NULL, time + 120, 1));
		check(OTF2_EvtWriter_MpiRecv(events, NULL, time + 170, (rank + ranks - 1) % ranks, 0, 1, 4096));
		check(OTF2_EvtWriter_Leave(events, NULL, time + 180, 1));
	}
}

static void write_definitions(OTF2_Archive *archive, uint32_t ranks, uint64_t records)
{
	static const char *const strings[] = {"", "MPI_Send", "MPI_Recv"};
	OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter(archive);
	uint64_t *members = calloc(ranks, sizeof *members);

	if (!members)
		exit(1);
	check(OTF2_GlobalDefWriter_WriteClockProperties(defs, 1000000000, 1000, records * 60, OTF2_UNDEFINED_TIMESTAMP));
	for (uint32_t i = 0; i < 3; i++)
		check(OTF2_GlobalDefWriter_WriteString(defs, i, strings[i]));
	for (uint32_t i = 0; i < 2; i++)
		check(OTF2_GlobalDefWriter_WriteRegion(defs, i, i + 1, i + 1, 0, OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI,
						       OTF2_REGION_FLAG_NONE, 0, 0, 0));
	check(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t r = 0; r < ranks; r++) {
		members[r] = r;
		check(OTF2_GlobalDefWriter_WriteLocationGroup(defs, r, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
		check(OTF2_GlobalDefWriter_WriteLocation(defs, r, 0, OTF2_LOCATION_TYPE_CPU_THREAD, records, r));
	}
	check(OTF2_GlobalDefWriter_WriteGroup(defs, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members));
	check(OTF2_GlobalDefWriter_WriteGroup(defs, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members));
	check(OTF2_GlobalDefWriter_WriteComm(defs, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	check(OTF2_Archive_CloseGlobalDefWriter(archive, defs));
	free(members);
}

static void write_archive(const char *folder, uint32_t ranks, uint64_t steps)
{
	OTF2_Archive *archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, CHUNK, CHUNK, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

	if (!archive)
		exit(1);
	check(OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL));
	check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	check(OTF2_Archive_OpenEvtFiles(archive));
	for (uint32_t r = 0; r < ranks; r++) {
		OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, r);

		write_events(events, r, ranks, steps);
		check(OTF2_Archive_CloseEvtWriter(archive, events));
	}
	check(OTF2_Archive_CloseEvtFiles(archive));
	write_definitions(archive, ranks, steps * PATTERN);
	check(OTF2_Archive_Close(archive));
}

/* ---- the library alone ---- */

static OTF2_CallbackCode call(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *arg, OTF2_AttributeList *attributes,
			      OTF2_RegionRef region)
{
	(void)location;
	(void)position;
	(void)attributes;
	*(uint64_t *)arg += time + region;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode message(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *arg,
				 OTF2_AttributeList *attributes, uint32_t partner, OTF2_CommRef comm, uint32_t tag, uint64_t size)
{
	(void)location;
	(void)position;
	(void)attributes;
	*(uint64_t *)arg += time + partner + comm + tag + size;
	return OTF2_CALLBACK_SUCCESS;
}

static void read_bare(const char *anchor, uint32_t ranks)
{
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	uint64_t sum = 0, read;

	check(OTF2_Reader_SetSerialCollectiveCallbacks(reader));
	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, call);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, call);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, message);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, message);
	for (uint32_t r = 0; r < ranks; r++) {
		OTF2_EvtReader *events;

		check(OTF2_Reader_SelectLocation(reader, r));
		if (!r)
			check(OTF2_Reader_OpenEvtFiles(reader));
		events = OTF2_Reader_GetEvtReader(reader, r);
		check(OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, &sum));
		check(OTF2_Reader_ReadAllLocalEvents(reader, events, &read));
		check(OTF2_Reader_CloseEvtReader(reader, events));
	}
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_Reader_Close(reader);
	if (!sum)
		exit(1);
}

/* ---- figures ---- */

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct took {
	double wall, cpu;
};

/* threads 0: the library alone. */
static struct took measure(const char *anchor, uint32_t ranks, unsigned threads)
{
	struct took best = {1e30, 1e30};

	for (int round = 0; round < ROUNDS; round++) {
		double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
		struct trace_options o = {.threads = threads};
		struct trace *t = NULL;
		struct err e;

		if (!threads)
			read_bare(anchor, ranks);
		else if (trace_load(&t, &anchor, 1, &o, NULL, &e)) {
			fprintf(stderr, "%s\n", e.text);
			exit(1);
		}
		wall = now(CLOCK_MONOTONIC) - wall;
		cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		trace_free(t);
		best.wall = wall < best.wall ? wall : best.wall;
		best.cpu = cpu < best.cpu ? cpu : best.cpu;
	}
	return best;
}

static void run(const char *dir, uint32_t ranks, uint64_t steps)
{
	uint64_t records = ranks * steps * PATTERN;
	char folder[200], anchor[240], command[240];
	struct took took[3];
	struct rusage usage;

	snprintf(folder, sizeof folder, "%s/pas2p-bench-otf2", dir);
	snprintf(anchor, sizeof anchor, "%s/traces.otf2", folder);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (system(command) != 0)
		exit(1);
	write_archive(folder, ranks, steps);
	for (unsigned threads = 0; threads < 3; threads++)
		took[threads] = measure(anchor, ranks, threads);
	getrusage(RUSAGE_SELF, &usage);
	printf("OTF2, %u ranks, %.1f M records: the library alone %.1f M/s; 1 thread %.1f M/s (%.2f of it); 2 threads %.1f M/s (%.2f of 1, %.2f of the "
	       "library); CPU of 1 thread %.2f times the library's; %.0f bytes an event at most\n",
	       ranks, (double)records * 1e-6, (double)records * 1e-6 / took[0].wall, (double)records * 1e-6 / took[1].wall, took[0].wall / took[1].wall,
	       (double)records * 1e-6 / took[2].wall, took[1].wall / took[2].wall, took[0].wall / took[2].wall, took[1].cpu / took[0].cpu,
	       (double)usage.ru_maxrss * 1024 / ((double)records / PATTERN * 2));
	if (system(command) != 0)
		exit(1);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 2 ? argv[2] : "/dev/shm";
	uint64_t records = argc > 1 ? strtoull(argv[1], NULL, 10) : 24000000;

	run(dir, 4, records / PATTERN / 4 + 1);
	run(dir, 4096, records / PATTERN / 4096 / 4 + 1);
	return 0;
}
