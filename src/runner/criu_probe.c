/* Whether CRIU works here: "criu check" passes on versions that then fail, so a process with a loopback TCP connection
 * is dumped, ended and restored, and must go on. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "runner.h"

#define COUNTER CRIU_BASE "/probe"
#define IMAGES CRIU_HOST "/probe"
#define STEPS 5
#define PATIENCE_MS 5000

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

/* Two ends of a TCP connection over the loopback interface. */
static bool connect_to_itself(int ends[2])
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof a;
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0 || ends[0] < 0 || bind(listener, (struct sockaddr *)&a, size) != 0 || listen(listener, 1) != 0)
		return false;
	if (getsockname(listener, (struct sockaddr *)&a, &size) != 0 || connect(ends[0], (struct sockaddr *)&a,
										size) != 0)
		return false;
	ends[1] = accept(listener, NULL, NULL);
	return ends[1] >= 0;
}

/* It counts what comes through its connection. */
int criu_subject(void)
{
	int fd = open(COUNTER, O_RDWR | O_CREAT, 0600), ends[2];
	_Atomic unsigned *count;

	if (fd < 0 || ftruncate(fd, 4096) != 0 || !connect_to_itself(ends))
		return 1;
	count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (count == MAP_FAILED)
		return 1;
	for (char byte = 0;;) {
		if (write(ends[0], &byte, 1) != 1 || read(ends[1], &byte, 1) != 1)
			return 1;
		atomic_fetch_add(count, 1);
		pause_ms(1);
	}
}

static unsigned counter(const struct nest *n)
{
	char path[128];
	unsigned count = 0;
	int fd;

	snprintf(path, sizeof path, "%s%s", nest_root(n), COUNTER);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && pread(fd, &count, sizeof count, 0) != (ssize_t)sizeof count)
		count = 0;
	if (fd >= 0)
		close(fd);
	return count;
}

static enum err_code wait_for(struct nest *n, unsigned count, const char *when, const struct progress *progress, struct err *e)
{
	for (int ms = 0; counter(n) < count; ms += 5) {
		if (progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "interrupted");
		if (ms >= PATIENCE_MS)
			return err_set(e, ERR_IO, "the test process does not run %s", when);
		if (nest_wait(n, 5, e))
			return e->code;
	}
	return ERR_OK;
}

static enum err_code try_out(struct nest *n, const struct progress *progress, struct err *e)
{
	static const char *const restore[] = {"--restore-detached", NULL};
	struct nest_child child;
	char pid[16];
	char program[PATH_MAX]; /* by its path: through /proc/self/exe it would come from mounts outside of the nest */
	const char *argv[] = {program, CRIU_SUBJECT, NULL};
	const struct nest_command subject = {.argv = argv, .directory = "/", .output = "/dev/null"};
	const char *dump[] = {"--tree", pid, "--network-lock", "skip", NULL};
	enum err_code code = criu_furnish(n, NULL, -1, e);
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	unsigned before;

	program[length > 0 ? length : 0] = '\0';
	if (!code)
		code = criu_folder(n, IMAGES, e);
	if (!code)
		code = nest_high_pids(n, e);
	if (!code)
		code = nest_start(n, &subject, &child, e);
	if (code)
		return code;
	snprintf(pid, sizeof pid, "%d", (int)child.pid);
	code = wait_for(n, STEPS, "in the nest", progress, e);
	if (!code)
		code = criu_step(n, "dump", IMAGES, dump, NULL, progress, e);
	while (!code && child.running)
		code = nest_wait(n, 20, e);
	if (code)
		return code;
	before = counter(n);
	code = criu_step(n, "restore", IMAGES, restore, NULL, progress, e);
	return code ? code : wait_for(n, before + STEPS, "after the restore", progress, e);
}

enum err_code criu_probe(const struct progress *progress, struct err *e)
{
	char path[PATH_MAX];
	struct nest *n;
	enum err_code code;

	if (geteuid() != 0)
		return err_set(e, ERR_IO, "CRIU needs root");
	if (criu_find(path, e) || nest_open(&n, NEST_APART, e))
		return e->code;
	code = try_out(n, progress, e);
	nest_close(n, false);
	return code;
}
