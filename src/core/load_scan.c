#include <string.h>

#include "trace_load.h"

static void count_one(struct loader *x, const struct clog2_file *f, const struct clog2_rec *r, struct err *e,
		      enum err_code *code)
{
	uint32_t *at = map_at(x->counts, (uint64_t)f->file_index << 32 | (uint32_t)r->icomm, (uint32_t)r->rank);

	if (at)
		++*at;
	else
		*code = err_memory(e, "counting events");
}

static void add_definition(struct loader *x, const struct clog2_file *f, const struct clog2_rec *r)
{
	struct clog2_statedef state;
	struct clog2_eventdef event;
	struct clog2_constdef constant;

	switch (r->type) {
	case CLOG2_STATEDEF:
		clog2_get_statedef(f, r, &state);
		defs_add_state(&x->defs, &state);
		break;
	case CLOG2_EVENTDEF:
		clog2_get_eventdef(f, r, &event);
		defs_add_event(&x->defs, &event);
		break;
	default:
		clog2_get_constdef(f, r, &constant);
		defs_add_const(&x->defs, &constant);
	}
}

static enum err_code scan_block(struct loader *x, const struct clog2_file *f, struct clog2_block *b,
				uint64_t *continues, struct err *e)
{
	struct clog2_rec r;
	bool first = true;
	enum err_code code = ERR_OK;
	struct note_place place = {f->file_index, -1, (int64_t)b->index, (int64_t)b->offset, -1};

	while (code == ERR_OK && clog2_block_next(b, &r)) {
		if (first) {
			uint64_t bits;

			first = false;
			memcpy(&bits, &r.time, sizeof bits);
			if (*continues && bits != *continues)
				notes_add(&x->t->notes, NOTE_BAD_BLOCK, place,
					  "block %llu does not begin with the record that block %llu announces: a block is lost, "
					  "doubled or out of order",
					  (unsigned long long)b->index, (unsigned long long)b->index - 1);
		}
		switch (r.type) {
		case CLOG2_STATEDEF:
		case CLOG2_EVENTDEF:
		case CLOG2_CONSTDEF:
			add_definition(x, f, &r);
			break;
		case CLOG2_COMMEVT:
			if (f->header_size == 24)
				comms_add(&x->comms, f, &r, &x->t->notes);
			break;
		case CLOG2_MSGEVT:
			count_one(x, f, &r, e, &code);
			break;
		case CLOG2_BAREEVT:
		case CLOG2_CARGOEVT:
			if (defs_maybe_collective(&x->defs, clog2_get_etype(f, &r)))
				count_one(x, f, &r, e, &code);
			break;
		default:
			break;
		}
		/* Up to 02.20 a rank is one of the world, and nothing else says which there are. */
		if (f->header_size == 16 && r.type != CLOG2_STATEDEF && r.type != CLOG2_EVENTDEF &&
		    r.type != CLOG2_CONSTDEF && r.type != CLOG2_TIMESHIFT)
			comms_add(&x->comms, f, &r, &x->t->notes);
	}
	*continues = 0;
	if (b->end == CLOG2_END_BLOCK && f->finalized)
		memcpy(continues, &b->end_time, sizeof *continues);
	return code;
}

/* How a block that is not followed by another, or is broken, ended; true: go on with the next block. */
static bool end_of_block(struct loader *x, const struct clog2_file *f, const struct clog2_block *b)
{
	struct note_place place = {f->file_index, -1, (int64_t)b->index, (int64_t)(b->offset + b->at), -1};
	bool last = b->index + 1 >= f->block_count;

	switch (b->end) {
	case CLOG2_END_LOG:
		return false;
	case CLOG2_END_BLOCK:
		if (last && f->finalized) {
			place.offset = (int64_t)f->source->size;
			notes_add(&x->t->notes, NOTE_TRUNCATED, place,
				  "the file ends after block %llu, where another block or the end-of-log record should follow",
				  (unsigned long long)b->index);
		}
		return !last;
	case CLOG2_END_TRUNCATED:
		notes_add(&x->t->notes, NOTE_TRUNCATED, place, "block %llu at byte %llu: %s (%llu of %u bytes are there)",
			  (unsigned long long)b->index, (unsigned long long)(b->offset + b->at), b->reason ? b->reason : "cut off",
			  (unsigned long long)b->len, f->block_size);
		return false;
	default:
		if (b->reason_code)
			notes_add(&x->t->notes, NOTE_BAD_RECORD, place, "block %llu at byte %llu: %s (type %d, expected 0 to %d)",
				  (unsigned long long)b->index, (unsigned long long)(b->offset + b->at), b->reason, b->reason_code,
				  CLOG2_TYPES - 1);
		else
			notes_add(&x->t->notes, NOTE_BAD_RECORD, place, "block %llu at byte %llu: %s",
				  (unsigned long long)b->index, (unsigned long long)(b->offset + b->at),
				  b->reason ? b->reason : "not a record");
		return !last;
	}
}

static enum err_code scan_file(struct loader *x, const struct clog2_file *f, struct clog2_block *b, uint64_t before,
			       struct err *e)
{
	uint64_t continues = 0;
	uint64_t k = 0;
	bool more = f->block_count > 0;

	while (more) {
		enum err_code code = clog2_block_read(f, k, b, e);

		if (code == ERR_OK)
			code = scan_block(x, f, b, &continues, e);
		if (code != ERR_OK)
			return code;
		more = end_of_block(x, f, b);
		k++;
		if ((k & 63) == 0 || !more) {
			job_progress(x->job, JOB_SCAN, before + b->offset + b->len, x->total_bytes);
			if (job_stopped(x->job)) {
				x->stopped = true;
				break;
			}
		}
	}
	x->blocks[f->file_index] = k;
	return ERR_OK;
}

enum err_code load_scan(struct loader *x, struct err *e)
{
	struct clog2_block b;
	uint64_t before = 0;
	enum err_code code = ERR_OK;

	x->counts = map_new();
	if (!x->counts)
		return err_memory(e, "counting events");
	clog2_block_init(&b);
	for (uint32_t i = 0; code == ERR_OK && i < x->file_count && !x->stopped; i++) {
		code = scan_file(x, &x->files[i], &b, before, e);
		before += x->files[i].source->size;
	}
	clog2_block_release(&b);
	if (code == ERR_OK && (x->defs.memory_failed || x->comms.memory_failed))
		code = err_memory(e, "definitions and communicators");
	return code;
}
