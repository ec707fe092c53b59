/* The clock that durations are taken by never goes back, and its units are of one clock; the date is UTC as ISO 8601
 * has it, which results carry and others sort by.
 */
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "tap.h"

int main(void)
{
	int64_t before = clock_ns(), last = before;
	double ms = clock_ms(), seconds = clock_seconds();
	int64_t after = clock_ns();
	char text[CLOCK_UTC_TEXT];
	bool back = false;
	struct tm t = {0};
	time_t now = time(NULL), told;

	for (int i = 0; i < 1000; i++) {
		int64_t at = clock_ns();

		back = back || at < last;
		last = at;
	}
	ok(!back, "it never goes back");
	ok(ms >= (double)before * 1e-6 - 1e-3 && ms <= (double)after * 1e-6 + 1e-3, "milliseconds are of it");
	ok(seconds >= (double)before * 1e-9 - 1e-6 && seconds <= (double)after * 1e-9 + 1e-6, "seconds are of it");
	is_int((long long)strlen(clock_utc(text)), 20, "a date: %s", text);
	ok(strptime(text, "%Y-%m-%dT%H:%M:%SZ", &t) == text + 20, "in its form");
	told = timegm(&t);
	ok(told >= now && told <= time(NULL), "of now, in UTC");
	done_testing();
}
