/* The call log of a rank's local processes, made of a whole log that no file has (gen_log.h), as
 * core/metrics/calls/remote.h describes it.
 *
 *     struct trace *part = trace_split(whole->trace, team);
 *     struct call_log *log = log_split(whole, part);    a collective step; free it with call_log_free(), before the part
 *
 * Names of nodes are the whole log's. Stretches of states are left out. Ends the program where memory runs out.
 */
#ifndef PAS2P_LOG_SPLIT_H
#define PAS2P_LOG_SPLIT_H

#include "core/metrics/calls/log.h"

struct call_log *log_split(const struct call_log *whole, const struct trace *part);

#endif
