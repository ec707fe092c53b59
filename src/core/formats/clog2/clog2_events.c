/* Pass 2 over the records: each is decoded, its process looked up, and what it says told to the maker.
 *
 * Processes do not meet here, so threads share the work by process (trace_make.h): each walks all records and takes those of
 * its own. The walk is a small part of the cost.
 */
#include "cargo.h"
#include "clog2_load.h"
#include "core/trace/trace_make_inline.h"

/* The pass: what its walks leave for each other. */
struct events {
	struct loader *loader;
	/* per share: (process, thread) of records whose thread is out of range -> 1 */
	struct map *odd_threads[PARALLEL_MOST];
};

/* One share's walk over all records. */
struct walk {
	struct loader *loader;
	struct make_share *share;
	struct map *odd_threads;
	const struct clog2_file *file;
	int32_t icomm;           /* of the last record; its communicator, and the processes of its ranks */
	uint32_t comm;
	const uint32_t *dense;   /* NULL where there are none such */
	uint32_t dense_count;
	uint64_t last_coll_key;  /* (def, comm) + 1 of the last collective, and its type */
	uint32_t last_coll;
};

/* Threads are numbered from 0 to below the preamble's number. A record outside of that is the first thread's, unless a walk
 * has found before that its thread is a real one, which makes whole calls (settle()). An unfinished local file does not
 * know the number. */
static __attribute__((noinline)) int32_t check_thread(struct walk *walk, int32_t thread, uint32_t process)
{
	const struct map *false_threads = walk->loader->false_threads;
	const struct clog2_file *file = walk->file;
	int32_t limit = !file->finalized ? INT32_MAX : file->max_threads ? file->max_threads : 1;

	if (thread >= 0 && thread < limit)
		return thread;
	if (thread >= 0 && !false_threads) {
		uint32_t *odd = map_at(walk->odd_threads, process, (uint32_t)thread);

		if (odd)
			*odd = 1;
		else
			walk->share->failed = true;
		make_stream(walk->share, process, thread);
		return thread;
	}
	if (thread >= 0 && !map_get(false_threads, process, (uint32_t)thread))
		return thread;
	notes_add(&walk->share->notes, NOTE_BAD_THREAD, make_place(walk->share, process),
		  "rank %u has a record of thread %d, expected 0 to %d", process, thread, limit - 1);
	return 0;
}

static void message(struct walk *walk, const struct clog2_rec *r, uint32_t process, double time)
{
	const struct loader *loader = walk->loader;
	struct make_share *share = walk->share;
	struct make_message told = {.comm = walk->comm, .partner_comm = walk->comm};
	struct clog2_msg m;
	int32_t partner_icomm;

	clog2_get_msg(walk->file, r, &m);
	if (m.etype != -101 && m.etype != -102) {
		notes_add(&share->notes, NOTE_BAD_MESSAGE, make_place(share, process),
			  "a message record of rank %u has event type %d, expected -101 or -102", process, m.etype);
		return;
	}
	if (share->maker->watch || (m.rank < 0 && m.rank == loader->defs.proc_null))
		return;
	partner_icomm = comms_partner_icomm(&loader->comms, walk->file, r->icomm, m.icomm);
	if (partner_icomm != r->icomm)
		told.partner_comm = comms_find(&loader->comms, (uint32_t)walk->file->file_index, partner_icomm);
	told.partner = comms_process(&loader->comms, told.partner_comm, m.rank);
	if (told.partner == NO_PROCESS)
		notes_add(&share->notes, NOTE_BAD_PARTNER, make_place(share, process),
			  "rank %u has a message with rank %d of communicator %d, but no process has that rank",
			  process, m.rank, partner_icomm);
	told.tag = m.tag;
	told.size = m.size;
	make_message(share, process, r->thread, time, m.etype == -101 ? EVENT_SEND : EVENT_RECEIVE, &told);
}

static uint32_t collective_type(struct walk *walk, uint32_t def, uint32_t comm)
{
	uint64_t key = ((uint64_t)def << 32 | comm) + 1;

	if (key != walk->last_coll_key) {
		walk->last_coll_key = key;
		walk->last_coll = map_get(walk->loader->coll_ids, def, comm) - 1;
	}
	return walk->last_coll;
}

static void state_start(struct walk *walk, const struct clog2_rec *r, uint32_t def, uint32_t process, double time)
{
	const struct loader *loader = walk->loader;
	const struct def *d = &loader->defs.list[def];
	uint32_t size = 0;

	if (!make_enter(walk->share, process, r->thread, time, def) || !d->collective || walk->comm == NO_COMM ||
	    loader->comms.list[walk->comm].alone)
		return;
	if (d->size.token && r->type == CLOG2_CARGOEVT) {
		double little, bytes = cargo_number(&d->size, clog2_get_cargo(r), &little);

		size = bytes >= 0 && bytes < SIZE_UNKNOWN - 1 ? (uint32_t)bytes : bytes >= 0 ? SIZE_UNKNOWN - 1 : SIZE_UNKNOWN;
	}
	make_collective(walk->share, process, r->thread, time, collective_type(walk, def, walk->comm), size, walk->comm);
}

/* A reading that is none hints at bytes in the wrong order. */
static void reading(struct walk *walk, const struct clog2_rec *r, const struct def *d, uint32_t process, double time)
{
	double little, v = cargo_number(&d->reading, clog2_get_cargo(r), &little);

	if (!make_reading(walk->share, process, r->thread, time, v))
		notes_add(&walk->share->notes, NOTE_BAD_CARGO, make_place(walk->share, process),
			  "rank %u: \"%s\" reads %g%s", process, d->total.name, v,
			  make_plausible(little) && little < 1e9 ? ", which is plausible only as little-endian" : "");
}

/* Communicators seldom change from record to record: what is asked of the last one is kept. */
static void look_at_comm(struct walk *walk, int32_t icomm)
{
	const struct comms *comms = &walk->loader->comms;
	const struct comm_entry *c;

	walk->icomm = icomm;
	walk->comm = comms_find(comms, (uint32_t)walk->file->file_index,
				walk->file->finalized ? icomm : comms_local_side(comms, walk->file, icomm));
	c = walk->comm == NO_COMM ? NULL : &comms->list[walk->comm];
	walk->dense = c ? c->dense : NULL;
	walk->dense_count = c && c->dense ? (uint32_t)c->highest + 1 : 0;
}

/* Whose record is it? NO_PROCESS: nobody's that this share has to do with. */
static inline uint32_t process_of(struct walk *walk, const struct clog2_block *b, const struct clog2_step *step)
{
	struct make_share *share = walk->share;
	uint32_t process;

	/* Definitions, of communicators too, are no records of a process. */
	if (step->type < CLOG2_BAREEVT || step->type == CLOG2_COMMEVT)
		return NO_PROCESS;
	if (__builtin_expect(step->icomm != walk->icomm, 0))
		look_at_comm(walk, step->icomm);
	if (__builtin_expect((uint32_t)step->rank < walk->dense_count, 1))
		process = walk->dense[step->rank];
	else
		process = comms_process(&walk->loader->comms, walk->comm, step->rank);
	if (__builtin_expect(process == NO_PROCESS && share->first == 0 && step->type != CLOG2_TIMESHIFT, 0)) {
		struct clog2_rec r;

		clog2_decode(b, step->at, &r);
		share->place.offset = (int64_t)r.offset;
		notes_add(&share->notes, NOTE_UNKNOWN_PROCESS, make_place(share, process),
			  "a record names rank %d of communicator %d, but no process has that rank", step->rank,
			  step->icomm);
	}
	return process - share->first < share->end - share->first ? process : NO_PROCESS;
}

static void record(struct walk *walk, const struct clog2_rec *r, uint32_t process)
{
	const struct defs *defs = &walk->loader->defs;
	enum etype_role role;
	double time;
	uint32_t def;

	if (r->type == CLOG2_TIMESHIFT) {
		make_shift(walk->share, process, walk->file->finalized ? 0 : clog2_get_timeshift(walk->file, r));
		return;
	}
	time = make_time(walk->share, process, r->thread, r->time);
	if (r->type == CLOG2_MSGEVT) {
		message(walk, r, process, time);
		return;
	}
	if (r->type != CLOG2_BAREEVT && r->type != CLOG2_CARGOEVT)
		return;
	def = defs_find(defs, clog2_get_etype(walk->file, r), &role);
	if (r->type == CLOG2_CARGOEVT && defs->list[def].reading.token)
		reading(walk, r, &defs->list[def], process, time);
	switch (role) {
	case ETYPE_START:
		state_start(walk, r, def, process, time);
		break;
	case ETYPE_FINAL:
		make_leave(walk->share, process, r->thread, time, def);
		break;
	case ETYPE_SOLO:
		make_solo(walk->share, process, def);
		break;
	default:
		break;
	}
}

static enum err_code read_file(struct walk *walk, struct clog2_block *b, uint64_t before, struct err *e)
{
	const struct loader *loader = walk->loader;
	struct make_share *share = walk->share;
	uint64_t blocks = loader->blocks[walk->file->file_index];

	share->place.file = walk->file->file_index;
	look_at_comm(walk, 0);
	for (uint64_t block = 0; block < blocks && !share->failed; block++) {
		struct clog2_step step = {0};
		struct clog2_rec r;
		uint32_t process;
		enum err_code code;

		if ((block & 15) == 15) {
			make_progress(share, before + b->offset + b->len, loader->total_bytes);
			if (make_stopped(share))
				return ERR_OK;
		}
		share->place.block = (int64_t)block;
		code = clog2_block_read(walk->file, block, b, e);
		if (code != ERR_OK)
			return code;
		while (clog2_block_step(b, &step)) {
			process = process_of(walk, b, &step);
			if (process == NO_PROCESS)
				continue;
			clog2_decode(b, step.at, &r);
			share->place.offset = (int64_t)r.offset;
			if (__builtin_expect(r.thread != 0, 0))
				r.thread = check_thread(walk, r.thread, process);
			record(walk, &r, process);
		}
	}
	return ERR_OK;
}

static enum err_code read_share(void *arg, struct make_share *share, struct err *e)
{
	struct events *events = arg;
	struct walk walk = {.loader = events->loader, .share = share};
	enum err_code code = ERR_OK;
	struct clog2_block b;
	uint64_t before = 0;

	map_free(events->odd_threads[share->number]); /* of a reading before this one */
	walk.odd_threads = events->odd_threads[share->number] = map_new();
	if (!walk.odd_threads)
		return err_memory(e, "the processes");
	clog2_block_init(&b);
	for (uint32_t i = 0; code == ERR_OK && i < walk.loader->file_count; i++) {
		walk.file = &walk.loader->files[i];
		code = read_file(&walk, &b, before, e);
		before += walk.file->source->size;
	}
	clog2_block_release(&b);
	return code;
}

/* Of threads whose number is out of range, those are none that do not make calls of their own: their records belong to
 * another thread's. Keeps them in loader->false_threads; the highest number of the others in *highest. */
static bool sort_threads(struct events *events, int32_t *highest)
{
	struct loader *loader = events->loader;
	uint64_t process, thread;
	uint32_t one;

	for (unsigned i = 0; i < PARALLEL_MOST && events->odd_threads[i]; i++)
		for (size_t k = 0; map_each(events->odd_threads[i], &k, &process, &thread, &one);) {
			uint32_t *at;

			if (maker_thread_calls(loader->maker, (uint32_t)process, (int32_t)thread)) {
				*highest = (int32_t)thread > *highest ? (int32_t)thread : *highest;
				continue;
			}
			if (!loader->false_threads)
				loader->false_threads = map_new();
			at = loader->false_threads ? map_at(loader->false_threads, process, thread) : NULL;
			if (!at)
				return false;
			*at = 1;
		}
	return true;
}

static enum err_code settle(void *arg, bool *again, struct err *e)
{
	struct events *events = arg;
	struct loader *loader = events->loader;
	int32_t highest = -1, most = loader->files[0].max_threads ? loader->files[0].max_threads : 1;

	if (loader->false_threads)
		return ERR_OK; /* they are sorted already */
	if (!sort_threads(events, &highest))
		return err_memory(e, "the processes");
	if (highest >= 0)
		notes_add(&loader->maker->trace->notes, NOTE_BAD_PREAMBLE, (struct note_place){0, -1, -1, 0, -1},
			  "the preamble says that there are at most %d thread%s, but thread %d makes calls; its "
			  "records are used", most, most == 1 ? "" : "s", highest);
	*again = loader->false_threads;
	return ERR_OK;
}

enum err_code load_events(struct loader *loader, struct err *e)
{
	struct events events = {.loader = loader};
	struct make_reader reader = {read_share, settle, &events};
	enum err_code code = make_events(loader->maker, &reader, e);

	for (unsigned i = 0; i < PARALLEL_MOST; i++)
		map_free(events.odd_threads[i]);
	return code;
}
