#include "given.h"

#include <stddef.h>

#include "core/documents/result.h"
#include "core/documents/table.h"
#include "core/formats/api/glance.h"
#include "core/formats/api/open.h"
#include "core/io/source.h"
#include "core/models/graph/model_read.h"
#include "core/study/file.h"

/* Without a format if it is no trace. */
static struct glance given_look_at(const char *path)
{
	struct glance glance = {.format = NULL};
	struct source source;

	if (trace_file_open(&source, path, NULL))
		return glance;
	if (glance_format(&glance, &source, NULL))
		glance = (struct glance){.format = NULL};
	source_release(&source);
	return glance;
}

uint32_t given_processes(const char *path)
{
	return given_look_at(path).processes;
}

const char *given_kind(const char *path)
{
	static const char *const models[] = {
		[MODEL_FILE_NONE] = NULL, [MODEL_FILE_MODEL] = "a model", [MODEL_FILE_MACHINE] = "a machine",
		[MODEL_FILE_MEASUREMENTS] = "a list of measurements",
	};

	if (table_is_file(path))
		return "a phase table";
	if (result_is_file(path))
		return "a result";
	if (study_is_file(path))
		return "a study";
	if (given_look_at(path).format)
		return "a trace";
	return models[model_file_kind(path)];
}
