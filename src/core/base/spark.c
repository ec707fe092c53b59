#include "spark.h"

#include <math.h>

int spark_eighths(double value, double top)
{
	double part = value / top;

	if (isnan(value))
		return 0;
	return !(top > 0) || !(part > 0) ? 1 : part >= 1 || isnan(part) ? 8 : 1 + (int)(part * 7);
}

void spark_text(const double *values, int n, enum text_flags flags, char *text, size_t size)
{
	static const char ascii[] = " .:-=+*%#"; /* what the workbench draws for the blocks */
	double top = 0;
	size_t len = 0;

	for (int i = 0; i < n; i++)
		if (isfinite(values[i]) && values[i] > top)
			top = values[i];
	for (int i = 0; i < n && len + 4 < size; i++) {
		int eighths = spark_eighths(values[i], top);

		len += text_encode(flags == TEXT_ASCII || !eighths ? (uint32_t)ascii[eighths] : 0x2580 + (uint32_t)eighths, text + len);
	}
	if (size)
		text[len] = 0;
}
