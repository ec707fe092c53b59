#include "settle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

void settle_look(struct settle_seen *seen, const char *path)
{
	struct stat st;

	*seen = (struct settle_seen){0};
	if (lstat(path, &st) != 0)
		return;
	*seen = (struct settle_seen){
		.there = true, .mode = st.st_mode, .device = st.st_dev, .inode = st.st_ino, .size = st.st_size,
		.changed = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec,
	};
}

bool settle_token(char token[SETTLE_TOKEN + 1])
{
	static const char digits[] = "0123456789abcdefghijkmnpqrstuvwx";
	unsigned char random[SETTLE_TOKEN];
	ssize_t n;

	do
		n = getrandom(random, sizeof random, 0);
	while (n < 0 && errno == EINTR);
	for (int i = 0; i < SETTLE_TOKEN; i++)
		token[i] = digits[random[i] % (sizeof digits - 1)];
	token[SETTLE_TOKEN] = '\0';
	return n == (ssize_t)sizeof random;
}

static bool seen_is_same(const struct settle_seen *a, const struct settle_seen *b)
{
	return a->there == b->there && (!a->there ||
		(a->mode == b->mode && a->device == b->device && a->inode == b->inode && a->size == b->size &&
		 a->changed == b->changed));
}

static bool unsupported(int error)
{
	return error == EINVAL || error == ENOSYS || error == EPERM || error == EOPNOTSUPP;
}

static bool as_before(const char *path, const struct settle_seen *before)
{
	struct settle_seen now;

	settle_look(&now, path);
	return seen_is_same(&now, before);
}

/* Some file systems know neither an exclusive rename nor an exchange: look, then rename. */
static int plain(const char *from, const char *to, const struct settle_seen *before)
{
	if (!as_before(to, before))
		return EEXIST;
	return rename(from, to) == 0 ? 0 : errno;
}

static int to_new(const char *from, const char *to)
{
	static const struct settle_seen none;

	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	return unsupported(errno) ? plain(from, to, &none) : errno;
}

const char *settle_why(const struct settle_seen *before)
{
	return before->there && !S_ISREG(before->mode) ? "it is not a regular file" : "another run wrote it meanwhile";
}

int settle(const char *from, const char *to, const struct settle_seen *before)
{
	if (!before->there)
		return to_new(from, to);
	if (!S_ISREG(before->mode))
		return EEXIST;
	if (!as_before(to, before))
		return access(to, F_OK) == 0 || errno != ENOENT ? EEXIST : to_new(from, to);
	/* Another run may come first between the look and the rename: what the exchange hands out tells. */
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) != 0)
		return errno == ENOENT ? to_new(from, to) : unsupported(errno) ? plain(from, to, before) : errno;
	if (as_before(from, before))
		return unlink(from), 0;
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0 ? EEXIST : errno;
}
