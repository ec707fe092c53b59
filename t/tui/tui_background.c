/* Work behind the screen that is stopped, or that runs out of memory. A task that is stopped says so, one that a newer
 * one replaces says nothing, and each is freed once, whatever it was at. A session whose analysis is stopped goes on
 * with the next wish. When an allocation fails - each of the first, then ever fewer of the later ones, once alone and
 * once with all that follow - loading and analysing end with a sentence or a result, the workbench shows its views or
 * leaves in order, and nothing is lost on the way.
 */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/mem.h"
#include "tap.h"
#include "tui/app/app.h"
#include "tui/app/app_lists.h"

static const char *const paths[] = {"sample-traces/sendrecv.4.clog2"}, *const longer[] = {"sample-traces/lu.S.4.clog2"};

/* --- tasks --- */

static atomic_int begun, freed;

static enum err_code until_stopped(struct task *t, const struct job *job, struct err *e)
{
	(void)t;
	atomic_fetch_add(&begun, 1);
	while (!job_stopped(job))
		sched_yield();
	return err_set(e, ERR_CANCELLED, "stopped");
}

static enum err_code at_once(struct task *t, const struct job *job, struct err *e)
{
	(void)t;
	(void)job;
	(void)e;
	atomic_fetch_add(&begun, 1);
	return ERR_OK;
}

static enum err_code no_memory(struct task *t, const struct job *job, struct err *e)
{
	(void)t;
	(void)job;
	return err_memory(e, "the test");
}

static void free_task(struct task *t)
{
	atomic_fetch_add(&freed, 1);
	mem_free(t);
}

static void ask(struct background *b, enum err_code (*run)(struct task *t, const struct job *job, struct err *e))
{
	struct task *t = mem_alloc(1, sizeof *t);

	if (!t)
		bail_out("no memory");
	*t = (struct task){run, free_task};
	background_ask(b, BACKGROUND_MISSES, t);
}

static void wait_for(int n)
{
	while (atomic_load(&begun) < n)
		sched_yield();
}

static void wake(void *arg)
{
	atomic_fetch_add((atomic_int *)arg, 1);
}

static void test_tasks(void)
{
	struct background *b;
	struct task *t;
	struct err e;
	atomic_int woken;
	unsigned asked;

	atomic_init(&woken, 0);
	if (background_new(&b, wake, &woken, &e))
		bail_out("%s", e.text);
	ask(b, until_stopped);
	wait_for(1);
	ok(background_state(b, BACKGROUND_MISSES).busy, "a task runs");
	background_cancel(b, BACKGROUND_MISSES);
	background_wait_idle(b);
	t = background_take(b, BACKGROUND_MISSES, &e);
	ok(!t && e.code == ERR_CANCELLED && e.text[0], "stopped, it says so");
	ok(!background_take(b, BACKGROUND_MISSES, &e) && !e.code, "once");
	ok(atomic_load(&woken) > 0, "and wakes who draws");

	ask(b, until_stopped);
	wait_for(2);
	ask(b, at_once);
	background_wait_idle(b);
	t = background_take(b, BACKGROUND_MISSES, &e);
	ok(t && !e.code, "one that a newer one replaces is stopped without a word, and the newer one is done");
	free_task(t);

	ask(b, until_stopped);
	wait_for(4);
	ask(b, at_once);
	background_cancel(b, BACKGROUND_MISSES);
	background_wait_idle(b);
	t = background_take(b, BACKGROUND_MISSES, &e);
	ok(t ? !e.code : e.code == ERR_CANCELLED, "one that was waiting is stopped, or was done just before");
	if (t)
		free_task(t);

	ask(b, no_memory);
	background_wait_idle(b);
	ok(!background_take(b, BACKGROUND_MISSES, &e) && e.code == ERR_MEMORY, "a failure is told");

	asked = background_asked(b);
	ask(b, at_once);
	background_wait_idle(b);
	ok(background_asked(b) != asked, "what is done already was asked for, so a script waits until it is taken");
	ask(b, until_stopped);
	background_stop(b);
	is_int(atomic_load(&freed), 8, "and each is freed once, also what runs or waits at the end");
}

/* --- sessions --- */

static void test_session(void)
{
	struct session_news n;
	struct settings settings;
	struct session *s;
	struct err e;
	bool told = true, again = true;

	settings_init(&settings);
	if (session_start(&s, longer, 1, NULL, 1, NULL, &e))
		bail_out("%s", e.text);
	session_wait_idle(s);
	for (int i = 0; i < 20; i++) {
		settings.volume = 0.01 * (i + 1);
		session_want(s, &settings, ANALYSIS_PHASES | ANALYSIS_BBPS, true);
		session_cancel(s);
		session_wait_idle(s);
		session_take(s, &n);
		/* Stopped, or done before it could be. */
		told = told && (n.err.code == ERR_CANCELLED ? !n.err_is_load : !n.err.code && n.analysis);
		analysis_unref(n.analysis);
		event_counts_free(n.event_counts);
		mem_free(n.table);
		settings.volume += 0.005;
		session_want(s, &settings, ANALYSIS_PHASES, false);
		session_wait_idle(s);
		session_take(s, &n);
		again = again && !n.err.code && n.analysis && settings_equal(&n.analysis->settings, &settings);
		analysis_unref(n.analysis);
		event_counts_free(n.event_counts);
		mem_free(n.table);
	}
	ok(told, "an analysis that is stopped says so, unless it was done");
	ok(again, "and the next wish is granted");
	session_stop(s);
}

/* --- failing allocations --- */

static long worked; /* allocations that were made in all */

/* Load, analyse, table. True: a result or a sentence, and nothing is left. */
static bool session_fails_well(long n, bool once)
{
	struct session_news news;
	struct settings settings;
	struct session *s = NULL;
	struct err e = {ERR_OK, ""};
	bool good;

	settings_init(&settings);
	(once ? mem_fail_once : mem_fail_after)(n);
	if (session_start(&s, paths, 1, NULL, 1, NULL, &e)) {
		good = e.code == ERR_MEMORY && e.text[0];
	} else {
		session_want(s, &settings, ANALYSIS_PHASES | ANALYSIS_BBPS, true);
		session_wait_idle(s);
		session_take(s, &news);
		good = news.err.code ? news.err.code == ERR_MEMORY && news.err.text[0] : news.trace && news.analysis && news.table;
		analysis_unref(news.analysis);
		event_counts_free(news.event_counts);
		mem_free(news.table);
		session_stop(s);
	}
	worked = mem_count();
	good = good && mem_live() == 0;
	if (!good)
		diag("allocation %ld failed%s: %ld blocks are left", n, once ? " alone" : "", mem_live());
	mem_fail_after(-1);
	return good;
}

/* Through all views. */
static bool app_fails_well(long n, bool once)
{
	static struct app a;
	struct tui_options o = {.paths = paths, .count = 1, .threads = 1};
	struct err e = {ERR_OK, ""};
	bool good;

	settings_init(&o.settings);
	(once ? mem_fail_once : mem_fail_after)(n);
	if (app_init(&a, &o, &e)) {
		good = e.code == ERR_MEMORY && e.text[0];
	} else {
		app_resize(&a, 200, 50);
		app_settle(&a);
		for (const char *key = "4+v6Jv3s\rq5v2se1u[/x\r&P\r6&r0\r"; *key && !a.shell.quit; key++) {
			app_key(&a, (uint32_t)*key);
			app_settle(&a);
		}
		good = !a.shell.quit || (a.shell.status && a.shell.last_words[0]);
		app_release(&a);
	}
	worked = mem_count();
	good = good && mem_live() == 0;
	if (!good)
		diag("allocation %ld failed%s: %ld blocks are left", n, once ? " alone" : "", mem_live());
	mem_fail_after(-1);
	return good;
}

static void test_memory(bool (*fails_well)(long n, bool once), const char *what)
{
	long all;

	ok(fails_well(1000000000, false), "%s with memory", what);
	all = worked;
	for (int once = 0; once < 2; once++) {
		bool good = true;

		for (long n = 0; n < all; n += 1 + n / 24)
			good = fails_well(n, once) && good;
		ok(good && all > 100, "%s without it%s: %ld allocations", what, once ? " for one thing" : "", all);
	}
}

int main(void)
{
	test_tasks();
	test_session();
	test_memory(session_fails_well, "a session");
	test_memory(app_fails_well, "the workbench");
	return done_testing();
}
