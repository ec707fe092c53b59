#include "app_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "exit.h"
#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/settings/config.h"
#include "tui/model/runs_work.h"
#include "tui/screen/theme.h"

void app_say(struct app *a, enum role role, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(a->work.model.message, sizeof a->work.model.message, fmt, ap);
	va_end(ap);
	a->shell.message_role = role;
}

/* One list of one file. */
static bool entries_together(const struct config_entry *x, const struct config_entry *y)
{
	return x->file == y->file && !strcmp(x->path, y->path);
}

/* "keys.zoom-in" and "keys.grid.zoom-in" both name an action; several entries of one path are its keys. */
static void read_keys(struct app *a, const struct config *c)
{
	for (size_t i = 0; c && i < c->entry_count; i++) {
		const struct config_entry *x = &c->entries[i];
		const char *action = strrchr(x->path, '.');
		char keys[256] = "";
		struct err e = {0};

		if (strncmp(x->path, "keys.", 5) || (i && entries_together(x - 1, x)))
			continue;
		for (size_t k = i; k < c->entry_count && entries_together(&c->entries[k], x) && c->entries[k].value; k++)
			snprintf(keys + strlen(keys), sizeof keys - strlen(keys), " %s", c->entries[k].value);
		if (keymap_set(&a->shell.keymap, action + 1, keys, &e))
			app_say(a, ROLE_WARN, "%s:%u: %s", x->file, (unsigned)x->line, e.text);
	}
}

/* The run that is open, with what is remembered of it. Results are of the first trace that was given. */
static enum err_code open_trace(struct app *a, const struct tui_options *o, struct err *e)
{
	enum err_code code = workspace_init(&a->work, o, &a->runs, &a->models, &a->study, &a->picker, &a->shell.keymap, e);
	struct kept_trace *left = a->runs.count ? kept_traces_find(&a->kept, a->runs.list[a->runs.open].id) : NULL;

	if (code)
		return code;
	if (left) {
		a->work.model.settings = left->settings;
		app_state_read(a, left->state.text, left->state.len);
		a->history = left->history;
		a->work.lists = left->lists;
		left->lists = (struct kept_lists){0};
	} else {
		app_state_load(a);
		app_undo_begin(a);
	}
	a->work.files_seen = files_fingerprint(a->work.paths, a->work.path_count);
	if (a->runs.count && a->runs.list[a->runs.open].id == 1)
		code = app_results_open(a, e);
	return code ? code : workspace_open(&a->work, left ? kept_trace_take(left, a->work.files_seen) : NULL, e);
}

enum err_code app_init(struct app *a, const struct tui_options *o, struct err *e)
{
	enum err_code code;

	memset(a, 0, sizeof *a);
	shell_init(&a->shell, o->ascii, o->mouse);
	a->shell.canvas.letters |= o->theme && theme_palette(o->theme, 256) == PALETTE_MONO;
	a->shell.prompt.complete = command_complete;
	a->shell.prompt.ctx = a;
	read_keys(a, o->config);
	code = app_runs_begin(a, o, e);
	models_init(&a->models);
	open_study_init(&a->study);
	kept_traces_init(&a->kept);
	picker_init(&a->picker);
	if (!code)
		code = app_open_begin(a, o, e);
	if (!code)
		code = open_trace(a, o, e);
	if (!code)
		code = app_models_begin(a, o, e);
	if (!code)
		code = app_study_begin(a, o, e);
	if (code) {
		app_release(a);
		return code;
	}
	if (o->folder)
		app_show(a, VIEW_OPEN);
	if (o->beside) {
		a->work.model.pair.show = true;
		app_show(a, VIEW_COMPARE);
	}
	if (o->tutorial && a->work.path_count)
		return app_tutorial(a, NULL, e);
	return ERR_OK;
}

enum err_code app_reopen(struct app *a, uint32_t run, struct err *e)
{
	const struct tui_options *o = a->work.options;
	uint64_t serial = a->work.model.serial;
	enum err_code code;

	app_export_end(a);
	app_state_save(a);
	app_open_leave(a);
	runs_work_end(&a->runs);
	models_leave(&a->models);
	derived_leave(&a->study.derived);
	picker_leave(&a->picker);
	shell_forget(&a->shell);
	a->work = (struct workspace){0};
	a->history = (struct history){0};
	a->work.model.serial = serial + 1; /* what was kept of another trace is not of this one */
	if (run == APP_NO_RUN)
		runs_drop(&a->runs, a->runs.open);
	a->runs.open = run == APP_NO_RUN ? 0 : run;
	code = open_trace(a, o, e);
	a->shell.redraw_all = true;
	return code;
}

void app_release(struct app *a)
{
	app_export_end(a);
	if (a->work.session)
		app_state_save(a);
	workspace_release(&a->work);
	kept_traces_release(&a->kept); /* what went on of them may not have ended */
	shell_release(&a->shell);
	runs_release(&a->runs);
	models_release(&a->models);
	open_study_release(&a->study);
	picker_release(&a->picker);
}

void app_resize(struct app *a, int w, int h)
{
	shell_resize(&a->shell, w, h);
}

/* So that a key which is there already finds the view as it will be seen: of this analysis. */
static void update_shown(struct app *a)
{
	struct view *v = workspace_front(&a->work);

	if (a->work.model.analysis && v->ops->update && a->shell.view_pane.w > 0)
		v->ops->update(v, a->shell.view_pane.w, a->shell.view_pane.h);
}

/* Corrected times were wanted, and there are none. */
static void stay_recorded(struct app *a, const struct err *e)
{
	struct settings s = a->work.model.settings;

	s.clocks = CLOCKS_FILE;
	undo_end_gesture(&a->history.undo);
	app_settings(a, &s, -1);
	if (e->code == ERR_CANCELLED)
		app_say(a, ROLE_WARN, "Stopped: the view shows recorded times.");
	else
		app_say(a, ROLE_ERROR, "no corrected times: %s", e->text);
}

/* Compute times from a counter were wanted, and there are none. */
static void stay_uncounted(struct app *a, const struct err *e)
{
	static const struct settings none = {.compute_counter = ""};
	const struct analysis *shown = a->work.model.analysis;
	struct settings s = a->work.model.settings;

	settings_copy(&s, shown && !settings_same(&shown->settings, &s, SETTING_compute_counter) ? &shown->settings : &none,
		      SETTING_compute_counter);
	undo_end_gesture(&a->history.undo);
	app_settings(a, &s, -1);
	if (e->code == ERR_CANCELLED)
		app_say(a, ROLE_WARN, "Stopped: compute times are unchanged.");
	else
		app_say(a, ROLE_ERROR, "compute times are unchanged: %s", e->text);
}

void app_news(struct app *a)
{
	struct session_news *n = &a->work.news;
	bool loading = n->loading;
	struct note_counts counts = {0};
	char warned[NOTE_COUNTS_TEXT];

	if (!a->work.session)
		return; /* opening another trace has failed */
	session_take(a->work.session, n);
	if (loading && n->trace)
		notes_count(&counts, &n->trace->notes);
	a->work.model.recorded = n->trace;
	if (!a->work.model.analysis) /* until it is known, nothing is made of other times than are wanted */
		a->work.model.trace = a->work.model.settings.clocks == CLOCKS_FILE && !*a->work.model.settings.compute_counter ? n->trace : NULL;
	a->work.model.busy = n->busy;
	if (n->analysis) {
		model_set_analysis(&a->work.model, n->analysis);
		n->analysis = NULL;
		a->shell.panel.now = panel_summary(a->work.model.analysis);
		app_measure_ask(a);
		a->shell.panel.before = a->history.before;
		if (a->work.state_cursor_wanted)
			model_goto(&a->work.model, a->work.state_cursor.process, a->work.state_cursor.tick);
		a->work.state_cursor_wanted = false;
		update_shown(a);
	}
	if (n->event_counts) {
		event_counts_free(a->work.model.event_counts);
		a->work.model.event_counts = n->event_counts;
		n->event_counts = NULL;
	}
	if (n->table) {
		mem_free(a->work.table);
		a->work.table = n->table;
		a->work.model.table = a->work.table;
		a->work.model.table_size = n->table_size;
		n->table = NULL;
	}
	if (n->err.code && n->err_is_load && !n->trace && app_runs_back(a, &n->err))
		return;
	if (n->err.code && n->err_is_load && !n->trace)
		shell_leave(&a->shell, n->err.code == ERR_CANCELLED ? 130 : (int)exit_of_err(n->err.code), n->err.text);
	else if (n->err.code == ERR_CANCELLED && n->err_is_load)
		app_say(a, ROLE_WARN, "Loading stopped: the views show the part of the trace read so far.");
	else if (n->err.code && n->err_is_clocks)
		stay_recorded(a, &n->err);
	else if (n->err.code && n->err_is_counter)
		stay_uncounted(a, &n->err);
	else if (n->err.code == ERR_CANCELLED)
		app_say(a, ROLE_WARN, "%s", a->work.model.analysis ? "Stopped: the values are those before the change; u undoes it."
			: "Stopped before phases were found; change a threshold to search again.");
	else if (n->err.code)
		app_say(a, ROLE_ERROR, "%s", n->err.text);
	else if (*note_counts_text(&counts, warned))
		app_say(a, ROLE_WARN, "%s in this trace: pas2p check lists them.", warned);
	app_corrected_news(a);
	app_results_news(a);
	app_measure_news(a);
	app_runs_news(a);
	app_open_news(a);
	app_models_news(a);
	app_study_news(a);
	app_tutorial_see(a, ACTION_NONE, a->work.here, a->work.model.cursor);
}

void app_settings(struct app *a, const struct settings *s, int gesture)
{
	if (settings_equal(s, &a->work.model.settings))
		return;
	if (undo_record(&a->history.undo, s, gesture)) {
		a->history.before = a->shell.panel.now;
		a->shell.panel.other = NULL;
	}
	a->work.model.settings = *s;
	workspace_want(&a->work);
}

static void app_turn_knob(struct app *a, int steps, bool coarse)
{
	struct settings s = a->work.model.settings;
	struct err e;

	panel_turn(&s, a->shell.panel.selected, steps, coarse);
	if (app_can_turn(a, &e) || settings_check(&s, &e))
		app_say(a, ROLE_ERROR, "%s", e.text);
	else
		app_settings(a, &s, (int)a->shell.panel.selected);
}

/* A key of a choice: selects it in the panel too, so that one sees what happened. */
static void app_choose_setting(struct app *a, enum setting_id id)
{
	struct settings s = a->work.model.settings;
	char value[64];

	undo_end_gesture(&a->history.undo);
	panel_turn(&s, id, 1, false);
	app_settings(a, &s, -1);
	settings_get(&s, id, value, sizeof value);
	app_say(a, ROLE_DEFAULT, "%s: %s", setting_info(id)->key, value);
}

void app_jump(struct app *a, uint32_t process, uint32_t tick)
{
	history_jump(&a->history, a->work.model.cursor);
	model_goto(&a->work.model, process, tick);
}

static void jump_again(struct app *a, bool forward)
{
	struct model *m = &a->work.model;

	if (!(forward ? history_forward : history_back)(&a->history, &m->cursor))
		app_say(a, ROLE_DIM, forward ? "No later place to go forward to." : "No earlier place to go back to.");
	model_goto(m, m->cursor.process, m->cursor.tick); /* there may be fewer ticks by now */
}

void app_show(struct app *a, enum view_id v)
{
	if (v < VIEW_TABS)
		a->work.tab = v;
	if (v == VIEW_STUDY)
		a->work.tab = VIEW_RUNS;
	if (v == VIEW_HELP)
		a->work.model.help_scope = view_info(a->work.here == VIEW_HELP ? a->work.tab : a->work.here)->scope;
	a->work.here = v;
	if (a->work.views[v]->ops->show)
		a->work.views[v]->ops->show(a->work.views[v]);
	a->shell.panel.focus = false;
	if (v == VIEW_TABLE || workspace_lacks(&a->work))
		workspace_want(&a->work);
	update_shown(a);
}

void app_show_place(struct app *a)
{
	if (a->work.here != VIEW_TIMELINE)
		app_show(a, VIEW_GRID);
}

enum err_code app_save_screen(struct app *a, const char *path, struct err *e)
{
	size_t n = strlen(path);
	enum err_code code = app_refuse_inputs(a, path, e);
	struct out o;

	if (code)
		return code;
	app_draw(a);
	out_init(&o);
	if (n > 4 && !strcmp(path + n - 4, ".svg")) {
		canvas_svg(&a->shell.canvas, false, "pas2p", &o);
	} else {
		canvas_dump_text(&a->shell.canvas, &o);
		if (a->work.options->script) {
			out_str(&o, "-- roles\n");
			canvas_dump_roles(&a->shell.canvas, &o);
		}
	}
	code = o.failed ? err_memory(e, "the screen's text") : out_replace_file(path, o.text ? o.text : "", o.len, e);
	out_release(&o);
	return code;
}

static bool act_panel(struct app *a, enum action action)
{
	int at = panel_place(a->shell.panel.selected);

	switch (action) {
	case ACTION_UP: at--; break;
	case ACTION_DOWN: at++; break;
	case ACTION_LEFT: app_turn_knob(a, -1, false); return true;
	case ACTION_RIGHT: app_turn_knob(a, 1, false); return true;
	case ACTION_PAGE_LEFT: app_turn_knob(a, -1, true); return true;
	case ACTION_PAGE_RIGHT: app_turn_knob(a, 1, true); return true;
	case ACTION_FIRST: app_turn_knob(a, -1000000, true); return true;
	case ACTION_LAST: app_turn_knob(a, 1000000, true); return true;
	case ACTION_ENTER: app_ask_value(a); return true;
	case ACTION_BACK: a->shell.panel.focus = false; return true;
	default: return false;
	}
	a->shell.panel.selected = panel_setting(at);
	return true;
}

/* Esc and q: stop work, leave an overlay, or say how to leave. */
static void act_back(struct app *a)
{
	if (a->work.news.loading || (a->work.model.busy && a->work.news.seconds > 0.3)) {
		session_cancel(a->work.session);
		return;
	}
	if (app_stop_work(a))
		return;
	if (a->work.here >= VIEW_TABS && !app_study_alone(a) && !app_open_alone(a))
		app_show(a, a->work.tab);
	else if (a->work.here < VIEW_TABS && a->work.here != a->work.home)
		app_show(a, a->work.home == VIEW_RUNS ? app_study_or_runs(a) : a->work.home);
	else if (a->tutorial.shown)
		app_tutorial_end(a);
	else
		app_say(a, ROLE_DIM, "Q quits pas2p.");
}

static void select_knob(struct app *a, enum setting_id id)
{
	a->shell.panel.selected = id;
	app_say(a, ROLE_DEFAULT, "%s: %s", setting_info(id)->key, setting_info(id)->help);
}

static bool act_settings(struct app *a, enum action action)
{
	enum setting_id selected = a->shell.panel.selected;

	switch (action) {
	case ACTION_KNOB_DOWN: app_turn_knob(a, -1, false); break;
	case ACTION_KNOB_UP: app_turn_knob(a, 1, false); break;
	case ACTION_KNOB_DOWN_COARSE: app_turn_knob(a, -1, true); break;
	case ACTION_KNOB_UP_COARSE: app_turn_knob(a, 1, true); break;
	case ACTION_KNOB_NEXT: select_knob(a, panel_setting((panel_place(selected) + 1) % PANEL_KNOBS)); break;
	case ACTION_KNOB_PREVIOUS: select_knob(a, panel_setting((panel_place(selected) + PANEL_KNOBS - 1) % PANEL_KNOBS)); break;
	case ACTION_ORDER: app_choose_setting(a, SETTING_order); break;
	case ACTION_SIMILARITY: app_choose_setting(a, SETTING_similarity); break;
	case ACTION_COLLECTIVES: app_choose_setting(a, SETTING_collectives); break;
	case ACTION_ABSENT: app_choose_setting(a, SETTING_absent); break;
	case ACTION_COMPUTE_OF: app_choose_setting(a, SETTING_compute_of); break;
	case ACTION_PHASE_TIME: app_choose_setting(a, SETTING_phase_time); break;
	case ACTION_REPRESENTATIVE: app_choose_setting(a, SETTING_representative); break;
	case ACTION_CORRECTED_TIME: app_choose_setting(a, SETTING_clocks); break;
	case ACTION_MEASURE:
		a->shell.sensitivity.measure = (a->shell.sensitivity.measure + 1) % MEASURES;
		app_say(a, ROLE_DEFAULT, "The sensitivity plot shows: %s", measure_name(a->shell.sensitivity.measure));
		break;
	case ACTION_DEFAULTS: app_ask_defaults(a); break;
	case ACTION_PIN: app_pin(a); break;
	case ACTION_FLIP: app_flip(a); break;
	case ACTION_RESULT_SETTINGS: app_result_settings(a); break;
	case ACTION_UNDO: app_undo(a, false); break;
	case ACTION_REDO: app_undo(a, true); break;
	default: return false;
	}
	return true;
}

static void show_by(struct app *a, enum action action)
{
	for (int v = 0; v < VIEWS; v++)
		if (view_info((enum view_id)v)->action == action)
			app_show(a, (enum view_id)v);
}

static void remove_run(struct app *a)
{
	struct err e;

	if (app_runs_remove(a, NULL, &e))
		app_say(a, ROLE_WARN, "%s", e.text);
}

void app_went(struct app *a, struct trace_place from, unsigned reaction)
{
	if ((reaction & REACT_JUMPED) && (from.process != a->work.model.cursor.process || from.tick != a->work.model.cursor.tick))
		history_jump(&a->history, from);
	if (reaction >= REACT_SHOW)
		app_show(a, (enum view_id)(reaction / REACT_SHOW - 1));
}

static void act_general(struct app *a, enum action action)
{
	switch (action) {
	case ACTION_PANEL: shell_toggle_panel(&a->shell); break;
	case ACTION_NEXT_PANE:
		a->shell.panel.focus = !a->shell.panel.focus && a->work.here != VIEW_HELP && a->work.here != VIEW_TABLE;
		if (a->shell.panel.focus && !a->shell.panel_wanted) {
			a->shell.panel_wanted = true;
			a->shell.panel_asked = true;
		}
		break;
	case ACTION_MARK:
	case ACTION_JUMP_MARK:
		a->shell.pending = action;
		app_say(a, ROLE_DEFAULT, action == ACTION_MARK ? "Mark this place: type a letter" : "Go to a mark: type its letter");
		break;
	case ACTION_RESULT: app_result_next(a); break;
	case ACTION_RUN_REMOVE: remove_run(a); break;
	case ACTION_NEXT_WINDOW: app_next_window(a); break;
	case ACTION_NEXT_ITERATION: app_next_iteration(a, 1); break;
	case ACTION_PREVIOUS_ITERATION: app_next_iteration(a, -1); break;
	case ACTION_EXPORT:
		if (a->work.here == VIEW_MODELS)
			prompt_open(&a->shell.prompt, PROMPT_COMMAND, ":", "write ");
		else
			show_by(a, action);
		break;
	case ACTION_RUNS: app_show(a, app_study_or_runs(a)); break;
	case ACTION_NEXT_TRACE: app_open_next(a, 1); break;
	case ACTION_PREVIOUS_TRACE: app_open_next(a, -1); break;
	case ACTION_BACK: act_back(a); break;
	case ACTION_JUMP_BACK: jump_again(a, false); break;
	case ACTION_JUMP_FORWARD: jump_again(a, true); break;
	case ACTION_SEARCH_NEXT: app_search(a, false, false); break;
	case ACTION_SEARCH_PREVIOUS: app_search(a, false, true); break;
	case ACTION_MOUSE:
		a->shell.mouse = !a->shell.mouse;
		app_say(a, ROLE_DEFAULT, a->shell.mouse ? "Mouse on: click selects, click again opens; Shift selects text."
			: "Mouse off.");
		break;
	case ACTION_GLOSSARY:
		a->work.model.help_words = true;
		app_show(a, VIEW_HELP);
		break;
	case ACTION_REDRAW: a->shell.redraw_all = true; break;
	case ACTION_QUIT:
		shell_leave(&a->shell, EXIT_OK, a->work.exporting || app_corrected_busy(a) ? "an export was not finished; its file was not written" : "");
		break;
	default:
		if (!app_ask(a, action))
			show_by(a, action);
	}
}

static void app_act_view(struct app *a, enum action action)
{
	struct trace_place from = a->work.model.cursor;
	struct view *v = workspace_front(&a->work);
	bool zooms = action == ACTION_ZOOM_IN || action == ACTION_ZOOM_OUT || action == ACTION_STUDY_MORE || action == ACTION_STUDY_LESS ||
		action == ACTION_STUDY_FAR_MORE || action == ACTION_STUDY_FAR_LESS; /* several in a row are one change */
	struct view_look before, now;
	unsigned reaction = REACT_IGNORED;

	if (a->shell.panel.focus && !v->ops->knobs && act_panel(a, action))
		return;
	if ((!v->ops->knobs && act_settings(a, action)) || app_sort(a, action))
		return;
	if (a->history.undo.gesture != UNDO_ZOOM || !zooms)
		undo_end_gesture(&a->history.undo);
	before = view_look(v);
	if (v->ops->act)
		reaction = v->ops->act(v, action);
	now = view_look(v);
	undo_record_view(&a->history.undo, v->id, &before, &now, zooms ? UNDO_ZOOM : -1);
	if (reaction == REACT_IGNORED) {
		if (v->ops->knobs && act_settings(a, action))
			return;
		act_general(a, action);
		return;
	}
	app_went(a, from, reaction);
	if (reaction & REACT_CLOSE)
		app_show(a, a->work.tab);
	if ((reaction & REACT_ACCEPT) && v->id == VIEW_PLAN)
		app_plan_taken(a);
	else if ((reaction & REACT_ACCEPT) && (v->id == VIEW_TUNE || v->id == VIEW_COMPARE))
		app_tune_taken(a);
	else if ((reaction & REACT_ACCEPT) && v->id == VIEW_RUNS)
		app_runs_open(a);
	else if ((reaction & REACT_ACCEPT) && v->id == VIEW_OPEN)
		app_open_selected(a);
	else if ((reaction & REACT_ACCEPT) && v->id == VIEW_STUDY)
		app_study_open_run(a);
	else if ((reaction & REACT_ACCEPT) && v->id == VIEW_MODELS)
		app_models_ask(a);
	else if ((reaction & REACT_ACCEPT) && v->id == VIEW_METRICS)
		app_ask(a, ACTION_WHAT_IF);
	else if (reaction & REACT_ACCEPT)
		app_ask_path(a);
	if (workspace_lacks(&a->work))
		workspace_want(&a->work);
}

void app_act(struct app *a, enum action action)
{
	struct trace_place was = a->work.model.cursor;
	enum view_id from = a->work.here;

	app_act_view(a, action);
	app_tutorial_see(a, action, from, was);
}

/* Where a key is looked up. */
static unsigned key_scope(const struct app *a)
{
	return a->shell.panel.focus ? IN_PANEL : view_info(a->work.here)->scope;
}

void app_key(struct app *a, uint32_t key)
{
	char name[16], help[16];
	enum action action;

	a->shell.interrupted = false;
	if (a->shell.prompt.kind) {
		a->work.model.message[0] = 0;
		app_prompt_key(a, key);
		app_tutorial_see(a, ACTION_NONE, a->work.here, a->work.model.cursor);
		return;
	}
	a->work.model.message[0] = 0;
	a->shell.message_role = ROLE_DEFAULT;
	if (a->shell.pending) {
		app_mark_key(a, key);
		return;
	}
	action = keymap_find(&a->shell.keymap, key, key_scope(a));
	if (action == ACTION_NONE && app_ask_by_key(a, key))
		return;
	if (action == ACTION_NONE)
		app_say(a, ROLE_DIM, "%s does nothing here; %s shows the keys.", keycode_name(key, name),
			keymap_first(&a->shell.keymap, ACTION_HELP, help));
	else
		app_act(a, action);
}

/* Pasted lines become one, in a prompt. Elsewhere text is no command, nor an answer to a question. */
static void paste(struct app *a, uint32_t c)
{
	bool line = c == '\n' || c == '\r' || c == '\t';

	if (!a->shell.prompt.kind || prompt_is_question(&a->shell.prompt)) {
		app_say(a, ROLE_WARN, "Pasted text ignored: paste only into a prompt (: / &).");
		return;
	}
	if (!line && a->shell.paste_blank && a->shell.prompt.len)
		prompt_key(&a->shell.prompt, ' ');
	if (!line && c >= ' ' && c != KEYCODE_BACKSPACE)
		prompt_key(&a->shell.prompt, c);
	a->shell.paste_blank = line;
}

/* What came as ESC and a key is Alt with that key where that means something, and else what was typed: Esc, then the
 * key. Were both dropped, what is typed behind them, for a prompt say, would run as keys. */
static void take_key(struct app *a, const struct input_event *ev)
{
	bool taken = a->shell.prompt.kind || a->shell.pending;
	uint32_t key;

	if (!ev->escaped || (!taken && keymap_find(&a->shell.keymap, ev->key, key_scope(a)) != ACTION_NONE)) {
		app_key(a, ev->key);
		return;
	}
	app_key(a, KEYCODE_ESC);
	key = ev->key & ~(uint32_t)KEYCODE_ALT;
	/* Who edits a text may mean Alt with that key, as in a shell: that must not end the program. */
	if (!a->shell.quit && !(taken && keymap_find(&a->shell.keymap, key, key_scope(a)) == ACTION_QUIT))
		app_key(a, key);
}

void app_input(struct app *a, const struct input_event *ev)
{
	switch (ev->kind) {
	case INPUT_KEY: take_key(a, ev); break;
	case INPUT_MOUSE: app_mouse(a, ev->x, ev->y, ev->wheel); break;
	case INPUT_PASTE: paste(a, ev->key); break;
	case INPUT_PASTE_END: a->shell.paste_blank = false; break;
	case INPUT_UNKNOWN: app_say(a, ROLE_DIM, "Unknown key: the terminal sent %s", ev->text); break;
	}
}

void app_interrupt(struct app *a)
{
	if (a->shell.prompt.kind) {
		prompt_close(&a->shell.prompt);
	} else if (!a->shell.interrupted && (a->work.news.loading || a->work.model.busy)) {
		session_cancel(a->work.session);
		a->shell.interrupted = true;
	} else {
		shell_leave(&a->shell, EXIT_INTERRUPTED, "");
	}
}
