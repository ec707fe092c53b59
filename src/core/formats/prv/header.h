/* The header of a Paraver trace: its first line.
 *
 *     #Paraver (DATE):FTIME[_ns|_us|_ms]:NODES[(CPUS,...)]:APPLICATIONS:TASKS(THREADS:NODE,...)[,COMMUNICATORS][:next application]
 *
 * DATE may hold ':'. Processes are what the lists of tasks have, whatever numbers stand before them: application 1
 * first.
 */
#ifndef PAS2P_CORE_FORMATS_PRV_HEADER_H
#define PAS2P_CORE_FORMATS_PRV_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct prv_task {
	uint64_t threads;
	uint32_t node;         /* from 1; 0: none that can be */
};

struct prv_header {
	uint64_t final_time;   /* FTIME, in units */
	uint64_t latest;       /* what is later is no time of this trace */
	double units;          /* a second has so many */
	struct prv_task *tasks; /* one a process */
	uint32_t task_count;
	uint32_t *first;       /* per application its first process, and the count behind the last */
	uint32_t app_count;
};

/* n bytes, without the line's end. ERR_FORMAT: "its header ..."; release it after success alone. */
enum err_code prv_header_parse(struct prv_header *h, const char *text, size_t n, struct err *e);
void prv_header_release(struct prv_header *h);

/* The process of a task of an application, both from 1; NO_PROCESS: there is none. */
uint32_t prv_process(const struct prv_header *h, uint64_t app, uint64_t task);
uint32_t prv_app_of(const struct prv_header *h, uint32_t process); /* from 0 */

#endif
