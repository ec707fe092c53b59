/* Which pas2p, on what: what a report of a fault has to say first. */
#include <sys/utsname.h>

#include <stdio.h>
#include <string.h>

#include "doctor_int.h"
#include "core/base/text.h"
#include "core/io/beside.h"

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
	doctor_find(d, STANDING_MISSING, "/proc is not there, so pas2p cannot tell where it lies: what is loaded into MPI programs is found in "
		    "PAS2P_LIBDIR alone, and no samples are");
	doctor_mend(d, "mount -t proc proc /proc");
}
