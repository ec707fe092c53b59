/* Formats and compressions: those without a library are always there, of the others what the build found. */
#include <string.h>

#include "doctor_int.h"
#include "core/formats/api/format.h"
#include "core/io/packing.h"

static void left_out(struct doctor *d, const char *name, const char *package)
{
	doctor_find(d, STANDING_MISSING, "%s was left out of this build: its library was not there", name);
	doctor_mend_by(d, package, true);
}

void check_formats(struct doctor *d)
{
	char always[128] = "";
	size_t n = 0;

	for (const struct format *const *format = formats; *format; format++)
		if (!(*format)->library && n + strlen((*format)->name) + 3 < sizeof always)
			n = (size_t)(stpcpy(stpcpy(always + n, n ? ", " : ""), (*format)->name) - always);
	doctor_find(d, STANDING_OK, "%s: built in", always);
	for (const struct format *const *format = formats; *format; format++)
		if ((*format)->library)
			doctor_find(d, STANDING_OK, "%s: built in, through %s", (*format)->name, (*format)->library);
#define FORMAT(name)
#define FORMAT_LEFT_OUT(name, package) left_out(d, name, package);
#include "core/formats/formats.def"
#undef FORMAT
#undef FORMAT_LEFT_OUT
	for (enum packing p = PACKING_NONE + 1; p < PACKINGS; p++)
		if (packing_built(p))
			doctor_find(d, STANDING_OK, "%s: built in, through %s", packing_name(p), packing_library(p));
		else
			left_out(d, packing_name(p), packing_package(p));
}
