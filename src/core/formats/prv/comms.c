#include "prv_int.h"

#include <string.h>

#include "core/base/mem.h"

struct comms_defining {
	struct prv_comms *comms;
	struct maker *maker;
	const struct prv_header *header;
	const struct prv_scan *scan;
	uint32_t *seen_in;     /* per process: the last communicator that listed it, + 1 */
	uint64_t members;      /* told so far */
};

static enum err_code define_processes(struct comms_defining *to, struct err *e)
{
	const struct prv_header *h = to->header;
	enum err_code code = make_processes(to->maker, h->task_count, e);
	struct trace *t = to->maker->trace;

	if (code)
		return code;
	t->world_count = h->app_count;
	for (uint32_t app = 0; app < h->app_count; app++)
		for (uint32_t p = h->first[app]; p < h->first[app + 1]; p++) {
			t->processes[p].world = app;
			t->processes[p].world_rank = (int32_t)(p - h->first[app]);
		}
	if (h->app_count > 1)
		notes_add(&t->notes, NOTE_JOINED_WORLDS, NOTE_NOWHERE, "%u worlds with %u processes in all", h->app_count, h->task_count);
	return ERR_OK;
}

static void bad_comm(const struct comms_defining *to, uint32_t number, const char *what)
{
	struct note_place place = NOTE_NOWHERE;

	place.file = 0;
	notes_add(&to->maker->trace->notes, NOTE_BAD_COMM, place, "communicator %u %s", number, what);
}

/* Its members, each once, behind those that were told. */
static uint32_t define_members(struct comms_defining *to, const struct prv_comm_line *line, uint32_t mark)
{
	struct trace *t = to->maker->trace;
	uint32_t n = 0;

	for (uint32_t i = 0; i < line->size; i++) {
		uint32_t process = to->scan->members[line->first + i];

		if (to->seen_in[process] == mark) {
			bad_comm(to, line->id, "lists a task twice");
			continue;
		}
		to->seen_in[process] = mark;
		t->comm_members[to->members + n++] = process;
	}
	return n;
}

static bool same_members(const struct comms_defining *to, const struct comm_info *comm, uint64_t begin, uint32_t n)
{
	const uint32_t *members = to->maker->trace->comm_members;

	return comm->size == n && (!n || !memcmp(members + comm->members, members + begin, n * sizeof *members));
}

/* The first line of a number stands. */
static bool define_line(struct comms_defining *to, const struct prv_comm_line *line, uint32_t mark)
{
	struct trace *t = to->maker->trace;
	uint32_t n = define_members(to, line, mark), tasks = to->header->first[line->app + 1] - to->header->first[line->app];
	uint32_t *at = map_at(to->comms->of, line->app, line->id), *world = &to->comms->world_of[line->app];

	if (!at)
		return false;
	if (*at) {
		if (!same_members(to, &t->comms[*at - 1], to->members, n))
			bad_comm(to, line->id, "is described again, with other tasks");
		return true;
	}
	*at = t->comm_count + 1;
	t->comms[t->comm_count] = (struct comm_info){.number = (int32_t)line->id, .members = (uint32_t)to->members, .size = n,
						     .kind = n == 1 ? "self" : "intra"};
	to->members += n;
	if (n == tasks && (*world == UINT32_MAX || t->comms[*world].number > (int32_t)line->id))
		*world = t->comm_count;
	t->comm_count++;
	return true;
}

/* One that no line describes gets the lowest number that is free. */
static bool define_world(struct comms_defining *to, uint32_t app)
{
	struct trace *t = to->maker->trace;
	uint32_t *world = &to->comms->world_of[app], number = 0, *at;

	if (*world == UINT32_MAX) {
		while (map_get(to->comms->of, app, number))
			number++;
		at = map_at(to->comms->of, app, number);
		if (!at)
			return false;
		*at = t->comm_count + 1;
		*world = t->comm_count;
		t->comms[t->comm_count++] = (struct comm_info){.number = (int32_t)number, .members = (uint32_t)to->members,
							       .size = to->header->first[app + 1] - to->header->first[app]};
		for (uint32_t p = to->header->first[app]; p < to->header->first[app + 1]; p++)
			t->comm_members[to->members++] = p;
	}
	t->comms[*world].kind = "world";
	return true;
}

static enum err_code define_comms(struct comms_defining *to, struct err *e)
{
	const struct prv_header *h = to->header;
	struct trace *t = to->maker->trace;
	enum err_code code;
	bool defined = true;

	if (to->scan->member_count + h->task_count > UINT32_MAX)
		return err_set(e, ERR_LIMIT, "the trace's communicators have more than %u members", UINT32_MAX);
	code = make_comms(to->maker, to->scan->comm_count + h->app_count, to->scan->member_count + h->task_count, e);
	t->comm_count = 0;
	if (code)
		return code;
	for (uint32_t i = 0; defined && i < to->scan->comm_count; i++)
		defined = define_line(to, &to->scan->comms[i], i + 1);
	for (uint32_t app = 0; defined && app < h->app_count; app++)
		defined = define_world(to, app);
	return defined ? ERR_OK : err_memory(e, "the communicators");
}

enum err_code prv_comms_init(struct prv_comms *comms, struct maker *maker, const struct prv_header *header,
			     const struct prv_scan *scan, struct err *e)
{
	struct comms_defining to = {comms, maker, header, scan, mem_zero(header->task_count, sizeof *to.seen_in), 0};
	enum err_code code;

	*comms = (struct prv_comms){map_new(), mem_alloc(header->app_count, sizeof *comms->world_of), maker->trace};
	if (!to.seen_in || !comms->of || !comms->world_of) {
		mem_free(to.seen_in);
		return err_memory(e, "the communicators");
	}
	for (uint32_t app = 0; app < header->app_count; app++)
		comms->world_of[app] = UINT32_MAX;
	code = define_processes(&to, e);
	if (!code)
		code = define_comms(&to, e);
	mem_free(to.seen_in);
	return code;
}

void prv_comms_release(struct prv_comms *comms)
{
	map_free(comms->of);
	mem_free(comms->world_of);
}
