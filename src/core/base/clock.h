/* The time now: a clock that only goes forward, for how long something takes, and the date.
 *
 * The library inside the MPI program has its own (src/preload/clocks.h): it counts from where its trace begins, and is
 * read at each call of the program, where a division more would be measured with it.
 */
#ifndef PAS2P_CLOCK_H
#define PAS2P_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* Clock sources of the kernel that a program reads without a system call; with others each time stamp is one. */

/* Where the kernel says which it uses. */
#define CLOCK_SOURCE_FILE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static inline bool clock_source_is_fast(const char *name)
{
	static const char *const fast[] = {"tsc", "tsc-early", "kvm-clock", "hyperv_clocksource_tsc_page", "xen", "arch_sys_counter"};

	for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
		if (!strcmp(name, fast[i]))
			return true;
	return false;
}

#endif
