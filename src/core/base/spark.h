/* Values as a line of blocks, a column each: how something went, at a glance. */
#ifndef PAS2P_SPARK_H
#define PAS2P_SPARK_H

#include <stddef.h>

#include "text.h"

/* Blocks of a value that goes up to `top`: 1 to 8; 0: not known (NAN). Whatever is known is seen. */
int spark_eighths(double value, double top);

/* n values from 0 to the largest of them, blank where one is NAN: "▁▃█", in ASCII ".-#". */
void spark_text(const double *values, int n, enum text_flags flags, char *text, size_t size);

#endif
