#include "cli.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/documents/result.h"
#include "core/formats/inputs.h"
#include "core/formats/trace_folder.h"
#include "core/io/beside.h"
#include "core/models/graph/model_read.h"
#include "core/settings/config.h"
#include "core/study/file.h"

enum err_code operands_init(struct operands *f, const struct options *o, bool models, struct err *e)
{
	uint32_t colons = 0;
	char safe[256], other[256];

	*f = (struct operands){.traces = mem_alloc(o->file_count, sizeof *f->traces),
			       .results = mem_alloc(o->file_count, sizeof *f->results),
			       .models = mem_alloc(o->file_count, sizeof *f->models)};
	if (!f->traces || !f->results || !f->models)
		return err_memory(e, "the files");
	if (models && o->file_count <= 1 && (!o->file_count || trace_folder_is(o->files[0]))) {
		f->folder = o->file_count ? o->files[0] : ".";
		return ERR_OK;
	}
	for (uint32_t i = 0; i < o->file_count; i++) {
		if (strcmp(o->files[i], ":") == 0) {
			colons++;
			f->second = f->trace_count;
		} else if (result_is_file(o->files[i])) {
			f->results[f->result_count++] = o->files[i];
		} else if (models && study_is_file(o->files[i])) {
			if (f->study)
				return err_set(e, ERR_USAGE, "%s and %s are studies: expected at most one",
					       text_safe(safe, sizeof safe, f->study, SIZE_MAX, TEXT_UTF8),
					       text_safe(other, sizeof other, o->files[i], SIZE_MAX, TEXT_UTF8));
			f->study = o->files[i];
		} else if (models && model_file_kind(o->files[i]) != MODEL_FILE_NONE) {
			f->models[f->model_count++] = o->files[i];
		} else {
			f->traces[f->trace_count++] = o->files[i];
		}
	}
	if (colons && (colons > 1 || !f->second || f->second == f->trace_count))
		return err_set(e, ERR_USAGE, "expected one ':', between the files of two runs");
	if (f->trace_count || ((f->model_count || f->study) && !f->result_count))
		return ERR_OK;
	return err_set(e, ERR_USAGE, "%s is a result of pas2p run: add its trace",
		       text_safe(safe, sizeof safe, f->results[0], SIZE_MAX, TEXT_UTF8));
}

void operands_release(struct operands *f)
{
	mem_free(f->traces);
	mem_free(f->results);
	mem_free(f->models);
	*f = (struct operands){0};
}

#define NAME "lu.S.4.clog2"

enum err_code sample_trace(char *path, size_t size, struct err *e)
{
	static const char *const built[] = {".", "..", NULL};
	char found[PATH_MAX];

	if (beside_find(built, BESIDE_DATA, "sample-traces/" NAME, R_OK, found) && snprintf(path, size, "%s", found) < (int)size)
		return ERR_OK;
	err_set(e, ERR_IO, "the sample trace " NAME " is missing next to the program");
	err_hint(e, "give another trace: pas2p --tutorial TRACE");
	return ERR_IO;
}

/* What an option of that type was given; NULL: nothing, or it is of another type. */
static const char *file_of(const struct options *o, unsigned i, enum option_type type)
{
	char number[NUMBER_TEXT];
	const char *value;

	return option_info(i).type == type && option_given(o, i, number, &value) ? value : NULL;
}

/* Only a conversion makes folders again; of others writing says that it is one. */
static bool may_be_own(const struct options *o, const char *output)
{
	struct stat st;

	return output && stat(output, &st) == 0 && (S_ISREG(st.st_mode) || o->convert_output);
}

enum err_code own_inputs_refuse_more(const struct options *o, const char *const *paths, uint32_t count, struct err *e)
{
	enum err_code code = ERR_OK;

	for (unsigned i = 0; !code && i < OPTION_COUNT; i++) {
		const char *output = file_of(o, i, TYPE_OUTPUT);

		if (may_be_own(o, output))
			code = inputs_refuse(output, paths, count, e);
	}
	return code;
}

static enum err_code refuse_options(const struct options *o, struct err *e)
{
	enum err_code code = ERR_OK;

	for (unsigned i = 0; !code && i < OPTION_COUNT; i++) {
		const char *input = file_of(o, i, TYPE_INPUT);

		if (input)
			code = own_inputs_refuse_more(o, &input, 1, e);
	}
	return code;
}

/* The two that are read without being named. */
static enum err_code refuse_configs(const struct options *o, struct err *e)
{
	const struct option_info takes = option_info(OPTION_config);
	bool (*const path_of[])(char *, size_t) = {config_default_path, config_saved_path};
	enum err_code code = ERR_OK;

	if (o->no_config || !option_goes_with(&takes, o->command))
		return ERR_OK;
	for (size_t i = 0; !code && i < sizeof path_of / sizeof *path_of; i++) {
		char path[PATH_MAX];
		const char *config = path;

		if (path_of[i](path, sizeof path))
			code = own_inputs_refuse_more(o, &config, 1, e);
	}
	return code;
}

enum err_code own_inputs_refuse(const struct options *o, struct err *e)
{
	uint32_t words = 0;
	enum err_code code = own_inputs_refuse_more(o, o->files, o->file_count, e);

	while (o->words && o->words[words])
		words++;
	if (!code)
		code = own_inputs_refuse_more(o, o->words, words, e);
	if (!code)
		code = refuse_options(o, e);
	return code ? code : refuse_configs(o, e);
}
