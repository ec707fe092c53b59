/* To be preloaded: long alarms come soon, after 3 s of 120. */
#define _GNU_SOURCE
#include <sys/time.h>
#include <unistd.h>

unsigned alarm(unsigned seconds)
{
	struct itimerval timer = {.it_value = {seconds > 60 ? seconds - 117 : seconds, 0}};

	setitimer(ITIMER_REAL, &timer, NULL);
	return 0;
}
