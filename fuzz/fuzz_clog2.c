/* Traces: bytes -> trace -> analyses with every order and similarity -> phase tables, and metrics. Whatever the bytes
 * are, they are refused with a sentence or make a trace that holds together, an analysis that does, and a table that
 * reads back.
 *
 * A version stamp behind the first byte begins another file: such inputs are sets of local files.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "fuzz.h"
#include "metrics.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/documents/table.h"

#define FILES 6

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

	must(isfinite(t->time[i]) && fabs(t->time[i]) < 1e9, "a time is a time");
	must(isnan(t->compute[i]) || (isfinite(t->compute[i]) && t->compute[i] >= 0), "a compute time is one");
	must(trace_comm(t, i) < t->comm_count, "a communicator is one of those listed");
	must(kind != EVENT_NONE, "an event has a kind");
	must(trace_process_of(t, i) == p, "an event is its process's");
	if (kind == EVENT_COLLECTIVE) {
		must(index < t->coll_count, "a collective has its type");
		if (!seen[i])
			check_ring(t, i, seen);
		return;
	}
	must(index <= t->process_count, "a partner is a process");
	if (m == NO_EVENT)
		return;
	must(m < t->event_count && t->match[m] == i, "partners name each other");
	must(EVENT_KIND(t->type[m]) == (kind == EVENT_SEND ? EVENT_RECEIVE : EVENT_SEND), "a send meets a receive");
	must(index == trace_process_of(t, m) + 1, "a message's partner is at the other end");
	must(trace_tag(t, m) == trace_tag(t, i), "both ends have one tag");
}

static void check_trace(const struct trace *t)
{
	uint8_t *seen = calloc(t->event_count + 1, 1);

	must(t->first[0] == 0 && t->first[t->process_count] == t->event_count, "all events are some process's");
	must(t->send_count + t->receive_count + t->collective_count == t->event_count, "each event is counted once");
	must(isfinite(t->start) && isfinite(t->end) && t->end >= t->start, "a run has its length");
	for (uint32_t p = 0; p < t->process_count; p++) {
		must(t->first[p] <= t->first[p + 1], "processes follow each other");
		for (int k = 0; k < TIME_KINDS; k++)
			must(t->processes[p].by_kind[k] >= 0, "no time is negative");
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++)
			check_event(t, p, i, seen);
	}
	for (uint32_t c = 0; c < t->comm_count; c++)
		for (uint32_t k = 0; k < t->comms[c].size; k++)
			must(t->comm_members[t->comms[c].members + k] < t->process_count, "a member is a process");
	free(seen);
}

static void check_logical(const struct logical *l)
{
	const struct trace *t = l->trace;
	uint8_t *seen = calloc(t->event_count + 1, 1);

	must(l->tick_first[0] == 0 && l->tick_first[l->tick_count] == t->event_count, "each event has a place");
	for (uint32_t k = 0; k < l->tick_count; k++) {
		must(l->tick_first[k] < l->tick_first[k + 1], "no tick is empty");
		for (uint32_t at = l->tick_first[k]; at < l->tick_first[k + 1]; at++) {
			uint32_t i = l->order_of[at];

			must(i < t->event_count && !seen[i], "each event is in one tick");
			seen[i] = 1;
			must(l->tick[i] == k, "an event knows its tick");
			must(at == l->tick_first[k] || trace_process_of(t, l->order_of[at - 1]) < trace_process_of(t, i),
			     "a process has one event in a tick");
		}
	}
	free(seen);
}

static void check_table(const struct analysis *a)
{
	struct table t, again;
	char *once, *twice;
	size_t n, m;
	struct err e = {0};
	enum err_code code = table_from_analysis(&t, a, NULL, NULL, &e);

	must(code == ERR_OK, "an analysis gives a table");
	t.named = NULL; /* what is for people is not read back */
	must(table_write(&t, &once, &n, &e) == ERR_OK, "a table can be written");
	code = table_read(&again, "table", once, n, &e);
	must(code == ERR_OK, e.text);
	must(table_write(&again, &twice, &m, &e) == ERR_OK, "and written again");
	must(n == m && !memcmp(once, twice, n), "to the same bytes");
	mem_free(once);
	mem_free(twice);
	table_release(&t);
	table_release(&again);
}

static void check_analysis(const struct analysis *a, int with_table)
{
	const struct phases *p = a->phases;
	uint64_t weights = 0;

	check_logical(a->logical);
	for (uint32_t i = 0; i < p->count; i++)
		weights += p->list[i].weight;
	must(weights == p->occurrence_count, "each occurrence is some phase's");
	must(isfinite(a->figures->pet) == (a->figures->relevant > 0), "what relevant phases predict is a number");
	must(isfinite(a->figures->coverage) == (p->count && a->figures->aet > 0), "so is their coverage");
	if (with_table)
		check_table(a);
}

/* Each matched event belongs to one instance, instances add up, and what is said of a phase is all of it or less. */
static void check_patterns(const struct analysis *a)
{
	const struct patterns *x = a->patterns;
	uint64_t messages = 0, sends = 0;

	for (uint32_t i = 0; i < x->trace->event_count; i++) {
		bool matched = x->trace->match[i] != NO_EVENT;

		must(matched ? x->instance_of[i] < x->instance_count : x->instance_of[i] == INSTANCE_NONE, "an event has its instance");
		sends += matched && EVENT_KIND(x->trace->type[i]) == EVENT_SEND;
	}
	for (uint32_t i = 0; i < x->instance_count; i++) {
		must(x->instances[i].pattern < x->count && x->instances[i].explained >= 0 && x->instances[i].explained <= 1, "an instance is of a pattern");
		messages += x->instances[i].messages;
	}
	must(messages == sends && x->reading->fold->length == x->instance_count, "instances have all messages, and the reading all of them");
	for (uint32_t i = 0; i < a->names->count; i++)
		must(a->names->list[i].explained >= 0 && a->names->list[i].explained <= 1 + 1e-9, "a phase is explained in part or in full");
}

/* The loops unfold to the occurrences, and the line closes what it opens. */
static void check_structure(const struct analysis *a)
{
	for (int kind = STRUCTURE_SHORTEST; kind <= STRUCTURE_RELEVANT; kind++) {
		struct structure *s;
		struct structure_word *words;
		struct out line;
		struct err e;
		uint32_t count, depth = 0, k = 0, *back;

		must(structure_new(&s, a->clockwork, a->phases, a->figures, a->patterns, &a->settings, (enum structure_kind)kind, NULL, &e) == ERR_OK, e.text);
		must(structure_words(&words, &count, s, UINT32_MAX, &e) == ERR_OK, e.text);
		for (uint32_t i = 0; i < count; i++) {
			depth -= words[i].closes;
			must(words[i].depth == depth && words[i].first < a->phases->occurrence_count, "a word stands somewhere");
			depth += words[i].opens;
		}
		must(!depth, "what opens closes");
		back = calloc((size_t)s->shown->fold->length + 1, sizeof *back);
		fold_unfold(s->shown->fold, back);
		for (uint32_t i = 0; i < a->phases->occurrence_count; i++) {
			uint32_t at = structure_iteration_of(s, i);

			must(at == UINT32_MAX || (s->main.from[at] <= i && i < s->main.to[at]), "an occurrence is in its iteration");
			if (s->kind == STRUCTURE_EXACT || s->run.is_relevant[a->phases->occurrences[i].phase - 1])
				must(back[k++] == a->phases->occurrences[i].phase, "loops unfold to the run");
		}
		must(k == s->shown->fold->length, "to all of it");
		must(!s->main.iterations || (isfinite(s->main.mean) && isfinite(s->main.share)), "iterations take a time");
		out_init(&line);
		structure_text(s, &line);
		must(!line.failed && !count == !line.len, "there is a line of it");
		out_release(&line);
		free(back);
		mem_free(words);
		structure_free(s);
	}
}

/* Writing and reading tables is the slowest part: of each fourth input, that of one analysis. */
static void analyse(const struct trace *t, unsigned table)
{
	struct settings s;
	struct analysis *before = NULL, *a;
	struct err e = {0};

	for (int k = 0; k < 6; k++) {
		settings_init(&s);
		s.order = k & 1 ? ORDER_LAMPORT : ORDER_PAS2P;
		s.similarity = k & 2 ? SIMILARITY_BBP : SIMILARITY_PHASE;
		s.collectives = k & 4 ? COLLECTIVES_IGNORE : COLLECTIVES_EVENTS;
		if (k & 4) {
			s.phase_time = PHASE_TIME_SLOWEST;
			s.compute_of = k & 1 ? COMPUTE_SUM : COMPUTE_EACH;
			s.absent = ABSENT_DIFFERENT;
			s.similarity = k & 1 ? SIMILARITY_BBP : SIMILARITY_PHASE;
			s.warmup_seconds = 0;
			s.warmup_sends = 1;
		}
		must(analysis_new(&a, t, &s, before, ANALYSIS_BBPS | ANALYSIS_PHASES | ANALYSIS_PATTERNS, NULL, &e) == ERR_OK, e.text);
		analysis_unref(before);
		check_analysis(a, (int)table == k);
		check_patterns(a);
		if (k == 0)
			check_structure(a);
		before = a;
	}
	analysis_unref(before);
}

/* Split the input into its files. */
static uint32_t split(const uint8_t *bytes, size_t size, struct source sources[FILES])
{
	static const char *const names[FILES] = {"t.r0.clog2", "t.r1.clog2", "t.r2.clog2", "t.r3.clog2", "t.r4.clog2", "t.r5.clog2"};
	uint32_t count = 0;

	while (count < FILES) {
		const uint8_t *next = size > 1024 && count + 1 < FILES ? memmem(bytes + 1024, size - 1024, "CLOG-02.", 8) : NULL;
		size_t n = next ? (size_t)(next - bytes) : size;

		source_open_memory(&sources[count], names[count], bytes, n, NULL);
		count++;
		if (!next)
			break;
		bytes += n;
		size -= n;
	}
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct source sources[FILES];
	uint32_t count = split(bytes, size, sources);
	struct trace *t;
	struct err e = {0};
	struct trace_options o = {0};
	enum err_code code;
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += bytes[i];
	o.threads = sum % 5 ? 1 : 3;
	code = trace_load_sources(&t, sources, count, &o, NULL, &e);
	if (code) {
		must_be_sentence((int)code, &e);
		must(!t || code == ERR_DAMAGED, "a trace is there only if it was read, or damaged");
	}
	if (t) {
		for (uint32_t i = 0; i < t->file_count; i++)
			strcpy(t->files[i].sha256, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
		check_trace(t);
		analyse(t, sum % 24);
		if (sum % 2)
			check_metrics(t, sources, count, sum / 2);
		trace_free(t);
	}
	while (count)
		source_release(&sources[--count]);
	return 0;
}
