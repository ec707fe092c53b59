/* The workbench: `pas2p TRACE... [RESULT...]` in a terminal.
 *
 * tui_run() is the only entry. It loads the trace itself (off the thread that draws), runs until the user leaves, and
 * returns the exit status of the program: 0 when left by a key, 3 or 4 where the trace could not be read, 5 if there is
 * no usable terminal, 128 + n after signal n. What went wrong stands on stderr in one sentence, after the terminal has
 * been restored.
 *
 * With `script` set there is no terminal at all: the file's lines (src/tui/app/app_int.h) drive the same
 * workbench on a screen in memory, which is how it is tested and how its pictures are drawn.
 */
#ifndef PAS2P_TUI_H
#define PAS2P_TUI_H

#include <stdbool.h>
#include <stdint.h>

#include "core/settings/settings.h"
#include "tui/screen/screen.h"

struct config;

struct tui_options {
	const char *const *paths;    /* traces: the first one's run is opened, the others are runs beside it; none: models alone */
	uint32_t count;
	uint32_t beside;             /* paths from this one on are those of the run that it is compared with; 0: none are */
	const char *const *results;  /* of pas2p run, to be shown beside it */
	uint32_t result_count;
	const char *const *models;   /* models, functions, machines and measurements, for the view of models */
	uint32_t model_count;
	const char *folder;          /* to choose a trace from, where neither traces nor models are given; NULL: none */
	const char *study;           /* a study file; NULL: none */
	const bool *given;           /* by setting: the command line says it, so that the study does not; NULL: none of them */
	const char *machine;         /* that they are to run on; NULL: none */
	const char *measured;        /* what their program took, to be compared with; NULL: nothing */
	const char *const *vary;     /* NAME=VALUE, as :vary takes it */
	uint32_t vary_count;
	struct settings settings;    /* to start with: defaults, config file and options already applied */
	const struct config *config; /* keys, theme and first view; NULL: none. Must outlive the call */
	const char *config_file; /* that --config names; NULL: none is named */
	const char *program;         /* pas2p itself, of which doctor is another process; NULL: there is none */
	const char *application;     /* name in the phase table; NULL: from the file's name */
	enum term_color color;
	const char *theme;           /* a name of themes.def; NULL: the config's, otherwise the first */
	const char *view;            /* name of the tab to begin with; NULL: the config's, otherwise the first */
	bool tutorial;               /* begin with it */
	bool mouse;                  /* take clicks from the start */
	bool state;                  /* remember settings, place and marks of each trace (XDG_STATE_HOME) */
	unsigned threads;            /* that read a trace; 0: as useful */
	bool ascii;                  /* draw with ASCII only; also chosen by a locale without UTF-8 */
	const char *script;          /* path, or "-" for standard input; NULL: a terminal */
	bool plain;                  /* lines from standard input, and lines of text out (src/tui/app/app_int.h) */
	int columns, rows;           /* of the screen without a terminal; 0: 80 x 24, or wider where it is read out */
};

/* 0 of the fields is a sensible default; settings must be set. */
int tui_run(const struct tui_options *o);

#endif
