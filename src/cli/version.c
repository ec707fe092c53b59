#include "version.h"

#include "core/formats/api/format.h"
#include "core/records/format_write.h"
#include "core/io/packing.h"
#include "runner/launch.h"

/* Given by the Makefile: the commit, or nothing, and what the compiler was told. */
#ifndef BUILD_COMMIT
#define BUILD_COMMIT ""
#endif
#ifndef BUILD_FLAGS
#define BUILD_FLAGS ""
#endif
#ifndef BUILD_SANITIZE
#define BUILD_SANITIZE ""
#endif

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* One more of a row: name, and what it is through in brackets. */
static void version_put_item(FILE *to, bool *any, const char *title, const char *name, const char *through)
{
	fprintf(to, "%s%s%s%s%s", *any ? ", " : title, name, through ? " (" : "", through ? through : "", through ? ")" : "");
	*any = true;
}

static void version_end_row(FILE *to, const bool *any)
{
	if (*any)
		fputc('\n', to);
}

static void packings(FILE *to, const char *title, bool built)
{
	bool any = false;

	for (enum packing p = PACKING_NONE + 1; p < PACKINGS; p++)
		if (packing_built(p) == built)
			version_put_item(to, &any, title, packing_name(p), built ? packing_library(p) : packing_package(p));
	version_end_row(to, &any);
}

/* The libraries that are loaded into the ranks are files of their own: there are those that are found. */
static void preloads(FILE *to, bool found)
{
	bool any = false;

	for (enum mpi_kind kind = 0; kind < MPI_KINDS; kind++) {
		char name[64], path[PATH_MAX];

		snprintf(name, sizeof name, "libpas2p-%s.so", launch_mpi(kind));
		if (launch_file(name, path) == found)
			version_put_item(to, &any, found ? "traces      " : "traces not  ", launch_mpi_title(kind), found ? name : NULL);
	}
	version_end_row(to, &any);
}

const char *version_text(void)
{
	return BUILD_COMMIT[0] ? PAS2P_VERSION " (git " BUILD_COMMIT ")" : PAS2P_VERSION;
}

void version_print(FILE *to)
{
	bool any = false;

	fprintf(to, "pas2p %s\n", version_text());
	for (const struct format *const *format = formats; *format; format++)
		version_put_item(to, &any, "reads       ", (*format)->name, (*format)->library);
	version_end_row(to, &any);
	packings(to, "compressed  ", true);
	any = false;
	for (const struct format_writer *const *writer = format_writers; *writer; writer++)
		version_put_item(to, &any, "writes      ", (*writer)->to, (*writer)->library);
	version_end_row(to, &any);
	any = false;
#define FORMAT(name)
#define FORMAT_LEFT_OUT(name, package) version_put_item(to, &any, "without     ", name, package);
#include "core/formats/formats.def"
#undef FORMAT
#undef FORMAT_LEFT_OUT
	version_end_row(to, &any);
	packings(to, any ? "            " : "without     ", false);
	preloads(to, true);
	preloads(to, false);
	fprintf(to, "compiler    %s\nflags       %s\nsanitizers  %s\n", COMPILER, BUILD_FLAGS[0] ? BUILD_FLAGS : "-",
		BUILD_SANITIZE[0] ? BUILD_SANITIZE : "none");
}
