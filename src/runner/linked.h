/* Which MPI a program is linked with: what the launcher of a batch system, which starts programs of any, cannot say. */
#ifndef PAS2P_LINKED_H
#define PAS2P_LINKED_H

#include <stdbool.h>

#include "launch.h"

/* The MPI of the first word after the launcher's that names a program which asks for one's library by itself (ELF, 64
 * bit, of this machine's byte order). Names without a slash are looked up in PATH, relative ones from `directory`
 * (NULL: here). false: there is none; it may still be one that loads it later, or a script. Nothing is executed. */
bool linked_mpi(const char *const *argv, const char *directory, enum mpi_kind *mpi);

#endif
