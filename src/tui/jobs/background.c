#include "background.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"

struct task_slot {
	struct background *owner;
	pthread_t thread;
	bool started;
	/* Polled and told by the running task. */
	atomic_bool stop;
	atomic_int stage;
	atomic_ullong done, total;
	int64_t told_ns; /* when progress was last told; its thread's own */
	/* Under the lock. */
	struct task *waiting, *ready;
	bool running, superseded; /* superseded: stopped for a newer task, which is no news */
	struct err err;
};

struct background {
	void (*wake)(void *arg);
	void *arg;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool quit;
	unsigned asked; /* the drawing thread's own */
	struct task_slot **slots; /* slot n at n - 1; by pointer, for threads hold them */
	size_t count, room;
};

static void on_progress(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	struct task_slot *s = arg;
	int64_t now = clock_ns();

	atomic_store(&s->stage, (int)stage);
	atomic_store(&s->done, done);
	atomic_store(&s->total, total);
	if (now - s->told_ns >= 50000000) {
		s->told_ns = now;
		s->owner->wake(s->owner->arg);
	}
}

static bool is_stopped(void *arg)
{
	return atomic_load(&((struct task_slot *)arg)->stop);
}

static void task_drop(struct task *t)
{
	if (t)
		t->free(t);
}

/* With the lock held. */
static void run_one(struct task_slot *s)
{
	struct background *b = s->owner;
	const struct progress progress = {on_progress, is_stopped, s};
	struct err e = {ERR_OK, ""};
	struct task *t = s->waiting;
	enum err_code code;

	s->waiting = NULL;
	s->running = true;
	s->superseded = false;
	atomic_store(&s->stop, b->quit);
	atomic_store(&s->done, 0);
	atomic_store(&s->total, 0);
	pthread_mutex_unlock(&b->lock);
	code = t->run(t, &progress, &e);
	if (code) {
		task_drop(t);
		t = NULL;
	}
	pthread_mutex_lock(&b->lock);
	s->running = false;
	if (t) {
		task_drop(s->ready);
		s->ready = t;
		s->err.code = ERR_OK;
	} else if (!s->superseded) {
		s->err = e;
		s->err.code = code;
	}
}

static void *slot_run_tasks(void *arg)
{
	struct task_slot *s = arg;
	struct background *b = s->owner;

	pthread_mutex_lock(&b->lock);
	while (!b->quit) {
		if (s->waiting) {
			run_one(s);
			b->wake(b->arg);
			pthread_cond_broadcast(&b->changed);
		} else {
			pthread_cond_wait(&b->changed, &b->lock);
		}
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

enum err_code background_new(struct background **out, void (*wake)(void *arg), void *arg, struct err *e)
{
	struct background *b = mem_zero(1, sizeof *b);

	*out = b;
	if (!b)
		return err_memory(e, "the background work");
	b->wake = wake;
	b->arg = arg;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
	return ERR_OK;
}

int background_slot_new(struct background *b)
{
	struct task_slot **slots, *s = mem_zero(1, sizeof *s);

	pthread_mutex_lock(&b->lock);
	slots = s ? mem_grow(b->slots, b->count, &b->room, sizeof *slots) : NULL;
	if (slots) {
		s->owner = b;
		b->slots = slots;
		b->slots[b->count++] = s;
	} else {
		mem_free(s);
	}
	pthread_mutex_unlock(&b->lock);
	return slots ? (int)b->count : 0;
}

void background_ask(struct background *b, int slot, struct task *t)
{
	struct task_slot *s = b->slots[slot - 1];
	sigset_t all, old;

	pthread_mutex_lock(&b->lock);
	task_drop(s->waiting);
	task_drop(s->ready);
	s->waiting = t;
	s->ready = NULL;
	s->err.code = ERR_OK;
	s->superseded = true;
	atomic_store(&s->stop, true);
	if (!s->started) {
		/* Signals are for the thread that draws. */
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, &old);
		s->started = pthread_create(&s->thread, NULL, slot_run_tasks, s) == 0;
		pthread_sigmask(SIG_SETMASK, &old, NULL);
		if (!s->started) {
			task_drop(s->waiting);
			s->waiting = NULL;
			err_set(&s->err, ERR_LIMIT, "cannot start a thread for work in the background");
		}
	}
	b->asked += s->started;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
}

struct task *background_take(struct background *b, int slot, struct err *e)
{
	struct task_slot *s = b->slots[slot - 1];
	struct task *t;

	pthread_mutex_lock(&b->lock);
	t = s->ready;
	s->ready = NULL;
	*e = s->err;
	s->err.code = ERR_OK;
	pthread_mutex_unlock(&b->lock);
	return t;
}

static bool slot_busy(const struct task_slot *s)
{
	return s->waiting || s->running;
}

struct background_state background_state(struct background *b, int slot)
{
	struct task_slot *s = b->slots[slot - 1];
	struct background_state state;

	pthread_mutex_lock(&b->lock);
	state = (struct background_state){
		slot_busy(s), (enum progress_stage)atomic_load(&s->stage), atomic_load(&s->done), atomic_load(&s->total),
	};
	pthread_mutex_unlock(&b->lock);
	return state;
}

void background_cancel(struct background *b, int slot)
{
	struct task_slot *s = b->slots[slot - 1];

	pthread_mutex_lock(&b->lock);
	if (s->waiting)
		err_set(&s->err, ERR_CANCELLED, "stopped");
	task_drop(s->waiting);
	s->waiting = NULL;
	atomic_store(&s->stop, true);
	pthread_mutex_unlock(&b->lock);
}

bool background_busy(struct background *b, struct background_state *state)
{
	for (size_t i = 1; i <= b->count; i++) {
		*state = background_state(b, (int)i);
		if (state->busy)
			return true;
	}
	return false;
}

void background_cancel_all(struct background *b)
{
	for (size_t i = 1; i <= b->count; i++)
		background_cancel(b, (int)i);
}

unsigned background_asked(struct background *b)
{
	return b->asked;
}

void background_wait_idle(struct background *b)
{
	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < b->count; i++)
		while (slot_busy(b->slots[i]))
			pthread_cond_wait(&b->changed, &b->lock);
	pthread_mutex_unlock(&b->lock);
}

void background_stop(struct background *b)
{
	if (!b)
		return;
	pthread_mutex_lock(&b->lock);
	b->quit = true;
	for (size_t i = 0; i < b->count; i++)
		atomic_store(&b->slots[i]->stop, true);
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
	for (size_t i = 0; i < b->count; i++) {
		struct task_slot *s = b->slots[i];

		if (s->started)
			pthread_join(s->thread, NULL);
		task_drop(s->waiting);
		task_drop(s->ready);
		mem_free(s);
	}
	mem_free(b->slots);
	pthread_cond_destroy(&b->changed);
	pthread_mutex_destroy(&b->lock);
	mem_free(b);
}
