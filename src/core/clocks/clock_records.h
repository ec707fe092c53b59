/* The times of all records of a trace, and which record is which event's (docs/clocks.md 4).
 *
 *     clock_records_read(&r, trace, job, &e);      one reading of the trace's files
 *     clock_records_time(&r, p, i)                 record i of process p, in the order of the file, whatever thread it is of
 *     clock_records_release(&r);
 *
 * Records are those that a watch is told (core/trace/trace_make.h): no definitions, of communicators neither. 8 bytes a
 * record and 4 an event, in blocks, since how many there will be is not known before.
 */
#ifndef PAS2P_CLOCK_RECORDS_H
#define PAS2P_CLOCK_RECORDS_H

#include "core/trace/trace.h"

#define RECORDS_BLOCK 1024u

/* Of a process. */
struct clock_recorded {
	void **time;         /* blocks of double: s, as the trace has them */
	void **of_event;     /* blocks of uint32_t: per event, by its number within the process, its record, from 0 */
	size_t time_cap, event_cap; /* of the lists of blocks */
	size_t records;
	uint32_t events;
};

struct clock_records {
	const struct trace *trace;
	uint32_t process_count;
	struct clock_recorded *process;
	size_t *first;       /* process_count + 1: records of the processes before */
};

/* A trace that was not loaded from files has its events for records. The trace must outlive it. ERR_IO: its files are
 * not what was loaded; ERR_LIMIT: a process has too many records; ERR_USAGE: the trace was not read to its end;
 * ERR_CANCELLED, ERR_MEMORY. */
enum err_code clock_records_read(struct clock_records *out, const struct trace *t, const struct job *job, struct err *e);
void clock_records_release(struct clock_records *r);

/* Which record is which event's is not needed any more. */
void clock_records_forget_events(struct clock_records *r);

/* All times, process by process: record i of process p at first[p] + i. */
void clock_records_copy(double *to, const struct clock_records *r);

static inline double clock_records_time(const struct clock_records *r, uint32_t process, size_t record)
{
	const double *block = r->process[process].time[record / RECORDS_BLOCK];

	return block[record % RECORDS_BLOCK];
}

/* The event's record, from 0 within its process. */
static inline uint32_t clock_records_of_event(const struct clock_records *r, uint32_t process, uint32_t event)
{
	uint32_t number = event - r->trace->first[process];
	const uint32_t *block = r->process[process].of_event[number / RECORDS_BLOCK];

	return block[number % RECORDS_BLOCK];
}

#endif
