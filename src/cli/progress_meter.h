/* Progress of a batch command: one line on stderr, only on a terminal and only once it takes a while. */
#ifndef PAS2P_PROGRESS_METER_H
#define PAS2P_PROGRESS_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/progress.h"

struct progress_meter {
	bool wanted;
	double begun, drawn, stage_begun; /* s, monotonic */
	enum progress_stage stage;
	uint64_t stage_from;              /* done when the stage was first seen */
	size_t width;                     /* of the line on the screen; 0: none */
	struct progress progress;         /* to be passed on; stops when an interrupt was seen */
};

void progress_meter_init(struct progress_meter *p, bool wanted); /* p must not move after this */
void progress_meter_clear(struct progress_meter *p);             /* take the line away */

/* The line for a stage: "reading 45 %, 120 of 260 MB, 350 MB/s, 1 s left". Separate for tests. */
void progress_meter_line(char *buf, size_t size, enum progress_stage stage, uint64_t done, uint64_t total, double rate);

#endif
