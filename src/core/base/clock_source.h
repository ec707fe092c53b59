/* Clock sources of the kernel that a program reads without a system call; with others each time stamp is one. */
#ifndef PAS2P_CLOCK_SOURCE_H
#define PAS2P_CLOCK_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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
