#include "report_int.h"

#include <math.h>
#include <string.h>

#include "core/io/out.h"
#include "tui/widgets/svg.h"

static bool is_html(const struct page *p)
{
	return p->format == REPORT_HTML;
}

static void page_put_raw(struct page *p, const char *markup)
{
	out_str(p->out, markup);
}

/* A text, as content. */
static void text_of(struct page *p, const char *text)
{
	if (is_html(p))
		xml_text(p->out, text);
	else
		markdown_text(p->out, text, !p->columns);
}

static void name_of(struct page *p, const char *name)
{
	if (is_html(p)) {
		page_put_raw(p, "<code>");
		xml_text(p->out, name);
		page_put_raw(p, "</code>");
	} else {
		markdown_span(p->out, name, p->columns != NULL);
	}
}

/* ---- the whole ---- */

void page_begin(struct page *p, enum report_format format, struct out *out, const char *title)
{
	*p = (struct page){.format = format, .out = out};
	if (!is_html(p)) {
		page_put_raw(p, "# ");
		text_of(p, title);
		page_put_raw(p, "\n");
		return;
	}
	/* Nothing is loaded and nothing runs, whatever the browser would make of a text. */
	page_put_raw(p, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
	       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	       "<meta name=\"color-scheme\" content=\"light dark\"/>\n<meta name=\"generator\" content=\"pas2p\"/>\n<title>");
	text_of(p, title);
	page_put_raw(p, "</title>\n<style>\n");
	page_style(out);
	svg_style(out);
	page_put_raw(p, "</style>\n</head>\n<body>\n<header>\n<h1>");
	text_of(p, title);
	page_put_raw(p, "</h1>\n");
}

/* The header is a section without a heading. */
static void end_section(struct page *p)
{
	page_put_raw(p, "</section>\n");
}

void page_end(struct page *p)
{
	if (is_html(p)) {
		end_section(p);
		page_put_raw(p, "</body>\n</html>\n");
	}
}

void page_subtitle(struct page *p, const char *const *names, uint32_t count)
{
	page_put_raw(p, is_html(p) ? "<p class=\"names\">" : "\n");
	for (uint32_t i = 0; i < count; i++) {
		page_put_raw(p, i ? " " : "");
		name_of(p, names[i]);
	}
	page_put_raw(p, is_html(p) ? "</p>\n</header>\n<section>\n" : "\n");
}

void page_section(struct page *p, const char *id, const char *title)
{
	if (is_html(p)) {
		end_section(p);
		out_printf(p->out, "<section id=\"%s\">\n<h2>", id);
		text_of(p, title);
		page_put_raw(p, "</h2>\n");
	} else {
		page_put_raw(p, "\n## ");
		text_of(p, title);
		page_put_raw(p, "\n");
	}
}

void page_part(struct page *p, const char *title)
{
	page_put_raw(p, is_html(p) ? "<h3>" : "\n### ");
	text_of(p, title);
	page_put_raw(p, is_html(p) ? "</h3>\n" : "\n");
}

/* ---- text ---- */

static void paragraph(struct page *p, const char *open, const char *before, const char *text, const char *after)
{
	page_put_raw(p, is_html(p) ? open : "\n");
	page_put_raw(p, is_html(p) ? "" : before);
	text_of(p, text);
	page_put_raw(p, is_html(p) ? "</p>\n" : after);
}

void page_sentence(struct page *p, const char *text)
{
	paragraph(p, "<p>", "", text, "\n");
}

void page_absent(struct page *p, const char *text)
{
	paragraph(p, "<p class=\"absent\">", "", text, "\n");
}

void page_warning(struct page *p, const char *text)
{
	paragraph(p, "<p class=\"warning\">", "> **Warning:** ", text, "\n");
}

void page_list(struct page *p)
{
	page_put_raw(p, is_html(p) ? "<ul>\n" : "\n");
}

void page_item(struct page *p, const char *text)
{
	page_put_raw(p, is_html(p) ? "<li>" : "- ");
	text_of(p, text);
	page_put_raw(p, is_html(p) ? "</li>\n" : "\n");
}

void page_item_command(struct page *p, const char *text, const char *command)
{
	page_put_raw(p, is_html(p) ? "<li>" : "- ");
	text_of(p, text);
	page_put_raw(p, ": ");
	name_of(p, command);
	page_put_raw(p, is_html(p) ? "</li>\n" : "\n");
}

void page_list_end(struct page *p)
{
	page_put_raw(p, is_html(p) ? "</ul>\n" : "");
}

void page_code(struct page *p, const char *text)
{
	if (!is_html(p)) {
		page_put_raw(p, "\n");
		markdown_block(p->out, text);
		return;
	}
	page_put_raw(p, "<pre>");
	for (const char *end; *text; text = end) {
		struct out line;

		end = text + strcspn(text, "\n");
		out_init(&line);
		out_add(&line, text, (size_t)(end - text));
		xml_text(p->out, line.text ? line.text : "");
		p->out->failed |= line.failed;
		out_release(&line);
		if (*end) {
			page_put_raw(p, "\n");
			end++;
		}
	}
	page_put_raw(p, "</pre>\n");
}

/* ---- tables ---- */

void page_table(struct page *p, const struct column_look *columns, uint32_t count)
{
	p->columns = columns;
	p->column_count = count;
	p->column = 0;
	page_put_raw(p, is_html(p) ? "<div class=\"scroll\"><table>\n<thead><tr>" : "\n|");
	for (uint32_t i = 0; i < count; i++) {
		page_put_raw(p, !is_html(p) ? " " : columns[i].align == LOOK_RIGHT ? "<th class=\"n\">" : columns[i].align == LOOK_WORDS ? "<th class=\"p\">" : "<th>");
		text_of(p, columns[i].title);
		page_put_raw(p, is_html(p) ? "</th>" : " |");
	}
	page_put_raw(p, is_html(p) ? "</tr></thead>\n<tbody>\n" : "\n|");
	for (uint32_t i = 0; !is_html(p) && i < count; i++)
		page_put_raw(p, columns[i].align == LOOK_RIGHT ? " ---: |" : " --- |");
	page_put_raw(p, is_html(p) ? "" : "\n");
}

static void open_cell(struct page *p)
{
	if (p->column == 0)
		page_put_raw(p, is_html(p) ? "<tr>" : "|");
	page_put_raw(p, !is_html(p) ? " " : p->columns[p->column].align == LOOK_RIGHT ? "<td class=\"n\">" : "<td>");
}

static void close_cell(struct page *p)
{
	page_put_raw(p, is_html(p) ? "</td>" : " |");
	if (++p->column < p->column_count)
		return;
	p->column = 0;
	page_put_raw(p, is_html(p) ? "</tr>\n" : "\n");
}

void page_cell(struct page *p, const char *text)
{
	open_cell(p);
	text_of(p, text);
	close_cell(p);
}

void page_name(struct page *p, const char *name)
{
	open_cell(p);
	name_of(p, name);
	close_cell(p);
}

void page_poor(struct page *p, const char *text)
{
	open_cell(p);
	page_put_raw(p, is_html(p) ? "<b class=\"poor\">" : "**");
	text_of(p, text);
	page_put_raw(p, is_html(p) ? "</b>" : "**");
	close_cell(p);
}

void page_share(struct page *p, const char *text, double share)
{
	open_cell(p);
	if (is_html(p) && share >= 0)
		out_printf(p->out, "<span class=\"share\"><i style=\"width:%.1f%%\"></i></span>", 100 * fmin(share, 1));
	page_put_raw(p, is_html(p) ? "<span class=\"of\">" : "");
	text_of(p, text);
	page_put_raw(p, is_html(p) ? "</span>" : "");
	close_cell(p);
}

static void swatch(struct page *p, enum role role)
{
	if (is_html(p) && role != ROLE_DEFAULT)
		out_printf(p->out, "<i class=\"swatch %s\"></i>", svg_role_class(role));
}

void page_role(struct page *p, enum role role, const char *text)
{
	open_cell(p);
	swatch(p, role);
	text_of(p, text);
	close_cell(p);
}

void page_table_end(struct page *p)
{
	page_put_raw(p, is_html(p) ? "</tbody>\n</table></div>\n" : "");
	p->columns = NULL;
}

/* ---- facts and figures ---- */

static const struct column_look fact_columns[] = {{.title = ""}, {.title = ""}};

void page_facts(struct page *p)
{
	if (is_html(p))
		page_put_raw(p, "<dl>\n");
	else
		page_table(p, fact_columns, 2);
}

static void page_put_fact(struct page *p, const char *what, const char *value, bool is_name)
{
	if (!is_html(p)) {
		page_cell(p, what);
		if (is_name)
			page_name(p, value);
		else
			page_cell(p, value);
		return;
	}
	page_put_raw(p, "<dt>");
	text_of(p, what);
	page_put_raw(p, "</dt><dd>");
	if (is_name)
		name_of(p, value);
	else
		text_of(p, value);
	page_put_raw(p, "</dd>\n");
}

void page_fact(struct page *p, const char *what, const char *value)
{
	page_put_fact(p, what, value, false);
}

void page_fact_name(struct page *p, const char *what, const char *name)
{
	page_put_fact(p, what, name, true);
}

void page_facts_end(struct page *p)
{
	if (is_html(p))
		page_put_raw(p, "</dl>\n");
	else
		page_table_end(p);
}

void page_figures(struct page *p)
{
	if (is_html(p))
		page_put_raw(p, "<div class=\"figures\">\n");
	else
		page_table(p, fact_columns, 2);
}

void page_figure(struct page *p, const char *what, const char *value, bool poor)
{
	if (!is_html(p)) {
		page_cell(p, what);
		if (poor)
			page_poor(p, value);
		else
			page_cell(p, value);
		return;
	}
	out_printf(p->out, "<div><b%s>", poor ? " class=\"poor\"" : "");
	text_of(p, value);
	page_put_raw(p, "</b><span>");
	text_of(p, what);
	page_put_raw(p, "</span></div>\n");
}

void page_figures_end(struct page *p)
{
	if (is_html(p))
		page_put_raw(p, "</div>\n");
	else
		page_table_end(p);
}

/* ---- words ---- */

void page_words(struct page *p)
{
	page_put_raw(p, is_html(p) ? "<p class=\"words\">" : "\n```text\n");
	p->column = 0;
}

void page_word(struct page *p, enum role role, bool strong, bool joined, const char *text)
{
	/* Of the program's own making: numbers, stars and brackets. */
	if (p->column++ && !joined)
		page_put_raw(p, " ");
	if (!is_html(p)) {
		page_put_raw(p, text);
		return;
	}
	if (role != ROLE_DEFAULT)
		out_printf(p->out, "<span class=\"%s\">", svg_role_class(role));
	page_put_raw(p, strong ? "<b>" : "");
	xml_text(p->out, text);
	page_put_raw(p, strong ? "</b>" : "");
	page_put_raw(p, role != ROLE_DEFAULT ? "</span>" : "");
}

void page_words_end(struct page *p)
{
	page_put_raw(p, is_html(p) ? "</p>\n" : "\n```\n");
	p->column = 0;
}

/* ---- pictures ---- */

bool page_picture(struct page *p, const char *caption, bool wide)
{
	if (!is_html(p))
		return false;
	out_printf(p->out, "<figure%s><figcaption>", wide ? " class=\"wide\"" : "");
	text_of(p, caption);
	page_put_raw(p, "</figcaption><div class=\"scroll\">\n");
	return true;
}

void page_picture_end(struct page *p)
{
	page_put_raw(p, "</div></figure>\n");
}

void page_pictures(struct page *p)
{
	page_put_raw(p, is_html(p) ? "<div class=\"pictures\">\n" : "");
}

void page_pictures_end(struct page *p)
{
	page_put_raw(p, is_html(p) ? "</div>\n" : "");
}

void page_legend(struct page *p)
{
	page_put_raw(p, is_html(p) ? "<p class=\"legend\">" : "");
}

void page_legend_entry(struct page *p, enum role role, const char *text)
{
	if (!is_html(p))
		return;
	page_put_raw(p, "<span>");
	swatch(p, role);
	text_of(p, text);
	page_put_raw(p, "</span> ");
}

void page_legend_end(struct page *p)
{
	page_put_raw(p, is_html(p) ? "</p>\n" : "");
}

#define DARK "--paper:#14171a;--ink:#dfe3e8;--dim:#98a1ab;--rule:#4a525b;--soft:#1f2429;--poor:#ff9d5c;--link:#6cb6ff;"
#define LIGHT "--paper:#fff;--ink:#1f2429;--dim:#5c6670;--rule:#b5bdc6;--soft:#f2f4f6;--poor:#b64a00;--link:#0a5fb4;"

void page_style(struct out *o)
{
	out_str(o, ":root{color-scheme:light dark;" LIGHT "}\n"
		   "@media (prefers-color-scheme:dark){:root{" DARK "}}\n"
		   "*{box-sizing:border-box}\n"
		   "html{background:var(--paper);-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
		   "body{margin:0 auto;padding:1.2rem;max-width:60rem;color:var(--ink);background:var(--paper);"
		   "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif}\n"
		   "h1{font-size:1.6rem;line-height:1.2;margin:.2rem 0 .4rem;overflow-wrap:anywhere}\n"
		   "h2{font-size:1.2rem;margin:2rem 0 .6rem;padding-bottom:.2rem;border-bottom:1px solid var(--rule)}\n"
		   "h3{font-size:1rem;margin:1.2rem 0 .4rem}\n"
		   "p,ul{margin:.5rem 0}\nul{padding-left:1.2rem}\nli{overflow-wrap:anywhere}\np{overflow-wrap:anywhere}\n"
		   "code,pre,.words{font-family:ui-monospace,'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace;font-size:.875em}\n"
		   "code{overflow-wrap:anywhere;unicode-bidi:isolate}\n"
		   "pre{background:var(--soft);padding:.7rem .8rem;border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.45}\n");
	out_str(o, ".names{color:var(--dim)}\n.absent{color:var(--dim);font-style:italic}\n"
		   ".warning{border-left:4px solid var(--poor);background:var(--soft);padding:.5rem .8rem;border-radius:0 6px 6px 0}\n"
		   ".poor{color:var(--poor)}\n"
		   ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.6rem;margin:1rem 0}\n"
		   ".figures div{background:var(--soft);border-radius:6px;padding:.6rem .8rem}\n"
		   ".figures b{display:block;font-size:1.25rem;line-height:1.3}\n.figures span{color:var(--dim);font-size:.85rem}\n"
		   "dl{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.25rem 1rem;margin:.6rem 0}\n"
		   "dt{color:var(--dim)}\ndd{margin:0;min-width:0;overflow-wrap:anywhere}\n"
		   ".scroll{overflow-x:auto;-webkit-overflow-scrolling:touch}\n"
		   "table{border-collapse:collapse;font-size:.875rem;margin:.5rem 0;font-variant-numeric:tabular-nums}\n"
		   "th,td{padding:.22rem .7rem .22rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--soft)}\n"
		   "th{color:var(--dim);font-weight:600;border-bottom:1px solid var(--rule);vertical-align:bottom}\n"
		   "th.n,td.n{text-align:right;white-space:nowrap}\n"
		   "td code{white-space:pre-wrap;overflow-wrap:break-word}\n"
		   "th.p{min-width:15rem}\ntd{overflow-wrap:break-word}\n");
	out_str(o, ".share{display:inline-block;width:4.5rem;height:.6em;background:var(--soft)}\n.of{display:inline-block;min-width:4.6em}\n"
		   ".share i{display:block;height:100%;background:var(--dim)}\n"
		   ".swatch{display:inline-block;width:.75em;height:.75em;margin-right:.45em;border-radius:2px;background:var(--c)}\n"
		   ".words{line-height:1.9;background:var(--soft);padding:.5rem .8rem;border-radius:6px}\n"
		   ".words span{border-bottom:3px solid var(--c);padding-bottom:1px}\n"
		   ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:1rem}\n"
		   "figure{margin:.8rem 0;min-width:0}\nfigcaption{font-size:.9rem;color:var(--dim);margin-bottom:.2rem}\n"
		   "svg.plot{display:block;width:100%;height:auto;font-family:inherit}\nfigure.wide svg.plot{min-width:40rem}\nsvg.plot.bar{height:30px}\n"
		   ".legend{font-size:.85rem;margin:.1rem 0 .8rem}\n.legend span{white-space:nowrap;margin-right:.9rem}\n"
		   "svg.plot,.swatch,.share,.share i,.words span{print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
		   "@media (max-width:34rem){body{padding:.8rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.4rem}"
		   ".figures{grid-template-columns:repeat(2,1fr)}}\n"
		   "@page{size:A4;margin:14mm}\n"
		   "@media print{:root{color-scheme:light;" LIGHT "}\nbody{max-width:none;padding:0;font-size:10pt}\n"
		   "h2,h3,figcaption{break-after:avoid}figure,.figures,tr,dl,.warning{break-inside:avoid}thead{display:table-header-group}"
		   ".scroll{overflow:visible}figure.wide svg.plot{min-width:0}"
		   "table{font-size:8.5pt}th,td{padding-right:.5rem}th.n{white-space:normal}th.p{min-width:0}td code{overflow-wrap:anywhere}"
		   ".share{width:3rem}}\n");
}
