#include "tui_screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <vterm.h>

#define PAUSE_MS 12
#define PATIENCE_MS 120000

double screen_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

void screen_die(const char *what)
{
	fprintf(stderr, "tui_latency: %s\n", what);
	exit(1);
}

void screen_start(struct bench *b, const char *trace)
{
	struct winsize size = {.ws_row = (unsigned short)b->height, .ws_col = (unsigned short)b->width};
	const char *path = getenv("PAS2P");

	b->vt = vterm_new(b->height, b->width);
	vterm_set_utf8(b->vt, 1);
	b->screen = vterm_obtain_screen(b->vt);
	vterm_screen_enable_altscreen(b->screen, 1);
	vterm_screen_reset(b->screen, 1);
	b->program = forkpty(&b->master, NULL, NULL, &size);
	if (b->program < 0)
		screen_die(strerror(errno));
	if (!b->program) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		execl(path ? path : "build/pas2p", "pas2p", "--no-config", trace, (char *)NULL);
		_exit(99);
	}
	fcntl(b->master, F_SETFL, O_NONBLOCK);
}

bool screen_drain(struct bench *b, int ms)
{
	struct pollfd p = {.fd = b->master, .events = POLLIN};
	char buf[65536];
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return false;
	n = read(b->master, buf, sizeof buf);
	if (n <= 0)
		screen_die("the program has ended");
	b->last_byte = screen_now();
	b->bytes += (unsigned long)n;
	vterm_input_write(b->vt, buf, (size_t)n);
	while ((n = (ssize_t)vterm_output_read(b->vt, buf, sizeof buf)) > 0)
		if (write(b->master, buf, (size_t)n) < 0)
			break;
	return true;
}

bool screen_holds(struct bench *b, const char *text)
{
	char row[SCREEN_MOST_SIDE * 8];

	for (int y = 0; y < b->height; y++) {
		VTermRect rect = {y, y + 1, 0, b->width};
		size_t n = vterm_screen_get_text(b->screen, row, sizeof row - 1, rect);

		row[n] = 0;
		if (strstr(row, text))
			return true;
	}
	return false;
}

static void print_screen(struct bench *b)
{
	char row[SCREEN_MOST_SIDE * 8];

	for (int y = 0; y < b->height; y++) {
		VTermRect rect = {y, y + 1, 0, b->width};
		size_t n = vterm_screen_get_text(b->screen, row, sizeof row - 1, rect);

		fprintf(stderr, "|%.*s\n", (int)n, row);
	}
}

void screen_wait(struct bench *b, const char *text, bool there)
{
	double end = screen_now() + PATIENCE_MS;

	while (screen_holds(b, text) != there) {
		screen_drain(b, 50);
		if (screen_now() > end) {
			print_screen(b);
			screen_die("the screen never came");
		}
	}
}

void screen_settle(struct bench *b)
{
	screen_wait(b, "now…", false);
	while (screen_drain(b, 150))
		;
}

void screen_press(struct bench *b, const char *key)
{
	if (write(b->master, key, strlen(key)) < 0)
		screen_die(strerror(errno));
}

void screen_time_key(struct bench *b, const char *key, struct times *t)
{
	unsigned long before;
	double began, first;

	while (screen_drain(b, 0))
		;
	before = b->bytes;
	began = screen_now();
	b->last_byte = 0;
	screen_press(b, key);
	screen_drain(b, 500);
	first = b->last_byte - began;
	while (b->last_byte > 0 && screen_drain(b, PAUSE_MS))
		;
	if (b->last_byte <= 0) {
		/* It may have had nothing to change, as at an end of the run; but then the screen is drawn again at once. */
		screen_press(b, "\f");
		if (!screen_drain(b, 5000)) {
			print_screen(b);
			screen_die("no answer");
		}
		return;
	}
	if (t->n < TIMES_MOST) {
		t->bytes[t->n] = (double)(b->bytes - before);
		t->first[t->n] = first;
		t->ms[t->n++] = b->last_byte - began;
	}
}

static bool holds_one(struct bench *b, const char *const *texts)
{
	bool one = false;

	for (; *texts && !one; texts++)
		one = screen_holds(b, *texts);
	return one;
}

void screen_time_knob(struct bench *b, const char *key, const char *const *doing, struct times *value, struct times *figures)
{
	double began, first = 0;
	unsigned long before;

	screen_settle(b);
	before = b->bytes;
	began = screen_now();
	screen_press(b, key);
	b->last_byte = 0;
	do {
		screen_drain(b, 5000);
		if (first <= 0)
			first = b->last_byte - began;
		while (screen_drain(b, PAUSE_MS))
			;
	} while (holds_one(b, doing));
	if (value->n < TIMES_MOST) {
		value->bytes[value->n] = figures->bytes[figures->n] = (double)(b->bytes - before);
		value->first[value->n] = first;
		value->ms[value->n++] = first;
		figures->first[figures->n] = b->last_byte - began;
		figures->ms[figures->n++] = b->last_byte - began;
	}
}

void screen_end(struct bench *b)
{
	screen_press(b, "Q");
	waitpid(b->program, NULL, 0);
	vterm_free(b->vt);
	close(b->master);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void screen_report(const char *what, struct times *t, double median, double worst)
{
	bool missed;

	if (!t->n)
		return;
	qsort(t->first, (size_t)t->n, sizeof *t->first, by_size);
	qsort(t->ms, (size_t)t->n, sizeof *t->ms, by_size);
	qsort(t->bytes, (size_t)t->n, sizeof *t->bytes, by_size);
	missed = t->first[t->n / 2] > median || t->first[t->n - 1] > worst;
	printf("%-40s %5d %7.1f %7.1f %9.1f %9.1f %9.1f %9.0f %9.0f%s\n", what, t->n, t->first[t->n / 2], t->first[t->n - 1], t->ms[t->n / 2],
	       t->ms[(t->n * 99) / 100 < t->n ? (t->n * 99) / 100 : t->n - 1], t->ms[t->n - 1], t->bytes[t->n / 2], t->bytes[t->n - 1],
	       missed ? "  MISSED" : "");
	fflush(stdout);
	t->n = 0;
}

