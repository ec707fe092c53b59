/* Key to screen: how long the workbench takes to show what a key does, on a trace of any size.
 *
 *     tui_latency [--events N] [--ranks N] [--dir DIR] [--rounds N] [--size COLUMNSxROWS] [FILE]
 *
 * The program ($PAS2P) runs in a pseudo-terminal as a person would run it. For each key the clock goes from the
 * write of the key to the last byte of what it drew, where the end is a pause of PAUSE_MS without any. A knob has
 * two times: until the screen shows its new value, and until the figures beside it are those of that value.
 * Results are printed as a table: median, 99th percentile and the worst, in milliseconds; then the bytes that a key had written to the
 * terminal, median and most, which is what a slow line waits for. Before all of that: when the first picture was
 * there, of a trace that is still being loaded.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "generate.h"

#if !__has_include(<vterm.h>)
int main(void)
{
	fputs("tui_latency: libvterm is not installed\n", stderr);
	return 1;
}
#else
#include <vterm.h>

#define MOST_SIDE 1000
#define PAUSE_MS 12
#define PATIENCE_MS 600000
#define MOST 4096

struct bench {
	int master;
	pid_t program;
	VTerm *vt;
	VTermScreen *screen;
	int width, height;
	double last_byte; /* when the latest output came */
	unsigned long bytes; /* that came */
};

struct times {
	double ms[MOST], bytes[MOST];
	int n;
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void die(const char *what)
{
	fprintf(stderr, "tui_latency: %s\n", what);
	exit(1);
}

static void start(struct bench *b, const char *trace)
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
		die(strerror(errno));
	if (!b->program) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		execl(path ? path : "build/pas2p", "pas2p", "--no-config", trace, (char *)NULL);
		_exit(99);
	}
	fcntl(b->master, F_SETFL, O_NONBLOCK);
}

/* Take what is written within ms; false: nothing was. */
static bool drain(struct bench *b, int ms)
{
	struct pollfd p = {.fd = b->master, .events = POLLIN};
	char buf[65536];
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return false;
	n = read(b->master, buf, sizeof buf);
	if (n <= 0)
		die("the program has ended");
	b->last_byte = now_ms();
	b->bytes += (unsigned long)n;
	vterm_input_write(b->vt, buf, (size_t)n);
	while ((n = (ssize_t)vterm_output_read(b->vt, buf, sizeof buf)) > 0)
		if (write(b->master, buf, (size_t)n) < 0)
			break;
	return true;
}

static bool holds(struct bench *b, const char *text)
{
	char row[MOST_SIDE * 8];

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
	char row[MOST_SIDE * 8];

	for (int y = 0; y < b->height; y++) {
		VTermRect rect = {y, y + 1, 0, b->width};
		size_t n = vterm_screen_get_text(b->screen, row, sizeof row - 1, rect);

		fprintf(stderr, "|%.*s\n", (int)n, row);
	}
}

static void wait_until(struct bench *b, const char *text, bool there)
{
	double end = now_ms() + PATIENCE_MS;

	while (holds(b, text) != there) {
		drain(b, 50);
		if (now_ms() > end) {
			print_screen(b);
			die("the screen never came");
		}
	}
}

static void settle(struct bench *b)
{
	wait_until(b, "now…", false);
	while (drain(b, 150))
		;
}

static void press(struct bench *b, const char *key)
{
	if (write(b->master, key, strlen(key)) < 0)
		die(strerror(errno));
}

/* Until the key's picture is whole. */
static void time_key(struct bench *b, const char *key, struct times *t)
{
	unsigned long before;
	double began;

	while (drain(b, 0))
		;
	before = b->bytes;
	began = now_ms();
	b->last_byte = 0;
	press(b, key);
	while (drain(b, b->last_byte > 0 ? PAUSE_MS : 2000))
		;
	if (b->last_byte <= 0) {
		/* It may have had nothing to change, as at an end of the run; but then the screen is drawn anew at once. */
		press(b, "\f");
		if (!drain(b, 5000)) {
			print_screen(b);
			die("no answer");
		}
		return;
	}
	if (t->n < MOST) {
		t->bytes[t->n] = (double)(b->bytes - before);
		t->ms[t->n++] = b->last_byte - began;
	}
}

/* Until the new value is there, and until the figures are its own. */
static void time_knob(struct bench *b, const char *key, struct times *value, struct times *figures)
{
	double began, first = 0;
	unsigned long before;

	settle(b);
	before = b->bytes;
	began = now_ms();
	press(b, key);
	b->last_byte = 0;
	do {
		drain(b, 5000);
		if (first <= 0)
			first = b->last_byte - began;
		while (drain(b, PAUSE_MS))
			;
	} while (holds(b, "now…"));
	if (value->n < MOST) {
		value->bytes[value->n] = figures->bytes[figures->n] = (double)(b->bytes - before);
		value->ms[value->n++] = first;
		figures->ms[figures->n++] = b->last_byte - began;
	}
}

/* Until tabs are there, and below them how far it is, or what is known already: ms. */
static double time_first(struct bench *b, double began)
{
	while (!holds(b, "Grid") || !(holds(b, "compute") || holds(b, "reading") || holds(b, "scanning")))
		drain(b, 1);
	return b->last_byte - began;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void report(const char *what, struct times *t)
{
	if (!t->n)
		return;
	qsort(t->ms, (size_t)t->n, sizeof *t->ms, by_size);
	qsort(t->bytes, (size_t)t->n, sizeof *t->bytes, by_size);
	printf("%-34s %5d %9.1f %9.1f %9.1f %9.0f %9.0f\n", what, t->n, t->ms[t->n / 2],
	       t->ms[(t->n * 99) / 100 < t->n ? (t->n * 99) / 100 : t->n - 1], t->ms[t->n - 1], t->bytes[t->n / 2], t->bytes[t->n - 1]);
	fflush(stdout);
	t->n = 0;
}

static void keys(struct bench *b, const char *what, const char *const *list, int rounds)
{
	static struct times t;

	for (int r = 0; r < rounds; r++)
		for (const char *const *k = list; *k; k++)
			time_key(b, *k, &t);
	report(what, &t);
}

static void run(struct bench *b, int rounds)
{
	static struct times value, figures;
	double began = now_ms(), first;
	static const char *const knobs[] = {"]", "]", "]", "[", "[", "[", "}", "{"};

	first = time_first(b, began);
	wait_until(b, "phases", true);
	wait_until(b, "relevant", true);
	settle(b);
	printf("first picture after %.0f ms, loaded and analysed in %.1f s\n\n%-34s %5s %9s %9s %9s %9s %9s\n", first, (now_ms() - began) / 1e3,
	       "milliseconds", "keys", "median", "99 %", "worst", "bytes", "most");
	/* It fills behind the screen: keys go on meanwhile. */
	keys(b, "overview: keys while it fills", (const char *const[]){"j", "j", "l", "h", "k", "k", NULL}, 1);
	wait_until(b, "being ", false);
	settle(b);
	printf("%-34s %5s %9.1f\n", "overview: complete after, s", "", (now_ms() - began) / 1e3);
	keys(b, "overview: lines, words, iterations", (const char *const[]){"j", "j", "l", "l", "h", "\r", "\r", "j", "j", "l", "l", "L", "G", "g", NULL},
	     rounds);
	for (int r = 0; r < rounds; r++)
		for (size_t k = 0; k < sizeof knobs / sizeof *knobs; k++)
			time_knob(b, knobs[k], &value, &figures);
	report("overview, volume: value", &value);
	report("overview, volume: figures", &figures);
	wait_until(b, "being ", false);
	press(b, "1");
	settle(b);
	keys(b, "scroll, one event a cell", (const char *const[]){"L", "L", "l", "j", "\006", "h", "k", "\006", "\002", "l", NULL}, rounds);
	press(b, "G");
	settle(b);
	keys(b, "scroll at the end", (const char *const[]){"H", "h", "H", "L", NULL}, rounds);
	press(b, "g");
	settle(b);
	keys(b, "zoom out and in", (const char *const[]){"-", "-", "-", "-", "-", "-", "-", "-", "+", "+", "+", "+", "+", "+", "+", "+",
							 NULL}, rounds);
	keys(b, "spread out and in", (const char *const[]){"_", "_", "_", "_", "*", "*", "*", "*", NULL}, rounds);
	keys(b, "the whole run, and back", (const char *const[]){"Z", "Z", NULL}, rounds);
	press(b, "Z");
	settle(b);
	keys(b, "scroll, the whole run", (const char *const[]){"l", "j", "l", "k", NULL}, rounds);
	for (int i = 0; i < 4; i++) {
		press(b, "+");
		settle(b);
	}
	keys(b, "scroll, a 16th of the run", (const char *const[]){"L", "l", "L", "H", NULL}, rounds);
	for (int r = 0; r < rounds; r++)
		for (size_t k = 0; k < sizeof knobs / sizeof *knobs; k++)
			time_knob(b, knobs[k], &value, &figures);
	report("volume: value", &value);
	report("volume: figures", &figures);
	press(b, "))");
	for (int r = 0; r < rounds; r++)
		for (size_t k = 0; k < sizeof knobs / sizeof *knobs; k++)
			time_knob(b, knobs[k], &value, &figures);
	report("events: value", &value);
	report("events: figures", &figures);
	settle(b);
	keys(b, "views: phases, grid", (const char *const[]){"3", "1", NULL}, rounds);
	press(b, "2");
	wait_until(b, "labels for", true);
	settle(b);
	keys(b, "views: all, prepared", (const char *const[]){"1", "2", "3", "?", "1", NULL}, rounds);
	press(b, "3");
	settle(b);
	if (!holds(b, "slowest")) /* from the overview one may be in there already */
		press(b, "\r");
	wait_until(b, "slowest", true);
	settle(b);
	keys(b, "occurrences: scroll", (const char *const[]){"j", "\006", "\006", "\002", "G", "g", NULL}, rounds);
	keys(b, "occurrences: keys while it sorts", (const char *const[]){"s", "j", "s", "j", "s", "\006", "s", "j", "s", "k", NULL},
	     rounds > 4 ? rounds / 4 : 1);
	press(b, "1");
	settle(b);
	/* What these three show is made in the background when they are first asked for: keys go on meanwhile. */
	keys(b, "timeline: first, keys meanwhile", (const char *const[]){"4", "?", "q", "1", "4", NULL}, 1);
	wait_until(b, "Reading the calls", false);
	settle(b);
	keys(b, "timeline: scroll", (const char *const[]){"l", "L", "j", "\006", "h", "k", "\002", "H", NULL}, rounds);
	keys(b, "timeline: the whole run, and back", (const char *const[]){"Z", "Z", NULL}, rounds);
	press(b, "Z");
	settle(b);
	keys(b, "timeline: zoom", (const char *const[]){"+", "+", "+", "+", "+", "+", "-", "-", "-", "-", "-", "-", NULL}, rounds);
	keys(b, "timeline: spread", (const char *const[]){"_", "_", "_", "*", "*", "*", NULL}, rounds);
	keys(b, "timeline: message lines", (const char *const[]){"v", "v", "v", NULL}, rounds);
	wait_until(b, "being added up", false);
	settle(b);
	/* What the window holds is added up, and what is under the cursor told, for each of these: of some rows, of all processes. */
	keys(b, "timeline: events, their other ends", (const char *const[]){"w", "w", "\r", "<", "j", "b", "!", NULL}, rounds);
	keys(b, "timeline: ruler", (const char *const[]){"D", "l", "w", "L", "j", "H", "D", NULL}, rounds);
	for (int i = 0; i < 6; i++) {
		press(b, "_");
		settle(b);
	}
	keys(b, "timeline: totals of all processes", (const char *const[]){"Z", "l", "L", "+", "L", "H", "-", "Z", NULL}, rounds);
	for (int i = 0; i < 6; i++) {
		press(b, "*");
		settle(b);
	}
	keys(b, "compare: first, keys meanwhile", (const char *const[]){"5", "?", "q", "1", "5", NULL}, 1);
	wait_until(b, "looking for the nearest", false);
	settle(b);
	keys(b, "compare: nearest, sides", (const char *const[]){"j", "j", "k", "s", "s", NULL}, rounds);
	keys(b, "summary: first, keys meanwhile", (const char *const[]){"6", "j", "\006", "1", "6", NULL}, 1);
	settle(b);
	keys(b, "summary: scroll", (const char *const[]){"\006", "j", "\006", "\006", "k", "\002", "\002", "\002", NULL}, rounds);
	keys(b, "metrics: first, keys meanwhile", (const char *const[]){"7", "?", "q", "1", "7", NULL}, 1);
	wait_until(b, "parallel efficiency", true);
	settle(b);
	keys(b, "metrics: factors, rows, diagnosis", (const char *const[]){"j", "\r", "b", "b", "b", "s", "\006", "q", "d", "q", "k", NULL}, rounds);
	press(b, "\r");
	settle(b);
	keys(b, "metrics: where a row cost most", (const char *const[]){"\r", "7", "b", "\r", "7", "b", "\r", "7", "b", "\r", "7", "b", NULL}, rounds);
	press(b, "q");
	settle(b);
	keys(b, "runs: first, keys meanwhile", (const char *const[]){"8", "?", "q", "1", "8", NULL}, 1);
	wait_until(b, "reading", false);
	settle(b);
	keys(b, "runs: plots, scaling, diagnosis", (const char *const[]){"\t", "l", "w", "w", "l", "\t", "d", "q", NULL}, rounds);
	press(b, "3");
	settle(b);
	keys(b, "waits in the phases", (const char *const[]){"!", "j", "!", "j", "!", "k", "!", "k", NULL}, rounds);
	press(b, "4");
	settle(b);
	keys(b, "waits in the timeline", (const char *const[]){"!", "!", "L", "!", "!", "L", "!", "H", NULL}, rounds);
	press(b, "1");
	settle(b);
	keys(b, "waits in the grid", (const char *const[]){"!", "!", "L", "!", "!", "L", "!", "H", NULL}, rounds);
	keys(b, "views: all", (const char *const[]){"0", "1", "2", "3", "4", "5", "6", "7", "8", NULL}, rounds);
}

int main(int argc, char **argv)
{
	unsigned long long events = 10000000;
	unsigned long ranks = 1024;
	const char *dir = "/tmp", *file = NULL;
	int rounds = 20;
	char path[512];
	struct bench b = {.width = 160, .height = 48};
	struct stat st;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--events") && i + 1 < argc)
			events = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--ranks") && i + 1 < argc)
			ranks = strtoul(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--dir") && i + 1 < argc)
			dir = argv[++i];
		else if (!strcmp(argv[i], "--rounds") && i + 1 < argc)
			rounds = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--size") && i + 1 < argc && sscanf(argv[++i], "%dx%d", &b.width, &b.height) == 2 && b.width >= 76 &&
			 b.width <= MOST_SIDE && b.height >= 20 && b.height <= MOST_SIDE)
			continue;
		else
			file = argv[i];
	}
	if (!file) {
		struct err e = {0};

		/* A halo step logs about 5/2 records for each event: messages, the states around them, and waiting. */
		snprintf(path, sizeof path, "%s/tui-%llu-%lu.clog2", dir, events, ranks);
		file = path;
		if (stat(path, &st) && generate_trace(path, PATTERN_HALO, CLOCKS_ONE, (uint32_t)ranks, events * 5 / 2, &e))
			die(e.text);
	}
	start(&b, file);
	run(&b, rounds);
	press(&b, "Q");
	waitpid(b.program, NULL, 0);
	vterm_free(b.vt);
	return 0;
}
#endif
