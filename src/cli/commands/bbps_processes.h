/* pas2p bbps --processes: a row for each block, or with --leaders each label, and each process. */
#ifndef PAS2P_BBPS_PROCESSES_H
#define PAS2P_BBPS_PROCESSES_H

#include "cli/batch.h"

enum err_code bbps_processes_list(struct batch *b, struct err *e);

#endif
