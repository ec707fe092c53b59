/* What comes with a program is found from where the program lies, not from where one stands: in the folders of the tree
 * in their order, and else where make install puts it. A folder of that name is not the file, and a file that may not
 * be used so is none.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/io/beside.h"
#include "tap.h"

int main(void)
{
	static const char *const here[] = {"nowhere", ".", NULL}, *const above[] = {"../io", ".", NULL}, *const none[] = {NULL};
	static const char *const up[] = {"..", NULL};
	char own[PATH_MAX], found[PATH_MAX], long_name[PATH_MAX];
	const char *name;

	ok(beside_program(own), "the program knows where it is");
	ok(own[0] == '/' && access(own, X_OK) == 0, "which is a path from the top");
	name = strrchr(own, '/') + 1;
	ok(!chdir("/"), "elsewhere");

	ok(beside_find(here, BESIDE_LIBRARIES, name, X_OK, found), "it finds itself beside itself");
	ok(strstr(found, "/./") && access(found, X_OK) == 0, "in the second place that is named: %s", found);
	ok(beside_find(above, BESIDE_DATA, name, R_OK, found) && strstr(found, "/../io/"), "the first of two comes first");
	ok(!beside_find(none, BESIDE_LIBRARIES, name, X_OK, found), "it is not installed");
	ok(!beside_find(none, BESIDE_DATA, name, X_OK, found), "neither as data");
	ok(!beside_find(up, BESIDE_LIBRARIES, "io", R_OK, found), "a folder is no file");
	memset(long_name, 'x', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	ok(!beside_find(here, BESIDE_DATA, long_name, R_OK, found), "a name that is too long is not there");
	snprintf(long_name, sizeof long_name, "%.*s.o", (int)strlen(name) - 2, name);
	ok(beside_find(here, BESIDE_DATA, long_name, R_OK, found), "its object can be read");
	ok(!beside_find(here, BESIDE_DATA, long_name, X_OK, found), "but is no program");
	return done_testing();
}
