/* "Did you mean": the nearest of some names to a misspelt one. */
#ifndef PAS2P_CLI_CLI_INT_H
#define PAS2P_CLI_CLI_INT_H


/* Insertions, deletions, substitutions and swaps of neighbours between a and b; names over 63 bytes are
 * far from everything. */
unsigned suggest_distance(const char *a, const char *b);

/* The better of two candidates for `given`: best (may be NULL) or name, if name is near enough at all. */
const char *suggest_better(const char *given, const char *best, const char *name);

#endif
