/* A finished file gets its name: whole, and only if nobody else has written under that name meanwhile.
 *
 *     settle_look(&before, "trace.clog2");          when the work starts
 *     settle_token(token);                          written under a name that no other run has:
 *     open("trace.k3x9fa.clog2", O_CREAT | O_EXCL | O_NOFOLLOW ...)
 *     settle("trace.k3x9fa.clog2", "trace.clog2", &before);
 *
 * What was there before is replaced whole. What has come there since is another run's: it stays, and so does the new
 * file under its own name. Nothing is followed: a symbolic link, or whatever is no regular file, counts as taken.
 * Needs nothing but the C library, since the tracer's library uses it in the ranks too.
 */
#ifndef PAS2P_SETTLE_H
#define PAS2P_SETTLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define SETTLE_TOKEN 6

struct settle_seen {
	bool there;
	mode_t mode;
	dev_t device;
	ino_t inode;
	off_t size;
	int64_t changed; /* ns */
};

/* What stands under a name, without following it. */
void settle_look(struct settle_seen *seen, const char *path);

/* Random small letters and digits, and a NUL. False: the system gives no random numbers. */
bool settle_token(char token[SETTLE_TOKEN + 1]);

/* 0, EEXIST if the name is taken, or another error number; then `from` is as it was. Both in one directory. */
int settle(const char *from, const char *to, const struct settle_seen *before);

/* After EEXIST, what became of the name: "another run wrote it meanwhile", for a sentence. */
const char *settle_why(const struct settle_seen *before);

#endif
