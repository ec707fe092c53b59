/* A file that is read whole is a regular one, and no longer than its kind can be, whatever its size says: one that says
 * 0 and has more (as those of /proc), or grows meanwhile, is read to its end or refused. What is no regular file is
 * refused at once: nothing waits for a pipe's writer. (What each is called is checked in source.c and broken_input.t.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/io/regular.h"
#include "tap.h"

static void refused(const char *path, size_t most, enum err_code code, const char *why)
{
	struct err e = {0};
	char *bytes;
	size_t size;

	is_int(regular_read(path, most, &bytes, &size, &e), code, "%s is refused", path);
	ok(strstr(e.text, why) && !bytes, "with a sentence: %s", e.text);
}

static void read_whole(const char *path, size_t most, const char *text, size_t n)
{
	struct err e = {0};
	char *bytes;
	size_t size;

	if (!is_int(regular_read(path, most, &bytes, &size, &e), ERR_OK, "%s, at most %zu bytes: %s", path, most, e.text))
		return;
	is_u64(size, n, "its size");
	is_mem(bytes, text, n + 1, "its bytes, and a NUL");
	mem_free(bytes);
}

int main(void)
{
	char dir[] = "/tmp/pas2p-regular.XXXXXX";
	struct err e = {0};
	char *bytes;
	size_t size;
	FILE *f;

	if (!mkdtemp(dir) || chdir(dir) != 0 || !(f = fopen("file", "w")) || fwrite("one\0two", 1, 7, f) != 7 || fclose(f) != 0 ||
	    !(f = fopen("empty", "w")) || fclose(f) != 0 || mkfifo("pipe", 0600) != 0 || symlink("file", "link") != 0)
		bail_out("cannot make files");
	read_whole("file", 7, "one\0two", 7);
	read_whole("link", 1000, "one\0two", 7);
	read_whole("empty", 0, "", 0);
	refused("file", 6, ERR_LIMIT, "more than 6 bytes");
	refused("", 7, ERR_IO, "cannot open a file without a name");
	refused("none", 7, ERR_IO, "cannot open none: No such file");
	refused("file/x", 7, ERR_IO, "Not a directory");
	refused("pipe", 7, ERR_IO, "pipe is a pipe");
	refused("/dev/zero", 7, ERR_IO, "is a device");
	refused(".", 7, ERR_IO, "is a directory");
	if (access("/proc/self/status", R_OK) == 0) {
		is_int(regular_read("/proc/self/status", 1 << 20, &bytes, &size, &e), ERR_OK, "a file that says it is empty");
		ok(bytes && size > 100 && strlen(bytes) == size, "is read to its end: %zu bytes", size);
		mem_free(bytes);
		refused("/proc/self/status", 100, ERR_LIMIT, "more than 100 bytes");
	} else {
		skip(4, "there is no /proc");
	}
	mem_fail_after(0);
	is_int(regular_read("file", 7, &bytes, &size, &e), ERR_MEMORY, "no memory");
	mem_fail_after(-1);
	unlink("file");
	unlink("empty");
	unlink("pipe");
	unlink("link");
	if (chdir("/") == 0)
		rmdir(dir);
	return done_testing();
}
