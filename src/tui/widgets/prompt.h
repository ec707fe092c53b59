/* The prompt: one line typed at the foot of the screen, with editing and history. */
#ifndef PAS2P_TUI_PROMPT_H
#define PAS2P_TUI_PROMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/screen/canvas.h"

#define PROMPT_TEXT 1024
#define PROMPT_LABEL 96
#define PROMPT_HISTORY 50

enum prompt_kind {
	PROMPT_NONE,
	PROMPT_COMMAND,   /* : */
	PROMPT_SEARCH,    /* / */
	PROMPT_FILTER,    /* & */
	PROMPT_VALUE,     /* a knob's value */
	PROMPT_PATH,      /* where to write the phase table */
	PROMPT_ITERATION, /* a number to go to */
	PROMPT_OVERWRITE, /* y or n */
	PROMPT_SETTINGS,  /* y or n */
	PROMPT_KINDS
};

enum prompt_state { PROMPT_TYPING, PROMPT_ACCEPTED, PROMPT_CANCELLED };

struct prompt {
	enum prompt_kind kind;
	char label[PROMPT_LABEL];
	char text[PROMPT_TEXT];  /* UTF-8 */
	size_t len, at;          /* bytes; where the next character goes */
	bool fresh;              /* the text is a proposal: what is typed replaces it */
	char error[160];         /* what is wrong with what was typed; cleared by the next key */
	struct {
		char *lines[PROMPT_HISTORY]; /* oldest first; owned */
		int n;
	} history[PROMPT_KINDS];
	int recalled;            /* place in the history, n: the line being typed */
	/* For Tab: the next completion of `text`, or false. Set by the owner. */
	bool (*complete)(void *ctx, const char *typed, int nth, char *out, size_t size);
	void *ctx;
	char typed[PROMPT_TEXT]; /* what completion began with */
	int completion;          /* which one is shown; -1: none */
};

bool prompt_is_question(const struct prompt *p); /* that one key answers: y, or any other */
void prompt_init(struct prompt *p);
void prompt_release(struct prompt *p);
void prompt_open(struct prompt *p, enum prompt_kind kind, const char *label, const char *text);
void prompt_close(struct prompt *p);
enum prompt_state prompt_key(struct prompt *p, uint32_t key); /* the text stays until prompt_close */
void prompt_remember(struct prompt *p, enum prompt_kind kind, const char *line); /* as if it had been typed */
void prompt_draw(const struct prompt *p, struct pane pane);

#endif
