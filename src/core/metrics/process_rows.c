#include <math.h>

#include "metrics_rows.h"

static void count_events(struct process_row *row, const struct trace *t)
{
	for (uint32_t e = t->first[row->process]; e < t->first[row->process + 1]; e++) {
		event_type kind = EVENT_KIND(t->type[e]);

		row->sends += kind == EVENT_SEND;
		row->receives += kind == EVENT_RECEIVE;
		row->collectives += kind == EVENT_COLLECTIVE;
		if (kind == EVENT_SEND && t->size[e] != SIZE_UNKNOWN)
			row->bytes_sent += t->size[e];
	}
}

/* A process without records has events of no kind and no time: its figures are not known. */
static void fill(struct process_row *row, const struct run_metrics *m)
{
	const struct call_log *log = m->log;
	const struct process *process = &log->trace->processes[row->process];
	const struct call_list *list;

	row->host = process->host ? process->host : "";
	row->account = m->of_process[row->process];
	row->time = row->outside = row->busy = row->idle = row->cpu = row->ideal_end = NAN;
	count_events(row, log->trace);
	if (log->list_first[row->process] == log->list_first[row->process + 1])
		return;
	list = &log->lists[log->list_first[row->process]];
	row->thread = list->thread;
	row->known = list->known;
	row->time = list->stop - list->start;
	row->outside = m->runtime - row->time;
	if (!m->has_account)
		return;
	row->cpu = list->cpu;
	row->ideal_end = m->ideal->end[log->list_first[row->process]];
	if (m->runtime > 0) {
		row->busy = row->account.by_kind[ACCOUNT_USEFUL] / m->runtime;
		row->idle = 1 - row->busy;
	}
}

enum err_code process_rows_init(struct process_rows *r, const struct run_metrics *m, const struct job *job, struct err *e)
{
	*r = (struct process_rows){.row = mem_zero(m->processes, sizeof *r->row)};
	if (!r->row)
		return err_memory(e, "the rows of the processes");
	for (; r->count < m->processes; r->count++) {
		if (job_stopped(job)) {
			process_rows_release(r);
			return err_set(e, ERR_CANCELLED, "stopped while the rows of the processes were made");
		}
		r->row[r->count].process = r->count;
		fill(&r->row[r->count], m);
	}
	return ERR_OK;
}

void process_rows_release(struct process_rows *r)
{
	mem_free(r->row);
	*r = (struct process_rows){0};
}
