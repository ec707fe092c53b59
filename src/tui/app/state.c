/* The state of each trace that is kept between visits: settings, view, zoom, cursor, marks and typed commands. It is in
 * $XDG_STATE_HOME/pas2p (~/.local/state/pas2p), in a file whose name depends on the traces' sizes, beginnings and ends,
 * so that a copy elsewhere is recognised and no large file is read completely. A part that is damaged or of another
 * version is skipped and reported: the state is a convenience, and a wrong number elsewhere must not lose marks. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/settings/config.h"
#include "core/settings/settings_tree.h"
#include "core/base/sha256.h"
#include "core/io/tree_out.h"
#include "core/io/yaml_in.h"
#include "app_int.h"

#define END_BYTES 65536
#define STATE_MOST (1 << 20)
#define STATE_LINES 20

static bool add_file(struct sha256 *h, const char *path)
{
	char bytes[4096];
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);

	if (good) {
		uint64_t size = (uint64_t)st.st_size;
		off_t ends[2] = {0, size > END_BYTES ? (off_t)size - END_BYTES : 0};

		sha256_add(h, &size, sizeof size);
		for (int end = 0; end < 2; end++) {
			off_t at = ends[end], to = at + END_BYTES;
			ssize_t n;

			while (at < to && (n = pread(fd, bytes, sizeof bytes, at)) > 0) {
				sha256_add(h, bytes, (size_t)n);
				at += n;
			}
		}
	}
	if (fd >= 0)
		close(fd);
	return good;
}

bool app_state_file(const struct tui_options *o, const char *name, char *path, size_t size)
{
	return o->state && config_state_path(name, path, size);
}

static bool state_path(const struct app *a, char *path, size_t size)
{
	uint8_t digest[32];
	struct sha256 h;
	char hex[65], name[40];

	if (!a->work.options->state || !a->work.path_count)
		return false;
	sha256_start(&h);
	for (uint32_t i = 0; i < a->work.path_count; i++)
		if (!add_file(&h, a->work.paths[i]))
			return false;
	sha256_finish(&h, digest);
	sha256_hex(digest, hex);
	snprintf(name, sizeof name, "%.32s.yaml", hex);
	return app_state_file(a->work.options, name, path, size);
}

/* The file as it is taken up, part by part: one with a mistake in it is passed over, the others are not. */
struct state_in {
	struct app *app;
	struct yaml_in y;
	struct err mistake; /* the first */
	bool kept;          /* it is of this visit */
};

/* One of them. After part_begin() its errors stick, as those of fields.h do. */
struct state_part {
	struct fields f;
	struct fields_map root;
	struct err e;
};

static void part_begin(struct state_part *part, const struct state_in *s)
{
	fields_init(&part->f, &s->y, NULL, ERR_FORMAT, &part->e);
	part->root = fields_root(&part->f);
}

/* True: there was no mistake in it. */
static bool part_end(const struct state_part *part, struct state_in *s)
{
	if (part->f.code && !s->mistake.code)
		s->mistake = part->e;
	return !part->f.code;
}

/* All of them or, if one is none of ours any more, none. What the command line asks for goes before what is
 * remembered. */
static void read_settings(struct state_in *s)
{
	const struct tui_options *o = s->app->work.options;
	struct settings usual;
	struct fields_map map;
	struct state_part part;

	if (o->config)
		usual = o->config->settings;
	else
		settings_init(&usual);
	part_begin(&part, s);
	if (!settings_equal(&o->settings, &usual) || !fields_find(&part.f, &part.root, "analysis"))
		return;
	map = fields_enter(&part.f, &part.root, "analysis");
	settings_read_tree(&part.f, &map, false, &s->app->work.model.settings);
	part_end(&part, s);
}

static void read_cursor(struct state_in *s)
{
	struct trace_place place;
	struct fields_map map;
	struct state_part part;

	part_begin(&part, s);
	if (!fields_find(&part.f, &part.root, "cursor"))
		return;
	map = fields_enter(&part.f, &part.root, "cursor");
	place.process = fields_count(&part.f, &map, "process", 0, UINT32_MAX);
	place.tick = fields_count(&part.f, &map, "tick", 0, UINT32_MAX);
	if (!part_end(&part, s))
		return;
	s->app->work.state_cursor = place;
	s->app->work.state_cursor_wanted = true;
}

static void read_mark(struct state_in *s, const char *letter, struct mark *mark)
{
	struct fields_map map;
	struct state_part part;
	struct mark read = {.set = true};

	part_begin(&part, s);
	map = fields_enter(&part.f, &part.root, "marks");
	map = fields_enter(&part.f, &map, letter);
	read.process = fields_count(&part.f, &map, "process", 0, UINT32_MAX);
	read.tick = fields_count(&part.f, &map, "tick", 0, UINT32_MAX);
	read.number = fields_count(&part.f, &map, "number", 0, UINT32_MAX);
	read.collectives = (int)fields_count(&part.f, &map, "collectives", 0, 1);
	if (part_end(&part, s))
		*mark = read;
}

static void read_marks(struct state_in *s)
{
	struct state_part part;
	const struct yaml_node *marks;

	part_begin(&part, s);
	marks = fields_find(&part.f, &part.root, "marks");
	if (!marks)
		return;
	if (marks->kind != YAML_MAP)
		fields_wrong_kind(&part.f, marks, "marks", "a place for each letter");
	for (const struct yaml_node *n = marks->first; part_end(&part, s) && n; n = n->next) {
		int i = mark_index((unsigned char)n->key[0]);

		if (i >= 0 && !n->key[1])
			read_mark(s, n->key, &s->app->work.model.marks[i]);
	}
}

static void read_view(struct state_in *s)
{
	struct workspace *work = &s->app->work;
	const struct yaml_node *n;
	struct state_part part;

	part_begin(&part, s);
	n = fields_find(&part.f, &part.root, "view");
	for (int v = 0; n && v < VIEW_TABS; v++)
		if (n->kind == YAML_SCALAR && !strcmp(view_info((enum view_id)v)->name, n->text)) {
			work->here = work->tab = (enum view_id)v;
			n = NULL;
		}
	if (n)
		fields_wrong(&part.f, n, part.root.path, "view", "the name of a view");
	part_end(&part, s);
}

/* The views bring what is too much for the trace or the screen back to what is possible. */
static void restore_views(struct state_in *s)
{
	for (int id = 0; id < VIEWS; id++) {
		struct view *v = s->app->work.views[id];
		const char *name = view_info((enum view_id)id)->name;
		struct fields_map map;
		struct state_part part;

		part_begin(&part, s);
		if (!v->ops->restore || !fields_find(&part.f, &part.root, name))
			continue;
		map = fields_enter(&part.f, &part.root, name);
		v->ops->restore(v, &part.f, &map);
		part_end(&part, s);
	}
}

static void read_history(struct state_in *s)
{
	const struct yaml_node *n;
	struct state_part part;
	uint32_t i = 0;

	part_begin(&part, s);
	n = fields_find(&part.f, &part.root, "history") ? fields_list(&part.f, &part.root, "history") : NULL;
	for (n = n ? n->first : NULL; n && !part.f.code; n = n->next, i++) {
		if (n->kind == YAML_SCALAR)
			prompt_remember(&s->app->shell.prompt, PROMPT_COMMAND, n->text);
		else
			fields_wrong_item(&part.f, n, &part.root, "history", i, "a command");
	}
	part_end(&part, s);
}

static void read_parts(struct state_in *s)
{
	struct state_part whole;

	part_begin(&whole, s);
	if (!part_end(&whole, s))
		return;
	read_cursor(s);
	read_marks(s);
	read_view(s);
	restore_views(s);
	if (s->kept)
		return;
	read_settings(s);
	read_history(s);
}

void app_state_read(struct app *a, const char *text, size_t size)
{
	struct state_in s = {.app = a, .kept = true};

	if (yaml_in_init(&s.y, "what was left", text, size, &s.mistake))
		return;
	read_parts(&s);
	yaml_in_release(&s.y);
}

void app_state_load(struct app *a)
{
	struct state_in s = {.app = a};
	char path[PROMPT_TEXT], options[50]; /* with 80 columns */

	if (!state_path(a, path, sizeof path) || access(path, R_OK))
		return;
	if (!yaml_in_file(&s.y, path, STATE_MOST, &s.mistake)) {
		read_parts(&s);
		yaml_in_release(&s.y);
	}
	if (s.mistake.code)
		app_say(a, ROLE_WARN, "Could not restore everything: %s", s.mistake.text);
	else if (settings_equal(&a->work.model.settings, &a->work.options->settings))
		return;
	else if (app_changed_options(a, options, sizeof options))
		app_say(a, ROLE_DEFAULT, "Restored your settings: pas2p phases%s", options);
	else
		app_say(a, ROLE_DEFAULT, "Restored your settings, place and marks.");
}

static void save_views(const struct app *a, struct tree_out *t)
{
	for (int id = 0; id < VIEWS; id++)
		if (a->work.views[id]->ops->save)
			a->work.views[id]->ops->save(a->work.views[id], (int)a->work.tab == id, t);
}

static void write_marks(const struct app *a, struct tree_out *t)
{
	tree_put_map(t, "marks", false);
	for (int i = 0; i < MARKS; i++) {
		const struct mark *m = &a->work.model.marks[i];
		char letter[2] = {(char)mark_letter(i), 0};

		if (!m->set)
			continue;
		tree_put_map(t, letter, true);
		tree_put_whole(t, "process", m->process);
		tree_put_whole(t, "tick", m->tick);
		tree_put_whole(t, "number", m->number);
		tree_put_whole(t, "collectives", (uint64_t)m->collectives);
		tree_end(t);
	}
	tree_end(t);
}

bool app_state_write(const struct app *a, struct out *o)
{
	int n = a->shell.prompt.history[PROMPT_COMMAND].n;
	struct tree_out t;
	struct err e;

	if (!a->work.model.trace || !a->work.model.analysis)
		return false;
	tree_out_init(&t, o, false);
	tree_map(&t, false);
	settings_write_changed(&t, "analysis", &a->work.model.settings, NULL, NULL);
	tree_put_text(&t, "view", view_info(a->work.tab)->name);
	tree_put_map(&t, "cursor", true);
	tree_put_whole(&t, "process", a->work.model.cursor.process);
	tree_put_whole(&t, "tick", a->work.model.cursor.tick);
	tree_end(&t);
	save_views(a, &t);
	write_marks(a, &t);
	tree_put_list(&t, "history", false);
	for (int i = n > STATE_LINES ? n - STATE_LINES : 0; i < n; i++)
		tree_text(&t, a->shell.prompt.history[PROMPT_COMMAND].lines[i]);
	tree_end(&t);
	tree_end(&t);
	return !tree_out_finish(&t, &e);
}

void app_state_save(struct app *a)
{
	char path[PROMPT_TEXT];
	struct out o;
	struct err e;

	out_init(&o);
	/* A place that cannot be written to is no reason to complain on the way out. */
	if (a->work.model.analysis && state_path(a, path, sizeof path) && app_state_write(a, &o)) {
		app_make_directories(path);
		out_replace_file(path, o.text, o.len, &e);
	}
	out_release(&o);
}
