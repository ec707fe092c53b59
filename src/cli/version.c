#include "version.h"

#include <stdbool.h>

#include "core/formats/format.h"
#include "core/formats/format_write.h"
#include "core/io/packing.h"

/* One more of a row: name, and what it is through in brackets. */
static void item(FILE *to, bool *any, const char *title, const char *name, const char *through)
{
	fprintf(to, "%s%s%s%s%s", *any ? ", " : title, name, through ? " (" : "", through ? through : "", through ? ")" : "");
	*any = true;
}

static void end(FILE *to, const bool *any)
{
	if (*any)
		fputc('\n', to);
}

static void packings(FILE *to, const char *title, bool built)
{
	bool any = false;

	for (enum packing p = PACKING_NONE + 1; p < PACKINGS; p++)
		if (packing_built(p) == built)
			item(to, &any, title, packing_name(p), built ? packing_library(p) : packing_package(p));
	end(to, &any);
}

void version_print(FILE *to, const char *version)
{
	bool any = false;

	fprintf(to, "pas2p %s\n", version);
	for (const struct format *const *format = formats; *format; format++)
		item(to, &any, "reads       ", (*format)->name, (*format)->library);
	end(to, &any);
	packings(to, "compressed  ", true);
	any = false;
	for (const struct format_writer *const *writer = format_writers; *writer; writer++)
		item(to, &any, "writes      ", (*writer)->to, (*writer)->library);
	end(to, &any);
	any = false;
#define FORMAT(name)
#define FORMAT_LEFT_OUT(name, package) item(to, &any, "without     ", name, package);
#include "core/formats/formats.def"
#undef FORMAT
#undef FORMAT_LEFT_OUT
	end(to, &any);
	packings(to, any ? "            " : "without     ", false);
}
