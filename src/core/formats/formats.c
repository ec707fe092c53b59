/* The table of formats, in a file of its own: a program that links another one instead reads others. */
#include "core/formats/api/format.h"

#define FORMAT_LEFT_OUT(name, package)
#define FORMAT(name) extern const struct format name##_format;
#include "formats.def"
#undef FORMAT

const struct format *const formats[] = {
#define FORMAT(name) &name##_format,
#include "formats.def"
#undef FORMAT
#undef FORMAT_LEFT_OUT
	NULL
};
