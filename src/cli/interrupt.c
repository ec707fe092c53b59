#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "exit.h"

static volatile sig_atomic_t seen;
static void (*last_act)(int status);

static void signal_mark_seen(int number)
{
	seen = number;
}

void interrupt_catch(void)
{
	static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction act = {.sa_handler = signal_mark_seen}, old;

	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
		if (sigaction(asking[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(asking[i], &act, NULL);
	act.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &act, NULL);
}

static void signal_end(int number)
{
	(void)number;
	last_act(EXIT_INTERRUPTED);
	_exit(EXIT_INTERRUPTED);
}

void interrupt_ends(void (*last)(int status))
{
	struct sigaction act = {.sa_handler = signal_end}, old;

	last_act = last;
	sigemptyset(&act.sa_mask);
	if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &act, NULL);
}

bool interrupt_seen(void)
{
	return seen != 0;
}

static void end_by(int number)
{
	sigset_t set;

	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

void interrupt_pass_on(void)
{
	if (seen && seen != SIGINT)
		end_by(seen);
}

void interrupt_end_by_pipe(void)
{
	end_by(SIGPIPE);
}
