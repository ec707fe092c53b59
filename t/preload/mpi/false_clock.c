/* Preloaded behind the tracer's library, or into the probe: a machine whose clock is known to be wrong, and a link that
 * is slower one way.
 *
 *     FALSE_RATE=RATE FALSE_SINCE=UTC   CLOCK_MONOTONIC gains RATE s/s since that time of day
 *     FALSE_DELAY=SECONDS               whoever receives one number learns of it so much later
 *     FALSE_SLOW=FIRST,COUNT            but only from such a one on (the first is 0), and for so many
 *     FALSE_NTP=good|bad|none           what adjtimex() says: synchronised, not, an error
 *     FALSE_SOURCE=NAME                 the kernel's clock source
 */
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static double rate, since;      /* since: of CLOCK_MONOTONIC */

static void read_clock(clockid_t id, struct timespec *t)
{
	syscall(SYS_clock_gettime, id, t);
}

static double seconds(clockid_t id)
{
	struct timespec t;

	read_clock(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((constructor)) static void begin(void)
{
	const char *asked_rate = getenv("FALSE_RATE"), *asked_since = getenv("FALSE_SINCE");

	rate = asked_rate ? atof(asked_rate) : 0;
	since = (asked_since ? atof(asked_since) : 0) - seconds(CLOCK_REALTIME) + seconds(CLOCK_MONOTONIC);
}

int clock_gettime(clockid_t id, struct timespec *t)
{
	double gained;
	long ns;

	if (id != CLOCK_MONOTONIC || rate == 0)
		return (int)syscall(SYS_clock_gettime, id, t);
	read_clock(id, t);
	gained = rate * ((double)t->tv_sec - since + 1e-9 * (double)t->tv_nsec);
	ns = t->tv_nsec + (long)(gained * 1e9);
	t->tv_sec += ns / 1000000000 - (ns % 1000000000 < 0);
	t->tv_nsec = ns % 1000000000 + (ns % 1000000000 < 0 ? 1000000000 : 0);
	return 0;
}

static void delay(void)
{
	static int received;
	const char *s = getenv("FALSE_DELAY"), *slow = getenv("FALSE_SLOW");
	int first = 0, count = 1 << 30, number = received++;
	double until = seconds(CLOCK_MONOTONIC) + (s ? atof(s) : 0);

	if (slow)
		sscanf(slow, "%d,%d", &first, &count);
	while (s && number >= first && number - first < count && seconds(CLOCK_MONOTONIC) < until)
		;
}

int PMPI_Recv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
	int (*next)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
	int code;

	*(void **)&next = dlsym(RTLD_NEXT, "PMPI_Recv");
	code = next(to, count, type, from, tag, comm, status);
	if (count == 1)
		delay();
	return code;
}

int MPI_Recv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
	return PMPI_Recv(to, count, type, from, tag, comm, status);
}

int adjtimex(struct timex *t)
{
	const char *s = getenv("FALSE_NTP");

	if (!s)
		return (int)syscall(SYS_adjtimex, t);
	memset(t, 0, sizeof *t);
	if (!strcmp(s, "none")) {
		errno = EPERM;
		return -1;
	}
	t->esterror = 123;
	t->maxerror = 4567;
	t->freq = -10 * 65536;
	t->status = strcmp(s, "good") ? STA_UNSYNC : 0;
	return strcmp(s, "good") ? TIME_ERROR : TIME_OK;
}

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *);
	char *source = getenv("FALSE_SOURCE");

	*(void **)&next = dlsym(RTLD_NEXT, "fopen");
	if (source && strstr(path, "/current_clocksource"))
		return fmemopen(source, strlen(source), "r");
	return next(path, mode);
}
