/* Which processes a trace has, after pass 1 and before room is made for their events. Internal to clog2_load.c.
 *
 * A process is one that its records say who it is, or that a run of such ranks or messages shows to be there. A number
 * in a preamble makes none: it is compared, and what contradicts it is noted. Only of local files, where processes may
 * be missing, is the number of processes the one that most of them state.
 */
#ifndef PAS2P_CLOG2_WORLD_H
#define PAS2P_CLOG2_WORLD_H

#include "clog2_load.h"

/* Settle who is who and number the processes (comms_finish()). */
enum err_code load_world(struct loader *loader, struct err *e);

/* After it: hold the communicator table, which is used for nothing, against the communicators. */
enum err_code load_check_table(struct loader *loader, struct err *e);

#endif
