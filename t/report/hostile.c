/* A report of a trace whose names are an attack: user states, hosts, the file's own name and the title are tags, ends
 * of attributes and of CDATA, bars, backticks, controls and marks that turn text around. The page must have no element
 * but its own, and be well-formed; the Markdown's tables must keep their columns.
 *
 * Whoever opens a report trusts the one who sent it, not who wrote the program that was traced.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen_clog2.h"
#include "tap.h"
#include "xml_check.h"

#define ELEMENTS "html head meta title style body header section h1 h2 h3 p ul li code pre div table thead tbody tr th td dl dt dd b span i " \
	"figure figcaption svg g path rect circle text"
#define ATTRIBUTES "xmlns lang charset http-equiv content name class id style viewBox width height role aria-label transform x y cx cy r d " \
	"text-anchor preserveAspectRatio"
#define NAME 31 /* bytes of a state's name */
#define HOST 19 /* and of a host's */

static const char *const names[][2] = { /* a state, a host */
	{"<script>alert(1)</script>", "<script>x</script>"},
	{"\"><img src=x onerror=alert(1)>", "\"><img onerror=x>"},
	{"]]></style></pre><b>x", "]]><b>"},
	{"a|b|c ``` `x` @you #1", "a|b`c@you"},
	{"\x1b[31m\xe2\x80\xae\xc2\x85 \r\n\t\x7f\xff", "\x1b]0;x\x07\xe2\x80\xae"},
	{"&lt;i&gt; &#60;b&#62; &amp;", "&#60;b&#62;"},
	{"https://evil.example www.x.org", "www.evil.example"},
};

static char folder[] = "/tmp/pas2p-hostile.XXXXXX";

/* Whatever stands where a name was is the new one, to the end of its field. */
static int replace(struct gen_bytes *b, const char *was, const char *is, size_t field)
{
	size_t n = strlen(was) + 1;
	int found = 0;

	for (size_t i = 0; i + field < b->size; i++)
		if (!memcmp(b->bytes + i, was, n)) {
			memset(b->bytes + i, 0, field);
			memcpy(b->bytes + i, is, strlen(is));
			found++;
		}
	return found;
}

static void write_trace(const char *path, const char *state, const char *host)
{
	struct gen_bytes b = gen_slurp("sample-traces/userstates.3.clog2");
	FILE *f = fopen(path, "wb");

	if (!f)
		bail_out("cannot write %s", path);
	ok(replace(&b, "Outer step", state, NAME) > 0 && replace(&b, "vm", host, HOST) > 0, "the names are in the trace");
	fwrite(b.bytes, 1, b.size, f);
	fclose(f);
	free(b.bytes);
}

/* What the program prints; NULL: it failed. */
static char *report_of(const char *trace, const char *format, const char *title)
{
	const char *program = getenv("PAS2P");
	char out[256], *text = NULL;
	int status;
	pid_t child;

	snprintf(out, sizeof out, "%s/out", folder);
	child = fork();
	if (child < 0)
		bail_out("cannot fork");
	if (!child) {
		int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600), null = open("/dev/null", O_WRONLY);

		dup2(fd, 1);
		dup2(null, 2);
		execl(program, program, "report", "--no-config", "--format", format, "--title", title, "--", trace, (char *)NULL);
		_exit(127);
	}
	if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		struct gen_bytes b = gen_slurp(out);

		text = calloc(b.size + 1, 1);
		memcpy(text, b.bytes, b.size);
		free(b.bytes);
	}
	unlink(out);
	return text;
}

static void check_html(const char *trace, const char *title, int which)
{
	char wrong[XML_WRONG], *text = report_of(trace, "html", title);

	if (!ok(text != NULL, "attack %d: there is a page", which))
		return;
	ok(xml_check(text, ELEMENTS, ATTRIBUTES, wrong), "attack %d: the page is well-formed and has only its own elements (%s)", which, wrong);
	ok(!strstr(text, "<script") && !strstr(text, "<img") && !strstr(text, "javascript:"), "attack %d: nothing runs", which);
	ok(!strstr(text, "href") && !strstr(text, "url("), "attack %d: and nothing is loaded", which);
	free(text);
}

static uint32_t bars(const char *line, size_t n)
{
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += line[i] == '|' && (!i || line[i - 1] != '\\');
	return count;
}

static void check_markdown(const char *trace, const char *title, int which)
{
	char *text = report_of(trace, "md", title);
	uint32_t uneven = 0, rows = 0, before = 0, controls = 0;

	if (!ok(text != NULL, "attack %d: there is Markdown", which))
		return;
	for (const char *line = text, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		for (const char *c = line; c < end; c++)
			controls += (unsigned char)*c < 0x20 || *c == 0x7f;
		if (*line == '|') {
			uint32_t n = bars(line, (size_t)(end - line));

			uneven += before && n != before;
			rows++;
			before = n;
		} else {
			before = 0;
		}
	}
	ok(rows > 30, "attack %d: it has tables", which);
	is_u64(uneven, 0, "attack %d: whose rows have as many columns as their heads", which);
	is_u64(controls, 0, "attack %d: and no controls", which);
	free(text);
}

int main(void)
{
	if (!getenv("PAS2P"))
		bail_out("PAS2P is not set");
	if (!mkdtemp(folder))
		bail_out("no temporary directory");
	for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
		char path[512];

		/* A file's name has no slash; all else is fair. */
		snprintf(path, sizeof path, "%s/%s", folder, names[i][0]);
		for (char *c = path + strlen(folder) + 1; *c; c++)
			*c = *c == '/' ? '_' : *c;
		write_trace(path, names[i][0], names[i][1]);
		check_html(path, names[i][0], i + 1);
		check_markdown(path, names[i][0], i + 1);
		unlink(path);
	}
	rmdir(folder);
	return done_testing();
}
