#include "trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/search.h"
#include "core/base/sha256.h"
#include "core/io/source.h"
#include "remote.h"
#include "times.h"

enum err_code trace_columns_alloc(struct trace *t, size_t n)
{
	t->time = mem_zero(n, sizeof *t->time);
	t->compute = mem_zero(n, sizeof *t->compute);
	t->type = mem_zero(n, sizeof *t->type);
	t->size_code = mem_zero(n, sizeof *t->size_code);
	t->envelope = mem_zero(n, sizeof *t->envelope);
	t->tag = t->tag_bits ? NULL : mem_zero(n, sizeof *t->tag);
	t->match = mem_alloc(n, sizeof *t->match);
	return t->time && t->compute && t->type && t->size_code && t->envelope && (t->tag || t->tag_bits) && t->match ? ERR_OK :
														  ERR_MEMORY;
}

enum err_code trace_new(struct trace **out, uint32_t process_count, const uint32_t *events_per_process, struct err *e)
{
	struct trace *t = mem_zero(1, sizeof *t);
	uint64_t total = 0;

	*out = NULL;
	if (!t)
		return err_memory(e, "a trace");
	arena_init(&t->arena);
	notes_init(&t->notes);
	t->threads = 1;
	t->process_count = process_count;
	t->processes = mem_zero(process_count, sizeof *t->processes);
	t->first = mem_zero((size_t)process_count + 1, sizeof *t->first);
	if (!t->processes || !t->first)
		goto no_memory;
	for (uint32_t p = 0; p < process_count; p++) {
		t->processes[p].world_rank = (int32_t)p;
		total += events_per_process ? events_per_process[p] : 0;
		if (total >= NO_EVENT) {
			trace_free(t);
			return err_set(e, ERR_LIMIT, "the trace has more than %u events", NO_EVENT - 1);
		}
		t->first[p + 1] = (uint32_t)total;
	}
	t->event_count = (uint32_t)total;
	if (trace_columns_alloc(t, total) != ERR_OK || trace_index(t, e) != ERR_OK)
		goto no_memory;
	memset(t->match, 0xff, total * sizeof *t->match);
	*out = t;
	return ERR_OK;
no_memory:
	trace_free(t);
	return err_memory(e, "the trace's events");
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	mem_free(t->files);
	mem_free(t->processes);
	mem_free(t->first);
	mem_free(t->process_hint);
	mem_free(t->time);
	mem_free(t->compute);
	mem_free(t->type);
	mem_free(t->size_code);
	mem_free(t->large_sizes);
	mem_free(t->envelope);
	mem_free(t->tag);
	mem_free(t->match);
	mem_free(t->colls);
	mem_free(t->comms);
	mem_free(t->comm_members);
	mem_free(t->states);
	mem_free(t->counters);
	notes_release(&t->notes);
	trace_times_unref(t->times);
	trace_remote_free(t->remote);
	arena_release(&t->arena);
	mem_free(t);
}

bool trace_has_time(const struct trace *t)
{
	bool any = t->event_count || t->end > t->start;

	for (uint32_t p = 0; p < t->process_count && !any; p++)
		any = t->processes[p].records > 0;
	return any;
}

double trace_total_time(const struct trace *t)
{
	return trace_has_time(t) ? t->process_count * trace_aet(t) : (double)NAN;
}

double process_outside(const struct trace *t, uint32_t process)
{
	const struct process *p = &t->processes[process];
	double recorded = 0;

	if (!trace_has_time(t))
		return NAN;
	for (int k = 0; p->records && k < TIME_KINDS; k++)
		recorded += p->by_kind[k];
	return fmax(trace_aet(t) - recorded, 0);
}

enum err_code trace_index(struct trace *t, struct err *e)
{
	uint32_t *hint = mem_resize(t->process_hint, ((size_t)t->event_count >> 6) + 1, sizeof *hint);

	if (!hint)
		return err_memory(e, "the index of the trace's events");
	t->process_hint = hint;
	for (uint32_t p = 0, i = 0; p < t->process_count; p++)
		for (; (uint64_t)i << 6 < t->first[p + 1]; i++)
			hint[i] = p;
	return ERR_OK;
}

char *trace_type_name(const struct trace *t, event_type type, char *buf, size_t size)
{
	uint32_t i = EVENT_INDEX(type);

	switch (EVENT_KIND(type)) {
	case EVENT_SEND:
	case EVENT_RECEIVE:
		if (i)
			snprintf(buf, size, "%c%u", EVENT_KIND(type) == EVENT_SEND ? '+' : '-', i);
		else
			snprintf(buf, size, "%c?", EVENT_KIND(type) == EVENT_SEND ? '+' : '-');
		break;
	case EVENT_COLLECTIVE:
		snprintf(buf, size, "C%s", i < t->coll_count ? t->colls[i].op : "?");
		break;
	default:
		snprintf(buf, size, "0");
	}
	return buf;
}

char *trace_type_text(const struct trace *t, event_type type, char *buf, size_t size)
{
	uint32_t i = EVENT_INDEX(type);

	if (EVENT_KIND(type) == EVENT_COLLECTIVE)
		snprintf(buf, size, "%s", i < t->coll_count ? t->colls[i].op : "?");
	else if (EVENT_KIND(type) && i)
		snprintf(buf, size, "%c%u", EVENT_KIND(type) == EVENT_SEND ? '>' : '<', i - 1);
	else if (EVENT_KIND(type))
		snprintf(buf, size, "%c?", EVENT_KIND(type) == EVENT_SEND ? '>' : '<');
	else
		snprintf(buf, size, "-");
	return buf;
}

const char *trace_kind_name(event_type type)
{
	switch (EVENT_KIND(type)) {
	case EVENT_SEND:
		return "send";
	case EVENT_RECEIVE:
		return "receive";
	case EVENT_COLLECTIVE:
		return "collective";
	default:
		return "none";
	}
}

const char *trace_clocks_name(unsigned clocks)
{
	static const char *const names[] = {"none", "linear", "clc", "linear, clc"};

	return names[clocks & (TRACE_CLOCKS_LINEAR | TRACE_CLOCKS_CLC)];
}

const char *compute_source_name(enum compute_source s)
{
	switch (s) {
	case COMPUTE_FROM_EVENTS:
		return "events";
	case COMPUTE_FROM_STATES:
		return "states";
	case COMPUTE_FROM_COUNTER:
		return "counter";
	default:
		return "gaps";
	}
}

char *trace_compute_name(const struct trace *t, char *buf, size_t size)
{
	static const char *const names[] = {
		[COMPUTE_FROM_EVENTS] = "compute readings", [COMPUTE_FROM_STATES] = "MPI calls", [COMPUTE_FROM_GAPS] = "gaps between events",
		[COMPUTE_FROM_COUNTER] = "counter",
	};
	bool counter = t->compute_source == COMPUTE_FROM_COUNTER && t->compute_counter < t->counter_count;

	snprintf(buf, size, "%s%s%s", names[t->compute_source], counter ? " " : "", counter ? t->counters[t->compute_counter].name : "");
	return buf;
}

const char *time_kind_name(enum time_kind k)
{
	static const char *const names[TIME_KINDS] = {"computation", "send", "receive", "wait", "collective", "other MPI", "tracer"};

	return (unsigned)k < TIME_KINDS ? names[k] : "?";
}

char *trace_format_name(const struct trace *t, char *buf, size_t size)
{
	const char *format = t->file_count ? t->files[0].format : "no file";

	if (t->file_count > 1)
		snprintf(buf, size, "%s, %u local files", format, t->file_count);
	else if (t->file_count && !t->files[0].finalized)
		snprintf(buf, size, "%s, a local file", format);
	else
		snprintf(buf, size, "%s", format);
	return buf;
}

/* Where compute times are gaps, they telescope like the others: dropping an event adds its compute time to the event
 * before it on the same process. Nothing follows one whose compute time is not known, so that adds nothing. */
enum err_code trace_without_collectives(struct trace **out, const struct trace *t, struct err *e)
{
	uint32_t *counts = mem_zero(t->process_count, sizeof *counts);
	uint32_t *moved = mem_alloc(t->event_count, sizeof *moved);
	struct trace *n = NULL;
	enum err_code code;

	*out = NULL;
	if (!counts || !moved) {
		code = err_memory(e, "the trace without its collectives");
		goto done;
	}
	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++)
			counts[p] += EVENT_KIND(t->type[i]) != EVENT_COLLECTIVE;
	code = trace_new(&n, t->process_count, counts, e);
	if (code != ERR_OK)
		goto done;
	code = trace_copy_large_sizes(n, t, e);
	if (code)
		goto done;
	if (!t->tag) {
		mem_free(n->tag);
		n->tag = NULL;
	}
	n->tag_bits = t->tag_bits;
	n->tag_least = t->tag_least;
	for (uint32_t p = 0, at = 0; p < t->process_count; p++) {
		uint32_t begin = at;

		n->processes[p] = t->processes[p];
		n->processes[p].host = NULL; /* it is the parent's */
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE) {
				if (at > begin && !isnan(t->compute[i]))
					n->compute[at - 1] += t->compute[i];
				continue;
			}
			moved[i] = at;
			n->time[at] = t->time[i];
			n->compute[at] = t->compute[i];
			n->type[at] = t->type[i];
			n->size_code[at] = t->size_code[i];
			n->envelope[at] = t->envelope[i];
			if (t->tag)
				n->tag[at] = t->tag[i];
			n->match[at] = t->match[i];
			at++;
		}
	}
	for (uint32_t i = 0; i < n->event_count; i++)
		if (n->match[i] != NO_EVENT && !(t->remote && is_remote(n->match[i])))
			n->match[i] = moved[n->match[i]];
	n->send_count = t->send_count;
	n->receive_count = t->receive_count;
	n->record_count = t->record_count;
	n->threads = t->threads;
	n->start = t->start;
	n->end = t->end;
	n->compute_source = t->compute_source;
	n->world_count = t->world_count;
	n->lost_sends = t->lost_sends;
	n->lost_receives = t->lost_receives;
	n->damaged = t->damaged;
	n->partial = t->partial;
done:
	if (t->remote)
		code = code ? team_agree(t->remote->team, code, e) : trace_remote_without(n, t, moved, e);
	mem_free(counts);
	mem_free(moved);
	if (code)
		trace_free(n);
	else
		*out = n;
	return code;
}

static enum err_code file_digest(const struct trace_file *file, char hex[65], const struct progress *progress, struct err *e)
{
	struct source s;
	enum err_code code;

	if (file->digest)
		return file->digest(file->path, hex, progress, e);
	code = source_open_file(&s, file->path, e);
	if (code)
		return code;
	code = source_sha256(&s, hex, progress, e);
	source_release(&s);
	return code;
}

enum err_code trace_digest(const struct trace *t, char hex[65], const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;
	struct sha256 h;
	uint8_t digest[32];

	sha256_start(&h);
	for (uint32_t i = 0; i < t->file_count && !code; i++) {
		code = file_digest(&t->files[i], hex, progress, e);
		if (!code)
			sha256_add(&h, hex, 64);
	}
	if (code || t->file_count == 1)
		return code;
	sha256_finish(&h, digest);
	sha256_hex(digest, hex);
	return ERR_OK;
}

enum err_code trace_hash(struct trace *t, const struct progress *progress, struct err *e)
{
	for (uint32_t i = 0; i < t->file_count; i++) {
		enum err_code code;

		if (t->files[i].sha256[0])
			continue;
		code = file_digest(&t->files[i], t->files[i].sha256, progress, e);
		if (code != ERR_OK) {
			t->files[i].sha256[0] = '\0';
			return code;
		}
	}
	return ERR_OK;
}

struct crowded_nodes crowded_nodes(const struct trace *t)
{
	struct crowded_nodes c = {0};

	for (uint32_t p = 0; p < t->process_count; p++) {
		const struct process_node *n = &t->processes[p].node;

		if (!n->processors || !n->first)
			continue;
		c.nodes++;
		if (n->processes <= n->processors)
			continue;
		c.crowded++;
		if (c.processors && (uint64_t)n->processes * c.processors <= (uint64_t)c.processes * n->processors)
			continue;
		c.processes = n->processes;
		c.processors = n->processors;
	}
	return c;
}

char *crowded_nodes_text(const struct crowded_nodes *c, char *text)
{
	*text = 0;
	if (!c->crowded)
		return text;
	snprintf(text, CROWDED_TEXT, "%" PRIu32 " processes shared %" PRIu32 " processor%s", c->processes, c->processors,
		 c->processors == 1 ? "" : "s");
	if (c->crowded > 1)
		snprintf(text, CROWDED_TEXT, "%" PRIu32 " processes shared %" PRIu32 " processor%s on one of %" PRIu32 " nodes with too few processors",
			 c->processes, c->processors, c->processors == 1 ? "" : "s", c->crowded);
	return text;
}

/* The first process whose events begin at `event` or behind it. */
static uint32_t process_from(const struct trace *t, uint64_t event)
{
	return SEARCH_PAST(i, 0, t->process_count, t->first[i] < event);
}

void trace_part(const struct trace *t, unsigned part, unsigned parts, uint32_t *first, uint32_t *end)
{
	*first = process_from(t, (uint64_t)t->event_count * part / parts);
	*end = part + 1 < parts ? process_from(t, (uint64_t)t->event_count * (part + 1) / parts) : t->process_count;
}
