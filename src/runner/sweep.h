/* What killed makers of signatures left half-made. */
#ifndef PAS2P_SWEEP_H
#define PAS2P_SWEEP_H

/* Remove the half-made signatures of this name that are the caller's and whose maker is dead (nobody holds their lock).
 * Nothing else goes, whatever its name: see files_remove(). Returns how many that were. */
unsigned sweep_signatures(const char *path);

#endif
