#include "study.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/method/analysis/phase_content.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/documents/result.h"
#include "core/documents/table.h"
#include "core/formats/api/load.h"
#include "core/io/yaml_in.h"

#define NAME_MOST 4096

struct loading {
	struct study_runs *runs;
	const struct study_file *file;
	const struct settings *settings;
	unsigned threads;              /* of one run's loading */
	const struct team *team;       /* whose ranks share a run's */
	const struct progress *progress;
	struct parallel_stop stop;
	atomic_uint next, done;        /* runs that were begun, that are ready */
	atomic_uint failed;            /* runs from this one on need not begin */
	struct err *errors;            /* per run */
	enum err_code *codes;
	struct arena *arenas;          /* per run: what only it has */
};

/* One of the threads: part 0 reports, and learns of a stop. */
struct loading_thread {
	struct loading *loading;
	unsigned number;
};

static bool part_stopped(void *arg)
{
	const struct loading_thread *p = arg;
	struct loading *l = p->loading;

	if (p->number == 0)
		progress_report(l->progress, PROGRESS_RUNS, atomic_load(&l->done), l->file->run_count);
	return parallel_stopped(&l->stop, p->number);
}

/* ---- one run ---- */

/* The file's name without directory and ending. */
static const char *path_stem(struct arena *a, const char *path)
{
	const char *name = path_name(path), *dot = strrchr(name, '.');

	return text_keep_safe(a, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

enum err_code study_load_trace(struct trace **t, struct analysis **a, const struct study_source *source, const struct settings *settings,
			       unsigned threads, const struct team *team, struct err *damage, const struct progress *progress, struct err *e)
{
	struct trace_options o = {.threads = threads, .counter = settings->compute_counter, .team = team};
	enum err_code code;

	*a = NULL;
	code = trace_load(t, source->files, source->file_count, &o, progress, e);
	if (code == ERR_DAMAGED && *t) {
		*damage = *e;
		code = ERR_OK;
	}
	return code ? code : analysis_new(a, *t, settings, NULL, ANALYSIS_PHASES | ANALYSIS_PATTERNS, progress, e);
}

/* What is said of a run by its trace. */
static enum err_code study_run_describe(struct study_run *run, const struct trace *t, const struct analysis *a, struct arena *arena, struct err *e)
{
	run->reads_trace = true;
	notes_count(&run->notes, &t->notes);
	notes_count(&run->notes, &a->logical->notes);
	run->file = table_file(arena, t);
	if (!run->name)
		run->name = table_application(arena, t);
	return run->file && run->name ? ERR_OK : err_memory(e, "the runs");
}

static enum err_code load_trace(struct loading *l, uint32_t i, struct arena *arena, char sha256[65], const struct progress *progress, struct err *e)
{
	const struct study_source *source = &l->file->runs[i];
	struct study_run *run = &l->runs->list[i];
	bool first = !team_rank(l->team);
	struct analysis *a = NULL;
	struct trace *t = NULL;
	enum err_code code = study_load_trace(&t, &a, source, l->settings, l->threads, l->team, &run->damage, progress, e);

	if (!code && source->result)
		code = team_agree(l->team, first ? trace_digest(t, sha256, progress, e) : ERR_OK, e);
	if (!code)
		code = phase_content_new(&run->phases, a, progress, e);
	if (!code)
		code = team_agree(l->team, first ? study_run_describe(run, t, a, arena, e) : ERR_OK, e);
	analysis_unref(a);
	trace_free(t);
	return code;
}

/* A table stands for its trace only where all that decides about its phases is the same. */
static enum err_code check_settings(const struct loading *l, const struct table *t, const char *file, struct err *e)
{
	enum setting_id ids[SETTINGS_OF_PHASES + 2];
	size_t n = SETTINGS_OF_PHASES;

	memcpy(ids, settings_of_phases, sizeof settings_of_phases);
	ids[n++] = SETTING_phase_time;
	ids[n++] = SETTING_relevance;
	for (size_t k = 0; k < n; k++) {
		char has[SETTING_NAME_SIZE], wanted[SETTING_NAME_SIZE];

		settings_get(&t->settings, ids[k], has, sizeof has);
		settings_get(l->settings, ids[k], wanted, sizeof wanted);
		if (strcmp(has, wanted) != 0)
			return err_set(e, ERR_FORMAT, "%s: the phase table has %s %s, but the study needs %s", file,
				       setting_info(ids[k])->key, has, wanted);
	}
	return ERR_OK;
}

static enum err_code load_table(struct loading *l, uint32_t i, struct arena *arena, char sha256[65], struct err *e)
{
	const struct study_source *source = &l->file->runs[i];
	struct study_run *run = &l->runs->list[i];
	char safe[256];
	struct table t;
	enum err_code code = table_read_file(&t, source->files[0], e);

	if (code)
		return code;
	text_safe(safe, sizeof safe, source->files[0], SIZE_MAX, TEXT_UTF8);
	code = check_settings(l, &t, safe, e);
	if (!code && !t.content) {
		code = err_set(e, ERR_FORMAT, "%s: the phase table lacks the content of its phases", safe);
		err_hint(e, "write it with: pas2p phases --content --format yaml");
	}
	if (!code) {
		run->phases = t.content;
		t.content = NULL;
		memcpy(sha256, t.sha256, sizeof t.sha256);
		run->file = text_keep_safe(arena, t.trace_file, strlen(t.trace_file));
		if (!run->name)
			run->name = path_stem(arena, source->files[0]);
		if (!run->file || !run->name)
			code = err_memory(e, "the runs");
	}
	table_release(&t);
	return code;
}

/* ---- results ---- */

static enum err_code take_phase(struct study_run *run, const struct result *r, const struct result_phase *m, const char *file, struct err *e)
{
	const struct run_phase *p = run_phases_find(run->phases, m->id);

	if (!p || p->weight != m->weight || !result_same_time(m->traced, p->time))
		return err_set(e, ERR_FORMAT, "%s: phase %" PRIu32 " differs from phase %" PRIu32 " of the run: the phase table of %s has "
			       "other settings", file, m->id, m->id, r->application);
	run->measured[p - run->phases->list] = m->time;
	return ERR_OK;
}

static enum err_code take_result(struct study_run *run, const char *path, const char *sha256, struct arena *arena, struct err *e)
{
	char safe[256];
	struct result r;
	enum err_code code = result_read_file(&r, path, e);

	if (code)
		return code;
	text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8);
	run->measured = arena_alloc(arena, run->phases->count * sizeof *run->measured);
	if (!run->measured)
		code = err_memory(e, "the result");
	else if (strcmp(r.sha256, sha256) != 0 || r.processes != run->phases->processes)
		code = err_set(e, ERR_FORMAT, "%s: the result belongs to another trace than %s", safe, run->file);
	for (uint32_t k = 0; !code && k < run->phases->count; k++)
		run->measured[k] = NAN;
	for (uint32_t k = 0; !code && k < r.phase_count; k++)
		code = take_phase(run, &r, &r.phases[k], safe, e);
	if (!code && r.aet > 0)
		run->measured_aet = r.aet;
	result_release(&r);
	return code;
}

static enum err_code load_run(struct loading *l, uint32_t i, const struct progress *progress)
{
	const struct study_source *source = &l->file->runs[i];
	struct study_run *run = &l->runs->list[i];
	struct arena *arena = &l->arenas[i];
	struct err *e = &l->errors[i];
	char sha256[65] = "";
	bool first = !team_rank(l->team), table = first && source->file_count == 1 && yaml_file_has(source->files[0], "pas2p");
	enum err_code code = team_broadcast(l->team, &table, sizeof table, e);

	run->name = source->name;
	if (!code && table)
		code = team_agree(l->team, first ? load_table(l, i, arena, sha256, e) : ERR_OK, e);
	else if (!code)
		code = load_trace(l, i, arena, sha256, progress, e);
	if (!code && source->result)
		code = team_agree(l->team, first ? take_result(run, source->result, sha256, arena, e) : ERR_OK, e);
	return code;
}

/* By all ranks of a team, one after another. */
static void load_together(struct loading *l)
{
	struct loading_thread p = {l, 0};
	const struct progress progress = {.stopped = part_stopped, .arg = &p};
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < l->file->run_count; i++) {
		code = team_agree(l->team, part_stopped(&p) ? err_set(&l->errors[i], ERR_CANCELLED, "the study was stopped") : ERR_OK, &l->errors[i]);
		if (!code)
			code = load_run(l, i, &progress);
		l->codes[i] = code;
		atomic_fetch_add(&l->done, 1);
	}
}

static void load_part(void *arg, unsigned number)
{
	struct loading *l = arg;
	struct loading_thread p = {l, number};
	struct progress own = {.stopped = part_stopped, .arg = &p};
	const struct progress *progress = l->threads == 1 ? &own : l->progress; /* of several at once none reports on itself */

	for (;;) {
		uint32_t i = atomic_fetch_add(&l->next, 1);

		if (i >= l->file->run_count || i >= atomic_load(&l->failed) || part_stopped(&p))
			return;
		l->codes[i] = load_run(l, i, progress);
		if (l->codes[i]) {
			unsigned first = atomic_load(&l->failed);

			while (i < first && !atomic_compare_exchange_weak(&l->failed, &first, i))
				;
		}
		atomic_fetch_add(&l->done, 1);
	}
}

/* ---- all of them ---- */

enum err_code study_runs_init(struct study_runs *runs, uint32_t count, struct err *e)
{
	*runs = (struct study_runs){0};
	arena_init(&runs->arena);
	runs->list = mem_zero(count, sizeof *runs->list);
	if (!runs->list)
		return err_memory(e, "the runs");
	return ERR_OK;
}

void study_runs_release(struct study_runs *runs)
{
	for (uint32_t i = 0; runs->list && i < runs->count; i++)
		run_phases_free(runs->list[i].phases);
	mem_free(runs->list);
	arena_release(&runs->arena);
	*runs = (struct study_runs){0};
}

/* What is in memory that goes, to where it stays. */
static bool text_move(struct arena *a, const char **text)
{
	*text = arena_strndup(a, *text, strlen(*text));
	return *text != NULL;
}

/* Of runs with one name the second is called NAME#2. */
static enum err_code name_apart(struct study_runs *runs, uint32_t i, struct err *e)
{
	const char *own = runs->list[i].name;
	char name[NAME_MOST];

	for (uint32_t nth = 2, k = 0; k < i; k++) {
		if (strcmp(runs->list[k].name, runs->list[i].name) != 0)
			continue;
		snprintf(name, sizeof name, "%.4000s#%" PRIu32, own, nth++);
		runs->list[i].name = name;
		k = UINT32_MAX; /* it may be the name of yet another */
	}
	return text_move(&runs->arena, &runs->list[i].name) ? ERR_OK : err_memory(e, "the runs");
}

/* p is what the run has; every other parameter as it is given. */
static enum err_code take_parameters(struct study_runs *runs, uint32_t i, const struct study_parameters *given, struct err *e)
{
	struct study_run *run = &runs->list[i];
	const struct study_parameter *p = study_parameter_find(given, "p");
	struct study_parameters *to = &run->parameters;
	char digits[16];
	uint32_t at = 0;

	*to = *given;
	for (uint32_t k = 0; k < to->count; k++)
		if (!text_move(&runs->arena, &to->list[k].name) || !text_move(&runs->arena, &to->list[k].text))
			return err_memory(e, "the runs");
	if (p && p->number != run->phases->processes) /* also where it is no number */
		return err_set(e, ERR_USAGE, "%s: p is %.60s, but the run has %" PRIu32 " processes", run->name, p->text,
			       run->phases->processes);
	if (p)
		return ERR_OK;
	if (to->count == STUDY_PARAMETERS)
		return err_set(e, ERR_USAGE, "%s: more than %u parameters, including p", run->name, STUDY_PARAMETERS);
	while (at < to->count && strcmp(to->list[at].name, "p") < 0)
		at++;
	memmove(&to->list[at + 1], &to->list[at], (to->count - at) * sizeof *to->list);
	snprintf(digits, sizeof digits, "%" PRIu32, run->phases->processes);
	to->list[at] = (struct study_parameter){arena_strndup(&runs->arena, "p", 1), arena_strndup(&runs->arena, digits, strlen(digits)),
						run->phases->processes};
	to->count++;
	return to->list[at].name && to->list[at].text ? ERR_OK : err_memory(e, "the runs");
}

static enum err_code study_run_finish(struct study_runs *runs, uint32_t i, const struct study_parameters *given, struct err *e)
{
	struct study_run *run = &runs->list[i];
	enum err_code code = text_move(&runs->arena, &run->file) ? ERR_OK : err_memory(e, "the runs");

	if (!code)
		code = name_apart(runs, i, e);
	if (!code)
		code = take_parameters(runs, i, given, e);
	if (!code && !(run->phases->aet > 0))
		code = err_set(e, ERR_FORMAT, "%s: the run time is unknown", run->name);
	return code;
}

enum err_code study_runs_add(struct study_runs *runs, const char *name, const char *file, struct run_phases *phases,
			     const struct study_parameters *given, struct err *e)
{
	uint32_t i = runs->count++;

	runs->list[i] = (struct study_run){.name = name, .file = file, .phases = phases, .measured_aet = NAN};
	return study_run_finish(runs, i, given, e);
}

static enum err_code outcome(const struct loading *l, struct err *e)
{
	for (uint32_t i = 0; i < l->file->run_count; i++) {
		if (l->codes[i]) {
			*e = l->errors[i];
			return l->codes[i];
		}
	}
	if (atomic_load(&l->stop.stopped))
		return err_set(e, ERR_CANCELLED, "the study was stopped");
	return ERR_OK;
}

static enum err_code keep_measured(struct study_runs *runs, struct study_run *run, struct err *e)
{
	double *to;

	if (!run->measured)
		return ERR_OK;
	to = arena_alloc(&runs->arena, run->phases->count * sizeof *to);
	if (!to)
		return err_memory(e, "the runs");
	run->measured = memcpy(to, run->measured, run->phases->count * sizeof *to);
	return ERR_OK;
}

static enum err_code finish_all(struct study_runs *runs, const struct study_file *file, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < runs->count; i++) {
		code = keep_measured(runs, &runs->list[i], e);
		if (!code)
			code = study_run_finish(runs, i, &file->runs[i].parameters, e);
	}
	return code;
}

enum err_code study_load(struct study_runs *runs, const struct study_file *file, const struct settings *settings, unsigned threads,
			 const struct team *team, const struct progress *progress, struct err *e)
{
	bool shared = team_size(team) > 1;
	uint32_t n = (uint32_t)file->run_count;
	unsigned parts = shared ? 1 : parallel_threads(threads, n < PARALLEL_MOST ? n : PARALLEL_MOST);
	struct loading l = {.runs = runs, .file = file, .settings = settings, .threads = parts > 1 ? 1 : threads, .team = team, .progress = progress,
			    .stop = {.progress = progress}};
	enum err_code code = study_runs_init(runs, n, e);

	l.errors = mem_zero(n, sizeof *l.errors);
	l.codes = mem_zero(n, sizeof *l.codes);
	l.arenas = mem_zero(n, sizeof *l.arenas);
	if (!code && !(l.errors && l.codes && l.arenas))
		code = err_memory(e, "the runs");
	code = team_agree(team, code, e);
	if (!code) {
		runs->count = n;
		for (uint32_t i = 0; i < n; i++) {
			arena_init(&l.arenas[i]);
			runs->list[i].measured_aet = NAN;
		}
		atomic_init(&l.failed, n);
		if (shared)
			load_together(&l);
		else
			parallel_run(parts ? parts : 1, load_part, &l);
		code = team_agree(team, outcome(&l, e), e);
	}
	if (!code)
		code = team_agree(team, team_rank(team) ? ERR_OK : finish_all(runs, file, e), e);
	for (uint32_t i = 0; l.arenas && i < runs->count; i++)
		arena_release(&l.arenas[i]);
	mem_free(l.errors);
	mem_free(l.codes);
	mem_free(l.arenas);
	if (code)
		study_runs_release(runs);
	return code;
}
