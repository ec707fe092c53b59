/* Reading the events: shares of the processes, a thread each, and how they become one trace again. */
#include <string.h>

#include "core/base/mem.h"
#include "core/trace/mpi_functions.h"
#include "make_int.h"
#include "core/trace/remote.h"
#include "inline.h"
#include "make_team.h"
#include "core/trace/times.h"

/* One reading of all records. */
struct events_reading {
	struct maker *maker;
	const struct make_reader *reader;
	uint32_t *group_of;        /* per process */
	struct make_total *totals; /* MAKE_GROUPS * kinds */
	struct make_brief *kinds;
	struct make_share *shares;
	unsigned share_count;
	struct parallel_stop stop;
};

/* ---- what of a record is rare ---- */

struct stream *make_other_stream(struct make_share *share, uint32_t process, int32_t thread)
{
	struct make_process *mine = &share->processes[process];
	struct stream *stream = thread_find(&mine->others, thread);

	if (stream)
		return stream;
	stream = mem_zero(1, sizeof *stream);
	if (!stream || !thread_add(&mine->others, thread, stream)) {
		mem_free(stream);
		share->failed = true;
		return &mine->main;
	}
	stream_init(stream, thread, share->maker->cpu_samples);
	if (!make_count_stream(share->maker, stream))
		share->failed = true;
	share->trace->processes[process].threads++;
	return stream;
}

/* Where the trace has times of its own, a clock that was synchronised is told with the record that follows: from there
 * on the raw clock showed so many seconds more than its new times. */
static double own_time(struct make_share *share, uint32_t process, double recorded)
{
	const struct make_watch *watch = share->watch;
	struct make_process *mine = &share->processes[process];
	size_t at = share->times->first[process] + mine->records;
	double time = at < share->times->first[process + 1] ? share->times->time[at] : mine->last_time;
	double later = mine->raw_later + (recorded + mine->recorded_shift - time);

	if (share->watched && watch->shift && isfinite(later) && !watch->shift(watch->arg, process, later))
		share->failed = true;
	mine->raw_later = (double)NAN;
	return time;
}

/* The first record, one of another thread, behind a new clock segment, at an earlier time, at no time. */
double make_odd_time(struct make_share *share, uint32_t process, int32_t thread, double recorded)
{
	struct make_process *mine = &share->processes[process];
	double time = share->times ? own_time(share, process, recorded) : recorded + mine->shift;

	if (!(fabs(time) < MAKE_TIME_LIMIT)) {
		notes_add(&share->notes, NOTE_BAD_TIME, make_place(share, process), "rank %u has a record at time %g", process,
			  recorded);
		time = mine->last_time;
	}
	if (time < mine->last_time && mine->last_thread == thread)
		notes_add(&share->notes, NOTE_TIME_BACKWARD, make_place(share, process),
			  "the clock of rank %u steps back by %.9g s at %.9g s", process, mine->last_time - time, time);
	mine->end = mine->seen ? make_end(mine) : time;
	if (!mine->seen || time < mine->start)
		mine->start = time;
	mine->seen = true;
	mine->last_time = time;
	mine->last_thread = thread;
	return time;
}

/* Only if the file was changed between counting and reading. */
void make_note_more(struct make_share *share, uint32_t process)
{
	notes_add(&share->notes, NOTE_FILE_CHANGED, NOTE_NOWHERE, "the number of events of rank %u grew while the trace was read", process);
}

bool make_keep_intercomm(struct make_share *share, uint32_t process, uint32_t partner_comm)
{
	struct intercomm_message *intercomm = mem_grow(share->intercomm, share->intercomm_count, &share->intercomm_cap, sizeof *intercomm);

	if (!intercomm) {
		share->failed = true;
		return false;
	}
	share->intercomm = intercomm;
	intercomm[share->intercomm_count++] = (struct intercomm_message){
		process, share->processes[process].next - share->maker->room[process], partner_comm};
	return true;
}

void make_relation(struct make_record r, uint64_t relation)
{
	if (r.mine->next >= r.mine->limit || !r.share->trace->match)
		return;
	r.share->trace->match[r.mine->next] = relation < NO_EVENT ? (uint32_t)relation : NO_EVENT;
	r.share->related = true;
}

void make_note_tag(struct make_share *share, uint32_t process, int32_t tag)
{
	notes_add(&share->notes, NOTE_BAD_MESSAGE, make_place(share, process), "a message of rank %u has tag %d", process, tag);
}

void make_note_size(struct make_share *share, uint32_t process, int64_t size)
{
	notes_add(&share->notes, NOTE_UNKNOWN_SIZE, make_place(share, process), "a message of rank %u has size %lld", process,
		  (long long)size);
}

static void note_no_start(struct make_share *share, struct stream *stream, uint32_t process, uint32_t kind)
{
	stream->unpaired++;
	notes_add(&share->notes, NOTE_UNPAIRED_STATE, make_place(share, process), "rank %u ends %s but never began it",
		  process, share->maker->kinds[kind].total.name);
}

/* A call that is open within one that ends has lost its own end. User states may overlap calls and each other. */
static void close_inner(struct make_record r, struct stream *stream, uint32_t depth)
{
	for (uint32_t at = stream->depth; at-- > depth;) {
		uint32_t open = stream->stack[at].kind;

		if (!r.share->kinds[open].call)
			continue;
		stream->unpaired++;
		notes_add(&r.share->notes, NOTE_UNPAIRED_STATE, make_place(r.share, r.process), "rank %u begins %s but never "
			  "ends it", r.process, r.share->maker->kinds[open].total.name);
		make_close(r, stream, at, false);
	}
}

void make_leave_slow(struct make_record r, struct stream *stream, uint32_t kind)
{
	uint32_t depth = stream->depth, limit = depth > MAKE_DEEPEST ? depth - MAKE_DEEPEST : 0;

	while (depth > limit && stream->stack[depth - 1].kind != kind)
		depth--;
	if (depth == limit) {
		note_no_start(r.share, stream, r.process, kind);
		return;
	}
	if (r.share->kinds[kind].call)
		close_inner(r, stream, depth);
	make_close(r, stream, depth - 1, true);
}

/* As if an event followed there: what comes after is of no event. */
void make_work_ends(struct make_record r, struct stream *stream)
{
	if (r.mine->finalize_at)
		return;
	r.mine->finalize = make_end(r.mine);
	r.mine->finalize_at = r.mine->records;
	make_store(r.share, stream_event(stream, NO_EVENT));
}

/* ---- shares ---- */

/* Share the rank's processes out by the room that their events have; a group of processes is one share's. */
static void share_out(struct events_reading *reading)
{
	const struct maker *maker = reading->maker;
	uint32_t begin, end, p;
	uint64_t all;

	trace_local(maker->trace, &begin, &end);
	all = (uint64_t)maker->room[end] + (end - begin);
	p = begin;
	for (unsigned i = 0; i < reading->share_count; i++) {
		reading->shares[i].first = p;
		while (p < end && ((uint64_t)maker->room[p] + (p - begin) < all * (i + 1) / reading->share_count ||
				   (p > begin && reading->group_of[p] == reading->group_of[p - 1])))
			p++;
		reading->shares[i].end = i + 1 == reading->share_count ? end : p;
	}
}

static enum err_code reading_init(struct events_reading *reading, struct err *e)
{
	struct maker *maker = reading->maker;
	uint32_t n = maker->trace->process_count;
	const struct trace_times *times = maker->times && maker->times->figures.steps && maker->times->process_count == n ? maker->times : NULL;

	maker->processes = mem_zero(n, sizeof *maker->processes);
	reading->group_of = mem_alloc(n, sizeof *reading->group_of);
	reading->totals = mem_zero((size_t)MAKE_GROUPS * maker->kind_count, sizeof *reading->totals);
	reading->kinds = mem_zero(maker->kind_count, sizeof *reading->kinds);
	reading->shares = mem_zero(reading->share_count, sizeof *reading->shares);
	if (!maker->processes || !reading->group_of || !reading->totals || !reading->kinds || !reading->shares)
		return err_memory(e, "the processes");
	for (uint32_t k = 0; k < maker->kind_count; k++) {
		const struct make_kind *kind = &maker->kinds[k];

		reading->kinds[k] = (struct make_brief){
			kind->total.mpi || (kind->tracer && !maker->cpu_samples), kind->total.mpi, kind->tracer, kind->starts,
			kind->total.mpi && mpi_traits(kind->total.name) & MPI_ENDS_WORK, (uint8_t)kind->time};
	}
	for (uint32_t p = 0; p < n; p++) {
		struct make_process *mine = &maker->processes[p];

		stream_init(&mine->main, 0, maker->cpu_samples);
		reading->group_of[p] = (uint32_t)((uint64_t)p * MAKE_GROUPS / n);
		maker->trace->processes[p].threads = 1;
		mine->next = maker->room[p];
		mine->limit = maker->room[p + 1];
		mine->totals = reading->totals + (size_t)reading->group_of[p] * maker->kind_count;
		mine->last_thread = MAKE_NO_THREAD;
		mine->raw_later = (double)NAN;
		mine->said_size = -1;
		if (times)
			mine->shift = (double)NAN;
	}
	share_out(reading);
	for (unsigned i = 0; i < reading->share_count; i++) {
		struct make_share *share = &reading->shares[i];

		share->number = i;
		share->leads = i == 0 && team_rank(maker->team) == 0;
		share->place = NOTE_NOWHERE;
		share->maker = maker;
		share->trace = maker->trace;
		share->processes = maker->processes;
		share->kinds = reading->kinds;
		share->watch = maker->watch;
		share->watched = maker->watch;
		share->watch_alone = maker->watch_alone;
		share->cpu_samples = maker->cpu_samples;
		share->times = times;
		share->stop = &reading->stop;
		notes_init(&share->notes);
		if (!make_count_share(share))
			return err_memory(e, "the counters");
	}
	return ERR_OK;
}

static void reading_release(struct events_reading *reading)
{
	struct maker *maker = reading->maker;

	for (uint32_t p = 0; maker->processes && p < maker->trace->process_count; p++) {
		struct make_process *mine = &maker->processes[p];

		for (uint32_t i = 0; i <= mine->others.count; i++)
			stream_release(make_stream_number(mine, i));
		for (uint32_t i = 0; i < mine->others.count; i++)
			mem_free(mine->others.list[i].of);
		thread_list_release(&mine->others);
	}
	for (unsigned i = 0; reading->shares && i < reading->share_count; i++) {
		notes_release(&reading->shares[i].notes);
		mem_free(reading->shares[i].intercomm);
		mem_free(reading->shares[i].counted);
	}
	mem_free(maker->processes);
	maker->processes = NULL;
	mem_free(reading->group_of);
	mem_free(reading->totals);
	mem_free(reading->kinds);
	mem_free(reading->shares);
}

static void watch_cpu(struct make_share *share, uint32_t process, struct stream *stream)
{
	const struct make_watch *watch = share->watch;

	if (watch->cpu && stream->cpu_known && !watch->cpu(watch->arg, process, stream->thread, stream_cpu(stream)))
		share->failed = true;
}

/* Where the process's work ends, as far as it has come (struct process.work_end), and which record says so. */
static double work_end_recorded(const struct make_process *mine, uint64_t *record)
{
	if (mine->finalize_at) {
		*record = mine->finalize_at;
		return mine->finalize;
	}
	if (mine->tracer_last == mine->records && mine->tracer_first > 1) {
		*record = mine->tracer_first - 1;
		return mine->untraced_end;
	}
	*record = mine->records;
	return make_end(mine);
}

/* The last event's compute time: not known where its call was not seen to end. */
static void finish_stream(struct make_share *share, const struct make_process *mine, struct stream *stream, bool open)
{
	uint64_t record;
	double end = work_end_recorded(mine, &record);

	make_store(share, stream_finish(stream, end, !open && (record > stream->event_end || end > stream->event_end_time)));
}

/* States that are open at the end. */
static void close_streams(struct make_share *share)
{
	bool cut = atomic_load(&share->stop->stopped);

	for (uint32_t p = share->first; p < share->end; p++) {
		struct make_process *mine = &share->processes[p];

		for (uint32_t i = 0; i <= mine->others.count; i++) {
			struct stream *stream = make_stream_number(mine, i);
			struct make_record r = {share, mine, p, stream->thread, mine->last_time};
			bool open = stream->event_in_call;

			stream->unpaired += stream->depth;
			if (stream->depth && !cut)
				notes_add(&share->notes, NOTE_UNPAIRED_STATE,
					  (struct note_place){-1, (int32_t)p, -1, -1, -1},
					  "rank %u begins %s but never ends it", p,
					  share->maker->kinds[stream->stack[stream->depth - 1].kind].total.name);
			while (stream->depth)
				make_close(r, stream, stream->depth - 1, false);
			finish_stream(share, mine, stream, open);
			if (share->watched)
				watch_cpu(share, p, stream);
		}
	}
}

static void read_share(void *arg, unsigned number)
{
	struct events_reading *reading = arg;
	struct make_share *share = &reading->shares[number];

	share->code = reading->reader->read(reading->reader->arg, share, &share->err);
	if (share->code == ERR_OK && share->failed)
		share->code = err_memory(&share->err, "the trace's events");
	if (share->code != ERR_OK)
		return;
	close_streams(share);
	if (share->failed)
		share->code = err_memory(&share->err, "the trace's calls");
}

bool maker_thread_calls(const struct maker *maker, uint32_t process, int32_t thread)
{
	struct make_process *mine = &maker->processes[process];
	const struct stream *stream = thread ? thread_find(&mine->others, thread) : &mine->main;

	return stream && stream->calls > stream->unpaired;
}

/* ---- one trace of all shares, in an order that does not depend on how many there are ---- */

static enum err_code gather_intercomm(struct maker *maker, const struct make_share *share, struct err *e)
{
	for (size_t k = 0; k < share->intercomm_count; k++) {
		struct intercomm_message *intercomm = mem_grow(maker->intercomm, maker->intercomm_count, &maker->intercomm_cap, sizeof *intercomm);

		if (!intercomm)
			return err_memory(e, "messages between communicators");
		maker->intercomm = intercomm;
		intercomm[maker->intercomm_count++] = share->intercomm[k];
	}
	return ERR_OK;
}

/* An event within MPI_Finalize, which nobody should have made, is no less of the run. */
static double work_end_with_events(const struct maker *maker, const struct make_process *mine)
{
	const struct trace *t = maker->trace;
	uint64_t record;
	double end = work_end_recorded(mine, &record);

	return t->time && mine->next > maker->room[mine - maker->processes] ? fmax(end, t->time[mine->next - 1]) : end;
}

static void gather_processes(struct maker *maker)
{
	for (uint32_t p = 0; p < maker->trace->process_count; p++) {
		const struct make_process *mine = &maker->processes[p];
		struct process *out = &maker->trace->processes[p];

		out->start = mine->start;
		out->end = make_end(mine);
		out->work_end = work_end_with_events(maker, mine);
		out->records = mine->records;
		memcpy(out->by_kind, mine->by_kind, sizeof out->by_kind);
		maker->used[p] = mine->next - maker->room[p];
	}
}

static void gather_totals(struct maker *maker, const struct make_total *totals)
{
	for (size_t g = 0; g < MAKE_GROUPS; g++)
		for (uint32_t k = 0; k < maker->kind_count; k++) {
			struct state_total *total = &maker->kinds[k].total;
			const struct make_total *part = &totals[g * maker->kind_count + k];

			total->count += part->count;
			total->inclusive += part->inclusive;
			total->exclusive += part->exclusive;
		}
}

static void gather_notes(struct notes *to, const struct events_reading *reading, struct notes *found)
{
	for (unsigned i = 0; i < reading->share_count; i++)
		found[i] = reading->shares[i].notes;
	notes_merge(to, found, reading->share_count);
}

/* With a team all that was gathered becomes that of all ranks. */
static enum err_code gather_team(struct events_reading *reading, struct notes *found, struct err *e)
{
	struct maker *maker = reading->maker;
	struct notes local;
	enum err_code code;

	if (!maker->team) {
		gather_notes(&maker->trace->notes, reading, found);
		return ERR_OK;
	}
	notes_init(&local);
	gather_notes(&local, reading, found);
	code = make_team_gather(maker, reading->totals, &local, e);
	notes_release(&local);
	return code;
}

static enum err_code shares_gather(struct events_reading *reading, bool *again, struct err *e)
{
	struct maker *maker = reading->maker;
	const struct make_reader *reader = reading->reader;
	struct notes *found = mem_alloc(reading->share_count, sizeof *found);
	enum err_code code = found ? ERR_OK : err_memory(e, "the trace's notes");

	for (unsigned i = 0; code == ERR_OK && i < reading->share_count; i++) {
		const struct make_share *share = &reading->shares[i];

		if (share->code != ERR_OK) {
			*e = share->err;
			code = share->code;
			break;
		}
		maker->states_seen = maker->states_seen || share->states_seen;
		maker->related = maker->related || share->related;
		maker->cpu_sample_count += share->cpu_sample_count;
		maker->bad_samples += share->bad_samples;
		code = gather_intercomm(maker, share, e);
	}
	gather_processes(maker);
	make_count_gather(maker, reading->shares, reading->share_count);
	if (code == ERR_OK && reader->settle)
		code = reader->settle(reader->arg, again, e);
	if (code == ERR_OK)
		code = gather_team(reading, found, e);
	if (code == ERR_OK)
		gather_totals(maker, reading->totals);
	mem_free(found);
	return code;
}

static enum err_code shares_read_all(struct maker *maker, const struct make_reader *reader, bool *again, struct err *e)
{
	uint32_t n = maker->trace->process_count, begin, end;
	struct events_reading reading = {.maker = maker, .reader = reader, .share_count = maker->threads, .stop = {.progress = maker->progress}};
	enum err_code code;

	trace_local(maker->trace, &begin, &end);
	if (reading.share_count > end - begin)
		reading.share_count = end > begin ? end - begin : 1;
	*again = false;
	code = reading_init(&reading, e);
	if (code == ERR_OK && maker->watch && !maker->watch->begin(maker->watch->arg, n, maker->kinds, maker->kind_count))
		code = err_memory(e, "the trace's calls");
	if (code == ERR_OK && reader->begin)
		code = reader->begin(reader->arg, reading.shares, reading.share_count, e);
	if (code == ERR_OK) {
		parallel_run(reading.share_count, read_share, &reading);
		maker->stopped = atomic_load(&reading.stop.stopped);
		code = shares_gather(&reading, again, e);
	}
	reading_release(&reading);
	return code;
}

/* ---- once more, where something was found out on the way ---- */

/* What was found will be found again. */
static void forget_events(struct maker *maker)
{
	static const enum note_kind kinds[] = {NOTE_BAD_TIME, NOTE_TIME_BACKWARD, NOTE_UNKNOWN_PROCESS, NOTE_BAD_PARTNER,
					       NOTE_BAD_MESSAGE, NOTE_UNKNOWN_SIZE, NOTE_UNPAIRED_STATE, NOTE_BAD_CARGO, NOTE_BAD_THREAD,
					       NOTE_DISTRUST, NOTE_MEASUREMENT_OFF};
	struct trace *t = maker->trace;

	if (t->compute)
		memset(t->compute, 0, (size_t)maker->room[t->process_count] * sizeof *t->compute);
	if (t->match && maker->related)
		memset(t->match, 0, (size_t)maker->room[t->process_count] * sizeof *t->match);
	maker->intercomm_count = 0;
	maker->cpu_sample_count = maker->bad_samples = 0;
	make_count_forget(maker);
	for (uint32_t k = 0; k < maker->kind_count; k++) {
		struct state_total *total = &maker->kinds[k].total;

		total->count = 0;
		total->inclusive = total->exclusive = 0;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		notes_forget(&t->notes, kinds[i]);
}

static enum err_code read_settled(struct maker *maker, const struct make_reader *reader, struct err *e)
{
	bool again;
	enum err_code code = shares_read_all(maker, reader, &again, e);

	if (code != ERR_OK || !again || maker->stopped)
		return code;
	forget_events(maker);
	return shares_read_all(maker, reader, &again, e);
}

/* Once more without CPU samples if they turn out to be unusable. */
static enum err_code read_events(struct maker *maker, const struct make_reader *reader, struct err *e)
{
	bool again;
	enum err_code code = read_settled(maker, reader, e);

	if (code != ERR_OK || !maker->cpu_samples)
		return code;
	if (maker->cpu_sample_count && maker->bad_samples * 100 <= maker->cpu_sample_count)
		return ERR_OK;
	maker->cpu_samples = false;
	if (maker->stopped)
		return ERR_OK;
	forget_events(maker);
	return shares_read_all(maker, reader, &again, e);
}

/* ---- the whole ---- */

/* Close the gaps that unused room left, column by column, and give back the rest. */
static void close_column(const struct maker *maker, void **column, size_t size)
{
	const struct trace *t = maker->trace;
	char *bytes = *column;
	void *shrunk;

	for (uint32_t p = 0; p < t->process_count; p++)
		if (t->first[p] != maker->room[p])
			memmove(bytes + t->first[p] * size, bytes + maker->room[p] * size, maker->used[p] * size);
	if (maker->room[t->process_count] == t->event_count)
		return;
	shrunk = mem_resize(bytes, t->event_count, size);
	if (shrunk)
		*column = shrunk;
}

#define CLOSE_COLUMN(maker, column)                                                   \
	do {                                                                          \
		void *moved = (maker)->trace->column;                                 \
		close_column(maker, &moved, sizeof *(maker)->trace->column);          \
		(maker)->trace->column = moved;                                       \
	} while (0)

static enum err_code close_room(struct maker *maker, struct err *e)
{
	struct trace *t = maker->trace;

	for (uint32_t p = 0; p < t->process_count; p++)
		t->first[p + 1] = t->first[p] + maker->used[p];
	t->event_count = t->first[t->process_count];
	CLOSE_COLUMN(maker, time);
	CLOSE_COLUMN(maker, compute);
	CLOSE_COLUMN(maker, type);
	CLOSE_COLUMN(maker, size_code);
	CLOSE_COLUMN(maker, envelope);
	if (t->tag)
		CLOSE_COLUMN(maker, tag);
	CLOSE_COLUMN(maker, match);
	return trace_index(t, e);
}

static void note_missing(struct trace *t, uint32_t process)
{
	struct note_place place = {-1, (int32_t)process, -1, -1, -1};

	if (t->file_count > 1 || !t->files[0].finalized)
		notes_add(&t->notes, NOTE_MISSING_FILE, place, "the file of rank %u was not given", process);
	else
		notes_add(&t->notes, NOTE_MISSING_PROCESS, place, "rank %u has no records", process);
}

static void processes_sum_up(struct maker *maker)
{
	struct trace *t = maker->trace;
	bool any = false;

	for (uint32_t p = 0; p < t->process_count; p++) {
		struct process *process = &t->processes[p];
		double rest = process->end - process->start;

		for (int k = 0; k < TIME_KINDS; k++)
			rest -= k == TIME_COMPUTE ? 0 : process->by_kind[k];
		process->by_kind[TIME_COMPUTE] = rest > 0 ? rest : 0;
		if (!process->records) {
			note_missing(t, p);
			continue;
		}
		if (!any || process->start < t->start)
			t->start = process->start;
		if (!any || process->end > t->end)
			t->end = process->end;
		any = true;
	}
	t->compute_source = maker->cpu_samples	 ? COMPUTE_FROM_EVENTS
			    : maker->states_seen ? COMPUTE_FROM_STATES
						 : COMPUTE_FROM_GAPS;
}

/* A collective step, whatever came before it. */
static enum err_code settle_sizes(struct maker *maker, enum err_code code, struct err *e)
{
	uint64_t incredible;

	code = maker_agreed(maker, team_agree(maker->team, code, e));
	if (!code)
		code = maker_agreed(maker, trace_settle_sizes(maker->trace, &maker->sizes, &incredible, e));
	if (!code && incredible)
		notes_add(&maker->trace->notes, NOTE_UNKNOWN_SIZE, NOTE_NOWHERE,
			  "%llu impossible sizes: the large ones add up to more than %lld bytes", (unsigned long long)incredible,
			  (long long)INT64_MAX);
	return code;
}

enum err_code make_events(struct maker *maker, const struct make_reader *reader, struct err *e)
{
	enum err_code code;

	code = make_count_begin(maker, e);
	if (code == ERR_OK) {
		/* Seconds are from states where they tell how much of them a counter's increase stands for. */
		maker->cpu_samples = maker->cpu_samples && maker->counter == MAKE_NO_NUMBER;
		code = read_events(maker, reader, e);
	}
	if (code == ERR_OK && !maker->watch_alone) {
		processes_sum_up(maker);
		code = make_count_finish(maker, e);
		if (code == ERR_OK)
			code = close_room(maker, e);
		code = settle_sizes(maker, code, e);
	}
	return code;
}
