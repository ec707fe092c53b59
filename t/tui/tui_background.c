/* Work in the background that is stopped, or that runs out of memory. A task that is stopped says so, one that a newer
 * one replaces says nothing, and each is freed once, whatever it was at. A derived result is made once for what is
 * shown, is asked for again when that is another, and stays with who keeps it. A session whose analysis is stopped goes
 * on with the next wish. When an allocation fails - each of the first, then ever fewer of the later ones, once alone
 * and once with all that follow - loading and analysing end with a sentence or a result, the workbench shows its views
 * or leaves in order, and nothing is lost on the way.
 */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/mem.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/jobs/derived.h"

static const char *const paths[] = {"sample-traces/sendrecv.4.clog2"}, *const longer[] = {"sample-traces/lu.S.4.clog2"};

/* --- tasks --- */

static atomic_int begun, freed;
static int slot;

static enum err_code until_stopped(struct task *t, const struct progress *progress, struct err *e)
{
	(void)t;
	atomic_fetch_add(&begun, 1);
	while (!progress_stopped(progress))
		sched_yield();
	return err_set(e, ERR_CANCELLED, "stopped");
}

static enum err_code at_once(struct task *t, const struct progress *progress, struct err *e)
{
	(void)t;
	(void)progress;
	(void)e;
	atomic_fetch_add(&begun, 1);
	return ERR_OK;
}

static enum err_code no_memory(struct task *t, const struct progress *progress, struct err *e)
{
	(void)t;
	(void)progress;
	return err_memory(e, "the test");
}

static void free_task(struct task *t)
{
	atomic_fetch_add(&freed, 1);
	mem_free(t);
}

static void ask(struct background *b, enum err_code (*run)(struct task *t, const struct progress *progress, struct err *e))
{
	struct task *t = mem_alloc(1, sizeof *t);

	if (!t)
		bail_out("no memory");
	*t = (struct task){run, free_task};
	background_ask(b, slot, t);
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
	if (background_new(&b, wake, &woken, &e) || !(slot = background_slot_new(b)))
		bail_out("%s", e.text);
	ask(b, until_stopped);
	wait_for(1);
	ok(background_state(b, slot).busy, "a task runs");
	background_cancel(b, slot);
	background_wait_idle(b);
	t = background_take(b, slot, &e);
	ok(!t && e.code == ERR_CANCELLED && e.text[0], "stopped, it says so");
	ok(!background_take(b, slot, &e) && !e.code, "once");
	ok(atomic_load(&woken) > 0, "and wakes who draws");

	ask(b, until_stopped);
	wait_for(2);
	ask(b, at_once);
	background_wait_idle(b);
	t = background_take(b, slot, &e);
	ok(t && !e.code, "one that a newer one replaces is stopped without a word, and the newer one is done");
	free_task(t);

	ask(b, until_stopped);
	wait_for(4);
	ask(b, at_once);
	background_cancel(b, slot);
	background_wait_idle(b);
	t = background_take(b, slot, &e);
	ok(t ? !e.code : e.code == ERR_CANCELLED, "one that was waiting is stopped, or was done just before");
	if (t)
		free_task(t);

	ask(b, no_memory);
	background_wait_idle(b);
	ok(!background_take(b, slot, &e) && e.code == ERR_MEMORY, "a failure is told");

	asked = background_asked(b);
	ask(b, at_once);
	background_wait_idle(b);
	ok(background_asked(b) != asked, "what is done already was asked for, so a script waits until it is taken");
	ask(b, until_stopped);
	background_stop(b);
	is_int(atomic_load(&freed), 8, "and each is freed once, also what runs or waits at the end");
}

/* --- derived results --- */

/* Twice a number; 0 is none to be made of, and of ENDLESS or more there is no end. */
#define ENDLESS 100

struct doubled {
	struct made made;
	int of, twice;
};

static atomic_int doublings, released;

static bool doubled_can(const void *from)
{
	return *(const int *)from != 0;
}

static void doubled_begin(void *made, const void *from)
{
	((struct doubled *)made)->of = *(const int *)from;
}

static bool doubled_is_of(const void *made, const void *from)
{
	return ((const struct doubled *)made)->of == *(const int *)from;
}

static enum err_code doubled_make(void *made, const struct progress *progress, struct err *e)
{
	struct doubled *x = made;

	atomic_fetch_add(&doublings, 1);
	x->twice = 2 * x->of;
	return x->of >= ENDLESS ? until_stopped(NULL, progress, e) : x->of < 0 ? err_set(e, ERR_LIMIT, "it is negative") : ERR_OK;
}

static void doubled_release(void *made)
{
	(void)made;
	atomic_fetch_add(&released, 1);
}

static const struct derived_kind doubled_kind = {
	"a number", sizeof(struct doubled), doubled_can, doubled_begin, doubled_is_of, doubled_make, doubled_release,
};

/* Once, and once more when what was asked for is there. */
static struct doubled *update(struct derived *d, struct background *b, int of)
{
	derived_update(d, &doubled_kind, b, &of);
	background_wait_idle(b);
	derived_update(d, &doubled_kind, b, &of);
	return derived_current(d, &of);
}

/* Of so many there is no end: it runs, and then is as it says. */
static void begin(struct derived *d, struct background *b, int of)
{
	int n = atomic_load(&begun);

	derived_update(d, &doubled_kind, b, &of);
	wait_for(n + 1);
}

static void test_derived_order(struct derived *d, struct background *b)
{
	const struct doubled *x;
	int of = 0;

	ok(!derived_update(d, &doubled_kind, b, &of) && !d->asked && !derived_busy(d), "nothing is made of nothing");
	x = update(d, b, 3);
	ok(x && x->twice == 6 && d->serial == 1, "a result is made of what there is");
	ok(update(d, b, 3) == x && d->serial == 1 && atomic_load(&doublings) == 1, "once");
	of = 0;
	ok(!derived_current(d, &of) && d->now == x, "while there is nothing to be shown it is not current, and stays");
	begin(d, b, ENDLESS);
	of = ENDLESS;
	ok(derived_busy(d) && d->now == x && !derived_current(d, &of), "until that of something else is there the old one stays, and is not current");
	x = update(d, b, 4);
	ok(x && x->twice == 8 && d->serial == 2 && !d->failure[0], "what is superseded stops without a word");
	begin(d, b, ENDLESS);
	ok(update(d, b, 4) == x && d->serial == 2 && !d->failure[0], "back at what was there, nothing is made again");
}

static void test_derived_failures(struct derived *d, struct background *b)
{
	int n;

	begin(d, b, ENDLESS);
	derived_cancel(d);
	update(d, b, ENDLESS);
	n = atomic_load(&doublings);
	is_str(d->failure, "Stopped.", "what is cancelled says so");
	update(d, b, ENDLESS);
	ok(atomic_load(&doublings) == n && ((struct doubled *)d->now)->twice == 8, "is not asked for again, and the old one stays");
	ok(!update(d, b, -1) && !strcmp(d->failure, "it is negative"), "what fails says why");
	derived_again(d);
	ok(!d->failure[0] && !update(d, b, -1) && d->failure[0], "and is tried again when that is asked for");
	mem_fail_after(0);
	ok(!update(d, b, 5) && !strcmp(d->failure, "Not enough memory for a number."), "without memory that is said");
	mem_fail_after(-1);
	ok(!update(d, b, 5), "once");
	derived_again(d);
	ok(update(d, b, 5) && !d->failure[0], "until it is asked for again");
}

static void test_derived(void)
{
	struct derived d = {.now = NULL};
	struct background *b;
	struct doubled *kept;
	struct err e;
	atomic_int woken;
	int n;

	atomic_init(&woken, 0);
	if (background_new(&b, wake, &woken, &e))
		bail_out("%s", e.text);
	test_derived_order(&d, b);
	test_derived_failures(&d, b);
	kept = made_ref(d.now);
	derived_forget(&d);
	ok(!d.now && d.serial == 4 && kept->twice == 10, "forgotten, it is not there for views any more");
	begin(&d, b, ENDLESS);
	n = atomic_load(&released);
	derived_release(&d);
	ok(!d.now && !d.failure[0] && !derived_busy(&d) && atomic_load(&released) == n, "released, it is as before the first");
	background_stop(b);
	is_int(atomic_load(&released), n + 1, "what was being made ends with the background");
	is_int(kept->twice, 10, "what a view keeps stays");
	made_unref(kept);
	is_int(atomic_load(&released), n + 2, "until it lets go");
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
	test_derived();
	test_session();
	test_memory(session_fails_well, "a session");
	test_memory(app_fails_well, "the workbench");
	return done_testing();
}
