/* A check that fails must be seen as failing by prove, with its place, what was got and what was expected; otherwise
 * all other tests mean nothing. The program runs itself under prove, once for each kind of check, with a value that
 * must fail (and with good ones, which must pass). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

/* Named by the environment, since prove passes no arguments to a compiled test. */
#define PART "TAP_SELF_PART"

static int part(const char *name)
{
	if (!strcmp(name, "good")) {
		ok(1, "ok, 100 %% # no directive");
		is_int(-2, -2, "int");
		is_u64(UINT64_MAX, UINT64_MAX, "u64");
		is_str("a", "a", "str");
		is_str(NULL, NULL, "no str");
		is_double(1.0, 1.05, 0.1, "double");
		is_mem("ab", "ab", 2, "mem");
		skip(2, "no reason");
	} else if (!strcmp(name, "ok")) {
		ok(0, "ok");
	} else if (!strcmp(name, "int")) {
		is_int(-2, 3, "int");
	} else if (!strcmp(name, "u64")) {
		is_u64(7, UINT64_MAX, "u64");
	} else if (!strcmp(name, "str")) {
		is_str("a", "b", "str");
	} else if (!strcmp(name, "null")) {
		is_str(NULL, "", "null");
	} else if (!strcmp(name, "double")) {
		is_double(1.0, 1.5, 0.1, "double");
	} else if (!strcmp(name, "nan")) {
		is_double(strtod("nan", NULL), 0, 1e300, "nan");
	} else if (!strcmp(name, "mem")) {
		is_mem("abc", "axc", 3, "mem");
	} else if (!strcmp(name, "few")) {
		plan(2);
		ok(1, "one of two");
	} else if (!strcmp(name, "many")) {
		plan(1);
		ok(1, "one");
		ok(1, "one more than planned");
	} else if (!strcmp(name, "bail")) {
		ok(1, "one");
		bail_out("no ground to stand on");
	}
	return done_testing();
}

static bool prove(const char *self, const char *name, char *text, size_t size)
{
	char command[600];
	FILE *f;
	size_t n;

	setenv(PART, name, 1);
	snprintf(command, sizeof command, "prove -v -e '' '%s' 2>&1", self);
	f = popen(command, "r");
	if (!f)
		bail_out("cannot run prove");
	n = fread(text, 1, size - 1, f);
	text[n] = '\0';
	return pclose(f) == 0;
}

static void fails(const char *self, const char *name, const char *says)
{
	char text[8000];

	ok(!prove(self, name, text, sizeof text), "%s: seen as failing", name);
	if (!ok(strstr(text, says) != NULL, "%s: says \"%s\"", name, says))
		diag("%s", text);
}

int main(int argc, char **argv)
{
	const char *name = getenv(PART);
	char text[8000];

	(void)argc;
	if (name)
		return part(name);
	if (!ok(prove(argv[0], "good", text, sizeof text), "good checks pass"))
		diag("%s", text);
	fails(argv[0], "ok", "t/house/tap_self.c:");
	fails(argv[0], "int", "expected: 3");
	fails(argv[0], "int", "got:      -2");
	fails(argv[0], "u64", "expected: 18446744073709551615");
	fails(argv[0], "str", "expected: b");
	fails(argv[0], "null", "got:      (NULL)");
	fails(argv[0], "double", "expected: 1.5 (+- 0.1)");
	fails(argv[0], "nan", "got:      nan");
	fails(argv[0], "mem", "byte 1 of 3");
	fails(argv[0], "few", "planned 2 checks but made 1");
	fails(argv[0], "many", "planned 1 checks but made 2");
	fails(argv[0], "none", "no check was made");
	fails(argv[0], "bail", "no ground to stand on");
	return done_testing();
}
