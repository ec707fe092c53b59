/* A trace as text, for the tests alone: shows what a second format costs, and that nothing behind the maker knows the
 * first.
 *
 *     pas2p text 1
 *     processes N
 *     state WHAT NAME            numbered from 0; WHAT: user, solo, or what an MPI call's time goes into
 *     comm NUMBER KIND PROCESS...
 *     collective OP COMM         numbered from 0; COMM: the how manyeth, from 0
 *     counter NAME [UNIT]        numbered from 0
 *     PROCESS TIME enter STATE [COLLECTIVE SIZE]
 *     PROCESS TIME leave STATE
 *     PROCESS TIME solo STATE
 *     PROCESS TIME send|receive PARTNER TAG SIZE COMM
 *     PROCESS TIME reading SECONDS
 *     PROCESS TIME count COUNTER INCREASE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/formats/api/format.h"
#include "core/io/source.h"
#include "core/trace/make/inline.h"

#define TITLE "pas2p text 1\n"
#define FIELDS 8

struct text {
	struct maker *maker;
	const char *name;
	char *bytes; /* lines end with NUL */
	size_t size, events; /* where the first event's line begins */
};

/* A line's words; how many, at most FIELDS. The last one is the rest. */
struct line {
	char text[512];
	char *word[FIELDS];
	int n;
	uint32_t process;
	double time;
};

static void split(struct line *line, const char *text)
{
	char *rest;

	snprintf(line->text, sizeof line->text, "%s", text);
	line->n = 0;
	for (char *word = strtok_r(line->text, " ", &rest); word && line->n < FIELDS; word = strtok_r(NULL, " ", &rest))
		line->word[line->n++] = word;
	line->process = line->n ? (uint32_t)strtoul(line->word[0], NULL, 10) : NO_PROCESS;
	line->time = line->n > 1 ? strtod(line->word[1], NULL) : 0;
}

static uint32_t whole(const struct line *line, int i)
{
	return i < line->n ? (uint32_t)strtoul(line->word[i], NULL, 10) : UINT32_MAX;
}

static bool is(const struct line *line, int i, const char *word)
{
	return i < line->n && !strcmp(line->word[i], word);
}

static enum err_code bad(const struct text *text, const char *line, struct err *e)
{
	char name[100], shown[100];

	return err_set(e, ERR_FORMAT, "%s: cannot read the line \"%s\"", text_safe(name, sizeof name, text->name, SIZE_MAX, TEXT_UTF8),
		       text_safe(shown, sizeof shown, line, SIZE_MAX, TEXT_UTF8));
}

static bool recognise(const uint8_t *bytes, size_t n, const char *name)
{
	(void)name;
	return n >= strlen(TITLE) && !memcmp(bytes, TITLE, strlen(TITLE));
}

/* A name may have blanks: it is the rest of the line. */
static bool add_state(struct text *text, const struct line *line, const char *bytes)
{
	const char *name = bytes + (line->word[2] - line->text);
	struct make_kind kind = {.total = {.colour = "white", .format = "", .key = text->maker->kind_count}};

	kind.total.name = arena_strndup(&text->maker->trace->arena, name, strlen(name));
	kind.total.solo = is(line, 1, "solo");
	kind.total.mpi = !kind.total.solo && !is(line, 1, "user");
	kind.time = TIME_OTHER_MPI;
	for (int k = 0; k < TIME_KINDS; k++)
		if (is(line, 1, time_kind_name((enum time_kind)k)))
			kind.time = (enum time_kind)k;
	return kind.total.name && make_kind(text->maker, &kind);
}

static void add_comm(struct trace *t, const struct line *line, const char *members)
{
	struct comm_info *comm = &t->comms[t->comm_count], *before = t->comm_count ? comm - 1 : NULL;
	char *end;

	*comm = (struct comm_info){.number = (int32_t)whole(line, 1), .members = before ? before->members + before->size : 0};
	comm->kind = is(line, 2, "world") ? "world" : is(line, 2, "self") ? "self" : "intra";
	for (; *members; members = end) {
		unsigned long process = strtoul(members, &end, 10);

		if (end == members)
			break;
		t->comm_members[comm->members + comm->size++] = (uint32_t)process;
	}
	t->comm_count++;
}

/* All lines before the first event's. */
static enum err_code head(struct text *text, struct err *e)
{
	struct trace *t = text->maker->trace;
	size_t at = strlen(TITLE);
	/* No file has more communicators or members than bytes. */
	enum err_code code = make_comms(text->maker, (uint32_t)text->size, text->size, e);

	t->comm_count = 0;
	for (; code == ERR_OK && at < text->size; at += strlen(text->bytes + at) + 1) {
		const char *bytes = text->bytes + at;
		struct line line;

		split(&line, bytes);
		if (is(&line, 0, "processes") && whole(&line, 1) < text->size)
			code = make_processes(text->maker, whole(&line, 1), e);
		else if (is(&line, 0, "state") && line.n > 2)
			code = add_state(text, &line, bytes) ? ERR_OK : err_memory(e, "the states");
		else if (is(&line, 0, "comm") && line.n > 3)
			add_comm(t, &line, strstr(bytes, line.word[2]) + strlen(line.word[2]));
		else if (is(&line, 0, "collective") && whole(&line, 2) < t->comm_count) {
			char *op = arena_strndup(&t->arena, line.word[1], strlen(line.word[1]));

			code = op && make_collective_type(text->maker, op, whole(&line, 2)) ? ERR_OK : err_memory(e, "the collectives");
		} else if (is(&line, 0, "counter") && line.n > 1) {
			code = make_counter(text->maker, line.word[1], line.n > 2 ? line.word[2] : "") != MAKE_NO_NUMBER
				       ? ERR_OK : err_memory(e, "the counters");
		} else
			break;
	}
	text->events = at;
	return code;
}

/* How many events each process has at most; no line that cannot be told gets past here. */
static enum err_code count(struct text *text, struct err *e)
{
	struct trace *t = text->maker->trace;
	uint64_t *most = mem_zero(t->process_count, sizeof *most);
	enum err_code code = most ? ERR_OK : err_memory(e, "the trace's events");

	for (size_t at = text->events; code == ERR_OK && at < text->size; at += strlen(text->bytes + at) + 1) {
		const char *bytes = text->bytes + at;
		struct line line;

		split(&line, bytes);
		if (line.process >= t->process_count)
			code = bad(text, bytes, e);
		else if (is(&line, 2, "send") || is(&line, 2, "receive"))
			code = whole(&line, 3) < t->process_count && whole(&line, 6) < t->comm_count ? ERR_OK : bad(text, bytes, e);
		else if (is(&line, 2, "enter") || is(&line, 2, "leave") || is(&line, 2, "solo"))
			code = whole(&line, 3) < text->maker->kind_count && (line.n < 5 || whole(&line, 4) < t->coll_count)
				       ? ERR_OK : bad(text, bytes, e);
		else if (is(&line, 2, "count") && line.n > 4)
			code = whole(&line, 3) < t->counter_count ? ERR_OK : bad(text, bytes, e);
		else if (is(&line, 2, "reading") && line.n > 3)
			text->maker->cpu_samples = true;
		else
			code = bad(text, bytes, e);
		if (code == ERR_OK)
			most[line.process]++;
		t->files[0].records++;
	}
	t->record_count = t->files[0].records;
	if (code == ERR_OK)
		code = make_room(text->maker, most, e);
	mem_free(most);
	return code;
}

static void tell(struct make_share *share, const struct line *line)
{
	struct make_record r = make_record(share, line->process, 0, line->time);

	if (is(line, 2, "enter")) {
		if (make_enter(r, whole(line, 3)) && line->n > 5)
			make_collective(r, whole(line, 4), whole(line, 5), share->trace->colls[whole(line, 4)].comm);
	} else if (is(line, 2, "leave")) {
		make_leave(r, whole(line, 3));
	} else if (is(line, 2, "solo")) {
		make_solo(r, whole(line, 3));
	} else if (is(line, 2, "count")) {
		make_count(r, whole(line, 3), strtod(line->word[4], NULL));
	} else if (is(line, 2, "reading")) {
		make_cpu_sample(r, strtod(line->word[3], NULL));
	} else {
		event_type kind = is(line, 2, "send") ? EVENT_SEND : EVENT_RECEIVE;

		make_message(r, (struct make_message){kind, whole(line, 3), whole(line, 6), whole(line, 6),
						      (int32_t)whole(line, 4), whole(line, 5), 0});
	}
}

static enum err_code read_share(void *arg, struct make_share *share, struct err *e)
{
	struct text *text = arg;

	(void)e;
	share->place.file = 0;
	for (size_t at = text->events; at < text->size && !make_stopped(share); at += strlen(text->bytes + at) + 1) {
		struct line line;

		share->place.offset = (int64_t)at;
		split(&line, text->bytes + at);
		if (line.process >= share->first && line.process < share->end)
			tell(share, &line);
	}
	return ERR_OK;
}

static enum err_code load(struct maker *maker, const struct source *sources, uint32_t n, struct err *e)
{
	struct text text = {.maker = maker, .name = sources->name, .bytes = mem_zero(source_size(sources) + 1, 1)};
	struct make_reader reader = {.read = read_share, .arg = &text};
	struct trace_file *file = NULL;
	enum err_code code = n > 1 ? err_set(e, ERR_USAGE, "a trace in text is one file") : make_files(maker, n, e);

	if (code == ERR_OK)
		file = make_file(maker, sources);
	if (code == ERR_OK && (!file || !text.bytes))
		code = err_memory(e, "the text");
	if (code == ERR_OK)
		code = source_read(sources, 0, text.bytes, source_size(sources), &text.size, e);
	if (code == ERR_OK) {
		strcpy(file->format, "text 1");
		file->finalized = true;
		for (size_t i = 0; i < text.size; i++)
			text.bytes[i] = text.bytes[i] == '\n' ? '\0' : text.bytes[i];
		code = head(&text, e);
	}
	if (code == ERR_OK)
		code = count(&text, e);
	if (code == ERR_OK)
		code = make_events(maker, &reader, e);
	mem_free(text.bytes);
	return code;
}

const struct format text_format = {.name = "text", .begins = "pas2p text 1", .ending = ".text", .recognise = recognise,
				  .load = load};
