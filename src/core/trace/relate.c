#include "relate.h"

#include "core/base/parallel.h"
#include "trace_part.h"

/* What is counted of the events of some processes, on one thread. */
struct count {
	uint32_t first, end;     /* the processes */
	uint32_t sends, receives, collectives;
	uint64_t lost_sends, lost_receives;
	uint32_t *of_comm;       /* events per communicator */
	struct notes notes;
};

struct counting {
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
		  "type %s, tag %d, time %.9g s", trace_type_name(t, t->type[i], name, sizeof name), trace_tag(t, i), t->time[i]);
}

static void count_part(void *arg, unsigned part)
{
	const struct counting *all = arg;
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
static void add_count(struct trace *t, const struct count *count)
{
	t->send_count += count->sends;
	t->receive_count += count->receives;
	t->collective_count += count->collectives;
	t->lost_sends += count->lost_sends;
	t->lost_receives += count->lost_receives;
	for (uint32_t k = 0; k < t->comm_count; k++)
		t->comms[k].events += count->of_comm[k];
	notes_append(&t->notes, &count->notes);
}

static enum err_code count_events(struct trace *t, struct err *e)
{
	struct count counts[PARALLEL_MOST] = {{0}};
	struct counting all = {t, counts};
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
		add_count(t, &counts[i]);
		notes_release(&counts[i].notes);
	}
	mem_free(of_comm);
	return ERR_OK;
}

enum err_code trace_relate(struct trace *t, struct remote_message *remote, size_t count, bool related, const struct job *job,
			   struct err *e)
{
	uint64_t *given = NULL;
	bool all = false;
	enum err_code code = related ? relate_given(t, &given, &all, job, e) : ERR_OK;

	if (code == ERR_OK && !all)
		code = relate_messages(t, remote, count, given, job, e);
	mem_free(given);
	if (code == ERR_OK)
		code = relate_collectives(t, e);
	if (code == ERR_OK)
		code = count_events(t, e);
	return code;
}
