/* What differs between results that stand side by side, as far as they record it: what a comparison of them is of.
 */
#ifndef PAS2P_CORE_REPORTS_REPORTS_INT_H
#define PAS2P_CORE_REPORTS_REPORTS_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/documents/result.h"

enum compare_difference {
	COMPARE_TRACES = 1,       /* SHA-256; whether that is another workload, another machine or another run is not recorded */
	COMPARE_PROCESSES = 2,
	COMPARE_MACHINES = 4,     /* host name or processor */
	COMPARE_MAPPINGS = 8,     /* number of nodes; on one machine the processors that the job could use */
	COMPARE_MPIS = 16,
	COMPARE_MECHANISMS = 32,
	COMPARE_SETTINGS = 64,    /* that the tables were made with, where both results have them */
	COMPARE_COMMANDS = 128    /* of one trace on one machine: the launch command */
};

/* Those in which any two of the results differ; 0: none. */
unsigned compare_differences(const struct result *results, uint32_t count);

#define COMPARE_DIFFERENCES_TEXT 160
/* "traces, machines and settings", with " and " or ", " before the last one. */
const char *compare_differences_text(char buf[COMPARE_DIFFERENCES_TEXT], unsigned differs, const char *before_last);

/* Whether both results say the setting, and say another one. */
bool compare_setting_differs(const struct result *a, const struct result *b, enum setting_id id);

#endif
