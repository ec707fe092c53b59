/* The config files: one with a mistake in it ends every command. And the folder of what the workbench remembers of
 * traces. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor_int.h"
#include "core/base/text.h"
#include "core/settings/config.h"

/* As safe text, with ~ for the home folder, which may name its owner: a path, or a sentence that begins with one. */
static const char *home_shown_short(const char *path, char *text, size_t size)
{
	const char *home = getenv("HOME");
	size_t n = home ? strlen(home) : 0;
	char brief[PATH_MAX];

	if (n > 1 && !strncmp(path, home, n) && path[n] == '/' && snprintf(brief, sizeof brief, "~%s", path + n) < PATH_MAX)
		path = brief;
	return text_safe(text, size, path, SIZE_MAX, TEXT_UTF8);
}

static void config_read_files(struct doctor *d)
{
	char written[PATH_MAX], saved[PATH_MAX], text[DOCTOR_TEXT];
	bool by_hand = config_default_path(written, sizeof written) && access(written, F_OK) == 0;
	bool by_workbench = config_saved_path(saved, sizeof saved) && access(saved, F_OK) == 0;
	struct config config;
	struct err e = {0};
	enum err_code code;

	config_init(&config);
	code = config_load_default(&config, &e);
	config_release(&config);
	if (code == ERR_MEMORY) {
		d->failed = true;
	} else if (code) {
		doctor_find(d, STANDING_MISSING, "a config file cannot be used, so every command that reads it ends: %s",
			    home_shown_short(e.text, text, sizeof text));
		doctor_mend(d, "correct it, or leave it out by --no-config");
		doctor_needed(d);
	} else if (by_hand || by_workbench) {
		doctor_find(d, STANDING_OK, "%s%s is read", home_shown_short(by_hand ? written : saved, text, sizeof text),
			    by_hand && by_workbench ? ", and saved.yaml beside it," : "");
	} else {
		doctor_find(d, STANDING_OK, "there is no %s: all is as it comes", home_shown_short(written, text, sizeof text));
	}
}

/* The folder, or else the lowest one above it that is there: what is missing below that is made when it is wanted. */
static bool can_be_written(char *path)
{
	for (char *slash; (slash = strrchr(path, '/'));) {
		slash[slash == path] = '\0';
		if (access(path, W_OK | X_OK) == 0)
			return true;
		if (errno != ENOENT || slash == path)
			return false;
	}
	return false;
}

void check_config(struct doctor *d)
{
	char path[PATH_MAX], text[256];

	if (!config_default_path(path, sizeof path)) {
		doctor_find(d, STANDING_NOTE, "HOME is not set: no config file is read, and nothing is remembered");
		doctor_mend(d, "export HOME=FOLDER");
		return;
	}
	config_read_files(d);
	if (!config_state_path("", path, sizeof path) || can_be_written(path))
		return;
	doctor_find(d, STANDING_NOTE, "%s cannot be written: the workbench remembers nothing of a trace",
		    config_state_path("", path, sizeof path) ? home_shown_short(path, text, sizeof text) : "");
	doctor_mend(d, "export XDG_STATE_HOME=FOLDER, one where you may write");
}
