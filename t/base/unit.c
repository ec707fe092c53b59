/* Figures stand under each other in reports and are compared by eye: so many decimals, whatever the size; a unit that
 * fits; and what is no number is a dash, never 0.
 */
#include <math.h>

#include "core/base/unit.h"
#include "tap.h"

int main(void)
{
	char b[UNIT_TEXT];

	is_str(unit_measured(b, 2.826, UNIT_MICROSECONDS), "2.8260 s", "seconds");
	is_str(unit_measured(b, 0.083125, UNIT_MICROSECONDS), "83.1250 ms", "milliseconds");
	is_str(unit_measured(b, 12.3454e-6, UNIT_MICROSECONDS), "12.345 us", "microseconds");
	is_str(unit_measured(b, 12.3454e-6, UNIT_MILLISECONDS), "0.0123 ms", "no microseconds where they are not asked for");
	is_str(unit_measured(b, 0, UNIT_MICROSECONDS), "0.0000 s", "nothing takes no time");
	is_str(unit_measured(b, -0.5, UNIT_MICROSECONDS), "-500.0000 ms", "a negative one");
	is_str(unit_measured(b, 1e300, UNIT_MICROSECONDS), "1e+300 s", "an absurd one");
	is_str(unit_moment(b, 1.2341), "1.234100 s", "a point in time");
	is_str(unit_moment(b, 1e13), "1e+13 s", "an absurd one");
	is_str(unit_share(b, 0.04251, 2), "4.25 %", "a share");
	is_str(unit_share(b, 1.5, 0), "150 %", "without decimals");
	is_str(unit_share(b, 1e300, 2), "1e+302 %", "an absurd one");
	is_str(unit_share(b, (double)NAN, 2), "-", "none");
	is_str(unit_percent(b, 0.9915), "99.2 %", "percent");
	is_str(unit_time_ascii(b, 12.1e-6), "12.1 us", "in ASCII");
	is_str(unit_time_ascii(b, 0.0453), "45.3 ms", "where it is that anyway");
	is_str(unit_time_ascii(b, (double)NAN), "-", "none");
	return done_testing();
}
