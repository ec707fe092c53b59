/* Names of operations: sum_double, compare, read (operations.c). */
#ifndef PAS2P_OPERATIONS_H
#define PAS2P_OPERATIONS_H

#include <stdbool.h>

enum operation_family {
	OPERATION_UNKNOWN,
	OPERATION_PROCESSOR, /* of `ops` */
	OPERATION_MEMORY     /* of `memory`: per byte */
};

enum operation_family operation_family(const char *name);

/* For sentences: "sum, sub, ... with _int, _long, _float or _double; compare, access, assign, call", "read, write,
 * copy". */
const char *operation_names(enum operation_family family);

#endif
