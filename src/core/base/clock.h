/* The time now: a clock that only goes forward, for how long something takes, and the date.
 *
 * The library inside the MPI program has its own (src/preload/clocks.h): it counts from where its trace begins, and is
 * read at each call of the program, where a division more would be measured with it.
 */
#ifndef PAS2P_CLOCK_H
#define PAS2P_CLOCK_H

#include <stdint.h>

#define CLOCK_UTC_TEXT 32

int64_t clock_ns(void); /* from some moment on */
static inline double clock_ms(void)
{
	return (double)clock_ns() * 1e-6;
}
static inline double clock_seconds(void)
{
	return (double)clock_ns() * 1e-9;
}

/* "2024-05-31T12:00:00Z"; "" if the machine does not know it. Returns text. */
const char *clock_utc(char text[CLOCK_UTC_TEXT]);

#endif
