/* What is remembered of each trace between visits: settings, view, zoom, cursor, marks and typed commands. It is kept in
 * $XDG_STATE_HOME/pas2p (~/.local/state/pas2p), in a file named by the traces' content: their sizes and what they begin and
 * end with, so that a copy elsewhere is known too, and nothing large is read. What is damaged or of another version is left
 * alone: a state is a convenience. */
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
#include "app.h"
#include "app_prompt.h"
#include "app_settings.h"
#include "app_state.h"
#include "tui/model/remembered.h"

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

static bool state_path(const struct app *a, char *path, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	uint8_t digest[32];
	struct sha256 h;
	char hex[65];
	int n;

	if (!a->work.options->state)
		return false;
	sha256_start(&h);
	for (uint32_t i = 0; i < a->work.options->count; i++)
		if (!add_file(&h, a->work.options->paths[i]))
			return false;
	sha256_finish(&h, digest);
	sha256_hex(digest, hex);
	if (state && *state == '/')
		n = snprintf(path, size, "%s/pas2p/%.32s.yaml", state, hex);
	else if (home && *home == '/')
		n = snprintf(path, size, "%s/.local/state/pas2p/%.32s.yaml", home, hex);
	else
		return false;
	return n > 0 && (size_t)n < size;
}

/* The views bring what is too much for the trace or the screen back to what is possible. */
static void restore_views(struct app *a, const struct yaml_node *root)
{
	for (int id = 0; id < VIEWS; id++) {
		const struct yaml_node *map = yaml_get(root, view_info((enum view_id)id)->name);

		if (map && a->work.views[id]->ops->restore)
			a->work.views[id]->ops->restore(a->work.views[id], map);
	}
}

/* All of them or, if one is none of ours any more, none. */
static void read_settings(struct app *a, const struct yaml_in *y)
{
	struct fields_map map;
	struct fields f;

	fields_init(&f, y, NULL, ERR_FORMAT, NULL);
	map = fields_root(&f);
	map = fields_enter(&f, &map, "analysis");
	settings_read_tree(&f, &map, false, &a->work.model.settings);
}

static void read_marks(struct app *a, const struct yaml_node *map)
{
	for (const struct yaml_node *n = map ? map->first : NULL; n; n = n->next) {
		int i = n->key && n->kind == YAML_MAP ? mark_index((unsigned char)n->key[0]) : -1;

		if (i >= 0 && !n->key[1])
			a->work.model.marks[i] = (struct mark){
				.set = true, .process = remembered_whole(n, "process"), .tick = remembered_whole(n, "tick"),
				.number = remembered_whole(n, "number"), .collectives = (int)remembered_whole(n, "collectives"),
			};
	}
}

void app_state_load(struct app *a)
{
	const struct yaml_node *n;
	char path[PROMPT_TEXT];
	struct settings usual;
	struct yaml_in y;
	struct err e;

	if (!state_path(a, path, sizeof path) || access(path, R_OK) || yaml_in_file(&y, path, STATE_MOST, &e))
		return;
	if (a->work.options->config)
		usual = a->work.options->config->settings;
	else
		settings_init(&usual);
	/* What the command line asks for goes before what is remembered. */
	if ((n = yaml_get(y.root, "analysis")) && n->kind == YAML_MAP && settings_equal(&a->work.options->settings, &usual))
		read_settings(a, &y);
	n = yaml_get(y.root, "cursor");
	a->work.state_cursor = (struct place){remembered_whole(n, "process"), remembered_whole(n, "tick")};
	a->work.state_cursor_wanted = true;
	read_marks(a, yaml_get(y.root, "marks"));
	if ((n = yaml_get(y.root, "view")) && n->kind == YAML_SCALAR)
		for (int v = 0; v < VIEW_TABS; v++)
			if (!strcmp(view_info((enum view_id)v)->name, n->text))
				a->work.here = a->work.tab = (enum view_id)v;
	restore_views(a, y.root);
	n = yaml_get(y.root, "history");
	for (n = n && n->kind == YAML_LIST ? n->first : NULL; n; n = n->next)
		if (n->kind == YAML_SCALAR)
			prompt_remember(&a->shell.prompt, PROMPT_COMMAND, n->text);
	yaml_in_release(&y);
	if (!settings_equal(&a->work.model.settings, &a->work.options->settings))
		app_say(a, ROLE_DEFAULT, "Settings, place and marks are as you left them.");
}

static void save_views(const struct app *a, struct tree_out *t)
{
	for (int id = 0; id < VIEWS; id++)
		if (a->work.views[id]->ops->save)
			a->work.views[id]->ops->save(a->work.views[id], (int)a->work.tab == id, t);
}

static void write_marks(const struct app *a, struct tree_out *t)
{
	tree_key(t, "marks");
	tree_map(t, false);
	for (int i = 0; i < MARKS; i++) {
		const struct mark *m = &a->work.model.marks[i];
		char letter[2] = {(char)mark_letter(i), 0};

		if (!m->set)
			continue;
		tree_key(t, letter);
		tree_map(t, true);
		tree_key(t, "process");
		tree_whole(t, m->process);
		tree_key(t, "tick");
		tree_whole(t, m->tick);
		tree_key(t, "number");
		tree_whole(t, m->number);
		tree_key(t, "collectives");
		tree_whole(t, (uint64_t)m->collectives);
		tree_end(t);
	}
	tree_end(t);
}

void app_state_save(struct app *a)
{
	int n = a->shell.prompt.history[PROMPT_COMMAND].n;
	char path[PROMPT_TEXT];
	struct tree_out t;
	struct out o;
	struct err e;

	if (!a->work.model.trace || !a->work.model.analysis || !state_path(a, path, sizeof path))
		return;
	out_init(&o);
	tree_out_yaml(&t, &o);
	tree_map(&t, false);
	settings_write_changed(&t, "analysis", &a->work.model.settings, NULL, NULL);
	tree_key(&t, "view");
	tree_text(&t, view_info(a->work.tab)->name);
	tree_key(&t, "cursor");
	tree_map(&t, true);
	tree_key(&t, "process");
	tree_whole(&t, a->work.model.cursor.process);
	tree_key(&t, "tick");
	tree_whole(&t, a->work.model.cursor.tick);
	tree_end(&t);
	save_views(a, &t);
	write_marks(a, &t);
	tree_key(&t, "history");
	tree_list(&t, false);
	for (int i = n > STATE_LINES ? n - STATE_LINES : 0; i < n; i++)
		tree_text(&t, a->shell.prompt.history[PROMPT_COMMAND].lines[i]);
	tree_end(&t);
	tree_end(&t);
	/* A place that cannot be written to is no reason to complain on the way out. */
	if (!tree_out_finish(&t, &e)) {
		app_make_directories(path);
		out_replace_file(path, o.text, o.len, &e);
	}
	out_release(&o);
}
