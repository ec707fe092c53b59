#include "prv_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/base/search.h"

/* Said of states that stand for calls. */
#define STATE_BEGINS 0xf0
#define STATE_ENDS 0xf1
#define VALUE_MOST (((uint64_t)1 << 56) - 1)
#define NEVER INT64_MAX

static uint8_t what_of(const struct prv_said *said)
{
	return (uint8_t)said->what;
}

static uint64_t said_value_of(const struct prv_said *said)
{
	return said->what >> 8;
}

void prv_room_release(struct prv_room *room)
{
	mem_free(room->said);
	mem_free(room->spare);
	mem_free(room->ends);
	mem_free(room->calls);
	mem_free(room->open);
	mem_free(room->functions);
	map_free(room->colls);
}

/* ---- unpacking ---- */

static bool room_add_said(struct prv_room *room, int64_t time, uint8_t what, uint64_t value)
{
	struct prv_said *said = mem_grow(room->said, room->said_count, &room->said_cap, sizeof *said);

	if (!said)
		return false;
	room->said = said;
	said[room->said_count++] = (struct prv_said){time, (value < VALUE_MOST ? value : VALUE_MOST) << 8 | what};
	return true;
}

static bool take_end(struct prv_room *room, struct prv_take *take)
{
	struct prv_end *ends = mem_grow(room->ends, room->end_count, &room->end_cap, sizeof *ends), *end;

	if (!ends)
		return false;
	room->ends = ends;
	end = &ends[room->end_count++];
	*end = (struct prv_end){.time = take->time, .receive = take->what == PRV_RAW_RECEIVE};
	end->partner = (uint32_t)prv_take_number(take);
	end->tag = (uint32_t)prv_take_number(take);
	end->size = prv_take_number(take);
	end->relation = (uint32_t)prv_take_relation(take);
	end->logical = end->receive ? prv_take_signed(take) + take->time : 0;
	return true;
}

static bool unpack(struct prv_room *room, const struct prv_pack *raw)
{
	struct prv_take take;
	bool taken = true;

	prv_take_init(&take, raw);
	while (taken && prv_take_next(&take))
		if (take.what == PRV_RAW_SEND || take.what == PRV_RAW_RECEIVE)
			taken = take_end(room, &take);
		else if (take.what >= PRV_RAW_END && take.what < PRV_RAW_ATTRIBUTE)
			taken = room_add_said(room, take.time, take.what, 0);
		else
			taken = room_add_said(room, take.time, take.what, prv_take_number(&take));
	return taken;
}

/* ---- order ---- */

static void merge_sort(struct prv_said *list, size_t n, struct prv_said *spare)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	merge_sort(list, half, spare);
	merge_sort(list + half, n - half, spare);
	if (list[half - 1].time <= list[half].time)
		return;
	memcpy(spare, list, half * sizeof *spare);
	while (i < half && j < n)
		list[k++] = list[j].time < spare[i].time ? list[j++] : spare[i++];
	memcpy(list + k, spare + i, (half - i) * sizeof *list);
}

/* By time; what is of one instant stays as it is. */
static bool sort_said(struct prv_room *room)
{
	bool sorted = true;

	for (size_t i = 1; sorted && i < room->said_count; i++)
		sorted = room->said[i - 1].time <= room->said[i].time;
	if (sorted)
		return true;
	if (room->spare_cap < room->said_count / 2 + 1) {
		mem_free(room->spare);
		room->spare_cap = room->said_count / 2 + 1;
		room->spare = mem_alloc(room->spare_cap, sizeof *room->spare);
		if (!room->spare) {
			room->spare_cap = 0;
			return false;
		}
	}
	merge_sort(room->said, room->said_count, room->spare);
	return true;
}

ORDER_BY(compare_ends, struct prv_end, UP(place) UP(time) UP(receive) UP(logical) UP(relation))

static void sort_ends(struct prv_room *room)
{
	for (size_t i = 1; i < room->end_count; i++)
		if (compare_ends(&room->ends[i - 1], &room->ends[i]) > 0) {
			SORT(room->ends, room->end_count, compare_ends);
			return;
		}
}

/* ---- states for calls ---- */

struct state {
	int64_t begin, end;
	uint64_t state, line;
};

ORDER_BY(compare_states, struct state, UP(begin) UP(end) UP(line))

static bool say_state(struct prv_room *room, const struct state *state)
{
	return room_add_said(room, state->begin, STATE_BEGINS, state->state) && room_add_said(room, state->end, STATE_ENDS, 0);
}

/* One after the other: those that meet and are the same are one, and none begins before the one before it ends. */
static bool say_states(struct prv_room *room, struct state *list, size_t n)
{
	struct state last = {0};
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		struct state next = list[i];

		if (any && next.begin < last.end)
			next.begin = last.end;
		if (next.end < next.begin)
			continue;
		if (any && next.begin == last.end && next.state == last.state) {
			last.end = next.end;
			continue;
		}
		if (any && !say_state(room, &last))
			return false;
		last = next;
		any = true;
	}
	return !any || say_state(room, &last);
}

static bool unpack_states(struct prv_room *room, const struct prv_pack *states)
{
	struct prv_take take;
	struct state *list = NULL;
	size_t n = 0, cap = 0;
	bool said;

	prv_take_init(&take, states);
	while (prv_take_next(&take)) {
		struct state *more = mem_grow(list, n, &cap, sizeof *list);

		if (!more) {
			mem_free(list);
			return false;
		}
		list = more;
		list[n] = (struct state){.begin = take.time, .state = prv_take_number(&take), .line = n};
		list[n].end = take.time + (int64_t)prv_take_number(&take);
		n++;
	}
	SORT(list, n, compare_states);
	said = say_states(room, list, n);
	mem_free(list);
	return said;
}

/* ---- calls ---- */

/* What something that was said means where it stands. */
struct said_step {
	bool begins, ends;     /* a call */
	bool outermost;        /* the one that begins is; with the one that ends the outermost one ends */
	bool lost;             /* an end without a beginning, of a class of calls or functions */
	uint32_t class, kind;
};

static bool open_one(struct prv_open **list, size_t *depth, size_t *cap, struct prv_open one)
{
	struct prv_open *more = mem_grow(*list, *depth, cap, sizeof *more);

	if (!more)
		return false;
	*list = more;
	more[(*depth)++] = one;
	return true;
}

static bool begin_call(struct prv_room *room, enum prv_class class, uint64_t value, struct said_step *step)
{
	step->begins = true;
	step->outermost = !room->depth;
	step->class = (uint32_t)class;
	step->kind = prv_kind_of(room->all->kinds, class, value);
	return open_one(&room->open, &room->depth, &room->open_cap, (struct prv_open){step->class, step->kind});
}

/* The innermost one of its class, and what is open within. */
static void end_call(struct prv_room *room, uint32_t class, struct said_step *step)
{
	size_t depth = room->depth;

	step->class = class;
	while (depth && room->open[depth - 1].class != class)
		depth--;
	step->lost = !depth;
	if (step->lost)
		return;
	step->ends = true;
	step->kind = room->open[depth - 1].kind;
	room->depth = depth - 1;
	step->outermost = !room->depth;
}

static bool follow_call(struct prv_room *room, const struct prv_said *said, struct said_step *step)
{
	uint8_t what = what_of(said);

	*step = (struct said_step){0};
	if (what < PRV_RAW_END)
		return begin_call(room, (enum prv_class)(what - PRV_RAW_BEGIN), said_value_of(said), step);
	if (what < PRV_RAW_ATTRIBUTE)
		end_call(room, what - PRV_RAW_END, step);
	else if (what == STATE_BEGINS)
		return begin_call(room, PRV_STATES, said_value_of(said), step);
	else if (what == STATE_ENDS)
		end_call(room, PRV_STATES, step);
	return true;
}

static bool find_calls(struct prv_room *room)
{
	room->depth = 0;
	room->call_count = 0;
	for (size_t i = 0; i < room->said_count; i++) {
		struct prv_call *calls;
		struct said_step step;

		if (!follow_call(room, &room->said[i], &step))
			return false;
		if (step.ends && step.outermost)
			room->calls[room->call_count - 1].end = room->said[i].time;
		if (!step.begins || !step.outermost)
			continue;
		calls = mem_grow(room->calls, room->call_count, &room->call_cap, sizeof *calls);
		if (!calls)
			return false;
		room->calls = calls;
		calls[room->call_count++] = (struct prv_call){room->said[i].time, NEVER};
	}
	return true;
}

/* How many calls begin at or before the time. *hint: what was found last. */
static size_t begun(const struct prv_room *room, int64_t time, size_t *hint)
{
	size_t low = 0, high = room->call_count;

	if (*hint <= high && (!*hint || room->calls[*hint - 1].begin <= time)) {
		low = *hint;
		while (low < high && low < *hint + 8 && room->calls[low].begin <= time)
			low++;
		if (low < *hint + 8)
			high = low;
	}
	return *hint = SEARCH_PAST(i, low, high, room->calls[i].begin <= time);
}

/* The calls before the first one that ends at or after the time. They begin at or before it. */
static size_t ended(const struct prv_room *room, int64_t time, size_t n)
{
	size_t near = n > 4 ? n - 4 : 0;
	size_t low = near < n && room->calls[near].end < time ? near + 1 : 0;

	return SEARCH_PAST(i, low, n, room->calls[i].end < time);
}

static void place_ends(struct prv_room *room)
{
	size_t hint = 0;

	for (size_t i = 0; i < room->end_count; i++) {
		struct prv_end *end = &room->ends[i];
		size_t n = begun(room, end->time, &hint), call = n ? n - 1 : 0;
		bool within = n && room->calls[n - 1].end >= end->time;

		if (within && end->receive)
			call = ended(room, end->time, n);
		end->place = within ? 2 * (uint64_t)call + 1 : 2 * (uint64_t)n;
	}
}

/* ---- telling ---- */

struct writer {
	struct prv_room *room;
	struct prv_thread *thread;
	struct prv_pack *recorded;
	uint32_t app;
	size_t next_end;
	uint64_t place;
	uint64_t most;
	uint32_t last_op, last_comm; /* of the collective told last, + 1 */
	size_t instant;        /* the first that was said of this instant */
	bool begun;            /* in this instant a call has begun */
};

static bool put_one(struct writer *w, enum prv_recorded what, int64_t time, uint64_t value)
{
	struct prv_put to;

	if (!prv_put_begin(&to, w->recorded, (uint8_t)what, time))
		return false;
	prv_put_number(&to, value);
	prv_put_end(&to, w->recorded);
	return true;
}

static bool put_end(struct writer *w, const struct prv_end *end)
{
	struct prv_put to;

	if (!prv_put_begin(&to, w->recorded, end->receive ? PRV_RECORD_RECEIVE : PRV_RECORD_SEND, end->time))
		return false;
	prv_put_number(&to, end->partner);
	prv_put_number(&to, end->tag);
	prv_put_number(&to, end->size);
	prv_put_relation(&to, w->recorded, end->relation);
	prv_put_end(&to, w->recorded);
	w->most++;
	return true;
}

/* Messages of this place up to the time. */
static bool put_ends(struct writer *w, int64_t before)
{
	const struct prv_room *room = w->room;

	for (; w->next_end < room->end_count; w->next_end++) {
		const struct prv_end *end = &room->ends[w->next_end];

		if (end->place > w->place || end->time >= before)
			break;
		if (!put_end(w, end))
			return false;
	}
	return true;
}

struct attributes {
	uint64_t value[PRV_ATTRIBUTE_KINDS];
	bool has[PRV_ATTRIBUTE_KINDS];
};

static bool is_attribute(const struct prv_said *said, struct attributes *a)
{
	unsigned which = (unsigned)what_of(said) - PRV_RAW_ATTRIBUTE;

	if (which >= PRV_ATTRIBUTE_KINDS)
		return false;
	a->value[which] = said_value_of(said);
	a->has[which] = true;
	return true;
}

/* What is said of the instant behind the call's beginning, up to that of another; before it only where it is the first
 * one. */
static void find_attributes(const struct writer *w, size_t at, struct attributes *a)
{
	const struct prv_room *room = w->room;
	int64_t time = room->said[at].time;

	*a = (struct attributes){0};
	for (size_t i = w->instant; !w->begun && i < at; i++)
		is_attribute(&room->said[i], a);
	for (size_t i = at + 1; i < room->said_count && room->said[i].time == time && what_of(&room->said[i]) >= PRV_RAW_END; i++)
		is_attribute(&room->said[i], a);
}

static uint32_t comm_of(struct writer *w, const struct attributes *a)
{
	struct prv_room *room = w->room;
	uint32_t comm = room->all->comms->world_of[w->app];

	if (a->has[3] && !prv_comm_find(room->all->comms, w->app, a->value[3], &comm)) {
		if (!room->unknown_comms || a->value[3] < room->unknown_comm)
			room->unknown_comm = a->value[3];
		room->unknown_comms++;
	}
	return comm;
}

static bool add_rooted(struct writer *w, struct prv_rooted one)
{
	struct prv_thread *thread = w->thread;
	struct prv_rooted *rooted = mem_grow(thread->rooted, thread->rooted_count, &thread->rooted_cap, sizeof *rooted);

	if (!rooted)
		return false;
	thread->rooted = rooted;
	rooted[thread->rooted_count++] = one;
	return true;
}

static bool put_begin(struct writer *w, size_t at, const struct said_step *step)
{
	struct prv_room *room = w->room;
	const struct prv_kind *kind = &room->all->kinds->list[step->kind];
	int64_t time = room->said[at].time;
	struct attributes a;
	struct prv_put to;
	uint32_t comm, *seen;
	bool root;

	if (!kind->collective || !step->outermost)
		return put_one(w, PRV_RECORD_ENTER, time, step->kind);
	find_attributes(w, at, &a);
	comm = comm_of(w, &a);
	if (room->all->comms->trace->comms[comm].size < 2)
		return put_one(w, PRV_RECORD_ENTER, time, step->kind);
	if (w->last_op != kind->op + 1 || w->last_comm != comm + 1) {
		seen = map_at(room->colls, kind->op, comm);
		if (!seen)
			return false;
		*seen = 1;
		w->last_op = kind->op + 1;
		w->last_comm = comm + 1;
	}
	root = a.has[2] && a.value[2] == 1;
	if (kind->rooted && !add_rooted(w, (struct prv_rooted){.time = time, .comm = comm, .op = kind->op, .root = root}))
		return false;
	if (!prv_put_begin(&to, w->recorded, PRV_RECORD_COLLECTIVE, time))
		return false;
	prv_put_number(&to, step->kind);
	prv_put_number(&to, comm);
	prv_put_number(&to, a.value[0]);
	prv_put_number(&to, a.has[1] ? a.value[1] + 1 : 0);
	prv_put_number(&to, root);
	prv_put_end(&to, w->recorded);
	w->most++;
	return true;
}

static bool put_call(struct writer *w, size_t at, const struct said_step *step)
{
	int64_t time = w->room->said[at].time;

	if (step->lost)
		return put_one(w, PRV_RECORD_LOST_LEAVE, time, step->class);
	if (step->outermost && !put_ends(w, NEVER))
		return false;
	w->place += step->outermost;
	if (step->ends)
		return put_one(w, PRV_RECORD_LEAVE, time, step->kind);
	if (!put_begin(w, at, step))
		return false;
	w->begun = true;
	return true;
}

static bool put_function(struct writer *w, int64_t time, uint64_t value)
{
	struct prv_room *room = w->room;
	struct prv_open function = {PRV_FUNCTIONS, 0};

	if (value) {
		function.kind = prv_kind_of(room->all->kinds, PRV_FUNCTIONS, value);
		return open_one(&room->functions, &room->function_depth, &room->function_cap, function) &&
		       put_one(w, PRV_RECORD_ENTER, time, function.kind);
	}
	if (!room->function_depth)
		return put_one(w, PRV_RECORD_LOST_LEAVE, time, PRV_FUNCTIONS);
	return put_one(w, PRV_RECORD_LEAVE, time, room->functions[--room->function_depth].kind);
}

static bool put_said(struct writer *w, size_t at)
{
	const struct prv_said *said = &w->room->said[at];
	struct said_step step;

	if (!put_ends(w, said->time))
		return false;
	switch (what_of(said)) {
	case PRV_RAW_FLUSH:
		return put_one(w, said_value_of(said) ? PRV_RECORD_ENTER : PRV_RECORD_LEAVE, said->time, w->room->all->kinds->flush);
	case PRV_RAW_FUNCTION:
		return put_function(w, said->time, said_value_of(said));
	case PRV_RAW_CPU:
		return put_one(w, PRV_RECORD_CPU, said->time, said_value_of(said));
	case PRV_RAW_COUNT:
		return put_one(w, PRV_RECORD_COUNT, said->time, said_value_of(said));
	default:
		return follow_call(w->room, said, &step) && (!(step.begins || step.ends || step.lost) || put_call(w, at, &step));
	}
}

static bool put_all(struct writer *w)
{
	struct prv_room *room = w->room;

	room->depth = room->function_depth = 0;
	for (size_t i = 0; i < room->said_count; i++) {
		if (i && room->said[i].time != room->said[i - 1].time) {
			w->instant = i;
			w->begun = false;
		}
		if (!put_said(w, i))
			return false;
	}
	return put_ends(w, NEVER);
}

bool prv_thread_arrange(struct prv_room *room, struct prv_thread *thread, uint64_t *most)
{
	struct writer w = {.room = room, .thread = thread, .recorded = &thread->recorded, .app = prv_app_of(room->all->header, thread->process)};
	bool made;

	room->said_count = room->end_count = 0;
	/* States first: at one instant they end before anything else. */
	made = unpack_states(room, &thread->states) && unpack(room, &thread->raw);
	prv_pack_free(&thread->raw);
	prv_pack_free(&thread->states);
	if (!made || !sort_said(room))
		return false;
	if (room->end_count) {
		if (!find_calls(room))
			return false;
		place_ends(room);
		sort_ends(room);
	}
	made = put_all(&w);
	*most = w.most;
	return made;
}
