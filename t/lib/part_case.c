#include "part_case.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/trace/remote.h"
#include "tap.h"
#include "team_drive.h"

static enum err_code load_bytes(struct trace **out, const struct part_input *in, const struct trace_options *o, struct err *e)
{
	struct source *sources = calloc(in->count, sizeof *sources);
	enum err_code code;
	char name[32];

	for (uint32_t i = 0; i < in->count; i++) {
		snprintf(name, sizeof name, "file %u", i);
		if (source_open_memory(&sources[i], name, in->bytes[i].bytes, in->bytes[i].size, e))
			abort();
	}
	code = trace_load_sources(out, sources, in->count, o, NULL, e);
	for (uint32_t i = 0; i < in->count; i++)
		source_release(&sources[i]);
	free(sources);
	return code;
}

enum err_code part_load(struct trace **out, const struct part_input *in, const struct team *team, struct err *e)
{
	struct trace_options o = {.threads = in->threads ? in->threads : 1, .counter = in->counter, .team = team};

	return in->paths ? trace_load(out, in->paths, in->count, &o, NULL, e) : load_bytes(out, in, &o, e);
}

/* ---- comparing ---- */

struct comparing {
	const struct trace *part, *whole;
	char *why;
	uint32_t begin, end;   /* the local processes */
	uint32_t offset;       /* an own event's number in the whole is so much higher */
};

static bool __attribute__((format(printf, 2, 3))) differ(struct comparing *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->why, PART_WHY, format, ap);
	va_end(ap);
	return false;
}

/* Of doubles, each bit. */
static bool same_bytes(const void *a, const void *b, size_t n)
{
	return !n || !memcmp(a, b, n);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

#define SAME_NUMBER(field)                                                                                                          \
	if (c->part->field != c->whole->field)                                                                                      \
		return differ(c, #field " is %llu, not %llu", (unsigned long long)c->part->field, (unsigned long long)c->whole->field)
#define SAME_REAL(field)                                                                                                            \
	if (!same_bytes(&c->part->field, &c->whole->field, sizeof c->whole->field))                                                  \
	return differ(c, #field " is %.17g, not %.17g", (double)c->part->field, (double)c->whole->field)

static bool same_totals(struct comparing *c)
{
	SAME_NUMBER(process_count);
	SAME_NUMBER(file_count);
	SAME_NUMBER(damaged);
	SAME_NUMBER(partial);
	SAME_NUMBER(send_count);
	SAME_NUMBER(receive_count);
	SAME_NUMBER(collective_count);
	SAME_NUMBER(record_count);
	SAME_NUMBER(lost_sends);
	SAME_NUMBER(lost_receives);
	SAME_NUMBER(coll_count);
	SAME_NUMBER(comm_count);
	SAME_NUMBER(state_count);
	SAME_NUMBER(counter_count);
	SAME_NUMBER(compute_source);
	SAME_NUMBER(compute_counter);
	SAME_NUMBER(world_count);
	SAME_NUMBER(clocks);
	SAME_NUMBER(tag_bits);
	SAME_NUMBER(tag_least);
	SAME_REAL(start);
	SAME_REAL(end);
	SAME_REAL(clock_error);
	SAME_REAL(record_cost_low);
	SAME_REAL(record_cost_high);
	if (trace_all_events(c->part) != c->whole->event_count)
		return differ(c, "all events are %llu, not %u", (unsigned long long)trace_all_events(c->part), c->whole->event_count);
	return true;
}

static bool same_processes(struct comparing *c)
{
	for (uint32_t p = 0; p < c->whole->process_count; p++) {
		const struct process *a = &c->part->processes[p], *b = &c->whole->processes[p];

		if (a->world != b->world || a->world_rank != b->world_rank || !same_text(a->host, b->host) || a->threads != b->threads ||
		    a->records != b->records)
			return differ(c, "process %u differs: %u threads, not %u; %llu records, not %llu", p, a->threads, b->threads,
				      (unsigned long long)a->records, (unsigned long long)b->records);
		if (!same_bytes(&a->start, &b->start, sizeof a->start) || !same_bytes(&a->end, &b->end, sizeof a->end) ||
		    !same_bytes(a->by_kind, b->by_kind, sizeof a->by_kind))
			return differ(c, "times of process %u differ", p);
	}
	return true;
}

static bool same_tables(struct comparing *c)
{
	const struct trace *a = c->part, *b = c->whole;
	uint32_t members = 0;

	for (uint32_t i = 0; i < b->file_count; i++)
		if (strcmp(a->files[i].format, b->files[i].format) || a->files[i].records != b->files[i].records)
			return differ(c, "file %u differs: %llu records, not %llu", i, (unsigned long long)a->files[i].records,
				      (unsigned long long)b->files[i].records);
	for (uint32_t i = 0; i < b->coll_count; i++)
		if (strcmp(a->colls[i].op, b->colls[i].op) || a->colls[i].comm != b->colls[i].comm)
			return differ(c, "collective type %u is %s, not %s", i, a->colls[i].op, b->colls[i].op);
	for (uint32_t i = 0; i < b->comm_count; i++) {
		const struct comm_info *x = &a->comms[i], *y = &b->comms[i];

		if (x->number != y->number || x->size != y->size || x->members != y->members || x->events != y->events ||
		    !same_text(x->kind, y->kind))
			return differ(c, "communicator %u differs: %u events, not %u", i, x->events, y->events);
		members += y->size;
	}
	if (!same_bytes(a->comm_members, b->comm_members, members * sizeof *a->comm_members))
		return differ(c, "members of communicators differ");
	for (uint32_t i = 0; i < b->state_count; i++) {
		const struct state_total *x = &a->states[i], *y = &b->states[i];

		if (strcmp(x->name, y->name) || x->key != y->key || x->mpi != y->mpi || x->solo != y->solo || x->count != y->count ||
		    !same_bytes(&x->inclusive, &y->inclusive, sizeof x->inclusive) || !same_bytes(&x->exclusive, &y->exclusive, sizeof x->exclusive))
			return differ(c, "state %u is %s %llu %.17g %.17g, not %s %llu %.17g %.17g", i, x->name, (unsigned long long)x->count,
				      x->inclusive, x->exclusive, y->name, (unsigned long long)y->count, y->inclusive, y->exclusive);
	}
	for (uint32_t i = 0; i < b->counter_count; i++)
		if (strcmp(a->counters[i].name, b->counters[i].name) || a->counters[i].readings != b->counters[i].readings)
			return differ(c, "counter %u has %llu readings, not %llu", i, (unsigned long long)a->counters[i].readings,
				      (unsigned long long)b->counters[i].readings);
	return true;
}

static bool same_notes(struct comparing *c)
{
	const struct notes *a = &c->part->notes, *b = &c->whole->notes;

	for (int k = 0; k < NOTE_KIND_COUNT; k++)
		if (a->count[k] != b->count[k])
			return differ(c, "%llu notes of %s, not %llu", (unsigned long long)a->count[k], note_name((enum note_kind)k),
				      (unsigned long long)b->count[k]);
	if (a->n != b->n)
		return differ(c, "%zu notes, not %zu", a->n, b->n);
	for (size_t i = 0; i < b->n; i++) {
		const struct note *x = &a->list[i], *y = &b->list[i];

		if (x->kind != y->kind || x->file != y->file || x->process != y->process || x->block != y->block || x->offset != y->offset ||
		    x->event != y->event || strcmp(x->text, y->text))
			return differ(c, "note %zu is %s: process %d event %lld: %.200s; not %s: process %d event %lld: %.200s", i,
				      note_name(x->kind), x->process, (long long)x->event, x->text, note_name(y->kind), y->process,
				      (long long)y->event, y->text);
	}
	return true;
}

static bool same_columns(struct comparing *c)
{
	const struct trace *a = c->part, *b = c->whole;

	for (uint32_t p = 0; p < b->process_count; p++) {
		bool local = p >= c->begin && p < c->end;
		uint32_t n = a->first[p + 1] - a->first[p], is = local ? b->first[p + 1] - b->first[p] : 0;

		if (n != is)
			return differ(c, "process %u has %u events here, not %u", p, n, is);
	}
	for (uint32_t i = 0; i < a->event_count; i++) {
		uint32_t w = i + c->offset;

		if (!same_bytes(&a->time[i], &b->time[w], sizeof *a->time) || !same_bytes(&a->compute[i], &b->compute[w], sizeof *a->compute))
			return differ(c, "event %u is at %.17g with %.17g, not at %.17g with %.17g", w, a->time[i], a->compute[i], b->time[w],
				      b->compute[w]);
		if (a->type[i] != b->type[w] || trace_size(a, i) != trace_size(b, w) || trace_comm(a, i) != trace_comm(b, w) ||
		    trace_tag(a, i) != trace_tag(b, w))
			return differ(c, "event %u is another one", w);
		if (trace_process_of(a, i) != trace_process_of(b, w))
			return differ(c, "event %u is of process %u, not %u", w, trace_process_of(a, i), trace_process_of(b, w));
	}
	return true;
}

/* Far messages come in the order of their events, each where it is to be. */
static bool same_messages(struct comparing *c)
{
	const struct trace *a = c->part, *b = c->whole;
	uint32_t remote = 0;

	for (uint32_t i = 0; i < a->event_count; i++) {
		uint32_t w = i + c->offset, match = a->match[i], is = b->match[w];

		if (EVENT_KIND(a->type[i]) == EVENT_COLLECTIVE)
			continue;
		if (is_remote(match)) {
			const struct remote_message *m = remote_message(a, match);

			if (match != REMOTE_EVENT + remote++ || m->event != i || m->rank == a->remote->team->rank || m->rank >= a->remote->team->size)
				return differ(c, "the far message of event %u is of another one", w);
			match = m->other + b->first[a->remote->owner_first[m->rank]];
		} else if (match != NO_EVENT) {
			match += c->offset;
		}
		if (match != is)
			return differ(c, "event %u is related to %u, not %u", w, match, is);
	}
	return remote == a->remote->message_count ? true : differ(c, "%u far messages, not %u", a->remote->message_count, remote);
}

/* The next own member of the instance, or the event itself. */
static uint32_t next_local(const struct comparing *c, uint32_t w)
{
	uint32_t from = c->whole->first[c->begin], to = c->whole->first[c->end], at = c->whole->match[w];

	while (at < from || at >= to)
		at = c->whole->match[at];
	return at;
}

/* The first member of all, and on how many ranks they are. */
static uint32_t first_of(const struct comparing *c, uint32_t w, uint32_t *ranks)
{
	uint32_t least = w, at = w, last = UINT32_MAX;

	do {
		least = at < least ? at : least;
		at = c->whole->match[at];
	} while (at != w);
	*ranks = 0;
	at = least;
	do {
		uint32_t r = trace_owner(c->part->remote, trace_process_of(c->whole, at));

		*ranks += r != last;
		last = r;
		at = c->whole->match[at];
	} while (at != least);
	return least;
}

/* An instance as a rank has it: where all ranks are told of it. */
struct told {
	uint32_t first, owner, number, ranks;
};

static bool same_collectives(struct comparing *c, struct told *told)
{
	const struct trace *a = c->part;
	const struct trace_remote *remote = a->remote;
	uint32_t instances = 0;

	for (uint32_t i = 0; i < a->event_count; i++) {
		uint32_t w = i + c->offset, next, ranks, first;
		const struct remote_instance *instance = remote_instance(a, i);

		if (EVENT_KIND(a->type[i]) != EVENT_COLLECTIVE) {
			if (instance)
				return differ(c, "event %u is an instance", w);
			continue;
		}
		next = next_local(c, w);
		if (a->match[i] + c->offset != next)
			return differ(c, "collective %u is followed by %u, not %u", w, a->match[i] + c->offset, next);
		if (next > w || (next == w && c->whole->match[w] == w && !instance))
			continue; /* it is not the last here, or is alone; the first is looked at by the last */
		first = first_of(c, w, &ranks);
		instance = remote_instance(a, next - c->offset);
		if (!instance != (ranks == 1))
			return differ(c, "collective %u is on %u ranks, but %s so", w, ranks, instance ? "said to be" : "not");
		if (!instance)
			continue;
		if (instance->owner != trace_owner(remote, trace_process_of(c->whole, first)))
			return differ(c, "collective %u is at home on %u", w, instance->owner);
		if (instance->owner == remote->team->rank && (instance->number >= remote->owned_count || remote->owned_ranks[instance->number] != ranks))
			return differ(c, "collective %u has another number of ranks at home", w);
		told[instances++] = (struct told){first, instance->owner, instance->number, ranks};
	}
	return instances == remote->instance_count ? true : differ(c, "%u instances, not %u", remote->instance_count, instances);
}

static int compare_told(const void *a, const void *b)
{
	const struct told *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* All ranks have been told the same of an instance, and no two have one number. A collective step. */
static bool same_instances(struct comparing *c, const struct told *told, uint32_t count)
{
	const struct team *team = c->part->remote->team;
	struct team_bytes *from = calloc(team->size, sizeof *from);
	struct told *all;
	uint32_t n = 0, *owner = calloc(team->size, sizeof *owner);
	bool same = true;
	struct err e;

	if (team_gather_all(team, told, count * sizeof *told, from, &e))
		abort();
	for (uint32_t r = 0; r < team->size; r++)
		n += (uint32_t)(from[r].n / sizeof *all);
	all = calloc(n + 1, sizeof *all);
	n = 0;
	for (uint32_t r = 0; r < team->size; r++) {
		if (from[r].n)
			memcpy(all + n, from[r].bytes, from[r].n);
		n += (uint32_t)(from[r].n / sizeof *all);
	}
	qsort(all, n, sizeof *all, compare_told);
	for (uint32_t i = 0, k; same && i < n; i = k) {
		for (k = i + 1; same && k < n && all[k].first == all[i].first; k++)
			same = all[k].owner == all[i].owner && all[k].number == all[i].number;
		if (!same || k - i != all[i].ranks)
			same = differ(c, "instance of %u is not the same on all of %u ranks, but on %u: number %u and %u", all[i].first,
				      all[i].ranks, k - i, all[i].number, all[k - 1].number);
		owner[all[i].owner]++;
		for (uint32_t j = 0; same && j < i; j++)
			if (n < 2000 && all[j].first != all[i].first && all[j].owner == all[i].owner && all[j].number == all[i].number)
				same = differ(c, "two instances have number %u", all[i].number);
	}
	if (same && owner[team->rank] != c->part->remote->owned_count)
		same = differ(c, "%u instances are at home, not %u", owner[team->rank], c->part->remote->owned_count);
	team_bytes_free(from, team->size);
	free(from);
	free(all);
	free(owner);
	return same;
}

const char *part_differs(const struct trace *part, const struct trace *whole, char why[PART_WHY])
{
	struct comparing c = {.part = part, .whole = whole, .why = why};
	char also[PART_WHY];
	struct told *told;
	bool same, met;

	if (!part->remote) {
		snprintf(why, PART_WHY, "it is no part");
		return why;
	}
	told = calloc((size_t)part->event_count + 1, sizeof *told);
	trace_local(part, &c.begin, &c.end);
	same = same_totals(&c);
	c.offset = same ? whole->first[c.begin] : 0;
	same = same && same_notes(&c) && same_processes(&c) && same_tables(&c) && same_columns(&c) && same_messages(&c) &&
	       same_collectives(&c, told);
	c.why = same ? why : also;
	met = same_instances(&c, told, same ? part->remote->instance_count : 0);
	free(told);
	return same && met ? NULL : why;
}

/* ---- a run ---- */

struct run {
	const struct part_input *in;
	const struct trace *whole, *without; /* its collectives */
};

/* The same without collectives. */
static bool without_differs(const struct trace *t, const struct trace *whole, char why[PART_WHY])
{
	struct trace *without = NULL;
	struct err e;
	bool differs;

	if (trace_without_collectives(&without, t, &e))
		bail_out("%s", e.text);
	differs = part_differs(without, whole, why);
	trace_free(without);
	return differs;
}

static enum err_code load_part(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	const struct run *run = arg;
	char why[PART_WHY] = "it was loaded", also[PART_WHY];
	struct trace *t = NULL;
	enum err_code code = part_load(&t, run->in, team, e);
	bool differs = !t != !run->whole;

	(void)progress;
	(void)said;
	if (team && t && run->whole) {
		differs = part_differs(t, run->whole, why);
		if (without_differs(t, run->without, also) && !differs) {
			differs = true;
			snprintf(why, sizeof why, "without collectives: %.900s", also);
		}
	}
	trace_free(t);
	return differs ? team_differs(e, why) : code;
}

bool part_is_same(const struct part_input *in, uint32_t ranks)
{
	struct trace *whole = NULL, *without = NULL;
	struct err e;
	struct run run = {.in = in};
	bool same;

	part_load(&whole, in, NULL, &e);
	if (whole && trace_without_collectives(&without, whole, &e))
		bail_out("%s", e.text);
	run.whole = whole;
	run.without = without;
	same = team_same(&(struct team_case){.name = "a part", .run = load_part, .arg = &run}, 1u << ranks);
	trace_free(without);
	trace_free(whole);
	return same;
}

void part_same(const struct part_input *in, uint32_t ranks, const char *what)
{
	ok(part_is_same(in, ranks), "%s on %u ranks", what, ranks);
}

void part_same_files(const char *const *paths, uint32_t count, uint32_t ranks, const char *what)
{
	part_same(&(struct part_input){.paths = paths, .count = count}, ranks, what);
}
