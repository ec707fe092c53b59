/* What it costs this process to log a record, measured once in MPI_Init (docs/tracer.md, "What it costs"). */
#ifndef PAS2P_RECORD_COST_H
#define PAS2P_RECORD_COST_H

/* s a record: with warm caches, and where a core's own caches hold something else. Both 0: not known. */
struct record_cost {
	double low, high;
};

/* Logs the records of calls and takes them back: before anything else can log, and before signals are caught. A few
 * milliseconds. */
struct record_cost record_cost_measure(void);

#endif
