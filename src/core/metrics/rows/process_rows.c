#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/trace/remote.h"
#include "core/base/unit.h"
#include "metrics_rows.h"
#include "rows.h"

static void count_events(struct process_row *row, const struct trace *t)
{
	for (uint32_t e = t->first[row->process]; e < t->first[row->process + 1]; e++) {
		event_type kind = EVENT_KIND(t->type[e]);

		row->sends += kind == EVENT_SEND;
		row->receives += kind == EVENT_RECEIVE;
		row->collectives += kind == EVENT_COLLECTIVE;
		if (kind == EVENT_SEND && trace_size(t, e) != SIZE_UNKNOWN)
			row->bytes_sent += trace_size(t, e);
		else
			row->unsized += kind == EVENT_SEND;
	}
}

/* A process without records has events of no kind and no time: its figures are not known, but that all is outside. */
static void process_row_fill(struct process_row *row, const struct run_metrics *m)
{
	const struct call_log *log = m->log;
	const struct call_list *list;

	row->account = m->of_process[row->process];
	row->time = row->busy = row->idle = row->cpu = row->ideal_end = NAN;
	row->outside = m->runtime;
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

static enum err_code fill_local(struct process_rows *r, const struct run_metrics *m, const struct progress *progress, struct err *e)
{
	uint32_t begin, end;

	r->row = mem_zero(m->processes, sizeof *r->row);
	if (!r->row)
		return err_memory(e, "the rows of the processes");
	trace_local(m->log->trace, &begin, &end);
	for (uint32_t p = begin; p < end; p++) {
		if (progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while making the rows of the processes");
		r->row[p].process = p;
		process_row_fill(&r->row[p], m);
	}
	return ERR_OK;
}

/* All ranks' at rank 0. */
static enum err_code process_rows_gather(struct process_rows *r, const struct trace *t, enum err_code code, struct err *e)
{
	const struct team *team = trace_team(t);
	struct team_bytes *from = mem_zero(team->size, sizeof *from);
	uint32_t begin, end;

	trace_local(t, &begin, &end);
	if (!code && !from)
		code = err_memory(e, "the rows of the processes");
	code = code ? team_agree(team, code, e) : team_gather(team, r->row + begin, (end - begin) * sizeof *r->row, from, e);
	for (uint32_t q = 0; !code && q < team->size; q++)
		if (from[q].n)
			memcpy(r->row + t->remote->owner_first[q], from[q].bytes, from[q].n);
	if (from)
		team_bytes_free(from, team->size);
	mem_free(from);
	return code;
}

enum err_code process_rows_init(struct process_rows *r, const struct run_metrics *m, const struct progress *progress, struct err *e)
{
	const struct trace *t = m->log->trace;
	enum err_code code;

	*r = (struct process_rows){0};
	code = fill_local(r, m, progress, e);
	if (t->remote)
		code = process_rows_gather(r, t, code, e);
	r->count = code || team_rank(trace_team(t)) ? 0 : m->processes;
	for (uint32_t p = 0; p < r->count; p++)
		r->row[p].host = t->processes[p].host ? t->processes[p].host : "";
	if (code)
		process_rows_release(r);
	return code;
}

void process_rows_release(struct process_rows *r)
{
	mem_free(r->row);
	*r = (struct process_rows){0};
}

#define BUSY 0.5 /* of its time outside of MPI: what has a processor for less does not compute most of it */

enum outside_use outside_use(const struct process_node *node, double useful, double cpu)
{
	if (!node->processors || !(useful > 0) || !(cpu >= 0))
		return OUTSIDE_UNKNOWN;
	if (cpu >= BUSY * useful)
		return OUTSIDE_COMPUTING;
	if (!(node->waited >= 0))
		return OUTSIDE_UNKNOWN;
	return node->waited < (useful - cpu) / 2 ? OUTSIDE_IDLE : OUTSIDE_SHARED;
}

const char *outside_use_name(enum outside_use use)
{
	static const char *const names[] = {
		[OUTSIDE_UNKNOWN] = NULL, [OUTSIDE_COMPUTING] = "computing", [OUTSIDE_IDLE] = "idle", [OUTSIDE_SHARED] = "shared",
	};

	return names[use];
}

char *outside_use_text(enum outside_use use, double useful, double cpu, char *text)
{
	char a[UNIT_TEXT], b[UNIT_TEXT];

	*text = 0;
	if (use == OUTSIDE_IDLE || use == OUTSIDE_SHARED)
		snprintf(text, OUTSIDE_TEXT, "%s: %s of processor time in %s", use == OUTSIDE_IDLE ? "was idle outside MPI" : "shared its processor",
			 unit_figure_time(a, cpu), unit_figure_time(b, useful));
	return text;
}
