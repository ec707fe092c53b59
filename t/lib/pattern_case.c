#include "pattern_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "tap.h"

#define MOST_CALLS 65536
#define MOST_SETS 256
#define MOST_OPS 64

/* Calls made so far, so that the k-th of one operation and members joins the k-th of the others. */
struct call_made {
	char what[256];           /* "Allreduce:0,1" */
	uint32_t place;           /* the how manieth such call of its process */
	gen_event event;
};

struct case_reader {
	struct gen *g;
	struct call_made *calls;
	size_t count, cap;
	char sets[MOST_SETS][240]; /* members of communicators; that of all is 0 */
	uint32_t set_count;
};

/* Names of operations that stay, since a trace keeps them. */
static const char *op_of(const char *word, size_t n)
{
	static char ops[MOST_OPS][64];
	static size_t count;

	for (size_t i = 0; i < count; i++)
		if (strlen(ops[i]) == n && memcmp(ops[i], word, n) == 0)
			return ops[i];
	if (count == MOST_OPS || n >= sizeof ops[0])
		bail_out("too many operations");
	memcpy(ops[count], word, n);
	return ops[count++];
}

static uint32_t set_of(struct case_reader *r, const char *members)
{
	for (uint32_t i = 0; i < r->set_count; i++)
		if (strcmp(r->sets[i], members) == 0)
			return i;
	if (r->set_count == MOST_SETS || strlen(members) >= sizeof r->sets[0])
		bail_out("too many communicators");
	strcpy(r->sets[r->set_count], members);
	return r->set_count++;
}

/* `begin`: calls[] of this process begin there. */
static void read_call(struct case_reader *r, uint32_t process, const char *word, size_t begin)
{
	struct call_made made = {.place = 0};
	const char *colon = strchr(word, ':');

	if (!colon || strlen(word) >= sizeof made.what)
		bail_out("not a call: %s", word);
	strcpy(made.what, word);
	for (size_t i = begin; i < r->count; i++)
		made.place += strcmp(r->calls[i].what, word) == 0;
	made.event = gen_collective(r->g, process, op_of(word, (size_t)(colon - word)), set_of(r, colon + 1), 0);
	for (size_t i = 0; i < begin; i++)
		if (r->calls[i].place == made.place && strcmp(r->calls[i].what, word) == 0) {
			gen_relate(r->g, r->calls[i].event, made.event);
			break;
		}
	if (r->count == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 256;
		r->calls = realloc(r->calls, r->cap * sizeof *r->calls);
		if (!r->calls)
			bail_out("no memory");
	}
	r->calls[r->count++] = made;
}

static void read_process(struct case_reader *r, char *line)
{
	char *save, *word = strtok_r(line, " ", &save);
	uint32_t process = (uint32_t)strtoul(word, NULL, 10);
	size_t begin = r->count;

	while ((word = strtok_r(NULL, " ", &save))) {
		unsigned long long bytes;
		unsigned peer;
		int tag;

		if (sscanf(word, ">%u:%llu:%d", &peer, &bytes, &tag) == 3)
			gen_with(r->g, gen_send(r->g, process, peer, bytes), 0, tag);
		else if (sscanf(word, "<%u:%d", &peer, &tag) == 2)
			gen_with(r->g, gen_receive(r->g, process, peer, SIZE_UNKNOWN), 0, tag);
		else
			read_call(r, process, word, begin);
		gen_spend(r->g, process, 1e-3);
	}
}

static struct trace *read_trace(const char *text)
{
	struct case_reader *r = calloc(1, sizeof *r);
	char *copy = strdup(text), *save, *line;
	struct trace *t;

	if (!r || !copy)
		bail_out("no memory");
	strcpy(r->sets[r->set_count++], "*");
	for (line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned n;

		if (*line == '#')
			continue;
		if (sscanf(line, "processes %u", &n) == 1)
			r->g = gen_new(n);
		else if (r->g)
			read_process(r, line);
	}
	if (!r->g)
		bail_out("no case: %.60s", text);
	t = gen_trace(r->g);
	free(r->calls);
	free(r);
	free(copy);
	return t;
}

void pattern_case_make(struct pattern_case *c, const char *text)
{
	struct err e;

	memset(c, 0, sizeof *c);
	c->text = strdup(text);
	c->trace = read_trace(text);
	if (!c->text || patterns_new(&c->patterns, c->trace, NULL, &e))
		bail_out("%s", c->text ? e.text : "no memory");
}

/* All ticks are one occurrence of one phase. */
static void name_whole(struct pattern_case *c)
{
	static uint32_t first[2] = {0, 1}, occurrence = 0;
	struct err e;

	if (logical_new(&c->logical, c->trace, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &e))
		bail_out("%s", e.text);
	c->occurrence = (struct occurrence){1, 0, c->logical->tick_count ? c->logical->tick_count - 1 : 0};
	c->phase = (struct phase){.id = 1, .weight = 1};
	c->phases = (struct phases){.list = &c->phase, .count = 1, .occurrences = &c->occurrence, .occurrence_count = 1, .phase_first = first,
				    .by_phase = &occurrence};
	c->figure = (struct phase_figures){.time = 1};
	c->figures = (struct figures){.phase = &c->figure, .count = 1, .aet = 1};
	if (phase_names_new(&c->names, c->patterns, c->logical, &c->phases, &c->figures, NULL, &e))
		bail_out("%s", e.text);
}

void pattern_case_read(struct pattern_case *c, const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t n = 0, cap = 0;

	if (!f)
		bail_out("cannot open %s", path);
	do {
		cap += 65536;
		text = realloc(text, cap + 1);
		if (!text)
			bail_out("no memory");
		n += fread(text + n, 1, cap - n, f);
	} while (n == cap);
	text[n] = '\0';
	fclose(f);
	pattern_case_make(c, text);
	free(text);
	name_whole(c);
}

void pattern_case_free(struct pattern_case *c)
{
	phase_names_free(c->names);
	logical_unref(c->logical);
	patterns_free(c->patterns);
	trace_free(c->trace);
	free(c->text);
}

char *pattern_case_known(const struct pattern_case *c, const char *key)
{
	char mark[64];
	const char *at, *end;

	snprintf(mark, sizeof mark, "# %s: ", key);
	at = strstr(c->text, mark);
	if (!at)
		return NULL;
	at += strlen(mark);
	end = strchr(at, '\n');
	return strndup(at, end ? (size_t)(end - at) : strlen(at));
}

char *pattern_case_reading(const struct pattern_case *c)
{
	struct out out;
	char *text;

	out_init(&out);
	reading_text(c->patterns, UINT32_MAX, &out);
	text = strdup(out.text ? out.text : "");
	out_release(&out);
	return text;
}
