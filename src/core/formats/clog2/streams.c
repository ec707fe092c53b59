#include "clog2_int.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/trace/make/inline.h"

#define NONE UINT32_MAX

/* A process while its records go by. */
struct passing {
	size_t next;         /* told record */
	uint32_t last_other, pending; /* others; pending: the first whose time waits for the next told record */
	double old;          /* of the last told record */
	double shift;        /* of a local file's clock */
};

struct building {
	struct clog2_streams *s;
	const struct loader *loader;
	const struct comms *comms;
	struct passing *passing;
	uint32_t processes;
	bool placed;         /* OTHER_CLOCKS is there */
};

uint32_t clog2_streams_file(const struct clog2_streams *s, uint64_t at)
{
	return SEARCH_LAST(i, 0, s->loader->file_count, s->base[i] <= at);
}

/* ---- times of others ---- */

/* Between two told records their shifts blend; at the ends the only one counts. */
static double between(double old, double old_before, double before, double old_behind, double behind)
{
	double first = before - old_before, last = behind - old_behind, part, time;

	if (!(fabs(old) < MAKE_TIME_LIMIT))
		return before;
	if (first == 0 && last == 0)
		return old;
	part = old_behind > old_before ? (old - old_before) / (old_behind - old_before) : 0;
	time = old + first + (last - first) * fmin(fmax(part, 0), 1);
	return fmin(fmax(time, before), behind);
}

static void others_settle(struct building *b, uint32_t process, size_t next, double old_next)
{
	const struct clog2_new_times *times = b->s->times;
	struct passing *p = &b->passing[process];
	bool has_before = next > times->first[process], has_next = next < times->first[process + 1];

	for (; p->pending != NONE; p->pending = b->s->others[p->pending].next) {
		struct clog2_other *o = &b->s->others[p->pending];

		if (has_before && has_next)
			o->time = between(o->old, p->old, times->time[next - 1], old_next, times->time[next]);
		else if (!has_before && !has_next)
			o->time = fabs(o->old) < MAKE_TIME_LIMIT ? o->old : 0;
		else if (!(fabs(o->old) < MAKE_TIME_LIMIT))
			o->time = times->time[has_next ? next : next - 1];
		else if (has_next)
			o->time = times->time[next] == old_next ? o->old : fmin(o->old + (times->time[next] - old_next), times->time[next]);
		else
			o->time = times->time[next - 1] == p->old ? o->old
								  : fmax(o->old + (times->time[next - 1] - p->old), times->time[next - 1]);
	}
}

static bool add_other(struct building *b, enum other_kind kind, uint32_t process, uint64_t at, double old)
{
	struct clog2_streams *s = b->s;
	struct passing *p = &b->passing[process];
	struct clog2_other *grown = mem_grow(s->others, s->other_count, &s->other_cap, sizeof *grown);

	if (!grown)
		return false;
	s->others = grown;
	grown[s->other_count] = (struct clog2_other){kind, process, (uint32_t)(p->next - s->times->first[process]), NONE, at, old, old};
	if (p->last_other == NONE)
		s->first_other[process] = s->other_count;
	else
		grown[p->last_other].next = s->other_count;
	if (p->pending == NONE)
		p->pending = s->other_count;
	p->last_other = s->other_count++;
	return true;
}

/* ---- records ---- */

static uint32_t stream_process_of(const struct building *b, const struct clog2_file *file, int32_t icomm, int32_t rank)
{
	return comms_process(b->comms, comms_find(b->comms, (uint32_t)file->file_index, icomm), rank);
}

static enum err_code stream_add_recorded(struct building *b, const struct clog2_file *file, const struct clog2_rec *rec, uint64_t at, struct err *e)
{
	uint32_t process = stream_process_of(b, file, comms_local_side(b->comms, file, rec->icomm), rec->rank);
	struct passing *p;
	double old;

	if (process == NO_PROCESS)
		return ERR_OK; /* as when it is read */
	p = &b->passing[process];
	if (p->next == b->s->times->first[process + 1])
		return err_set(e, ERR_IO, "the trace's files changed after they were loaded: load them again");
	old = rec->time + p->shift;
	if (!(fabs(old) < MAKE_TIME_LIMIT))
		old = p->old;
	if (p->pending != NONE)
		others_settle(b, process, p->next, old);
	p->old = old;
	b->s->at[p->next++] = at;
	if (rec->thread >= b->s->threads)
		b->s->threads = rec->thread == INT32_MAX ? INT32_MAX : rec->thread + 1;
	return ERR_OK;
}

static bool definition(struct building *b, const struct clog2_file *file, const struct clog2_rec *rec, uint64_t at)
{
	uint32_t process = stream_process_of(b, file, comms_local_side(b->comms, file, rec->icomm), rec->rank);
	struct clog2_constdef constant;
	double old;

	process = process == NO_PROCESS ? 0 : process; /* whose it is says nothing */
	old = rec->time + b->passing[process].shift;
	if (process == 0 && !b->placed) {
		b->placed = true;
		if (!add_other(b, OTHER_CLOCKS, 0, 0, old))
			return false;
	}
	if (rec->type == CLOG2_CONSTDEF) {
		clog2_get_constdef(file, rec, &constant);
		if (constant.etype == CLOG2_CONSTANT && !strcmp(constant.name, CLOG2_CLOCKS)) {
			b->s->steps |= (unsigned)constant.value & (TRACE_CLOCKS_LINEAR | TRACE_CLOCKS_CLC);
			return true; /* there will be one that says all */
		}
	}
	return add_other(b, OTHER_RECORD, process, at, old);
}

static bool communicator(struct building *b, const struct clog2_file *file, const struct clog2_rec *rec, uint64_t at)
{
	uint32_t process = stream_process_of(b, file, rec->icomm, rec->rank);
	struct clog2_comm payload;

	if (file->header_size == 16)
		return true; /* it does not say which */
	clog2_get_comm(file, rec, &payload);
	if (process == NO_PROCESS && b->comms->world_count)
		process = comms_process(b->comms, b->comms->world_comm[0], payload.wrank);
	return process == NO_PROCESS || add_other(b, OTHER_RECORD, process, at, rec->time + b->passing[process].shift);
}

static bool shift(struct building *b, const struct clog2_file *file, const struct clog2_rec *rec, uint64_t at)
{
	uint32_t process = stream_process_of(b, file, comms_local_side(b->comms, file, rec->icomm), rec->rank);

	if (process == NO_PROCESS)
		return true;
	b->passing[process].shift = file->finalized ? 0 : clog2_get_timeshift(file, rec);
	return add_other(b, OTHER_RECORD, process, at, rec->time + b->passing[process].shift);
}

static enum err_code record(struct building *b, const struct clog2_file *file, const struct clog2_rec *rec, struct err *e)
{
	uint64_t at = b->s->base[file->file_index] + rec->offset;
	bool kept;

	switch (rec->type) {
	case CLOG2_STATEDEF:
	case CLOG2_EVENTDEF:
	case CLOG2_CONSTDEF:
		kept = definition(b, file, rec, at);
		break;
	case CLOG2_COMMEVT:
		kept = communicator(b, file, rec, at);
		break;
	case CLOG2_TIMESHIFT:
		kept = shift(b, file, rec, at);
		break;
	default:
		return stream_add_recorded(b, file, rec, at, e);
	}
	return kept ? ERR_OK : err_memory(e, "the trace's records");
}

static enum err_code read_file(struct building *b, const struct clog2_file *file, struct clog2_block *block, const struct progress *progress, struct err *e)
{
	uint64_t blocks = b->loader->blocks[file->file_index];
	struct clog2_rec rec;

	for (uint64_t k = 0; k < blocks; k++) {
		enum err_code code = clog2_block_read(file, k, block, e);

		if (!code && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while correcting times");
		while (!code && clog2_block_next(block, &rec))
			code = record(b, file, &rec, e);
		if (code)
			return code;
		progress_report(progress, PROGRESS_READ, b->s->base[file->file_index] + k * file->block_size, b->s->base[b->loader->file_count]);
	}
	return ERR_OK;
}

static enum err_code streams_read_files(struct building *b, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;
	struct clog2_block block;

	for (uint32_t p = 0; p < b->processes; p++) {
		b->passing[p] = (struct passing){.next = b->s->times->first[p], .last_other = NONE, .pending = NONE};
		b->s->first_other[p] = NONE;
		if (b->loader->files[0].header_size == 16 && !add_other(b, OTHER_WORLD, p, 0, NAN))
			return err_memory(e, "the trace's records");
	}
	clog2_block_init(&block);
	for (uint32_t i = 0; !code && i < b->loader->file_count; i++)
		code = read_file(b, &b->loader->files[i], &block, progress, e);
	clog2_block_release(&block);
	if (!code && b->processes && !b->placed && !add_other(b, OTHER_CLOCKS, 0, 0, NAN))
		code = err_memory(e, "the trace's records");
	for (uint32_t p = 0; !code && p < b->processes; p++) {
		if (b->passing[p].next != b->s->times->first[p + 1])
			return err_set(e, ERR_IO, "the trace's files changed after they were loaded: load them again");
		others_settle(b, p, b->passing[p].next, 0);
	}
	return code;
}

enum err_code clog2_streams_init(struct clog2_streams *s, const struct loader *loader, const struct clog2_new_times *times,
				 const struct progress *progress, struct err *e)
{
	struct building b = {.s = s, .loader = loader, .comms = &loader->comms, .processes = times->process_count,
			     .passing = mem_alloc(times->process_count, sizeof *b.passing)};
	enum err_code code;

	*s = (struct clog2_streams){.loader = loader, .times = times, .base = mem_zero((size_t)loader->file_count + 1, sizeof *s->base),
				    .at = times->room ? times->room : mem_alloc(times->first[times->process_count], sizeof *s->at),
				    .first_other = mem_alloc(times->process_count, sizeof *s->first_other), .threads = 1};
	if (b.passing && s->base && s->at && s->first_other) {
		for (uint32_t i = 0; i < loader->file_count; i++)
			s->base[i + 1] = s->base[i] + source_size(loader->files[i].source);
		code = streams_read_files(&b, progress, e);
	} else {
		code = err_memory(e, "the trace's records");
	}
	mem_free(b.passing);
	if (code)
		clog2_streams_release(s);
	return code;
}

void clog2_streams_release(struct clog2_streams *s)
{
	mem_free(s->base);
	if (s->times && !s->times->room)
		mem_free(s->at);
	mem_free(s->others);
	mem_free(s->first_other);
	*s = (struct clog2_streams){0};
}
