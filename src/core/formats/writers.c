/* The table of writers. */
#include "core/records/format_write.h"

#define WRITER_LEFT_OUT(name)
#define WRITER(name) extern const struct format_writer name##_writer;
#include "writers.def"

const struct format_writer *const format_writers[] = {
#define WRITER_LEFT_OUT(name)
#define WRITER(name) &name##_writer,
#include "writers.def"
	NULL
};
