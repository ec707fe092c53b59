/* pas2p doctor is asked when something does not work, so its answers must be right on machines that are unlike this
 * one. They are played here: a folder with the kernel's files, a PATH with launchers that say what real ones say,
 * variables, limits. Each answer has its standing, says what was found, and names what mends it; what comes from
 * outside cannot speak to the terminal; memory that runs out is an error.
 */
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/io/files.h"
#include "doctor/doctor.h"
#include "runner/runner.h"
#include "tap.h"

static char base[64], root[128], bin[128], libraries[128];

/* A file below a folder, with all folders on the way. */
static void put(const char *folder, const char *name, mode_t mode, const char *text)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0700) != 0 && errno != EEXIST)
			bail_out("%s cannot be made", path);
		*slash = '/';
	}
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0 || chmod(path, mode) != 0)
		bail_out("%s cannot be written", path);
}

static void take_away(const char *folder)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof command, "/bin/rm -rf '%s'", folder);
	if (system(command) != 0)
		bail_out("%s cannot be removed", folder);
}

static struct doctor_machine machine(void)
{
	return (struct doctor_machine){.version = "9.9", .root = root, .sample = "/there/lu.clog2", .make = "make",
				       .program = "./pas2p",
				       .terminal = {true, true, 256, 120, 40}};
}

static struct doctor look(const struct doctor_machine *m)
{
	struct doctor d;
	struct err e = {0};

	doctor_init(&d, m, NULL);
	if (doctor_look(&d, &e))
		bail_out("no findings: %s", e.text);
	return d;
}

/* The finding number n of a check, from 0. */
static const struct finding *finding(const struct doctor *d, const char *check, int n)
{
	static const struct finding none = {.check = "none"};

	for (size_t i = 0; i < d->count; i++)
		if (!strcmp(d->findings[i].check, check) && n-- == 0)
			return &d->findings[i];
	return &none;
}

/* On this machine the check's finding n is so, and holds these texts; mend NULL: nothing is to be mended; "=make": make
 * and nothing else. */
static void found(const struct doctor_machine *m, const char *check, int n, enum standing standing, bool needed, const char *text,
		  const char *mend)
{
	struct doctor d = look(m);
	const struct finding *f = finding(&d, check, n);

	is_str(f->check, check, "%s: there is finding %d", check, n);
	is_str(standing_name(f->standing), standing_name(standing), "%s: its standing (%s)", check, text);
	is_int(f->needed, needed, "%s: whether it is needed", check);
	if (!ok(strstr(f->text, text) != NULL, "%s: says '%s'", check, text))
		diag("got: %s", f->text);
	if (!ok(!mend ? !f->mend[0] : *mend == '=' ? !strcmp(f->mend, mend + 1) : strstr(f->mend, mend) != NULL, "%s: is mended by '%s'",
		check, mend ? mend : ""))
		diag("got: %s", f->mend);
	doctor_release(&d);
}

static void test_terminal(void)
{
	struct doctor_machine m = machine();

	setenv("TERM", "xterm-256color", 1);
	found(&m, "terminal", 0, STANDING_OK, false, "xterm-256color: 256 colours, 120x40", NULL);
	setenv("NO_COLOR", "1", 1);
	found(&m, "terminal", 0, STANDING_OK, false, "not used because NO_COLOR is set", NULL);
	unsetenv("NO_COLOR");
	m.terminal.rows = 9;
	found(&m, "terminal", 0, STANDING_NOTE, false, "120x9; the workbench needs 40x10", "larger");
	m.terminal.rows = 40;
	m.terminal.colours = 0;
	found(&m, "terminal", 0, STANDING_OK, false, "no colours", NULL);
	m.terminal.known = false;
	setenv("TERM", "vt\033[31m9000", 1);
	found(&m, "terminal", 0, STANDING_MISSING, true, "unknown here", "export TERM=");
	setenv("TERM", "dumb", 1);
	found(&m, "terminal", 0, STANDING_NOTE, false, "TERM is dumb", "export TERM=");
	unsetenv("TERM");
	found(&m, "terminal", 0, STANDING_MISSING, true, "TERM is not set", "export TERM=");
	m.terminal.there = false;
	found(&m, "terminal", 0, STANDING_NOTE, false, "standard input is not a terminal", NULL);
}

/* In a home of its own, whose name is nobody's business. */
static void test_config(void)
{
	struct doctor_machine m = machine();
	char home[256], state[300], path[400];

	snprintf(home, sizeof home, "%s/home", base);
	snprintf(state, sizeof state, "%s/.local", home);
	put(home, "there", 0600, "");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", home, 1);
	found(&m, "config", 0, STANDING_OK, false, "~/.config/pas2p/config.yaml does not exist", NULL);
	put(home, ".config/pas2p/saved.yaml", 0600, "theme: mono\n");
	found(&m, "config", 0, STANDING_OK, false, "pas2p reads ~/.config/pas2p/saved.yaml", NULL);
	put(home, ".config/pas2p/config.yaml", 0600, "theme: mono\n");
	found(&m, "config", 0, STANDING_OK, false, "pas2p reads ~/.config/pas2p/config.yaml, and saved.yaml next to it", NULL);
	put(home, ".config/pas2p/config.yaml", 0600, "analysis:\n  similarity: none such\n");
	found(&m, "config", 0, STANDING_MISSING, true, "fail: ~/.config/pas2p/config.yaml: line 2", "--no-config");
	snprintf(path, sizeof path, "%s/.config", home);
	take_away(path);

	/* A folder that cannot be: a file stands where it would be made. Root may write everywhere else. */
	put(home, ".local", 0600, "");
	found(&m, "config", 1, STANDING_NOTE, false, "~/.local/state/pas2p/ is not writable", "export XDG_STATE_HOME=");
	take_away(state);
	unsetenv("HOME");
	found(&m, "config", 0, STANDING_NOTE, false, "HOME is not set: pas2p reads no config file", "export HOME=");
	setenv("HOME", home, 1);
}

static void test_locale(void)
{
	struct doctor_machine m = machine();

	unsetenv("LC_CTYPE");
	unsetenv("LANG");
	setenv("LC_ALL", "C.UTF-8", 1);
	found(&m, "locale", 0, STANDING_OK, false, "LC_ALL=C.UTF-8, which is UTF-8", NULL);
	setenv("LC_ALL", "C", 1);
	found(&m, "locale", 0, STANDING_NOTE, false, "LC_ALL is C, which is not UTF-8", "export LC_ALL=C.UTF-8");
	unsetenv("LC_ALL");
	found(&m, "locale", 0, STANDING_NOTE, false, "LC_ALL, LC_CTYPE and LANG are not set", "export LC_ALL=C.UTF-8");
	setenv("LANG", "xx_XX.UTF-8", 1);
	found(&m, "locale", 0, STANDING_NOTE, false, "LANG is xx_XX.UTF-8, a locale that is not installed", "export LC_ALL=C.UTF-8");
	setenv("LC_CTYPE", "C.UTF-8", 1);
	found(&m, "locale", 0, STANDING_OK, false, "LC_CTYPE=C.UTF-8", NULL);
	is_str(setlocale(LC_CTYPE, NULL), "C", "looking leaves the program's locale as it is");
}

#define OPENMPI "#!/bin/sh\necho 'mpirun (Open MPI) 4.1.4'\necho\necho 'Report bugs to http://www.open-mpi.org/community/help/'\n"
#define HYDRA "#!/bin/sh\necho 'HYDRA build details:'\necho '    Version:                                 4.0.2'\n" \
	"echo '    Release Date:                            Thu Apr  7 12:34:45 CDT 2022'\n"
#define INTEL "#!/bin/sh\necho 'Intel(R) MPI Library for Linux* OS, 64-bit applications, Version 5.1.3  Build 20160120'\n"

static void fresh_path(void)
{
	take_away(bin);
	put(bin, "none", 0600, "");
}

static void put_library(const char *mpi)
{
	char name[64];

	snprintf(name, sizeof name, "libpas2p-%s.so", mpi);
	put(libraries, name, 0600, "");
	snprintf(name, sizeof name, "pas2p-probe-%s", mpi);
	put(libraries, name, 0700, "");
	snprintf(name, sizeof name, "pas2p-pingpong-%s", mpi);
	put(libraries, name, 0700, "");
}

static void test_mpi(void)
{
	struct doctor_machine m = machine();
	char link[256], name[256];

	fresh_path();
	put(root, "usr/bin/apt-get", 0700, "");
	put(root, "usr/bin/sudo", 0700, "");
	found(&m, "mpi", 0, STANDING_MISSING, false, "no mpirun or mpiexec in the PATH", "load an MPI module, or apt-get install libopenmpi-dev openmpi-bin && make");
	put_library("mpich");
	found(&m, "mpi", 0, STANDING_MISSING, false, "no mpirun or mpiexec in the PATH", "load an MPI module, or apt-get install mpich");
	setenv("LMOD_CMD", "/usr/share/lmod", 1);
	found(&m, "mpi", 0, STANDING_MISSING, false, "in the PATH", "module load mpich");
	unsetenv("LMOD_CMD");
	take_away(libraries);

	put(bin, "mpirun", 0700, OPENMPI);
	snprintf(link, sizeof link, "%s/mpiexec", bin);
	snprintf(name, sizeof name, "%s/mpirun", bin);
	is_int(symlink(name, link), 0, "one launcher by two names");
	put(bin, "mpiexec.mpich", 0700, HYDRA);
	found(&m, "mpi", 0, STANDING_MISSING, true, "mpirun is Open MPI 4.1.4, but libpas2p-openmpi.so", "apt-get install libopenmpi-dev && make");
	found(&m, "mpi", 1, STANDING_MISSING, true, "mpiexec.mpich is MPICH 4.0.2, but libpas2p-mpich.so", "apt-get install libmpich-dev && make");
	put(bin, "mpicc.mpich", 0700, "");
	found(&m, "mpi", 1, STANDING_MISSING, true, "mpiexec.mpich is MPICH 4.0.2, but libpas2p-mpich.so", "=make");
	put(libraries, "libpas2p-openmpi.so", 0600, "");
	put_library("mpich");
	found(&m, "mpi", 0, STANDING_MISSING, true, "pas2p-probe-openmpi", "=make");
	put_library("openmpi");
	found(&m, "mpi", 0, STANDING_OK, false, "mpirun is Open MPI 4.1.4; libpas2p-openmpi.so matches it", NULL);
	found(&m, "mpi", 1, STANDING_OK, false, "mpiexec.mpich is MPICH 4.0.2; libpas2p-mpich.so matches it", NULL);
	found(&m, "job", 0, STANDING_MISSING, false, "libpas2p-job-openmpi.so is missing", "=make");
	put(libraries, "libpas2p-job-mpich.so", 0600, "");
	found(&m, "job", 1, STANDING_OK, false, "libpas2p-job-mpich.so is installed", NULL);
	m.make = NULL;
	found(&m, "job", 0, STANDING_MISSING, false, "libpas2p-job-openmpi.so", "the package pas2p-mpi-openmpi");

	/* A batch system's launcher is enough, and is not executed. */
	fresh_path();
	put(bin, "srun", 0700, "#!/bin/sh\n: >\"$TMPDIR/executed\"\n");
	found(&m, "mpi", 0, STANDING_OK, false, "srun starts programs of any MPI, and libpas2p-openmpi.so and libpas2p-mpich.so are installed", NULL);
	take_away(libraries);
	put_library("mpich");
	found(&m, "mpi", 0, STANDING_OK, false, "and libpas2p-mpich.so is installed", NULL);
	take_away(libraries);
	found(&m, "mpi", 0, STANDING_MISSING, true, "srun starts programs of any MPI, but neither", "the package pas2p-mpi-openmpi");
	snprintf(name, sizeof name, "%s/executed", base);
	ok(access(name, F_OK) != 0, "it was not executed");
	put_library("openmpi");
	put_library("mpich");

	fresh_path();
	put(bin, "mpiexec", 0700, INTEL);
	put(bin, "mpirun", 0700, "#!/bin/sh\nprintf 'a launcher \\033[31m of 1995\\n'\n");
	found(&m, "mpi", 0, STANDING_NOTE, false, "mpirun does not report whether it belongs to Open MPI or MPICH", "./pas2p trace --mpi mpich -- mpirun");
	found(&m, "mpi", 1, STANDING_OK, false, "mpiexec is Intel MPI 5.1.3; libpas2p-mpich.so matches it", NULL);
}

static void test_criu(void)
{
	struct doctor_machine m = machine();
	char path[256];

	setenv("PAS2P_CRIU", "/nowhere/criu", 1);
	found(&m, "criu", 0, STANDING_MISSING, false, "PAS2P_CRIU is /nowhere/criu, which is not a program", "make criu");
	setenv("PAS2P_CRIU", "/bin/true", 1);
	found(&m, "criu", 0, STANDING_MISSING, false, "criu --version prints no version", "=make criu");
	put(base, "criu", 0700, "#!/bin/sh\n[ \"$1\" != --version ] || echo 'Version: 4.2'\nexit 1\n");
	snprintf(path, sizeof path, "%s/criu", base);
	setenv("PAS2P_CRIU", path, 1);
	if (geteuid() == 0)
		found(&m, "criu", 0, STANDING_MISSING, false, "CRIU 4.2 does not work here, so signatures are measured by a rerun", "--mechanism rerun");
	else
		found(&m, "criu", 0, STANDING_NOTE, false, "CRIU 4.2 is installed, but checkpoints need root", "sudo ./pas2p doctor");
}

static void test_ptrace(void)
{
	struct doctor_machine m = machine();

	found(&m, "ptrace", 0, STANDING_OK, false, "not restricted", NULL);
	put(root, "proc/sys/kernel/yama/ptrace_scope", 0600, "0\n");
	found(&m, "ptrace", 0, STANDING_OK, false, "ptrace_scope is 0", NULL);
	put(root, "proc/sys/kernel/yama/ptrace_scope", 0600, "1\n");
	if (geteuid() == 0)
		found(&m, "ptrace", 0, STANDING_OK, false, "ptrace_scope is 1, which does not restrict root", NULL);
	else
		found(&m, "ptrace", 0, STANDING_NOTE, false, "ptrace_scope is 1", "sysctl kernel.yama.ptrace_scope=0");
	put(root, "proc/sys/kernel/yama/ptrace_scope", 0600, "3\n");
	found(&m, "ptrace", 0, STANDING_MISSING, false, "not even root", "boot");
}

static void test_memory(void)
{
	struct doctor_machine m = machine();

	found(&m, "memory", 0, STANDING_NOTE, false, "the size of the memory is unknown (no control groups)", NULL);
	put(root, "proc/meminfo", 0600, "MemFree: 5 kB\nMemTotal:       16777216 kB\nMemAvailable: 7 kB\n");
	found(&m, "memory", 0, STANDING_OK, false, "16 GiB, no limit (no control groups)", NULL);
	/* Version 2: the least of a group and those above it. */
	put(root, "proc/self/cgroup", 0600, "0::/batch/job 7/step\n");
	put(root, "sys/fs/cgroup/batch/job 7/step/memory.max", 0600, "max\n");
	put(root, "sys/fs/cgroup/batch/job 7/memory.max", 0600, "4294967296\n");
	put(root, "sys/fs/cgroup/batch/memory.max", 0600, "8589934592\n");
	found(&m, "memory", 0, STANDING_OK, false, "4 GiB of the machine's 16 GiB can be used (control groups of version 2)", NULL);
	put(root, "sys/fs/cgroup/batch/memory.max", 0600, "268435456\n");
	found(&m, "memory", 0, STANDING_NOTE, false, "256 MiB of the machine's 16 GiB", "--mem");
	put(root, "sys/fs/cgroup/batch/memory.max", 0600, "max\n");
	put(root, "sys/fs/cgroup/batch/job 7/memory.max", 0600, "max\n");
	found(&m, "memory", 0, STANDING_OK, false, "16 GiB, no limit (control groups of version 2)", NULL);
	/* Version 1, in a container: the group that is named is not to be seen, its root is it. */
	put(root, "proc/self/cgroup", 0600, "9:name=systemd:/\n4:memory:/docker/abc\n1:cpu,cpuacct:/docker/abc\n0::/\n");
	put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", 0600, "2147483648\n");
	found(&m, "memory", 0, STANDING_OK, false, "2 GiB of the machine's 16 GiB can be used (control groups of version 1)", NULL);
	put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", 0600, "9223372036854771712\n");
	found(&m, "memory", 0, STANDING_OK, false, "16 GiB, no limit", NULL);
	put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", 0600, "68719476736\n");
	found(&m, "memory", 0, STANDING_OK, false, "16 GiB, no limit", NULL);
	put(root, "proc/meminfo", 0600, "");
	found(&m, "memory", 0, STANDING_OK, false, "64 GiB can be used (control groups of version 1)", NULL);
	put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", 0600, "9223372036854771712\n");
	found(&m, "memory", 0, STANDING_NOTE, false, "unknown (control groups of version 1)", NULL);
}

static void test_processors(void)
{
	struct doctor_machine m = machine();

	/* Of this machine there is no more to be said than that it has some; quotas are the played one's. */
	put(root, "proc/self/cgroup", 0600, "0::/job\n");
	put(root, "sys/fs/cgroup/job/cpu.max", 0600, "50000 100000\n");
	found(&m, "processors", 0, STANDING_NOTE, false, "limited to 0.50 processors of time", "sbatch");
	put(root, "sys/fs/cgroup/cpu.max", 0600, "25000 100000\n");
	found(&m, "processors", 0, STANDING_NOTE, false, "limited to 0.25 processors of time", "sbatch");
	take_away(root);
	put(root, "proc/self/cgroup", 0600, "3:cpuset:/other\n2:cpu,cpuacct:/job\n");
	put(root, "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", 0600, "10000\n");
	put(root, "sys/fs/cgroup/cpu/job/cpu.cfs_period_us", 0600, "100000\n");
	put(root, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", 0600, "-1\n");
	put(root, "sys/fs/cgroup/cpu/cpu.cfs_period_us", 0600, "100000\n");
	found(&m, "processors", 0, STANDING_NOTE, false, "limited to 0.10 processors of time", "sbatch");
	take_away(root);
}

static void test_clock(void)
{
	static const char folder[] = "sys/devices/system/clocksource/clocksource0";
	struct doctor_machine m = machine();
	char current[128], available[128];

	snprintf(current, sizeof current, "%s/current_clocksource", folder);
	snprintf(available, sizeof available, "%s/available_clocksource", folder);
	found(&m, "clock", 0, STANDING_NOTE, false, "the kernel's clock source is unknown", NULL);
	put(root, current, 0600, "tsc\n");
	found(&m, "clock", 0, STANDING_OK, false, "the clock source tsc can be read", NULL);
	put(root, current, 0600, "acpi_pm\n");
	found(&m, "clock", 0, STANDING_NOTE, false, "acpi_pm needs a system call for each time stamp", NULL);
	put(root, available, 0600, "hpet tsc-early acpi_pm \n");
	found(&m, "clock", 0, STANDING_NOTE, false, "acpi_pm", NULL);
	put(root, available, 0600, "hpet tsc acpi_pm \n");
	found(&m, "clock", 0, STANDING_NOTE, false, "acpi_pm", geteuid() ? "as root: sh -c 'echo tsc >/sys/devices/" : "=sh -c 'echo tsc >/sys/devices/system/clocksource/clocksource0/current_clocksource'");
	put(root, current, 0600, "\033[2Jclock\n");
	found(&m, "clock", 0, STANDING_NOTE, false, "\xEF\xBF\xBD[2Jclock", "tsc");
}

static void test_limits(void)
{
	struct doctor_machine m = machine();
	struct rlimit before, low;

	setenv("TMPDIR", base, 1);
	found(&m, "scratch", 0, STANDING_OK, false, base, NULL);
	setenv("TMPDIR", "/nowhere/at/all", 1);
	found(&m, "scratch", 0, STANDING_MISSING, true, "cannot keep a temporary file in /nowhere/at/all", "export TMPDIR=");
	setenv("TMPDIR", base, 1);
	getrlimit(RLIMIT_NOFILE, &before);
	low = before;
	low.rlim_cur = 200;
	setrlimit(RLIMIT_NOFILE, &low);
	found(&m, "files", 0, STANDING_NOTE, false, "only 200 files can be open at once", "ulimit -n ");
	if (before.rlim_max >= 2000) {
		low.rlim_cur = 2000;
		setrlimit(RLIMIT_NOFILE, &low);
		found(&m, "files", 0, STANDING_OK, false, "2000 files can be open at once", NULL);
	} else {
		skip(5, "so many files may not be open here");
	}
	setrlimit(RLIMIT_NOFILE, &before);
}

static void test_rest(void)
{
	struct doctor_machine m = machine();

	found(&m, "samples", 0, STANDING_OK, false, "/there/lu.clog2", NULL);
	m.sample = NULL;
	found(&m, "samples", 0, STANDING_NOTE, false, "was not found", "pas2p --tutorial TRACE");
	found(&m, "program", 0, STANDING_OK, false, "pas2p 9.9; Linux ", NULL);
	put(root, "etc/os-release", 0600, "ID=xyz\nPRETTY_NAME=\"A \033System 12\"\n");
	found(&m, "program", 0, STANDING_OK, false, "pas2p 9.9; A \xEF\xBF\xBDSystem 12, Linux ", NULL);
	found(&m, "formats", 0, STANDING_OK, false, "CLOG2, PRV: built in", NULL);
}

static void test_all(void)
{
	struct doctor_machine m = machine();
	struct doctor d = look(&m), again = look(&m), none;
	struct err e = {0};
	size_t checks = 0, at = 0, same = 0;
	bool in_order = true;

	for (const struct check_info *c = check_infos; c->name; c++)
		checks++;
	for (size_t i = 0; i < d.count; i++) {
		size_t k = at;

		while (k < checks && strcmp(check_infos[k].name, d.findings[i].check))
			k++;
		in_order = in_order && k < checks && k <= at + 1;
		at = k;
		/* The room on the disk is the real one: what runs at the same time may change its figure. */
		same += i < again.count && (!strcmp(d.findings[i].check, "scratch") || !strcmp(d.findings[i].text, again.findings[i].text)) &&
			!strcmp(d.findings[i].check, again.findings[i].check) && !strcmp(d.findings[i].mend, again.findings[i].mend);
	}
	ok(in_order && at == checks - 1, "every check finds something, in the table's order");
	is_u64(same, d.count, "and the same again");
	is_u64(again.count, d.count, "and no more");
	doctor_release(&again);

	mem_fail_after(0);
	doctor_init(&none, &m, NULL);
	is_int(doctor_look(&none, &e), ERR_MEMORY, "without memory there is an error");
	mem_fail_after(-1);
	doctor_release(&none);

	is_u64(doctor_needs(&d), 0, "nothing that is needed is missing here");
	setenv("TMPDIR", "/nowhere/at/all", 1);
	doctor_release(&d);
	d = look(&m);
	is_u64(doctor_needs(&d), 1, "one thing is, without a folder for files");
	doctor_release(&d);
	setenv("TMPDIR", base, 1);
}

static bool at_once(void *arg)
{
	(void)arg;
	return true;
}

static void test_stop(void)
{
	struct doctor_machine m = machine();
	const struct progress stop = {.stopped = at_once};
	struct doctor d;
	struct err e = {0};

	doctor_init(&d, &m, &stop);
	is_int(doctor_look(&d, &e), ERR_CANCELLED, "it stops when it is told to");
	is_u64(d.count, 0, "before the first check");
	doctor_release(&d);
}

int main(int argc, char **argv)
{
	/* CRIU's trial is of the program that asks for it. */
	if (argc == 2 && !strcmp(argv[1], CRIU_SUBJECT))
		return criu_subject();
	snprintf(base, sizeof base, "/tmp/pas2p-doctor.XXXXXX");
	if (!mkdtemp(base))
		bail_out("no temporary folder");
	snprintf(root, sizeof root, "%s/root", base);
	snprintf(bin, sizeof bin, "%s/bin", base);
	snprintf(libraries, sizeof libraries, "%s/libraries", base);
	put(root, "there", 0600, "");
	put(libraries, "there", 0600, "");
	fresh_path();
	setenv("TMPDIR", base, 1);
	setenv("PATH", bin, 1); /* no launcher of this machine's is to be found */
	setenv("PAS2P_LIBDIR", libraries, 1);
	unsetenv("MODULESHOME");
	unsetenv("LMOD_CMD");
	setenv("PAS2P_CRIU", "/nowhere/criu", 1);

	test_terminal();
	test_locale();
	test_config();
	test_ptrace();
	test_memory();
	test_processors();
	test_clock();
	test_limits();
	test_rest();
	setenv("TERM", "xterm", 1);
	test_mpi();
	test_criu();
	test_all();
	test_stop();
	take_away(base);
	return done_testing();
}
