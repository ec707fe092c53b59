/* pas2p run: measure the relevant phases of a table or signature here, and predict the whole run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/sink.h"
#include "cli/interrupt.h"
#include "cli/given.h"
#include "cli/complain.h"
#include "core/formats/inputs.h"
#include "core/io/out.h"
#include "core/io/shell_words.h"
#include "core/documents/result.h"
#include "core/base/text.h"
#include "cli/cli.h"
#include "runner/host.h"
#include "runner/measure.h"
#include "runner/runner.h"
#include "runner/signature.h"

#define RESULT_FILE "result.yaml"
#define RUNS_RESTORED 3 /* of phases; what windows cost has been planned, and their scatter says how sure they are */

struct table_run {
	struct launching l;
	struct signature signature; /* opened, or only its table is used */
	struct table table;
	bool restored;              /* from checkpoints */
	struct result result;
	char output[PATH_MAX], control[PATH_MAX]; /* in full: the work directory changes. "": not given */
};

/* Checkpoints are used by the mechanism that made them; anything else replays. Nothing is executed to find out. */
static enum err_code pick_for_signature(struct table_run *r, struct err *e)
{
	struct launching *l = &r->l;
	const struct driver_ops *own = driver_find(r->signature.mechanism);
	const struct driver_ops *asked = NULL;
	char safe[80];

	if (!own)
		return err_set(e, ERR_USAGE, "the signature was made with the mechanism '%s', which this pas2p does "
			       "not have",
			       text_safe(safe, sizeof safe, r->signature.mechanism, SIZE_MAX, TEXT_UTF8));
	if (launching_asked(l->options, &asked, e))
		return e->code;
	if (asked && asked != own) {
		if (asked != &driver_replay)
			return err_set(e, ERR_USAGE, "--mechanism: the signature was made with %s\nhint: leave "
				       "--mechanism out, or give --mechanism rerun", own->shown);
		l->driver = &driver_replay;
		return ERR_OK;
	}
	l->driver = own;
	r->restored = own->restore != NULL;
	l->mission.signature = r->signature.folder;
	l->mission.signature_fd = r->signature.held;
	l->mission.calls = r->signature.calls;
	return ERR_OK;
}

static enum err_code try_restoring(struct table_run *r, struct err *e)
{
	struct launching *l = &r->l;

	if (!r->restored)
		return ERR_OK;
	if (l->driver->probe && l->driver->probe(l->mission.progress, e))
		return err_prefix(e, "%s does not work here (--mechanism rerun works without it)", l->driver->shown);
	return signature_fits(&r->signature, l->driver, &l->mission, e);
}

/* What is going to be executed, before any of it is. */
static enum err_code run_announce(const struct table_run *r, const char *const *argv, const char *directory, struct err *e)
{
	struct out o;
	enum err_code code = ERR_OK;

	out_init(&o);
	out_str(&o, "pas2p: command    ");
	shell_words(&o, argv);
	out_str(&o, "\npas2p: directory  ");
	shell_word(&o, directory);
	out_printf(&o, "\npas2p: mechanism  %s, which %s\n", r->l.driver->shown, r->l.driver->what);
	if (o.failed)
		code = err_memory(e, "the launch command");
	else
		fputs(o.text, stderr);
	out_release(&o);
	return code;
}

#define TRUST_HINT "look at it with --dry-run; if you trust it, give --trust"

/* Always with --dry-run, since it is the answer; without it unless -q is given. */
static bool is_told(const struct options *o)
{
	return o->dry_run || !o->quiet;
}

static enum err_code check_trust(const struct table_run *r, struct err *e)
{
	const char *foreign = r->signature.foreign;
	enum err_code code = ERR_OK;
	struct out fix;

	if (!foreign[0] || r->l.options->trust)
		return ERR_OK;
	out_init(&fix);
	if (r->signature.chmod_helps) {
		out_str(&fix, "chmod -R go-w ");
		shell_file(&fix, r->l.options->files[0]);
	}
	if (r->l.options->dry_run) {
		complain("%s: without --trust, pas2p does not run the signature", foreign);
		if (fix.len && !fix.failed)
			complain_hint("if you trust it, run: %s", fix.text);
	} else {
		code = err_set(e, ERR_USAGE, "%s: the signature can run any command as you", foreign);
		if (fix.len && !fix.failed)
			err_hint(e, TRUST_HINT ", or run: %s", fix.text);
		if (!strchr(e->text, '\n'))
			err_hint(e, TRUST_HINT);
	}
	out_release(&fix);
	return code;
}

static enum err_code prepare_signature(struct table_run *r, struct err *e)
{
	const struct options *o = r->l.options;

	if (pick_for_signature(r, e))
		return e->code;
	if (is_told(o) && run_announce(r, r->signature.argv, r->signature.directory, e))
		return e->code;
	if (check_trust(r, e) || o->dry_run)
		return e->code;
	r->l.directory = access(r->signature.directory, X_OK) == 0 ? r->signature.directory : NULL;
	if (launching_plan(&r->l, &r->signature.table, r->signature.argv, e) || try_restoring(r, e))
		return e->code;
	if (chdir(r->signature.directory) != 0 && !r->restored)
		mission_say(&r->l.mission, "the signature's work directory does not exist here; the program runs in "
			    "the current directory");
	return ERR_OK;
}

static enum err_code pick_for_table(struct table_run *r, struct err *e)
{
	const struct driver_ops *asked = NULL;

	if (launching_asked(r->l.options, &asked, e))
		return e->code;
	if (asked && asked != &driver_replay)
		return err_set(e, ERR_USAGE, "--mechanism: a table can only be measured by a rerun\nhint: for %.20s, "
			       "make a signature first: pas2p sign TABLE -o SIGNATURE -- LAUNCHER ...", asked->shown);
	r->l.driver = &driver_replay;
	return ERR_OK;
}

static enum err_code prepare_table(struct table_run *r, struct err *e)
{
	const struct options *o = r->l.options;
	char here[PATH_MAX];

	if (pick_for_table(r, e))
		return e->code;
	if (o->dry_run)
		return run_announce(r, o->words, getcwd(here, sizeof here) ? here : ".", e);
	return launching_plan(&r->l, &r->table, o->words, e);
}

static enum err_code run_measure_table(struct table_run *r, const struct table *t, const char *const *argv, struct err *e)
{
	const struct options *o = r->l.options;
	const struct driver_ops *d = r->l.driver;
	uint32_t runs = o->runs ? o->runs : r->restored && !t->windows ? RUNS_RESTORED : 1;
	char version[64] = "", safe[256];
	enum err_code code;

	if (o->pause > 0 && !r->restored)
		mission_say(&r->l.mission, "note: --pause has no effect: %s is measured by a rerun",
			    text_safe(safe, sizeof safe, o->files[0], SIZE_MAX, TEXT_UTF8));

	if (result_begin(&r->result, t, d->name, runs, argv, e))
		return e->code;
	host_look(&r->result.host, &r->l.mission.cpus);
	r->result.label = o->label ? o->label : "";
	r->result.pause = r->restored ? o->pause : 0;
	if (d->version && d->version(version, sizeof version, e))
		return e->code;
	r->result.mechanism_version = arena_strndup(&r->result.arena, version, strlen(version));
	code = r->restored ? measure_restored(d, &r->l.mission, &r->signature, &r->result, e)
			   : measure_replay(d, &r->l.mission, &r->result, e);
	if (code)
		return code;
	if (result_finish(&r->result, e))
		return e->code;
	if (o->full)
		return measure_whole(&driver_replay, &r->l.mission, &r->result, e);
	if (o->aet > 0)
		result_set_aet(&r->result, o->aet, "given");
	return ERR_OK;
}

static enum err_code run_save_result(const struct table_run *r, const char *path, struct err *e)
{
	struct out out;
	enum err_code code;

	out_init(&out);
	code = result_write_yaml(&r->result, &out, e);
	if (!code)
		code = out_replace_file(path, out.text, out.len, e);
	out_release(&out);
	return code;
}

/* Into a file, or to standard output. */
static enum err_code run_print(const char *path, const struct out *out, struct err *e)
{
	struct sink s;
	enum err_code code = sink_open(&s, path, e);

	if (!code)
		code = sink_write(&s, out->text, out->len, e);
	if (!code)
		code = sink_finish(&s, e);
	sink_release(&s);
	if (s.pipe_closed)
		interrupt_end_by_pipe();
	return code;
}

static enum err_code run_show_result(const struct table_run *r, const char *path, struct err *e)
{
	const struct options *o = r->l.options;
	struct out out;
	enum err_code code = ERR_OK;
	char safe[256];

	out_init(&out);
	if (o->format == FORMAT_YAML)
		code = result_write_yaml(&r->result, &out, e);
	else if (o->format == FORMAT_JSON)
		code = result_write_json(&r->result, &out, e);
	else
		result_print(&r->result, &out);
	if (!code && out.failed)
		code = err_memory(e, "the output");
	if (!code)
		code = run_print(NULL, &out, e);
	out_release(&out);
	if (!code)
		mission_say(&r->l.mission, "saved as %s", text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8));
	return code;
}

/* Nothing is executed: what will be is for the machine that the job runs on to say. */
static enum err_code print_script(struct table_run *r, bool folder, struct err *e)
{
	const struct options *o = r->l.options;
	const struct table *t = folder ? &r->signature.table : &r->table;
	char here[PATH_MAX];
	struct job_script s = {.kind = o->job_script, .application = t->application, .tasks = t->processes,
			       .nodes = o->nodes ? o->nodes : 1, .directory = here, .options = o};
	struct out out;
	enum err_code code;

	if (!getcwd(here, sizeof here))
		return err_set(e, ERR_USAGE, "cannot determine the current directory: %s", strerror(errno));
	if (folder ? pick_for_signature(r, e) : pick_for_table(r, e))
		return e->code;
	if (folder && check_trust(r, e))
		return e->code;
	if (launching_check(&r->l, t, folder ? r->signature.argv : o->words, e))
		return e->code;
	if (s.nodes > s.tasks)
		return err_set(e, ERR_USAGE, "--nodes is %u, but the table has %u process%s", s.nodes, s.tasks,
			       s.tasks == 1 ? "" : "es");
	if (s.nodes > 1 && r->restored)
		return err_set(e, ERR_USAGE, "--nodes: checkpoints can be restored on one node only\nhint: leave "
			       "--nodes out, or give --mechanism rerun");
	if (o->control || s.nodes > 1)
		s.control = o->control ? r->control : here;
	out_init(&out);
	code = job_script_write(&s, &out, e);
	r->l.writing = !code;
	if (!code)
		code = run_print(o->output, &out, e);
	out_release(&out);
	return code;
}

/* Places are fixed before the work directory changes. */
static enum err_code full_name(const char *option, const char *given, char path[PATH_MAX], struct err *e)
{
	char here[PATH_MAX];
	int n;

	if (given[0] == '/' || !getcwd(here, sizeof here))
		n = snprintf(path, PATH_MAX, "%s", given);
	else
		n = snprintf(path, PATH_MAX, "%s/%s", here, given);
	return n < PATH_MAX ? ERR_OK : err_set(e, ERR_USAGE, "--%s: the path is too long", option);
}

static enum err_code name_places(struct table_run *r, struct err *e)
{
	const struct options *o = r->l.options;

	if (full_name("output", o->output ? o->output : RESULT_FILE, r->output, e))
		return e->code;
	if (!o->control || full_name("control", o->control, r->control, e))
		return e->code;
	r->l.mission.control = r->control;
	return ERR_OK;
}

/* What else the file is, and how a table is made of it. */
static enum exit_code no_table(const struct options *o, const char *kind)
{
	enum exit_code status = complain_kind("run", o->files[0], kind, "a phase table or a signature");

	if (strcmp(kind, "a trace") == 0)
		hint_command(o, "phases --format yaml -o table.yaml", o->files, 1);
	return status;
}

enum exit_code cmd_run(const struct options *o)
{
	struct table_run r = {0};
	struct err e = {0};
	struct stat st;
	const char *kind;
	char safe[256];
	enum err_code code;
	bool folder, written = false, runs;

	if (o->file_count != 1)
		return misused(o, o->file_count ? "run: expected one table or signature, found "
			       "several" : "run: no table or "
			       "signature given");
	if (stat(o->files[0], &st) != 0) {
		complain("cannot read %s: %s", text_safe(safe, sizeof safe, o->files[0], SIZE_MAX, TEXT_UTF8),
			 strerror(errno));
		return EXIT_CANNOT_READ;
	}
	folder = S_ISDIR(st.st_mode);
	kind = given_kind(o->files[0]); /* an archive of traces is a folder, too */
	if (kind && !table_is_file(o->files[0]))
		return no_table(o, kind);
	if (folder && o->words)
		return misused(o, "run: a signature contains its launch command\nhint: leave out -- and the words "
			       "after it");
	if (!folder && (!o->words || !o->words[0]))
		return misused(o, "run: a table needs a launch command\nhint: pas2p run TABLE -- mpirun -np 2 "
			       "./program");
	if (o->format == FORMAT_CSV)
		return misused(o, "--format: a result cannot be written as csv: expected table, json or yaml\nhint: "
			       "pas2p compare --format csv RESULT");
	if (o->full && o->aet > 0)
		return misused(o, "--full measures the time that --aet gives: use only one of them");
	if (o->nodes && !o->job_script)
		return misused(o, "--nodes is only for job scripts\nhint: use it with --script");
	if (o->job_script && o->dry_run)
		return misused(o, "--script runs nothing, so --dry-run has no effect: leave it out");
	runs = !o->dry_run && !o->job_script;
	code = launching_begin(&r.l, o, &e);
	if (!code)
		code = name_places(&r, &e);
	if (!code)
		code = inputs_refuse(r.output, o->files, folder ? 0 : 1, &e);
	if (!code)
		code = folder ? signature_open(&r.signature, o->files[0], &e) : table_read_file(&r.table, o->files[0],
			&e);
	if (!code && folder)
		code = signature_refuse(&r.signature, r.output, &e);
	if (!code && o->job_script)
		code = print_script(&r, folder, &e);
	else if (!code)
		code = folder ? prepare_signature(&r, &e) : prepare_table(&r, &e);
	if (!code && runs)
		code = run_measure_table(&r, folder ? &r.signature.table : &r.table, folder ? r.signature.argv : o->words, &e);
	if (!code && runs) {
		written = true;
		code = run_save_result(&r, r.output, &e);
		if (!code)
			code = run_show_result(&r, r.output, &e);
	}
	result_release(&r.result);
	if (folder)
		signature_release(&r.signature);
	else
		table_release(&r.table);
	r.l.writing = r.l.writing || written;
	return launching_end(&r.l, code, &e);
}
