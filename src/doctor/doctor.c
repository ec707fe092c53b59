#include "doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor_int.h"
#include "core/base/mem.h"
#include "core/base/text.h"

const struct check_info check_infos[] = {
#define CHECK(id, name, what, mend) {name, what, mend},
#include "checks.def"
	{NULL, NULL, NULL},
};

static void (*const checks[])(struct doctor *d) = {
#define CHECK(id, name, what, mend) check_##id,
#include "checks.def"
};

void doctor_init(struct doctor *d, const struct doctor_machine *m, const struct progress *progress)
{
	*d = (struct doctor){.machine = m, .progress = progress};
}

void doctor_release(struct doctor *d)
{
	mem_free(d->findings);
	d->findings = NULL;
	d->count = d->cap = 0;
}

enum err_code doctor_look(struct doctor *d, struct err *e)
{
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		if (progress_stopped(d->progress))
			return err_set(e, ERR_CANCELLED, "interrupted");
		d->check = &check_infos[i];
		checks[i](d);
		if (d->failed)
			return err_memory(e, "the findings");
	}
	return progress_stopped(d->progress) ? err_set(e, ERR_CANCELLED, "interrupted") : ERR_OK;
}

size_t doctor_needs(const struct doctor *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		n += d->findings[i].needed && d->findings[i].standing == STANDING_MISSING;
	return n;
}

const char *standing_name(enum standing s)
{
	static const char *const names[] = {"ok", "note", "missing"};

	return names[s];
}

void doctor_find(struct doctor *d, enum standing standing, const char *fmt, ...)
{
	struct finding *findings = mem_grow(d->findings, d->count, &d->cap, sizeof *findings), *f;
	va_list args;

	if (!findings) {
		d->failed = true;
		return;
	}
	d->findings = findings;
	f = &findings[d->count++];
	*f = (struct finding){.check = d->check->name, .standing = standing};
	va_start(args, fmt);
	vsnprintf(f->text, sizeof f->text, fmt, args);
	va_end(args);
	f->text[strcspn(f->text, "\n")] = '\0'; /* an error's hint: a finding has a fix of its own */
}

void doctor_mend(struct doctor *d, const char *fmt, ...)
{
	struct finding *f = d->count && !d->failed ? &d->findings[d->count - 1] : NULL;
	va_list args;

	va_start(args, fmt);
	if (f)
		vsnprintf(f->mend, sizeof f->mend, fmt, args);
	va_end(args);
}

void doctor_needed(struct doctor *d)
{
	if (d->count && !d->failed)
		d->findings[d->count - 1].needed = true;
}

#define AS_ROOT "as root: "

const char *doctor_as_root(const struct doctor *d)
{
	char sudo[PATH_MAX];

	if (geteuid() == 0)
		return "";
	return doctor_path(d, "/usr/bin/sudo", sudo) && access(sudo, X_OK) == 0 ? "sudo " : AS_ROOT;
}

void doctor_mend_by(struct doctor *d, const char *packages, bool build)
{
	char apt[PATH_MAX];
	bool debian = doctor_path(d, "/usr/bin/apt-get", apt) && access(apt, X_OK) == 0;

	const char *root = debian ? doctor_as_root(d) : "", *install = debian ? "apt-get install" : "install the "
						   "packages that Debian calls";

	if (!build)
		doctor_mend(d, "%s%s %s", root, install, packages);
	else if (debian && d->machine->make && strcmp(root, AS_ROOT) != 0)
		doctor_mend(d, "%s%s %s && %s", root, install, packages, d->machine->make);
	else if (d->machine->make)
		doctor_mend(d, "%s%s %s; then: %s", root, install, packages, d->machine->make);
	else
		doctor_mend(d, "%s%s %s; then, in the folder where pas2p was built: make "
			    "install", root, install, packages);
}

void doctor_mend_or(struct doctor *d, const char *package)
{
	struct finding *f = d->count && !d->failed ? &d->findings[d->count - 1] : NULL;
	size_t n = f ? strlen(f->mend) : 0;

	if (f)
		snprintf(f->mend + n, sizeof f->mend - n, "; or install the package %s", package);
}

void doctor_mend_before(struct doctor *d, const char *first)
{
	struct finding *f = d->count && !d->failed ? &d->findings[d->count - 1] : NULL;
	size_t n = strlen(first), rest = f ? strlen(f->mend) : 0;

	if (!f || n + rest >= sizeof f->mend)
		return;
	memmove(f->mend + n, f->mend, rest + 1);
	memcpy(f->mend, first, n);
}

bool doctor_path(const struct doctor *d, const char *name, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s%s", d->machine->root, name) < PATH_MAX;
}

bool doctor_line(const struct doctor *d, const char *name, char *line, size_t size)
{
	char path[PATH_MAX], bytes[4096];
	FILE *f = doctor_path(d, name, path) ? fopen(path, "re") : NULL;
	bool read = f && fgets(bytes, sizeof bytes, f);

	line[0] = '\0';
	if (read)
		text_safe(line, size, bytes, strcspn(bytes, "\n"), TEXT_UTF8);
	if (f)
		fclose(f);
	return read;
}

const char *doctor_variable(const char *name, char *buf, size_t size)
{
	const char *value = getenv(name);

	return value && *value ? text_safe(buf, size, value, SIZE_MAX, TEXT_UTF8) : NULL;
}
