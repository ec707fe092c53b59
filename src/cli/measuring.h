/* What pas2p pingpong and pas2p machine have in common: asking a job how long messages take. */
#ifndef PAS2P_MEASURING_H
#define PAS2P_MEASURING_H

#include "core/models/pingpong_answer.h"
#include "job_answer.h"
#include "options.h"

/* Whether --ops and --sizes are what they can be; ERR_USAGE if not. */
enum err_code measuring_check(const struct options *o, struct err *e);

/* The times of messages. The answer has no rows where the launcher started one process only. */
enum err_code measuring_messages(struct job_answer *a, struct pingpong_answer *answer, struct err *e);

/* What operations take on each of the job's nodes. */
enum err_code measuring_nodes(struct job_answer *a, struct pingpong_answer *answer, struct err *e);

/* Lines of comment on where and when, for a file's begin. answer NULL: no job was asked. */
void measuring_comment(struct out *out, const struct job_answer *a, const struct pingpong_answer *answer);

#endif
