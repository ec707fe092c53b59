#include "core/formats/api/open.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/formats/api/anchor.h"
#include "core/formats/api/format.h"
#include "core/formats/api/glance.h"
#include "core/io/source.h"
#include "core/io/unpack.h"

#define SHOWN 180

/* A trace within a trace is none: what is inside is looked at before more of it is decompressed. */
static enum err_code look_inside(const struct source *source, enum packing packing, struct err *e)
{
	uint8_t bytes[FORMAT_HEAD];
	char name[200];
	size_t got;
	enum err_code code = source_read(source, 0, bytes, sizeof bytes, &got, e);
	enum packing inside = code ? PACKING_NONE : packing_of(bytes, got);

	if (!code && inside != PACKING_NONE)
		code = err_set(e, ERR_FORMAT, "%s is compressed twice, with %s and inside with %s\nhint: decompress it "
			       "once first",
			       text_safe(name, sizeof name, source->name, SIZE_MAX, TEXT_UTF8), packing_name(packing), packing_name(inside));
	return code;
}

/* What is compressed reads as what is inside. */
static enum err_code unpack(struct source *source, struct err *e)
{
	uint8_t magic[PACKING_MAGIC];
	char name[200];
	size_t got;
	enum err_code code = source_read(source, 0, magic, sizeof magic, &got, e);
	enum packing packing = code ? PACKING_NONE : packing_of(magic, got);

	if (code || packing == PACKING_NONE)
		return code;
	code = source_unpack(source, packing, e);
	if (code == ERR_FORMAT)
		err_prefix(e, "%s is compressed with %s", text_safe(name, sizeof name, source->name, SIZE_MAX, TEXT_UTF8), packing_name(packing));
	return code ? code : look_inside(source, packing, e);
}

static bool is_there(void *arg, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return true;
	text_safe(arg, SHOWN, path, SIZE_MAX, TEXT_UTF8);
	return false;
}

/* What a conversion that was killed leaves, or who renamed one file of several. */
static enum err_code explain_missing(const char *path, enum err_code code, struct err *e)
{
	size_t n = strlen(path), plain = n - strlen(packing_ending(packing_of_name(path)));
	char part[SHOWN] = "", name[SHOWN];
	struct stat st;

	if (stat(path, &st) == 0 || errno != ENOENT)
		return code;
	for (const struct format *const *f = formats; *f && !*part; f++) {
		size_t ending = strlen((*f)->ending);

		if ((*f)->parts && plain > ending && !memcmp(path + plain - ending, (*f)->ending, ending))
			(*f)->parts(path, is_there, part);
	}
	if (!*part)
		return code;
	return err_set(e, code, "cannot open %s: it does not exist, but its part %s does: was it renamed or removed, "
		       "or its conversion stopped?",
		       text_safe(name, sizeof name, path, SIZE_MAX, TEXT_UTF8), part);
}

enum err_code trace_file_open(struct source *source, const char *path, struct err *e)
{
	char *anchor;
	enum err_code code = anchor_in_folder(&anchor, path, e);

	if (!code)
		code = source_open_file(source, anchor ? anchor : path, e);
	mem_free(anchor);
	if (code)
		return explain_missing(path, code, e);
	code = unpack(source, e);
	if (code)
		source_release(source);
	return code;
}

enum err_code trace_files_open(struct source **sources, const char *const *paths, uint32_t count, struct err *e)
{
	struct source *list = mem_zero(count, sizeof *list);
	enum err_code code = list ? ERR_OK : err_memory(e, "the trace's files");
	uint32_t opened = 0;

	*sources = NULL;
	while (!code && opened < count) {
		code = trace_file_open(&list[opened], paths[opened], e);
		opened += !code;
	}
	if (code)
		source_release_files(list, opened);
	else
		*sources = list;
	return code;
}

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
