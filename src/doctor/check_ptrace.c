/* Who may look into another process: Yama's setting (the kernel's Documentation/admin-guide/LSM/Yama.rst). Without Yama
 * the usual rules hold, which are enough. */
#include <stdlib.h>
#include <unistd.h>

#include "doctor_int.h"

#define FILE_OF_YAMA "/proc/sys/kernel/yama/ptrace_scope"

void check_ptrace(struct doctor *d)
{
	char line[32];
	long scope;

	if (!doctor_line(d, FILE_OF_YAMA, line, sizeof line)) {
		doctor_find(d, STANDING_OK, "not restricted: there is no %s", FILE_OF_YAMA);
		return;
	}
	scope = strtol(line, NULL, 10);
	if (scope <= 0) {
		doctor_find(d, STANDING_OK, "not restricted: ptrace_scope is 0");
	} else if (scope >= 3) {
		doctor_find(d, STANDING_MISSING, "ptrace_scope is %ld: not even root may look into processes, so there are no checkpoints, "
			    "and MPIs copy large messages twice", scope);
		doctor_mend(d, "set kernel.yama.ptrace_scope=0 in /etc/sysctl.d, and boot: it cannot be lowered before");
	} else if (geteuid() == 0) {
		doctor_find(d, STANDING_OK, "ptrace_scope is %ld, which root is free of", scope);
	} else {
		doctor_find(d, STANDING_NOTE, "ptrace_scope is %ld: MPIs may copy large messages between the processes of a node twice, which "
			    "takes longer than elsewhere", scope);
		doctor_mend(d, "%ssysctl kernel.yama.ptrace_scope=0", doctor_as_root(d));
	}
}
