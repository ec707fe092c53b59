#include "session.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/clocks/correct/correct.h"
#include "core/formats/api/load.h"
#include "core/base/mem.h"
#include "core/documents/table.h"

struct wish {
	struct settings settings;
	unsigned want;
	bool table;
};

/* The trace with compute times from a counter, "": from none; once it was wanted. Who draws may still show any of
 * them. */
struct counted {
	struct counted *next;
	char counter[SETTING_NAME_SIZE];
	struct trace *trace;     /* with recorded times */
	struct trace *corrected; /* with corrected times, once those were wanted */
	struct call_log *log, *corrected_log; /* of these; NULL: it has not been read */
	bool correct_already;    /* nothing is to be put right: they are those that were recorded */
};

struct session_loaded {
	struct counted counted;
	const struct analysis *last, *other;
};

struct session {
	char **paths; /* copies: it may end after who gave them */
	uint32_t count;
	const char *application;
	unsigned threads;
	pthread_t thread;
	int fd;

	/* Progress, and what the work polls to learn that it should stop. */
	atomic_int stage;
	atomic_llong stage_ns;    /* when it began */
	atomic_ullong done, total;
	atomic_ullong wished;     /* number of the latest wish */
	atomic_ullong working_on; /* the wish that the worker is at; 0: loading */
	atomic_bool cancelled;    /* the present work is */
	atomic_bool corrected_wished; /* the latest wish is of corrected times */
	atomic_llong told_ns;     /* when progress last woke the drawing thread */

	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	bool quit, loaded, idle;
	struct wish wish;
	struct trace *trace;
	const struct analysis *fresh;
	struct event_counts *event_counts;
	char *table;
	size_t table_size;
	struct err err;
	bool err_is_load, err_is_clocks, err_is_counter;
	int64_t began_ns;

	pthread_mutex_t traces; /* of what follows, for session_log(): only the worker changes it, or whoever reads a log */
	struct counted counted;  /* first the trace as it was loaded */

	/* The worker's own. */
	const struct analysis *last; /* the latest result: what the next one reuses */
	const struct analysis *other; /* the latest of the trace that `last` is not of */
	const struct logical *seen; /* what the counts were made of; a reference, so that no other can have its address */
};

static void session_wake_reader(struct session *s)
{
	uint64_t one = 1;

	while (write(s->fd, &one, sizeof one) < 0)
		if (errno != EINTR)
			break; /* full: it is readable already */
}

static void on_progress(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	struct session *s = arg;
	int64_t now = clock_ns();

	if (atomic_exchange(&s->stage, (int)stage) != (int)stage)
		atomic_store(&s->stage_ns, now);
	atomic_store(&s->done, done);
	atomic_store(&s->total, total);
	if (now - atomic_load(&s->told_ns) >= 100000000) {
		atomic_store(&s->told_ns, now);
		session_wake_reader(s);
	}
}

static bool is_stopped(void *arg)
{
	struct session *s = arg;
	uint64_t at = atomic_load(&s->working_on);

	return atomic_load(&s->cancelled) || (at && at != atomic_load(&s->wished));
}

/* The correction is the same whatever else is wished. */
static bool correction_is_stopped(void *arg)
{
	struct session *s = arg;

	return atomic_load(&s->cancelled) || !atomic_load(&s->corrected_wished);
}

static void session_begin_stage(struct session *s, enum progress_stage first)
{
	s->began_ns = clock_ns();
	atomic_store(&s->stage, (int)first);
	atomic_store(&s->stage_ns, s->began_ns);
	atomic_store(&s->done, 0);
	atomic_store(&s->total, 0);
}

/* Its log might not fit: trace and log take about as much memory as the files are long. */
static bool is_large(const struct session *s)
{
	uint64_t bytes = 0, memory = mem_of_machine();
	struct stat st;

	for (uint32_t i = 0; i < s->count; i++)
		if (stat(s->paths[i], &st) == 0 && st.st_size > 0)
			bytes += (uint64_t)st.st_size;
	return memory && bytes > memory / 4;
}

/* The files, with the log of their calls. */
static enum err_code load_files(struct session *s, struct trace **t, struct call_log **log, const struct trace_options *o, const struct progress *progress,
				struct err *e)
{
	const char *const *paths = (const char *const *)s->paths;

	*log = NULL;
	return is_large(s) ? trace_load(t, paths, s->count, o, progress, e) : call_log_load(log, t, paths, s->count, o, progress, e);
}

static void session_load_trace(struct session *s, const struct progress *progress)
{
	struct err e = {ERR_OK, ""};
	struct trace *t = NULL;
	struct call_log *log = NULL;
	const struct trace_options options = {.threads = s->threads};

	if (s->count) /* else there is no trace, and never will be */
		load_files(s, &t, &log, &options, progress, &e);
	pthread_mutex_lock(&s->lock);
	s->trace = t;
	s->err = e;
	s->err_is_load = e.code != ERR_OK;
	s->err_is_clocks = s->err_is_counter = false;
	s->counted.trace = t; /* before anybody can ask for its log */
	s->counted.log = log;
	s->loaded = true;
	pthread_mutex_unlock(&s->lock);
	atomic_store(&s->cancelled, false);
	session_wake_reader(s);
}

enum tells { OF_ANALYSIS, OF_CLOCKS, OF_COUNTER };

static void session_tell_error(struct session *s, const struct err *e, enum tells of)
{
	pthread_mutex_lock(&s->lock);
	s->err = *e;
	s->err_is_load = false;
	s->err_is_clocks = of == OF_CLOCKS;
	s->err_is_counter = of == OF_COUNTER;
	pthread_mutex_unlock(&s->lock);
	session_wake_reader(s);
}

/* The trace with compute times from a counter; NULL: it cannot be had. */
static struct counted *counted_for(struct session *s, const char *counter, const struct progress *progress)
{
	const struct trace_options options = {.threads = s->threads, .counter = counter};
	struct err e = {ERR_OK, ""};
	struct counted **at, *found;
	enum err_code code;

	for (found = &s->counted; found; at = &found->next, found = *at)
		if (!strcmp(found->counter, counter))
			return found;
	found = mem_zero(1, sizeof *found);
	code = found ? load_files(s, &found->trace, &found->log, &options, progress, &e) : err_memory(&e, "the trace");
	if (!code || (code == ERR_DAMAGED && found->trace)) { /* the damage was told of when it was loaded first */
		snprintf(found->counter, sizeof found->counter, "%s", counter);
		pthread_mutex_lock(&s->traces);
		*at = found;
		pthread_mutex_unlock(&s->traces);
		return found;
	}
	if (found) {
		call_log_free(found->log);
		trace_free(found->trace);
	}
	mem_free(found);
	if (code != ERR_CANCELLED || atomic_load(&s->cancelled))
		session_tell_error(s, &e, OF_COUNTER);
	return NULL;
}

enum err_code session_log(struct session *s, const struct trace *t, const struct call_log **log, const struct progress *progress, struct err *e)
{
	struct call_log **at = NULL;
	enum err_code code = ERR_OK;

	*log = NULL;
	pthread_mutex_lock(&s->traces);
	for (struct counted *c = &s->counted; c && !at; c = c->next)
		at = c->trace == t ? &c->log : c->corrected == t ? &c->corrected_log : NULL;
	if (at && !*at)
		code = call_log_new(at, t, progress, e);
	if (at)
		*log = *at;
	pthread_mutex_unlock(&s->traces);
	return at ? code : err_set(e, ERR_USAGE, "no such trace is loaded");
}

/* The trace once more, as if it had been recorded by better clocks. */
static enum err_code correct(struct session *s, struct counted *of)
{
	const struct progress progress = {on_progress, correction_is_stopped, s};
	struct trace_options options = {.threads = s->threads, .counter = of->counter};
	struct err e = {ERR_OK, ""};
	const struct call_log *log;
	struct call_log *corrected_log = NULL;
	struct trace *corrected = NULL;
	enum err_code code = session_log(s, of->trace, &log, &progress, &e);

	if (!code)
		code = clock_new_times(&options.times, log, &progress, &e);
	of->correct_already = !code && !options.times->figures.steps;
	if (!code && !of->correct_already) {
		code = load_files(s, &corrected, &corrected_log, &options, &progress, &e);
		if (code == ERR_DAMAGED && corrected)
			code = ERR_OK; /* as has been said of the recorded one */
	}
	trace_times_unref(options.times);
	if (!code) {
		pthread_mutex_lock(&s->traces);
		of->corrected = corrected;
		of->corrected_log = corrected_log;
		pthread_mutex_unlock(&s->traces);
	} else {
		call_log_free(corrected_log);
		trace_free(corrected);
		if (code != ERR_CANCELLED || atomic_load(&s->cancelled))
			session_tell_error(s, &e, OF_CLOCKS);
	}
	return code;
}

/* Of the trace that a wish is of; NULL: there is none. */
static const struct trace *trace_for(struct session *s, const struct wish *w, const struct progress *progress)
{
	struct counted *of = s->trace ? counted_for(s, w->settings.compute_counter, progress) : NULL;

	if (!of || w->settings.clocks == CLOCKS_FILE)
		return of ? of->trace : NULL;
	if (!of->corrected && !of->correct_already && correct(s, of))
		return NULL;
	return of->correct_already ? of->trace : of->corrected;
}

/* One step of a wish: an analysis with `want`, delivered if it is new. */
static enum err_code analyse(struct session *s, const struct trace *t, const struct wish *w, unsigned want, const struct progress *progress)
{
	struct err e = {ERR_OK, ""};
	struct analysis *a = NULL;
	bool again = s->last && s->last->source != t;
	enum err_code code = analysis_new(&a, t, &w->settings, again ? s->other : s->last, want, progress, &e);

	if (code) {
		if (code != ERR_CANCELLED || atomic_load(&s->cancelled))
			session_tell_error(s, &e, OF_ANALYSIS);
		return code;
	}
	analysis_unref(again ? s->other : s->last);
	if (again)
		s->other = s->last;
	s->last = a;
	pthread_mutex_lock(&s->lock);
	analysis_unref(s->fresh);
	s->fresh = analysis_ref(a);
	pthread_mutex_unlock(&s->lock);
	session_wake_reader(s);
	return ERR_OK;
}

/* What the phase table is of: the recorded times, whatever is shown. */
static enum err_code recorded_analysis(const struct analysis **out, struct session *s, const struct progress *progress, struct err *e)
{
	struct settings settings = s->last->settings;
	const struct counted *of = counted_for(s, settings.compute_counter, progress); /* it is there */
	struct analysis *a = NULL;
	enum err_code code = ERR_OK;

	*out = s->last->source == of->trace ? analysis_ref(s->last) : NULL;
	if (!*out) {
		settings.clocks = CLOCKS_FILE;
		code = analysis_new(&a, of->trace, &settings, s->other, ANALYSIS_PHASES, progress, e);
		*out = a;
	}
	return code;
}

static void make_table(struct session *s, const struct progress *progress)
{
	const struct analysis *of = NULL;
	struct err e = {ERR_OK, ""};
	struct table table;
	char *text = NULL;
	size_t size = 0;
	const struct counted *hashed = counted_for(s, s->last->settings.compute_counter, progress);
	enum err_code code = trace_hash(hashed->trace, progress, &e);

	if (!code)
		code = recorded_analysis(&of, s, progress, &e);
	if (!code) {
		code = table_from_analysis(&table, of, s->application, progress, &e);
		if (!code) {
			code = table_write(&table, &text, &size, &e);
			table_release(&table);
		}
	}
	analysis_unref(of);
	if (code == ERR_CANCELLED && !atomic_load(&s->cancelled))
		return; /* a newer wish is waiting */
	if (code) {
		session_tell_error(s, &e, OF_ANALYSIS);
		return;
	}
	pthread_mutex_lock(&s->lock);
	mem_free(s->table);
	s->table = text;
	s->table_size = size;
	pthread_mutex_unlock(&s->lock);
	session_wake_reader(s);
}

static enum err_code look_over(struct session *s, const struct progress *progress)
{
	struct err e = {ERR_OK, ""};
	struct event_counts *o = NULL;

	if (s->seen == s->last->logical)
		return ERR_OK;
	if (event_counts_new(&o, s->last->logical, EVENT_COUNTS_BLOCKS, EVENT_COUNTS_GROUPS, progress, &e))
		return e.code; /* the grid does without */
	logical_unref(s->seen);
	s->seen = logical_ref(s->last->logical);
	pthread_mutex_lock(&s->lock);
	event_counts_free(s->event_counts);
	s->event_counts = o;
	pthread_mutex_unlock(&s->lock);
	session_wake_reader(s);
	return ERR_OK;
}

static bool holds(const struct analysis *a, const struct settings *settings, unsigned want)
{
	return a && settings_equal(&a->settings, settings) && (!(want & ANALYSIS_BBPS) || a->bbps) &&
	       (!(want & ANALYSIS_PATTERNS) || a->names || !patterns_possible(a->logical->trace));
}

static void grant(struct session *s, const struct wish *w, const struct progress *progress)
{
	const struct trace *t = trace_for(s, w, progress);

	if (!t)
		return;
	if (!holds(s->last, &w->settings, ANALYSIS_PHASES) && analyse(s, t, w, ANALYSIS_PHASES, progress))
		return;
	if (look_over(s, progress) == ERR_CANCELLED)
		return;
	if (!holds(s->last, &w->settings, w->want) && analyse(s, t, w, ANALYSIS_PHASES | w->want, progress))
		return;
	if (w->table)
		make_table(s, progress);
}

static void *session_run_work(void *arg)
{
	struct session *s = arg;
	const struct progress progress = {on_progress, is_stopped, s};
	uint64_t granted = 0;

	if (!s->loaded)
		session_load_trace(s, &progress);
	pthread_mutex_lock(&s->lock);
	while (!s->quit) {
		uint64_t wished = atomic_load(&s->wished);
		struct wish w = s->wish;

		if (wished == granted) {
			s->idle = true;
			pthread_cond_broadcast(&s->changed);
			session_wake_reader(s);
			pthread_cond_wait(&s->changed, &s->lock);
			continue;
		}
		session_begin_stage(s, PROGRESS_ORDER);
		atomic_store(&s->working_on, wished);
		pthread_mutex_unlock(&s->lock);
		grant(s, &w, &progress);
		pthread_mutex_lock(&s->lock);
		atomic_store(&s->cancelled, s->quit);
		granted = wished;
	}
	s->idle = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* --- what is loaded, from one session to another --- */

/* All of them, but the first one's own memory. */
static void free_counted(struct counted *first)
{
	call_log_free(first->corrected_log);
	call_log_free(first->log);
	trace_free(first->corrected);
	trace_free(first->trace);
	while (first->next) {
		struct counted *gone = first->next;

		first->next = gone->next;
		call_log_free(gone->corrected_log);
		call_log_free(gone->log);
		trace_free(gone->corrected);
		trace_free(gone->trace);
		mem_free(gone);
	}
}

void session_loaded_free(struct session_loaded *loaded)
{
	if (!loaded)
		return;
	analysis_unref(loaded->last);
	analysis_unref(loaded->other);
	free_counted(&loaded->counted);
	mem_free(loaded);
}

const struct trace *session_loaded_trace(const struct session_loaded *loaded, bool *twice)
{
	*twice = loaded->counted.corrected || loaded->counted.next;
	return loaded->counted.trace;
}

/* What was shown is there at once. */
static void session_go_on(struct session *s, struct session_loaded *loaded)
{
	if (!loaded)
		return;
	s->counted = loaded->counted;
	s->trace = s->counted.trace;
	s->last = loaded->last;
	s->other = loaded->other;
	s->fresh = s->last ? analysis_ref(s->last) : NULL;
	s->loaded = true;
	mem_free(loaded);
}

static bool copy_paths(struct session *s, const char *const *paths, uint32_t count)
{
	s->paths = mem_zero(count, sizeof *s->paths);
	for (; s->paths && s->count < count; s->count++)
		if (!(s->paths[s->count] = mem_strdup(paths[s->count])))
			return false;
	return s->paths != NULL;
}

static void free_self(struct session *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		mem_free(s->paths[i]);
	mem_free(s->paths);
	mem_free(s);
}

/* Its thread is not there, or has ended. Without memory nothing can be kept. */
static struct session_loaded *give_up(struct session *s)
{
	struct session_loaded *loaded = s->trace && !s->trace->partial ? mem_alloc(1, sizeof *loaded) : NULL;

	if (!loaded)
		return NULL;
	*loaded = (struct session_loaded){s->counted, s->last, s->other};
	s->trace = NULL;
	s->counted = (struct counted){.next = NULL};
	s->last = s->other = NULL;
	return loaded;
}

enum err_code session_start(struct session **out, const char *const *paths, uint32_t count, const char *application,
			    unsigned threads, struct session_loaded *loaded, struct err *e)
{
	struct session *s = mem_zero(1, sizeof *s);
	sigset_t all, old;
	int failed;

	*out = NULL;
	if (!s || !copy_paths(s, paths, count)) {
		session_loaded_free(loaded);
		if (s)
			free_self(s);
		return err_memory(e, "the session");
	}
	s->application = application;
	s->threads = threads;
	s->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->fd < 0) {
		session_loaded_free(loaded);
		free_self(s);
		return err_set(e, ERR_LIMIT, "cannot make an event descriptor: %s", strerror(errno));
	}
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->traces, NULL);
	pthread_cond_init(&s->changed, NULL);
	session_begin_stage(s, PROGRESS_SCAN);
	session_go_on(s, loaded);
	/* Signals are for the thread that draws. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	failed = pthread_create(&s->thread, NULL, session_run_work, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (failed) {
		session_loaded_free(give_up(s));
		analysis_unref(s->fresh);
		close(s->fd);
		free_self(s);
		return err_set(e, ERR_LIMIT, "cannot start a thread: %s", strerror(failed));
	}
	*out = s;
	return ERR_OK;
}

void session_wake(struct session *s)
{
	session_wake_reader(s);
}

int session_fd(const struct session *s)
{
	return s->fd;
}

void session_take(struct session *s, struct session_news *n)
{
	uint64_t ignored;
	int64_t now = clock_ns();

	if (read(s->fd, &ignored, sizeof ignored) < 0 && errno != EAGAIN)
		ignored = 0; /* nothing to read is no news, and no error either */
	pthread_mutex_lock(&s->lock);
	*n = (struct session_news){
		.trace = s->trace,
		.loading = !s->loaded,
		.busy = s->loaded && !s->idle,
		.stage = (enum progress_stage)atomic_load(&s->stage),
		.done = atomic_load(&s->done),
		.total = atomic_load(&s->total),
		.seconds = (double)(now - s->began_ns) / 1e9,
		.stage_seconds = (double)(now - atomic_load(&s->stage_ns)) / 1e9,
		.analysis = s->fresh,
		.event_counts = s->event_counts,
		.table = s->table,
		.table_size = s->table_size,
		.err = s->err,
		.err_is_load = s->err_is_load,
		.err_is_clocks = s->err_is_clocks,
		.err_is_counter = s->err_is_counter,
	};
	s->fresh = NULL;
	s->event_counts = NULL;
	s->table = NULL;
	s->err = (struct err){ERR_OK, ""};
	pthread_mutex_unlock(&s->lock);
}

void session_want(struct session *s, const struct settings *settings, unsigned want, bool table)
{
	pthread_mutex_lock(&s->lock);
	s->wish = (struct wish){*settings, want, table};
	s->idle = false;
	atomic_store(&s->corrected_wished, settings->clocks == CLOCKS_CORRECTED);
	atomic_fetch_add(&s->wished, 1);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void session_cancel(struct session *s)
{
	pthread_mutex_lock(&s->lock);
	if (!s->idle)
		atomic_store(&s->cancelled, true);
	pthread_mutex_unlock(&s->lock);
}

void session_wait_idle(struct session *s)
{
	pthread_mutex_lock(&s->lock);
	while (!s->idle)
		pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

struct session_loaded *session_stop_keeping(struct session *s)
{
	struct session_loaded *loaded;

	if (!s)
		return NULL;
	pthread_mutex_lock(&s->lock);
	s->quit = true;
	atomic_store(&s->cancelled, true);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	loaded = give_up(s);
	analysis_unref(s->last);
	analysis_unref(s->other);
	analysis_unref(s->fresh);
	logical_unref(s->seen);
	event_counts_free(s->event_counts);
	mem_free(s->table);
	free_counted(&s->counted);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->traces);
	close(s->fd);
	free_self(s);
	return loaded;
}

void session_stop(struct session *s)
{
	session_loaded_free(session_stop_keeping(s));
}
