/* A trace's bytes come from files that may be missing, no files at all, or still being written. Each of these must
 * be told in a sentence with the file's name, without blocking and without a signal, and a file that changes while
 * it is read must be noticed. */
#include "core/io/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/progress.h"
#include "core/base/mem.h"
#include "tap.h"

static char dir[] = "/tmp/pas2p-source-XXXXXX";
static struct source s;
static struct err e;

static const char *in_dir(const char *name)
{
	static char path[64][128]; /* more than the test has names: none is used twice */
	static unsigned turn;

	turn = (turn + 1) % 64;
	snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
	return path[turn];
}

static void put(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
		bail_out("cannot write %s", path);
}

static void refused(const char *path, const char *why, const char *what)
{
	is_int(source_open_file(&s, path, &e), ERR_IO, "%s is refused", what);
	ok(strstr(e.text, why) && strstr(e.text, path), "%s: \"%s\"", what, e.text);
}

static void no_trace(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int sock = socket(AF_UNIX, SOCK_STREAM, 0);

	refused(in_dir("missing"), "No such file", "a missing file");
	refused(dir, "directory", "a directory");
	put(in_dir("empty"), "", 0);
	refused(in_dir("empty"), "empty", "an empty file");
	if (mkfifo(in_dir("fifo"), 0600))
		bail_out("no fifo");
	refused(in_dir("fifo"), "pipe", "a pipe that nobody writes");
	refused("/dev/null", "device", "a device");
	snprintf(address.sun_path, sizeof address.sun_path, "%s", in_dir("socket"));
	if (sock < 0 || bind(sock, (struct sockaddr *)&address, sizeof address))
		skip(2, "no socket here");
	else
		refused(in_dir("socket"), "socket", "a socket");
	close(sock);
	if (geteuid() == 0) {
		skip(2, "root reads everything");
	} else {
		put(in_dir("closed"), "x", 1);
		chmod(in_dir("closed"), 0);
		refused(in_dir("closed"), "Permission denied", "a file without read permission");
	}
	put(in_dir("esc\x1B[31m"), "", 0);
	source_open_file(&s, in_dir("esc\x1B[31m"), &e);
	ok(!strchr(e.text, 0x1B), "a file name with an escape sequence is shown without it");
}

static void reads(void)
{
	const char *path = in_dir("file");
	char buf[16];
	size_t got = 99;

	put(path, "0123456789", 10);
	is_int(source_open_file(&s, path, &e), ERR_OK, "a file is opened");
	ok(source_size(&s) == 10 && !strcmp(s.name, path), "with size and name");
	ok(!source_read(&s, 3, buf, 4, &got, &e) && got == 4 && !memcmp(buf, "3456", 4), "bytes in its middle");
	ok(!source_read(&s, 8, buf, 16, &got, &e) && got == 2 && !memcmp(buf, "89", 2), "a read across its end is short");
	ok(!source_read(&s, 10, buf, 1, &got, &e) && got == 0, "at the end there is nothing");
	ok(!source_read(&s, UINT64_MAX, buf, 1, &got, &e) && got == 0, "nor far behind it");
	is_int(source_unchanged(&s, &e), ERR_OK, "nobody touched it");
	if (truncate(path, 5))
		bail_out("no truncate");
	ok(!source_read(&s, 3, buf, 7, &got, &e) && got == 2, "cut while open: a short read, no signal");
	is_int(source_unchanged(&s, &e), ERR_IO, "and it is noticed");
	ok(strstr(e.text, "shrunk"), "\"%s\"", e.text);
	put(path, "0123456789ab", 12);
	ok(!source_read(&s, 8, buf, 8, &got, &e) && got == 2, "grown while open: no more than was there");
	ok(source_unchanged(&s, &e) == ERR_IO && strstr(e.text, "grown"), "\"%s\"", e.text);
	source_release(&s);
}

static void replaced(void)
{
	const char *path = in_dir("other");
	struct timespec long_ago[2] = {{1, 0}, {1, 0}};

	put(path, "0123456789", 10);
	if (source_open_file(&s, path, &e))
		bail_out("%s", e.text);
	utimensat(AT_FDCWD, path, long_ago, 0);
	ok(source_unchanged(&s, &e) == ERR_IO && strstr(e.text, "written"), "same size, other time: \"%s\"", e.text);
	source_release(&s);
	if (source_open_file(&s, path, &e))
		bail_out("%s", e.text);
	put(in_dir("new"), "0123456789", 10);
	if (rename(in_dir("new"), path))
		bail_out("no rename");
	ok(source_unchanged(&s, &e) == ERR_IO && strstr(e.text, "replaced"), "another file of the name: \"%s\"", e.text);
	unlink(path);
	ok(source_unchanged(&s, &e) == ERR_IO && strstr(e.text, "removed"), "no file of the name: \"%s\"", e.text);
	source_release(&s);
}

static void memory(void)
{
	char buf[4];
	size_t got;

	is_int(source_open_memory(&s, "bytes", "abcdef", 6, &e), ERR_OK, "memory is a source");
	ok(!source_read(&s, 4, buf, 4, &got, &e) && got == 2 && !memcmp(buf, "ef", 2), "read like a file");
	is_int(source_unchanged(&s, &e), ERR_OK, "and never changes");
	source_release(&s);
	mem_fail_after(0);
	is_int(source_open_memory(&s, "bytes", "abcdef", 6, &e), ERR_MEMORY, "no memory for its name");
	put(in_dir("file"), "x", 1);
	is_int(source_open_file(&s, in_dir("file"), &e), ERR_MEMORY, "no memory for a file's name");
	mem_fail_after(-1);
}

static bool always(void *arg)
{
	(void)arg;
	return true;
}

static void digest_is(const char *bytes, size_t n, const char *want, const char *what)
{
	char hex[65] = "";

	if (source_open_memory(&s, "bytes", bytes, n, &e))
		bail_out("%s", e.text);
	is_int(source_sha256(&s, hex, NULL, &e), ERR_OK, "SHA-256 of %s", what);
	is_str(hex, want, "is the known one");
	source_release(&s);
}

/* Known answers: FIPS 180-4's examples, and a million times "a" (in pieces that are no multiple of 64). */
static void hashes(void)
{
	struct progress progress = {NULL, always, NULL};
	char *million = malloc(1000000), hex[65];

	digest_is("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "nothing");
	digest_is("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "abc");
	digest_is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", "two blocks");
	memset(million, 'a', 1000000);
	digest_is(million, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", "a million a");
	if (source_open_memory(&s, "bytes", million, 1000000, &e))
		bail_out("%s", e.text);
	is_int(source_sha256(&s, hex, &progress, &e), ERR_CANCELLED, "hashing can be stopped");
	source_release(&s);
	free(million);
}

int main(void)
{
	char remove[64];

	if (!mkdtemp(dir))
		bail_out("no directory for files");
	no_trace();
	reads();
	replaced();
	memory();
	hashes();
	snprintf(remove, sizeof remove, "rm -rf %s", dir);
	return system(remove) ? 1 : done_testing();
}
