#include "condition.h"

#include <string.h>

#include "number.h"

static const char *const ops[] = {"<", "<=", ">", ">=", "=", "!="};

size_t condition_op_read(const char *text, enum condition_op *op)
{
	size_t length = 0;

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (strlen(ops[i]) > length && !strncmp(text, ops[i], strlen(ops[i]))) {
			*op = (enum condition_op)i;
			length = strlen(ops[i]);
		}
	return length + !strncmp(text, "==", 2);
}

const char *condition_op_text(enum condition_op op)
{
	return ops[op];
}

size_t condition_number_read(const char *text, double *value, enum condition_unit *unit)
{
	static const struct {
		const char *text;
		enum condition_unit unit;
		int shift;
		double times;
	} units[] = {
		{"%", CONDITION_PERCENT, -2, 1}, {"ns", CONDITION_TIME, -9, 1}, {"us", CONDITION_TIME, -6, 1}, {"µs", CONDITION_TIME, -6, 1},
		{"ms", CONDITION_TIME, -3, 1}, {"s", CONDITION_TIME, 0, 1}, {"B", CONDITION_SIZE, 0, 1}, {"K", CONDITION_SIZE, 0, 1024},
		{"k", CONDITION_SIZE, 0, 1024}, {"KiB", CONDITION_SIZE, 0, 1024}, {"M", CONDITION_SIZE, 0, 1048576}, {"MiB", CONDITION_SIZE, 0, 1048576},
		{"G", CONDITION_SIZE, 0, 1073741824}, {"GiB", CONDITION_SIZE, 0, 1073741824},
	};
	size_t digits = strspn(text, "0123456789.eE+-"), at = digits + strspn(text + digits, " "), n = strcspn(text + at, " \t,&|");

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].text) == n && !memcmp(units[i].text, text + at, n)) {
			*unit = units[i].unit;
			if (!number_parse_shifted(text, digits, units[i].shift, value))
				return 0;
			*value *= units[i].times;
			return at + n;
		}
	*unit = CONDITION_PLAIN;
	return (n && at == digits) || !number_parse(text, digits, value) ? 0 : digits;
}

bool condition_holds(double value, enum condition_op op, double bound)
{
	switch (op) {
	case CONDITION_LESS: return value < bound;
	case CONDITION_LESS_OR_EQUAL: return value <= bound;
	case CONDITION_MORE: return value > bound;
	case CONDITION_MORE_OR_EQUAL: return value >= bound;
	case CONDITION_EQUAL: return value >= bound && value <= bound;
	default: return !(value >= bound && value <= bound);
	}
}
