#include "clog2_int.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/trace/mpi_functions.h"

#define KNOWN 300            /* MPE's states are below */
#define FIRST_USER 600       /* etype */
#define LAST_USER 4999
#define BEYOND 6000          /* solo events of the user begin at 5000 */
#define TRACER "CLOG_Buffer_write2disk"
#define SYNC "PAS2P_sync_clocks"

struct naming {
	struct convert_states *s;
	const char **full;     /* names before they were cut, by state */
	bool known[KNOWN];     /* a state has MPE's number */
	int32_t next;          /* etype */
};

/* ---- names ---- */

/* As many bytes of whole characters as fit. */
static void state_name_cut(char *to, size_t size, const char *name)
{
	size_t n = 0;

	while (name[n]) {
		uint32_t character;
		size_t length = text_decode(name + n, strlen(name + n), &character);

		if (n + length >= size)
			break;
		n += length;
	}
	memcpy(to, name, n);
	to[n] = '\0';
}

static void call_name(char *to, size_t size, const char *name)
{
	const char *rest = name;

	if (!strncmp(name, "MPI_", 4)) {
		state_name_cut(to, size, name);
		return;
	}
	if (!strncasecmp(rest, "PMPI_", 5))
		rest += 5;
	else if (!strncasecmp(rest, "mpi_", 4))
		rest += 4;
	strcpy(to, "MPI_");
	state_name_cut(to + 4, size - 4, rest);
	to[4] = (char)toupper((unsigned char)to[4]);
}

/* Another state has this name, though it was called otherwise. */
static bool is_taken(const struct naming *x, uint32_t state, const char *name, const char *full)
{
	for (uint32_t i = 0; i < state; i++)
		if (!strcmp(x->s->list[i].name, name) && strcmp(x->full[i], full) != 0)
			return true;
	return false;
}

static void shorten(struct naming *x, uint32_t state, const char *full)
{
	struct convert_state *s = &x->s->list[state];
	char stem[sizeof s->name], number[NUMBER_TEXT];

	x->s->cut++;
	strcpy(stem, s->name);
	for (uint64_t i = 2; is_taken(x, state, s->name, full); i++) {
		size_t n = number_whole(i, number);

		state_name_cut(s->name, sizeof s->name - n - 1, stem);
		strcat(s->name, "~");
		strcat(s->name, number);
	}
}

/* ---- numbers ---- */

static void state_give_number(struct naming *x, struct convert_state *s)
{
	int known = clog2_known_state(s->name);

	if (known >= 0 && known < KNOWN && !x->known[known]) {
		x->known[known] = true;
		s->start = 2 * known;
	} else {
		if (x->next > LAST_USER && x->next < BEYOND)
			x->next = BEYOND;
		s->start = x->next;
		x->next += 2;
	}
	s->final = s->start + 1;
}

static void classify(struct convert_state *s)
{
	struct mpi_call call = mpi_call(s->name);

	s->mpi = call.op[0];
	s->collective = call.collective;
	s->starts = call.starts;
}

static void take_state(struct naming *x, uint32_t at, const struct record_state *state)
{
	struct convert_state *s = &x->s->list[at];
	const char *full = state->name;

	if (state->tracer && strcmp(full, TRACER) != 0 && strcmp(full, SYNC) != 0)
		full = TRACER;
	x->full[at] = full;
	state_name_cut(s->colour, sizeof s->colour, state->colour[0] ? state->colour : "white");
	if (state->mpi)
		call_name(s->name, sizeof s->name, full);
	else
		state_name_cut(s->name, sizeof s->name, full);
	if (strlen(full) >= sizeof s->name)
		shorten(x, at, full);
	state_give_number(x, s);
	classify(s);
	s->says = state->says;
}

static uint32_t state_of_op(struct naming *x, const char *op)
{
	struct convert_states *states = x->s;
	char name[32];

	snprintf(name, sizeof name, "MPI_%.27s", op);
	for (uint32_t i = 0; i < states->count; i++)
		if (states->list[i].mpi && !strcmp(states->list[i].name, name))
			return i;
	x->full[states->count] = op;
	strcpy(states->list[states->count].name, name);
	strcpy(states->list[states->count].colour, "white");
	state_give_number(x, &states->list[states->count]);
	classify(&states->list[states->count]);
	return states->count++;
}

/* Did the trace record what collectives carry, or their roots? MPE does not. */
static bool has_collectives(const struct trace *t, const struct record_log *log)
{
	if (record_log_has_collectives(log))
		return true;
	for (uint32_t event = 0; event < t->event_count; event++)
		if (EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE && trace_size(t, event))
			return true;
	return false;
}

enum err_code convert_states_init(struct convert_states *s, const struct convert_run *run, struct err *e)
{
	const struct trace *t = run->trace;
	uint32_t count;
	const struct record_state *states = record_log_states(run->log, &count);
	struct naming x = {.s = s, .next = FIRST_USER};
	bool sizes = has_collectives(t, run->log);

	*s = (struct convert_states){.list = mem_zero((size_t)count + t->coll_count, sizeof *s->list),
				     .of_type = mem_alloc(t->coll_count, sizeof *s->of_type)};
	x.full = mem_alloc((size_t)count + t->coll_count, sizeof *x.full);
	if (!s->list || !s->of_type || !x.full) {
		mem_free(x.full);
		return err_memory(e, "the states");
	}
	for (uint32_t i = 0; i < count; i++)
		take_state(&x, i, &states[i]);
	s->count = count;
	for (uint32_t i = 0; i < t->coll_count; i++)
		s->of_type[i] = state_of_op(&x, t->colls[i].op);
	for (uint32_t i = 0; i < s->count; i++)
		s->list[i].sizes = sizes && s->list[i].collective;
	mem_free(x.full);
	return ERR_OK;
}

void convert_states_release(struct convert_states *s)
{
	mem_free(s->list);
	mem_free(s->of_type);
}

/* As the tracer has them. */
static void set_format(char format[40], const struct convert_state *state)
{
	snprintf(format, 40, "%s%s%s", state->sizes ? " size=%l root=%d" : "",
		 state->says & (RECORD_BEGINS | RECORD_COMPLETES) ? " request=%d" : "", state->says & RECORD_GATHERS ? " meeting=%d" : "");
	if (*format)
		memmove(format, format + 1, strlen(format));
}

void convert_states_write(const struct convert_states *s, struct clog2_writer *writer, struct clog2_head head)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct convert_state *state = &s->list[i];
		struct clog2_statedef record = {.state = state->start < FIRST_USER ? state->start / 2 : KNOWN + (state->start - FIRST_USER) / 2,
						.start = state->start, .final = state->final};

		strcpy(record.color, state->colour);
		strcpy(record.name, state->name);
		set_format(record.format, state);
		clog2_write_statedef(writer, head, &record);
	}
}
