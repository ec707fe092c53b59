/* Declarations that only the files of src/core/formats/otf2 use. Each part begins with its own description. */
#ifndef PAS2P_CORE_FORMATS_OTF2_OTF2_INT_H
#define PAS2P_CORE_FORMATS_OTF2_OTF2_INT_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/map.h"
#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/trace/make/trace_make.h"
#include "core/trace/notes.h"
#include "core/records/format_write.h"
#include "core/records/records.h"

/* ---- refs ---- */

/* References of an archive to places in a table: they are dense and ascending in what Score-P writes, and anything up
 * to 2^64 - 1 elsewhere. */

#define OTF2_REFS_DENSE 4096
#define OTF2_NOWHERE UINT32_MAX

struct otf_refs {
	uint32_t *dense;  /* place + 1 of references below OTF2_REFS_DENSE */
	struct map *rest;
};

bool otf_refs_init(struct otf_refs *refs); /* false: no memory */
void otf_refs_release(struct otf_refs *refs);

/* False: no memory. The last one to set a reference wins. */
bool otf_refs_set(struct otf_refs *refs, uint64_t ref, uint32_t place);

static inline uint32_t otf_refs_get(const struct otf_refs *refs, uint64_t ref)
{
	return (ref < OTF2_REFS_DENSE ? refs->dense[ref] : map_get(refs->rest, ref, 0)) - 1;
}

/* ---- defs ---- */

/* The global definitions of an OTF2 archive as tables (docs/reference/formats.md, "OTF2 records"): what is read of
 * them, as it stands there, in the order in which it stands there. What they mean together is in the parts below and in
 * load.h.
 */

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

/* ---- archive ---- */

/* An OTF2 archive: its anchor, the files beside it, and its global definitions (docs/reference/formats.md, "OTF2
 * records").
 *
 *     otf_archive_open(&archive, source, &e);   reads the definitions
 *     OTF2_Reader *reader = otf_archive_reader(&archive);   one for each thread: a handle is not to be shared
 *     otf_archive_release(&archive);
 *
 * Names of this room begin with otf_, for libotf2 exports names of its own that begin with otf2_.
 *
 * The archive X.otf2 has its definitions of all in X.def, and those and the events of location N in X/N.def and
 * X/N.evt.
 */

struct source;

struct otf_archive {
	const char *anchor;    /* path; the source's, or `real` */
	char *real;            /* what a link leads to that has no other files beside it; NULL */
	char *stem;            /* the same without .otf2 */
	char *path;            /* room for the longest path of a file */
	size_t path_size;
	uint64_t definition_chunk;
	uint8_t major, minor;  /* of the library that wrote it */
	uint8_t substrate, compression; /* as the anchor says; 0: it does not */
	uint64_t event_chunk;  /* bytes; 0: files are compressed */
	struct otf_defs defs;
	bool cut;              /* definitions ended in damage, and what was said */
	char said[160];
};

/* ERR_FORMAT: nothing can be read. */
enum err_code otf_archive_open(struct otf_archive *archive, const struct source *source, struct err *e);
void otf_archive_release(struct otf_archive *archive);

/* Where in an anchor's n bytes the 8 of the trace's identifier are; 0: its layout is not known. */
size_t otf_anchor_id_at(const uint8_t *head, size_t n);

/* NULL: otf_said() knows why. OTF2_Reader_Close(). */
OTF2_Reader *otf_archive_reader(const struct otf_archive *archive);

/* X.def, X/N.evt, X/N.def; in room that the next call takes. */
const char *otf_archive_global(struct otf_archive *archive);
const char *otf_archive_file(struct otf_archive *archive, uint64_t location, const char *ending);

/* The same in the caller's room, for threads. */
const char *otf_archive_path(const struct otf_archive *archive, char *path, size_t size, uint64_t location, const char *ending);

/* ---- chunks ---- */

/* What the chunks of an archive's file say of it, before libotf2 is given the file: the library takes what lies behind
 * a file's end in its memory for more of it, and a length or a count in a record for what it says.
 *
 * A file is a row of chunks of the size that the anchor says, the last one may be shorter. Each begins with a byte 3,
 * one that tells the byte order ('B' little, '#' big), and in event files the numbers of its first and last record,
 * from 1, without gaps. Records follow: a byte what it is, a byte how many more there are (255: eight bytes say so),
 * and these. An event that is one number has that number's length in place of its own (255: it is undefined). In
 * event files 5 and eight bytes are a time, and 6, the attributes of a record, belongs to the one that follows. 0:
 * the rest of the chunk is unused. 2 and then 1: the file ends. What a record has beyond its fields is of a later
 * version; fields that lie beyond the record are damage (layouts).
 */

enum otf_look { OTF_LOOK_HEADERS, OTF_LOOK_EVENTS, OTF_LOOK_GLOBAL, OTF_LOOK_LOCAL }; /* the last two: definitions */

struct otf_chunks {
	bool missing;      /* or empty, or no file */
	bool broken;       /* a chunk is none, or a record in it: those before it can be read */
	bool no_memory;    /* to look at it: nothing else here counts */
	bool cut;          /* the file does not end as such files do */
	uint64_t bytes;    /* of the file */
	uint64_t records;  /* that are whole; of headers alone: that these say there are, but never more than the bytes can be */
};

/* chunk: bytes of one, as the anchor says; 0: files are compressed, and then nothing is looked at but the size. */
struct otf_chunks otf_chunks_of(const char *path, uint64_t chunk, enum otf_look look);

/* ---- digest ---- */

/* What tells an archive from others: SHA-256 over the hexadecimal digests of its anchor, its definitions, and of each
 * location, in order of id, its definitions and events; of a file that is missing, 64 zeros (docs/reference/formats.md,
 * "OTF2 records"). */

struct progress;

enum err_code otf_digest(const char *anchor, char hex[65], const struct progress *progress, struct err *e);

/* ---- kinds ---- */

/* What the regions of an archive are to the maker: kinds of state; and which collectives there are
 * (docs/reference/formats.md, "OTF2 records").
 *
 * Regions of the same name are one kind: some tracers define a region again for each process. Kind 0 is a region that
 * nothing defines, kind 1 the tracer's writing.
 */

#define OTF2_KIND_UNDEFINED 0u
#define OTF2_KIND_FLUSH 1u
#define OTF2_NO_OP UINT16_MAX

struct otf_kind {
	bool mpi;
	uint16_t op;           /* of a collective: that the call's name says */
};

struct otf_kinds {
	struct otf_kind *list;
	uint32_t count;
	uint32_t *of_region;   /* at its place in the definitions */
	const char **ops;      /* "Allreduce"; the first ones are those that records name */
	uint32_t op_count;
	size_t cap, op_cap;
	const struct otf_defs *defs;
};

enum err_code otf_kinds_init(struct otf_kinds *kinds, const struct otf_defs *defs, struct maker *maker, struct err *e);
void otf_kinds_release(struct otf_kinds *kinds);

static inline uint32_t otf_kind_of(const struct otf_kinds *kinds, uint32_t region)
{
	uint32_t at = otf_refs_get(&kinds->defs->region_at, region);

	return at == OTF2_NOWHERE ? OTF2_KIND_UNDEFINED : kinds->of_region[at];
}

/* The operation of a record; OTF2_NO_OP: it makes or frees something, or is not known. */
uint16_t otf_record_op(OTF2_CollectiveOp op, bool nonblocking);

/* ---- layouts ---- */

/* Do the fields of a record lie within it? libotf2 takes each number of a record for what it says, and reads as many
 * members of a group, or pairs of a map, wherever they lie: behind the record, behind its file, behind its memory.
 */

enum otf_files { OTF_FILES_GLOBAL, OTF_FILES_LOCAL, OTF_FILES_EVENTS, OTF_FILES };

struct otf_layout {
	const char *fields;    /* as in layouts.c; NULL: nothing is known of the kind */
	bool lists;            /* some are there as often as another says */
};

const struct otf_layout *otf_layout_of(enum otf_files files, uint8_t kind);

/* A record that is a number alone: the byte that others have for their length is that number's. */
static inline bool otf_layout_is_number(const struct otf_layout *layout)
{
	return layout->fields && *layout->fields == '=';
}

/* record: what is behind the byte that says how many there are, n. */
bool otf_layout_fits(const struct otf_layout *layout, const uint8_t *record, size_t n, bool little);

/* ---- operations ---- */

/* Collective operations as OTF2 numbers them. It has no numbers for nonblocking and neighbourhood ones: those are told
 * by other records, and by the name of the call. */

struct otf2_operation {
	OTF2_CollectiveOp op;
	OTF2_RegionRole role;  /* of its call */
	bool rooted;
	bool nonblocking, neighbours;
};

/* "Allreduce", "Iallreduce", "Ineighbor_alltoall", also with _c behind it. False: of another name. */
bool otf2_operation_of(struct otf2_operation *found, const char *name);

/* ---- requests ---- */

/* The requests of a location that are open: a set that forgets (docs/reference/formats.md, "OTF2 records"). Ids are any
 * numbers; some tracers use them again, and the last one to begin counts.
 */

struct otf_request {
	uint64_t id;
	uint64_t what;         /* the caller's, not 0 */
};

struct otf_requests {
	struct otf_request *slots; /* open addressing; what 0: free */
	size_t count, size;    /* size: a power of 2, or 0 */
};

void otf_requests_release(struct otf_requests *requests);

/* Put or replace; *before: what it was, 0: none. False: no memory. */
bool otf_requests_put(struct otf_requests *requests, uint64_t id, uint64_t what, uint64_t *before);
/* Take out; 0: it is not there. */
uint64_t otf_requests_take(struct otf_requests *requests, uint64_t id);
/* All that are left, in no order: begin with *at 0. 0: no more. */
uint64_t otf_requests_each(const struct otf_requests *requests, size_t *at);
void otf_requests_clear(struct otf_requests *requests);

/* ---- said ---- */

/* What libotf2 says when something goes wrong, instead of writing it to stderr.
 *
 * The library has one callback for the whole process; each thread keeps what it was told. For a chain of messages the
 * first one is kept: it was written where the fault is.
 */

/* Before any other call of the library, in each thread that calls it; forgets what was said there. */
void otf_said_begin(void);

/* Safe text, one sentence without a period; "nothing more is known" if nothing was said. The thread's own. */
const char *otf_said(void);
bool otf_said_any(void);

/* ---- unknown ---- */

/* Numbers that a trace did not record, in an archive that pas2p writes (docs/reference/formats.md, "OTF2 output").
 *
 * OTF2's records have a place for a collective's sizes and its root, but none for that they are not known: 0 is
 * written, as others expect, and the record has an attribute of this name, which they leave alone. Its value says which
 * of its numbers are none.
 */

#define OTF_UNKNOWN_NAME "pas2p::unknown"
#define OTF_UNKNOWN_WHAT "size not recorded: 1 bytes sent, 2 bytes received, 4 root; added up"

enum { OTF_UNKNOWN_SENT = 1, OTF_UNKNOWN_RECEIVED = 2, OTF_UNKNOWN_ROOT = 4 };

/* ---- world ---- */

/* Which processes an archive has, and which of its locations are their threads (docs/reference/formats.md, "OTF2
 * records").
 *
 * The group that lists MPI's locations gives the ranks: its i-th member's location group is process i, and all CPU
 * threads of that group are the process's threads, numbered in order of location. Without that group each location
 * group that is a process is one, in order of definition, and nothing is known of messages.
 */

struct otf_thread {
	uint64_t location;     /* its id */
	uint64_t expected;     /* records, as defined */
	uint64_t records;      /* at most, as its file says (chunks) */
	uint64_t bytes;        /* of its file */
	uint32_t process;
	int32_t thread;
	bool unreadable;       /* there is no file, or nothing in it: noted */
	bool no_local;         /* its own definitions are missing */
	uint64_t local_bytes;  /* of the file that has them */
};

struct otf_world {
	struct otf_thread *threads; /* process by process */
	uint32_t thread_count;
	uint32_t *first;       /* per process; process_count + 1 */
	uint32_t *group;       /* per process: its location group, a place in the definitions; OTF2_NOWHERE */
	uint32_t process_count;
	bool mpi;
	uint32_t other_locations[3]; /* that are not read: streams of accelerators, of metrics, threads of no rank */
};

enum err_code otf_world_init(struct otf_world *world, const struct otf_defs *defs, struct notes *notes, struct err *e);
void otf_world_release(struct otf_world *world);

/* The node that a process ran on; "": not known. Not made safe. */
const char *otf_world_host(const struct otf_world *world, const struct otf_defs *defs, uint32_t process);

/* ---- write ---- */

/* Writing a run as an OTF2 archive in a folder: what the parts of the writer share.
 *
 * Order: events first, one location (a thread of a process) after the other, so that two files at most are open; then a
 * file of definitions for each location, empty except for its head; then the global definitions, which name only what
 * occurred.
 *
 * Numbers: times in ns since the run's first record. A location is its rank, its thread number in the upper 32 bits.
 * Strings, regions, groups and communicators are numbered from 0 as they are first needed.
 */

/* Strings that have fixed numbers. */
enum { OTF2_STRING_EMPTY, OTF2_STRING_PROGRAM, OTF2_STRING_FIRST };
enum { OTF2_METRIC_CPU_TIME }; /* the metric, its class and its member */
enum { OTF2_ATTRIBUTE_UNKNOWN }; /* unknown */

/* How communicators are written. All of a single process each are MPI_COMM_SELF. A trace has the two sides of an
 * intercommunicator as two, each with what its members do among themselves; what goes from one side to the other is on
 * one more, after the others. */
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
	bool cpu_time;         /* some thread has CPU samples */
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
