/* A job whose ranks run a program of ours, and what it printed: what the commands that measure inside a job have in
 * common.
 *
 *     job_answer_init(&a, o, &progress.job);
 *     job_answer_ask(&a, &question, &text, &size, &e);    the launcher's words and then the program's own
 *     a.failed = parsing says ERR_FORMAT;
 *     job_answer_close(&a, code);                         nothing is left; says what a job printed that failed
 *     return job_answer_end(&a, &sink, finding, code, &e);
 */
#ifndef PAS2P_JOB_ANSWER_H
#define PAS2P_JOB_ANSWER_H

#include <limits.h>

#include "core/base/job.h"
#include "core/base/mem.h"
#include "exit.h"
#include "options.h"
#include "runner/launch.h"
#include "runner/refusal.h"
#include "sink.h"

struct job_answer {
	const struct options *options;
	const struct job *job;
	struct launch launch;
	const char *mark;
	char folder[PATH_MAX], output[PATH_MAX];
	int folder_fd;
	struct arena arena;
	struct nest *nest;
	bool failed;             /* the job, not what is around it */
	char refusal[REFUSAL_TEXT]; /* why the launcher started none; "": it did not say */
};

struct job_question {
	const char *program, *task;  /* pas2p-PROGRAM-MPI, which measures TASK */
	const char *const *own;      /* the program's own arguments, up to a NULL */
	const char *mark;            /* lines of the answer have it */
	double usual, most;          /* s: how long it usually takes, and how long it may take */
};

void job_answer_init(struct job_answer *a, const struct options *o, const struct job *job);

/* All that the job printed, with a NUL behind; to be freed. One question after the other may be asked. */
enum err_code job_answer_ask(struct job_answer *a, const struct job_question *q, char **text, size_t *size, struct err *e);

/* code: how it went, with the answer read. */
void job_answer_close(struct job_answer *a, enum err_code code);

/* Say how it went, if not well, and give the exit code. */
enum exit_code job_answer_end(const struct job_answer *a, const struct sink *s, enum exit_code finding, enum err_code code,
			      const struct err *e);

#endif
