#include "records.h"

#include <string.h>

#include "otf2_int.h"

#define CALLBACK_ARGUMENTS OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *arg, OTF2_AttributeList *attributes

/* What every record is told with; those that use more of it, do. */
#define READING(arg)                        \
	struct otf_reading *reading = arg; \
                                            \
	(void)location;                     \
	(void)position;                     \
	(void)attributes;                   \
	reading->read++;                    \
	reading->last_time = time

static OTF2_CallbackCode reading_go_on(const struct otf_reading *reading)
{
	return reading->track.failed || reading->share->failed ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode other(struct otf_reading *reading, uint64_t time)
{
	const struct track_record record = {.time = time, .what = TRACK_OTHER};

	track_other(&reading->track, record);
	return reading_go_on(reading);
}

/* ---- calls ---- */

static OTF2_CallbackCode reading_enter(CALLBACK_ARGUMENTS, OTF2_RegionRef region)
{
	READING(arg);
	track_enter(&reading->track, time, otf_kind_of(&reading->loader->kinds, region));
	return reading_go_on(reading);
}

static OTF2_CallbackCode reading_leave(CALLBACK_ARGUMENTS, OTF2_RegionRef region)
{
	READING(arg);
	track_leave(&reading->track, time, otf_kind_of(&reading->loader->kinds, region));
	return reading_go_on(reading);
}

static uint32_t kind_of_context(const struct otf_reading *reading, uint32_t context)
{
	const struct otf_defs *defs = &reading->loader->archive.defs;
	uint32_t at = otf_refs_get(&defs->context_at, context);

	return at == OTF2_NOWHERE ? OTF2_KIND_UNDEFINED : otf_kind_of(&reading->loader->kinds, defs->contexts[at]);
}

static OTF2_CallbackCode enter_context(CALLBACK_ARGUMENTS, OTF2_CallingContextRef context, uint32_t distance)
{
	READING(arg);
	(void)distance;
	track_enter(&reading->track, time, kind_of_context(reading, context));
	return reading_go_on(reading);
}

static OTF2_CallbackCode leave_context(CALLBACK_ARGUMENTS, OTF2_CallingContextRef context)
{
	READING(arg);
	track_leave(&reading->track, time, kind_of_context(reading, context));
	return reading_go_on(reading);
}

/* Which of a record's numbers are none: OTF_UNKNOWN_... */
static unsigned unknowns(const struct otf_reading *reading, const OTF2_AttributeList *attributes)
{
	uint8_t which = 0;

	if (__builtin_expect(reading->loader->unknown != OTF2_UNDEFINED_ATTRIBUTE, 0) &&
	    OTF2_AttributeList_TestAttributeByID(attributes, reading->loader->unknown))
		OTF2_AttributeList_GetUint8(attributes, reading->loader->unknown, &which);
	return which;
}

/* ---- messages ---- */

static const struct otf_comm_view *reading_comm_view(struct otf_reading *reading, uint32_t ref)
{
	if (!reading->comm_known || reading->comm_ref != ref) {
		reading->comm = otf_comms_view(&reading->loader->comms, ref, reading->thread->process);
		reading->comm_ref = ref;
		reading->comm_known = true;
	}
	return &reading->comm;
}

static struct note_place reading_place(const struct otf_reading *reading)
{
	return (struct note_place){0, (int32_t)reading->thread->process, -1, -1, -1};
}

static __attribute__((noinline)) void note_partner(struct otf_reading *reading, const char *what, uint32_t partner, uint32_t ref)
{
	if (reading->comm.comm == NO_COMM)
		notes_add(&reading->share->notes, NOTE_BAD_PARTNER, reading_place(reading), "rank %u has a %s on "
										  "communicator %u, which is not "
										  "defined",
			  reading->thread->process, what, ref);
	else
		notes_add(&reading->share->notes, NOTE_BAD_PARTNER, reading_place(reading),
			  "rank %u has a %s with rank %u of communicator %u, but no process has that "
			  	"rank", reading->thread->process, what,
			  partner, ref);
}

static OTF2_CallbackCode reading_message(struct otf_reading *reading, uint64_t time, enum track_what what, uint32_t partner, uint32_t ref,
				 uint32_t tag, uint64_t size)
{
	struct track_record record = {.time = time, .what = (uint8_t)what, .tag = tag, .size = size};
	const struct otf_comm_view *comm;

	if (!reading->loader->world.mpi)
		return other(reading, time);
	comm = reading_comm_view(reading, ref);
	record.b = comm->comm != NO_COMM && partner < comm->count ? comm->ranks[partner] : NO_PROCESS;
	record.a = record.b == NO_PROCESS ? reading->loader->comms.world : comm->comm;
	if (__builtin_expect(record.b == NO_PROCESS, 0))
		note_partner(reading, "message", partner, ref);
	track_other(&reading->track, record);
	return reading_go_on(reading);
}

/* A message's size. */
static uint64_t known(const struct otf_reading *reading, const OTF2_AttributeList *attributes, uint64_t size)
{
	return unknowns(reading, attributes) & OTF_UNKNOWN_SENT ? OTF2_UNDEFINED_UINT64 : size;
}

static OTF2_CallbackCode reading_send(CALLBACK_ARGUMENTS, uint32_t partner, OTF2_CommRef comm, uint32_t tag, uint64_t size)
{
	READING(arg);
	return reading_message(reading, time, TRACK_SEND, partner, comm, tag, known(reading, attributes, size));
}

static OTF2_CallbackCode isend(CALLBACK_ARGUMENTS, uint32_t partner, OTF2_CommRef comm, uint32_t tag, uint64_t size, uint64_t request)
{
	READING(arg);
	track_send_request(&reading->track, request);
	return reading_message(reading, time, TRACK_SEND, partner, comm, tag, known(reading, attributes, size));
}

static OTF2_CallbackCode isend_complete(CALLBACK_ARGUMENTS, uint64_t request)
{
	READING(arg);
	track_request_over(&reading->track, request);
	return other(reading, time);
}

static OTF2_CallbackCode receive(CALLBACK_ARGUMENTS, uint32_t partner, OTF2_CommRef comm, uint32_t tag, uint64_t size)
{
	READING(arg);
	return reading_message(reading, time, TRACK_RECEIVE, partner, comm, tag, known(reading, attributes, size));
}

static OTF2_CallbackCode ireceive(CALLBACK_ARGUMENTS, uint32_t partner, OTF2_CommRef comm, uint32_t tag, uint64_t size, uint64_t request)
{
	READING(arg);
	(void)request;
	return reading_message(reading, time, TRACK_RECEIVE, partner, comm, tag, known(reading, attributes, size));
}

static OTF2_CallbackCode cancelled(CALLBACK_ARGUMENTS, uint64_t request)
{
	READING(arg);
	track_cancelled(&reading->track, request);
	return other(reading, time);
}

/* ---- collectives ---- */

static OTF2_CallbackCode reading_begin_collective(CALLBACK_ARGUMENTS)
{
	READING(arg);
	if (!reading->loader->world.mpi)
		return other(reading, time);
	track_begin(&reading->track, time);
	return reading_go_on(reading);
}

/* comm NO_COMM: it is no event. */
static struct track_hole what_it_is(struct otf_reading *reading, uint16_t op, uint32_t ref, uint32_t root, uint64_t sent, uint64_t received,
				    unsigned unknown)
{
	struct track_hole hole = {.comm = NO_COMM, .root = NO_PROCESS, .sent = sent, .received = received,
				  .unsaid = unknown & OTF_UNKNOWN_SENT};
	const struct otf_comm_view *comm;

	if (op == OTF2_NO_OP)
		return hole;
	comm = reading_comm_view(reading, ref);
	if (comm->comm == NO_COMM)
		note_partner(reading, "collective", 0, ref);
	if (comm->comm == NO_COMM || comm->size < 2)
		return hole;
	hole.comm = comm->comm;
	if (unknown & OTF_UNKNOWN_RECEIVED)
		hole.received = OTF2_UNDEFINED_UINT64;
	if (unknown & OTF_UNKNOWN_ROOT)
		return hole;
	if (root == OTF2_COLLECTIVE_ROOT_SELF)
		hole.root = reading->thread->process;
	else if (root < comm->count)
		hole.root = comm->ranks[root];
	return hole;
}

static OTF2_CallbackCode reading_end_collective(CALLBACK_ARGUMENTS, OTF2_CollectiveOp kind, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
	uint16_t op = otf_record_op(kind, false);
	struct track_hole found;

	READING(arg);
	if (!reading->loader->world.mpi)
		return other(reading, time);
	found = what_it_is(reading, op, comm, root, sent, received, unknowns(reading, attributes));
	track_collective(&reading->track, time, op, &found);
	return reading_go_on(reading);
}

static OTF2_CallbackCode request(CALLBACK_ARGUMENTS, uint64_t id)
{
	READING(arg);
	if (!reading->loader->world.mpi)
		return other(reading, time);
	track_request(&reading->track, time, id);
	return reading_go_on(reading);
}

static OTF2_CallbackCode complete(CALLBACK_ARGUMENTS, OTF2_CollectiveOp kind, OTF2_CommRef comm, uint32_t root, uint64_t sent,
				  uint64_t received, uint64_t id)
{
	uint16_t op = otf_record_op(kind, true);
	struct track_hole found;

	READING(arg);
	if (!reading->loader->world.mpi)
		return other(reading, time);
	found = what_it_is(reading, op, comm, root, sent, received, unknowns(reading, attributes));
	track_complete(&reading->track, time, id, op, &found);
	return reading_go_on(reading);
}

/* ---- what is left ---- */

static OTF2_CallbackCode reading_flush(CALLBACK_ARGUMENTS, OTF2_TimeStamp stop)
{
	struct track_record record = {.time = time, .stop = stop, .what = TRACK_FLUSH};

	READING(arg);
	track_other(&reading->track, record);
	return reading_go_on(reading);
}

static OTF2_CallbackCode on_off(CALLBACK_ARGUMENTS, OTF2_MeasurementMode mode)
{
	READING(arg);
	if (reading->off && time > reading->off_since)
		reading->off_ticks += time - reading->off_since;
	reading->off = mode == OTF2_MEASUREMENT_OFF;
	reading->off_since = time;
	return other(reading, time);
}

/* What it showed last; NULL: no memory. *first: it has not been there before. */
static double *last_shown(struct otf_reading *reading, uint32_t counter, bool *first)
{
	struct otf_shown *shown;

	for (uint32_t i = 0; i < reading->shown_count; i++)
		if (reading->shown[i].counter == counter)
			return &reading->shown[i].value;
	shown = mem_grow(reading->shown, reading->shown_count, &reading->shown_cap, sizeof *shown);
	if (!shown) {
		reading->track.failed = true;
		return NULL;
	}
	*first = true;
	reading->shown = shown;
	shown[reading->shown_count].counter = counter;
	return &shown[reading->shown_count++].value;
}

static double metric_number(OTF2_Type type, OTF2_MetricValue value)
{
	return type == OTF2_TYPE_DOUBLE ? value.floating_point
	       : type == OTF2_TYPE_INT64 ? (double)value.signed_int
					 : (double)value.unsigned_int;
}

static const struct otf_metric *class_of(const struct otf_defs *defs, uint32_t ref)
{
	uint32_t at = otf_refs_get(&defs->metric_at, ref);

	if (at != OTF2_NOWHERE && defs->metrics[at].instance)
		at = otf_refs_get(&defs->metric_at, defs->metrics[at].of);
	return at == OTF2_NOWHERE || defs->metrics[at].instance ? NULL : &defs->metrics[at];
}

static OTF2_CallbackCode metric(CALLBACK_ARGUMENTS, OTF2_MetricRef ref, uint8_t count, const OTF2_Type *types,
				const OTF2_MetricValue *values)
{
	const struct otf_defs *defs;
	const struct otf_metric *class;
	bool more = false;

	READING(arg);
	defs = &reading->loader->archive.defs;
	class = class_of(defs, ref);
	for (uint32_t i = 0; class && i < count && i < class->count; i++) {
		uint32_t at = otf_refs_get(&defs->metric_member_at, defs->member_refs[class->first + i]);
		struct track_record record = {.time = time, .what = TRACK_COUNT, .more = more};
		const struct otf_counter *counter;
		bool first = false;
		double value, *shown;

		if (at == OTF2_NOWHERE)
			continue;
		counter = &reading->loader->counters[at];
		value = metric_number(types[i], values[i]) * counter->scale;
		record.a = counter->counter;
		record.value = value;
		if (counter->counter == MAKE_NO_NUMBER) {
			record.what = TRACK_CPU_SAMPLE;
		} else if (!counter->relative) {
			shown = last_shown(reading, counter->counter, &first);
			if (!shown)
				return OTF2_CALLBACK_INTERRUPT;
			record.value = first ? 0 : value - *shown;
			*shown = value;
		}
		track_other(&reading->track, record);
		more = true;
	}
	return more ? reading_go_on(reading) : other(reading, time);
}

static OTF2_CallbackCode reading_unknown(CALLBACK_ARGUMENTS)
{
	READING(arg);
	return other(reading, time);
}

/* One-sided. */
static OTF2_CallbackCode reading_one_sided(struct otf_reading *reading, uint64_t time)
{
	reading->one_sided = true;
	return other(reading, time);
}

/* Records that say nothing but that their location did something then: OTHER(name, the types of what else the
 * callback is given). RMA(): the same of one-sided communication. */
#define OTHERS(OTHER, RMA) \
	OTHER(MpiRequestTest, uint64_t) \
	OTHER(MpiIrecvRequest, uint64_t) \
	OTHER(OmpFork, uint32_t) \
	OTHER(OmpAcquireLock, uint32_t, uint32_t) \
	OTHER(OmpReleaseLock, uint32_t, uint32_t) \
	OTHER(OmpTaskCreate, uint64_t) \
	OTHER(OmpTaskSwitch, uint64_t) \
	OTHER(OmpTaskComplete, uint64_t) \
	OTHER(ParameterString, OTF2_ParameterRef, OTF2_StringRef) \
	OTHER(ParameterInt, OTF2_ParameterRef, int64_t) \
	OTHER(ParameterUnsignedInt, OTF2_ParameterRef, uint64_t) \
	OTHER(ThreadFork, OTF2_Paradigm, uint32_t) \
	OTHER(ThreadJoin, OTF2_Paradigm) \
	OTHER(ThreadTeamBegin, OTF2_CommRef) \
	OTHER(ThreadTeamEnd, OTF2_CommRef) \
	OTHER(ThreadAcquireLock, OTF2_Paradigm, uint32_t, uint32_t) \
	OTHER(ThreadReleaseLock, OTF2_Paradigm, uint32_t, uint32_t) \
	OTHER(ThreadTaskCreate, OTF2_CommRef, uint32_t, uint32_t) \
	OTHER(ThreadTaskSwitch, OTF2_CommRef, uint32_t, uint32_t) \
	OTHER(ThreadTaskComplete, OTF2_CommRef, uint32_t, uint32_t) \
	OTHER(ThreadCreate, OTF2_CommRef, uint64_t) \
	OTHER(ThreadBegin, OTF2_CommRef, uint64_t) \
	OTHER(ThreadWait, OTF2_CommRef, uint64_t) \
	OTHER(ThreadEnd, OTF2_CommRef, uint64_t) \
	OTHER(CallingContextSample, OTF2_CallingContextRef, uint32_t, OTF2_InterruptGeneratorRef) \
	OTHER(IoCreateHandle, OTF2_IoHandleRef, OTF2_IoAccessMode, OTF2_IoCreationFlag, OTF2_IoStatusFlag) \
	OTHER(IoDestroyHandle, OTF2_IoHandleRef) \
	OTHER(IoDuplicateHandle, OTF2_IoHandleRef, OTF2_IoHandleRef, OTF2_IoStatusFlag) \
	OTHER(IoSeek, OTF2_IoHandleRef, int64_t, OTF2_IoSeekOption, uint64_t) \
	OTHER(IoChangeStatusFlags, OTF2_IoHandleRef, OTF2_IoStatusFlag) \
	OTHER(IoDeleteFile, OTF2_IoParadigmRef, OTF2_IoFileRef) \
	OTHER(IoOperationBegin, OTF2_IoHandleRef, OTF2_IoOperationMode, OTF2_IoOperationFlag, uint64_t, uint64_t) \
	OTHER(IoOperationTest, OTF2_IoHandleRef, uint64_t) \
	OTHER(IoOperationIssued, OTF2_IoHandleRef, uint64_t) \
	OTHER(IoOperationComplete, OTF2_IoHandleRef, uint64_t, uint64_t) \
	OTHER(IoOperationCancelled, OTF2_IoHandleRef, uint64_t) \
	OTHER(IoAcquireLock, OTF2_IoHandleRef, OTF2_LockType) \
	OTHER(IoReleaseLock, OTF2_IoHandleRef, OTF2_LockType) \
	OTHER(IoTryLock, OTF2_IoHandleRef, OTF2_LockType) \
	OTHER(ProgramBegin, OTF2_StringRef, uint32_t, const OTF2_StringRef *) \
	OTHER(ProgramEnd, int64_t) \
	OTHER(CommCreate, OTF2_CommRef) \
	OTHER(CommDestroy, OTF2_CommRef) \
	RMA(WinCreate, OTF2_RmaWinRef) \
	RMA(WinDestroy, OTF2_RmaWinRef) \
	RMA(CollectiveEnd, OTF2_CollectiveOp, OTF2_RmaSyncLevel, OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t) \
	RMA(GroupSync, OTF2_RmaSyncLevel, OTF2_RmaWinRef, OTF2_GroupRef) \
	RMA(RequestLock, OTF2_RmaWinRef, uint32_t, uint64_t, OTF2_LockType) \
	RMA(AcquireLock, OTF2_RmaWinRef, uint32_t, uint64_t, OTF2_LockType) \
	RMA(TryLock, OTF2_RmaWinRef, uint32_t, uint64_t, OTF2_LockType) \
	RMA(ReleaseLock, OTF2_RmaWinRef, uint32_t, uint64_t) \
	RMA(Sync, OTF2_RmaWinRef, uint32_t, OTF2_RmaSyncType) \
	RMA(WaitChange, OTF2_RmaWinRef) \
	RMA(Put, OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t) \
	RMA(Get, OTF2_RmaWinRef, uint32_t, uint64_t, uint64_t) \
	RMA(Atomic, OTF2_RmaWinRef, uint32_t, OTF2_RmaAtomicType, uint64_t, uint64_t, uint64_t) \
	RMA(OpCompleteBlocking, OTF2_RmaWinRef, uint64_t) \
	RMA(OpCompleteNonBlocking, OTF2_RmaWinRef, uint64_t) \
	RMA(OpTest, OTF2_RmaWinRef, uint64_t) \
	RMA(OpCompleteRemote, OTF2_RmaWinRef, uint64_t)

#define PARAMETERS_1(a) a p1
#define PARAMETERS_2(a, b) a p1, b p2
#define PARAMETERS_3(a, b, c) a p1, b p2, c p3
#define PARAMETERS_4(a, b, c, d) a p1, b p2, c p3, d p4
#define PARAMETERS_5(a, b, c, d, e) a p1, b p2, c p3, d p4, e p5
#define PARAMETERS_6(a, b, c, d, e, f) a p1, b p2, c p3, d p4, e p5, f p6
#define UNUSED_1(a) (void)p1
#define UNUSED_2(a, b) (void)p1, (void)p2
#define UNUSED_3(a, b, c) UNUSED_2(a, b), (void)p3
#define UNUSED_4(a, b, c, d) UNUSED_3(a, b, c), (void)p4
#define UNUSED_5(a, b, c, d, e) UNUSED_4(a, b, c, d), (void)p5
#define UNUSED_6(a, b, c, d, e, f) UNUSED_5(a, b, c, d, e), (void)p6
#define SIXTH(a, b, c, d, e, f, what, ...) what
#define PARAMETERS(...) \
	SIXTH(__VA_ARGS__, PARAMETERS_6, PARAMETERS_5, PARAMETERS_4, PARAMETERS_3, PARAMETERS_2, PARAMETERS_1, 0)(__VA_ARGS__)
#define UNUSED(...) SIXTH(__VA_ARGS__, UNUSED_6, UNUSED_5, UNUSED_4, UNUSED_3, UNUSED_2, UNUSED_1, 0)(__VA_ARGS__)

#define CALLBACK(name, then, ...)                                                          \
	static OTF2_CallbackCode on_##name(CALLBACK_ARGUMENTS, PARAMETERS(__VA_ARGS__))     \
	{                                                                                  \
		READING(arg);                                                              \
		UNUSED(__VA_ARGS__);                                                       \
		return then(reading, time);                                                \
	}
#define OTHER(name, ...) CALLBACK(name, other, __VA_ARGS__)
#define RMA(name, ...) CALLBACK(Rma##name, reading_one_sided, __VA_ARGS__)
OTHERS(OTHER, RMA)

static OTF2_CallbackCode on_RmaCollectiveBegin(CALLBACK_ARGUMENTS)
{
	READING(arg);
	return reading_one_sided(reading, time);
}

OTF2_EvtReaderCallbacks *otf_records_callbacks(void)
{
	OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

	if (!c)
		return NULL;
	OTF2_EvtReaderCallbacks_SetEnterCallback(c, reading_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(c, reading_leave);
	OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(c, enter_context);
	OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(c, leave_context);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, reading_send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, isend);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, isend_complete);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, receive);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, ireceive);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, cancelled);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, reading_begin_collective);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, reading_end_collective);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, request);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, complete);
	OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, reading_flush);
	OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(c, on_off);
	OTF2_EvtReaderCallbacks_SetMetricCallback(c, metric);
	OTF2_EvtReaderCallbacks_SetUnknownCallback(c, reading_unknown);
	OTF2_EvtReaderCallbacks_SetOmpJoinCallback(c, reading_unknown);
	OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(c, on_RmaCollectiveBegin);
#define SET_OTHER(name, ...) OTF2_EvtReaderCallbacks_Set##name##Callback(c, on_##name);
#define SET_RMA(name, ...) OTF2_EvtReaderCallbacks_SetRma##name##Callback(c, on_Rma##name);
	OTHERS(SET_OTHER, SET_RMA)
	return c;
}

static void reading_pass_record(struct track *track, const struct track_record *record)
{
	struct otf_reading *reading = track->arg;

	otf_record(&reading->teller, record, track_hole_of(track, record));
}

void otf_reading_init(struct otf_reading *reading, struct otf_loader *loader, struct make_share *share,
		       const struct otf_thread *thread, bool merged)
{
	*reading = (struct otf_reading){.loader = loader, .share = share, .thread = thread};
	track_init(&reading->track, &loader->kinds, &share->notes, thread->process);
	reading->track.arg = reading;
	reading->track.tell = merged ? NULL : reading_pass_record;
	otf_teller_init(&reading->teller, loader, share, thread);
}

void otf_reading_release(struct otf_reading *reading)
{
	track_release(&reading->track);
	mem_free(reading->shown);
}
