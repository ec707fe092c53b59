#include "clog2.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "clog2_int.h"
#include "core/base/mem.h"
#include "core/io/out_file.h"
#include "core/trace/make/inline.h"

#define BLOCK 65536u
#define LONGEST 136u /* record */
#define LEAST 24u    /* of those of today */
#define POLL 0xffff  /* records between two looks at progress */
#define NONE UINT32_MAX

/* A process whose records are being written. */
struct process_writing {
	size_t next;         /* told record */
	uint32_t other;      /* next of the others */
};

/* It has records left; the time is that of the next one. */
struct process_waiting {
	double time;
	uint32_t process;
};

struct retiming {
	const struct source *sources;
	const struct clog2_new_times *times;
	struct loader loader;
	struct clog2_streams streams;
	const struct source **read; /* per file */
	bool *plain;         /* per file: most of its records are written as they are, except for their times */
	struct clog2_pages *pages;
	struct clog2_writer writer;
	struct process_writing *writing;
	struct process_waiting *heap;
	uint32_t heap_count;
	int32_t *number;     /* per communicator: in the merged file; NULL: as in the only file */
	uint64_t done;
	bool *unwritten;
	const struct progress *progress;
};

/* ---- communicators of local files get numbers of the whole ---- */

static enum err_code retiming_number_comms(struct retiming *x, struct err *e)
{
	const struct comms *comms = &x->loader.comms;
	uint32_t world = comms->world_count ? comms->world_comm[0] : NONE;
	int32_t n = 0;

	if (x->loader.files[0].finalized || x->loader.files[0].header_size == 16)
		return ERR_OK;
	x->number = mem_alloc(comms->count, sizeof *x->number);
	if (!x->number)
		return err_memory(e, "the communicators");
	if (world != NONE)
		x->number[world] = n++;
	for (uint32_t i = 0; i < comms->count; i++)
		if (i != world)
			x->number[i] = n++;
	return ERR_OK;
}

static int32_t retiming_comm_number(const struct retiming *x, const struct clog2_file *file, int32_t icomm)
{
	uint32_t comm;

	if (!x->number || icomm == CLOG2_NULL_COMM)
		return icomm;
	comm = comms_find(&x->loader.comms, (uint32_t)file->file_index, icomm);
	return comm == NO_COMM ? CLOG2_NULL_COMM : x->number[comm];
}

/* ---- records ---- */

static void retiming_write_message(struct retiming *x, const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_head head)
{
	struct clog2_msg message;

	clog2_get_msg(file, rec, &message);
	message.icomm = retiming_comm_number(x, file, comms_partner_icomm(&x->loader.comms, file, rec->icomm, message.icomm));
	clog2_write_msg(&x->writer, head, &message);
}

static void write_comm(struct retiming *x, const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_head head)
{
	struct clog2_comm payload;

	clog2_get_comm(file, rec, &payload);
	payload.icomm = retiming_comm_number(x, file, payload.icomm);
	head.icomm = retiming_comm_number(x, file, rec->icomm);
	clog2_write_comm(&x->writer, head, &payload);
}

/* raw = time + shift, of finalized files; the others' times are raw. */
static void write_shift(struct retiming *x, const struct clog2_file *file, const struct clog2_rec *rec, struct clog2_head head)
{
	double shift = clog2_get_timeshift(file, rec);

	if (!file->finalized)
		shift = rec->time - head.time;
	else if (head.time != rec->time)
		shift = rec->time + shift - head.time;
	clog2_write_timeshift(&x->writer, head, shift);
}

static void write_record(struct retiming *x, const struct clog2_file *file, const struct clog2_rec *rec, double time)
{
	struct clog2_head head = {time, retiming_comm_number(x, file, comms_local_side(&x->loader.comms, file, rec->icomm)), rec->rank, rec->thread};
	struct clog2_statedef state;
	struct clog2_eventdef event;
	struct clog2_constdef constant;
	struct clog2_srcloc location;
	struct clog2_coll collective;

	switch (rec->type) {
	case CLOG2_BAREEVT:
		clog2_write_bare(&x->writer, head, clog2_get_etype(file, rec));
		break;
	case CLOG2_CARGOEVT:
		clog2_write_cargo(&x->writer, head, clog2_get_etype(file, rec), clog2_get_cargo(rec));
		break;
	case CLOG2_MSGEVT:
		retiming_write_message(x, file, rec, head);
		break;
	case CLOG2_COMMEVT:
		write_comm(x, file, rec, head);
		break;
	case CLOG2_STATEDEF:
		clog2_get_statedef(file, rec, &state);
		clog2_write_statedef(&x->writer, head, &state);
		break;
	case CLOG2_EVENTDEF:
		clog2_get_eventdef(file, rec, &event);
		clog2_write_eventdef(&x->writer, head, &event);
		break;
	case CLOG2_CONSTDEF:
		clog2_get_constdef(file, rec, &constant);
		clog2_write_constdef(&x->writer, head, &constant);
		break;
	case CLOG2_TIMESHIFT:
		write_shift(x, file, rec, head);
		break;
	case CLOG2_COLLEVT:
		clog2_get_coll(file, rec, &collective);
		clog2_write_coll(&x->writer, head, &collective);
		break;
	case CLOG2_SRCLOC:
		clog2_get_srcloc(file, rec, &location);
		clog2_write_srcloc(&x->writer, head, &location);
		break;
	default:
		break;
	}
}

static void decode(const struct clog2_file *file, const uint8_t *bytes, struct clog2_rec *rec)
{
	bool wide = file->header_size == 24, be = file->big_endian;

	*rec = (struct clog2_rec){.time = clog2_f64(be, bytes), .icomm = wide ? clog2_i32(be, bytes + 8) : 0,
				  .rank = clog2_i32(be, bytes + 12), .thread = wide ? clog2_i32(be, bytes + 16) : 0,
				  .type = (enum clog2_type)clog2_i32(be, bytes + (wide ? 20 : 8)), .payload = bytes + file->header_size};
}

static enum err_code copy_record(struct retiming *x, uint64_t at, double time, struct err *e)
{
	uint32_t number = x->loader.file_count == 1 ? 0 : clog2_streams_file(&x->streams, at);
	const struct clog2_file *file = &x->loader.files[number];
	const uint8_t *lengths = file->header_size == 24 ? clog2_lengths : clog2_old_lengths;
	uint64_t offset = at - x->streams.base[number];
	size_t got;
	const uint8_t *bytes;
	struct clog2_rec rec;
	enum err_code code = clog2_pages_read(x->pages, number, offset, LONGEST, &bytes, &got, e);
	uint32_t type;

	if (code)
		return code;
	type = got < LEAST ? 0 : (uint32_t)clog2_i32(true, bytes + 20);
	if (x->plain[number] && (type == CLOG2_BAREEVT || type == CLOG2_CARGOEVT || type == CLOG2_MSGEVT) && got >= clog2_lengths[type]) {
		clog2_write_again(&x->writer, time, (enum clog2_type)type, bytes);
		return ERR_OK;
	}
	type = got < file->header_size ? 0 : (uint32_t)clog2_i32(file->big_endian, bytes + (file->header_size == 24 ? 20 : 8));
	if (type <= CLOG2_ENDBLOCK || type >= CLOG2_TYPES || got < lengths[type])
		return err_set(e, ERR_IO, "the trace's files changed after they were loaded: load them again");
	decode(file, bytes, &rec);
	write_record(x, file, &rec, time);
	return ERR_OK;
}

static enum err_code write_other(struct retiming *x, const struct clog2_other *o, struct err *e)
{
	int32_t rank = (int32_t)o->process;
	struct clog2_comm world = {.etype = 0, .icomm = 0, .rank = rank, .wrank = rank};
	struct clog2_head head = {o->time, 0, o->kind == OTHER_WORLD ? rank : 0, 0};
	struct clog2_constdef clocks = {.etype = CLOG2_CONSTANT, .value = (int32_t)(x->times->steps | x->streams.steps),
					.name = CLOG2_CLOCKS};

	switch (o->kind) {
	case OTHER_WORLD:
		clog2_write_comm(&x->writer, head, &world);
		return ERR_OK;
	case OTHER_CLOCKS:
		if (clocks.value)
			clog2_write_constdef(&x->writer, head, &clocks);
		return ERR_OK;
	default:
		return copy_record(x, o->at, o->time, e);
	}
}

/* ---- merging ---- */

static bool is_other_next(const struct retiming *x, uint32_t process)
{
	const struct process_writing *s = &x->writing[process];

	return s->other != NONE && x->streams.others[s->other].before <= s->next - x->times->first[process];
}

/* Look at the time of the process's next record. False: it has none. */
static bool process_next_time(const struct retiming *x, uint32_t process, double *time)
{
	const struct process_writing *s = &x->writing[process];

	if (is_other_next(x, process))
		*time = x->streams.others[s->other].time;
	else if (s->next < x->times->first[process + 1])
		*time = x->times->time[s->next];
	else
		return false;
	return true;
}

static bool waiting_is_before(struct process_waiting a, struct process_waiting b)
{
	return a.time != b.time ? a.time < b.time : a.process < b.process;
}

static void retiming_sink(struct retiming *x, uint32_t at)
{
	struct process_waiting sinking = x->heap[at];

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= x->heap_count)
			break;
		if (child + 1 < x->heap_count && waiting_is_before(x->heap[child + 1], x->heap[child]))
			child++;
		if (!waiting_is_before(x->heap[child], sinking))
			break;
		x->heap[at] = x->heap[child];
		at = child;
	}
	x->heap[at] = sinking;
}

static enum err_code write_next(struct retiming *x, uint32_t process, double time, struct err *e)
{
	struct process_writing *s = &x->writing[process];
	const struct clog2_other *o;

	if (!(fabs(time) < MAKE_TIME_LIMIT))
		return err_set(e, ERR_LIMIT, "a record of rank %u would be at %g s, but CLOG2 times end at %g "
			       "s", process, time,
			       MAKE_TIME_LIMIT);
	if (!is_other_next(x, process)) {
		uint64_t at = x->streams.at[s->next++];

		return copy_record(x, at, time, e);
	}
	o = &x->streams.others[s->other];
	s->other = o->next;
	return write_other(x, o, e);
}

static enum err_code retiming_merge(struct retiming *x, struct err *e)
{
	uint64_t all = x->times->first[x->times->process_count];
	enum err_code code = ERR_OK;

	for (uint32_t p = 0; p < x->times->process_count; p++) {
		x->writing[p] = (struct process_writing){x->times->first[p], x->streams.first_other[p]};
		x->heap[x->heap_count].process = p;
		x->heap_count += process_next_time(x, p, &x->heap[x->heap_count].time);
	}
	for (uint32_t i = x->heap_count / 2; i-- > 0;)
		retiming_sink(x, i);
	while (!code && !x->writer.err.code && x->heap_count) {
		uint32_t process = x->heap[0].process;

		code = write_next(x, process, x->heap[0].time, e);
		if (!process_next_time(x, process, &x->heap[0].time))
			x->heap[0] = x->heap[--x->heap_count];
		if (x->heap_count)
			retiming_sink(x, 0);
		if ((++x->done & POLL) == 0 && !code)
			code = progress_step(x->progress, PROGRESS_WRITE, x->done, all, e);
	}
	return code;
}

/* ---- the file ---- */

static enum err_code retiming_prepare(struct retiming *x, struct maker *maker, uint32_t count, struct err *e)
{
	uint32_t n = x->times->process_count;
	enum err_code code = load_prepare(&x->loader, x->sources, count, e);

	if (!code && x->loader.comms.process_count != n)
		code = err_set(e, ERR_IO, "the trace's files changed after they were loaded: load them again");
	if (!code)
		code = retiming_number_comms(x, e);
	if (!code)
		code = clog2_streams_init(&x->streams, &x->loader, x->times, maker->progress, e);
	if (code)
		return code;
	x->read = mem_alloc(x->loader.file_count, sizeof *x->read);
	x->plain = mem_alloc(x->loader.file_count, sizeof *x->plain);
	for (uint32_t i = 0; x->read && x->plain && i < x->loader.file_count; i++) {
		const struct clog2_file *file = &x->loader.files[i];

		x->read[i] = file->source;
		x->plain[i] = file->finalized && file->big_endian && file->header_size == LEAST && !x->number;
	}
	x->pages = x->read && x->plain ? clog2_pages_new(x->read, x->loader.file_count) : NULL;
	x->writing = mem_alloc(n, sizeof *x->writing);
	x->heap = mem_alloc(n, sizeof *x->heap);
	return x->pages && x->writing && x->heap ? ERR_OK : err_memory(e, "the corrected trace");
}

static enum err_code retiming_write_all(struct retiming *x, int fd, struct err *e)
{
	const struct clog2_file *file = &x->loader.files[0];
	int32_t threads = file->finalized ? file->max_threads : x->streams.threads;
	const struct clog2_write_options options = {.minor = 44, .big_endian = true, .finalized = true, .block_size = BLOCK,
						    .world_size = file->world_size > 0 ? file->world_size : (int32_t)x->times->process_count,
						    .max_threads = threads > 0 ? threads : 1};
	enum err_code code = clog2_writer_init(&x->writer, fd, &options, e);

	*x->unwritten = code != ERR_OK;
	if (code)
		return code;
	code = retiming_merge(x, e);
	if (!code) {
		code = clog2_writer_finish(&x->writer, true, e);
		*x->unwritten = code != ERR_OK;
	}
	clog2_writer_release(&x->writer);
	for (uint32_t i = 0; !code && i < x->loader.file_count; i++)
		code = source_unchanged(x->loader.files[i].source, e);
	return code;
}

static enum err_code write_file(struct retiming *x, const char *path, struct err *e)
{
	struct out_file f;
	enum err_code code = out_file_begin(&f, path, e);

	*x->unwritten = true;
	if (code)
		return code;
	if (f.straight && lseek(f.fd, 0, SEEK_CUR) < 0)
		code = err_set(e, ERR_USAGE, "%s is not a regular file: a trace needs one", f.path);
	if (!code)
		code = retiming_write_all(x, f.fd, e);
	if (!code) {
		*x->unwritten = true;
		return out_file_commit(&f, e);
	}
	out_file_abort(&f);
	return code;
}

enum err_code clog2_retime(const char *path, const struct source *sources, uint32_t count, const struct clog2_new_times *times,
			   bool *unwritten, const struct progress *progress, struct err *e)
{
	struct maker maker;
	struct retiming x = {.sources = sources, .times = times, .loader = {.maker = &maker}, .unwritten = unwritten, .progress = progress};
	enum err_code code = maker_init(&maker, 0, NULL, progress, e);

	maker.watch_alone = true; /* no events are kept */
	*unwritten = false;
	if (!code)
		code = retiming_prepare(&x, &maker, count, e);
	if (!code)
		code = write_file(&x, path, e);
	clog2_pages_free(x.pages);
	mem_free(x.read);
	mem_free(x.plain);
	mem_free(x.writing);
	mem_free(x.heap);
	mem_free(x.number);
	clog2_streams_release(&x.streams);
	load_release(&x.loader);
	maker_release(&maker);
	return code;
}
