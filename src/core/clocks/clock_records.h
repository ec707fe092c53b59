/* The times of all records of a trace, and which record is which event's (docs/clocks.md 4).
 *
 *     clock_records_read(&r, trace, job, &e);      one reading of the trace's files
 *     r.time[r.first[p] + i]                       record i of process p, in the order of the file, whatever thread it is of
 *     clock_records_release(&r);
 *
 * Records are those that a watch is told (core/trace/trace_make.h): no definitions, of communicators neither. 8 bytes a record and 4 an
 * event.
 */
#ifndef PAS2P_CLOCK_RECORDS_H
#define PAS2P_CLOCK_RECORDS_H

#include "core/trace/trace.h"

struct clock_records {
	const struct trace *trace;
	size_t *first;       /* process_count + 1 */
	double *time;        /* s, as the trace has them */
	uint32_t *of_event;  /* per event: its record, from 0 within its process */
};

/* A trace that was not loaded from files has its events for records. The trace must outlive it. ERR_IO: its files are not what was loaded;
 * ERR_LIMIT: a process has too many records; ERR_USAGE: the trace was not read to its end; ERR_CANCELLED, ERR_MEMORY. */
enum err_code clock_records_read(struct clock_records *out, const struct trace *t, const struct job *job, struct err *e);
void clock_records_release(struct clock_records *r);

/* Where in time[] the event's record stands; process: the event's. */
static inline size_t clock_records_place(const struct clock_records *r, uint32_t process, uint32_t event)
{
	return r->first[process] + r->of_event[event];
}

#endif
