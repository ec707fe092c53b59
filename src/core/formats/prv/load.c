/* Loading a Paraver trace: header, lines, names, communicators, whose records are whose, order, events. */
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/formats/api/format.h"
#include "core/io/source.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"
#include "prv_int.h"

#define TITLE "#Paraver ("
#define LACKS 100 /* a trace whose last record is earlier than its end by one part in so many is cut */

struct load {
	struct maker *maker;
	const struct source *source;
	struct prv_header header;
	uint64_t header_bytes;
	struct prv_names *names;
	struct prv_scan scan;
	struct prv_comms comms;
	struct prv_kinds kinds;
	struct prv_arranged all;
	struct prv_roots roots;
};

static bool recognise(const uint8_t *bytes, size_t n, const char *name)
{
	(void)name;
	return n >= strlen(TITLE) && !memcmp(bytes, TITLE, strlen(TITLE));
}

static enum err_code read_header(struct load *load, struct err *e)
{
	struct prv_lines lines;
	size_t n;
	const char *text;
	char name[200];
	enum err_code code = prv_lines_init(&lines, load->source, 0, PRV_WHOLE_FILE, e);

	if (code)
		return code;
	e->code = ERR_OK;
	text = prv_lines_text(&lines, &n, e);
	code = text ? prv_header_parse(&load->header, text, n, e) : e->code;
	load->header_bytes = lines.buffer_at + lines.pos;
	prv_lines_release(&lines);
	return code == ERR_FORMAT ? err_prefix(e, "%s is not a readable Paraver trace",
					       text_safe(name, sizeof name, load->source->name, SIZE_MAX, TEXT_UTF8)) : code;
}

static enum err_code define_file(struct load *load, struct err *e)
{
	enum err_code code = make_files(load->maker, 1, e);
	struct trace_file *file = code ? NULL : make_file(load->maker, load->source);

	if (code)
		return code;
	if (!file)
		return err_memory(e, "the trace's files");
	strcpy(file->format, "PRV");
	file->finalized = true;
	return ERR_OK;
}

static void note_end(struct load *load)
{
	const struct prv_header *h = &load->header;
	struct note_place place = NOTE_NOWHERE;
	struct notes *notes = &load->maker->trace->notes;
	uint64_t last = load->scan.last < 0 ? 0 : (uint64_t)load->scan.last;

	place.file = 0;
	if (load->source->hole) {
		place.offset = (int64_t)(load->source->file_size - load->source->hole);
		notes_add(notes, NOTE_TRUNCATED, place, "the file is empty from byte %llu to its end at byte %llu: "
			  "nothing was ever written there",
			  (unsigned long long)place.offset, (unsigned long long)load->source->file_size);
		place.offset = -1;
	}
	if (load->scan.cut)
		notes_add(notes, NOTE_TRUNCATED, place, "its last line is cut off");
	else if (last < h->final_time && h->final_time - last > h->final_time / LACKS)
		notes_add(notes, NOTE_TRUNCATED, place, "the header gives %.9g s as the end of the run, but the last "
			  "record is at %.9g s",
			  (double)h->final_time / h->units, (double)last / h->units);
}

/* Names tell routines apart, so that ranks with others would not find the same ones. */
static enum err_code same_names(struct load *load, struct err *e)
{
	struct team_pack facts = {0};
	enum err_code code = prv_names_facts(load->names, &facts, e);

	return maker_agreed(load->maker, team_alike(load->maker->team, &facts, code, "all ranks of a parallel analysis "
						    "must read the same files", e));
}

static enum err_code load_scan_lines(struct load *load, struct err *e)
{
	struct trace *t = load->maker->trace;
	uint64_t counter;
	enum err_code code = prv_names_load(&load->names, load->source->fd >= 0 ? load->source->name : NULL, e);

	if (!code && load->maker->team)
		code = same_names(load, e);
	if (code)
		return code;
	counter = prv_wanted_counter(load->maker, load->names);
	code = prv_scan(&load->scan, load->maker, load->source, load->header_bytes, 1, &load->header, counter, e);
	if (code)
		return code;
	note_end(load);
	t->record_count = t->files[0].records = load->scan.records;
	load->maker->cpu_samples = load->scan.cpu_clock;
	code = prv_comms_init(&load->comms, load->maker, &load->header, &load->scan, e);
	if (!code)
		code = prv_share(&load->scan, load->maker, e);
	if (!code)
		code = prv_kinds_init(&load->kinds, load->maker, &load->scan, load->names, counter, e);
	make_tags(load->maker, load->scan.tag_least, load->scan.tag_highest);
	return code;
}

static enum err_code define_hosts(struct load *load, struct err *e)
{
	for (uint32_t p = 0; p < load->header.task_count; p++) {
		size_t n;
		const char *name = prv_name_of_node(load->names, load->header.tasks[p].node, &n);

		if (name && !make_host(load->maker, p, name, n))
			return err_memory(e, "the names of the nodes");
	}
	return ERR_OK;
}

static enum err_code arrange(struct load *load, struct err *e)
{
	struct note_place place = NOTE_NOWHERE;
	enum err_code code;

	load->all = (struct prv_arranged){.header = &load->header, .kinds = &load->kinds, .comms = &load->comms, .scan = &load->scan};
	code = prv_arrange(&load->all, load->maker, e);
	place.file = 0;
	if (!code && load->all.unknown_comms)
		notes_add(&load->maker->trace->notes, NOTE_DOUBTFUL_COMM, place,
			  "%llu collective%s on communicator %llu%s, which is not defined, count%s as on MPI_COMM_WORLD", (unsigned long long)load->all.unknown_comms, load->all.unknown_comms == 1 ? "" : "s",
			  (unsigned long long)load->all.unknown_comm, load->all.unknown_comms == 1 ? "" : " or others",
			  load->all.unknown_comms == 1 ? "s" : "");
	if (!code)
		code = prv_roots_find(&load->roots, &load->all, load->maker, e);
	return code ? code : make_room(load->maker, load->all.most, e);
}

static enum err_code load_prv(struct maker *maker, const struct source *sources, uint32_t count, struct err *e)
{
	struct load load = {.maker = maker, .source = sources};
	struct prv_recording to = {&load.header, &load.scan, &load.kinds, &load.comms, &load.all, &load.roots, sources->file_size};
	enum err_code code = count > 1 ? err_set(e, ERR_USAGE, "a Paraver trace is a single file\nhint: open one "
						 "file") : ERR_OK;

	if (!code)
		code = read_header(&load, e);
	if (!code)
		code = define_file(&load, e);
	if (!code)
		code = load_scan_lines(&load, e);
	if (!code)
		code = define_hosts(&load, e);
	if (!code)
		code = arrange(&load, e);
	if (!code)
		code = prv_record(&to, maker, e);
	prv_roots_release(&load.roots);
	prv_arranged_release(&load.all);
	prv_kinds_release(&load.kinds);
	prv_comms_release(&load.comms);
	prv_scan_release(&load.scan);
	prv_names_free(load.names);
	prv_header_release(&load.header);
	return code;
}

const struct format prv_format = {.name = "PRV", .begins = TITLE, .ending = ".prv", .recognise = recognise, .load = load_prv,
				 .parts = prv_parts};
