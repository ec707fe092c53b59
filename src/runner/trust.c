#include "runner.h"

#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/io/walk.h"

struct trust_check {
	const char *path;
	char *why;
	bool *chmod_helps;
	bool closed; /* nobody but its owner can enter the folder */
};

static void user_name(uid_t uid, char *text, size_t size)
{
	struct passwd user, *found = NULL;
	char room[4096], safe[64];

	if (getpwuid_r(uid, &user, room, sizeof room, &found) == 0 && found)
		snprintf(text, size, "%s", text_safe(safe, sizeof safe, found->pw_name, SIZE_MAX, TEXT_UTF8));
	else
		snprintf(text, size, "%lu", (unsigned long)uid);
}

/* name: of an entry of the folder; NULL: of the folder itself. */
static bool is_own(struct trust_check *l, const char *name, const struct stat *st)
{
	char safe[128], file[64] = "", user[64];

	text_safe(safe, sizeof safe, l->path, SIZE_MAX, TEXT_UTF8);
	if (name)
		text_safe(file, sizeof file, name, SIZE_MAX, TEXT_UTF8);
	user_name(st->st_uid, user, sizeof user);
	if (st->st_uid != geteuid() && st->st_uid != 0) {
		snprintf(l->why, TRUST_TEXT, "%s%s%s belongs to the user %s", file, name ? " of " : "", safe, user);
	} else if (!S_ISLNK(st->st_mode) && st->st_mode & 022) {
		snprintf(l->why, TRUST_TEXT, "%s%s%s is writable by other users", file, name ? " of " : "", safe);
		*l->chmod_helps = st->st_uid == geteuid();
	}
	return !l->why[0];
}

static enum err_code trust_look_entry(void *arg, const struct walk_entry *entry, struct err *e)
{
	struct trust_check *l = arg;
	bool files = S_ISDIR(entry->st->st_mode) && strcmp(entry->name, "files") == 0;

	if (entry->left)
		return ERR_OK;
	*entry->skip = files && l->closed;
	/* The walk ends at the first one; that is no error. */
	return *entry->skip || is_own(l, entry->name, entry->st) ? ERR_OK : err_set(e, ERR_USAGE, "%s", l->why);
}

enum err_code trust_look(int folder, const char *path, char why[TRUST_TEXT], bool *chmod_helps, struct err *e)
{
	struct trust_check l = {.path = path, .why = why, .chmod_helps = chmod_helps};
	struct stat st;
	enum err_code code;

	why[0] = '\0';
	*chmod_helps = false;
	if (fstat(folder, &st) != 0)
		return err_set(e, ERR_IO, "cannot look at the signature's folder");
	l.closed = !(st.st_mode & 077);
	if (!is_own(&l, NULL, &st))
		return ERR_OK;
	code = walk_folder(folder, trust_look_entry, &l, e);
	if (code && why[0]) {
		*e = (struct err){0};
		return ERR_OK;
	}
	return code;
}
