#include "own_inputs.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "core/formats/inputs.h"
#include "core/settings/config.h"

/* What an option of that type was given; NULL: nothing, or it is of another type. */
static const char *file_of(const struct options *o, unsigned i, enum option_type type)
{
	char number[NUMBER_TEXT];
	const char *value;

	return option_info(i).type == type && option_given(o, i, number, &value) ? value : NULL;
}

/* Only a conversion makes folders anew; of others writing says that it is one. */
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
