#include "prv_int.h"

#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/trace/make/inline.h"

#define NS 1e-9

/* A thread whose records are being told. */
struct thread_head {
	struct prv_take take;
	int32_t thread;
};

struct teller {
	const struct prv_recording *to;
	struct make_share *share;
	uint32_t process, world;
	struct thread_head *heads;    /* a heap: the one whose record is next comes first */
	uint32_t count;
	bool cpu_backwards;
	struct map *numbers;   /* per process, communicator and operation: how many that have roots it has made; NULL: no root is known */
	bool failed;           /* out of memory */
};

static double recording_seconds(const struct prv_recording *to, int64_t time)
{
	return (double)time / to->header->units;
}

/* ---- records ---- */

/* The next one of its operation on its communicator. said: the process says that it is the root. */
static uint32_t find_root(struct teller *p, const struct prv_kind *kind, uint32_t comm, bool said)
{
	uint32_t *number;

	if (!p->numbers || !kind->rooted)
		return said ? p->process : NO_PROCESS;
	number = map_at(p->numbers, p->process, (uint64_t)comm << 32 | kind->op);
	if (!number) {
		p->failed = true;
		return NO_PROCESS;
	}
	return prv_root_of(p->to->roots, comm, kind->op, (*number)++);
}

static void record_collective(struct teller *p, struct make_record r, struct prv_take *take)
{
	const struct prv_recording *to = p->to;
	uint32_t kind = (uint32_t)prv_take_number(take), comm = (uint32_t)prv_take_number(take), before = r.mine->next;
	uint64_t size = prv_take_number(take), received = prv_take_number(take);
	uint32_t root = find_root(p, &to->kinds->list[kind], comm, prv_take_number(take));
	uint32_t type = map_get(to->all->colls, to->kinds->list[kind].op, comm);

	if (!make_enter(r, kind) || !type)
		return;
	make_collective(r, type - 1, size <= INT64_MAX ? size : SIZE_UNKNOWN, comm);
	if (!r.share->watched || r.mine->next == before)
		return;
	make_watch_root(r.share, p->process, root);
	if (received)
		make_watch_received(r.share, p->process, received - 1);
}

static void record_message(struct teller *p, struct make_record r, struct prv_take *take)
{
	struct make_message message = {.kind = take->what == PRV_RECORD_SEND ? EVENT_SEND : EVENT_RECEIVE, .comm = p->world,
				       .partner_comm = p->world};
	uint32_t partner = (uint32_t)prv_take_number(take);

	message.partner = partner ? partner - 1 : NO_PROCESS;
	message.tag = (int32_t)prv_take_number(take);
	message.size = (int64_t)prv_take_number(take);
	message.relation = prv_take_relation(take) + 1;
	make_message(r, message);
}

static void record_lost(struct teller *p, unsigned class)
{
	if (class == PRV_FUNCTIONS)
		notes_add(&p->share->notes, NOTE_UNPAIRED_STATE, make_place(p->share, p->process), "rank %u ends a "
									    "function but never began it",
			  p->process);
	else
		notes_add(&p->share->notes, NOTE_UNPAIRED_STATE, make_place(p->share, p->process),
			  "rank %u ends a call of type %u but never began it", p->process, PRV_CALLS + class);
}

static void record_clock(struct teller *p, struct make_record r, uint64_t ns)
{
	if (make_cpu_sample(r, (double)ns * NS) || p->cpu_backwards)
		return;
	p->cpu_backwards = true;
	notes_add(&p->share->notes, NOTE_BAD_CARGO, make_place(p->share, p->process), "the CPU clock of rank %u runs "
							       "backwards", p->process);
}

static void record_one(struct teller *p, struct thread_head *head)
{
	struct prv_take *take = &head->take;
	struct make_record r = make_record(p->share, p->process, head->thread, recording_seconds(p->to, take->time));

	switch (take->what) {
	case PRV_RECORD_ENTER:
		make_enter(r, (uint32_t)prv_take_number(take));
		break;
	case PRV_RECORD_COLLECTIVE:
		record_collective(p, r, take);
		break;
	case PRV_RECORD_LEAVE:
		make_leave(r, (uint32_t)prv_take_number(take));
		break;
	case PRV_RECORD_LOST_LEAVE:
		record_lost(p, (unsigned)prv_take_number(take));
		break;
	case PRV_RECORD_CPU:
		record_clock(p, r, prv_take_number(take));
		break;
	case PRV_RECORD_COUNT:
		make_count(r, p->to->kinds->counter, (double)prv_take_number(take));
		break;
	default:
		record_message(p, r, take);
		break;
	}
}

/* ---- threads of a process, merged by time and thread ---- */

static bool before(const struct thread_head *a, const struct thread_head *b)
{
	return a->take.time != b->take.time ? a->take.time < b->take.time : a->thread < b->thread;
}

static void teller_sift(struct teller *p, uint32_t at)
{
	for (;;) {
		uint32_t least = at, left = 2 * at + 1;
		struct thread_head swap;

		for (uint32_t child = left; child < left + 2 && child < p->count; child++)
			if (before(&p->heads[child], &p->heads[least]))
				least = child;
		if (least == at)
			return;
		swap = p->heads[at];
		p->heads[at] = p->heads[least];
		p->heads[least] = swap;
		at = least;
	}
}

static void begin_threads(struct teller *p, const struct prv_thread *threads, uint32_t n)
{
	p->count = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct thread_head *head = &p->heads[p->count];

		prv_take_init(&head->take, &threads[i].recorded);
		head->thread = threads[i].number;
		p->count += prv_take_next(&head->take);
	}
	for (uint32_t at = p->count / 2; at-- > 0;)
		teller_sift(p, at);
}

static void record_threads(struct teller *p)
{
	while (p->count == 1) {
		record_one(p, p->heads);
		p->count = prv_take_next(&p->heads->take);
	}
	while (p->count) {
		record_one(p, p->heads);
		if (!prv_take_next(&p->heads->take))
			p->heads[0] = p->heads[--p->count];
		teller_sift(p, 0);
	}
}

/* Whatever else it has says that it was there from its first record to its last. */
static void record_process(struct teller *p, const struct prv_thread *threads, uint32_t n)
{
	const struct prv_span *span = &p->to->scan->spans[p->process];
	struct make_process *mine = &p->share->processes[p->process];

	if (span->first > span->last)
		return;
	p->cpu_backwards = false;
	begin_threads(p, threads, n);
	if (!p->count || p->heads[0].take.time > span->first)
		make_record(p->share, p->process, 0, recording_seconds(p->to, span->first));
	record_threads(p);
	if (!mine->seen || mine->last_time < recording_seconds(p->to, span->last))
		make_record(p->share, p->process, 0, recording_seconds(p->to, span->last));
}

/* ---- shares ---- */

/* The first thread of the processes from this one on. */
static uint32_t thread_from(const struct prv_scan *scan, uint32_t process)
{
	return SEARCH_PAST(i, 0, scan->thread_count, scan->threads[i].process < process);
}

static uint32_t most_threads(const struct prv_scan *scan)
{
	uint32_t most = 0, run = 0;

	for (uint32_t i = 0; i < scan->thread_count; i++) {
		run = i && scan->threads[i].process == scan->threads[i - 1].process ? run + 1 : 1;
		most = run > most ? run : most;
	}
	return most;
}

static enum err_code read_share(void *arg, struct make_share *share, struct err *e)
{
	const struct prv_recording *to = arg;
	const struct prv_scan *scan = to->scan;
	struct teller p = {.to = to, .share = share};
	uint32_t at = thread_from(scan, share->first), n;

	p.heads = mem_alloc(most_threads(scan), sizeof *p.heads);
	p.numbers = share->watched && to->roots->count ? map_new() : NULL;
	if (!p.heads || (share->watched && to->roots->count && !p.numbers)) {
		map_free(p.numbers);
		mem_free(p.heads);
		return err_memory(e, "the trace's threads");
	}
	share->place.file = 0;
	prv_kinds_count(to->kinds, share);
	for (p.process = share->first; p.process < share->end && !make_stopped(share); p.process++) {
		for (n = 0; at + n < scan->thread_count && scan->threads[at + n].process == p.process;)
			n++;
		p.world = to->comms->world_of[prv_app_of(to->header, p.process)];
		record_process(&p, scan->threads + at, n);
		at += n;
		make_progress(share, (uint64_t)((double)to->bytes * (p.process + 1 - share->first) / (share->end - share->first)), to->bytes);
	}
	map_free(p.numbers);
	mem_free(p.heads);
	return p.failed ? err_memory(e, "the trace's collectives") : ERR_OK;
}

enum err_code prv_record(const struct prv_recording *to, struct maker *maker, struct err *e)
{
	struct prv_recording copy = *to;
	struct make_reader reader = {.read = read_share, .arg = &copy};

	return make_events(maker, &reader, e);
}
