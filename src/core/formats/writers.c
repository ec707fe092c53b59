/* The table of writers. */
#include "format_write.h"

#define WRITER(name) extern const struct format_writer name##_writer;
#include "writers.def"
#undef WRITER

const struct format_writer *const format_writers[] = {
#define WRITER(name) &name##_writer,
#include "writers.def"
#undef WRITER
	NULL
};
