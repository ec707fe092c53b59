/* Pages: every text is data in both formats. In HTML nothing of it is a tag, a reference or an attribute; in Markdown
 * it is no markup, no table column, no link and no mention, and a fence around it is longer than any in it. What moves
 * a terminal or turns text around is U+FFFD.
 *
 * Names come from traces that others made, and reports are opened in browsers and pasted into issues.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_int.h"
#include "tap.h"
#include "xml_check.h"

#define ELEMENTS "html head meta title style body header section h1 h2 h3 p ul li code pre div table thead tbody tr th td dl dt dd b span i figure figcaption"
#define ATTRIBUTES "xmlns lang charset http-equiv content name class id style"

static char wrong[XML_WRONG];

static void is_markdown(const char *text, bool begins_line, const char *want)
{
	struct out o;

	out_init(&o);
	markdown_text(&o, text, begins_line);
	is_str(o.text, want, "as text: %s", want);
	out_release(&o);
}

static void is_span(const char *text, bool in_table, const char *want)
{
	struct out o;

	out_init(&o);
	markdown_span(&o, text, in_table);
	is_str(o.text, want, "as a span: %s", want);
	out_release(&o);
}

static void check_markdown(void)
{
	struct out o;

	is_markdown("parallel efficiency 92.5 % (P1, 0.27 ms +- 0.04); see MPI_Send", true, "parallel efficiency 92.5 % (P1, 0.27 ms +- 0.04); see MPI_Send");
	is_markdown("<script>", false, "\\<script\\>");
	is_markdown("a|b", false, "a\\|b");
	is_markdown("*x* _x_ `x` ~x~ [x](y) ![x] \\ &amp; $x$", false, "\\*x\\* \\_x\\_ \\`x\\` \\~x\\~ \\[x\\](y) \\!\\[x\\] \\\\ \\&amp; \\$x\\$");
	is_markdown("https://x.org", false, "https\\://x.org");
	is_markdown("mailto:x", false, "mailto\\:x");
	is_markdown("see www.x.org", false, "see www\\.x.org");
	is_markdown("@someone #12", false, "`@`someone \\#12");
	is_markdown("- x", true, "\\- x");
	is_markdown("- x", false, "- x");
	is_markdown("12. x", true, "12\\. x");
	is_markdown("# x", true, "\\# x");
	is_markdown("a\nb\tc\x1b[31m\xe2\x80\xae\xff", false, "a\xef\xbf\xbd" "b\xef\xbf\xbd" "c\xef\xbf\xbd\\[31m\xef\xbf\xbd\xef\xbf\xbd");
	is_span("solve", false, "`solve`");
	is_span("a`b", false, "``a`b``");
	is_span("`", false, "`` ` ``");
	is_span("a```b``", false, "```` a```b`` ````");
	is_span("", false, "`  `");
	is_span("a|b<i>@x", true, "`a\\|b<i>@x`");
	is_span("a|b", false, "`a|b`");
	is_span("a\nb", true, "`a\xef\xbf\xbd" "b`");
	out_init(&o);
	markdown_block(&o, "a\n```\n<b>\x1b\n");
	is_str(o.text, "````text\na\n```\n<b>\xef\xbf\xbd\n````\n", "a fence is longer than those inside");
	out_release(&o);
}

static const char hostile[] = "</td><script>alert(1)</script>\"><img src=x onerror=alert(1)> ]]> a|b `c` & &lt; \x1b[31m \xe2\x80\xae \n\r\t \xff @x";

/* Everything that a page can have, of hostile texts. */
static char *page_of(enum report_format format)
{
	static const struct column_look columns[] = {{.title = "name"}, {.title = "count", .align = LOOK_RIGHT}, {.title = hostile, .align = LOOK_WORDS}};
	const char *names[] = {hostile, hostile};
	struct page p;
	struct out o;

	out_init(&o);
	page_begin(&p, format, &o, hostile);
	page_subtitle(&p, names, 2);
	page_section(&p, "one", hostile);
	page_part(&p, hostile);
	page_sentence(&p, hostile);
	page_absent(&p, hostile);
	page_warning(&p, hostile);
	page_list(&p);
	page_item(&p, hostile);
	page_item_command(&p, hostile, hostile);
	page_list_end(&p);
	page_facts(&p);
	page_fact(&p, hostile, hostile);
	page_fact_name(&p, hostile, hostile);
	page_facts_end(&p);
	page_figures(&p);
	page_figure(&p, hostile, hostile, true);
	page_figures_end(&p);
	page_table(&p, columns, 3);
	page_cell(&p, hostile);
	page_poor(&p, hostile);
	page_name(&p, hostile);
	page_role(&p, ROLE_SEND, hostile);
	page_share(&p, hostile, 0.5);
	page_cell(&p, hostile);
	page_table_end(&p);
	page_code(&p, hostile);
	page_words(&p);
	page_word(&p, ROLE_PHASE_0, true, false, "14(");
	page_word(&p, ROLE_DEFAULT, false, true, "2*7");
	page_words_end(&p);
	page_pictures(&p);
	if (page_picture(&p, hostile, true))
		page_picture_end(&p);
	page_pictures_end(&p);
	page_legend(&p);
	page_legend_entry(&p, ROLE_SEND, hostile);
	page_legend_end(&p);
	page_end(&p);
	return o.text;
}

/* Bars of a line of a table that are not escaped. */
static uint32_t bars(const char *line, size_t n)
{
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += line[i] == '|' && (!i || line[i - 1] != '\\');
	return count;
}

/* The first tag that a line of Markdown would have, outside of code spans; NULL: none. */
static const char *first_tag(const char *line, const char *end)
{
	while (line < end) {
		size_t n = strspn(line, "`");

		if (*line == '<')
			return line;
		if (*line == '\\') {
			line += 2;
		} else if (n) {
			const char *close = line + n;

			while (close < end && strspn(close, "`") != n)
				close += strspn(close, "`") ? strspn(close, "`") : 1;
			line = close + n;
		} else {
			line++;
		}
	}
	return NULL;
}

static void check_pages(void)
{
	char *html = page_of(REPORT_HTML), *md = page_of(REPORT_MD);
	uint32_t tables = 0, uneven = 0, before = 0, tags = 0;
	size_t fence = 0;

	ok(xml_check(html, ELEMENTS, ATTRIBUTES, wrong), "a page of hostile texts is well-formed, and has only its own elements (%s)", wrong);
	ok(!strstr(html, "<script") && !strstr(html, "<img"), "none of the tags is one");
	ok(strstr(html, "&lt;script&gt;") != NULL, "they are text");
	ok(strstr(html, "default-src 'none'") != NULL, "and the page forbids to load or run anything");
	for (char *line = md, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (strspn(line, "`") >= 3 && (!fence || strspn(line, "`") == fence))
			fence = fence ? 0 : strspn(line, "`");
		else if (!fence)
			tags += first_tag(line, end) != NULL;
		if (*line == '|') {
			uint32_t n = bars(line, (size_t)(end - line));

			tables += !before;
			uneven += before && n != before;
			before = n;
		} else {
			before = 0;
		}
	}
	is_u64(tables, 3, "the tables of the Markdown");
	is_u64(uneven, 0, "each row has as many columns as its head");
	ok(!strchr(md, '\x1b') && !strchr(md, '\r') && !strchr(md, '\t'), "nothing moves a terminal");
	is_u64(tags, 0, "and no line has a tag outside of code");
	is_u64(fence, 0, "each block of code ends");
	free(html);
	free(md);
}

int main(void)
{
	check_markdown();
	check_pages();
	return done_testing();
}
