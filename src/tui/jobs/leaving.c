#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "background.h"
#include "core/base/mem.h"
#include "session.h"

struct leaving {
	struct session *session;
	struct background *background;
	struct session_loaded *loaded;
	pthread_t thread;
	bool started;
};

static void *leaving_run(void *arg)
{
	struct leaving *l = arg;

	background_stop(l->background);
	l->loaded = session_stop_keeping(l->session);
	return NULL;
}

struct leaving *leaving_start(struct session *s, struct background *b)
{
	struct leaving *l = mem_zero(1, sizeof *l);
	sigset_t all, old;

	if (!l)
		return NULL;
	l->session = s;
	l->background = b;
	/* Signals are for the thread that draws. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	l->started = pthread_create(&l->thread, NULL, leaving_run, l) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!l->started)
		leaving_run(l);
	return l;
}

struct session_loaded *leaving_end(struct leaving *l)
{
	struct session_loaded *loaded;

	if (l->started)
		pthread_join(l->thread, NULL);
	loaded = l->loaded;
	mem_free(l);
	return loaded;
}
