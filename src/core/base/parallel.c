#include "parallel.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define WORTH_A_THREAD ((size_t)4 << 20) /* bytes to set */

struct parallel_task {
	void (*part)(void *arg, unsigned i);
	void *arg;
	unsigned i;
};

static void *parallel_run_task(void *task)
{
	struct parallel_task *t = task;

	t->part(t->arg, t->i);
	return NULL;
}

void parallel_run(unsigned parts, void (*part)(void *arg, unsigned i), void *arg)
{
	struct parallel_task tasks[PARALLEL_MOST];
	pthread_t threads[PARALLEL_MOST];
	bool made[PARALLEL_MOST];

	for (unsigned i = 1; i < parts; i++) {
		tasks[i] = (struct parallel_task){part, arg, i};
		made[i] = pthread_create(&threads[i], NULL, parallel_run_task, &tasks[i]) == 0;
	}
	part(arg, 0);
	for (unsigned i = 1; i < parts; i++) {
		if (made[i])
			pthread_join(threads[i], NULL);
		else
			part(arg, i);
	}
}

struct parallel_filling {
	char *p;
	int byte;
	size_t bytes;
	unsigned parts;
};

static void set_part(void *arg, unsigned part)
{
	const struct parallel_filling *filling = arg;
	size_t each = filling->bytes / filling->parts, begin = part * each;

	memset(filling->p + begin, filling->byte, part + 1 == filling->parts ? filling->bytes - begin : each);
}

void parallel_set(void *p, int byte, size_t bytes, unsigned threads)
{
	struct parallel_filling filling = {p, byte, bytes, threads && bytes >= WORTH_A_THREAD ? threads : 1};

	if (bytes)
		parallel_run(filling.parts, set_part, &filling);
}

unsigned parallel_threads(unsigned asked, unsigned most)
{
	if (!asked) {
		long online = sysconf(_SC_NPROCESSORS_ONLN);

		asked = online > 0 ? (unsigned)online : 1;
	}
	if (asked > most)
		asked = most;
	return asked < PARALLEL_MOST ? asked : PARALLEL_MOST;
}
