/* Which MPI functions a run calls, how often, and how long it is in them: what two runs of one program have alike on any number of
 * processes, and two programs do not.
 */
#ifndef PAS2P_CALL_MIX_H
#define PAS2P_CALL_MIX_H

#include "core/trace/trace.h"

#define CALL_MIX_NAME 48
#define CALL_MIX_ALIKE 0.5 /* less in common are two programs */

struct called_function {
	char name[CALL_MIX_NAME];
	uint64_t calls;
	double seconds;      /* of all processes */
};

struct call_mix {
	struct called_function *list; /* by name */
	uint32_t count;
	uint32_t processes;
	uint64_t calls;      /* of all, but for those that ask whether something has come: there are as many as it takes */
	double seconds;
};

enum err_code call_mix_init(struct call_mix *m, const struct trace *t, struct err *e);
void call_mix_release(struct call_mix *m);

/* Less than half of the time of one is in functions of the other, or less than half of their calls are alike. Of one process,
 * which has nobody to talk to, and of a trace without calls nothing is known: false. */
bool call_mix_differs(const struct call_mix *a, const struct call_mix *b);

#endif
