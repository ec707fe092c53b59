/* What is to be studied is written by people, in files, in operands and in the names of files: what they mean must be
 * taken as they mean it, and each mistake must be answered with a sentence that says where it is and what was expected,
 * or it will be looked for for hours.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/study/file.h"
#include "tap.h"

static struct err err;

static enum err_code parse(struct study_file *f, const char *text)
{
	study_file_init(f);
	return study_file_parse(f, "s.yaml", "dir/", text, strlen(text), &err);
}

static void good_file(void)
{
	static const char text[] =
		"study: 1\nname: cg\nsettings: {volume: 10%, compute_of: sum}\nruns:\n"
		"- {file: cg.S.4.clog2, parameters: {n: 1400, machine: base}}\n"
		"- {file: [a.clog2, /b.clog2], name: A.2, parameters: {n: \"14000\", machine: 1.5e3}}\n"
		"- {file: w.yaml, result: sub/w8.result.yaml}\n"
		"predict: [{n: 75000, p: 16}, {}]\n";
	struct study_file f;

	if (!ok(!parse(&f, text), "a study is read: %s", err.text))
		return;
	is_str(f.name, "cg", "its name");
	ok(f.given[SETTING_volume] && f.given[SETTING_compute_of] && !f.given[SETTING_events], "the settings that it says");
	is_double(f.settings.volume, 0.1, 1e-15, "as a person writes them");
	is_int((long)f.run_count, 3, "three runs");
	is_str(f.runs[0].files[0], "dir/cg.S.4.clog2", "files are from where the study lies");
	is_str(f.runs[1].files[1], "/b.clog2", "but for whole paths");
	is_int(f.runs[1].file_count, 2, "a run of two files");
	is_str(f.runs[1].name, "A.2", "with a name");
	ok(!f.runs[0].name && !f.runs[0].result, "which need not be");
	is_str(f.runs[2].result, "dir/sub/w8.result.yaml", "a result");
	is_str(f.runs[0].parameters.list[0].name, "machine", "parameters are in order of name");
	ok(isnan(f.runs[0].parameters.list[0].number), "a word is a category");
	is_double(f.runs[1].parameters.list[0].number, 1500, 0, "a number is one");
	ok(isnan(f.runs[1].parameters.list[1].number), "in quotes it is a word");
	is_int(f.runs[2].parameters.count, 0, "a run without parameters");
	is_int((long)f.place_count, 2, "two places");
	is_double(study_parameter_find(&f.places[0], "p")->number, 16, 0, "with p");
	is_int(f.places[1].count, 0, "and with nothing");
	study_file_release(&f);
	ok(!parse(&f, "study: 1\nruns: [{file: a}]\n"), "the least that a study is");
	is_str(f.name, "s", "it is called what its file is");
	study_file_release(&f);
}

#define RUN "study: 1\nruns:\n- "

static const struct {
	const char *text, *sentence;
} bad[] = {
	{"", "s.yaml: the file is empty: expected a mapping"},
	{"- 1\n", "s.yaml: line 1: the file is a list: expected a mapping"},
	{"runs: []\n", "s.yaml: not a study: the key 'study' is missing"},
	{"study: one\n", "s.yaml: line 1: study is 'one': expected a version number"},
	{"study: 2\n", "s.yaml: line 1: a study has version 2, but this pas2p reads version 1"},
	{"study: 1\n", "s.yaml: line 1: runs is missing"},
	{"study: 1\nruns: []\n", "s.yaml: line 2: expected at least one run"},
	{"study: 1\nruns: 5\n", "s.yaml: line 2: runs is '5': expected a list"},
	{"study: 1\nruns: [a]\n", "s.yaml: line 2: runs[0] is 'a': expected a mapping"},
	{"study: 1\nrun: []\n", "s.yaml: line 2: unknown key 'run' in a study: expected one of study, name, settings, runs, predict"},
	{"study: 1\nname: [a]\nruns: []\n", "s.yaml: line 2: name is a list: expected a text"},
	{"study: 1\nsettings: {volum: 0.1}\nruns: []\n", "s.yaml: line 2: 'volum' is not an analysis setting"},
	{"study: 1\nsettings: {volume: 2}\nruns: []\n",
	 "s.yaml: line 2: volume is '2': expected a fraction from 0 to 1 or a percentage from 0% to 100%"},
	{"study: 1\nsettings: [volume]\nruns: []\n", "s.yaml: line 2: settings is a list: expected a mapping of settings to values"},
	{RUN "{name: a}\n", "s.yaml: line 3: runs[0].file is missing"},
	{RUN "{file: a, files: b}\n", "s.yaml: line 3: unknown key 'files' in a run: expected one of file, name, parameters, result"},
	{RUN "{file: []}\n", "s.yaml: line 3: runs[0].file is a list: expected a file name or a list of file names"},
	{RUN "{file: {a: b}}\n", "s.yaml: line 3: runs[0].file is a mapping: expected a file name or a list of file names"},
	{RUN "{file: }\n", "s.yaml: line 3: runs[0].file is '': expected a file name or a list of file names"},
	{RUN "{file: \"\"}\n", "s.yaml: line 3: empty file name"},
	{RUN "{file: [a, [b]]}\n", "s.yaml: line 3: runs[0].file[1] is a list: expected a file name"},
	{RUN "{file: a, result: [b]}\n", "s.yaml: line 3: runs[0].result is a list: expected a file name"},
	{RUN "{file: a, result: null}\n", "s.yaml: line 3: runs[0].result is 'null': expected a file name"},
	{RUN "{file: a, parameters: 5}\n", "s.yaml: line 3: parameters is a value: expected a mapping of names to values"},
	{RUN "{file: a, parameters: {n: [1]}}\n", "s.yaml: line 3: the parameter 'n' is a list: expected a number or a word"},
	{RUN "{file: a, parameters: {n: }}\n", "s.yaml: line 3: the parameter 'n' is empty: expected a number or a word"},
	{RUN "{file: a, parameters: {n: \"\"}}\n", "s.yaml: line 3: parameter n has no value"},
	{RUN "{file: a, parameters: {n-1: 2}}\n",
	 "s.yaml: line 3: invalid parameter name 'n-1': expected letters, digits and _, and no word of the model language"},
	{RUN "{file: a, parameters: {max: 2}}\n",
	 "s.yaml: line 3: invalid parameter name 'max': expected letters, digits and _, and no word of the model language"},
	{RUN "{file: a, parameters: {n: 1, n: 2}}\n", "s.yaml: line 3: the key 'n' appears twice, first in line 3"},
	{RUN "{file: a}\npredict: 5\n", "s.yaml: line 4: predict is a value: expected a list of parameter sets"},
	{RUN "{file: a}\npredict: [5]\n", "s.yaml: line 4: an item of predict is a value: expected a mapping of names to values"},
	{RUN "{file: a}\npredict: [{x y: 1}]\n",
	 "s.yaml: line 4: invalid parameter name 'x y': expected letters, digits and _, and no word of the model language"},
	{RUN "{file: &a a}\n", "s.yaml: line 3: anchors and aliases are not accepted; write the value out"},
};

static void bad_files(void)
{
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct study_file f;

		err.text[0] = '\0';
		is_int(parse(&f, bad[i].text), ERR_FORMAT, "bad file %zu is refused", i + 1);
		is_str(err.text, bad[i].sentence, "bad file %zu: the sentence", i + 1);
		study_file_release(&f);
	}
}

static void operands(void)
{
	struct study_file f;

	study_file_init(&f);
	ok(!study_file_operand(&f, "cg.S.4.clog2@n=1400,class=S", &err), "a file with parameters");
	is_str(f.runs[0].files[0], "cg.S.4.clog2", "its file");
	is_double(study_parameter_find(&f.runs[0].parameters, "n")->number, 1400, 0, "a number");
	is_str(study_parameter_find(&f.runs[0].parameters, "class")->text, "S", "a word");
	ok(!study_file_operand(&f, "a@b.clog2", &err), "an @ without = behind it");
	is_str(f.runs[1].files[0], "a@b.clog2", "is of the name");
	ok(!study_file_operand(&f, "a@b.clog2@n=1", &err), "of two");
	is_str(f.runs[2].files[0], "a@b.clog2", "the last one counts");
	is_int(study_file_operand(&f, "a@n=1,m", &err), ERR_USAGE, "a name alone");
	is_str(err.text, "a@n=1,m: expected NAME=VALUE,..., such as n=1000", "is refused");
	is_int(study_file_operand(&f, "a@n=1,n=2", &err), ERR_USAGE, "a name twice");
	is_str(err.text, "a@n=1,n=2: duplicate parameter n", "is refused");
	is_int(study_file_operand(&f, "a@n=", &err), ERR_USAGE, "a name without value");
	is_str(err.text, "a@n=: parameter n has no value", "is refused");
	is_int(study_file_operand(&f, "@n=1", &err), ERR_USAGE, "no file");
	is_str(err.text, "@n=1: expected a file name before the @", "is refused");
	is_int(study_file_at(&f, "2n=1", &err), ERR_USAGE, "a place with no name");
	is_str(err.text, "--at 2n=1: invalid parameter name '2n': expected letters, digits and _, and no word of the model language", "is refused");
	study_file_release(&f);
}

static void names(void)
{
	struct study_file f;

	study_file_init(&f);
	ok(!study_file_operand(&f, "dir.X/cg.S.4.clog2", &err) && !study_file_operand(&f, "cg.W.clog2@n=7000", &err), "two files");
	ok(!study_file_names(&f, "^(?<program>[a-z]+)\\.(?<class>[A-Z])(\\.(?<q>\\d+))?", &err), "a pattern on their names");
	is_int(f.runs[0].parameters.count, 3, "its named groups are parameters");
	is_str(study_parameter_find(&f.runs[0].parameters, "class")->text, "S", "a word");
	is_double(study_parameter_find(&f.runs[0].parameters, "q")->number, 4, 0, "a number");
	ok(!study_parameter_find(&f.runs[1].parameters, "q"), "a group that took no part is none");
	is_str(study_parameter_find(&f.runs[1].parameters, "class")->text, "W", "beside what the run says itself");
	is_int(study_file_names(&f, "\\.(?<k>\\d)\\.", &err), ERR_USAGE, "a name that it does not match");
	is_str(err.text, "--from-name: cg.W.clog2: the pattern does not match this name", "is told");
	is_int(study_file_names(&f, "(?<class>[SW])", &err), ERR_USAGE, "a parameter that is there");
	is_str(err.text, "--from-name: cg.S.4.clog2: duplicate parameter class", "is told");
	is_int(study_file_names(&f, "([SW])", &err), ERR_USAGE, "a pattern without names");
	is_str(err.text, "--from-name: expected a named group, such as (?<class>[A-Z])", "is told");
	is_int(study_file_names(&f, "(", &err), ERR_USAGE, "no pattern");
	ok(strstr(err.text, "--from-name: bad pattern '(': column 2"), "is told with its place: %s", err.text);
	is_int(study_file_names(&f, "(?<x>(a+)+$|(.+)+b)", &err) == ERR_OK, 0, "a hostile pattern ends");
	study_file_release(&f);
}

static void kinds_of_files(void)
{
	ok(study_is_file("sample-studies/cg.study.yaml"), "a study is one");
	ok(!study_is_file("sample-studies/cg.W.8.yaml"), "a phase table is none");
	ok(!study_is_file("sample-traces/cg.S.4.clog2") && !study_is_file("sample-traces") && !study_is_file("none"), "nor is anything else");
}

int main(void)
{
	good_file();
	bad_files();
	operands();
	names();
	kinds_of_files();
	return done_testing();
}
