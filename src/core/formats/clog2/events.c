/* Pass 2 over the records: each is decoded, its process is looked up, and its content is passed to the maker.
 *
 * Processes do not depend on each other here, so threads share the work by process (core/trace/make/trace_make.h). Each
 * thread goes through all blocks, which one of them reads for all (clog2_int.h), and takes the records of its
 * processes.
 */
#include <stdatomic.h>
#include <string.h>

#include "clog2_int.h"
#include "core/io/unpack.h"
#include "core/team/team.h"
#include "core/trace/make/inline.h"

/* What a record of an etype says: one look-up. */
struct meaning {
	uint32_t def;
	uint8_t role;        /* enum etype_role */
	bool collective;
	bool size : 1, cpu_sample : 1, node : 1; /* in the cargo */
};

#define NO_SHARE UINT8_MAX

/* The pass: what its walks share, and leave for each other. */
struct events {
	struct loader *loader;
	struct meaning *direct; /* of etypes below DEFS_DIRECT */
	/* per share: (process, thread) of records whose thread is out of range -> 1 */
	struct map *odd_threads[PARALLEL_MOST];
	struct shared_blocks *shared; /* if there are several shares */
	struct stripes *stripes; /* where ranks read for each other */
	uint8_t *share_of;      /* per process; NO_SHARE: it is another rank's */
	uint8_t nobodys;
	atomic_uint *through;   /* per file: shares that are through with it */
	unsigned share_count;
};

/* One share's walk over all records. */
struct events_walk {
	struct whose whose;
	struct make_share *share;
	struct map *odd_threads;
	const struct meaning *direct;
	struct shared_blocks *shared; /* NULL: this is the only walk */
	const uint8_t *share_of; /* per process */
	uint8_t nobodys;         /* the share that records of no process are for */
	uint64_t base;           /* blocks of the files before this one */
	uint64_t last_coll_key;  /* (def, comm) + 1 of the last collective, and its type */
	uint32_t last_coll;
};

/* Threads are numbered from 0 to below the preamble's number. A record outside of that is the first thread's, unless a
 * walk has found before that its thread is a real one, which makes whole calls (settle()). An unfinished local file
 * does not know the number. */
static __attribute__((noinline)) int32_t check_thread(struct events_walk *walk, int32_t thread, uint32_t process)
{
	const struct map *false_threads = walk->whose.loader->false_threads;
	const struct clog2_file *file = walk->whose.file;
	int32_t limit = !file->finalized ? INT32_MAX : file->max_threads ? file->max_threads : 1;

	if (thread >= 0 && thread < limit)
		return thread;
	if (thread >= 0 && !false_threads) {
		uint32_t *odd = map_at(walk->odd_threads, process, (uint32_t)thread);

		if (odd)
			*odd = 1;
		else
			walk->share->failed = true;
		make_other_stream(walk->share, process, thread);
		return thread;
	}
	if (thread >= 0 && !map_get(false_threads, process, (uint32_t)thread))
		return thread;
	notes_add(&walk->share->notes, NOTE_BAD_THREAD, make_place(walk->share, process),
		  "rank %u has a record of thread %d, expected 0 to %d", process, thread, limit - 1);
	return 0;
}

static struct meaning meaning_of(const struct defs *defs, int32_t etype)
{
	enum etype_role role;
	uint32_t def = defs_find(defs, etype, &role);
	const struct def *d = &defs->list[def];

	return (struct meaning){def, (uint8_t)role, d->collective, d->size.token != 0, d->cpu_sample.token != 0, d->node.token != 0};
}

static __attribute__((noinline)) void bad_message(struct events_walk *walk, uint32_t process, int32_t etype)
{
	notes_add(&walk->share->notes, NOTE_BAD_MESSAGE, make_place(walk->share, process),
		  "a message record of rank %u has event type %d, expected -101 or -102", process, etype);
}

static __attribute__((noinline)) void bad_partner(struct events_walk *walk, uint32_t process, int32_t rank, int32_t icomm)
{
	notes_add(&walk->share->notes, NOTE_BAD_PARTNER, make_place(walk->share, process),
		  "rank %u has a message with rank %d of communicator %d, but no process has that rank",
		  process, rank, icomm);
}

CLOG2_INLINE void clog2_record_message(struct events_walk *walk, struct make_record made, const struct clog2_msg *m)
{
	const struct loader *loader = walk->whose.loader;
	struct make_message message = {.comm = walk->whose.comm, .partner_comm = walk->whose.comm, .tag = m->tag, .size = m->size};
	int32_t icomm = walk->whose.icomm;

	if (m->etype != -101 && m->etype != -102) {
		bad_message(walk, made.process, m->etype);
		return;
	}
	if (m->rank < 0 && m->rank == loader->defs.proc_null)
		return;
	if (m->icomm != icomm)
		icomm = comms_partner_icomm(&loader->comms, walk->whose.file, icomm, m->icomm);
	if (icomm != walk->whose.icomm)
		message.partner_comm = comms_find(&loader->comms, (uint32_t)walk->whose.file->file_index, icomm);
	if (icomm == walk->whose.icomm && (uint32_t)m->rank < walk->whose.dense_count)
		message.partner = walk->whose.dense[m->rank];
	else
		message.partner = comms_process(&loader->comms, message.partner_comm, m->rank);
	if (__builtin_expect(message.partner == NO_PROCESS, 0))
		bad_partner(walk, made.process, m->rank, icomm);
	message.kind = m->etype == -101 ? EVENT_SEND : EVENT_RECEIVE;
	make_message(made, message);
}

static uint32_t collective_type(struct events_walk *walk, uint32_t def, uint32_t comm)
{
	uint64_t key = ((uint64_t)def << 32 | comm) + 1;

	if (key != walk->last_coll_key) {
		walk->last_coll_key = key;
		walk->last_coll = map_get(walk->whose.loader->coll_ids, def, comm) - 1;
	}
	return walk->last_coll;
}

static uint64_t size_of(const struct def *d, const uint8_t *cargo)
{
	int64_t bytes = cargo_whole(&d->size, cargo);

	return bytes >= 0 ? (uint64_t)bytes : SIZE_UNKNOWN;
}

/* Who is the root, for those who want to know. */
static __attribute__((cold)) void clog2_record_root(struct events_walk *walk, struct make_record made, const struct clog2_rec *r, const struct def *d)
{
	double little, rank = d->root.token && r->type == CLOG2_CARGOEVT ? cargo_number(&d->root, clog2_get_cargo(r), &little) : -1;

	if (rank >= 0 && rank <= INT32_MAX)
		make_watch_root(made.share, made.process, comms_process(&walk->whose.loader->comms, walk->whose.comm, (int32_t)rank));
}

static uint32_t request_of(const struct cargo_place *at, const uint8_t *cargo)
{
	double little, n = at->token ? cargo_number(at, cargo, &little) : 1;

	return n > 0 && n <= INT32_MAX ? (uint32_t)n : 0;
}

/* What begins or completes has a number: likewise. event: it is the collective that was told right before. */
static __attribute__((cold)) void request(struct make_record made, const struct clog2_rec *r, const struct def *d, bool event)
{
	const uint8_t *cargo = r->type == CLOG2_CARGOEVT ? clog2_get_cargo(r) : NULL;
	uint32_t number = cargo ? request_of(&d->request, cargo) : 0;

	if (d->requests == REQUEST_BEGINS)
		make_watch_begun(made.share, made.process, event, number, 1);
	else if (d->requests == REQUEST_POSTED && number)
		make_watch_begun(made.share, made.process, false, number, request_of(&d->count, cargo));
	else if (number)
		make_watch_completed(made.share, made.process, number, d->requests == REQUEST_RECEIVES);
}

/* A call that all members of its communicator make together: likewise. */
static __attribute__((cold)) void gathering(const struct events_walk *walk, struct make_record made, const struct clog2_rec *r, const struct def *d)
{
	uint32_t number = r->type == CLOG2_CARGOEVT ? request_of(&d->gathering, clog2_get_cargo(r)) : 0;

	if (number && walk->whose.comm != NO_COMM)
		make_watch_gathering(made.share, made.process, walk->whose.comm, number);
}

/* From whom the process receives in neighbourhood collectives: likewise. */
static __attribute__((cold)) void neighbour(const struct events_walk *walk, struct make_record made, const struct clog2_rec *r, const struct def *d)
{
	double little, rank = r->type == CLOG2_CARGOEVT ? cargo_number(&d->neighbour, clog2_get_cargo(r), &little) : -2;

	if (rank >= -1 && rank <= INT32_MAX && walk->whose.comm != NO_COMM)
		make_watch_neighbour(made.share, made.process, walk->whose.comm,
				     rank < 0 ? NO_PROCESS : comms_process(&walk->whose.loader->comms, walk->whose.comm, (int32_t)rank));
}

/* How far the process's clock is from rank 0's: likewise. */
static __attribute__((cold)) void clock_seen(struct make_record made, const struct clog2_rec *r, const struct def *d)
{
	double little, low, high;

	make_tracer_record(made.mine);
	if (r->type != CLOG2_CARGOEVT)
		return;
	low = cargo_number(&d->low, clog2_get_cargo(r), &little);
	high = cargo_number(&d->high, clog2_get_cargo(r), &little);
	if (low <= high && low > -MAKE_TIME_LIMIT && high < MAKE_TIME_LIMIT)
		make_watch_clock(made.share, made.process, low, high);
}

/* What the tracer says of the process's node: first at the start, and once more at the end, which stands. */
static __attribute__((cold)) void node_seen(struct make_record made, const uint8_t *cargo, const struct def *d)
{
	struct process *process = &made.share->trace->processes[made.process];
	double little, node = cargo_number(&d->node, cargo, &little), ranks = cargo_number(&d->ranks, cargo, &little);
	double cpus = cargo_number(&d->cpus, cargo, &little), waited = cargo_number(&d->waited, cargo, &little);

	if (!(node >= 0 && node <= INT32_MAX) || !(ranks > 0 && ranks <= INT32_MAX) || !(cpus > 0 && cpus <= INT32_MAX) ||
	    !(waited < MAKE_TIME_LIMIT))
		return;
	process->node = (struct process_node){.processes = (uint32_t)ranks, .processors = (uint32_t)cpus,
					      .first = (int32_t)node == process->world_rank, .waited = waited};
}

CLOG2_INLINE void state_start(struct events_walk *walk, struct make_record made, const struct clog2_rec *r,
			      const struct meaning *m)
{
	const struct loader *loader = walk->whose.loader;
	const struct def *d = &loader->defs.list[m->def];
	uint32_t before = made.mine->next;
	uint64_t size = 0;
	bool part = make_enter(made, m->def);

	if (part && m->collective && walk->whose.comm != NO_COMM && !loader->comms.list[walk->whose.comm].alone) {
		if (m->size && r->type == CLOG2_CARGOEVT)
			size = size_of(d, clog2_get_cargo(r));
		make_collective(made, collective_type(walk, m->def, walk->whose.comm), size, walk->whose.comm);
	}
	if (__builtin_expect(!made.share->watched, 1))
		return;
	if (made.mine->next != before) {
		clog2_record_root(walk, made, r, d);
		if (m->size && r->type == CLOG2_CARGOEVT && !size)
			make_watch_empty(made.share, made.process);
	}
	if (d->gathering.token)
		gathering(walk, made, r, d);
	if (d->requests)
		request(made, r, d, made.mine->next != before);
}

/* A reading that is none hints at bytes in the wrong order. */
static void cpu_sample(struct events_walk *walk, struct make_record made, const uint8_t *cargo, const struct def *d)
{
	double little, v = cargo_number(&d->cpu_sample, cargo, &little);

	if (!make_cpu_sample(made, v))
		notes_add(&walk->share->notes, NOTE_BAD_CARGO, make_place(walk->share, made.process),
			  "rank %u: \"%s\" reads %g%s", made.process, d->total.name, v,
			  make_plausible(little) && little < 1e9 ? ", which is plausible only in little-endian "
					 "order" : "");
}

static __attribute__((noinline)) void unknown_process(struct events_walk *walk, uint64_t offset, int32_t rank, int32_t icomm)
{
	walk->share->place.offset = (int64_t)offset;
	notes_add(&walk->share->notes, NOTE_UNKNOWN_PROCESS, make_place(walk->share, NO_PROCESS),
		  "a record has rank %d of communicator %d, but no process has that rank", rank, icomm);
}

/* Whose record is it? NO_PROCESS: nobody's that this share has to do with. */
CLOG2_INLINE uint32_t clog2_record_process(struct events_walk *walk, const struct clog2_block *b, const struct clog2_step *step)
{
	const struct make_share *share = walk->share;
	uint32_t process;

	if (!whose_any(step->type))
		return NO_PROCESS;
	process = whose_process(&walk->whose, step->icomm, step->rank);
	if (__builtin_expect(process == NO_PROCESS && share->leads && step->type != CLOG2_TIMESHIFT, 0))
		unknown_process(walk, b->offset + step->at, step->rank, step->icomm);
	return process - share->first < share->end - share->first ? process : NO_PROCESS;
}

/* A record that is told by its etype. */
CLOG2_INLINE void clog2_record_call(struct events_walk *walk, struct make_record made, const struct clog2_rec *r, int32_t etype)
{
	const struct defs *defs = &walk->whose.loader->defs;
	struct meaning other;
	const struct meaning *m = &other;

	if (__builtin_expect((uint32_t)etype < DEFS_DIRECT, 1))
		m = &walk->direct[etype];
	else
		other = meaning_of(defs, etype);
	if (__builtin_expect(m->cpu_sample, 0) && r->type == CLOG2_CARGOEVT)
		cpu_sample(walk, made, clog2_get_cargo(r), &defs->list[m->def]);
	if (__builtin_expect(m->node, 0) && r->type == CLOG2_CARGOEVT)
		node_seen(made, clog2_get_cargo(r), &defs->list[m->def]);
	if (m->role == ETYPE_START) {
		state_start(walk, made, r, m);
	} else if (m->role == ETYPE_FINAL) {
		make_leave(made, m->def);
	} else if (m->role == ETYPE_SOLO) {
		make_solo(made, m->def);
		if (__builtin_expect(m->size, 0) && r->type == CLOG2_CARGOEVT) {
			make_size(made, cargo_whole(&defs->list[m->def].size, clog2_get_cargo(r)));
			if (made.share->watched)
				make_watch_size(made.share, made.process);
		}
		if (__builtin_expect(made.share->watched, 0) && defs->list[m->def].requests)
			request(made, r, &defs->list[m->def], false);
		if (__builtin_expect(made.share->watched, 0) && defs->list[m->def].neighbour.token)
			neighbour(walk, made, r, &defs->list[m->def]);
		if (__builtin_expect(made.share->watched, 0) && defs->list[m->def].low.token && defs->list[m->def].high.token)
			clock_seen(made, r, &defs->list[m->def]);
	}
}

/* Whole files have it in their times already, the other way round. */
static __attribute__((noinline)) void shift(struct events_walk *walk, uint32_t process, double shift)
{
	bool applied = walk->whose.file->finalized;

	make_shift(walk->share, process, applied ? 0 : shift, applied ? shift : -shift);
}

CLOG2_INLINE void record(struct events_walk *walk, bool wide, bool be, const struct clog2_rec *r, uint32_t process)
{
	struct make_record made;

	if (__builtin_expect(r->type == CLOG2_TIMESHIFT, 0)) {
		struct clog2_rec copy = *r; /* *r itself stays in registers */

		shift(walk, process, clog2_get_timeshift(walk->whose.file, &copy));
		return;
	}
	made = make_record(walk->share, process, __builtin_expect(r->thread == 0, 1) ? 0 : check_thread(walk, r->thread, process),
			   r->time);
	if (r->type == CLOG2_MSGEVT) {
		struct clog2_msg m;

		clog2_get_msg_as(wide, be, r, &m);
		clog2_record_message(walk, made, &m);
	} else if (r->type == CLOG2_BAREEVT || r->type == CLOG2_CARGOEVT) {
		clog2_record_call(walk, made, r, clog2_i32(be, r->payload));
	}
}

/* Nearly all files: they have their own code, without branches for the layout. */
static bool is_usual(const struct clog2_file *file)
{
	return file->header_size == 24 && file->big_endian;
}

CLOG2_INLINE void read_block(struct events_walk *walk, bool wide, bool be, struct clog2_block *b)
{
	struct clog2_step step = {0};
	struct clog2_rec r;

	while (clog2_block_step_as(wide, be, b, &step)) {
		uint32_t process = clog2_record_process(walk, b, &step);

		if (process == NO_PROCESS)
			continue;
		clog2_decode_as(wide, be, b, step.at, &r);
		walk->share->place.offset = (int64_t)r.offset;
		record(walk, wide, be, &r, process);
	}
}

/* Sort a block's records by whose share they are. Those of no process are noted by the share that leads, if it is
 * here. */
CLOG2_INLINE void list_as(struct events_walk *walk, bool wide, bool be, struct shared_block *b)
{
	struct clog2_step step = {0};

	while (clog2_block_step_as(wide, be, &b->block, &step)) {
		uint32_t process, share;

		if (!whose_any(step.type))
			continue;
		process = whose_process(&walk->whose, step.icomm, step.rank);
		share = __builtin_expect(process != NO_PROCESS, 1) ? walk->share_of[process] : walk->nobodys;
		if (share == NO_SHARE)
			continue;
		b->at[share * b->most + b->counts[share]++] = step.at;
	}
}

static void list_block(void *arg, struct shared_block *b)
{
	struct events_walk *walk = arg;

	if (is_usual(walk->whose.file))
		list_as(walk, true, true, b);
	else
		list_as(walk, walk->whose.file->header_size == 24, walk->whose.file->big_endian, b);
}

CLOG2_INLINE void read_listed(struct events_walk *walk, bool wide, bool be, const struct shared_block *b)
{
	const uint32_t *at = b->at + walk->share->number * b->most;
	uint32_t count = b->counts[walk->share->number];
	struct clog2_rec r;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t process;

		clog2_decode_as(wide, be, &b->block, at[i], &r);
		process = whose_process(&walk->whose, r.icomm, r.rank);
		walk->share->place.offset = (int64_t)r.offset;
		if (__builtin_expect(process != NO_PROCESS, 1))
			record(walk, wide, be, &r, process);
		else if (r.type != CLOG2_TIMESHIFT)
			unknown_process(walk, r.offset, r.rank, r.icomm);
	}
}

/* The share's records of a block, which one of the threads reads for all, or each for itself. */
static enum err_code record_block(struct events_walk *walk, uint64_t block, struct clog2_block *local, struct err *e)
{
	const struct clog2_file *file = walk->whose.file;
	const struct shared_block *b = NULL;
	enum err_code code;

	if (walk->shared)
		b = shared_block_take(walk->shared, walk->share->number, file, walk->base, block,
				      walk->whose.loader->blocks[file->file_index], list_block, walk);
	if (b) {
		code = b->code;
		if (code != ERR_OK)
			*e = b->err;
		else if (is_usual(file))
			read_listed(walk, true, true, b);
		else
			read_listed(walk, file->header_size == 24, file->big_endian, b);
		shared_block_give(walk->shared, walk->share->number, b);
		return code;
	}
	code = clog2_block_read(file, block, local, e);
	if (code != ERR_OK)
		return code;
	if (is_usual(file))
		read_block(walk, true, true, local);
	else
		read_block(walk, file->header_size == 24, file->big_endian, local);
	return ERR_OK;
}

static enum err_code read_file(struct events_walk *walk, struct clog2_block *b, uint64_t before, struct err *e)
{
	const struct loader *loader = walk->whose.loader;
	struct make_share *share = walk->share;
	uint64_t blocks = loader->blocks[walk->whose.file->file_index];

	share->place.file = walk->whose.file->file_index;
	for (uint64_t block = 0; block < blocks && !share->failed; block++) {
		enum err_code code;

		if ((block & 15) == 15) {
			make_progress(share, before + block * walk->whose.file->block_size, loader->total_bytes);
			if (make_stopped(share))
				return ERR_OK;
		}
		share->place.block = (int64_t)block;
		code = record_block(walk, block, b, e);
		if (code != ERR_OK)
			return code;
	}
	return ERR_OK;
}

CLOG2_INLINE void record_records(struct events_walk *walk, bool wide, bool be, struct stripe_part *part)
{
	struct clog2_rec r;

	while (stripe_record(part, wide, be, &r)) {
		uint32_t process = whose_process(&walk->whose, r.icomm, r.rank);

		walk->share->place.offset = (int64_t)r.offset;
		if (__builtin_expect(process != NO_PROCESS, 1))
			record(walk, wide, be, &r, process);
		else if (r.type != CLOG2_TIMESHIFT)
			unknown_process(walk, r.offset, r.rank, r.icomm);
	}
}

/* What a stripe has for this rank. */
static void record_part(struct events_walk *walk, struct stripe_part part)
{
	const struct loader *loader = walk->whose.loader;
	uint64_t block;
	uint32_t file;

	while (!walk->share->failed && stripe_block(&part, &file, &block, loader)) {
		if (walk->whose.file != &loader->files[file])
			whose_begin(&walk->whose, &loader->files[file]);
		walk->share->place.file = (int32_t)file;
		walk->share->place.block = (int64_t)block;
		if (is_usual(walk->whose.file))
			record_records(walk, true, true, &part);
		else
			record_records(walk, walk->whose.file->header_size == 24, walk->whose.file->big_endian, &part);
	}
}

/* All ranks stop at the same round, if one is to. */
static enum err_code read_stripes(struct events_walk *walk, struct stripes *stripes, struct err *e)
{
	struct make_share *share = walk->share;
	const struct loader *loader = walk->whose.loader;
	bool more = true, stop = false;
	enum err_code code = ERR_OK;

	while (more) {
		stop = make_stopped(share);
		code = share->failed ? err_memory(e, "the trace's events") : stripes_next(stripes, &more, &stop, e);
		if (code || !more)
			return code;
		if (stop) {
			atomic_store(&share->stop->stopped, true);
			return ERR_OK;
		}
		for (uint32_t r = 0; r < team_size(loader->maker->team); r++)
			record_part(walk, stripes_part(stripes, r));
		make_progress(share, stripes_done(stripes), loader->total_bytes);
	}
	return ERR_OK;
}

static enum err_code read_share(void *arg, struct make_share *share, struct err *e)
{
	struct events *events = arg;
	struct events_walk walk = {.whose = {.loader = events->loader}, .share = share, .direct = events->direct, .shared = events->shared,
			    .share_of = events->share_of, .nobodys = events->nobodys};
	enum err_code code = ERR_OK;
	struct clog2_block b;
	uint64_t before = 0;

	map_free(events->odd_threads[share->number]); /* of a reading before this one */
	walk.odd_threads = events->odd_threads[share->number] = map_new();
	if (!walk.odd_threads)
		return err_memory(e, "the processes");
	if (events->stripes)
		return read_stripes(&walk, events->stripes, e);
	clog2_block_init(&b);
	if (walk.shared)
		shared_blocks_join(walk.shared, share->number);
	for (uint32_t i = 0; code == ERR_OK && i < walk.whose.loader->file_count; i++) {
		whose_begin(&walk.whose, &walk.whose.loader->files[i]);
		code = read_file(&walk, &b, before, e);
		before += source_size(walk.whose.file->source);
		if (atomic_fetch_add(&events->through[i], 1) + 1 == events->share_count)
			source_rest(walk.whose.file->source);
		walk.base += walk.whose.loader->blocks[i];
	}
	if (walk.shared)
		shared_blocks_leave(walk.shared, share->number);
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

static enum err_code clog2_events_settle(void *arg, bool *again, struct err *e)
{
	struct events *events = arg;
	struct loader *loader = events->loader;
	int32_t highest = -1, most = loader->files[0].max_threads ? loader->files[0].max_threads : 1;
	uint64_t found[2];
	enum err_code code;

	if (loader->false_threads)
		return ERR_OK; /* they are sorted already */
	if (!sort_threads(events, &highest))
		return err_memory(e, "the processes");
	found[0] = (uint64_t)(highest + 1);
	found[1] = loader->false_threads != NULL;
	code = maker_agreed(loader->maker, team_reduce(loader->maker->team, found, 2, TEAM_MAX, e));
	if (!code && found[1] && !loader->false_threads) {
		loader->false_threads = map_new(); /* other ranks have some */
		code = loader->false_threads ? ERR_OK : err_memory(e, "the processes");
	}
	if (code)
		return code;
	highest = (int32_t)(found[0] - 1);
	if (highest >= 0)
		notes_add(&loader->maker->trace->notes, NOTE_BAD_PREAMBLE, (struct note_place){0, -1, -1, 0, -1},
			  "the preamble allows %d thread%s, but thread %d makes calls; pas2p uses its "
			  "records", most, most == 1 ? "" : "s", highest);
	*again = loader->false_threads;
	return ERR_OK;
}

static void release_shared(struct events *events)
{
	shared_blocks_free(events->shared);
	mem_free(events->share_of);
	mem_free(events->through);
	stripes_free(events->stripes);
	events->stripes = NULL;
	events->shared = NULL;
	events->share_of = NULL;
	events->through = NULL;
}

/* With several threads a rank reads all blocks: only one thread may meet other ranks. What is decompressed is read from
 * its beginning. */
static enum err_code begin_stripes(struct events *events, unsigned count, struct err *e)
{
	struct maker *maker = events->loader->maker;
	uint64_t threads = count;
	enum err_code code;

	if (team_size(maker->team) < STRIPE_RANKS)
		return ERR_OK;
	for (uint32_t i = 0; i < events->loader->file_count; i++)
		if (source_packing(events->loader->files[i].source) != PACKING_NONE)
			return ERR_OK;
	code = maker_agreed(maker, team_reduce(maker->team, &threads, 1, TEAM_MAX, e));
	if (code || threads > 1)
		return code;
	events->stripes = stripes_new(events->loader);
	return events->stripes ? ERR_OK : err_memory(e, "records of other ranks");
}

static enum err_code clog2_events_begin(void *arg, const struct make_share *shares, unsigned count, struct err *e)
{
	struct events *events = arg;
	uint32_t processes = events->loader->maker->trace->process_count;
	enum err_code code;

	release_shared(events); /* of a reading before this one */
	events->share_count = count;
	events->through = mem_zero(events->loader->file_count, sizeof *events->through);
	if (!events->through)
		return err_memory(e, "the processes");
	code = begin_stripes(events, count, e);
	if (code || count == 1)
		return code;
	events->shared = shared_blocks_new(count);
	events->share_of = mem_alloc(processes, sizeof *events->share_of);
	if (!events->shared || !events->share_of)
		return err_memory(e, "the processes");
	memset(events->share_of, NO_SHARE, processes);
	events->nobodys = shares[0].leads ? 0 : NO_SHARE;
	for (unsigned i = 0; i < count; i++)
		for (uint32_t p = shares[i].first; p < shares[i].end; p++)
			events->share_of[p] = (uint8_t)i;
	return ERR_OK;
}

enum err_code load_events(struct loader *loader, struct err *e)
{
	struct events events = {.loader = loader, .direct = mem_alloc(DEFS_DIRECT, sizeof *events.direct)};
	struct make_reader reader = {.read = read_share, .settle = clog2_events_settle, .begin = clog2_events_begin, .arg = &events};
	enum err_code code;

	if (!events.direct)
		return err_memory(e, "the definitions");
	for (int32_t i = 0; i < DEFS_DIRECT; i++)
		events.direct[i] = meaning_of(&loader->defs, i);
	code = make_events(loader->maker, &reader, e);
	for (unsigned i = 0; i < PARALLEL_MOST; i++)
		map_free(events.odd_threads[i]);
	release_shared(&events);
	mem_free(events.direct);
	return code;
}
