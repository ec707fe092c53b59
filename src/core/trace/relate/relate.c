#include "relate.h"

#include <stdlib.h>

#include "core/base/parallel.h"
#include "core/trace/notes.h"
#include "relate_int.h"
#include "core/trace/remote.h"
#include "core/trace/trace.h"

/* What is counted of the events of some processes, on one thread. */
struct count {
	uint32_t first, end;     /* the processes */
	uint32_t sends, receives, collectives;
	uint64_t lost_sends, lost_receives;
	uint32_t *of_comm;       /* events per communicator */
	struct notes notes;
};

struct relate_counting {
	struct trace *t;
	struct count *counts;    /* per part */
};

static void note_lost(struct count *count, const struct trace *t, uint32_t p, uint32_t i)
{
	bool send = EVENT_KIND(t->type[i]) == EVENT_SEND;
	char name[16];

	if (send)
		count->lost_sends++;
	else
		count->lost_receives++;
	notes_add(&count->notes, send ? NOTE_LOST_SEND : NOTE_LOST_RECEIVE, (struct note_place){-1, (int32_t)p, -1, -1, i - t->first[p]},
		  "type %s, tag %d, time %.9g s", trace_type_text(t, t->type[i], name, sizeof name), trace_tag(t, i), t->time[i]);
}

static void count_part(void *arg, unsigned part)
{
	const struct relate_counting *all = arg;
	const struct trace *t = all->t;
	struct count *count = &all->counts[part];

	for (uint32_t p = count->first; p < count->end; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			event_type kind = EVENT_KIND(t->type[i]);

			if (kind == EVENT_COLLECTIVE) {
				count->collectives++;
				continue;
			}
			if (kind == EVENT_SEND)
				count->sends++;
			else
				count->receives++;
			if (t->match[i] == NO_EVENT)
				note_lost(count, t, p, i);
		}
	for (uint32_t i = t->first[count->first], run = 0; i < t->first[count->end]; i++) {
		run++;
		if (i + 1 == t->first[count->end] || t->envelope[i + 1] != t->envelope[i]) {
			count->of_comm[trace_comm(t, i)] += run;
			run = 0;
		}
	}
}

/* Add up what the parts counted, in the order of their processes. */
static void add_count(struct trace *t, const struct count *count, struct notes *notes)
{
	t->send_count += count->sends;
	t->receive_count += count->receives;
	t->collective_count += count->collectives;
	t->lost_sends += count->lost_sends;
	t->lost_receives += count->lost_receives;
	for (uint32_t k = 0; k < t->comm_count; k++)
		t->comms[k].events += count->of_comm[k];
	notes_append(notes, &count->notes);
}

/* What ranks counted of their own becomes that of all. A collective step. */
static enum err_code add_ranks(struct trace *t, enum err_code code, struct err *e)
{
	uint64_t sums[] = {t->send_count, t->receive_count, t->collective_count, t->lost_sends, t->lost_receives};
	uint32_t *of_comm = mem_alloc(t->comm_count, sizeof *of_comm);

	if (!code && !of_comm)
		code = err_memory(e, "counting events");
	code = code ? team_agree(t->remote->team, code, e) : team_reduce(t->remote->team, sums, sizeof sums / sizeof *sums, TEAM_SUM, e);
	for (uint32_t k = 0; !code && k < t->comm_count; k++)
		of_comm[k] = t->comms[k].events;
	if (!code)
		code = team_reduce_u32(t->remote->team, of_comm, t->comm_count, TEAM_SUM, e);
	for (uint32_t k = 0; !code && k < t->comm_count; k++)
		t->comms[k].events = of_comm[k];
	mem_free(of_comm);
	t->send_count = (uint32_t)sums[0];
	t->receive_count = (uint32_t)sums[1];
	t->collective_count = (uint32_t)sums[2];
	t->lost_sends = sums[3];
	t->lost_receives = sums[4];
	return code;
}

static enum err_code count_events(struct trace *t, struct notes *notes, struct err *e)
{
	struct count counts[PARALLEL_MOST] = {{0}};
	struct relate_counting all = {t, counts};
	uint32_t *of_comm = mem_zero((size_t)t->comm_count * t->threads, sizeof *of_comm);

	if (!of_comm)
		return err_memory(e, "counting events");
	for (unsigned i = 0; i < t->threads; i++) {
		trace_part(t, i, t->threads, &counts[i].first, &counts[i].end);
		counts[i].of_comm = of_comm + (size_t)i * t->comm_count;
		notes_init(&counts[i].notes);
	}
	parallel_run(t->threads, count_part, &all);
	for (unsigned i = 0; i < t->threads; i++) {
		add_count(t, &counts[i], notes);
		notes_release(&counts[i].notes);
	}
	mem_free(of_comm);
	return ERR_OK;
}

/* What is noted, by when. */
enum stage { GIVEN, MESSAGES, COLLECTIVES, COUNTS, STAGES };

static enum err_code relate_alone(struct trace *t, const struct intercomm_messages *intercomm, bool related, const struct progress *progress, struct err *e)
{
	uint64_t *given = NULL;
	bool all = false;
	enum err_code code = related ? relate_given(t, NULL, &given, &all, &t->notes, progress, e) : ERR_OK;

	if (code == ERR_OK && !all)
		code = relate_messages(t, intercomm, NULL, given, &t->notes, progress, e);
	mem_free(given);
	if (code == ERR_OK)
		code = relate_collectives(t, &t->notes, e);
	if (code == ERR_OK)
		code = count_events(t, &t->notes, e);
	return code;
}

/* The messages of a trace that is on several ranks. */
static enum err_code relate_ranks(struct trace *t, const struct intercomm_messages *intercomm, bool related, struct notes *found,
				  const struct progress *progress, struct err *e)
{
	struct relate_remote remote;
	uint64_t *given = NULL;
	bool all = false;
	enum err_code code = relate_remote_begin(&remote, t, intercomm, related, e);

	if (!code) {
		if (related)
			code = relate_given(t, &remote, &given, &all, &found[GIVEN], progress, e);
		if (!code && !all)
			code = relate_messages(t, intercomm, &remote, given, &found[MESSAGES], progress, e);
		code = relate_remote_end(&remote, code, e);
	}
	mem_free(given);
	relate_remote_release(&remote);
	return code;
}

static enum err_code relate_team(struct trace *t, const struct intercomm_messages *intercomm, bool related, const struct progress *progress, struct err *e)
{
	uint32_t ranks = t->remote->team->size;
	struct notes found[STAGES], *parts = mem_zero((size_t)STAGES * ranks, sizeof *parts);
	enum err_code code = team_agree(t->remote->team, parts ? ERR_OK : err_memory(e, "the trace's notes"), e);

	for (int i = 0; i < STAGES; i++)
		notes_init(&found[i]);
	if (!code)
		code = relate_ranks(t, intercomm, related, found, progress, e);
	if (!code)
		code = relate_collectives(t, &found[COLLECTIVES], e);
	if (!code)
		code = add_ranks(t, count_events(t, &found[COUNTS], e), e);
	if (!code)
		code = notes_gather(t->remote->team, found, STAGES, parts, e);
	for (size_t i = 0; !code && i < STAGES; i++)
		notes_merge_ordered(&t->notes, parts + i * ranks, ranks);
	for (size_t i = 0; parts && i < (size_t)STAGES * ranks; i++)
		notes_release(&parts[i]);
	mem_free(parts);
	for (int i = 0; i < STAGES; i++)
		notes_release(&found[i]);
	return code;
}

enum err_code trace_relate(struct trace *t, struct intercomm_message *intercomm, size_t count, bool related, const struct progress *progress,
			   struct err *e)
{
	struct intercomm_messages messages = {intercomm, count};

	if (count)
		qsort(intercomm, count, sizeof *intercomm, relate_compare_intercomm);
	return t->remote ? relate_team(t, &messages, related, progress, e) : relate_alone(t, &messages, related, progress, e);
}
