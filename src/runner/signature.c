#include "signature.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io/fields.h"
#include "core/io/out.h"
#include "core/io/regular.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/io/tree_out.h"
#include "core/io/files.h"
#include "host.h"

#define FACTS_BYTES ((size_t)16 << 20)  /* mostly the names of mapped files */
#define COMMAND_BYTES ((size_t)6 << 20) /* no system starts a program with more */

static const char *signature_copy_text(struct signature *s, const char *text)
{
	return arena_strndup(&s->arena, text, strlen(text));
}

static const char *safe_name(const char *path, char safe[256])
{
	return text_safe(safe, 256, path, SIZE_MAX, TEXT_UTF8);
}

static enum err_code write_file(const struct signature *s, const char *name, const char *bytes, size_t size,
				struct err *e)
{
	char path[PATH_MAX];

	return files_join(path, s->folder, name, e) ? e->code : files_write(s->held, name, path, bytes, size, e);
}

/* Words with a NUL after each. */
static enum err_code write_command(const struct signature *s, struct err *e)
{
	struct out o;
	enum err_code code;

	out_init(&o);
	for (const char **word = s->argv; *word; word++)
		out_add(&o, *word, strlen(*word) + 1);
	code = o.failed ? err_memory(e, "the launch command") : write_file(s, "command", o.text, o.len, e);
	out_release(&o);
	return code;
}

static enum err_code split_command(struct signature *s, const char *bytes, size_t size, struct err *e)
{
	size_t words = 0, n = 0;

	for (size_t i = 0; i < size; i++)
		words += bytes[i] == '\0';
	if (!words || !bytes[0] || bytes[size - 1])
		return err_set(e, ERR_FORMAT, "the signature's file 'command' is damaged");
	s->argv = arena_alloc(&s->arena, (words + 1) * sizeof *s->argv);
	for (size_t at = 0; s->argv && at < size; at += strlen(bytes + at) + 1) {
		s->argv[n] = signature_copy_text(s, bytes + at);
		if (!s->argv[n++])
			return err_memory(e, "the launch command");
	}
	return s->argv ? ERR_OK : err_memory(e, "the launch command");
}

/* Absolute, without the folder itself having to exist. */
static enum err_code absolute(char to[PATH_MAX], const char *path, struct err *e)
{
	char here[PATH_MAX];
	size_t n;

	if (path[0] == '/')
		here[0] = '\0';
	else if (!getcwd(here, sizeof here))
		return err_set(e, ERR_IO, "cannot determine the current directory: %s", strerror(errno));
	if (snprintf(to, PATH_MAX, "%s%s%s", here, here[0] ? "/" : "", path) >= PATH_MAX - 32)
		return err_set(e, ERR_LIMIT, "the path of the signature is too long");
	for (n = strlen(to); n > 1 && to[n - 1] == '/'; n--)
		to[n - 1] = '\0';
	return ERR_OK;
}

enum err_code signature_made_by(struct signature *s, const struct driver_ops *d, struct err *e)
{
	struct nest_cpus none = {0};
	char version[64] = "", here[PATH_MAX];
	struct host h;
	char *flags = host_cpu_flags();

	if (d->version && d->version(version, sizeof version, e)) {
		mem_free(flags);
		return e->code;
	}
	host_look(&h, &none);
	s->mechanism = signature_copy_text(s, d->name);
	s->mechanism_version = signature_copy_text(s, version);
	s->directory = getcwd(here, sizeof here) ? signature_copy_text(s, here) : signature_copy_text(s, "/");
	s->kernel = signature_copy_text(s, h.kernel);
	s->cpu = signature_copy_text(s, h.cpu);
	s->cpu_flags = signature_copy_text(s, flags ? flags : "");
	s->mpi = "";
	mem_free(flags);
	if (!s->mechanism || !s->mechanism_version || !s->directory || !s->kernel || !s->cpu || !s->cpu_flags)
		return err_memory(e, "the signature");
	return ERR_OK;
}

static enum err_code copy_argv(struct signature *s, const char *const *argv, struct err *e)
{
	size_t n = 0;

	while (argv[n])
		n++;
	s->argv = arena_alloc(&s->arena, (n + 1) * sizeof *s->argv);
	for (size_t i = 0; s->argv && i < n; i++)
		s->argv[i] = signature_copy_text(s, argv[i]);
	return s->argv && (!n || s->argv[n - 1]) ? ERR_OK : err_memory(e, "the launch command");
}

static enum err_code signature_begin_files(struct signature *s, const char *table_path, const char *const *argv, struct err *e)
{
	char *bytes;
	size_t size;
	enum err_code code = regular_read(table_path, TABLE_BYTES, &bytes, &size, e);

	if (code)
		return code;
	code = table_read(&s->table, table_path, bytes, size, e);
	if (!code)
		code = files_make(s->folder, &s->held, e);
	if (!code) {
		flock(s->held, LOCK_EX | LOCK_NB); /* if there are no locks, nobody sweeps either */
		code = write_file(s, "table.yaml", bytes, size, e);
	}
	mem_free(bytes);
	return code ? code : copy_argv(s, argv, e);
}

enum err_code signature_begin(struct signature *s, const char *path, const char *table_path, const char *const *argv,
			      struct err *e)
{
	char safe[256];
	struct stat st;
	enum err_code code;

	memset(s, 0, sizeof *s);
	arena_init(&s->arena);
	code = absolute(s->target, path, e);
	if (!code && lstat(s->target, &st) == 0)
		code = err_set(e, ERR_IO, "%s already exists: remove it, or give another name",
			       safe_name(path, safe));
	if (!code) {
		if (snprintf(s->folder, sizeof s->folder, "%s" SIGNATURE_PARTIAL "XXXXXX", s->target) >= (int)sizeof s->folder)
			code = err_set(e, ERR_LIMIT, "the path of the signature is too long");
	}
	if (!code) {
		code = signature_begin_files(s, table_path, argv, e);
	}
	if (code)
		signature_release(s);
	return code;
}

static bool is_mapped_file(const char *path)
{
	return path[0] == '/' && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/SYSV", 5) != 0 &&
	       !strstr(path, " (deleted)");
}

static enum err_code note_file(struct signature *s, const char *path, size_t *cap, struct err *e)
{
	struct stat st;
	struct signature_file *list;

	for (uint32_t i = 0; i < s->file_count; i++)
		if (strcmp(s->files[i].path, path) == 0)
			return ERR_OK;
	if (stat(path, &st) != 0)
		return ERR_OK;
	list = mem_grow(s->files, s->file_count, cap, sizeof *list);
	if (!list)
		return err_memory(e, "the signature");
	s->files = list;
	list[s->file_count] = (struct signature_file){signature_copy_text(s, path), (uint64_t)st.st_size};
	return list[s->file_count++].path ? ERR_OK : err_memory(e, "the signature");
}

enum err_code signature_note_job(struct signature *s, const struct station *station, struct err *e)
{
	struct board_view v;
	char path[128], line[PATH_MAX + 128];
	size_t cap = s->file_count;
	enum err_code code = board_read(&station->board, 0, &v, e);
	FILE *f;

	if (code)
		return code;
	s->mpi = signature_copy_text(s, v.library);
	if (!s->mpi)
		return err_memory(e, "the signature");
	snprintf(path, sizeof path, "%s/proc/%d/maps", nest_root(station->nest), (int)v.pid);
	f = fopen(path, "re");
	while (f && !code && fgets(line, sizeof line, f)) {
		char *name = strchr(line, '/');

		line[strcspn(line, "\n")] = '\0';
		if (name && is_mapped_file(name))
			code = note_file(s, name, &cap, e);
	}
	if (f)
		fclose(f);
	return code;
}

enum err_code signature_note_calls(struct signature *s, const struct station *station, struct err *e)
{
	const struct launch_plan *p = station->mission->plan;
	uint64_t *calls = arena_alloc(&s->arena, p->ranks * sizeof *calls), sum = 0;
	enum err_code code = calls ? ERR_OK : err_memory(e, "the signature");

	for (uint32_t r = 0; r < p->ranks && !code; r++) {
		struct board_view v;

		code = board_read(&station->board, r, &v, e);
		if (code)
			break;
		calls[r] = v.count;
		sum += v.count;
	}
	if (code)
		return code;
	s->calls = calls;
	if (sum != p->calls)
		mission_say(station->mission, "the program made %llu sends and collectives, but the trace has "
			    "%llu: " PLAN_OTHER_RUN,
			    (unsigned long long)sum, (unsigned long long)p->calls);
	return ERR_OK;
}

static enum err_code write_facts(const struct signature *s, struct err *e)
{
	char safe[PATH_MAX];
	struct tree_out t;
	struct out o;
	enum err_code code;

	out_init(&o);
	tree_out_init(&t, &o, false);
	tree_map(&t, false);
	tree_put_whole(&t, "pas2p_signature", SIGNATURE_VERSION);
	tree_put_text(&t, "application", s->table.application);
	tree_put_map(&t, "mechanism", true);
	tree_put_text(&t, "name", s->mechanism);
	tree_put_text(&t, "version", s->mechanism_version);
	tree_end(&t);
	tree_put_text(&t, "directory", text_safe(safe, sizeof safe, s->directory, SIZE_MAX, TEXT_UTF8));
	tree_put_text(&t, "kernel", s->kernel);
	tree_put_text(&t, "mpi", s->mpi);
	tree_put_text(&t, "cpu", s->cpu);
	tree_put_text(&t, "cpu_flags", s->cpu_flags);
	if (s->calls) {
		tree_put_list(&t, "calls", true);
		for (uint32_t r = 0; r < s->table.processes; r++)
			tree_whole(&t, s->calls[r]);
		tree_end(&t);
	}
	tree_put_list(&t, "files", false);
	for (uint32_t i = 0; i < s->file_count; i++) {
		tree_map(&t, true);
		tree_put_text(&t, "path", text_safe(safe, sizeof safe, s->files[i].path, SIZE_MAX, TEXT_UTF8));
		tree_put_whole(&t, "size", s->files[i].size);
		tree_end(&t);
	}
	tree_end(&t);
	tree_end(&t);
	code = tree_out_finish(&t, e);
	if (!code)
		code = write_file(s, "signature.yaml", o.text, o.len, e);
	out_release(&o);
	return code;
}

enum err_code signature_finish(struct signature *s, struct err *e)
{
	char safe[256];

	if (write_command(s, e) || write_facts(s, e))
		return e->code;
	if (rename(s->folder, s->target) != 0)
		return err_set(e, ERR_IO, "cannot rename the signature to %s: %s", safe_name(s->target, safe),
			       strerror(errno));
	memcpy(s->folder, s->target, sizeof s->folder);
	s->target[0] = '\0';
	return ERR_OK;
}

/* Older ones do not have them, nor those whose program was ended after the last checkpoint. */
static void read_calls(struct signature *s, struct fields *f, const struct fields_map *root)
{
	const struct yaml_node *list = fields_find(f, root, "calls") ? fields_list(f, root, "calls") : NULL;
	uint32_t i = 0;

	s->calls = list ? fields_room(f, list->count, sizeof *s->calls) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next, i++)
		if (n->kind != YAML_SCALAR || !number_parse_whole(n->text, strlen(n->text), &s->calls[i]))
			fields_wrong_item(f, n, root, "calls", i, "a whole number");
	s->call_count = i;
}

static void signature_read_files(struct signature *s, struct fields *f, const struct fields_map *root)
{
	const struct yaml_node *list = fields_list(f, root, "files");

	s->files = list ? mem_zero(list->count, sizeof *s->files) : NULL;
	if (!s->files)
		fields_memory(f);
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next) {
		struct fields_map at = fields_item(f, root, "files", s->file_count, n);
		struct signature_file *file = &s->files[s->file_count++];

		file->path = fields_text(f, &at, "path");
		file->size = fields_whole(f, &at, "size", 0, UINT64_MAX);
	}
}

/* No person writes it: what is wrong in it cannot be mended but by another one. */
static void damaged(struct err *e)
{
	struct err why = *e;

	err_set(e, why.code, "%.400s\nhint: the signature is damaged: make it again", why.text);
}

static enum err_code signature_read_document(struct signature *s, const struct yaml_in *y, struct err *e)
{
	struct fields_map root, mechanism;
	struct fields f;

	fields_init(&f, y, &s->arena, ERR_FORMAT, e);
	fields_version(&f, "pas2p_signature", "a signature", SIGNATURE_VERSION, SIGNATURE_VERSION);
	if (f.code)
		return f.code;
	root = fields_root(&f);
	mechanism = fields_enter(&f, &root, "mechanism");
	s->mechanism = fields_text(&f, &mechanism, "name");
	s->mechanism_version = fields_text(&f, &mechanism, "version");
	s->directory = fields_text(&f, &root, "directory");
	s->kernel = fields_text(&f, &root, "kernel");
	s->mpi = fields_text(&f, &root, "mpi");
	s->cpu = fields_text(&f, &root, "cpu");
	s->cpu_flags = fields_text(&f, &root, "cpu_flags");
	read_calls(s, &f, &root);
	signature_read_files(s, &f, &root);
	if (f.code == ERR_FORMAT)
		damaged(e);
	return f.code;
}

static enum err_code read_part(struct signature *s, const char *name, size_t most, char path[PATH_MAX], char **bytes,
			       size_t *size, struct err *e)
{
	*bytes = NULL;
	return files_join(path, s->folder, name, e) ? e->code : regular_read_in(s->held, name, path, most, bytes, size, e);
}

static enum err_code read_facts(struct signature *s, struct err *e)
{
	char path[PATH_MAX], *bytes;
	struct yaml_in y;
	size_t size = 0;
	enum err_code code = read_part(s, "signature.yaml", FACTS_BYTES, path, &bytes, &size, e);

	if (!code)
		code = yaml_in_init(&y, path, bytes, size, e);
	mem_free(bytes);
	if (code)
		return code;
	code = signature_read_document(s, &y, e);
	yaml_in_release(&y);
	return code;
}

static enum err_code read_table(struct signature *s, struct err *e)
{
	char path[PATH_MAX], *bytes;
	size_t size = 0;
	enum err_code code = read_part(s, "table.yaml", TABLE_BYTES, path, &bytes, &size, e);

	if (!code)
		code = table_read(&s->table, path, bytes, size, e);
	mem_free(bytes);
	return code;
}

static enum err_code read_command(struct signature *s, struct err *e)
{
	char path[PATH_MAX], *bytes;
	size_t size = 0;
	enum err_code code = read_part(s, "command", COMMAND_BYTES, path, &bytes, &size, e);

	if (!code)
		code = split_command(s, bytes, size, e);
	mem_free(bytes);
	return code;
}

/* Its name is the user's word, and may be that of a link. */
static enum err_code signature_hold_folder(struct signature *s, const char *path, struct err *e)
{
	char safe[256];
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_set(e, ERR_IO, "cannot read %s: %s", safe_name(path, safe), strerror(errno));
	s->held = fd;
	if (faccessat(fd, "signature.yaml", F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		return err_set(e, ERR_IO, "%s is a folder, but not a signature: signature.yaml is missing",
			       safe_name(path, safe));
	return trust_look(fd, path, s->foreign, &s->chmod_helps, e);
}

enum err_code signature_open(struct signature *s, const char *path, struct err *e)
{
	enum err_code code;

	memset(s, 0, sizeof *s);
	arena_init(&s->arena);
	code = absolute(s->folder, path, e);
	if (!code)
		code = signature_hold_folder(s, path, e);
	if (!code)
		code = read_facts(s, e);
	if (!code)
		code = read_table(s, e);
	if (s->call_count != s->table.processes)
		s->calls = NULL;
	if (!code)
		code = read_command(s, e);
	if (code)
		signature_release(s);
	return code;
}

/* Links followed: by which names the two lie there. */
enum err_code signature_refuse(const struct signature *s, const char *output, struct err *e)
{
	static const char *const parts[] = {"signature.yaml", "table.yaml", "command"};
	char folder[PATH_MAX], file[PATH_MAX], safe[256];
	size_t n;
	bool part;

	if (!realpath(output, file) || !realpath(s->folder, folder))
		return ERR_OK;
	n = strlen(folder);
	if (strncmp(file, folder, n) != 0 || file[n] != '/')
		return ERR_OK;
	part = !strncmp(file + n + 1, "cut-", 4) && strchr(file + n + 1, '/');
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		part = part || !strcmp(file + n + 1, parts[i]);
	return !part ? ERR_OK : err_set(e, ERR_USAGE, "--output: %s is part of the signature: give another "
					"name", safe_name(output, safe));
}

void signature_release(struct signature *s)
{
	if (s->target[0] && s->folder[0] && s->held > 0)
		files_remove(AT_FDCWD, s->folder, s->held, NULL);
	if (s->held > 0)
		close(s->held);
	mem_free(s->files);
	table_release(&s->table);
	arena_release(&s->arena);
	memset(s, 0, sizeof *s);
}

/* The first flag of `wanted` that this machine lacks; "" if none. */
static void missing_flag(const char *wanted, char *flag, size_t size)
{
	char *own = host_cpu_flags();
	const char *at = wanted;

	flag[0] = '\0';
	while (own && *(at += strspn(at, " "))) {
		size_t n = strcspn(at, " ");
		char padded[64];

		snprintf(padded, sizeof padded, " %.*s ", (int)n, at);
		if (!strstr(own, padded)) {
			text_safe(flag, size, padded + 1, strlen(padded) - 2, TEXT_UTF8);
			break;
		}
		at += n;
	}
	mem_free(own);
}

static enum err_code fits_files(const struct signature *s, struct err *e)
{
	char safe[256];
	struct stat st;

	for (uint32_t i = 0; i < s->file_count; i++) {
		const struct signature_file *f = &s->files[i];

		if (stat(f->path, &st) != 0)
			return err_set(e, ERR_USAGE, "the checkpoint needs %s, which is missing here (%s)\nhint: "
				       "install the same software as on the base machine, or give --mechanism rerun",
				       safe_name(f->path, safe), strerror(errno));
		if ((uint64_t)st.st_size != f->size)
			return err_set(e, ERR_USAGE, "%s differs from the file at the checkpoint (%llu bytes now, %llu "
				       "then)\nhint: make the signature again, or give --mechanism rerun", safe_name(f->path, safe), (unsigned long long)st.st_size,
				       (unsigned long long)f->size);
	}
	return ERR_OK;
}

static enum err_code fits_memory(const struct signature *s, const struct mission *m, struct err *e)
{
	uint64_t available = host_memory_available();

	for (uint32_t cut = 0; cut < m->plan->cut_count; cut++) {
		char folder[PATH_MAX];
		uint64_t bytes = 0;

		if (signature_cut_folder(s, cut, folder, e) || files_size(folder, &bytes, e))
			return e->code;
		if (available && bytes > available)
			return err_set(e, ERR_USAGE, "checkpoint %u needs about %llu MB of memory: only %llu MB are "
				       "free", cut, (unsigned long long)(bytes >> 20),
				       (unsigned long long)(available >> 20));
	}
	return ERR_OK;
}

enum err_code signature_fits(const struct signature *s, const struct driver_ops *d, const struct mission *m,
			     struct err *e)
{
	struct nest_cpus none = {0};
	char version[64] = "", flag[64], safe[256];
	struct host h;
	struct stat st;

	if (d->version && d->version(version, sizeof version, e))
		return e->code;
	if (strcmp(version, s->mechanism_version) != 0)
		return err_set(e, ERR_USAGE, "the signature needs %s %s, but version %s is installed here\nhint: use "
			       "the same version, or give --mechanism rerun", s->mechanism, s->mechanism_version,
			       version);
	missing_flag(s->cpu_flags, flag, sizeof flag);
	if (flag[0])
		return err_set(e, ERR_USAGE, "the signature was made on %s, but this processor lacks its feature '%s': "
			       "the program could be killed by SIGILL\nhint: give --mechanism rerun",
			       s->cpu, flag);
	if (stat(s->directory, &st) != 0)
		return err_set(e, ERR_USAGE, "the program's work directory %s does not exist here\nhint: create it",
			       safe_name(s->directory, safe));
	if (fits_files(s, e) || fits_memory(s, m, e))
		return e->code;
	host_look(&h, &none);
	if (strcmp(h.kernel, s->kernel) != 0)
		mission_say(m, "the signature was made on kernel %s, but this machine runs %s", s->kernel, h.kernel);
	return ERR_OK;
}

enum err_code signature_make_cut(const struct signature *s, uint32_t cut, char folder[PATH_MAX], struct err *e)
{
	char safe[256];

	if (signature_cut_folder(s, cut, folder, e))
		return e->code;
	if (mkdirat(s->held, folder + strlen(s->folder) + 1, 0700) != 0)
		return err_set(e, ERR_IO, "cannot make the folder %s: %s", safe_name(folder, safe), strerror(errno));
	return ERR_OK;
}

enum err_code signature_cut_folder(const struct signature *s, uint32_t cut, char folder[PATH_MAX], struct err *e)
{
	char name[32];

	snprintf(name, sizeof name, "cut-%u", cut);
	return files_join(folder, s->folder, name, e);
}
