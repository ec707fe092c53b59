/* A Paraver trace is one text, of which each rank of a team reads a stripe of bytes: where a stripe ends must not show,
 * whatever lies there. Lines that are longer than stripes, a header that is, more ranks than lines; what is odd, by its
 * line; states that stand for calls unless some rank's lines have calls. A compressed one is a stream that each rank
 * reads: the same comes out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen_prv.h"
#include "packed.h"
#include "part_case.h"
#include "tap.h"

#define MOST_RANKS 9
#define SEEDS CASES(40)

static char folder[] = "/tmp/pas2p-prv.XXXXXX";

/* Text that grows. */
struct text {
	char *bytes;
	size_t size;
	FILE *out;
};

static void text_begin(struct text *text)
{
	text->out = open_memstream(&text->bytes, &text->size);
	if (!text->out)
		bail_out("no memory");
}

static void text_header(struct text *text, int tasks)
{
	fprintf(text->out, "#Paraver (01/01/2026 at 00:00):100000_ns:1(%d):1:%d(", tasks, tasks);
	for (int i = 0; i < tasks; i++)
		fprintf(text->out, "%s1:1", i ? "," : "");
	fputs(")\n", text->out);
}

static void check(struct text *text, const char *what)
{
	struct gen_bytes b;
	int good = 0;

	fclose(text->out);
	b = (struct gen_bytes){(uint8_t *)text->bytes, text->size};
	for (uint32_t ranks = 2; ranks <= MOST_RANKS; ranks++)
		for (unsigned threads = 1; threads <= 2; threads++)
			good += part_is_same(&(struct part_input){.bytes = &b, .count = 1, .threads = threads}, ranks);
	is_int(good, (MOST_RANKS - 1) * 2, "%s", what);
	free(text->bytes);
}

static void put_message(struct text *text, int from, int to, int at)
{
	fprintf(text->out, "3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:64:7\n", from, from, at, at, to, to, at + 50, at + 50);
}

static void test_header(void)
{
	struct text text;

	text_begin(&text);
	text_header(&text, 400);
	put_message(&text, 1, 400, 10);
	put_message(&text, 400, 1, 90);
	check(&text, "a header that is longer than stripes are");

	text_begin(&text);
	text_header(&text, 2);
	check(&text, "no line but the header");

	text_begin(&text);
	text_header(&text, 2);
	fputs("3:1:1:1:1:10:10:2:1:2:1:60:60:64:7", text.out);
	check(&text, "one line, which does not end");

	text_begin(&text);
	text_header(&text, 2);
	put_message(&text, 1, 2, 10);
	fputs("3:1:1:1:1:10:10:2:1:2:1:6", text.out);
	check(&text, "a last line that is cut");
}

static void test_long_lines(void)
{
	struct text text;

	text_begin(&text);
	text_header(&text, 3);
	put_message(&text, 1, 2, 10);
	fprintf(text.out, "2:2:1:2:1:100:50000001:1");
	for (int i = 0; i < 3000; i++)
		fprintf(text.out, ":%d:%d", 42000000 + i % 7, i);
	fputs("\n2:2:1:2:1:120:50000001:0\n", text.out);
	put_message(&text, 2, 3, 110);
	fputs("c:1:1:3:1:2:3\nc:1:2:2:3:1\n", text.out);
	check(&text, "a line that is longer than stripes are");

	text_begin(&text);
	text_header(&text, 3);
	put_message(&text, 1, 2, 10);
	fputs("3:", text.out);
	for (int i = 0; i < 17 << 20; i++)
		fputc('1', text.out);
	fputc('\n', text.out);
	put_message(&text, 2, 3, 110);
	check(&text, "a line that is too long to be one");
}

/* Each odd line has its number; of each kind some are told, and all are counted. */
static void test_odd(void)
{
	struct text text;

	text_begin(&text);
	text_header(&text, 4);
	for (int i = 0; i < 200; i++) {
		put_message(&text, i % 4 + 1, (i + 1) % 4 + 1, 100 * i);
		if (i % 9 == 0)
			fputs("2:1:1:1:1:x\n", text.out);
		if (i % 11 == 0)
			fprintf(text.out, "2:9:1:%d:1:50:50000001:1\n", i);
		if (i % 13 == 0)
			put_message(&text, 1, 99, 100 * i);
		if (i % 50 == 49)
			fprintf(text.out, "2:1:1:1:9:%d:50000001:1\n", 100 * i);
		if (i == 150)
			fputs("c:1:1:4:1:2:3:9\nc:1:99999999999:1:1\n", text.out);
	}
	check(&text, "what is odd is noted by its line");
}

/* If no line has a call, states stand for them. */
static void test_states(void)
{
	for (int calls = 0; calls < 3; calls++) {
		struct text text;

		text_begin(&text);
		text_header(&text, 5);
		if (calls == 1)
			fputs("2:1:1:1:1:1:50000003:31\n2:1:1:1:1:5:50000003:0\n", text.out);
		for (int i = 0; i < 60; i++)
			for (int task = 1; task <= 5; task++)
				fprintf(text.out, "1:%d:1:%d:1:%d:%d:%d\n", task, task, 100 * i, 100 * i + 60, i % 2 ? 1 : 9);
		if (calls == 2)
			fputs("2:5:1:5:1:9001:50000003:31\n2:5:1:5:1:9005:50000003:0\n", text.out);
		check(&text, calls == 2 ? "states do not where the last line has one" : calls ? "nor where the first line has" : "states stand for calls");
	}
}

static void test_packed(void)
{
	for (unsigned k = 0; k < packed_kind_count; k++) {
		int good = 0;

		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			char *text = gen_prv(seed, (unsigned)seed % 3), path[80];
			const char *paths = path;
			size_t size;
			uint8_t *bytes = packed_bytes(packed_kinds[k], text, strlen(text), 3, &size);
			FILE *out;

			snprintf(path, sizeof path, "%s/t.prv.%s", folder, packing_name(packed_kinds[k]));
			out = fopen(path, "w");
			if (!out || fwrite(bytes, 1, size, out) != size || fclose(out))
				bail_out("cannot write %s", path);
			good += part_is_same(&(struct part_input){.paths = &paths, .count = 1}, 2 + (uint32_t)seed % 7);
			free(bytes);
			free(text);
		}
		is_int(good, SEEDS, "compressed with %s", packing_name(packed_kinds[k]));
	}
}

int main(void)
{
	char command[80];

	if (!mkdtemp(folder))
		bail_out("cannot make a folder");
	test_header();
	test_long_lines();
	test_odd();
	test_states();
	test_packed();
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (system(command) != 0)
		diag("%s stays", folder);
	return done_testing();
}
