/* Ctrl-C under --plain: who has the screen read out stops what takes long and goes on, as on the screen; where nothing
 * is being made it takes a question back, and then leaves with 130, which scripts know.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app_case.h"
#include "tap.h"
#include "tui/app/app_int.h"
#include "exit.h"

static struct app a;
static int typed[2];
static bool working; /* as if something took long */

static bool catches(void)
{
	struct sigaction now;

	sigaction(SIGINT, NULL, &now);
	return now.sa_handler != SIG_DFL;
}

static void put(const char *line)
{
	if (write(typed[1], line, strlen(line)) < 0)
		bail_out("no input");
}

static bool writes(FILE *f, const char *text)
{
	static char bytes[65536];
	ssize_t n = pread(fileno(f), bytes, sizeof bytes - 1, 0);

	bytes[n > 0 ? n : 0] = 0;
	return strstr(bytes, text) != NULL;
}

static FILE *said;
static const char *first_lines, *awaited, *last_lines;

/* The person at the keyboard: waits for what is said, then presses Ctrl-C. */
static void *types(void *arg)
{
	(void)arg;
	while (!catches())
		sched_yield();
	if (first_lines)
		put(first_lines);
	while (awaited && !writes(said, awaited))
		sched_yield();
	kill(getpid(), SIGINT);
	if (last_lines) {
		while (!writes(said, "Stopped.") && !writes(said, "cancelled"))
			sched_yield();
		put(last_lines);
	}
	return NULL;
}

/* What plain_run() returns; what it says goes to `said`. */
static int run(void)
{
	static const char *paths[] = {"sample-traces/cg.S.4.clog2"};
	struct tui_options o = {.paths = paths, .count = 1, .threads = 1, .plain = true};
	int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO), status;
	pthread_t person;
	struct err e;

	settings_init(&o.settings);
	if (app_init(&a, &o, &e))
		bail_out("%s", e.text);
	app_resize(&a, 120, 40);
	app_settle(&a);
	if (working)
		background_park(a.work.model.background, a.work.model.slots.hash);
	said = tmpfile();
	fflush(stdout);
	if (!said || pipe(typed) || in < 0 || out < 0)
		bail_out("no pipe");
	dup2(typed[0], STDIN_FILENO);
	dup2(fileno(said), STDOUT_FILENO);
	if (pthread_create(&person, NULL, types, NULL))
		bail_out("no thread");
	status = plain_run(&a, true);
	fflush(stdout);
	pthread_join(person, NULL);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	close(in);
	close(out);
	close(typed[0]);
	close(typed[1]);
	app_release(&a);
	return status;
}

int main(void)
{
	int status;

	signal(SIGINT, SIG_DFL); /* who is started in the background may have it ignored */
	setenv("XDG_STATE_HOME", "/nonexistent", 1);
	awaited = "help and Enter";
	status = run();
	is_int(status, EXIT_INTERRUPTED, "where nothing is asked or made it leaves, as on the screen");
	ok(!catches(), "and Ctrl-C is the program's again");
	fclose(said);

	awaited = "asks: filter";
	first_lines = "3\n&\n";
	last_lines = "Q\n";
	status = run();
	is_int(status, EXIT_OK, "it takes a question back");
	ok(writes(said, "Prompt cancelled"), "which is said");
	fclose(said);

	working = true;
	first_lines = NULL;
	awaited = NULL;
	last_lines = "2\nQ\n";
	status = run();
	is_int(status, EXIT_OK, "what takes long is stopped");
	ok(writes(said, "Stopped.") && writes(said, "view Blocks"), "and the next line is done as ever");
	fclose(said);
	return done_testing();
}
