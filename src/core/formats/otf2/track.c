#include "records.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/mem.h"

/* What a request is of: below the bits of a hole's number. */
#define REQUEST_SEND 1u
#define REQUEST_COLLECTIVE 2u

void track_init(struct track *track, const struct otf_kinds *kinds, struct notes *notes, uint32_t process)
{
	*track = (struct track){.kinds = kinds, .notes = notes, .process = process, .call_hole = TRACK_NO_HOLE};
}

void track_release(struct track *track)
{
	mem_free(track->queue);
	mem_free(track->holes);
	mem_free(track->open);
	otf_requests_release(&track->requests);
}

static struct note_place track_place(const struct track *track)
{
	return (struct note_place){0, (int32_t)track->process, -1, -1, -1};
}

/* ---- the queue ---- */

/* Room at the end: the front's, if that is most of it, otherwise more. */
__attribute__((cold)) bool track_more_room(struct track *track)
{
	struct track_record *queue;

	if (track->first > track->end / 2) {
		memmove(track->queue, track->queue + track->first, (track->end - track->first) * sizeof *track->queue);
		track->end -= track->first;
		track->first = 0;
		return true;
	}
	queue = mem_grow(track->queue, track->end, &track->cap, sizeof *queue);
	if (queue)
		track->queue = queue;
	track->failed = !queue;
	return queue;
}

const struct track_record *track_take(struct track *track)
{
	const struct track_record *record = &track->queue[track->first++];

	return record;
}

static void pass_on(struct track *track)
{
	if (!track->tell)
		return;
	while (track->first < track->end && track_ready(track))
		track->tell(track, track_take(track));
	if (track->first == track->end)
		track->first = track->end = 0;
}

static struct track_hole *track_hole_at(struct track *track, uint32_t number)
{
	return &track->holes[number - track->hole_first];
}

/* What would hold back ever more records, as a request that nothing completes, is not waited for. */
__attribute__((cold)) void track_waits_long(struct track *track)
{
	uint32_t number = track->queue[track->first].b;

	if (track_ready(track))
		return;
	track_hole_at(track, number)->state = HOLE_NONE;
	notes_add(track->notes, NOTE_UNPAIRED_STATE, track_place(track),
		  "rank %u: a call has no kind within %u records; pas2p did not look "
		  	"further", track->process, TRACK_HELD_MOST);
	pass_on(track);
}

/* A hole for a collective, of the record that is held next. TRACK_NO_HOLE: no memory. */
static uint32_t add_hole(struct track *track)
{
	uint32_t n = track->hole_end - track->hole_first;
	struct track_hole *holes;

	/* If nothing is held no hole is of use, but those of requests, which hold. */
	if (track->first == track->end) {
		track->hole_first = track->hole_end;
		n = 0;
	}
	holes = mem_grow(track->holes, n, &track->hole_cap, sizeof *holes);
	if (!holes || track->hole_end == TRACK_NO_HOLE - 1) {
		track->holes = holes ? holes : track->holes;
		track->failed = true;
		return TRACK_NO_HOLE;
	}
	track->holes = holes;
	holes[n] = (struct track_hole){.state = HOLE_OPEN};
	return track->hole_end++;
}

/* Whether it is there still, and nothing has filled it. */
static bool is_open(struct track *track, uint32_t number)
{
	return number != TRACK_NO_HOLE && number >= track->hole_first && track_hole_at(track, number)->state == HOLE_OPEN;
}

static void close_hole(struct track *track, uint32_t number)
{
	if (is_open(track, number))
		track_hole_at(track, number)->state = HOLE_NONE;
}

static void hold_collective(struct track *track, uint64_t time, uint32_t number)
{
	const struct track_record record = {.time = time, .what = TRACK_COLLECTIVE, .b = number};

	if (number != TRACK_NO_HOLE)
		track_hold(track, record);
}

/* ---- calls ---- */

static void push_call(struct track *track, uint32_t kind)
{
	uint32_t *open = mem_grow(track->open, track->depth, &track->open_cap, sizeof *open);

	track->failed = track->failed || !open;
	if (!open)
		return;
	track->open = open;
	open[track->depth++] = kind;
}

void track_enter(struct track *track, uint64_t time, uint32_t kind)
{
	struct track_record record = {.time = time, .a = kind, .b = TRACK_NO_HOLE, .what = TRACK_ENTER};

	if (!track->kinds->list[kind].mpi) {
		track_other(track, record);
		return;
	}
	if (!track->depth) {
		record.b = track->call_hole = add_hole(track);
		track_hold(track, record);
	} else {
		track_other(track, record);
	}
	push_call(track, kind);
}

static void note_no_end(struct track *track, const char *what)
{
	notes_add(track->notes, NOTE_UNPAIRED_STATE, track_place(track), "rank %u begins %s but never ends "
								 "it", track->process, what);
}

static void give_up_begun(struct track *track)
{
	if (!track->begun)
		return;
	track->begun = false;
	close_hole(track, track->begun_hole);
	note_no_end(track, track->begun_op == OTF2_NO_OP ? "a collective" : track->kinds->ops[track->begun_op]);
}

void track_leave(struct track *track, uint64_t time, uint32_t kind)
{
	const struct track_record record = {.time = time, .a = kind, .what = TRACK_LEAVE};
	uint32_t depth = track->depth, limit = depth > MAKE_DEEPEST ? depth - MAKE_DEEPEST : 0;

	track_other(track, record);
	if (!track->kinds->list[kind].mpi)
		return;
	while (depth > limit && track->open[depth - 1] != kind)
		depth--;
	if (depth == limit)
		return; /* it never began */
	track->depth = depth - 1;
	if (track->depth)
		return;
	/* One that began within the call and has not ended by now, was none. */
	if (track->begun && track->begun_in_call)
		give_up_begun(track);
	close_hole(track, track->call_hole);
	track->call_hole = TRACK_NO_HOLE;
	pass_on(track);
}

/* ---- collectives ---- */

/* The hole that a collective fills which is met now: the outermost call's, unless that has had one; otherwise one at
 * this place. Within a call within another: none. */
static uint32_t place_collective(struct track *track, uint64_t time)
{
	const struct track_record other = {.time = time, .what = TRACK_OTHER};
	uint32_t number = track->depth == 1 ? track->call_hole : TRACK_NO_HOLE;

	if (track->depth > 1 || number != TRACK_NO_HOLE) {
		track_other(track, other);
		track->call_hole = track->depth == 1 ? TRACK_NO_HOLE : track->call_hole;
		return number;
	}
	number = add_hole(track);
	hold_collective(track, time, number);
	return number;
}

static uint16_t op_of_call(const struct track *track)
{
	return track->depth ? track->kinds->list[track->open[track->depth - 1]].op : OTF2_NO_OP;
}

static void track_hole_fill(struct track *track, uint32_t number, uint16_t of_call, uint16_t op, const struct track_hole *found)
{
	struct track_hole *at;

	if (!is_open(track, number))
		return;
	at = track_hole_at(track, number);
	*at = *found;
	at->op = of_call != OTF2_NO_OP && op != OTF2_NO_OP ? of_call : op;
	at->state = op == OTF2_NO_OP || found->comm == NO_COMM ? HOLE_NONE : HOLE_FILLED;
}

void track_begin(struct track *track, uint64_t time)
{
	give_up_begun(track);
	track->begun_op = op_of_call(track);
	track->begun_hole = place_collective(track, time);
	track->begun = true;
	track->begun_in_call = track->depth;
}

void track_collective(struct track *track, uint64_t time, uint16_t op, const struct track_hole *found)
{
	const struct track_record other = {.time = time, .what = TRACK_OTHER};

	if (!track->begun) {
		uint16_t of_call = op_of_call(track);

		track_hole_fill(track, place_collective(track, time), of_call, op, found);
	} else {
		track_other(track, other);
		track->begun = false;
		track_hole_fill(track, track->begun_hole, track->begun_op, op, found);
	}
	pass_on(track);
}

/* ---- requests ---- */

static void put_request(struct track *track, uint64_t id, uint64_t what)
{
	uint64_t before = 0;

	if (!otf_requests_put(&track->requests, id, what, &before))
		track->failed = true;
	if ((before & 0xFF) == REQUEST_COLLECTIVE) {
		close_hole(track, (uint32_t)(before >> 32));
		note_no_end(track, "a nonblocking collective");
	}
}

void track_request(struct track *track, uint64_t time, uint64_t id)
{
	uint16_t op = op_of_call(track);
	uint32_t number = place_collective(track, time);

	put_request(track, id, (uint64_t)number << 32 | (uint64_t)op << 8 | REQUEST_COLLECTIVE);
}

void track_complete(struct track *track, uint64_t time, uint64_t id, uint16_t op, const struct track_hole *found)
{
	const struct track_record other = {.time = time, .what = TRACK_OTHER};
	uint64_t what = otf_requests_take(&track->requests, id);

	track_other(track, other);
	if ((what & 0xFF) != REQUEST_COLLECTIVE) {
		notes_add(track->notes, NOTE_UNPAIRED_STATE, track_place(track),
			  "rank %u completes request %" PRIu64 ", but no collective began with it", track->process, id);
		return;
	}
	track_hole_fill(track, (uint32_t)(what >> 32), (uint16_t)(what >> 8), op, found);
	pass_on(track);
}

void track_send_request(struct track *track, uint64_t id)
{
	put_request(track, id, REQUEST_SEND);
}

void track_request_over(struct track *track, uint64_t id)
{
	uint64_t what = otf_requests_take(&track->requests, id);

	if ((what & 0xFF) == REQUEST_COLLECTIVE) {
		close_hole(track, (uint32_t)(what >> 32));
		note_no_end(track, "a nonblocking collective");
		pass_on(track);
	}
}

void track_cancelled(struct track *track, uint64_t id)
{
	uint64_t what = otf_requests_take(&track->requests, id);

	if (what == REQUEST_SEND)
		notes_add(track->notes, NOTE_DISTRUST, track_place(track), "rank %u cancels a send, which remains an "
								   "event", track->process);
	if ((what & 0xFF) == REQUEST_COLLECTIVE) {
		close_hole(track, (uint32_t)(what >> 32));
		note_no_end(track, "a nonblocking collective");
		pass_on(track);
	}
}

void track_end(struct track *track, bool quiet)
{
	uint64_t what;

	if (quiet)
		close_hole(track, track->begun ? track->begun_hole : TRACK_NO_HOLE);
	else
		give_up_begun(track);
	track->begun = false;
	close_hole(track, track->call_hole);
	track->call_hole = TRACK_NO_HOLE;
	for (size_t at = 0; (what = otf_requests_each(&track->requests, &at)) != 0;)
		if ((what & 0xFF) == REQUEST_COLLECTIVE) {
			close_hole(track, (uint32_t)(what >> 32));
			if (!quiet)
				note_no_end(track, "a nonblocking collective");
		}
	otf_requests_clear(&track->requests);
	track->depth = 0;
	pass_on(track);
}
