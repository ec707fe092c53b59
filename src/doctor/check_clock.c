/* The kernel's clock source: with one that cannot be read without a system call a trace costs several times as much
 * (docs/tracer.md). */
#include <string.h>

#include "doctor_int.h"
#include "core/base/clock_source.h"

#define OTHERS "/sys/devices/system/clocksource/clocksource0/available_clocksource"

static bool offers(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
		if (strcspn(list, " ") == n && !memcmp(list, name, n))
			return true;
	return false;
}

void check_clock(struct doctor *d)
{
	char name[64], others[256];

	if (!doctor_line(d, CLOCK_SOURCE_FILE, name, sizeof name) || !*name) {
		doctor_find(d, STANDING_NOTE, "which clock source the kernel uses cannot be told");
		return;
	}
	if (clock_source_is_fast(name)) {
		doctor_find(d, STANDING_OK, "the clock source is %s, which is read without a system call", name);
		return;
	}
	doctor_find(d, STANDING_NOTE, "the clock source is %s, so each time stamp is a system call: tracing costs several times as much as "
		    "with tsc", name);
	if (doctor_line(d, OTHERS, others, sizeof others) && offers(others, "tsc"))
		doctor_mend(d, "%ssh -c 'echo tsc >%s'", doctor_as_root(d), CLOCK_SOURCE_FILE);
}
