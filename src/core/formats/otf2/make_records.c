#include "records.h"

/* Differences of ticks are whole numbers: timestamps alone may have more digits than a double. */
static double teller_seconds(const struct otf_teller *teller, uint64_t time)
{
	return (double)(int64_t)(time - teller->offset) / teller->ticks;
}

void otf_teller_init(struct otf_teller *teller, struct otf_loader *loader, struct make_share *share, const struct otf_thread *thread)
{
	*teller = (struct otf_teller){.loader = loader, .share = share, .process = thread->process, .thread = thread->thread,
				       .offset = loader->archive.defs.offset, .ticks = (double)loader->archive.defs.ticks,
				       .last_op = UINT32_MAX, .last_comm = UINT32_MAX};
}

/* It ends at a time that no record has: the one at hand is the program's. */
static void end_flush(struct otf_teller *teller, struct make_record r)
{
	uint64_t last = r.mine->tracer_last;

	r.time = teller->flush_end < r.time ? teller->flush_end : r.time;
	teller->flushing = false;
	make_leave(r, OTF2_KIND_FLUSH);
	r.mine->tracer_last = last;
}

static uint32_t type_of(struct otf_teller *teller, const struct track_hole *hole)
{
	if (hole->op != teller->last_op || hole->comm != teller->last_comm) {
		teller->last_op = hole->op;
		teller->last_comm = hole->comm;
		teller->last_type = otf_coll_type(&teller->loader->colls, hole->op, hole->comm);
		teller->share->failed = teller->share->failed || teller->last_type == UINT32_MAX;
	}
	return teller->last_type;
}

static void collective(struct otf_teller *teller, struct make_record r, const struct track_hole *hole)
{
	uint32_t type = type_of(teller, hole), before = r.mine->next;

	if (type == UINT32_MAX)
		return;
	make_collective(r, type, hole->sent <= INT64_MAX ? hole->sent : SIZE_UNKNOWN, hole->comm);
	if (__builtin_expect(!r.share->watched, 1) || r.mine->next == before)
		return;
	make_watch_root(r.share, r.process, hole->root);
	if (hole->received != OTF2_UNDEFINED_UINT64)
		make_watch_received(r.share, r.process, hole->received);
	if (!hole->sent && !hole->unsaid)
		make_watch_empty(r.share, r.process);
}

/* Outside of any call it is one of no length, as a message is. */
static void collective_alone(struct otf_teller *teller, struct make_record r, const struct track_hole *hole)
{
	struct stream *stream = make_stream(r);
	bool alone = !stream->mpi_depth;

	if (alone)
		stream_enter(stream, r.time);
	collective(teller, r, hole);
	if (alone)
		make_store(r.share, stream_leave(stream, r.time));
}

static void teller_message(struct make_record r, const struct track_record *record)
{
	struct make_message message = {.kind = record->what == TRACK_SEND ? EVENT_SEND : EVENT_RECEIVE, .partner = record->b,
				       .comm = record->a, .partner_comm = record->a, .tag = (int32_t)record->tag,
				       .size = record->size <= INT64_MAX ? (int64_t)record->size : -1};

	make_message(r, message);
}

void otf_record(struct otf_teller *teller, const struct track_record *record, const struct track_hole *hole)
{
	struct make_record r;

	if (__builtin_expect(record->more && teller->any, 0)) {
		r = teller->last;
	} else {
		r = make_record(teller->share, teller->process, teller->thread, teller_seconds(teller, record->time));
		teller->last = r;
		teller->any = true;
	}
	if (__builtin_expect(teller->flushing, 0))
		end_flush(teller, r);
	switch ((enum track_what)record->what) {
	case TRACK_ENTER:
		if (make_enter(r, record->a) && hole && hole->state == HOLE_FILLED)
			collective(teller, r, hole);
		break;
	case TRACK_LEAVE:
		make_leave(r, record->a);
		break;
	case TRACK_SEND:
	case TRACK_RECEIVE:
		teller_message(r, record);
		break;
	case TRACK_COLLECTIVE:
		if (hole && hole->state == HOLE_FILLED)
			collective_alone(teller, r, hole);
		break;
	case TRACK_FLUSH:
		make_enter(r, OTF2_KIND_FLUSH);
		teller->flushing = true;
		teller->flush_end = record->stop > record->time ? r.time + (double)(record->stop - record->time) / teller->ticks : r.time;
		break;
	case TRACK_CPU_SAMPLE:
		make_cpu_sample(r, record->value);
		break;
	case TRACK_COUNT:
		make_count(r, record->a, record->value);
		break;
	case TRACK_OTHER:
		break;
	}
}

void otf_record_end(struct otf_teller *teller)
{
	if (teller->flushing)
		end_flush(teller, teller->last);
}
