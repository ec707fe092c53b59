#include "prepare.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/spill.h"
#include "core/base/text.h"
#include "core/base/unit.h"

enum err_code prepare_files(const struct options *o, struct err *e)
{
	if (!o->file_count)
		return err_set(e, ERR_USAGE, "no trace is given");
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

enum err_code prepare_settings(const struct options *o, struct config *c, struct settings *s, struct err *e)
{
	enum err_code code = o->no_config ? ERR_OK : config_load_default(c, e);

	if (!code && o->config)
		code = config_load_file(c, o->config, e);
	if (code)
		return code;
	*s = c->settings;
	if (o->preset) {
		const struct preset *p = config_preset(c, o->preset);
		char safe[80];

		if (!p)
			return err_set(e, ERR_USAGE, "no config file has a preset named %s",
				       text_safe(safe, sizeof safe, o->preset, SIZE_MAX, TEXT_UTF8));
		preset_apply(p, s);
	}
	code = options_apply(o, s, e);
	if (!code)
		code = settings_check(s, e);
	return code ? code : prepare_memory(o, c, e);
}
