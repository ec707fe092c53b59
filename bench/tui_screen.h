/* The workbench in a pseudo-terminal, for measurements: keys go in, and what comes out is a screen, with the time of
 * its last byte.
 *
 *     screen_start(&b, "trace.clog2");                          $PAS2P, or build/pas2p
 *     screen_wait(&b, "phases", true);                          until it is there, or, false, gone
 *     screen_press(&b, "3"), screen_settle(&b);                 a key that is not measured
 *     screen_time_key(&b, "j", &times);
 *     screen_report("a list's cursor", &times, FRAME_MS, WORST_MS);
 *
 * Whatever goes wrong is said, and ends the program.
 */
#ifndef PAS2P_BENCH_TUI_SCREEN_H
#define PAS2P_BENCH_TUI_SCREEN_H

#include <stdbool.h>
#include <sys/types.h>

#define SCREEN_MOST_SIDE 1000
#define TIMES_MOST 4096

#define FRAME_MS 16 /* bars: of the median, and of the worst key */
#define WORST_MS 50

struct bench {
	int master;
	pid_t program;
	struct VTerm *vt;
	struct VTermScreen *screen;
	int width, height;
	double last_byte;    /* when the latest output came, ms */
	unsigned long bytes; /* that came */
};

struct times {
	double first[TIMES_MOST], ms[TIMES_MOST], bytes[TIMES_MOST]; /* until the first byte came, and the last */
	int n;
};

double screen_now(void); /* ms */
void screen_die(const char *what);
void screen_start(struct bench *b, const char *trace); /* width and height are set */
void screen_end(struct bench *b);
bool screen_drain(struct bench *b, int ms); /* takes what is written within ms; false: nothing was */
bool screen_holds(struct bench *b, const char *text);
void screen_wait(struct bench *b, const char *text, bool there);
void screen_settle(struct bench *b); /* figures are those of the settings, and nothing comes any more */
void screen_press(struct bench *b, const char *keys);

/* From the write of the key to the last byte before a pause. A key that changes nothing is not counted. */
void screen_time_key(struct bench *b, const char *key, struct times *t);

/* A knob: until its new value is shown, and until the figures are those of it: until the screen holds none of the
 * words, which end with NULL. */
void screen_time_knob(struct bench *b, const char *key, const char *const *doing, struct times *value, struct times *figures);

/* A row: the first answer's median and worst, which have bars; then median, 99 % and worst until the last byte, with
 * what is made in the background and comes within the pause; bytes. And begins again. */
void screen_report(const char *what, struct times *t, double median, double worst);

#endif
