/* A finished file gets its name only if nobody else has written under it since the work began: what was there before is
 * replaced whole, what came since stays, and so does the new file under its own name. Links are never followed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io/settle.h"
#include "tap.h"

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		bail_out("cannot write %s", path);
}

static const char *got(const char *path)
{
	static char text[64];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	if (!f)
		return "none";
	fclose(f);
	text[n] = '\0';
	return text;
}

int main(void)
{
	char dir[] = "/tmp/pas2p-settle.XXXXXX", token[SETTLE_TOKEN + 1], other[SETTLE_TOKEN + 1];
	struct settle_seen before;

	if (!mkdtemp(dir) || chdir(dir) != 0)
		bail_out("no temporary directory");
	settle_look(&before, "to");
	put("from", "one");
	is_int(settle("from", "to", &before), 0, "a new name");
	is_str(got("to"), "one", "has the file");

	settle_look(&before, "to");
	put("from", "two");
	is_int(settle("from", "to", &before), 0, "over what was there before");
	is_str(got("to"), "two", "has the new file");
	is_str(got("from"), "none", "and the old one is gone");

	settle_look(&before, "to");
	unlink("to");
	put("from", "three");
	is_int(settle("from", "to", &before), 0, "what was there before has been removed");
	is_str(got("to"), "three", "has the new file");

	settle_look(&before, "to");
	put("other", "another's");
	put("from", "mine");
	rename("other", "to");
	is_int(settle("from", "to", &before), EEXIST, "another file came in place of what was there");
	is_str(got("to"), "another's", "stays");
	is_str(got("from"), "mine", "and ours too");
	is_str(settle_why(&before), "another run wrote it meanwhile", "why");

	unlink("to");
	settle_look(&before, "to");
	put("to", "another's");
	is_int(settle("from", "to", &before), EEXIST, "a file came where none was");
	is_str(got("to"), "another's", "stays");

	put("target", "precious");
	unlink("to");
	settle_look(&before, "to");
	if (symlink("target", "to") != 0)
		bail_out("no symbolic links");
	is_int(settle("from", "to", &before), EEXIST, "a link came where nothing was");
	settle_look(&before, "to");
	is_int(settle("from", "to", &before), EEXIST, "a link that was there before");
	is_str(settle_why(&before), "it is not a regular file", "why");
	unlink("target");
	is_int(settle("from", "to", &before), EEXIST, "a link to nothing");
	is_str(got("target"), "none", "and nothing is made by it");
	is_str(got("from"), "mine", "ours stays through all of it");
	settle_look(&before, "nowhere");
	is_int(settle("no such file", "nowhere", &before), ENOENT, "nothing to name");

	ok(settle_token(token) && settle_token(other) && strlen(token) == SETTLE_TOKEN &&
	   strspn(token, "0123456789abcdefghijklmnopqrstuvwxyz") == SETTLE_TOKEN && strcmp(token, other) != 0,
	   "tokens are letters and digits, and differ: %s %s", token, other);
	unlink("from");
	unlink("to");
	if (chdir("/") == 0)
		rmdir(dir);
	return done_testing();
}
