/* One part of a trace's lines, read on one thread (prv_scan.h puts the parts together). */
#ifndef PAS2P_PRV_PART_H
#define PAS2P_PRV_PART_H

#include <stdatomic.h>

#include "core/base/map.h"
#include "core/base/parallel.h"
#include "prv_lines.h"
#include "prv_records.h"
#include "prv_scan.h"

#define PRV_TYPE_SLOTS 256
#define PRV_VALUES_DIRECT 512

/* Something that is odd, for a note once the numbers of lines are known. */
struct prv_odd {
	enum note_kind kind;
	uint32_t process;
	uint64_t line, byte;   /* of the part's lines, from 1 */
	const char *what;      /* for ever */
	uint64_t value;        /* which `what` is about; PRV_NO_VALUE: none */
};
#define PRV_NO_VALUE UINT64_MAX

/* All parts share it. */
struct prv_shared {
	const struct prv_header *header;
	uint64_t counter;      /* as of prv_scan() */
	uint64_t size;         /* the file's bytes, for progress */
	const struct source *source;
	uint32_t own_begin, own_end; /* the processes whose records are kept */
	atomic_bool calls;     /* some part has met an event of a call: states are not kept any more */
	struct parallel_stop stop;
};

struct prv_part {
	struct prv_shared *shared;
	unsigned number;
	struct prv_lines lines;
	struct prv_thread *threads; /* as they come */
	uint32_t thread_count;
	size_t thread_cap;
	uint32_t *main_of;     /* per process its first thread: index + 1 */
	struct map *others_of; /* (process, thread): likewise */
	struct prv_span *spans; /* per process */
	uint64_t last_app, last_task, last_thread; /* of the line before; 0: none */
	uint32_t last_process, last_at;
	bool last_bad_thread;
	struct prv_seen *types; /* counted */
	uint32_t type_count;
	size_t type_cap;
	struct map *type_of;   /* index + 1 */
	struct { uint64_t type; uint32_t at; } slots[PRV_TYPE_SLOTS];
	uint8_t direct[PRV_STATES][PRV_VALUES_DIRECT]; /* values of calls and functions that occur */
	struct map *values;    /* and larger ones */
	uint64_t last_function;
	struct prv_comm_line *comms;
	uint32_t comm_count;
	size_t comm_cap;
	uint32_t *members;
	uint64_t member_count;
	size_t member_cap;
	uint64_t records, messages;
	int64_t last;
	uint64_t tag_highest;
	bool calls, cpu_clock, cut;
	struct prv_odd *odd;
	uint32_t odd_count;
	size_t odd_cap;
	uint64_t odd_counts[NOTE_KIND_COUNT];
	uint64_t line_count;
	bool failed;           /* out of memory */
	enum err_code code;
	struct err err;
};

/* Of the bytes from begin up to end. Release it also after an error. */
enum err_code prv_part_init(struct prv_part *part, struct prv_shared *shared, unsigned number, uint64_t begin, uint64_t end, struct err *e);
void prv_part_release(struct prv_part *part);

/* All of its lines; part->code says how that went. */
void prv_part_read(struct prv_part *part);

#endif
