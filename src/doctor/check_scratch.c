/* The folder for temporary files: a file is made there, as the commands do. */
#include <inttypes.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "doctor_int.h"
#include "core/base/unit.h"
#include "core/io/descriptor.h"

#define LITTLE ((uint64_t)1 << 30)

void check_scratch(struct doctor *d)
{
	char buf[256], free_text[UNIT_TEXT];
	const char *folder = doctor_variable("TMPDIR", buf, sizeof buf);
	struct err e = {0};
	struct statvfs st;
	uint64_t room;
	int fd = descriptor_scratch(&e);
	bool told = fd >= 0 && fstatvfs(fd, &st) == 0;

	if (!folder)
		folder = "/tmp";
	if (fd >= 0)
		close(fd);
	if (fd < 0) {
		doctor_find(d, STANDING_MISSING, "%s", e.text);
		doctor_mend(d, "export TMPDIR=FOLDER, one where you may write");
		doctor_needed(d);
		return;
	}
	if (!told) {
		doctor_find(d, STANDING_NOTE, "files can be made in %s; how much is free there cannot be told", folder);
		return;
	}
	room = (uint64_t)st.f_bavail * st.f_frsize;
	unit_bytes(free_text, room < LITTLE ? room : room / LITTLE * LITTLE);
	doctor_find(d, room < LITTLE ? STANDING_NOTE : STANDING_OK, "files can be made in %s; %s %s is free%s", folder, room < LITTLE ? "only" : "at least", free_text,
		    room < LITTLE ? ", which a large trace may need more than" : "");
	if (room < LITTLE)
		doctor_mend(d, "export TMPDIR=FOLDER, one with more room");
}
