/* What the events of a Paraver trace are, found in the plainest way that the rules allow: everything in lists, looked
 * through again and again. It reads whole and valid lines of one application, without CPU samples, and shares nothing
 * with the reader that it is to test.
 */
#ifndef PAS2P_NAIVE_PRV_H
#define PAS2P_NAIVE_PRV_H

#include <stdint.h>

#define NAIVE_PRV_EVENTS 4000
#define NAIVE_PRV_UNKNOWN INT64_MAX /* compute */

struct naive_prv_event {
	char kind;             /* 's', 'r', 'c' */
	int task;              /* from 0 */
	int thread;
	int64_t time, compute;
	int partner;           /* task */
	int64_t size;
	int tag;
	int64_t comm;          /* number of the collective's */
	char op[40];
	int message;           /* the same at both ends */
};

/* In the order of tasks, each in the order of its events. Returns how many. */
int naive_prv(const char *text, struct naive_prv_event *events, int *tasks);

#endif
