/* Conditions on figures, as people type them: a name, an operator and a value, such as "share > 1%" or
 * "size>=64K". Who asks knows the names; what is read here is the rest, which is the same wherever conditions are
 * taken. */
#ifndef PAS2P_CONDITION_H
#define PAS2P_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

enum condition_op {
	CONDITION_LESS, CONDITION_LESS_OR_EQUAL, CONDITION_MORE, CONDITION_MORE_OR_EQUAL, CONDITION_EQUAL, CONDITION_OTHER
};

enum condition_unit { CONDITION_PLAIN, CONDITION_PERCENT, CONDITION_TIME, CONDITION_SIZE };

#define CONDITION_OPS "<, <=, >, >=, = or !="

/* How many bytes of the text's beginning are the operator; 0: it begins with none. */
size_t condition_op_read(const char *text, enum condition_op *op);
const char *condition_op_text(enum condition_op op);
/* The same of a number with its unit: %, a time (ns, us, ms, s) or a size (B; K, M, G of 1024); in seconds, bytes and
 * fractions. */
size_t condition_number_read(const char *text, double *value, enum condition_unit *unit);

/* For a value that is not known (NAN) only !=. */
bool condition_holds(double value, enum condition_op op, double bound);

#endif
