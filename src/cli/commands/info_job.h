/* pas2p info --job N: what a job of N ranks would cost, by stage. */
#ifndef PAS2P_INFO_JOB_H
#define PAS2P_INFO_JOB_H

#include "cli/batch.h"

enum err_code info_job_check(const struct options *o, struct err *e);
enum err_code info_job(struct batch *b, struct err *e);

#endif
