/* One location: the activities of a thread as records of OTF2.
 *
 * Requests: OTF2 connects the start of a nonblocking operation with its completion by a number, which is made up here,
 * since most traces have none. A nonblocking send (collective) is assumed to be complete at the end of the next call
 * that waits; a receive in such a call belongs to the oldest posted one.
 */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "otf2_int.h"

#define POLL 65536

/* What was begun and is to be completed. */
struct pending_request {
	uint64_t request;
	bool collective;
	uint32_t event, root;
	uint64_t received;
	bool empty;
};

struct location_writing {
	struct otf2_writing *writing;
	struct nested_walk walk;
	OTF2_EvtWriter *to;
	bool main;             /* the process's first thread */
	uint64_t last;         /* of its records, ns */
	uint64_t requests;     /* numbers given so far */
	struct pending_request *pending;
	size_t pending_count, pending_cap;
	uint64_t *posted;      /* receives' requests, oldest first: from posted_next on */
	size_t posted_next, posted_count, posted_cap;
	uint32_t calls;        /* open ones */
	uint32_t collective_at; /* calls that were open at the blocking collective that is open; 0: none is */
	struct pending_request collective;
	bool event_in_call;
	uint64_t flush_from;
	bool silent;           /* the last step has no record here */
	uint64_t unwritten, unknown_sizes;
	OTF2_AttributeList *unknowns; /* of the record that is written next */
	OTF2_ErrorCode status;
	bool failed;           /* no memory */
};

static void location_check(struct location_writing *l, OTF2_ErrorCode status)
{
	if (__builtin_expect(status != OTF2_SUCCESS, 0) && l->status == OTF2_SUCCESS)
		l->status = status;
}

static uint64_t ticks(const struct location_writing *l, double time)
{
	double ns = rint((time - l->writing->run->trace->start) * 1e9);

	return ns > 0 ? (uint64_t)ns : 0;
}

/* The list that says which of the next record's numbers are not known, OTF_UNKNOWN_...; the library empties it. NULL:
 * all are. */
static OTF2_AttributeList *unknowns(struct location_writing *l, unsigned which)
{
	if (!which)
		return NULL;
	l->writing->unknowns = true;
	location_check(l, OTF2_AttributeList_AddUint8(l->unknowns, OTF2_ATTRIBUTE_UNKNOWN, (uint8_t)which));
	return l->unknowns;
}

/* A number of bytes; what is not known is written as none. */
static uint64_t location_event_bytes(struct location_writing *l, uint32_t event, unsigned *unknown)
{
	uint64_t size = trace_size(l->writing->run->trace, event);

	l->unknown_sizes += size == SIZE_UNKNOWN;
	*unknown |= size == SIZE_UNKNOWN ? OTF_UNKNOWN_SENT : 0;
	return size == SIZE_UNKNOWN ? 0 : size;
}

static uint32_t comm_of(const struct location_writing *l, uint32_t event)
{
	const struct otf2_write_comms *comms = &l->writing->comms;

	return comms->missing ? 0 : comms->ref[trace_comm(comms->trace, event)];
}

/* ---- collectives ---- */

static const struct otf2_operation *operation_of(const struct location_writing *l, uint32_t event)
{
	return &l->writing->operations[EVENT_INDEX(l->writing->run->trace->type[event])];
}

/* For a rooted one: the first rank, where nobody is known to be. */
static uint32_t root_of(const struct location_writing *l, const struct pending_request *begun, unsigned *unknown)
{
	const struct trace *t = l->writing->run->trace;
	struct otf2_partner root = otf2_write_comms_partner(&l->writing->comms, trace_comm(t, begun->event), begun->root);

	if (!operation_of(l, begun->event)->rooted)
		return OTF2_COLLECTIVE_ROOT_NONE;
	*unknown |= root.rank == OTF2_UNDEFINED_UINT32 ? OTF_UNKNOWN_ROOT : 0;
	return root.rank == OTF2_UNDEFINED_UINT32 ? 0 : root.rank;
}

static void end_collective(struct location_writing *l, const struct pending_request *begun)
{
	OTF2_CollectiveOp op = operation_of(l, begun->event)->op;
	unsigned unknown = begun->received == UINT64_MAX ? OTF_UNKNOWN_RECEIVED : 0;
	uint64_t sent = location_event_bytes(l, begun->event, &unknown), received = unknown & OTF_UNKNOWN_RECEIVED ? 0 : begun->received;
	uint32_t comm = comm_of(l, begun->event), root = root_of(l, begun, &unknown);
	OTF2_AttributeList *attributes;

	unknown |= !sent && !begun->empty ? OTF_UNKNOWN_SENT : 0;
	attributes = unknowns(l, unknown);
	if (begun->request)
		location_check(l, OTF2_EvtWriter_NonBlockingCollectiveComplete(l->to, attributes, l->last, op, comm, root, sent, received,
								      begun->request));
	else
		location_check(l, OTF2_EvtWriter_MpiCollectiveEnd(l->to, attributes, l->last, op, comm, root, sent, received));
}

static void add_pending(struct location_writing *l, const struct pending_request *begun)
{
	struct pending_request *pending = mem_grow(l->pending, l->pending_count, &l->pending_cap, sizeof *pending);

	if (!pending) {
		l->failed = true;
		return;
	}
	l->pending = pending;
	pending[l->pending_count++] = *begun;
}

static void complete_pending(struct location_writing *l)
{
	for (size_t i = 0; i < l->pending_count; i++)
		if (l->pending[i].collective)
			end_collective(l, &l->pending[i]);
		else
			location_check(l, OTF2_EvtWriter_MpiIsendComplete(l->to, NULL, l->last, l->pending[i].request));
	l->pending_count = 0;
}

static void begin_collective(struct location_writing *l, const struct record *step)
{
	struct pending_request begun = {0, true, step->event, step->root, step->received, step->empty};

	l->writing->run->events[2]++;
	if (operation_of(l, step->event)->nonblocking) {
		begun.request = ++l->requests;
		location_check(l, OTF2_EvtWriter_NonBlockingCollectiveRequest(l->to, NULL, l->last, begun.request));
		add_pending(l, &begun);
		return;
	}
	if (l->collective_at)
		end_collective(l, &l->collective);
	location_check(l, OTF2_EvtWriter_MpiCollectiveBegin(l->to, NULL, l->last));
	l->collective = begun;
	l->collective_at = l->calls;
	if (!l->calls)
		end_collective(l, &begun);
}

/* ---- messages ---- */

/* The innermost open call; NULL: none. */
static const struct otf2_state *open_call(const struct location_writing *l)
{
	for (size_t i = l->walk.depth; i-- > 0;)
		if (l->walk.states[l->walk.stack[i].state].mpi)
			return &l->writing->of_state[l->walk.stack[i].state];
	return NULL;
}

static void write_send(struct location_writing *l, uint32_t event, struct otf2_partner to)
{
	const struct otf2_state *call = open_call(l);
	uint32_t tag = (uint32_t)trace_tag(l->writing->run->trace, event);
	unsigned unknown = 0;
	uint64_t size = location_event_bytes(l, event, &unknown);
	OTF2_AttributeList *attributes = unknowns(l, unknown);

	l->writing->run->events[0]++;
	if (!call || !call->requests) {
		location_check(l, OTF2_EvtWriter_MpiSend(l->to, attributes, l->last, to.rank, to.ref, tag, size));
		return;
	}
	location_check(l, OTF2_EvtWriter_MpiIsend(l->to, attributes, l->last, to.rank, to.ref, tag, size, ++l->requests));
	add_pending(l, &(struct pending_request){.request = l->requests});
}

static void write_receive(struct location_writing *l, uint32_t event, struct otf2_partner from)
{
	const struct otf2_state *call = open_call(l);
	uint32_t tag = (uint32_t)trace_tag(l->writing->run->trace, event);
	unsigned unknown = 0;
	uint64_t size = location_event_bytes(l, event, &unknown);
	OTF2_AttributeList *attributes = unknowns(l, unknown);

	l->writing->run->events[1]++;
	if (call && call->waits && l->posted_next < l->posted_count)
		location_check(l, OTF2_EvtWriter_MpiIrecv(l->to, attributes, l->last, from.rank, from.ref, tag, size,
						 l->posted[l->posted_next++]));
	else
		location_check(l, OTF2_EvtWriter_MpiRecv(l->to, attributes, l->last, from.rank, from.ref, tag, size));
}

static void write_event(struct location_writing *l, const struct record *step)
{
	const struct trace *t = l->writing->run->trace;
	event_type type = t->type[step->event];
	struct otf2_partner partner;

	l->event_in_call = true;
	if (EVENT_KIND(type) == EVENT_COLLECTIVE) {
		begin_collective(l, step);
		return;
	}
	partner = otf2_write_comms_partner(&l->writing->comms, trace_comm(t, step->event),
					   EVENT_INDEX(type) ? EVENT_INDEX(type) - 1 : NO_PROCESS);
	l->writing->partnerless += partner.rank == OTF2_UNDEFINED_UINT32 || t->match[step->event] == NO_EVENT;
	if (EVENT_KIND(type) == EVENT_SEND)
		write_send(l, step->event, partner);
	else
		write_receive(l, step->event, partner);
}

/* A call has posted a receive: a request that one of the next calls that wait will complete. */
static void post_receive(struct location_writing *l)
{
	uint64_t *posted;

	if (l->posted_next > l->posted_count / 2) { /* what is used up goes */
		memmove(l->posted, l->posted + l->posted_next, (l->posted_count - l->posted_next) * sizeof *l->posted);
		l->posted_count -= l->posted_next;
		l->posted_next = 0;
	}
	posted = mem_grow(l->posted, l->posted_count, &l->posted_cap, sizeof *posted);
	if (!posted) {
		l->failed = true;
		return;
	}
	l->posted = posted;
	posted[l->posted_count++] = ++l->requests;
	location_check(l, OTF2_EvtWriter_MpiIrecvRequest(l->to, NULL, l->last, l->requests));
}

/* ---- states ---- */

static OTF2_RegionRef region_of(struct location_writing *l, uint32_t state)
{
	struct otf2_writing *w = l->writing;

	if (w->of_state[state].region == OTF2_UNDEFINED_REGION) {
		w->of_state[state].region = w->region_count;
		w->regions[w->region_count++] = state;
	}
	return w->of_state[state].region;
}

static void location_enter(struct location_writing *l, uint32_t state)
{
	if (l->writing->states[state].tracer) {
		l->flush_from = l->last;
		return;
	}
	if (l->writing->states[state].mpi) {
		l->calls++;
		l->event_in_call = false;
	}
	location_check(l, OTF2_EvtWriter_Enter(l->to, NULL, l->last, region_of(l, state)));
}

static void location_leave(struct location_writing *l, uint32_t state, uint64_t before)
{
	const struct otf2_state *of = &l->writing->of_state[state];

	if (l->writing->states[state].tracer) {
		uint64_t stop = l->last;

		l->last = l->flush_from > before ? l->flush_from : before;
		location_check(l, OTF2_EvtWriter_BufferFlush(l->to, NULL, l->last, stop));
		return;
	}
	if (l->writing->states[state].mpi) {
		if (l->collective_at == l->calls) {
			end_collective(l, &l->collective);
			l->collective_at = 0;
		}
		if (of->waits)
			complete_pending(l);
		else if (of->posts || (of->starts && !l->event_in_call))
			post_receive(l);
		l->calls--;
	}
	location_check(l, OTF2_EvtWriter_Leave(l->to, NULL, l->last, region_of(l, state)));
}

static void write_cpu_sample(struct location_writing *l, double seconds)
{
	OTF2_Type type = OTF2_TYPE_UINT64;
	OTF2_MetricValue value = {.unsigned_int = (uint64_t)rint(seconds * 1e9)};

	l->writing->cpu_time = true;
	location_check(l, OTF2_EvtWriter_Metric(l->to, NULL, l->last, OTF2_METRIC_CPU_TIME, 1, &type, &value));
}

/* ---- all of it ---- */

static void write_step(struct location_writing *l, const struct record *step)
{
	uint64_t before = l->last, now = ticks(l, step->time);

	l->last = now > before ? now : before;
	if (l->last > l->writing->last)
		l->writing->last = l->last;
	l->silent = false;
	switch (step->kind) {
	case RECORD_ENTER:
		location_enter(l, step->state);
		break;
	case RECORD_LEAVE:
		location_leave(l, step->state, before);
		break;
	case RECORD_EVENT:
		write_event(l, step);
		break;
	case RECORD_CPU_SAMPLE:
		write_cpu_sample(l, step->seconds);
		break;
	default:
		l->silent = true;
		l->unwritten++;
		break;
	}
}

static enum err_code write_steps(struct location_writing *l, struct err *e)
{
	struct otf2_writing *w = l->writing;
	struct record step;
	bool first = true;

	while (nested_walk_next(&l->walk, &step)) {
		if (++w->done % POLL == 0 && progress_step(w->run->progress, PROGRESS_WRITE, w->done, w->run->trace->record_count, e))
			return e->code;
		write_step(l, &step);
		/* A process begins and ends with its first and last record, whatever they are. */
		if (first && l->silent && l->main)
			location_check(l, OTF2_EvtWriter_ProgramBegin(l->to, NULL, l->last, OTF2_STRING_PROGRAM, 0, NULL));
		first = false;
		if (l->status != OTF2_SUCCESS)
			return otf2_write_failed("events", e);
		if (l->failed)
			return err_memory(e, "the requests of a process");
	}
	if (l->walk.err.code) {
		*e = l->walk.err;
		return e->code;
	}
	complete_pending(l);
	if (l->silent && l->main)
		location_check(l, OTF2_EvtWriter_ProgramEnd(l->to, NULL, l->last, OTF2_UNDEFINED_INT64));
	return l->status == OTF2_SUCCESS ? ERR_OK : otf2_write_failed("events", e);
}

static void count_losses(const struct location_writing *l)
{
	struct convert_run *run = l->writing->run;
	const struct nested_odd *odd = &l->walk.odd;

	convert_lost(run, "times before that of the previous record", odd->lifted);
	convert_lost(run, "ends of regions without a start", odd->stray);
	convert_lost(run, "missing ends of calls", odd->open);
	convert_lost(run, "positions of functions that overlap others", odd->moved);
	convert_lost(run, "sizes that the trace does not have", l->unknown_sizes);
	convert_lost(run, "records other than calls, events or readings, such as those of requests", l->unwritten);
}

enum err_code otf2_write_events(struct otf2_writing *writing, uint32_t thread, struct err *e)
{
	const struct nested_thread *of = &writing->threads.list[thread];
	struct location_writing l = {.writing = writing, .main = !thread || of[-1].process != of->process};
	enum err_code code = nested_walk_init(&l.walk, writing->run->log, &writing->threads, thread, e);

	if (code)
		return code;
	l.to = OTF2_Archive_GetEvtWriter(writing->archive, otf2_location(of));
	l.unknowns = OTF2_AttributeList_New();
	code = l.to && l.unknowns ? write_steps(&l, e) : otf2_write_failed("events", e);
	if (!code) {
		count_losses(&l);
		location_check(&l, OTF2_EvtWriter_GetNumberOfEvents(l.to, &writing->counts[thread]));
		location_check(&l, OTF2_Archive_CloseEvtWriter(writing->archive, l.to));
		/* Closing does not fail where writing what was left did. */
		if (l.status != OTF2_SUCCESS || otf_said_any())
			code = otf2_write_failed("events", e);
	}
	nested_walk_release(&l.walk);
	if (l.unknowns)
		OTF2_AttributeList_Delete(l.unknowns);
	mem_free(l.pending);
	mem_free(l.posted);
	return code;
}
