/* Output: growing text, and files that are replaced whole or not at all. */
#ifndef PAS2P_OUT_H
#define PAS2P_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* A growing byte string. Errors stick: after a failed allocation `failed` is set and appends do nothing. */
struct out {
	char *text; /* NUL-terminated once anything was added; owned */
	size_t len, cap;
	bool failed;
};

void out_init(struct out *o);
void out_release(struct out *o);
void out_add(struct out *o, const char *bytes, size_t n);
void out_str(struct out *o, const char *s);
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A number with the fewest digits that read back to the same double (number_format(), number.h): "0.05", "1.0e-06",
 * "832"; never "inf" or "nan". */
void out_double(struct out *o, double v);

/* A text as a field of CSV (RFC 4180): in quotes where it must be. What a spreadsheet would take for a formula,
 * since it begins with = + - or @, has an apostrophe before it, unless it is a number or types of events. */
void out_csv(struct out *o, const char *text);

/* Write the bytes beside path, sync, and rename over it: the old file or the new one, never half. Use out_file.h to
 * write data piece by piece that does not fit in memory. */
enum err_code out_replace_file(const char *path, const char *bytes, size_t n, struct err *e);

/* Text in XML and HTML, as content or in an attribute between double quotes: nothing of it is markup, whatever it is.
 *
 * Markup characters become references; what text_is_safe() (text.h) does not let pass, U+FFFD.
 */

void xml_char(struct out *o, uint32_t c);
void xml_text(struct out *o, const char *text); /* UTF-8; what is none is U+FFFD */

#endif
