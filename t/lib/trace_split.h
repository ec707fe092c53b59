/* A rank's part of a whole trace, as core/trace/remote.h describes it, without loading it by a team: for tests of what ranks do
 * with their parts.
 *
 *     static void rank(void *arg, const struct team *team)
 *     {
 *             struct trace *part = trace_split(whole, team);      free it with trace_free(), before the whole one
 *             ...
 *             trace_split_event(whole, part, e)                    what the whole trace calls its event e
 *     }
 *
 * A part has the tables of all processes; their names are the whole trace's. Ends the program where memory runs out.
 */
#ifndef PAS2P_TRACE_SPLIT_H
#define PAS2P_TRACE_SPLIT_H

#include <stdbool.h>

#include "core/trace/trace.h"
#include "core/trace/remote.h"

struct trace *trace_split(const struct trace *whole, const struct team *team);
/* With the owners of another part, which is of as many processes; NULL, or of others: its own. */
struct trace *trace_split_beside(const struct trace *whole, const struct trace *beside, const struct team *team);

/* The number that the whole trace has for an event of a part; NO_EVENT stays. */
uint32_t trace_split_event(const struct trace *whole, const struct trace *part, uint32_t event);

#define TRACE_SPLIT_WHY 200 /* room for a sentence that says what differs first */

#endif
