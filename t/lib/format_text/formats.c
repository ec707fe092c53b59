/* The table of formats of build/pas2p-formats: those of the program, and one row more. */
#include "core/formats/api/format.h"

#define FORMATS FORMAT(text)

#define FORMAT_LEFT_OUT(name, package)
#define FORMAT(name) extern const struct format name##_format;
#include "core/formats/formats.def"
FORMATS
#undef FORMAT

const struct format *const formats[] = {
#define FORMAT(name) &name##_format,
#include "core/formats/formats.def"
FORMATS
#undef FORMAT
#undef FORMAT_LEFT_OUT
	NULL
};
