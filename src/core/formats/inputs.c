#include "inputs.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/source.h"
#include "core/formats/api/glance.h"
#include "core/formats/api/open.h"

/* An output that is there. */
struct looked_for {
	struct stat st;
	bool folder;
};

static bool is_it(const struct looked_for *out, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_dev == out->st.st_dev && st.st_ino == out->st.st_ino;
}

/* Replacing a folder takes all that lies in it. */
static bool is_above(const struct looked_for *out, const char *path)
{
	char at[PATH_MAX], *slash;

	if (!realpath(path, at))
		return false;
	while ((slash = strrchr(at, '/')) != NULL) {
		slash[slash == at] = '\0';
		if (is_it(out, at))
			return true;
		if (slash == at)
			break;
	}
	return false;
}

/* Would writing the output take this file away? */
static bool takes(const struct looked_for *out, const char *path)
{
	return is_it(out, path) || (out->folder && is_above(out, path));
}

struct input_search {
	const struct looked_for *out;
	bool found;
};

static bool look_at_part(void *arg, const char *path)
{
	struct input_search *s = arg;

	s->found = takes(s->out, path);
	return !s->found;
}

/* *part: it is not the input's own file. */
static bool takes_input(const struct looked_for *out, const char *input, bool *part)
{
	struct input_search search = {.out = out};
	struct source source;
	struct glance glance;

	*part = false;
	if (takes(out, input))
		return true;
	if (trace_file_open(&source, input, NULL))
		return false;
	*part = true;
	search.found = takes(out, source.name); /* an archive that was named by its folder */
	if (!search.found && !glance_at(&glance, &source, NULL) && glance.format && glance.format->parts)
		glance.format->parts(source.name, look_at_part, &search);
	source_release(&source);
	return search.found;
}

enum err_code inputs_refuse(const char *output, const char *const *inputs, uint32_t count, struct err *e)
{
	struct looked_for out = {.folder = false};
	char shown[200], of[200];

	if (!output || stat(output, &out.st) != 0 || !(S_ISREG(out.st.st_mode) || S_ISDIR(out.st.st_mode)))
		return ERR_OK;
	out.folder = S_ISDIR(out.st.st_mode);
	text_safe(shown, sizeof shown, output, SIZE_MAX, TEXT_UTF8);
	for (uint32_t i = 0; i < count; i++) {
		bool part;

		if (!inputs[i] || !takes_input(&out, inputs[i], &part))
			continue;
		text_safe(of, sizeof of, inputs[i], SIZE_MAX, TEXT_UTF8);
		if (out.folder && !is_it(&out, inputs[i]))
			return err_set(e, ERR_USAGE, "%s contains the input %s: give the output another name", shown, of);
		if (part)
			return err_set(e, ERR_USAGE, "%s is a part of the input %s: give the output another name", shown, of);
		return err_set(e, ERR_USAGE, "%s is an input: give the output another name", shown);
	}
	return ERR_OK;
}
