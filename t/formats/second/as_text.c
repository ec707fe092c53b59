/* A CLOG2 trace as text (t/lib/format_text): AS_TEXT TRACE.clog2 >TRACE.text. For traces without readings and
 * threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/clog2/clog2_int.h"
#include "core/formats/clog2/clog2.h"
#include "core/formats/clog2/kinds.h"
#include "core/formats/api/load.h"
#include "core/trace/trace.h"

static struct trace *trace;
static struct defs defs;
static struct clog2_file file;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "as_text: %s\n", what);
	exit(1);
}

static uint32_t comm_of(int32_t icomm)
{
	for (uint32_t i = 0; i < trace->comm_count; i++)
		if (trace->comms[i].number == icomm)
			return i;
	die("a communicator is missing");
}

static uint32_t process_of(int32_t icomm, int32_t rank)
{
	return trace->comm_members[trace->comms[comm_of(icomm)].members + (uint32_t)rank];
}

static void define(const struct clog2_rec *r)
{
	struct clog2_statedef state;
	struct clog2_eventdef event;

	if (r->type == CLOG2_STATEDEF) {
		clog2_get_statedef(&file, r, &state);
		defs_add_state(&defs, &state);
	} else if (r->type == CLOG2_EVENTDEF) {
		clog2_get_eventdef(&file, r, &event);
		defs_add_event(&defs, &event);
	} else if (r->type == CLOG2_BAREEVT || r->type == CLOG2_CARGOEVT) {
		defs_need(&defs, clog2_get_etype(&file, r));
	}
}

static void put_state(const struct clog2_rec *r)
{
	enum etype_role role;
	uint32_t def = defs_find(&defs, clog2_get_etype(&file, r), &role), comm = comm_of(r->icomm);
	const struct def *d = &defs.list[def];

	printf("%u %.17g %s %u", process_of(r->icomm, r->rank), r->time,
	       role == ETYPE_START ? "enter" : role == ETYPE_FINAL ? "leave" : "solo", def);
	for (uint32_t i = 0; role == ETYPE_START && d->collective && i < trace->coll_count; i++)
		if (trace->colls[i].comm == comm && !strcmp(trace->colls[i].op, d->op) && trace->comms[comm].size > 1) {
			double little, size = d->size.token && r->type == CLOG2_CARGOEVT
						      ? cargo_number(&d->size, clog2_get_cargo(r), &little) : 0;

			printf(" %u %.0f", i, size);
		}
	putchar('\n');
}

static void put(const struct clog2_rec *r)
{
	struct clog2_msg m;

	if (r->type == CLOG2_MSGEVT) {
		clog2_get_msg(&file, r, &m);
		printf("%u %.17g %s %u %d %d %u\n", process_of(r->icomm, r->rank), r->time, m.etype == -101 ? "send" : "receive",
		       process_of(m.icomm, m.rank), m.tag, m.size, comm_of(r->icomm));
	} else if (r->type == CLOG2_BAREEVT || r->type == CLOG2_CARGOEVT) {
		put_state(r);
	}
}

static void each(void (*what)(const struct clog2_rec *))
{
	struct clog2_block b;
	struct clog2_rec r;

	clog2_block_init(&b);
	for (uint64_t k = 0; k < file.block_count; k++) {
		if (clog2_block_read(&file, k, &b, NULL))
			die("cannot be read");
		while (clog2_block_next(&b, &r))
			what(&r);
	}
	clog2_block_release(&b);
}

static void put_head(void)
{
	printf("pas2p text 1\nprocesses %u\n", trace->process_count);
	for (uint32_t i = 0; i < defs.count; i++) {
		const struct def *d = &defs.list[i];

		printf("state %s %s\n", d->total.solo ? "solo" : !d->mpi ? "user" : d->kind == TIME_OTHER_MPI ? "MPI" : time_kind_name(d->kind),
		       *d->total.name ? d->total.name : "-");
	}
	for (uint32_t i = 0; i < trace->comm_count; i++) {
		printf("comm %d %s", (int)trace->comms[i].number, trace->comms[i].kind);
		for (uint32_t k = 0; k < trace->comms[i].size; k++)
			printf(" %u", trace->comm_members[trace->comms[i].members + k]);
		putchar('\n');
	}
	for (uint32_t i = 0; i < trace->coll_count; i++)
		printf("collective %s %u\n", trace->colls[i].op, trace->colls[i].comm);
}

int main(int argc, char **argv)
{
	const char *path = argc == 2 ? argv[1] : NULL;
	struct source source;
	struct arena arena;
	struct notes notes;
	struct err e;

	arena_init(&arena);
	notes_init(&notes);
	if (!path || trace_load(&trace, &path, 1, NULL, NULL, &e) || source_open_file(&source, path, &e) ||
	    clog2_open(&file, &source, &notes, &e) || defs_init(&defs, &arena, &e))
		die(path ? e.text : "one trace");
	each(define);
	put_head();
	each(put);
	defs_release(&defs);
	source_release(&source);
	notes_release(&notes);
	arena_release(&arena);
	trace_free(trace);
	return fflush(stdout) || ferror(stdout);
}
