#include "team_threads.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/mem.h"

/* What a rank brings to a collective step. Who comes to the next one has read all of this one, so two of them take
 * turns. */
struct place {
	struct brought {
		enum err_code code;
		char text[ERR_TEXT];
		const struct team_bytes *to;
	} brought[2];
	uint64_t *list;
};

/* Most of what small teams do is wait for each other: no lock is taken that those who are woken would have to wait for again. */
struct room {
	atomic_uint waiting;     /* for the others to come */
	atomic_uint turns;       /* how often all had come; STOPPED: a rank comes no more. Who waits sleeps on it. */
	pthread_mutex_t gate;    /* of what follows; held until all have been started */
	bool complete;           /* all have been started */
	struct place *places;
	uint32_t size;
};

#define STOPPED 0x80000000u

struct seat {
	struct room *room;
	struct team team;
	unsigned turn;           /* which of the two it brings something to next */
	uint64_t bytes_sent, steps;
	struct err broken;
	pthread_t thread;
	void (*run)(void *arg, const struct team *team);
	void *arg;
};

static struct place *place_of(struct seat *seat)
{
	return &seat->room->places[seat->team.rank];
}

static void room_wake(struct room *room)
{
	syscall(SYS_futex, &room->turns, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* All of them come here, and go on. False: one has stopped the team. */
static bool wait_all(struct seat *seat, char *text)
{
	struct room *room = seat->room;
	unsigned turn = atomic_load(&room->turns) & ~STOPPED, expected = turn, now;

	if (atomic_fetch_add(&room->waiting, 1) + 1 == room->size) {
		atomic_store(&room->waiting, 0);
		if (atomic_compare_exchange_strong(&room->turns, &expected, turn + 1))
			room_wake(room);
	}
	/* The others are mostly about to come: letting them is cheaper than being woken. */
	for (int i = 0; i < 50 && atomic_load(&room->turns) == turn; i++)
		sched_yield();
	while ((now = atomic_load(&room->turns)) == turn)
		syscall(SYS_futex, &room->turns, FUTEX_WAIT_PRIVATE, turn, NULL, NULL, 0);
	if ((now & ~STOPPED) != turn)
		return true;
	snprintf(text, ERR_TEXT, "rank %u: another rank has left", seat->team.rank);
	return false;
}

/* What all bring is in brought[turn] then. */
static enum err_code agree(void *of, enum err_code *worst, char *text, uint32_t *rank)
{
	struct seat *seat = of;
	unsigned turn = seat->turn;
	struct brought *own = &place_of(seat)->brought[turn];

	seat->turn = !turn;
	own->code = *worst;
	if (*worst)
		memcpy(own->text, text, ERR_TEXT);
	if (!wait_all(seat, text))
		return ERR_IO;
	for (uint32_t r = 0; r < seat->room->size; r++) {
		const struct brought *its = &seat->room->places[r].brought[turn];

		if (its->code) {
			*worst = its->code;
			memcpy(text, its->text, ERR_TEXT);
			*rank = r;
			break;
		}
	}
	return ERR_OK;
}

static enum err_code exchange(void *of, const struct team_bytes *to, struct team_bytes *from, enum err_code *worst, char *text, uint32_t *rank)
{
	struct seat *seat = of;
	unsigned turn = seat->turn;
	enum err_code held;
	struct err e = {0};

	place_of(seat)->brought[turn].to = to;
	held = agree(of, worst, text, rank);
	if (held || *worst)
		return held;
	for (uint32_t r = 0; !e.code && r < seat->room->size; r++) {
		const struct team_bytes *its = &seat->room->places[r].brought[turn].to[seat->team.rank];

		from[r] = (struct team_bytes){mem_alloc(its->n, 1), its->n};
		if (!from[r].bytes)
			err_memory(&e, "what other ranks send");
		else if (its->n)
			memcpy(from[r].bytes, its->bytes, its->n);
	}
	*worst = e.code;
	memcpy(text, e.text, ERR_TEXT);
	return agree(of, worst, text, rank);
}

static void add_128(uint64_t *to, const uint64_t *from)
{
	uint64_t low = to[0] + from[0];

	to[1] += from[1] + (low < to[0]);
	to[0] = low;
}

/* b[] into a[], of n numbers. */
static void combine(uint64_t *a, const uint64_t *b, size_t n, enum team_operation by)
{
	for (size_t i = 0; i < n; i += by == TEAM_SUM_128 ? 2 : 1)
		switch (by) {
		case TEAM_SUM: a[i] += b[i]; break;
		case TEAM_MAX: a[i] = a[i] > b[i] ? a[i] : b[i]; break;
		case TEAM_MIN: a[i] = a[i] < b[i] ? a[i] : b[i]; break;
		case TEAM_OR: a[i] |= b[i]; break;
		case TEAM_SUM_128: add_128(a + i, b + i); break;
		}
}

/* Each rank does a slice of the numbers, and nobody else touches it, in anyone's list. */
static enum err_code reduce(void *of, uint64_t *list, size_t n, enum team_operation by, char *text)
{
	struct seat *seat = of;
	struct place *places = seat->room->places;
	size_t pairs = (n + 1) / 2, begin = pairs * seat->team.rank / seat->room->size * 2,
	       end = pairs * (seat->team.rank + 1) / seat->room->size * 2;

	if (end > n)
		end = n;
	place_of(seat)->list = list;
	if (!wait_all(seat, text))
		return ERR_IO;
	for (uint32_t r = 1; begin < end && r < seat->room->size; r++)
		combine(places[0].list + begin, places[r].list + begin, end - begin, by);
	for (uint32_t r = 1; begin < end && r < seat->room->size; r++)
		memcpy(places[r].list + begin, places[0].list + begin, (end - begin) * sizeof *list);
	return wait_all(seat, text) ? ERR_OK : ERR_IO;
}

static void release(void *of)
{
	(void)of;
}

static void stop(void *of, int status)
{
	struct room *room = ((struct seat *)of)->room;

	(void)status;
	atomic_fetch_or(&room->turns, STOPPED);
	room_wake(room);
}

static const struct team_kind threads = {agree, exchange, reduce, release, stop};

static void *start(void *of)
{
	struct seat *seat = of;
	bool complete;

	pthread_mutex_lock(&seat->room->gate);
	complete = seat->room->complete;
	pthread_mutex_unlock(&seat->room->gate);
	if (complete)
		seat->run(seat->arg, &seat->team);
	return NULL;
}

/* A team's threads run on their caller's processor, and so does the caller from then on. Small teams spend most of their time switching
 * threads, which takes longer between two processors: beside three other tests, metrics_team.t took 53 s on two processors and takes
 * 17 s on one. And what a program has ever run on must be told of each page that it gives back. */
static void team_on_one_processor(void)
{
	int cpu = sched_getcpu();
	cpu_set_t here;

	CPU_ZERO(&here);
	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_SET(cpu, &here);
	sched_setaffinity(0, sizeof here, &here);
}

bool team_threads_run(uint32_t size, void (*run)(void *arg, const struct team *team), void *arg)
{
	struct room room = {.size = size, .gate = PTHREAD_MUTEX_INITIALIZER};
	struct seat *seats = mem_zero(size, sizeof *seats);
	uint32_t started = 0;

	room.places = mem_zero(size, sizeof *room.places);
	if (!seats || !room.places) {
		mem_free(seats);
		mem_free(room.places);
		return false;
	}
	for (uint32_t r = 0; r < size; r++) {
		struct seat *seat = &seats[r];

		*seat = (struct seat){.room = &room, .run = run, .arg = arg,
				      .team = {r, size, &threads, seat, &seat->broken, &seat->bytes_sent, &seat->steps}};
	}
	/* Who came to a first collective step of a team that is not complete would wait for ever. */
	team_on_one_processor();
	pthread_mutex_lock(&room.gate);
	while (started < size && !pthread_create(&seats[started].thread, NULL, start, &seats[started]))
		started++;
	room.complete = started == size;
	pthread_mutex_unlock(&room.gate);
	for (uint32_t r = 0; r < started; r++)
		pthread_join(seats[r].thread, NULL);
	mem_free(seats);
	mem_free(room.places);
	return room.complete;
}
