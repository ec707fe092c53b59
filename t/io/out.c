/* Files are replaced whole or not at all: whatever goes wrong while one is written (a full disk, a size limit, a
 * kill), the old one stands, nothing is left beside it, and the sentence says why. Modes and symbolic links survive.
 * The same (but after a kill) where a file cannot be made without a name.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/io/out.h"
#include "core/io/out_file.h"
#include "tap.h"

static char dir[PATH_MAX];
static bool no_names; /* this system gives none to files that were made without */

/* In place of the C library's. */
int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	if (no_names) {
		errno = EPERM;
		return -1;
	}
	return (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

static const char *in_dir(const char *name)
{
	static char path[2][PATH_MAX + 64];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
	return path[turn];
}

/* A file's text, "" if there is none. */
static const char *text_of(const char *path)
{
	static char text[256];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* Where the directory can be moved to. */
static const char *elsewhere(void)
{
	static char path[PATH_MAX + 8];

	snprintf(path, sizeof path, "%s.away", dir);
	return path;
}

static int files_in_dir(void)
{
	DIR *d = opendir(dir);
	int n = 0;

	for (struct dirent *x; (x = readdir(d));)
		n += strcmp(x->d_name, ".") != 0 && strcmp(x->d_name, "..") != 0;
	closedir(d);
	return n;
}

static void empty_dir(void)
{
	DIR *d = opendir(dir);

	for (struct dirent *x; (x = readdir(d));)
		if (strcmp(x->d_name, ".") != 0 && strcmp(x->d_name, "..") != 0 && unlink(in_dir(x->d_name)) < 0)
			rmdir(in_dir(x->d_name));
	closedir(d);
}

static void growing_text(void)
{
	struct out o;

	out_init(&o);
	out_add(&o, "", 0);
	is_str(o.text, "", "adding nothing gives an empty text");
	for (int i = 0; i < 1000; i++)
		out_printf(&o, "%d,", i);
	out_str(&o, "end");
	out_double(&o, 0.1);
	is_u64(o.len, 3890 + 6, "all that was added is there");
	is_str(o.text + o.len - 10, "999,end0.1", "in its order");
	out_release(&o);
	mem_fail_after(1);
	out_str(&o, "kept");
	out_printf(&o, "%5000d", 1);
	out_str(&o, "x");
	mem_fail_after(-1);
	ok(o.failed, "a failed allocation is remembered");
	is_str(o.text, "kept", "and what was there stands, without holes");
	out_release(&o);
}

static void replacing(void)
{
	struct err e = {0};
	struct stat st;

	umask(027);
	is_int(out_replace_file(in_dir("a"), "one\n", 4, &e), ERR_OK, "a new file %s", e.text);
	is_str(text_of(in_dir("a")), "one\n", "has its text");
	is_int(stat(in_dir("a"), &st) == 0 ? st.st_mode & 0777 : 0, 0640, "and the mode that the umask leaves");
	chmod(in_dir("a"), 0604);
	is_int(out_replace_file(in_dir("a"), "two\n", 4, &e), ERR_OK, "an old file is replaced");
	is_int(stat(in_dir("a"), &st) == 0 ? st.st_mode & 0777 : 0, 0604, "and keeps its mode");
	ok(symlink("a", in_dir("link")) == 0, "a link to it");
	is_int(out_replace_file(in_dir("link"), "three\n", 6, &e), ERR_OK, "writing through the link");
	ok(lstat(in_dir("link"), &st) == 0 && S_ISLNK(st.st_mode), "leaves the link a link");
	is_str(text_of(in_dir("a")), "three\n", "and replaces what it points to");
	ok(symlink("new", in_dir("dangling")) == 0, "a link to nothing");
	is_int(out_replace_file(in_dir("dangling"), "four\n", 5, &e), ERR_OK, "writing through that");
	is_str(text_of(in_dir("new")), "four\n", "makes what it points to");
	is_int(files_in_dir(), 4, "and nothing else lies around");
	is_int(chdir(dir), 0, "in the directory");
	is_int(out_replace_file("a", "five\n", 5, &e), ERR_OK, "a name without a directory");
	is_str(text_of("a"), "five\n", "is one in the working directory");
	empty_dir();
}

static void refused(const char *path, const char *part)
{
	struct err e = {0};

	is_int(out_replace_file(path, "x", 1, &e), ERR_IO, "cannot write %s", path);
	if (!ok(strstr(e.text, part) && strstr(e.text, "cannot write"), "and it says: %s", part))
		diag("it said: %s", e.text);
}

static void refusals(void)
{
	char name[400];

	refused(in_dir("."), "it is a directory");
	refused(in_dir("new/"), "it is a directory");
	refused(in_dir("none/a"), "no such directory");
	refused("", "without a name");
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	refused(in_dir(name), "the name is too long");
	ok(symlink("loop", in_dir("loop")) == 0, "a link to itself");
	refused(in_dir("loop"), "too many symbolic links");
	is_int(out_replace_file(in_dir("f"), "x", 1, NULL), ERR_OK, "a file");
	refused(in_dir("f/a"), "not a directory");
	memset(name, 'n', 255);
	name[255] = '\0';
	is_int(out_replace_file(in_dir(name), "x", 1, NULL), ERR_OK, "the longest name works");
	empty_dir();
	if (geteuid() == 0) {
		skip(2, "root may write everywhere");
		return;
	}
	is_int(out_replace_file(in_dir("a"), "old\n", 4, NULL), ERR_OK, "a file");
	chmod(in_dir("a"), 0400);
	refused(in_dir("a"), "permission denied");
	empty_dir();
}

static void full_disk(void)
{
	struct err e = {0};
	struct out_file f;
	int fds[2];
	char buf[8] = "";

	if (access("/dev/full", W_OK) == 0) {
		is_int(out_replace_file("/dev/full", "x", 1, &e), ERR_IO, "a full device refuses");
		ok(strstr(e.text, "the disk is full") != NULL, "and the sentence says so: %s", e.text);
	} else {
		skip(2, "no /dev/full");
	}
	is_int(out_replace_file("/dev/null", "x", 1, &e), ERR_OK, "a device is written to");
	ok(pipe(fds) == 0, "a pipe");
	snprintf(buf, sizeof buf, "%d", fds[1]);
	char path[32];

	snprintf(path, sizeof path, "/dev/fd/%s", buf);
	is_int(out_replace_file(path, "hello", 5, &e), ERR_OK, "a pipe by its number %s", e.text);
	is_int((int)read(fds[0], buf, sizeof buf), 5, "gets the text");
	is_int(out_file_begin(&f, path, &e), ERR_OK, "a pipe");
	close(fds[0]);
	close(fds[1]);
	is_int(out_file_write(&f, "x", 1, &e), ERR_IO, "whose reader is gone gives an error, not a signal");
	ok(strstr(e.text, "the reader closed the pipe") != NULL, "that says so: %s", e.text);
}

/* In a child with a file size limit of 1 KiB: the signal that comes with it must not end the program. */
static void size_limit(void)
{
	static char large[100000];
	struct rlimit limit = {1024, 1024};
	int status = 0;
	pid_t child;

	memset(large, 'x', sizeof large);
	is_int(out_replace_file(in_dir("a"), "old\n", 4, NULL), ERR_OK, "a file");
	fflush(NULL);
	child = fork();
	if (child == 0) {
		struct err e = {0};

		setrlimit(RLIMIT_FSIZE, &limit);
		if (out_replace_file(in_dir("a"), large, sizeof large, &e) != ERR_IO)
			_exit(1);
		_exit(strstr(e.text, "exceed the size limit") ? 0 : 2);
	}
	waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a size limit is an error with its reason");
	is_str(text_of(in_dir("a")), "old\n", "the old file stands");
	is_int(files_in_dir(), 1, "and nothing lies beside it");
	empty_dir();
}

static void aborted(void)
{
	struct out_file f;
	struct err e = {0};

	is_int(out_replace_file(in_dir("a"), "old\n", 4, &e), ERR_OK, "a file");
	is_int(out_file_begin(&f, in_dir("a"), &e), ERR_OK, "its replacement is begun");
	is_int(out_file_write(&f, "ne", 2, &e), ERR_OK, "and half written");
	is_str(text_of(in_dir("a")), "old\n", "the old one stands meanwhile");
	out_file_abort(&f);
	out_file_abort(&f);
	is_int(files_in_dir(), 1, "after giving up nothing lies beside it");
	is_int(out_file_begin(&f, in_dir("a"), &e), ERR_OK, "begun again");
	if (f.temporary[0])
		unlink(f.temporary);
	else
		rename(dir, elsewhere());
	is_int(out_file_commit(&f, &e), ERR_IO, "a temporary file that somebody took away is an error");
	if (!access(elsewhere(), F_OK))
		rename(elsewhere(), dir);
	is_str(text_of(in_dir("a")), "old\n", "and the old one stands");
	empty_dir();
}

/* A child that has begun to write `name` is killed: how many files there are then. */
static int left_by_kill(const char *name)
{
	int fds[2];
	pid_t child;
	char go;

	if (pipe(fds) < 0)
		bail_out("no pipe");
	fflush(NULL);
	child = fork();
	if (child == 0) {
		struct out_file f;

		if (out_file_begin(&f, name, NULL) || out_file_write(&f, "half", 4, NULL) || write(fds[1], "x", 1) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	close(fds[1]);
	is_int((int)read(fds[0], &go, 1), 1, "a writer has begun %s", strrchr(name, '/') + 1);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(fds[0]);
	return files_in_dir();
}

static void killed_meanwhile(void)
{
	struct out_file f;
	struct err e = {0};
	bool nameless;

	is_int(out_file_begin(&f, in_dir("a"), &e), ERR_OK, "a file is begun");
	nameless = !f.temporary[0];
	is_int(files_in_dir(), nameless ? 0 : 1, "which has no name yet, if the system can do that");
	is_int(out_replace_file(in_dir("a"), "other\n", 6, &e), ERR_OK, "somebody makes it meanwhile");
	is_int(out_file_write(&f, "mine\n", 5, &e), ERR_OK, "it is written");
	is_int(out_file_commit(&f, &e), ERR_OK, "and replaces what has come %s", e.text);
	is_str(text_of(in_dir("a")), "mine\n", "the last one counts");
	is_int(files_in_dir(), 1, "and is alone");
	if (nameless) {
		is_int(left_by_kill(in_dir("a")), 1, "of a replacement nothing is left beside the old file");
		is_str(text_of(in_dir("a")), "mine\n", "which stands");
		is_int(left_by_kill(in_dir("new")), 1, "nor of a new one");
	} else {
		skip(5, "this system has no files without names");
	}
	empty_dir();
}

/* A writer that replaces a file over and over by texts of one repeated letter is killed in the middle, many times:
 * the file must always be one of those texts. */
static void killed(void)
{
	int whole = 0;

	for (int round = 0; round < 20; round++) {
		const char *found;
		char text[200];
		pid_t child;
		int fds[2];
		char go;

		if (pipe(fds) < 0)
			bail_out("no pipe");
		fflush(NULL);
		child = fork();
		if (child == 0) {
			for (int i = 0;; i++) {
				memset(text, 'a' + i % 26, 200);
				if (out_replace_file(in_dir("k"), text, 200, NULL) != ERR_OK)
					_exit(1);
				if (i >= round && write(fds[1], "x", 1) < 0)
					_exit(1);
			}
		}
		if (read(fds[0], &go, 1) != 1)
			diag("the writer ended by itself");
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		close(fds[0]);
		close(fds[1]);
		found = text_of(in_dir("k"));
		whole += strlen(found) == 200 && strspn(found, (char[]){found[0], '\0'}) == 200;
	}
	is_int(whole, 20, "after each of 20 kills the file is whole");
	empty_dir();
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof dir, "%s/pas2p-out.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		bail_out("no temporary directory");
	growing_text();
	replacing();
	refusals();
	full_disk();
	size_limit();
	aborted();
	killed();
	killed_meanwhile();
	no_names = true;
	replacing();
	refusals();
	size_limit();
	aborted();
	killed();
	rmdir(dir);
	return done_testing();
}
