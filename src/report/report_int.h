/* Declarations that only the files of src/report use. Each part begins with its own description. */
#ifndef PAS2P_REPORT_REPORT_INT_H
#define PAS2P_REPORT_REPORT_INT_H

#include <stdbool.h>

#include "core/io/out.h"
#include "core/table/columns.h"
#include "report.h"
#include "tui/screen/canvas.h"
#include "core/base/unit.h"

/* ---- markdown ---- */

/* Text in GitHub-flavoured Markdown, in a paragraph or a table's cell: it reads as it is, and is no markup, link or
 * mention. */

void markdown_text(struct out *o, const char *text, bool begins_line);

/* A code span. In a table a bar is escaped; elsewhere it is not, since there the backslash would be seen. */
void markdown_span(struct out *o, const char *text, bool in_table);

/* A block between fences that its text does not have. Line ends are kept. */
void markdown_block(struct out *o, const char *text);

/* ---- page ---- */

/* A page that is written from top to bottom: sections, sentences, facts, tables, pictures, in either format.
 *
 *     struct page p;
 *     page_begin(&p, REPORT_MD, &out, "cg.S.4");
 *     page_section(&p, "phases", "Phases");
 *     page_sentence(&p, "8 of 16 are relevant");
 *     page_table(&p, columns, 3);
 *     page_cell(&p, "1"); page_name(&p, "solve"); page_cell(&p, "2.1 s");     a row of three
 *     page_table_end(&p);
 *     page_end(&p);
 *
 * Every text is data: no part of it is markup of the format, whatever its origin. HTML is also well-formed XML.
 * Markdown is GitHub's; names from a trace are in code spans there, where nothing is a mention, a link, or markup.
 */

struct page {
	enum report_format format;
	struct out *out;
	const struct column_look *columns;
	uint32_t column_count, column; /* of the table that is open */
};

void page_begin(struct page *p, enum report_format format, struct out *out, const char *title);
void page_end(struct page *p);

/* What follows the title or a section's heading: a line of names. */
void page_subtitle(struct page *p, const char *const *names, uint32_t count);

void page_section(struct page *p, const char *id, const char *title); /* ends with the next one */
void page_part(struct page *p, const char *title);                    /* of a section */

void page_sentence(struct page *p, const char *text);  /* a paragraph */
void page_absent(struct page *p, const char *text);    /* what is not known, and why */
void page_warning(struct page *p, const char *text);

void page_list(struct page *p);
void page_item(struct page *p, const char *text);
void page_item_command(struct page *p, const char *text, const char *command);
void page_list_end(struct page *p);

/* Facts: a name and its value each; a name of the trace as value is page_fact_name(). */
void page_facts(struct page *p);
void page_fact(struct page *p, const char *what, const char *value);
void page_fact_name(struct page *p, const char *what, const char *name);
void page_facts_end(struct page *p);

/* The large figures at the top. `poor`: below what is good. */
void page_figures(struct page *p);
void page_figure(struct page *p, const char *what, const char *value, bool poor);
void page_figures_end(struct page *p);

void page_table(struct page *p, const struct column_look *columns, uint32_t count); /* columns stay until its end */
void page_cell(struct page *p, const char *text);
void page_name(struct page *p, const char *name);
void page_poor(struct page *p, const char *text);                     /* a cell of a figure that is below what is good */
void page_share(struct page *p, const char *text, double share);      /* with a bar of so much of the cell */
void page_role(struct page *p, enum role role, const char *text);     /* behind a swatch of the pictures' colour */
void page_table_end(struct page *p);

void page_code(struct page *p, const char *text);      /* as it is, lines and all */

/* Words that lines are broken between, with the pictures' colours, such as the structure's. */
void page_words(struct page *p);
void page_word(struct page *p, enum role role, bool strong, bool joined, const char *text); /* joined: to the one before */
void page_words_end(struct page *p);

/* Pictures are of HTML alone: false, and nothing is to be drawn or ended. `wide`: over the whole page. */
bool page_picture(struct page *p, const char *caption, bool wide);
void page_picture_end(struct page *p);
void page_pictures(struct page *p);      /* narrow ones side by side */
void page_pictures_end(struct page *p);
/* Names of a picture's kinds. */
void page_legend(struct page *p);
void page_legend_entry(struct page *p, enum role role, const char *text);
void page_legend_end(struct page *p);

/* ---- page_style ---- */

/* How a page looks: light and dark, on a screen, a telephone and A4. */

void page_style(struct out *o); /* what stands between <style> and </style> */

/* ---- sections ---- */

/* Between the files of the report: its sections, in the order of the page. Each writes itself, or what is absent and
 * why. */

/* What sections share. */
struct sheet {
	struct page page;
	const struct report *report;
	const struct overview *o;
	const struct metrics_run *run; /* that the report is about, with its rows; NULL: no metrics */
	uint32_t *ranked;              /* ids of phases, those of the largest shares first; NULL: no phases */
	enum role *role;               /* by id - 1 */
};

void section_glance(struct sheet *s);
void section_ran(struct sheet *s);
void section_structure(struct sheet *s);
void section_account(struct sheet *s);
void section_phases(struct sheet *s);
void section_maps(struct sheet *s);
void section_processes(struct sheet *s);
void section_scaling(struct sheet *s);
void section_results(struct sheet *s);
void section_notes(struct sheet *s);

/* ---- texts that several have ---- */

#define SHEET_TEXT 256

static inline const struct trace *sheet_trace(const struct sheet *s)
{
	return s->o->of.trace;
}

const char *ratio_text(char buf[UNIT_TEXT], double v); /* "3.42", "-" */

#endif
