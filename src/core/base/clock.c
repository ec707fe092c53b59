#include "clock.h"

#include <time.h>

int64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

const char *clock_utc(char text[CLOCK_UTC_TEXT])
{
	time_t now = time(NULL);
	struct tm t;

	text[0] = '\0';
	if (gmtime_r(&now, &t))
		strftime(text, CLOCK_UTC_TEXT, "%Y-%m-%dT%H:%M:%SZ", &t);
	return text;
}
