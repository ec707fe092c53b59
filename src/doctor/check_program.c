/* The program: which one it is and on what system, what was built in, its samples and its config files. */
#include "doctor_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/formats/api/format.h"
#include "core/io/beside.h"
#include "core/io/packing.h"
#include "core/settings/config.h"

/* ---- what a report of a fault has to say first ---- */

/* PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"; "": the system does not say. */
static void system_name(const struct doctor *d, char *name, size_t size)
{
	static const char key[] = "PRETTY_NAME=";
	char path[PATH_MAX], line[512];
	FILE *f = doctor_path(d, "/etc/os-release", path) ? fopen(path, "re") : NULL;

	name[0] = '\0';
	while (f && fgets(line, sizeof line, f)) {
		const char *value = line + sizeof key - 1;

		if (strncmp(line, key, sizeof key - 1))
			continue;
		value += strspn(value, "\"'");
		text_safe(name, size, value, strcspn(value, "\"'\n"), TEXT_UTF8);
	}
	if (f)
		fclose(f);
}

void check_program(struct doctor *d)
{
	char name[128], kernel[64] = "", machine[32] = "", path[PATH_MAX];
	struct utsname u;

	if (uname(&u) == 0) {
		text_safe(kernel, sizeof kernel, u.release, SIZE_MAX, TEXT_UTF8);
		text_safe(machine, sizeof machine, u.machine, SIZE_MAX, TEXT_UTF8);
	}
	system_name(d, name, sizeof name);
	doctor_find(d, STANDING_OK, "pas2p %s; %s%sLinux %s, %s", d->machine->version, name, *name ? ", " : "", kernel, machine);
	if (beside_program(path))
		return;
	doctor_find(d, STANDING_MISSING, "/proc is missing, so pas2p does not know its own folder: it finds its "
		    "libraries only with PAS2P_LIBDIR, and no sample traces");
	doctor_mend(d, "mount -t proc proc /proc");
}

/* Formats and compressions: those without a library are always there, the others if the build found their library. */

static void left_out(struct doctor *d, const char *name, const char *package)
{
	doctor_find(d, STANDING_MISSING, "%s: not in this build, because its library was missing", name);
	doctor_mend_by(d, package, true);
}

void check_formats(struct doctor *d)
{
	char always[128] = "";
	size_t n = 0;

	for (const struct format *const *format = formats; *format; format++)
		if (!(*format)->library && n + strlen((*format)->name) + 3 < sizeof always)
			n = (size_t)(stpcpy(stpcpy(always + n, n ? ", " : ""), (*format)->name) - always);
	doctor_find(d, STANDING_OK, "%s: built in", always);
	for (const struct format *const *format = formats; *format; format++)
		if ((*format)->library)
			doctor_find(d, STANDING_OK, "%s: built in, with %s", (*format)->name, (*format)->library);
#define FORMAT(name)
#define FORMAT_LEFT_OUT(name, package) left_out(d, name, package);
#include "core/formats/formats.def"
#undef FORMAT
#undef FORMAT_LEFT_OUT
	for (enum packing p = PACKING_NONE + 1; p < PACKINGS; p++)
		if (packing_built(p))
			doctor_find(d, STANDING_OK, "%s: built in, with %s", packing_name(p), packing_library(p));
		else
			left_out(d, packing_name(p), packing_package(p));
}

/* The tutorial is in the program; the trace that it opens is a file beside it. */

void check_samples(struct doctor *d)
{
	char safe[256];

	if (d->machine->sample) {
		doctor_find(d, STANDING_OK, "pas2p --tutorial opens the trace %s",
			    text_safe(safe, sizeof safe, d->machine->sample, SIZE_MAX, TEXT_UTF8));
		return;
	}
	doctor_find(d, STANDING_NOTE, "the sample trace lu.S.4.clog2 was not found next to the program: the tutorial "
		    "needs a trace of yours");
	doctor_mend(d, "pas2p --tutorial TRACE");
}

/* The config files: one with a mistake in it ends every command. And the folder of what the workbench remembers of
 * traces. */

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
		doctor_find(d, STANDING_MISSING, "a config file is wrong, so all commands that read it fail: %s",
			    home_shown_short(e.text, text, sizeof text));
		doctor_mend(d, "correct it, or skip it with --no-config");
		doctor_needed(d);
	} else if (by_hand || by_workbench) {
		doctor_find(d, STANDING_OK, "pas2p reads %s%s", home_shown_short(by_hand ? written : saved, text, sizeof text),
			    by_hand && by_workbench ? ", and saved.yaml next to it" : "");
	} else {
		doctor_find(d, STANDING_OK, "%s does not exist: the defaults apply", home_shown_short(written, text, sizeof text));
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
		doctor_find(d, STANDING_NOTE, "HOME is not set: pas2p reads no config file, and the workbench saves "
			    "nothing");
		doctor_mend(d, "export HOME=FOLDER");
		return;
	}
	config_read_files(d);
	if (!config_state_path("", path, sizeof path) || can_be_written(path))
		return;
	doctor_find(d, STANDING_NOTE, "%s is not writable: the workbench cannot save the state of a trace",
		    config_state_path("", path, sizeof path) ? home_shown_short(path, text, sizeof text) : "");
	doctor_mend(d, "export XDG_STATE_HOME=FOLDER, with a folder where you may write");
}
