/* Opening: whoever begins without a trace must find those that lie in a folder, whatever else lies there, and those
 * opened recently; several traces are open side by side, each as it was left, and what cannot be opened costs none of
 * them anything.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/formats/trace_folder.h"
#include "core/trace/trace.h"
#include "gen_run.h"
#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/jobs/session.h"
#include "tui/model/model.h"

static char folder[] = "/tmp/pas2p-open.XXXXXX", full[4096];

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
		bail_out("cannot write %s", path);
}

static void write_bytes(const char *path, struct gen_bytes b)
{
	write_file(path, b.bytes, b.size);
	free(b.bytes);
}

/* Folders: `mixed` has one of each kind. */
static void make_files(void)
{
	struct gen_run r = {.processes = 4, .rounds = 6, .id = 1};
	struct gen_bytes whole;
	char name[64];

	if (mkdir("mixed", 0755) || mkdir("mixed/inner", 0755) || mkdir("empty", 0755) || mkdir("other", 0755) || mkdir("mixed/.hidden", 0755))
		bail_out("no folders");
	write_bytes("mixed/a.clog2", gen_run_finalized(&r));
	write_bytes("mixed/inner/deep.clog2", gen_run_finalized(&r));
	r.rounds = 9;
	r.id = 2;
	write_bytes("mixed/b.trace", gen_run_finalized(&r));
	for (r.id = 3; r.id < 5; r.id++)
		for (int32_t i = 0; i < 4; i++) {
			snprintf(name, sizeof name, "mixed/local%u.%d.clog2", (unsigned)r.id, (int)i);
			write_bytes(name, gen_run_local(&r, i));
		}
	r.id = 5;
	whole = gen_run_finalized(&r);
	write_file("mixed/cut.clog2", whole.bytes, whole.size / 3);
	write_file("mixed/damaged.clog2", "no trace at all\n", 16);
	write_file("mixed/notes.txt", "of no format\n", 13);
	write_file("mixed/esc\033[31m.clog2", whole.bytes, whole.size);
	write_file("mixed/.b.clog2", whole.bytes, whole.size);
	write_file("other/c.clog2", whole.bytes, whole.size);
	free(whole.bytes);
	if (mkfifo("mixed/pipe.clog2", 0644))
		bail_out("no pipe");
}

/* --- the folder --- */

static const struct found_run *found(const struct trace_folder *f, const char *name)
{
	for (uint32_t i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].name, name))
			return &f->list[i];
	return NULL;
}

static void test_folder(void)
{
	struct trace_folder f;
	const struct found_run *run;
	struct stat st;
	struct err e;

	if (trace_folder_read(&f, "mixed", NULL, &e))
		bail_out("%s", e.text);
	is_int(f.folders, 1, "the folder in it is there, hidden ones are not");
	ok(f.list[0].folder && !strcmp(f.list[0].name, "inner"), "and comes first");
	ok(!found(&f, "deep.clog2"), "nobody looks into it");
	is_int(f.count - f.folders, 7, "whole traces, two runs of local files, and what is damaged");
	is_int(f.others, 1, "what is none is counted");
	run = found(&f, "a.clog2");
	ok(run && run->processes == 4 && run->format && !strcmp(run->format, "CLOG2"), "a trace's format and processes are known");
	ok(run && stat("mixed/a.clog2", &st) == 0 && run->size == (uint64_t)st.st_size && run->changed == st.st_mtime,
	   "and its size and time");
	ok(found(&f, "b.trace") != NULL, "whatever its name is");
	run = found(&f, "local3.0.clog2");
	is_int(run ? run->path_count : 0, 4, "local files of one run are one");
	run = found(&f, "local4.0.clog2");
	is_int(run ? run->path_count : 0, 4, "those of another are another");
	ok(run && !strcmp(run->paths[3], "mixed/local4.3.clog2"), "in the order of their names");
	run = found(&f, "damaged.clog2");
	ok(run && !run->format, "what is only named as a trace has no format");
	ok(!found(&f, "pipe.clog2"), "a pipe is not opened");
	trace_folder_release(&f);

	ok(!trace_folder_read(&f, "empty", NULL, &e) && !f.count, "an empty folder has nothing");
	trace_folder_release(&f);
	is_int(trace_folder_read(&f, "mixed/a.clog2", NULL, &e), ERR_IO, "a file is no folder");
	ok(strstr(e.text, "mixed/a.clog2: Not a directory"), "which is said: %s", e.text);
}

/* A local file that was cut before it says which run it is of. */
static void test_cut_part(void)
{
	struct gen_run r = {.processes = 4, .rounds = 6, .id = 7};
	struct gen_bytes part = gen_run_local(&r, 0);
	struct trace_folder f;
	struct err e;

	if (mkdir("crash", 0755))
		bail_out("no folder");
	write_file("crash/run.0.clog2", part.bytes, 1024);
	write_file("crash/zzz.clog2", part.bytes, 1024);
	free(part.bytes);
	for (int32_t i = 1; i < 4; i++) {
		char name[40];

		snprintf(name, sizeof name, "crash/run.%d.clog2", (int)i);
		write_bytes(name, gen_run_local(&r, i));
	}
	if (trace_folder_read(&f, "crash", NULL, &e))
		bail_out("%s", e.text);
	is_int(f.count, 2, "a part that says nothing goes with those that are named as it is");
	is_int(f.count ? f.list[0].path_count : 0, 4, "though it is the first");
	trace_folder_release(&f);
}

static bool stop_at_once(void *arg)
{
	(void)arg;
	return true;
}

static void test_memory(void)
{
	const struct progress stopped = {NULL, stop_at_once, NULL};
	struct trace_folder f;
	struct err e;
	long live = mem_live();
	bool good = true;
	int codes[2] = {0};

	is_int(trace_folder_read(&f, "mixed", &stopped, &e), ERR_CANCELLED, "reading stops when asked to");
	for (long n = 0; n < 400; n++) {
		enum err_code code;

		mem_fail_once(n);
		code = trace_folder_read(&f, "mixed", NULL, &e);
		mem_fail_after(-1);
		codes[code == ERR_OK]++;
		good = good && (code == ERR_OK || code == ERR_MEMORY);
		trace_folder_release(&f);
	}
	ok(good && codes[0] > 10 && codes[1] > 10, "without memory it is an error, or what it was for is left out");
	is_int(mem_live(), live, "and nothing stays");
}

static void test_many(void)
{
	struct gen_run r = {.processes = 4, .rounds = 1, .id = 9};
	struct gen_bytes whole = gen_run_finalized(&r);
	struct trace_folder f;
	char name[64];
	struct err e;

	if (mkdir("many", 0755))
		bail_out("no folder");
	for (int i = 0; i < 10000; i++) {
		snprintf(name, sizeof name, "many/%05d.%s", i, i % 2 ? "clog2" : "txt");
		write_file(name, whole.bytes, i % 2 ? 4096 < whole.size ? 4096 : whole.size : 5);
	}
	free(whole.bytes);
	ok(!trace_folder_read(&f, "many", NULL, &e), "a folder of 10 000 files is read");
	is_int(f.count, 5000, "its traces are found");
	is_int(f.others, 5000, "among as many others");
	trace_folder_release(&f);
}

/* --- the view --- */

static void start(struct app *a, struct tui_options *o, const char *trace, const char *from)
{
	static const char *paths[1];
	struct err e;

	paths[0] = trace;
	*o = (struct tui_options){.paths = paths, .count = trace ? 1 : 0, .folder = from, .threads = 1, .state = true};
	settings_init(&o->settings);
	if (app_init(a, o, &e))
		bail_out("%s", e.text);
	app_resize(a, 120, 30);
	app_settle(a);
}

static void key(struct app *a, uint32_t k)
{
	app_key(a, k);
	app_settle(a);
}

static void command(struct app *a, const char *line)
{
	struct err e = {0};

	if (command_run(a, line, &e))
		app_say(a, ROLE_ERROR, "%s", e.text);
	app_settle(a);
}

static bool shows(struct app *a, const char *text)
{
	if (strstr(screen(a), text))
		return true;
	diag("no '%s' on this screen:\n%s", text, screen(a));
	return false;
}

static void filter(struct app *a, const char *text)
{
	type_and_settle(a, "&");
	type_and_settle(a, text);
	key(a, KEYCODE_ENTER);
}

static void test_picker(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o, NULL, "mixed");
	ok(a.work.here == VIEW_OPEN && shows(&a, "/mixed  7 traces"), "without a trace the folder's are shown");
	ok(shows(&a, "inner/") && shows(&a, "damaged?") && !strchr(screen(&a), '\033'), "with what is known of them, as safe text");
	key(&a, KEYCODE_ESC);
	ok(a.work.here == VIEW_OPEN && shows(&a, "Q quits"), "there is nothing to go back to");
	key(&a, '1');
	ok(shows(&a, "No trace is open"), "other views say so");
	key(&a, 15); /* Ctrl-O */
	key(&a, 'g');
	key(&a, KEYCODE_ENTER);
	ok(shows(&a, "/mixed/inner  1 trace") && shows(&a, "deep.clog2"), "Enter goes into a folder");
	key(&a, KEYCODE_BACKSPACE);
	ok(shows(&a, "/mixed  7 traces") && list_row(&a.work.views[VIEW_OPEN]->list) == 0, "Backspace goes up, to the folder that was left");
	key(&a, 'h');
	key(&a, 'h');
	ok(!strstr(screen(&a), "/mixed"), "so does h");
	command(&a, "open empty");
	ok(shows(&a, "No traces in this folder.") && shows(&a, "Formats: CLOG2 (*.clog2)"),
	   "an empty folder says what would fill it");
	command(&a, "open mixed");
	filter(&a, "ranks=4 & files>1");
	is_int(a.work.views[VIEW_OPEN]->list.shown, 2, "rows are filtered by what they hold");
	filter(&a, "damaged");
	key(&a, KEYCODE_ENTER);
	ok(a.work.here == VIEW_OPEN && !a.shell.quit && a.runs.count == 0, "what cannot be opened leads back");
	ok(strstr(a.work.model.message, "damaged.clog2 is"), "and is said: %s", a.work.model.message);
	filter(&a, "b\\.trace");
	key(&a, KEYCODE_ENTER);
	ok(a.work.model.trace && a.work.here != VIEW_OPEN, "what can be opens");
	ok(shows(&a, "b.trace  4 processes"), "and is the open trace");
	command(&a, "open mixed/damaged.clog2");
	ok(a.runs.count == 1 && a.work.model.trace && shows(&a, "b.trace  4 processes"), "another that cannot be opened costs it nothing");
	key(&a, KEYCODE_ESC);
	ok(a.work.here != VIEW_OPEN, "and with a trace there is something to go back to");
	app_release(&a);
}

static void test_unreadable(void)
{
	static struct app a;
	struct tui_options o;

	start(&a, &o, NULL, "gone");
	ok(shows(&a, "cannot read the folder gone: No such file or directory"), "a folder that cannot be read says why");
	ok(!a.shell.quit, "and ends nothing");
	app_release(&a);
}

static void test_recent(void)
{
	static struct app a;
	struct tui_options o;
	struct trace_folder recent;
	struct err e;

	unlink("state/pas2p/recent.yaml");
	start(&a, &o, "mixed/a.clog2", NULL);
	command(&a, "open other/c.clog2");
	app_release(&a);
	ok(!recent_read(&recent, "state/pas2p/recent.yaml", true, &e) && recent.count == 2, "traces that were opened are remembered");
	ok(recent.count == 2 && !strcmp(recent.list[0].name, "c.clog2") && recent.list[0].paths[0][0] == '/' && recent.list[0].processes == 4,
	   "the latest first, by their whole paths, with their processes");
	trace_folder_release(&recent);
	rename("other/c.clog2", "other/d.clog2");
	start(&a, &o, NULL, "empty");
	ok(shows(&a, "recent") && shows(&a, "c.clog2") && shows(&a, "gone"), "they are offered, and what is gone is said to be");
	key(&a, KEYCODE_ENTER);
	ok(!a.work.model.trace && !a.shell.quit, "and is not opened");
	key(&a, 'j');
	key(&a, KEYCODE_ENTER);
	ok(a.work.model.trace && shows(&a, "a.clog2  4 processes"), "what is there is");
	app_release(&a);
	ok(!recent_read(&recent, "state/pas2p/recent.yaml", true, &e) && recent.count == 2 && !strcmp(recent.list[0].name, "a.clog2"),
	   "each stands once, where it was opened last");
	trace_folder_release(&recent);
	write_file("state/pas2p/recent.yaml", "recent: [1, {files: 3}]\n", 24);
	start(&a, &o, NULL, "mixed");
	ok(!strstr(screen(&a), "recent ") && shows(&a, "7 traces"), "a damaged list is as none");
	app_release(&a);
	rename("other/d.clog2", "other/c.clog2");
}

/* --- several --- */

static void test_several(void)
{
	static struct app a;
	struct tui_options o;
	const struct trace *first;
	struct settings turned;
	uint32_t shown, line;

	start(&a, &o, "mixed/a.clog2", NULL);
	key(&a, 14); /* Ctrl-N */
	ok(strstr(a.work.model.message, "No other trace is open"), "with one trace there is no next");
	ok(!strstr(screen(&a), "  1 of "), "and the header counts none");
	key(&a, '1');
	command(&a, "goto tick 9");
	type_and_settle(&a, "ma");
	command(&a, "set volume 7%");
	turned = a.work.model.settings;
	first = a.work.model.trace;
	command(&a, "open other/c.clog2");
	ok(shows(&a, "c.clog2  2 of 2"), "another is opened beside it");
	ok(!settings_equal(&a.work.model.settings, &turned), "with settings of its own");
	app_key(&a, 14);
	ok(a.work.model.analysis != NULL, "Ctrl-N shows at once what was there");
	app_settle(&a);
	ok(shows(&a, "a.clog2  1 of 2"), "it goes on from the last to the first");
	ok(a.work.model.trace == first, "which was not read again");
	ok(settings_equal(&a.work.model.settings, &turned), "its settings are as they were");
	is_int(a.work.model.cursor.tick, 9, "so is the place");
	ok(a.work.here == VIEW_GRID && a.work.model.marks[mark_index('a')].set, "the view, and the marks");
	key(&a, 'u');
	ok(!settings_equal(&a.work.model.settings, &turned), "what was changed can be undone");
	key(&a, '3');
	command(&a, "sort weight");
	filter(&a, "share>50%");
	shown = a.work.views[VIEW_PHASES]->list.shown;
	ok(shown > 0 && shown < a.work.views[VIEW_PHASES]->list.total, "(its phases are filtered)");
	line = list_row(&a.work.views[VIEW_PHASES]->list);
	key(&a, 14);
	key(&a, '3');
	ok(!a.work.views[VIEW_PHASES]->list.filter, "the filter of one trace is not the other's");
	key(&a, 14);
	ok(a.work.here == VIEW_PHASES && a.work.views[VIEW_PHASES]->list.filter, "it is there again with its trace");
	is_int(a.work.views[VIEW_PHASES]->list.shown, shown, "with the rows that it leaves");
	is_int(list_row(&a.work.views[VIEW_PHASES]->list), line, "in the order of before");
	key(&a, '1');
	key(&a, 14);
	key(&a, 14);
	key(&a, 14);
	key(&a, 14);
	key(&a, '3');
	is_int(a.work.views[VIEW_PHASES]->list.shown, shown, "also when it was not looked at in between");
	key(&a, 'u');
	ok(!a.work.views[VIEW_PHASES]->list.filter, "and it can be undone");
	key(&a, 16); /* Ctrl-P */
	ok(shows(&a, "c.clog2  2 of 2"), "Ctrl-P goes back");
	command(&a, "open mixed");
	ok(shows(&a, "shown   c.clog2") && shows(&a, "open    a.clog2"), "the list says which traces are open, and which is shown");
	ok(!strstr(screen(&a), "open    b.trace"), "and marks no other");
	filter(&a, "from=open");
	key(&a, 'G');
	ok(shows(&a, " · open"), "the line at the foot says it, too");
	filter(&a, "");
	command(&a, "open mixed/a.clog2");
	ok(a.runs.count == 2 && shows(&a, "a.clog2  1 of 2"), "a trace that is open is not opened twice");
	snprintf(full, sizeof full, "open %s/other/c.clog2", folder);
	command(&a, full);
	ok(a.runs.count == 2 && shows(&a, "c.clog2  2 of 2"), "by whichever of its names");
	write_file("mixed/a.clog2", "no trace any more\n", 18);
	key(&a, 14);
	ok(a.work.model.trace != first && !a.shell.quit, "what has changed since is read again");
	app_release(&a);
}

#ifdef WITH_OTF2
/* An archive is a folder that is opened, not one to look into. */
static void test_archive(const char *home)
{
	static struct app a;
	struct tui_options o;
	struct trace_folder f;
	const struct found_run *run;
	char samples[4200];
	struct err e;

	snprintf(samples, sizeof samples, "%s/sample-traces", home);
	if (trace_folder_read(&f, samples, NULL, &e))
		bail_out("%s", e.text);
	run = found(&f, "nonblock.4.otf2");
	ok(run && !run->folder && run->format && !strcmp(run->format, "OTF2"), "an archive is a trace");
	ok(run && run->size > 10000, "as large as its files");
	trace_folder_release(&f);
	start(&a, &o, NULL, samples);
	filter(&a, "nonblock.4.otf2");
	key(&a, 'G');
	key(&a, KEYCODE_ENTER);
	ok(a.work.model.trace && shows(&a, "nonblock.4.otf2  4 processes"), "Enter opens it");
	key(&a, 15);
	filter(&a, "");
	ok(shows(&a, "shown   nonblock.4.otf2"), "and the list says so");
	app_release(&a);
}
#endif

static void test_cap(void)
{
	struct kept_traces k;
	static struct kept_trace t;
	struct session_loaded *taken;

	kept_traces_init(&k);
	for (uint32_t id = 1; id <= KEPT_MOST + 2; id++) {
		static const char *const paths[] = {"other/c.clog2"};
		struct session *s;
		struct err e;

		if (session_start(&s, paths, 1, NULL, 1, NULL, &e))
			bail_out("%s", e.text);
		session_wait_idle(s);
		memset(&t, 0, sizeof t);
		t.id = id;
		t.loaded = session_stop_keeping(s);
		t.files = 5;
		t.bytes = 1;
		out_init(&t.state);
		ok(t.loaded != NULL, "a loaded trace can be kept: %u", (unsigned)id);
		kept_traces_put(&k, &t);
	}
	ok(!kept_traces_find(&k, 1)->loaded && !kept_traces_find(&k, 2)->loaded && kept_traces_find(&k, 3)->loaded,
	   "those left the longest ago are let go");
	taken = kept_trace_take(kept_traces_find(&k, 3), 5);
	ok(taken != NULL, "what is kept is taken back");
	session_loaded_free(taken);
	ok(!kept_trace_take(kept_traces_find(&k, 4), 6), "but not where its files are others");
	k.most_bytes = 1;
	t = *kept_traces_find(&k, KEPT_MOST + 2);
	t.loaded = kept_trace_take(kept_traces_find(&k, KEPT_MOST + 2), 5);
	out_init(&t.state);
	kept_traces_put(&k, &t);
	ok(kept_traces_find(&k, KEPT_MOST + 2)->loaded && !kept_traces_find(&k, KEPT_MOST + 1)->loaded, "nor beyond the memory that there is for them");
	kept_traces_release(&k);
}

int main(void)
{
	char home[4096], state[4200], remove[64];

	if (!getcwd(home, sizeof home) || !mkdtemp(folder) || chdir(folder))
		bail_out("no folder for the test");
	snprintf(state, sizeof state, "%s/state", folder);
	setenv("XDG_STATE_HOME", state, 1);
	setenv("TZ", "UTC", 1);
	make_files();
	test_folder();
	test_cut_part();
	test_memory();
	test_many();
	test_picker();
	test_unreadable();
	test_recent();
	test_several();
#ifdef WITH_OTF2
	test_archive(home);
#endif
	test_cap();
	snprintf(remove, sizeof remove, "rm -rf %s", folder);
	if (chdir(home) || system(remove))
		diag("%s stays", folder);
	return done_testing();
}
