#include "core/formats/api/glance.h"

#include "core/io/source.h"

enum err_code glance_format(struct glance *glance, const struct source *source, struct err *e)
{
	uint8_t bytes[FORMAT_HEAD];
	size_t got;
	enum err_code code = source_read(source, 0, bytes, sizeof bytes, &got, e);

	*glance = (struct glance){.run.part = !code && !got};
	for (const struct format *const *format = formats; !code && *format && !glance->format; format++)
		if ((*format)->recognise(bytes, got, source->name))
			glance->format = *format;
	if (glance->format && glance->format->processes)
		glance->processes = glance->format->processes(bytes, got);
	return code;
}

enum err_code glance_at(struct glance *glance, const struct source *source, struct err *e)
{
	enum err_code code = glance_format(glance, source, e);

	return !code && glance->format && glance->format->run ? glance->format->run(source, &glance->run, e) : code;
}
