#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "out.h"
#include "core/base/text.h"

#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct walk_level {
	dev_t device;
	ino_t inode;
	struct out names; /* each ended by a NUL */
	size_t at;        /* the name that is visited, or that the walk has gone into */
};

struct folder_walk {
	int fd;           /* the folder of the innermost level */
	struct walk_level *levels;
	size_t count, cap;
	walk_visit *visit;
	void *arg;
};

enum err_code walk_failed(const char *name, const char *doing, struct err *e)
{
	char safe[256];
	int why = errno;

	text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_IO, "cannot %s %s: %s", doing, safe, strerror(why));
}

/* All names first: what is removed while a folder is read may make others appear twice or not at all. */
static enum err_code read_names(int fd, const char *name, struct out *names, struct err *e)
{
	int again = openat(fd, ".", FOLDER);
	DIR *d = again < 0 ? NULL : fdopendir(again);
	struct dirent *entry;
	int why;

	if (!d) {
		why = errno;
		if (again >= 0)
			close(again);
		errno = why;
		return walk_failed(name, "read the folder", e);
	}
	for (errno = 0; (entry = readdir(d)); errno = 0)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			out_add(names, entry->d_name, strlen(entry->d_name) + 1);
	why = errno;
	closedir(d);
	errno = why;
	if (names->failed)
		return err_memory(e, "the names in a folder");
	return why ? walk_failed(name, "read the folder", e) : ERR_OK;
}

/* The walk takes fd, which is open on the folder `name`. */
static enum err_code go_in(struct folder_walk *w, int fd, const char *name, const struct stat *st, struct err *e)
{
	struct walk_level *levels = mem_grow(w->levels, w->count, &w->cap, sizeof *levels);
	enum err_code code;

	if (levels)
		w->levels = levels;
	if (!levels || w->count == WALK_DEPTH) {
		close(fd);
		return levels ? err_set(e, ERR_LIMIT, "folders are nested deeper than %d", WALK_DEPTH)
			      : err_memory(e, "a folder's names");
	}
	levels[w->count] = (struct walk_level){.device = st->st_dev, .inode = st->st_ino};
	out_init(&levels[w->count].names);
	code = read_names(fd, name, &levels[w->count].names, e);
	w->count++;
	if (w->fd >= 0)
		close(w->fd);
	w->fd = fd;
	return code;
}

static enum err_code visit(struct folder_walk *w, const struct stat *st, bool left, bool *skip, struct err *e)
{
	const struct walk_level *l = &w->levels[w->count - 1];
	struct walk_entry entry = {w->fd, l->names.text + l->at, st, left, skip};

	return w->visit(w->arg, &entry, e);
}

/* Back to the folder above, which must be the one that the walk came from, and on to its next name. */
static enum err_code go_out(struct folder_walk *w, struct err *e)
{
	struct stat st, child;
	struct walk_level *l;
	bool skip;
	int up = openat(w->fd, "..", FOLDER);
	enum err_code code = ERR_OK;

	out_release(&w->levels[--w->count].names);
	l = &w->levels[w->count - 1];
	if (up < 0 || fstat(up, &st) != 0 || st.st_dev != l->device || st.st_ino != l->inode || fstat(w->fd, &child) != 0)
		code = err_set(e, ERR_IO, "a folder was moved while pas2p read its contents");
	close(w->fd);
	w->fd = up;
	if (!code)
		code = visit(w, &child, true, &skip, e);
	if (!code)
		l->at += strlen(l->names.text + l->at) + 1;
	return code;
}

static enum err_code take_folder(struct folder_walk *w, const struct stat *seen, struct err *e)
{
	struct walk_level *l = &w->levels[w->count - 1];
	const char *name = l->names.text + l->at;
	struct stat st = *seen;
	bool skip = false;
	int fd = openat(w->fd, name, FOLDER), why = errno;
	enum err_code code;

	if (fd >= 0 && (fstat(fd, &st) != 0 || st.st_dev != seen->st_dev || st.st_ino != seen->st_ino)) {
		close(fd);
		return err_set(e, ERR_IO, "a folder was replaced while pas2p opened it");
	}
	code = visit(w, &st, false, &skip, e);
	skip = skip || st.st_dev != w->levels[0].device;
	if (code || skip || fd < 0) {
		if (fd >= 0)
			close(fd);
		errno = why;
		if (!code && !skip && why != ENOENT)
			code = walk_failed(name, "open the folder", e);
		l->at += strlen(name) + 1;
		return code;
	}
	return go_in(w, fd, name, &st, e);
}

static enum err_code walk_step_entry(struct folder_walk *w, struct err *e)
{
	struct walk_level *l = &w->levels[w->count - 1];
	const char *name;
	struct stat st;
	bool skip;
	enum err_code code = ERR_OK;

	if (l->at >= l->names.len)
		return go_out(w, e);
	name = l->names.text + l->at;
	if (fstatat(w->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		if (errno != ENOENT)
			return walk_failed(name, "look at", e);
	} else if (S_ISDIR(st.st_mode)) {
		return take_folder(w, &st, e);
	} else {
		code = visit(w, &st, false, &skip, e);
	}
	l->at += strlen(name) + 1;
	return code;
}

enum err_code walk_folder(int fd, walk_visit *visit_entry, void *arg, struct err *e)
{
	struct folder_walk w = {.fd = -1, .visit = visit_entry, .arg = arg};
	int top = openat(fd, ".", FOLDER);
	struct stat st;
	enum err_code code;

	if (top < 0 || fstat(top, &st) != 0) {
		code = walk_failed(".", "open the folder", e);
		if (top >= 0)
			close(top);
		return code;
	}
	code = go_in(&w, top, ".", &st, e);
	while (!code && (w.count > 1 || w.levels[0].at < w.levels[0].names.len))
		code = walk_step_entry(&w, e);
	while (w.count)
		out_release(&w.levels[--w.count].names);
	mem_free(w.levels);
	if (w.fd >= 0)
		close(w.fd);
	return code;
}
