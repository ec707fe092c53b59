/* A run with its call log in parts, one on each rank of a team of threads.
 *
 *     struct part_input in = {.paths = paths, .count = n};     (part_case.h)
 *     code = log_load(&log, &trace, &in, team, &err);          on each rank; team NULL: the whole. Frees nothing
 *     log_files("sample-traces/" "*.clog2", each, arg);        each(arg, &in, what): every trace that the project's tests use
 */
#ifndef PAS2P_LOG_CASE_H
#define PAS2P_LOG_CASE_H

#include "core/metrics/calls/log.h"
#include "part_case.h"

/* trace_load()'s codes; if there is a trace, there is a log. */
enum err_code log_load(struct call_log **log, struct trace **t, const struct part_input *in, const struct team *team, struct err *e);
enum err_code log_load_progress(struct call_log **log, struct trace **t, const struct part_input *in, const struct team *team,
			   const struct progress *progress, struct err *e);

/* Each file that matches is a run; `set`: all of them are one. */
typedef void log_each(void *arg, const struct part_input *in, const char *what);
void log_files(const char *pattern, bool set, log_each *each, void *arg);
/* Sample traces and those of t/traces that small tests use; then random runs of that many seeds in each kind, on one
 * thread and on several. */
void log_all(uint32_t seeds, log_each *each, void *arg);

#endif
