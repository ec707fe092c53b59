/* What a job prints to stderr: passed on to ours at once, and its first bytes kept, to be asked for a refusal
 * (refusal.h).
 *
 *     job_words_open(&w)         before fork(); false: none are kept, and the job has our stderr
 *     job_words_child(&w)        in the child
 *     job_words_wait(&w, pid, interrupted)   in the parent: waits for the child's end; the status as waitpid() has it
 */
#ifndef PAS2P_JOB_WORDS_H
#define PAS2P_JOB_WORDS_H

#include <stdbool.h>
#include <sys/types.h>

#include "refusal.h"

struct job_words {
	int ends[2];                   /* of a pipe; -1: none, or closed */
	char first[REFUSAL_PRINTED];
	size_t count;                  /* of them; first[count] is 0 */
};

bool job_words_open(struct job_words *w);
void job_words_child(struct job_words *w);

/* interrupted() asks whether we are to stop: then the child is sent SIGTERM, once. */
int job_words_wait(struct job_words *w, pid_t pid, bool (*interrupted)(void));

#endif
