/* A launcher that starts nothing, because there are more processes than it has room for, or because it is run by root,
 * and the option that helps. Hydra (MPICH) refuses neither. */
#ifndef PAS2P_REFUSAL_H
#define PAS2P_REFUSAL_H

#include <stdbool.h>

#define REFUSAL_PRINTED 8192 /* bytes of what a job prints first: a refusal is in them */
#define REFUSAL_TEXT 320

/* Does what a job printed hold a launcher's refusal? Then the sentence says what it lacks and what to do: "there
 * are not enough slots for the processes: give the launcher --oversubscribe, or start fewer processes (this
 * machine has 2 processors)". */
bool refusal_explain(const char *printed, char sentence[REFUSAL_TEXT]);

/* The same for what a job has printed into a file. */
bool refusal_in_file(const char *path, char sentence[REFUSAL_TEXT]);

#endif
