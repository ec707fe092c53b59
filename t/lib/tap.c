#include "tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int planned = -1, run, failed;

/* One result line. A name may not hold '#' or a new line: TAP would read a directive or another line. */
__attribute__((format(printf, 4, 0)))
static bool result(const char *file, int line, bool good, const char *fmt, va_list ap)
{
	char name[300];

	vsnprintf(name, sizeof name, fmt, ap);
	for (char *c = name; *c; c++)
		if (*c == '#' || *c == '\n')
			*c = ' ';
	printf("%s %d - %s\n", good ? "ok" : "not ok", ++run, name);
	if (!good) {
		failed++;
		diag("failed: %s", name);
		diag("    at %s:%d", file, line);
	}
	fflush(stdout);
	return good;
}

#define RESULT(good) \
	bool held = (good); \
	va_list ap; \
	va_start(ap, fmt); \
	result(file, line, held, fmt, ap); \
	va_end(ap)

bool tap_ok(const char *file, int line, int cond, const char *fmt, ...)
{
	RESULT(cond != 0);
	return held;
}

bool tap_is_int(const char *file, int line, long long got, long long want, const char *fmt, ...)
{
	RESULT(got == want);
	if (!held)
		diag("    got:      %lld\n    expected: %lld", got, want);
	return held;
}

bool tap_is_u64(const char *file, int line, uint64_t got, uint64_t want, const char *fmt, ...)
{
	RESULT(got == want);
	if (!held)
		diag("    got:      %" PRIu64 "\n    expected: %" PRIu64, got, want);
	return held;
}

bool tap_is_str(const char *file, int line, const char *got, const char *want, const char *fmt, ...)
{
	RESULT(got && want ? !strcmp(got, want) : got == want);
	if (!held)
		diag("    got:      %s\n    expected: %s", got ? got : "(NULL)", want ? want : "(NULL)");
	return held;
}

bool tap_is_double(const char *file, int line, double got, double want, double tol, const char *fmt, ...)
{
	RESULT(isnan(want) ? isnan(got) : got == want || fabs(got - want) <= tol); /* a NaN is equal to a NaN alone */
	if (!held)
		diag("    got:      %.17g\n    expected: %.17g (+- %g)", got, want, tol);
	return held;
}

bool tap_is_mem(const char *file, int line, const void *got, const void *want, size_t size, const char *fmt, ...)
{
	const unsigned char *a = got, *b = want;
	size_t at = 0;

	while (at < size && a[at] == b[at])
		at++;
	RESULT(at == size);
	if (!held)
		diag("    byte %zu of %zu\n    got:      %02x\n    expected: %02x", at, size, a[at], b[at]);
	return held;
}

void plan(int n)
{
	planned = n;
	printf("1..%d\n", n);
	fflush(stdout);
}

void skip(int n, const char *why, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, why);
	vsnprintf(text, sizeof text, why, ap);
	va_end(ap);
	while (n-- > 0)
		printf("ok %d # skip %s\n", ++run, text);
	fflush(stdout);
}

void diag(const char *fmt, ...)
{
	char text[2000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fflush(stdout);
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		fprintf(stderr, "# %s\n", line);
	}
}

void bail_out(const char *fmt, ...)
{
	va_list ap;

	printf("Bail out!  ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	exit(255);
}

int done_testing(void)
{
	if (planned < 0)
		plan(run);
	else if (planned != run)
		diag("planned %d checks but made %d", planned, run);
	if (!run)
		diag("no check was made");
	return failed || planned != run || !run;
}
