/* Reading the events: each share has a handle of its own, and opens, reads and closes one location after the other. The
 * threads of a process are read side by side where they are few, so that no more is held than it takes to merge
 * them. */
#include <inttypes.h>
#include <limits.h>
#include <sys/resource.h>

#include "core/base/text.h"
#include "otf2_int.h"
#include "records.h"

#define STEP 65536
#define MERGE_STEP 4096
#define OPEN_LEAST 8       /* event files of a process that are open at once, whatever descriptors there may be */
#define DESCRIPTORS_ASIDE 64 /* that are for all else */

/* A share's reading of all its locations. */
struct locations_walk {
	struct otf_loader *loader;
	struct make_share *share;
	OTF2_Reader *reader;
	OTF2_EvtReaderCallbacks *callbacks;
	OTF2_DefReaderCallbacks *local;
	uint64_t bytes, done_bytes; /* of event files: of the share, and of those that are done */
	bool opened;           /* event files may be */
	uint32_t open_most;    /* event files at once */
	bool maps;             /* some location's own definitions say what its references mean */
};

struct location_reading {
	struct otf_reading reading;
	struct otf_thread *thread;
	OTF2_EvtReader *events; /* NULL: not open, or read */
	bool broken, cut;      /* its file is (otf2_int.h) */
	uint64_t most;         /* records that it can have */
	bool failed;           /* the library stopped with an error */
	bool ended;
};

static struct note_place location_place(const struct location_reading *location)
{
	return (struct note_place){0, (int32_t)location->thread->process, -1, -1, -1};
}

/* ---- a location's own definitions ---- */

static OTF2_CallbackCode map_seen(void *arg, OTF2_MappingType type, const OTF2_IdMap *map)
{
	struct locations_walk *walk = arg;

	(void)type;
	(void)map;
	walk->maps = true;
	return OTF2_CALLBACK_SUCCESS;
}

/* They are why its references and its clock are the archive's from then on. */
static void read_local(struct locations_walk *walk, struct location_reading *location)
{
	uint64_t id = location->thread->location, read;
	struct otf_chunks chunks;
	OTF2_DefReader *local;
	char path[PATH_MAX];
	bool whole;

	if (location->thread->no_local)
		return;
	chunks = otf_chunks_of(otf_archive_path(&walk->loader->archive, path, sizeof path, id, "def"), walk->loader->archive.definition_chunk,
			       OTF_LOOK_LOCAL);
	walk->share->failed = walk->share->failed || chunks.no_memory;
	OTF2_Reader_OpenDefFiles(walk->reader);
	local = OTF2_Reader_GetDefReader(walk->reader, id);
	whole = local && OTF2_Reader_RegisterDefCallbacks(walk->reader, local, walk->local, walk) == OTF2_SUCCESS &&
		OTF2_Reader_ReadLocalDefinitions(walk->reader, local, chunks.records, &read) == OTF2_SUCCESS && !chunks.broken;
	if (local)
		OTF2_Reader_CloseDefReader(walk->reader, local);
	OTF2_Reader_CloseDefFiles(walk->reader);
	if (!whole && walk->loader->readings == 1)
		notes_add(&walk->share->notes, NOTE_UNREADABLE_FILE, location_place(location),
			  "the definitions of location %" PRIu64 " (rank %u), %" PRIu64 ".def, are damaged: "
			  	"%s", id, location->thread->process,
			  id, otf_said_any() ? otf_said() : "it has an incomplete record");
}

/* ---- opening and closing ---- */

/* More than these the library is not asked for. */
static void look_at_events(struct locations_walk *walk, struct location_reading *location)
{
	const struct otf_archive *archive = &walk->loader->archive;
	char path[PATH_MAX];
	struct otf_chunks chunks;

	location->most = UINT64_MAX;
	if (!archive->event_chunk)
		return;
	chunks = otf_chunks_of(otf_archive_path(archive, path, sizeof path, location->thread->location, "evt"), archive->event_chunk,
			       OTF_LOOK_EVENTS);
	walk->share->failed = walk->share->failed || chunks.no_memory;
	location->most = chunks.records;
	location->broken = chunks.broken || chunks.cut;
	location->cut = chunks.cut;
}

static void open_location(struct locations_walk *walk, struct location_reading *location, struct otf_thread *thread, bool merged)
{
	*location = (struct location_reading){.thread = thread};
	otf_reading_init(&location->reading, walk->loader, walk->share, thread, merged);
	location->ended = thread->unreadable;
	if (thread->unreadable)
		return;
	look_at_events(walk, location);
	otf_said_begin();
	OTF2_Reader_SelectLocation(walk->reader, thread->location);
	read_local(walk, location);
	if (!walk->opened)
		OTF2_Reader_OpenEvtFiles(walk->reader);
	walk->opened = true;
	location->events = OTF2_Reader_GetEvtReader(walk->reader, thread->location);
	if (!location->events ||
	    OTF2_Reader_RegisterEvtCallbacks(walk->reader, location->events, walk->callbacks, &location->reading) != OTF2_SUCCESS)
		location->failed = location->ended = true;
}

static void note_end(struct locations_walk *walk, struct location_reading *location)
{
	const struct otf_thread *thread = location->thread;
	struct notes *notes = &walk->share->notes;
	uint64_t read = location->reading.read;

	if (walk->loader->readings > 1)
		return; /* it was noted */
	if (location->failed || location->broken)
		notes_add(notes, location->cut ? NOTE_TRUNCATED : NOTE_BAD_RECORD, location_place(location),
			  "location %" PRIu64 " (rank %u): pas2p read %" PRIu64 " of %" PRIu64 " records: "
			  	"%s", thread->location,
			  thread->process, read, thread->expected, location->failed ? otf_said()
			  : location->cut  ? "its file ends early"
					   : "its file is damaged there");
	else if (read != thread->expected)
		notes_add(notes, NOTE_BAD_BLOCK, location_place(location),
			  "location %" PRIu64 " (rank %u) has %" PRIu64 " records, but the definitions expect "
			  "%" PRIu64 ": its file is from another trace", thread->location, thread->process, read, thread->expected);
}

static void note_off(struct locations_walk *walk, struct location_reading *location)
{
	struct otf_reading *reading = &location->reading;

	if (reading->off && reading->last_time > reading->off_since)
		reading->off_ticks += reading->last_time - reading->off_since;
	if (reading->off_ticks || reading->off)
		notes_add(&walk->share->notes, NOTE_MEASUREMENT_OFF, location_place(location), "rank %u was not "
										    "measured for %.9g s",
			  location->thread->process, (double)reading->off_ticks / (double)walk->loader->archive.defs.ticks);
}

static void stop_reading(struct locations_walk *walk, struct location_reading *location)
{
	if (location->events)
		OTF2_Reader_CloseEvtReader(walk->reader, location->events);
	location->events = NULL;
	walk->done_bytes += location->thread->bytes;
}

static void close_location(struct locations_walk *walk, struct location_reading *location)
{
	walk->share->failed = walk->share->failed || location->reading.track.failed;
	otf_reading_release(&location->reading);
}

/* ---- reading ---- */

static void report(struct locations_walk *walk, const struct location_reading *location)
{
	double part = location->thread->records ? (double)location->reading.read / (double)location->thread->records : 0;
	double done = (double)walk->done_bytes + (part < 1 ? part : 1) * (double)location->thread->bytes;

	make_progress(walk->share, (uint64_t)((double)walk->loader->total_bytes * (walk->bytes ? done / (double)walk->bytes : 1)),
		      walk->loader->total_bytes);
}

/* Up to `most` records more; at the end what is held is known in full. */
static void read_more(struct locations_walk *walk, struct location_reading *location, uint64_t most)
{
	const struct otf_thread *thread = location->thread;
	uint64_t left = location->most - location->reading.read, asked, read = 0;
	OTF2_ErrorCode code = OTF2_SUCCESS;
	bool stopped = make_stopped(walk->share) || walk->share->failed;

	asked = left < most ? left : most;
	if (location->events && asked && !stopped) {
		otf_said_begin();
		code = OTF2_Reader_ReadLocalEvents(walk->reader, location->events, asked, &read);
		report(walk, location);
	}
	stopped = stopped || walk->share->failed || location->reading.track.failed;
	location->failed = location->failed || (code != OTF2_SUCCESS && !stopped);
	if (!stopped && !location->failed && asked == most && read == asked)
		return;
	location->ended = true;
	if (!stopped && !thread->unreadable) {
		note_end(walk, location);
		note_off(walk, location);
	}
	track_end(&location->reading.track, stopped);
	stop_reading(walk, location);
}

static void read_alone(struct locations_walk *walk, struct otf_thread *thread)
{
	struct location_reading location;

	open_location(walk, &location, thread, false);
	do
		read_more(walk, &location, STEP);
	while (!location.ended);
	if (location.reading.one_sided)
		atomic_store(&walk->loader->one_sided, true);
	otf_record_end(&location.reading.teller);
	close_location(walk, &location);
}

/* ---- the threads of a process ---- */

static const struct track_record *location_head(const struct location_reading *location)
{
	const struct track *track = &location->reading.track;

	return track_ready(track) ? &track->queue[track->first] : NULL;
}

/* Until its first record is known in full. */
static void location_fill(struct locations_walk *walk, struct location_reading *location)
{
	while (!location->ended && !location_head(location))
		read_more(walk, location, MERGE_STEP);
}

/* Does a's first record come before b's? Of several at one time that of the first location does. */
static bool location_is_before(const struct location_reading *list, uint32_t a, uint32_t b)
{
	uint64_t x = location_head(&list[a])->time, y = location_head(&list[b])->time;

	return x < y || (x == y && a < b);
}

static void locations_sink(const struct location_reading *list, uint32_t *heap, uint32_t count, uint32_t at)
{
	for (;;) {
		uint32_t least = at, moved = heap[at];

		for (uint32_t k = 2 * at + 1; k < count && k <= 2 * at + 2; k++)
			if (location_is_before(list, heap[k], heap[least]))
				least = k;
		if (least == at)
			return;
		heap[at] = heap[least];
		heap[least] = moved;
		at = least;
	}
}

/* heap: room for all; the locations that have records, the one whose comes first on top. */
static void locations_merge(struct locations_walk *walk, struct location_reading *list, uint32_t count, uint32_t *heap)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < count; i++) {
		location_fill(walk, &list[i]);
		if (location_head(&list[i]))
			heap[left++] = i;
	}
	for (uint32_t i = left / 2; i-- > 0;)
		locations_sink(list, heap, left, i);
	while (!walk->share->failed && left) {
		struct location_reading *first = &list[heap[0]];
		struct track *track = &first->reading.track;
		const struct track_record *record;
		uint64_t next = UINT64_MAX; /* when another one's comes */

		for (uint32_t k = 1; k < left && k <= 2; k++)
			next = location_head(&list[heap[k]])->time < next ? location_head(&list[heap[k]])->time : next;
		do {
			record = track_take(track);
			otf_record(&first->reading.teller, record, track_hole_of(track, record));
			record = location_head(first);
		} while (record && (record->more || record->time < next));
		location_fill(walk, first);
		if (!location_head(first))
			heap[0] = heap[--left];
		if (left)
			locations_sink(list, heap, left, 0);
	}
}

/* More threads than may be open are read to their ends, and held; of many those too that take less so than an open file
 * does. */
static bool is_held(const struct locations_walk *walk, const struct otf_thread *thread, uint32_t open)
{
	return open >= OPEN_LEAST && (open >= walk->open_most || thread->records < walk->loader->archive.event_chunk / sizeof(struct track_record));
}

static enum err_code read_together(struct locations_walk *walk, struct otf_thread *threads, uint32_t count, struct err *e)
{
	struct location_reading *list = mem_zero(count, sizeof *list);
	uint32_t *heap = mem_alloc(count, sizeof *heap), open = 0;

	if (!list || !heap) {
		mem_free(list);
		mem_free(heap);
		return err_memory(e, "the processes");
	}
	for (uint32_t i = 0; i < count; i++) {
		open_location(walk, &list[i], &threads[i], true);
		while (!list[i].ended && is_held(walk, &threads[i], open))
			read_more(walk, &list[i], STEP);
		open += !list[i].ended;
	}
	locations_merge(walk, list, count, heap);
	for (uint32_t i = 0; i < count; i++) {
		if (!list[i].ended)
			stop_reading(walk, &list[i]);
		if (list[i].reading.one_sided)
			atomic_store(&walk->loader->one_sided, true);
		otf_record_end(&list[i].reading.teller);
		close_location(walk, &list[i]);
	}
	mem_free(list);
	mem_free(heap);
	return ERR_OK;
}

/* ---- a share ---- */

static uint32_t files_at_once(unsigned threads)
{
	struct rlimit limit;
	rlim_t left;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= DESCRIPTORS_ASIDE)
		return OPEN_LEAST;
	left = (limit.rlim_cur - DESCRIPTORS_ASIDE) / (threads ? threads : 1);
	return left < OPEN_LEAST ? OPEN_LEAST : left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
}

static enum err_code open_walk(struct locations_walk *walk, struct err *e)
{
	char name[200];

	walk->open_most = files_at_once(walk->loader->maker->threads);
	walk->callbacks = otf_records_callbacks();
	walk->local = OTF2_DefReaderCallbacks_New();
	if (!walk->callbacks || !walk->local)
		return err_memory(e, "the trace's events");
	OTF2_DefReaderCallbacks_SetMappingTableCallback(walk->local, map_seen);
	walk->reader = otf_archive_reader(&walk->loader->archive);
	if (!walk->reader)
		return err_set(e, ERR_IO, "cannot read %s again: %s",
			       text_safe(name, sizeof name, walk->loader->archive.anchor, SIZE_MAX, TEXT_UTF8), otf_said());
	return ERR_OK;
}

static void close_walk(struct locations_walk *walk)
{
	if (walk->reader)
		OTF2_Reader_Close(walk->reader);
	if (walk->callbacks)
		OTF2_EvtReaderCallbacks_Delete(walk->callbacks);
	if (walk->local)
		OTF2_DefReaderCallbacks_Delete(walk->local);
}

static enum err_code read_share(void *arg, struct make_share *share, struct err *e)
{
	struct otf_loader *loader = arg;
	struct otf_world *world = &loader->world;
	struct locations_walk walk = {.loader = loader, .share = share};
	enum err_code code = open_walk(&walk, e);

	share->place.file = 0;
	for (uint32_t i = world->first[share->first]; i < world->first[share->end]; i++)
		walk.bytes += world->threads[i].bytes;
	for (uint32_t p = share->first; !code && p < share->end && !make_stopped(share) && !share->failed; p++) {
		uint32_t count = world->first[p + 1] - world->first[p];
		struct otf_thread *threads = &world->threads[world->first[p]];

		if (count == 1)
			read_alone(&walk, threads);
		else if (count)
			code = read_together(&walk, threads, count, e);
	}
	if (walk.maps)
		atomic_store(&loader->maps, true);
	close_walk(&walk);
	return code;
}

static enum err_code otf2_events_begin(void *arg, const struct make_share *shares, unsigned count, struct err *e)
{
	struct otf_loader *loader = arg;

	(void)shares;
	(void)count;
	(void)e;
	loader->readings++;
	return ERR_OK;
}

enum err_code otf_read_events(struct otf_loader *loader, struct err *e)
{
	struct make_reader reader = {.read = read_share, .begin = otf2_events_begin, .arg = loader};

	return make_events(loader->maker, &reader, e);
}
