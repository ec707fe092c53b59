/* Paraver traces: bytes -> trace -> analyses, and names beside it. What stands behind a line of "%" is the .pcf, and
 * behind another one the .row. Whatever the bytes are, they are refused with a sentence or make a trace that holds
 * together, the same on one thread and on three.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/formats/prv/prv_int.h"
#include "core/io/source.h"
#include "fuzz.h"

static void check_ring(const struct trace *t, uint32_t event, uint8_t *seen)
{
	uint32_t next = event;

	do {
		must(next < t->event_count && !seen[next], "a collective's ring closes");
		must(t->type[next] == t->type[event], "a collective's members agree");
		seen[next] = 1;
		next = t->match[next];
	} while (next != event);
}

static void check_event(const struct trace *t, uint32_t p, uint32_t i, uint8_t *seen)
{
	uint32_t kind = EVENT_KIND(t->type[i]), index = EVENT_INDEX(t->type[i]), m = t->match[i];

	must(isfinite(t->time[i]) && t->time[i] >= 0, "a time is a time");
	must(isnan(t->compute[i]) || (isfinite(t->compute[i]) && t->compute[i] >= 0), "a compute time is one");
	must(trace_comm(t, i) < t->comm_count, "a communicator is one of those listed");
	must(i == t->first[p] || t->processes[p].threads > 1 || t->time[i] >= t->time[i - 1], "a thread's events are in order");
	if (kind == EVENT_COLLECTIVE) {
		must(index < t->coll_count && t->comms[trace_comm(t, i)].size > 1, "a collective has its type, and more than one task");
		if (!seen[i])
			check_ring(t, i, seen);
		return;
	}
	must(kind != EVENT_NONE && index <= t->process_count, "a partner is a process");
	if (m == NO_EVENT) {
		must(!index, "each message has both ends, but those whose partners are not there");
		return;
	}
	must(m < t->event_count && t->match[m] == i, "partners name each other");
	must(EVENT_KIND(t->type[m]) == (kind == EVENT_SEND ? EVENT_RECEIVE : EVENT_SEND), "a send meets a receive");
	must(index == trace_process_of(t, m) + 1, "a message's partner is at the other end");
	must(trace_tag(t, m) == trace_tag(t, i) && trace_size(t, m) == trace_size(t, i), "both ends are of one message");
}

static void check_trace(const struct trace *t)
{
	uint8_t *seen = calloc(t->event_count + 1, 1);

	must(t->first[0] == 0 && t->first[t->process_count] == t->event_count, "all events are some process's");
	must(t->send_count + t->receive_count + t->collective_count == t->event_count, "each event is counted once");
	must(isfinite(t->start) && isfinite(t->end) && t->end >= t->start, "a run has its length");
	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++)
			check_event(t, p, i, seen);
	for (uint32_t c = 0; c < t->comm_count; c++)
		for (uint32_t k = 0; k < t->comms[c].size; k++)
			must(t->comm_members[t->comms[c].members + k] < t->process_count, "a member is a process");
	free(seen);
}

static void check_names(const uint8_t *pcf, size_t pcf_size, const uint8_t *row, size_t row_size)
{
	struct prv_names *names;
	struct err e;
	size_t n;

	must(prv_names_parse(&names, (const char *)pcf, pcf_size, (const char *)row, row_size, &e) == ERR_OK, "names are read whatever they are");
	for (uint64_t v = 0; v < 40; v++) {
		const char *texts[] = {prv_name_of_value(names, 50000001, v, &n), prv_name_of_state(names, v, &n),
				       prv_name_of_node(names, (uint32_t)v, &n), prv_name_of_type(names, 42000000 + v, &n)};

		must(!texts[3] || n, "a name has characters");
	}
	prv_type_of_name(names, "PAPI_TOT_INS", 42000000, 43000000);
	prv_names_free(names);
}

static struct trace *load(const uint8_t *bytes, size_t size, unsigned threads)
{
	struct source source;
	struct trace_options o = {.threads = threads};
	struct trace *t;
	struct err e = {0};
	enum err_code code;

	source_open_memory(&source, "t.prv", bytes, size, NULL);
	code = trace_load_sources(&t, &source, 1, &o, NULL, &e);
	if (code) {
		must_be_sentence((int)code, &e);
		must(!t || code == ERR_DAMAGED, "a trace is there only if it was read, or damaged");
	}
	source_release(&source);
	return t;
}

static void check_same(const struct trace *t, const struct trace *other)
{
	must(other && t->event_count == other->event_count, "as many events on several threads");
	for (uint32_t i = 0; i < t->event_count; i++)
		must(t->type[i] == other->type[i] && t->match[i] == other->match[i] && !(t->time[i] > other->time[i]) &&
			     !(t->time[i] < other->time[i]), "the same events");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *pcf = memmem(bytes, size, "\n%\n", 3), *row = NULL, *end = bytes + size;
	struct trace *t, *other;
	struct settings s;
	struct analysis *a = NULL;
	struct err e = {0};

	if (pcf)
		row = memmem(pcf + 3, (size_t)(end - pcf - 3), "\n%\n", 3);
	if (pcf)
		check_names(pcf + 3, (size_t)((row ? row : end) - pcf - 3), row ? row + 3 : NULL, row ? (size_t)(end - row - 3) : 0);
	size = pcf ? (size_t)(pcf + 1 - bytes) : size;
	t = load(bytes, size, 1);
	if (!t)
		return 0;
	check_trace(t);
	other = load(bytes, size, 3);
	check_same(t, other);
	trace_free(other);
	settings_init(&s);
	must(analysis_new(&a, t, &s, NULL, ANALYSIS_BBPS | ANALYSIS_PHASES | ANALYSIS_PATTERNS, NULL, &e) == ERR_OK, e.text);
	analysis_unref(a);
	trace_free(t);
	return 0;
}
