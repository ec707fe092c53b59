#include "prepare.h"

#include <string.h>

#include "core/base/text.h"

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
	return code ? code : settings_check(s, e);
}
