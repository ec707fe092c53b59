/* A trace of several files that replaces another one: whenever its writer is killed, or cannot go on, the file by which
 * the trace is opened never stands beside files of another trace, and either the old trace is there, or the new one, or
 * the old one's main file under a name beside it. Files cannot be renamed together, so it is the order that holds this.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/records/records.h"
#include "core/records/format_write.h"
#include "tap.h"

static char dir[PATH_MAX];
static int calls, at;    /* the at-th call that changes names is not made */
static bool dies;        /* then, or fails */
static bool no_names;    /* files cannot be made without one */

static bool stopped(void)
{
	if (++calls != at)
		return false;
	if (dies)
		kill(getpid(), SIGKILL);
	errno = EIO;
	return true;
}

/* In place of the C library's. */
int rename(const char *from, const char *to)
{
	return stopped() ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
	return stopped() ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	if (no_names) {
		errno = EPERM;
		return -1;
	}
	return stopped() ? -1 : (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

static const char *const endings[] = {".pcf", ".row", NULL};
static const struct format_writer writer = {.to = "prv", .ending = ".prv", .companions = endings};

static void put(struct convert_output *o, const char *name, const char *text, struct err *e)
{
	struct convert_file *file;

	if (convert_file_open(&file, o, name, e))
		return;
	convert_file_printf(file, "%s", text);
	convert_file_close(file, e);
}

/* All three files hold the same text. */
static enum err_code write_trace(const char *text, struct err *e)
{
	char path[PATH_MAX + 8];
	struct convert_output *o;
	enum err_code code;

	snprintf(path, sizeof path, "%s/x.prv", dir);
	*e = (struct err){0};
	code = convert_output_new(&o, path, &writer, true, NULL, e);
	if (!code)
		code = convert_output_begin(o, e);
	if (!code) {
		put(o, "", text, e);
		put(o, ".pcf", text, e);
		put(o, ".row", text, e);
		code = e->code ? e->code : convert_output_commit(o, e);
	}
	convert_output_free(o);
	return code;
}

static char letter_of(const char *name)
{
	char path[PATH_MAX + NAME_MAX + 2], letter = 0;
	int fd;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, &letter, 1) != 1)
		letter = '?';
	if (fd >= 0)
		close(fd);
	return letter;
}

struct left {
	char prv, pcf, row, old;
	int files;
};

static struct left look(bool clear)
{
	struct left l = {letter_of("x.prv"), letter_of("x.pcf"), letter_of("x.row"), 0, 0};
	DIR *d = opendir(dir);

	for (struct dirent *x; (x = readdir(d));) {
		char path[PATH_MAX + NAME_MAX + 2];
		size_t n = strlen(x->d_name);

		if (!strcmp(x->d_name, ".") || !strcmp(x->d_name, ".."))
			continue;
		l.files++;
		if (n > 4 && !strcmp(x->d_name + n - 4, ".old"))
			l.old = letter_of(x->d_name);
		snprintf(path, sizeof path, "%s/%s", dir, x->d_name);
		if (clear)
			syscall(SYS_unlinkat, AT_FDCWD, path, 0);
	}
	closedir(d);
	return l;
}

/* The old trace, then a new one that is stopped at a call. False: there are no more calls. */
static bool replaced(int call, struct left *left, char said[ERR_TEXT])
{
	struct err e = {0};
	int status, pipes[2];
	pid_t child;

	look(true);
	at = 0;
	if (write_trace("A", &e) || pipe(pipes))
		bail_out("cannot write the old trace: %s", e.text);
	calls = 0;
	child = fork();
	if (!child) {
		at = call;
		write_trace("B", &e);
		if (write(pipes[1], e.text, ERR_TEXT) != ERR_TEXT)
			_exit(3);
		_exit(calls < call ? 2 : 0);
	}
	close(pipes[1]);
	said[0] = '\0';
	if (read(pipes[0], said, ERR_TEXT) < 0)
		said[0] = '\0';
	close(pipes[0]);
	waitpid(child, &status, 0);
	*left = look(false);
	return !(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}

static void stop_everywhere(const char *what)
{
	struct left l;
	char said[ERR_TEXT];
	int mixed = 0, lost = 0, call = 1, unsaid = 0;

	for (; replaced(call, &l, said); call++) {
		mixed += l.prv && (l.prv != l.pcf || l.prv != l.row);
		lost += !l.prv && l.old != 'A';
		unsaid += !dies && l.prv != 'B' && (!said[0] || (l.old && !strstr(said, ".old")));
	}
	ok(call > 3, "%s at each of %d calls", what, call - 1);
	is_int(mixed, 0, "  no file stands beside another trace's");
	is_int(lost, 0, "  the old one is there, the new one, or the old one's main file");
	is_int(unsaid, 0, "  and what happened is said, with the name of that file");
	ok(l.prv == 'B' && l.pcf == 'B' && l.row == 'B' && l.files == 3, "  where nothing stops it, the new one is there and no more");
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof dir, "%s/pas2p-killed-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		bail_out("no temporary directory");
	for (int names = 0; names < 2; names++) {
		no_names = names;
		dies = true;
		stop_everywhere(names ? "with temporary names, killed" : "killed");
		dies = false;
		stop_everywhere(names ? "with temporary names, it fails" : "it fails");
	}
	look(true);
	rmdir(dir);
	return done_testing();
}
