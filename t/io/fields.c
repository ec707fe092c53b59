/* Fields of a document: what is asked for is given with its type and range, or else one sentence says file, line and
 * path, what was expected and what is there. All that reads YAML relies on it: who wrote a file by hand, or has a
 * damaged one, sees where to look. After the first error nothing more is read or said, whatever is asked for. Memory
 * that runs out is an error as well.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/io/fields.h"
#include "tap.h"

static struct yaml_in y;
static struct arena arena;
static struct fields f;
static struct fields_map root;
static struct err e;

static void end(void)
{
	arena_release(&arena);
	yaml_in_release(&y);
}

static void begin(const char *text)
{
	e = (struct err){0};
	arena_init(&arena);
	if (yaml_in_init(&y, "a\x1b.yaml", text, strlen(text), &e))
		bail_out("%s", e.text);
	fields_init(&f, &y, &arena, ERR_FORMAT, &e);
	root = fields_root(&f);
}

static void is_read(void)
{
	struct fields_map in, item;
	const struct yaml_node *list;
	const uint32_t least[] = {1, 2};
	uint32_t *counts;
	double *reals;
	const char **texts;

	begin("word: hello\nraw: \"a\\e\"\nn: 7\nv: -2.5e3\nnone: null\nmode: two\nyes: true\nin: {deep: {n: 3}}\n"
	      "list: [{n: 1}, {n: 2}]\ncounts: [1, 4294967295]\nreals: [-1, 0.5]\nwords: [one, \"a\\e\", \"\"]\nempty: []\n");
	is_str(fields_text(&f, &root, "word"), "hello", "a text");
	is_str(fields_text(&f, &root, "raw"), "a\x1b", "as it is");
	is_str(fields_safe_text(&f, &root, "raw"), "a\xef\xbf\xbd", "or fit to be shown");
	is_u64(fields_whole(&f, &root, "n", 7, 7), 7, "a whole number at both its bounds");
	ok(fields_real(&f, &root, "v", -2500, -2500) == -2500, "a number at both its bounds");
	ok(fields_undefined(&f, &root, "none") && !fields_undefined(&f, &root, "word") && !fields_undefined(&f, &root, "no"),
	   "null is not defined");
	ok(isnan(fields_figure(&f, &root, "none", 0)) && fields_figure(&f, &root, "n", 0) == 7, "which a figure may be");
	is_int(fields_choice(&f, &root, "mode", "one|two|three"), 1, "a choice");
	ok(fields_bool(&f, &root, "yes"), "a truth value");
	in = fields_enter(&f, &root, "in");
	in = fields_enter(&f, &in, "deep");
	is_str(in.path, "in.deep.", "the path of a mapping in a mapping");
	is_u64(fields_count(&f, &in, "n", 0, 9), 3, "and what is in it");
	list = fields_list(&f, &root, "list");
	item = fields_item(&f, &root, "list", 1, list->first->next);
	is_str(item.path, "list[1].", "the path of a mapping in a list");
	is_u64(fields_count(&f, &item, "n", 0, 9), 2, "and what is in it");
	counts = fields_counts(&f, &root, "counts", 2, "rank", least);
	ok(counts && counts[0] == 1 && counts[1] == UINT32_MAX, "whole numbers");
	reals = fields_reals(&f, &root, "reals", 2, "rank");
	ok(reals && reals[0] == -1 && reals[1] == 0.5, "numbers");
	texts = fields_safe_texts(&f, &root, "words");
	ok(texts && !strcmp(texts[1], "a\xef\xbf\xbd") && !*texts[2] && !texts[3], "texts, the end marked");
	texts = fields_safe_texts(&f, &root, "empty");
	ok(texts && !texts[0], "none");
	ok(!fields_find(&f, &root, "other") && fields_find(&f, &root, "n"), "what may be missing");
	is_int(f.code, ERR_OK, "all without an error");
	end();
}

/* Each of these is asked of one document. */
static void ask(int what)
{
	static const uint32_t least[] = {5, 5};
	const struct yaml_node *list = yaml_get(y.root, "list");
	struct fields_map in = {.map = y.root, .path = "phases[3]."};

	switch (what) {
	case 0: fields_text(&f, &root, "gone"); break;
	case 1: fields_text(&f, &root, "list"); break;
	case 2: fields_text(&f, &root, "void"); break;
	case 3: fields_whole(&f, &root, "word", 1, UINT64_MAX); break;
	case 4: fields_whole(&f, &root, "n", 8, 9); break;
	case 5: fields_whole(&f, &root, "n", 1, 6); break;
	case 6: fields_whole(&f, &root, "quoted", 0, 9); break;
	case 7: fields_count(&f, &root, "v", 0, 9); break;
	case 8: fields_real(&f, &root, "v", 0, INFINITY); break;
	case 9: fields_real(&f, &root, "v", 0, 1); break;
	case 10: fields_real(&f, &root, "word", -INFINITY, INFINITY); break;
	case 11: fields_figure(&f, &root, "void", 0); break;
	case 12: fields_choice(&f, &root, "word", "a|b"); break;
	case 13: fields_choice(&f, &root, "map", "a|b"); break;
	case 14: fields_bool(&f, &root, "n"); break;
	case 15: fields_enter(&f, &root, "n"); break;
	case 16: fields_enter(&f, &root, "list"); break;
	case 17: fields_list(&f, &root, "map"); break;
	case 18: fields_list_of(&f, &root, "n", 2, "run"); break;
	case 19: fields_list_of(&f, &root, "list", 3, "run"); break;
	case 20: fields_item(&f, &root, "list", 1, list->first->next); break;
	case 21: fields_counts(&f, &root, "list", 2, "run", least); break;
	case 22: fields_reals(&f, &root, "list", 2, "run"); break;
	case 23: fields_safe_texts(&f, &root, "texts"); break;
	case 24: fields_text(&f, &in, "gone"); break;
	case 25: fields_wrong_kind(&f, list->first, "list", "something else"); break;
	case 26: fields_wrong(&f, list->first, "\x1b.", "x", "something else"); break;
	case 27: fields_fail(&f, 3, "%s", "as the caller says"); break;
	case 28: fields_version(&f, "n", "a thing", 8, 8); break;
	}
}

static void is_refused(void)
{
	static const char *const sentences[] = {
		"line 1: gone is missing",
		"line 3: list is a list: expected a text",
		"line 4: void is '': expected a text",
		"line 1: word is 'x\xef\xbf\xbd': expected a whole number from 1 to 18446744073709551615",
		"line 2: n is '7': expected a whole number from 8 to 9",
		"line 2: n is '7': expected a whole number from 1 to 6",
		"line 5: quoted is '7': expected a whole number from 0 to 9",
		"line 6: v is '-2.5': expected a whole number from 0 to 9",
		"line 6: v is '-2.5': expected a number, 0 or more",
		"line 6: v is '-2.5': expected a number from 0 to 1",
		"line 1: word is 'x\xef\xbf\xbd': expected a number",
		"line 4: void is '': expected a number, 0 or more",
		"line 1: word is 'x\xef\xbf\xbd': expected one of a|b",
		"line 7: map is a mapping: expected one of a|b",
		"line 2: n is '7': expected one of false|true",
		"line 2: n is '7': expected a mapping",
		"line 3: list is a list: expected a mapping",
		"line 7: map is a mapping: expected a list",
		"line 2: n is '7': expected a list with one item per run",
		"line 3: list has 2 items: expected 3, one per run",
		"line 3: list[1] is '6': expected a mapping",
		"line 3: list[0] is '4': expected a whole number from 5 to 4294967295",
		"line 8: texts[1] is a list: expected a text",
		"line 1: phases[3].gone is missing",
		"line 3: list is a value: expected something else",
		"line 3: \xef\xbf\xbd.x is '4': expected something else",
		"line 3: as the caller says",
		"line 2: a thing has version 7, but this pas2p reads version 8",
	};
	int said = 0;

	for (int what = 0; what <= 28; what++) {
		char whole[256];

		begin("word: \"x\\e\"\nn: 7\nlist: [4, 6]\nvoid:\nquoted: '7'\nv: -2.5\nmap: {a: b}\ntexts: [a, [b]]\n");
		f.mistake = what % 2 && what != 28 ? ERR_USAGE : ERR_FORMAT;
		ask(what);
		if (what == 22) {
			is_int(f.code, ERR_OK, "whole numbers are numbers");
			end();
			continue;
		}
		snprintf(whole, sizeof whole, "a\xef\xbf\xbd.yaml: %s", sentences[said++]);
		is_str(e.text, whole, "%s", whole);
		ok(f.code == e.code && f.code == f.mistake, "its code is the reader's");
		end();
	}
	is_int(said, sizeof sentences / sizeof *sentences, "each was asked for");
}

static void sticks(void)
{
	struct fields_map in;
	char first[ERR_TEXT];

	begin("n: 7\nmap: {n: 1}\n");
	fields_text(&f, &root, "gone");
	memcpy(first, e.text, sizeof first);
	in = fields_enter(&f, &root, "map");
	ok(!in.map, "after an error no mapping is entered");
	ok(!*fields_text(&f, &in, "n") && !fields_whole(&f, &in, "n", 0, 9) && !fields_list(&f, &in, "n") &&
	   !(fields_real(&f, &root, "n", 0, 9) > 0) && !fields_choice(&f, &in, "n", "a|b") && !fields_find(&f, &root, "n") &&
	   !fields_counts(&f, &in, "n", 1, "run", NULL) && !fields_reals(&f, &in, "n", 1, "run") &&
	   !fields_safe_texts(&f, &in, "n") && !fields_undefined(&f, &root, "n") && !fields_room(&f, 1, 1),
	   "and nothing is read");
	fields_memory(&f);
	fields_version(&f, "n", "a thing", 1, 1);
	is_str(e.text, first, "the first sentence stands");
	is_int(f.code, ERR_FORMAT, "and its code");
	end();

	begin("[a]");
	is_str(e.text, "a\xef\xbf\xbd.yaml: line 1: the file is a list: expected a mapping", "a document that is no mapping");
	end();
	begin("");
	is_str(e.text, "a\xef\xbf\xbd.yaml: the file is empty: expected a mapping", "none at all");
	end();
	begin("n: 7\n");
	f.e = NULL;
	fields_text(&f, &root, "gone");
	is_int(f.code, ERR_FORMAT, "nobody need listen");
	end();
}

static void without_memory(void)
{
	long asked = 0;

	/* The first time all succeed and are counted. */
	for (long n = -1; n < asked; n++) {
		begin("a: b\nlist: [1, 2]\nwords: [a, b]\n");
		mem_fail_after(n < 0 ? LONG_MAX : n);
		fields_text(&f, &root, "a");
		fields_safe_text(&f, &root, "a");
		fields_counts(&f, &root, "list", 2, "run", NULL);
		fields_reals(&f, &root, "list", 2, "run");
		fields_safe_texts(&f, &root, "words");
		fields_room(&f, 100, 1000);
		if (n < 0)
			asked = mem_count();
		mem_fail_after(-1);
		is_int(f.code, n < 0 ? ERR_OK : ERR_MEMORY, "allocation %ld fails: %s", n, e.text);
		end();
	}
	ok(asked > 1, "there were several");
}

int main(void)
{
	is_read();
	is_refused();
	sticks();
	without_memory();
	done_testing();
}
