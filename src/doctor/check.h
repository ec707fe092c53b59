/* For the checks alone: each is a function, check_NAME() in check_NAME.c, that makes findings in the order in which
 * they are to be told.
 *
 *     doctor_find(d, STANDING_NOTE, "the locale %s is not UTF-8", safe);
 *     doctor_mend(d, "export LC_ALL=C.UTF-8");        of the last finding
 *     doctor_needed(d);                               so that it counts as needed
 */
#ifndef PAS2P_CHECK_H
#define PAS2P_CHECK_H

#include <limits.h>

#include "doctor.h"

#define CHECK(id, name, what, mend) void check_##id(struct doctor *d);
#include "checks.def"
#undef CHECK

void doctor_find(struct doctor *d, enum standing standing, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void doctor_mend(struct doctor *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doctor_needed(struct doctor *d);

/* The last finding is mended by installing what Debian has in these packages ("libzstd-dev"), and, if `build`, by
 * building pas2p again. */
void doctor_mend_by(struct doctor *d, const char *packages, bool build);

/* What a command needs in front that only root may give: "", "sudo ", or, where there is none, "as root: ". */
const char *doctor_as_root(const struct doctor *d);

/* Or by installing this package of our own, which no archive of Debian's has. */
void doctor_mend_or(struct doctor *d, const char *package);

/* The machine's file of that name: below its root. false: the name is too long. */
bool doctor_path(const struct doctor *d, const char *name, char path[PATH_MAX]);

/* The first line of such a file, as safe text without its end. false: it cannot be read. */
bool doctor_line(const struct doctor *d, const char *name, char *line, size_t size);

/* The variable of the environment as safe text in buf; NULL: it is not set, or empty. */
const char *doctor_variable(const char *name, char *buf, size_t size);

#endif
