#include "phases_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/base/parallel.h"
#include "core/trace/remote.h"

#define NEVER UINT32_MAX

/* Numbers the send ticks among 32 ticks: a number for each of all ticks would be a byte per event where ticks hold
 * few. */
struct send_ticks {
	uint32_t before;         /* send ticks before these */
	uint32_t bits;           /* which of these are some */
};

/* What is made on several threads: last uses by process, repeats by tick. */
struct preparing {
	struct phase_space *p;
	struct send_ticks *send_ticks; /* per 32 ticks */
	uint32_t *last_use;      /* per send, as in l->sends: the send tick at which its process last had its type, or NEVER */
	struct repeats *repeats; /* per part */
	unsigned parts;
	struct parallel_stop stop;
	atomic_bool failed;
};

struct repeats {
	uint32_t *list;
	uint32_t *counts; /* per send tick of the part */
	size_t n, cap;
	uint32_t begin, end;
};

static uint32_t use_index(const struct trace *t, event_type type)
{
	return EVENT_INDEX(type) + (EVENT_KIND(type) == EVENT_COLLECTIVE ? t->process_count + 1 : 0);
}

static uint32_t send_tick_of(const struct preparing *s, uint32_t tick)
{
	const struct send_ticks *of = &s->send_ticks[tick / 32];

	return of->before + (uint32_t)__builtin_popcount(of->bits & ((UINT32_C(1) << tick % 32) - 1));
}

static void find_last_uses(void *arg, unsigned part)
{
	struct preparing *s = arg;
	const struct logical *l = s->p->l;
	const struct trace *t = l->trace;
	size_t width = (size_t)t->process_count + 1 + t->coll_count;
	uint32_t *last = mem_alloc(width, sizeof *last);
	uint64_t sends = l->send_first[t->process_count];

	if (!last) {
		atomic_store(&s->failed, true);
		return;
	}
	memset(last, 0xff, width * sizeof *last);
	for (uint32_t q = 0; q < t->process_count; q++) {
		/* A process belongs to the part in which its first send lies. */
		if (l->send_first[q] < sends * part / s->parts || l->send_first[q] >= sends * (part + 1) / s->parts)
			continue;
		for (uint32_t i = l->send_first[q]; i < l->send_first[q + 1]; i++) {
			uint32_t ev = l->sends[i], index = use_index(t, t->type[ev]);

			s->last_use[i] = last[index];
			last[index] = send_tick_of(s, l->tick[ev]);
		}
		for (uint32_t i = l->send_first[q]; i < l->send_first[q + 1]; i++)
			last[use_index(t, t->type[l->sends[i]])] = NEVER;
	}
	mem_free(last);
}

/* Nearly always there are one to three different values. */
uint32_t phase_space_distinct(uint32_t *list, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 1; i < n; i++)
		if (list[i] < list[i - 1]) {
			SORT(list, n, order_u32);
			break;
		}
	for (uint32_t i = 0; i < n; i++)
		if (!kept || list[i] != list[kept - 1])
			list[kept++] = list[i];
	return kept;
}

/* Collect the distinct last uses of a tick's events in list, already thinned of runs of equals. next: of each process,
 * its first send (in l->sends) from this tick on; moved behind the tick's. */
static uint32_t last_uses_of(const struct phase_space *p, uint32_t k, const uint32_t *last_use, uint32_t *next, uint32_t *list)
{
	struct tick_walk w = tick_walk(p->l, p->tick[k], true);
	uint32_t ev, n = 0;

	while ((ev = tick_next(&w)) != NO_EVENT) {
		uint32_t use = last_use[next[trace_process_of(p->l->trace, ev)]++];

		if (use != NEVER && (!n || list[n - 1] != use) && (n < 2 || list[n - 2] != use))
			list[n++] = use;
	}
	return phase_space_distinct(list, n);
}

static void collect_repeats(void *arg, unsigned part)
{
	struct preparing *s = arg;
	struct repeats *r = &s->repeats[part];
	const struct logical *l = s->p->l;
	uint32_t processes = l->trace->process_count;
	uint32_t *list = mem_alloc(processes, sizeof *list), *next = mem_alloc(processes, sizeof *next);

	r->begin = (uint32_t)((uint64_t)s->p->count * part / s->parts);
	r->end = (uint32_t)((uint64_t)s->p->count * (part + 1) / s->parts);
	r->counts = mem_alloc(r->end - r->begin, sizeof *r->counts);
	if (!list || !next || !r->counts) {
		atomic_store(&s->failed, true);
		r->end = r->begin;
	}
	for (uint32_t q = 0; r->begin < r->end && q < processes; q++)
		next[q] = l->send_first[q] + logical_sends_before(l, q, s->p->tick[r->begin]);
	for (uint32_t k = r->begin; k < r->end; k++) {
		uint32_t found = last_uses_of(s->p, k, s->last_use, next, list);

		r->counts[k - r->begin] = found;
		for (uint32_t i = 0; i < found; i++) {
			uint32_t *more = mem_grow(r->list, r->n, &r->cap, sizeof *more);

			if (!more) {
				atomic_store(&s->failed, true);
				break;
			}
			r->list = more;
			more[r->n++] = list[i];
		}
		if ((k & 4095) == 0 && parallel_stopped(&s->stop, part))
			break;
	}
	mem_free(list);
	mem_free(next);
}

static bool join_repeats(struct preparing *s)
{
	struct phase_space *p = s->p;
	uint64_t n = 0;

	for (unsigned i = 0; i < s->parts; i++)
		n += s->repeats[i].n;
	p->repeat = mem_alloc(n, sizeof *p->repeat);
	p->repeat_first = mem_zero((size_t)p->count + 1, sizeof *p->repeat_first);
	if (!p->repeat || !p->repeat_first)
		return false;
	n = 0;
	for (unsigned i = 0; i < s->parts; i++) {
		const struct repeats *r = &s->repeats[i];

		if (r->n)
			memcpy(p->repeat + n, r->list, r->n * sizeof *r->list);
		for (uint32_t k = r->begin; k < r->end; k++) {
			n += r->counts[k - r->begin];
			p->repeat_first[k + 1] = n;
		}
	}
	return true;
}

static bool number_send_ticks(struct phase_space *p, struct send_ticks *send_ticks)
{
	const struct logical *l = p->l;

	for (uint32_t k = 0; k < l->tick_count; k++) {
		struct send_ticks *of = &send_ticks[k / 32];

		if (k % 32 == 0)
			*of = (struct send_ticks){.before = p->count};
		of->bits |= (uint32_t)l->tick_sends[k] << k % 32;
		p->count += l->tick_sends[k];
	}
	p->tick = mem_alloc(p->count, sizeof *p->tick);
	if (!p->tick)
		return false;
	for (uint32_t k = 0, n = 0; k < l->tick_count; k++)
		if (l->tick_sends[k])
			p->tick[n++] = k;
	return true;
}

/* The send ticks, and for each what rule 3 of the search asks. */
static enum err_code find_repeats(struct phase_space *p, const struct progress *progress, struct err *e)
{
	const struct logical *l = p->l;
	struct preparing s = {.p = p, .parts = l->trace->threads ? l->trace->threads : 1, .stop = {.progress = progress}};
	bool made;

	s.send_ticks = mem_alloc((size_t)l->tick_count / 32 + 1, sizeof *s.send_ticks);
	s.last_use = mem_alloc(l->send_first[l->trace->process_count], sizeof *s.last_use);
	s.repeats = mem_zero(s.parts, sizeof *s.repeats);
	made = s.send_ticks && s.last_use && s.repeats && number_send_ticks(p, s.send_ticks);
	if (made) {
		parallel_run(s.parts, find_last_uses, &s);
		made = !atomic_load(&s.failed);
	}
	mem_free(s.send_ticks);
	if (made) {
		parallel_run(s.parts, collect_repeats, &s);
		made = !atomic_load(&s.failed);
	}
	mem_free(s.last_use);
	made = made && (atomic_load(&s.stop.stopped) || join_repeats(&s));
	for (unsigned i = 0; s.repeats && i < s.parts; i++) {
		mem_free(s.repeats[i].list);
		mem_free(s.repeats[i].counts);
	}
	mem_free(s.repeats);
	if (atomic_load(&s.stop.stopped))
		return err_set(e, ERR_CANCELLED, "stopped while preparing phases");
	return made ? ERR_OK : err_memory(e, "the phase space");
}

static enum err_code count_cells(struct phase_space *p, struct err *e)
{
	p->cells = mem_zero(p->class.count, sizeof *p->cells);
	if (!p->cells)
		return err_memory(e, "the classes of send ticks");
	for (uint32_t c = 0; c < p->class.count; c++) {
		struct cell_walk w = phase_cells(p, c);

		for (struct tick_cell cell; cell_next(&w, &cell); p->cells[c]++)
			p->size_unknown = p->size_unknown || cell.size == SIZE_UNKNOWN;
	}
	return ERR_OK;
}

/* From what the ranks have of send ticks to what rank 0 searches by. */
static enum err_code phase_space_join(struct phase_space *p, const struct team *team, const struct progress *progress, struct err *e)
{
	enum err_code code = phase_space_join_repeats(p, progress, e);

	if (!code)
		code = tick_cells_gather(&p->gathered, p->l, p->class.example, p->class.count, true, progress, e);
	if (!code && team_rank(team))
		tick_classes_release(&p->class);
	return code;
}

enum err_code phase_space_new(struct phase_space **out, const struct logical *l, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(l->trace);
	struct phase_space *p = mem_zero(1, sizeof *p);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!p) {
		code = err_memory(e, "the phase space");
	} else {
		p->l = l;
		code = find_repeats(p, progress, e);
	}
	code = team_agree(team, code, e);
	if (!code)
		code = tick_classes_init(&p->class, l, p->tick, p->count, CLASSES_SIZES | CLASSES_SENDS_ONLY, progress,
					 PROGRESS_PHASES, e);
	if (!code && team_size(team) > 1)
		code = phase_space_join(p, team, progress, e);
	if (!code)
		code = team_agree(team, count_cells(p, e), e);
	if (code) {
		phase_space_free(p);
		return code;
	}
	*out = p;
	return ERR_OK;
}

void phase_space_free(struct phase_space *p)
{
	if (!p)
		return;
	mem_free(p->tick);
	mem_free(p->cells);
	mem_free(p->repeat_first);
	mem_free(p->repeat);
	tick_classes_release(&p->class);
	tick_cells_release(&p->gathered);
	mem_free(p);
}
