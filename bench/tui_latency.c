/* Key to screen: how long the workbench takes to show what a key does, on a trace of any size.
 *
 *     tui_latency [--events N] [--ranks N] [--dir DIR] [--rounds N] [--size COLUMNSxROWS] [--only PART]... [FILE]
 *
 * The program ($PAS2P) runs in a pseudo-terminal as a person would run it. For each key the clock goes from the write
 * of the key to the first byte of its answer, and to the last byte before a pause: what is made in the background comes
 * in between. A knob has two times: until the screen shows its new value, and until the figures beside it are those of
 * that value. Results are printed as a table: median and worst of the first; median, 99th percentile and the worst of
 * the last, in milliseconds; then the bytes that a key had written to the terminal, median and most, which is what a
 * slow line waits for. A first answer whose median is above a frame, or the worst above WORST_MS, is marked. Before all
 * of that: when the first picture was there, of a trace that is still being loaded. Two runs are compared, and a study
 * opened, of N / 10 events.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "generate.h"

#if !__has_include(<vterm.h>)
int main(void)
{
	fputs("tui_latency: libvterm is not installed\n", stderr);
	return 1;
}
#else
#include "tui_screen.h"

#define RECORDS_AN_EVENT 4.3 /* of a halo step: states and waiting are logged, too */
#define FIRST_MS 100         /* bars: the first picture, */
#define FIGURES_MS 100       /* and a knob's figures */
#define PAIR_RANKS 64
#define STUDY_RUNS 6

struct files {
	char pair[2][512], study[512];
};

static void keys(struct bench *b, const char *what, const char *const *list, int rounds)
{
	static struct times t;

	for (int r = 0; r < rounds; r++)
		for (const char *const *k = list; *k; k++)
			screen_time_key(b, *k, &t);
	screen_report(what, &t, FRAME_MS, WORST_MS);
}

#define KEYS(b, rounds, what, ...) keys(b, what, (const char *const[]){__VA_ARGS__, NULL}, rounds)

/* A view whose work in the background is over once the screen does not say `until` any more. */
static void show(struct bench *b, const char *key, const char *until)
{
	screen_press(b, key);
	screen_settle(b);
	screen_wait(b, until, false);
	screen_settle(b);
}

static void press_times(struct bench *b, const char *key, int n)
{
	for (; n; n--) {
		screen_press(b, key);
		screen_settle(b);
	}
}

static void knobs(struct bench *b, const char *what, const char *const *doing, int rounds)
{
	static const char *const turns[] = {"]", "]", "]", "[", "[", "[", "}", "{"};
	static struct times value, figures;
	char text[64];

	for (int r = 0; r < rounds; r++)
		for (size_t k = 0; k < sizeof turns / sizeof *turns; k++)
			screen_time_knob(b, turns[k], doing, &value, &figures);
	snprintf(text, sizeof text, "%s: value", what);
	screen_report(text, &value, FRAME_MS, WORST_MS);
	snprintf(text, sizeof text, "%s: figures", what);
	screen_report(text, &figures, FIGURES_MS, FIGURES_MS);
}

static const char *const of_settings[] = {"now…", NULL};

/* --- the parts --- */

static void of_overview(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	show(b, "0", "being ");
	KEYS(b, rounds, "overview: lines, words, iterations", "j", "j", "l", "l", "h", "\r", "\r", "j", "j", "l", "l", "L", "G", "g");
	knobs(b, "overview, volume", of_settings, rounds);
}

static void of_grid(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	show(b, "1", "being ");
	KEYS(b, rounds, "grid: scroll, an event a cell", "L", "L", "l", "j", "\006", "h", "k", "\006", "\002", "l");
	show(b, "G", "being ");
	KEYS(b, rounds, "grid: scroll at the end", "H", "h", "H", "L");
	show(b, "g", "being ");
	KEYS(b, rounds, "grid: zoom out and in", "-", "-", "-", "-", "-", "-", "-", "-", "+", "+", "+", "+", "+", "+", "+", "+");
	KEYS(b, rounds, "grid: spread out and in", "_", "_", "_", "_", "*", "*", "*", "*");
	KEYS(b, rounds, "grid: turned", "x", "l", "j", "L", "H", "x");
	KEYS(b, rounds, "grid: the whole run, and back", "Z", "Z");
	show(b, "Z", "being ");
	KEYS(b, rounds, "grid: scroll, the whole run", "l", "j", "l", "k");
	press_times(b, "+", 4);
	KEYS(b, rounds, "grid: scroll, a 16th of the run", "L", "l", "L", "H");
	knobs(b, "grid, volume", of_settings, rounds);
	screen_press(b, "))");
	knobs(b, "grid, events", of_settings, rounds);
	show(b, "((gZ", "being ");
	show(b, "Z", "being ");
}

static void of_heat(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	show(b, "1", "being ");
	show(b, "Z", "being ");
	KEYS(b, 1, "heat: first, keys meanwhile", "v", "l", "j", "v", "l", "v", "v", "v", "v");
	screen_settle(b);
	KEYS(b, rounds, "heat: its measures", "v", "v", "v", "v", "v", "v", "V", "V", "V", "V", "V", "V");
	press_times(b, "v", 3);
	KEYS(b, rounds, "heat: zoom, spread, scroll", "+", "+", "L", "l", "j", "H", "-", "-", "*", "*", "j", "_", "_");
	press_times(b, "V", 3);
	show(b, "Z", "being ");
}

static void of_iterations(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	show(b, "1", "being ");
	KEYS(b, rounds, "iterations: next, previous", ";", ";", ";", ",", ",", ",");
	KEYS(b, rounds, "iterations: by number", "#", "7", "\r", "#", "3", "\r", "<");
	show(b, "3", "being ");
	KEYS(b, rounds, "phases: the structure unfolded", "|", "|", "|", "|", "|", "|");
	show(b, "1g", "being ");
}

static void of_phases(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	KEYS(b, rounds, "views: phases, grid", "3", "1");
	show(b, "2", "being ");
	screen_wait(b, "labels for", true);
	KEYS(b, rounds, "blocks: cursor, pages, sorts", "j", "j", "\006", "\002", "s", "G", "S", "g");
	show(b, "3", "being ");
	KEYS(b, rounds, "phases: cursor, sorts", "j", "k", "j", "s", "j", "S", "k");
	if (!screen_holds(b, "slowest")) /* one may be in there already */
		screen_press(b, "\r");
	screen_wait(b, "slowest", true);
	screen_settle(b);
	KEYS(b, rounds, "occurrences: scroll", "j", "\006", "\006", "\002", "G", "g");
	KEYS(b, rounds > 4 ? rounds / 4 : 1, "occurrences: keys while it sorts", "s", "j", "s", "j", "s", "\006", "s", "j", "s", "k");
	screen_settle(b);
	KEYS(b, rounds > 4 ? rounds / 4 : 1, "occurrences: a filter", "&", "t", "i", "m", "e", ">", "0", "\r", "j", "&", "\r");
	show(b, "1", "being ");
}

static void of_timeline(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	/* It is read in the background when it is first asked for: keys go on meanwhile. */
	KEYS(b, 1, "timeline: first, keys meanwhile", "4", "?", "q", "1", "4");
	show(b, "4", "Reading the calls");
	KEYS(b, rounds, "timeline: scroll", "l", "L", "j", "\006", "h", "k", "\002", "H");
	KEYS(b, rounds, "timeline: the whole run, and back", "Z", "Z");
	show(b, "Z", "being added up");
	KEYS(b, rounds, "timeline: zoom", "+", "+", "+", "+", "+", "+", "-", "-", "-", "-", "-", "-");
	KEYS(b, rounds, "timeline: spread", "_", "_", "_", "*", "*", "*");
	KEYS(b, rounds, "timeline: message lines", "v", "v", "v");
	/* What the window holds is added up, and what is under the cursor told, for each of these: of some rows, of all
	 * processes. */
	KEYS(b, rounds, "timeline: events, their other ends", "w", "w", "\r", "<", "j", "b", "!");
	KEYS(b, rounds, "timeline: ruler", "D", "l", "w", "L", "j", "H", "D");
	press_times(b, "_", 6);
	KEYS(b, rounds, "timeline: totals of all processes", "Z", "l", "L", "+", "L", "H", "-", "Z");
	press_times(b, "*", 6);
	KEYS(b, rounds, "timeline: search", "/", "S", "e", "n", "d", "\r", "n", "n", "N");
	knobs(b, "timeline, volume", of_settings, rounds);
}

static void of_compare(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	KEYS(b, 1, "compare: first, keys meanwhile", "5", "?", "q", "1", "5");
	show(b, "5", "looking for the nearest");
	KEYS(b, rounds, "compare: nearest, sides", "j", "j", "k", "s", "s");
}

static void of_summary(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	KEYS(b, 1, "summary: first, keys meanwhile", "6", "j", "\006", "1", "6");
	show(b, "6", "counting");
	KEYS(b, rounds, "summary: scroll, sections, matrices", "\006", "j", "\006", "J", "v", "J", "K", "\002", "v", "g");
}

static void of_metrics(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	KEYS(b, 1, "metrics: first, keys meanwhile", "7", "?", "q", "1", "7");
	screen_wait(b, "parallel efficiency", true);
	screen_settle(b);
	KEYS(b, rounds, "metrics: factors, rows, diagnosis", "j", "\r", "b", "b", "b", "s", "\006", "q", "d", "q", "k");
	show(b, "\r", "being ");
	KEYS(b, rounds, "metrics: where a row cost most", "\r", "7", "b", "\r", "7", "b", "\r", "7", "b", "\r", "7", "b");
	show(b, "q", "being ");
	KEYS(b, rounds, "metrics: what if", "w", "l", "l", "h", "j", "l", "h", "k", "q");
}

static void of_waits(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	show(b, "3", "being ");
	KEYS(b, rounds, "waits in the phases", "!", "j", "!", "j", "!", "k", "!", "k");
	show(b, "4", "Reading the calls");
	KEYS(b, rounds, "waits in the timeline", "!", "!", "L", "!", "!", "L", "!", "H");
	show(b, "1", "being ");
	KEYS(b, rounds, "waits in the grid", "!", "!", "L", "!", "!", "L", "!", "H");
}

static void of_processes(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	KEYS(b, 1, "processes: first, keys meanwhile", "@", "j", "\006", "@", "@");
	show(b, "", "being ");
	KEYS(b, rounds, "processes: cursor, pages, sorts", "j", "j", "\006", "s", "S", "\006", "k", "\002");
	KEYS(b, rounds, "processes: a filter", "&", "w", "a", "i", "t", "i", "n", "g", ">", "1", "m", "s", "\r", "j", "&", "\r");
	show(b, "q", "being ");
}

static void of_tune(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	/* Each changes the screen, also without rows: else what comes of the search next would be taken for the answer. */
	KEYS(b, 1, "tune: first, keys meanwhile", "Y", "?", "q", "?", "q", "q", "Y");
	screen_wait(b, "relevant phases tell", true);
	screen_settle(b);
	KEYS(b, rounds, "tune: sorts, one row tried", "s", "S", "s", "S", "\r", "u", "Y");
	show(b, "q", "being ");
	KEYS(b, 1, "plan: first, keys meanwhile", "$", "j", "?", "q", "j");
	show(b, "", "being ");
	KEYS(b, rounds, "plan: rows, sorts", "j", "j", "s", "k", "S", "s");
	show(b, "q", "being ");
}

static void of_clocks(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	KEYS(b, 1, "clocks: first, keys meanwhile", "^", "j", "?", "q", "j");
	show(b, "", "being ");
	screen_wait(b, "omparing", false);
	screen_settle(b);
	KEYS(b, rounds, "clocks: rows, sorts, pairs", "j", "\006", "s", "S", "\r", "j", "\006", "s", "q");
	show(b, "q", "being ");
}

static void of_words(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	KEYS(b, rounds, "palette", ":", "s", "e", "t", " ", "v", "\t", "\r");
	screen_settle(b);
	KEYS(b, rounds, "help, words, a search there", "?", "\006", "j", "\002", "q", "\0331", "?", "j", "q");
	show(b, "1", "being ");
}

static void of_runs(struct bench *b, int rounds, const struct files *files)
{
	(void)files;
	KEYS(b, 1, "runs: first, keys meanwhile", "8", "?", "q", "1", "8");
	show(b, "8", "reading");
	KEYS(b, rounds, "runs: plots, scaling, diagnosis", "\t", "l", "w", "l", "\t", "d", "q"); /* of one run, w says the same twice */
	KEYS(b, rounds, "views: all", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
}

static void of_traces(struct bench *b, int rounds, const struct files *files)
{
	char line[600];

	show(b, "1", "being ");
	KEYS(b, rounds, "picker: open, rows, close", "\017", "j", "k", "s", "q");
	snprintf(line, sizeof line, ":open %s\r", files->pair[0]);
	screen_press(b, line);
	screen_wait(b, "2 of 2", true);
	screen_wait(b, "relevant", true);
	show(b, "1", "being ");
	KEYS(b, rounds, "several traces: next, previous", "\016", "\020", "\016", "\016");
	screen_wait(b, "2 of 2", true);
	show(b, "1", "being ");
}

/* Two runs of events / 10, and their knob: the one that is opened by of_traces. */
static void of_diff(struct bench *b, int rounds, const struct files *files)
{
	static const char *const doing[] = {"now…", "matching phases", "aligning", "comparing", NULL};
	char line[600];

	snprintf(line, sizeof line, ":diff %s\r", files->pair[1]);
	screen_press(b, line);
	screen_wait(b, " removed", true);
	for (const char *const *d = doing; *d; d++)
		screen_wait(b, *d, false);
	screen_settle(b);
	KEYS(b, rounds, "two runs: ticks, differences, groups", "l", "L", "f", "f", "F", "w", "b", "j", "\r", "k", "x", "x", "s", "s");
	knobs(b, "two runs, volume", doing, rounds);
	screen_press(b, "))");
	knobs(b, "two runs, events", doing, rounds);
	screen_press(b, "((");
}

static void of_study(struct bench *b, int rounds, const struct files *files)
{
	static const char *const doing[] = {"now…", "loading", NULL};
	char line[600];

	snprintf(line, sizeof line, ":study %s\r", files->study);
	screen_press(b, line);
	KEYS(b, 1, "study: keys while runs are loaded", "j", "v", "k", "?", "q");
	screen_wait(b, "loading", false);
	screen_settle(b);
	KEYS(b, rounds, "study: rows, plots, the asked place", "j", "v", "l", "+", "+", "-", "l", "k", "s");
	knobs(b, "study, volume", doing, rounds > 4 ? rounds / 4 : 1);
}

static const struct part {
	const char *name;
	void (*run)(struct bench *b, int rounds, const struct files *files);
} parts[] = {
	{"overview", of_overview}, {"grid", of_grid}, {"heat", of_heat}, {"iterations", of_iterations}, {"phases", of_phases}, {"timeline", of_timeline},
	{"compare", of_compare}, {"summary", of_summary}, {"metrics", of_metrics}, {"waits", of_waits}, {"processes", of_processes}, {"tune", of_tune},
	{"clocks", of_clocks}, {"words", of_words}, {"runs", of_runs}, {"traces", of_traces}, {"diff", of_diff}, {"study", of_study},
};
#define PARTS (sizeof parts / sizeof *parts)

/* --- all of it --- */

/* Until tabs are there, and below them how far it is, or what is known already: ms. */
static double time_first(struct bench *b, double began)
{
	while (!screen_holds(b, "Grid") || !(screen_holds(b, "compute") || screen_holds(b, "reading") || screen_holds(b, "scanning")))
		screen_drain(b, 1);
	return b->last_byte - began;
}

/* It fills in the background: keys go on meanwhile. */
static void load(struct bench *b, const char *trace, double mb)
{
	double began = screen_now(), first;

	screen_start(b, trace);
	first = time_first(b, began);
	screen_wait(b, "phases", true);
	screen_wait(b, "relevant", true);
	screen_settle(b);
	printf("%.0f MB: first picture after %.0f ms   bar %d ms%s; loaded and analysed in %.1f s\n\n%-40s %5s %7s %7s %9s %9s %9s %9s %9s\n", mb, first, FIRST_MS,
	       first > FIRST_MS ? "  MISSED" : "", (screen_now() - began) / 1e3, "milliseconds", "keys", "first", "worst", "whole", "99 %", "worst", "bytes", "most");
	KEYS(b, 1, "overview: keys while it fills", "j", "j", "l", "h", "k", "k");
	screen_wait(b, "being ", false);
	screen_settle(b);
	printf("%-40s %5s %9.1f\n", "overview: complete after, s", "", (screen_now() - began) / 1e3);
}

static void make(const char *path, enum difference d, unsigned long ranks, unsigned long long events)
{
	struct stat st;
	struct err e = {0};

	if (stat(path, &st) && generate_other(path, TRAFFIC_HALO, d, (uint32_t)ranks, (uint64_t)((double)events * RECORDS_AN_EVENT), &e))
		screen_die(e.text);
}

static void make_study(const char *dir, unsigned long long events, struct files *files)
{
	FILE *f;

	for (int i = 0; i < 2; i++) {
		snprintf(files->pair[i], sizeof files->pair[i], "%s/tui-%llu-%d%s.clog2", dir, events, PAIR_RANKS, i ? "-other" : "");
		make(files->pair[i], i ? DIFFER_SCATTERED : DIFFER_NOT, PAIR_RANKS, events);
	}
	snprintf(files->study, sizeof files->study, "%s/tui.study.yaml", dir);
	f = fopen(files->study, "w");
	if (!f)
		screen_die("the study cannot be written");
	fputs("study: 1\nname: tui\nruns:\n", f);
	for (int i = 1; i <= STUDY_RUNS; i++) {
		char path[600];

		snprintf(path, sizeof path, "%s/tui-%llu-%d.clog2", dir, events * (unsigned)i / 8, PAIR_RANKS);
		make(path, DIFFER_NOT, PAIR_RANKS, events * (unsigned)i / 8);
		fprintf(f, "- {file: %s, parameters: {n: %d}}\n", strrchr(path, '/') + 1, i);
	}
	fclose(f);
}

static bool is_asked(const bool *asked, size_t part)
{
	bool any = false;

	for (size_t i = 0; i < PARTS; i++)
		any = any || asked[i];
	/* What is compared was opened before. */
	return !any || asked[part] || (!strcmp(parts[part].name, "traces") && asked[part + 1]);
}

static void ask_for(bool *asked, const char *name)
{
	bool known = false;

	for (size_t i = 0; i < PARTS; i++)
		if (!strcmp(parts[i].name, name))
			known = asked[i] = true;
	if (!known)
		screen_die("there is no such part");
}

int main(int argc, char **argv)
{
	unsigned long long events = 10000000;
	unsigned long ranks = 1024;
	const char *dir = "/tmp", *file = NULL;
	bool asked[PARTS] = {false};
	int rounds = 20;
	char path[512];
	struct bench b = {.width = 160, .height = 48};
	struct files files;
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
		else if (!strcmp(argv[i], "--only") && i + 1 < argc)
			ask_for(asked, argv[++i]);
		else if (!strcmp(argv[i], "--size") && i + 1 < argc && sscanf(argv[++i], "%dx%d", &b.width, &b.height) == 2 && b.width >= 76 &&
			 b.width <= SCREEN_MOST_SIDE && b.height >= 20 && b.height <= SCREEN_MOST_SIDE)
			continue;
		else
			file = argv[i];
	}
	if (!file) {
		snprintf(path, sizeof path, "%s/tui-%llu-%lu.clog2", dir, events, ranks);
		file = path;
		make(path, DIFFER_NOT, ranks, events);
	}
	make_study(dir, events / 10, &files);
	load(&b, file, stat(file, &st) ? 0 : (double)st.st_size / 1e6);
	for (size_t i = 0; i < PARTS; i++)
		if (is_asked(asked, i))
			parts[i].run(&b, rounds, &files);
	screen_end(&b);
	return 0;
}
#endif
