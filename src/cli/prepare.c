#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/spill.h"
#include "core/base/text.h"
#include "core/base/unit.h"

enum err_code prepare_files(const struct options *o, struct err *e)
{
	if (!o->file_count)
		return err_set(e, ERR_USAGE, "no trace given");
	for (uint32_t i = 0; i < o->file_count; i++)
		if (strcmp(o->files[i], "-") == 0)
			return err_set(e, ERR_USAGE, "- is not a file: a trace is read more than once, so it cannot "
				       "come from a pipe; save it to a file first");
	return ERR_OK;
}

/* What a file says of memory, as --memory has it. */
static enum err_code memory_of(const struct config *c, double *bytes, struct err *e)
{
	const struct option_info memory = option_info(OPTION_memory);
	const char *text = config_value(c, "memory");
	char safe[80], least[UNIT_TEXT];

	if (!text || (number_parse_bytes(text, strlen(text), bytes) && *bytes >= memory.min))
		return ERR_OK;
	return err_set(e, ERR_USAGE, "memory in the config file is '%s': expected bytes, at least %s, such as 256M or 4G",
		       text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8), unit_bytes(least, (uint64_t)memory.min));
}

/* From here on large blocks spill, where a limit is given. */
static enum err_code prepare_memory(const struct options *o, const struct config *c, struct err *e)
{
	const char *folder = o->scratch ? o->scratch : config_value(c, "scratch");
	double limit = o->memory;

	if (limit == 0 && memory_of(c, &limit, e))
		return ERR_USAGE;
	if (limit == 0)
		return ERR_OK;
	if (!folder)
		folder = getenv("TMPDIR");
	return spill_begin((uint64_t)limit, folder && folder[0] ? folder : "/tmp", e);
}

/* The settings that were given after so many presets, and before the next. */
static enum err_code apply_given(const struct options *o, uint32_t presets, struct settings *s, bool *given, struct err *e)
{
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (o->setting[id] && o->presets_before[id] == presets) {
			enum err_code code = settings_set(s, id, o->setting[id], e);

			if (code)
				return code;
			given[id] = true;
		}
	return ERR_OK;
}

static enum err_code apply_command_line(const struct options *o, const struct config *c, struct settings *s, bool *given, struct err *e)
{
	enum err_code code = apply_given(o, 0, s, given, e);

	for (uint32_t i = 0; !code && i < o->preset.count; i++) {
		struct preset p;

		code = config_preset(c, o->preset.text[i], &p, e);
		if (code)
			break;
		preset_apply(&p, s);
		for (enum setting_id id = 0; id < SETTING_COUNT; id++)
			given[id] = given[id] || p.given[id];
		code = apply_given(o, i + 1, s, given, e);
	}
	return code;
}

enum err_code prepare_settings(const struct options *o, struct config *c, struct settings *s, bool given[SETTING_COUNT], struct err *e)
{
	enum err_code code = o->no_config ? ERR_OK : config_load_default(c, e);

	memset(given, 0, SETTING_COUNT * sizeof *given);
	if (!code && o->config)
		code = config_load_file(c, o->config, e);
	if (code)
		return code;
	*s = c->settings;
	code = apply_command_line(o, c, s, given, e);
	if (!code)
		code = settings_check(s, e);
	return code ? code : prepare_memory(o, c, e);
}
