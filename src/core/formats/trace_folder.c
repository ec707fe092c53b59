#include "trace_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/order.h"
#include "core/base/text.h"
#include "core/io/source.h"
#include "core/formats/api/anchor.h"
#include "core/formats/api/glance.h"
#include "core/formats/api/open.h"
#include "runs.h"

void trace_folder_init(struct trace_folder *f)
{
	*f = (struct trace_folder){0};
	arena_init(&f->arena);
}

void trace_folder_release(struct trace_folder *f)
{
	mem_free(f->list);
	arena_release(&f->arena);
	trace_folder_init(f);
}

/* A folder that is a trace: an archive's. */
static bool is_archive(const char *path)
{
	char *anchor = NULL;
	struct err ignored;
	bool is = !anchor_in_folder(&anchor, path, &ignored) && anchor;

	mem_free(anchor);
	return is;
}

bool trace_folder_is(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !is_archive(path);
}

/* One more in the list, with room for so many paths; NULL: no memory. */
static struct found_run *one_more(struct trace_folder *f, uint32_t paths)
{
	struct found_run *list = mem_grow(f->list, f->count, &f->room, sizeof *list), *run;

	if (!list)
		return NULL;
	f->list = list;
	run = &list[f->count];
	*run = (struct found_run){.paths = arena_alloc(&f->arena, paths * sizeof *run->paths)};
	if (!run->paths)
		return NULL;
	f->count++;
	return run;
}

static bool add_path(struct trace_folder *f, struct found_run *run, const char *path)
{
	const char *copy = arena_strndup(&f->arena, path, strlen(path));

	if (!copy)
		return false;
	run->paths[run->path_count++] = copy;
	run->name = path_name(run->paths[0]);
	return true;
}

#define ARCHIVE_DEPTH 2 /* the anchor's folder, and the one of its parts */

/* The bytes of an archive's files, which lie in its folder and in one below. */
static uint64_t archive_size(int folder, int depth)
{
	DIR *d = fdopendir(folder);
	uint64_t size = 0;
	struct dirent *entry;
	struct stat st;

	if (!d) {
		close(folder);
		return 0;
	}
	while ((entry = readdir(d))) {
		if (entry->d_name[0] == '.' || fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISREG(st.st_mode)) {
			size += (uint64_t)st.st_size;
		} else if (S_ISDIR(st.st_mode) && depth > 1) {
			int below = openat(dirfd(d), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

			size += below >= 0 ? archive_size(below, depth - 1) : 0;
		}
	}
	closedir(d);
	return size;
}

/* The latest path of the run is on the disk. */
static void add_stat(struct found_run *run, const struct stat *st)
{
	int folder = S_ISDIR(st->st_mode) ? open(run->paths[run->path_count - 1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	run->size += folder >= 0 ? archive_size(folder, ARCHIVE_DEPTH) : (uint64_t)st->st_size;
	if (run->path_count <= 1) {
		run->device = st->st_dev;
		run->inode = st->st_ino;
	}
	if (run->path_count <= 1 || st->st_mtime > run->changed)
		run->changed = st->st_mtime;
}

/* What no format knows, and what cannot be opened, has no format. */
static void glance_look_at(struct glance *glance, const char *path)
{
	struct source source;
	struct err ignored;

	*glance = (struct glance){0};
	if (trace_file_open(&source, path, &ignored))
		return;
	if (glance_at(glance, &source, &ignored))
		*glance = (struct glance){0};
	source_release(&source);
}

enum err_code trace_folder_add(struct trace_folder *f, const char *const *paths, uint32_t count, uint32_t processes, bool look,
			       struct err *e)
{
	struct found_run *run = one_more(f, count);
	struct glance glance;
	struct stat st;

	for (uint32_t i = 0; run && i < count; i++) {
		if (!add_path(f, run, paths[i]))
			run = NULL;
		else if (look && (stat(paths[i], &st) || !(S_ISREG(st.st_mode) || is_archive(paths[i]))))
			run->gone = true;
		else if (look)
			add_stat(run, &st);
	}
	if (!run)
		return err_memory(e, "the traces");
	run->processes = processes;
	if (!look || run->gone || !count)
		return ERR_OK;
	glance_look_at(&glance, paths[0]);
	run->format = glance.format ? glance.format->name : NULL;
	return ERR_OK;
}

/* --- reading a folder --- */

struct folder_entry {
	char *path;
	struct stat st;
	struct glance glance;
	bool trace;
};

struct folder_reading {
	struct trace_folder *f;
	struct folder_entry *list; /* folders, and files that may be traces */
	uint32_t count;
	size_t room;
	char safe[256];     /* the folder's name */
};

ORDER_BY(by_path, struct folder_entry, TEXT(path))

static enum err_code add_entry(struct folder_reading *r, const char *folder, const char *name, struct err *e)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	struct folder_entry *list = mem_grow(r->list, r->count, &r->room, sizeof *list), *entry;
	bool here = strcmp(folder, ".") == 0;

	if (!list)
		return err_memory(e, "the folder");
	r->list = list;
	entry = &list[r->count];
	*entry = (struct folder_entry){.path = mem_alloc(size, 1)};
	if (!entry->path)
		return err_memory(e, "the folder");
	snprintf(entry->path, size, "%s%s%s", here ? "" : folder, here || folder[strlen(folder) - 1] == '/' ? "" : "/", name);
	/* What is neither, or cannot be looked at, is nothing to open. */
	if (stat(entry->path, &entry->st) || !(S_ISDIR(entry->st.st_mode) || S_ISREG(entry->st.st_mode)))
		mem_free(entry->path);
	else
		r->count++;
	return ERR_OK;
}

static enum err_code read_names(struct folder_reading *r, const char *folder, const struct progress *progress, struct err *e)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	enum err_code code = ERR_OK;

	if (!d)
		return err_set(e, ERR_IO, "cannot read the folder %s: %s", r->safe, strerror(errno));
	while (!code && (entry = readdir(d))) {
		if (entry->d_name[0] != '.')
			code = add_entry(r, folder, entry->d_name, e);
		if (!code && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped while reading a folder");
	}
	closedir(d);
	if (!code && r->count)
		SORT(r->list, r->count, by_path);
	return code;
}

static enum err_code look_at_files(struct folder_reading *r, const struct progress *progress, struct err *e)
{
	for (uint32_t i = 0; i < r->count; i++) {
		struct folder_entry *entry = &r->list[i];
		const char *name = path_name(entry->path);
		size_t n = strlen(name);

		if (S_ISREG(entry->st.st_mode) || is_archive(entry->path)) {
			glance_look_at(&entry->glance, entry->path);
			entry->trace = entry->glance.format || format_stem(name, n) < n;
		}
		if (progress_step(progress, PROGRESS_GLANCE, i + 1, r->count, e))
			return e->code;
	}
	return ERR_OK;
}

static enum err_code add_folders(struct folder_reading *r, struct err *e)
{
	for (uint32_t i = 0; i < r->count; i++) {
		struct found_run *run;

		if (!S_ISDIR(r->list[i].st.st_mode) || r->list[i].trace)
			continue;
		run = one_more(r->f, 1);
		if (!run || !add_path(r->f, run, r->list[i].path))
			return err_memory(e, "the folder");
		run->folder = true;
		run->changed = r->list[i].st.st_mtime;
		r->f->folders++;
	}
	return ERR_OK;
}

/* The traces among the entries, moved together: `of` has their places, and run[i] the run of each. */
static enum err_code add_runs(struct folder_reading *r, const uint32_t *place, uint32_t count, const uint32_t *run, uint32_t runs, struct err *e)
{
	uint32_t *files = mem_zero((size_t)runs + 1, sizeof *files), first = r->f->count;
	bool good = files != NULL;

	for (uint32_t i = 0; good && i < count; i++)
		files[run[i]]++;
	for (uint32_t i = 0; good && i < runs; i++)
		good = one_more(r->f, files[i]) != NULL;
	for (uint32_t i = 0; good && i < count; i++) {
		const struct folder_entry *entry = &r->list[place[i]];
		struct found_run *found = &r->f->list[first + run[i]];

		good = add_path(r->f, found, entry->path);
		add_stat(found, &entry->st);
		if (entry->glance.format)
			found->format = entry->glance.format->name;
		if (entry->glance.processes > found->processes)
			found->processes = entry->glance.processes;
	}
	mem_free(files);
	return good ? ERR_OK : err_memory(e, "the folder");
}

/* The same except for what their numbers are: "lu.0.clog2" and "lu.12.clog2". */
static bool alike(const char *a, const char *b)
{
	while (*a || *b) {
		size_t digits[2] = {strspn(a, "0123456789"), strspn(b, "0123456789")};

		if (!digits[0] != !digits[1] || (!digits[0] && *a != *b))
			return false;
		a += digits[0] ? digits[0] : 1;
		b += digits[1] ? digits[1] : 1;
	}
	return true;
}

/* Files that do not say which run they are of go with the one before that does, or else the one behind. */
static void join_unknown(const struct folder_reading *r, const uint32_t *place, struct format_run *of, uint32_t count)
{
	for (int back = 0; back < 2; back++) {
		uint32_t known = UINT32_MAX;

		for (uint32_t k = 0; k < count; k++) {
			uint32_t i = back ? count - 1 - k : k;

			if (of[i].part && !of[i].known && known != UINT32_MAX && alike(r->list[place[i]].path, r->list[place[known]].path))
				of[i] = of[known];
			if (of[i].part && of[i].known)
				known = i;
			else if (back)
				of[i].part = false;
		}
	}
}

static enum err_code add_traces(struct folder_reading *r, struct err *e)
{
	uint32_t *place = mem_alloc(r->count, sizeof *place), *run = mem_alloc(r->count, sizeof *run), count = 0, runs;
	struct format_run *of = mem_alloc(r->count, sizeof *of);
	enum err_code code = place && run && of ? ERR_OK : err_memory(e, "the folder");

	for (uint32_t i = 0; !code && i < r->count; i++) {
		if (!r->list[i].trace) {
			r->f->others += S_ISREG(r->list[i].st.st_mode);
			continue;
		}
		place[count] = i;
		of[count++] = r->list[i].glance.run;
	}
	if (!code) {
		join_unknown(r, place, of, count);
		runs_number(of, count, run, &runs);
		code = add_runs(r, place, count, run, runs, e);
	}
	mem_free(place);
	mem_free(run);
	mem_free(of);
	return code;
}

enum err_code trace_folder_read(struct trace_folder *f, const char *path, const struct progress *progress, struct err *e)
{
	struct folder_reading r = {.f = f};
	enum err_code code;

	trace_folder_init(f);
	text_safe(r.safe, sizeof r.safe, path, SIZE_MAX, TEXT_UTF8);
	code = read_names(&r, *path ? path : ".", progress, e);
	if (!code)
		code = look_at_files(&r, progress, e);
	if (!code)
		code = add_folders(&r, e);
	if (!code)
		code = add_traces(&r, e);
	while (r.count)
		mem_free(r.list[--r.count].path);
	mem_free(r.list);
	if (code)
		trace_folder_release(f);
	return code;
}
