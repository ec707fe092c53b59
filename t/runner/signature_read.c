/* A signature whose facts are damaged is refused with file, line and place, and the advice to make another: what it
 * says is to be executed, so nothing in it is guessed.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/signature.h"
#include "tap.h"

static const char facts[] =
	"pas2p_signature: 1\napplication: cg\nmechanism: {name: criu, version: \"3.17\"}\ndirectory: /\nkernel: k\nmpi: m\ncpu: c\n"
	"cpu_flags: \"\"\nfiles:\n- {path: /bin/sh, size: 12}\n";

/* The facts with one piece of them replaced. */
static void refused(const char *from, const char *to, const char *sentence)
{
	const char *at = strstr(facts, from);
	struct signature s;
	struct err e = {0};
	FILE *f = fopen("x.sig/signature.yaml", "w");

	if (!at || !f || fprintf(f, "%.*s%s%s", (int)(at - facts), facts, to, at + strlen(from)) < 0 || fclose(f))
		bail_out("cannot write a signature");
	is_int(signature_open(&s, "x.sig", &e), ERR_FORMAT, "refused: %s", sentence);
	ok(strstr(e.text, sentence) && !strncmp(e.text, "/", 1), "with file and place: %s", e.text);
}

static void make_file(const char *name)
{
	FILE *f = fopen(name, "w");

	if (!f || fclose(f))
		bail_out("cannot write %s", name);
}

/* A signature's own files, by whatever name, are no place for a result; its folder is. */
static void places(void)
{
	static const struct {
		const char *path;
		bool part;
	} cases[] = {
		{"x.sig/table.yaml", true}, {"x.sig/command", true}, {"x.sig/../x.sig/signature.yaml", true}, {"x.sig/cut-0/core", true}, {"link", true},
		{"x.sig/result.yaml", false}, {"x.sig/none", false}, {"table.yaml", false},
	};
	struct signature s = {.folder = "x.sig"};

	if (mkdir("x.sig/cut-0", 0700) != 0 || symlink("x.sig/command", "link") != 0)
		bail_out("cannot make a folder");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (!strstr(cases[i].path, "none") && !strstr(cases[i].path, "..") && strcmp(cases[i].path, "link") != 0)
			make_file(cases[i].path);
	make_file("x.sig/signature.yaml");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {0};

		is_int(signature_refuse(&s, cases[i].path, &e), cases[i].part ? ERR_USAGE : ERR_OK, "%s: %s", cases[i].path, e.text);
	}
	if (system("rm -r x.sig/* link table.yaml") != 0)
		diag("files are left");
}

int main(void)
{
	char dir[] = "/tmp/pas2p-signature.XXXXXX";
	struct signature s;
	struct err e = {0};

	if (!mkdtemp(dir) || chdir(dir) != 0 || mkdir("x.sig", 0700) != 0)
		bail_out("cannot make a folder");
	refused("kernel: k\n", "", "/x.sig/signature.yaml: line 1: kernel is missing\nhint: the signature is damaged: make it again");
	refused("name: criu", "name: [a]", "line 3: mechanism.name is a list: expected a text\nhint: the signature is damaged");
	refused("{name: criu, version: \"3.17\"}", "criu", "line 3: mechanism is 'criu': expected a mapping\nhint: the signature is damaged");
	refused("12", "-12", "line 10: files[0].size is '-12': expected a whole number from 0 to 18446744073709551615\nhint: the sig");
	refused("- {path: /bin/sh, size: 12}", "  a: b", "line 10: files is a mapping: expected a list\nhint: the signature is damaged");
	refused("- {path: /bin/sh, size: 12}", "- 7", "line 10: files[0] is '7': expected a mapping\nhint: the signature is damaged");
	refused("files:", "calls: [1, x]\nfiles:", "line 9: calls[1] is 'x': expected a whole number\nhint: the signature is damaged");
	refused("signature: 1", "signature: 2", "line 1: a signature has version 2, but this pas2p reads version 1");
	refused("pas2p_signature: 1", "a: b", "not a signature: the key 'pas2p_signature' is missing");
	if (unlink("x.sig/signature.yaml") != 0)
		bail_out("cannot remove a file");
	is_int(signature_open(&s, "x.sig", &e), ERR_IO, "a folder without facts is none: %s", e.text);
	places();
	if (rmdir("x.sig") != 0 || chdir("/") != 0 || rmdir(dir) != 0)
		diag("%s is left", dir);
	done_testing();
}
