/* The long texts about pas2p: pages of commands and topics, put together from the tables for one of several forms. `pas2p help` prints them as
 * plain text (manual_text.c); tools/doc-gen.c makes man pages and the reference in Markdown of the same.
 *
 *     struct manual m;
 *     manual_text(&m, stdout);
 *     manual_command(&m, COMMAND_PHASES);
 */
#ifndef PAS2P_CLI_MANUAL_H
#define PAS2P_CLI_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"

/* How a form writes each part. Texts are sentences with literal words in `backticks`. */
struct manual {
	FILE *to;
	void (*section)(struct manual *m, const char *title);
	void (*group)(struct manual *m, const char *title);  /* within a section */
	void (*text)(struct manual *m, const char *text);    /* a paragraph, or the text of an item */
	void (*list)(struct manual *m, const char *of);      /* begins one of such things; NULL: ends it */
	void (*option)(struct manual *m, const struct option_info *o);                /* begins an item of a list */
	void (*item)(struct manual *m, const char *terms, const char *note);          /* the same: words between blanks, and what follows them or NULL */
	void (*term)(struct manual *m, const char *words);                            /* the same: words that stay together */
	void (*usage)(struct manual *m, enum command c);
	void (*example)(struct manual *m, const char *comment, const char *command);  /* command without the program's name */
	void (*see)(struct manual *m, const char *others, const char *self);          /* as PAGE_SEE has them; without self */
	bool begun, in_list, after_text, after_section; /* of the text form */
};

/* Plain text of 80 columns. */
void manual_text(struct manual *m, FILE *to);

/* What follows the name and synopsis of a command's page. */
void manual_command(struct manual *m, enum command c);

/* Topics. */
void manual_options(struct manual *m);  /* that many commands have, and the workbench's */
void manual_settings(struct manual *m);
void manual_keys(struct manual *m);
void manual_exits(struct manual *m);
void manual_glossary(struct manual *m);

/* Lists, for pages that are written by hand. */
void manual_list_options(struct manual *m, const unsigned *options, unsigned count);
void manual_list_settings(struct manual *m, bool for_config);
void manual_list_presets(struct manual *m);
void manual_list_exits(struct manual *m);
void manual_list_actions(struct manual *m, bool by_name); /* of the workbench: keys first, or names as in a config file */
void manual_list_prompt(struct manual *m);
void manual_list_notes(struct manual *m);
void manual_list_checks(struct manual *m);

/* The next item of "plan, help settings (why)": its words go to buf, what stands in brackets to note; NULL: there are no more. */
const char *manual_see_next(const char *others, char *buf, size_t size, char *note, size_t note_size);

/* The text of an option without the default in brackets at its end, which goes to def ("": none). */
void manual_split_default(const char *help, char *text, size_t size, char *def, size_t def_size);

#endif
