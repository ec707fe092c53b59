/* Figures stand under each other in reports and are compared by eye: so many decimals, whatever the size; a unit that
 * fits; and what is no number is a dash, never 0.
 */
#include <math.h>

#include "core/base/unit.h"
#include "tap.h"

int main(void)
{
	char b[UNIT_TEXT], of[UNIT_OF_TEXT];

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
	is_str(unit_multiple(b, 0.04251, 2), "4.25 %", "a share of what it may be more than");
	is_str(unit_multiple(b, 1, 1), "100.0 %", "all of it");
	is_str(unit_multiple(b, 5.5225, 2), "552 %", "more than all of it");
	is_str(unit_multiple(b, -1.2, 2), "-120 %", "as much less");
	is_str(unit_multiple(b, 9.996, 2), "10 times", "from 1 000 %% on a factor");
	is_str(unit_multiple(b, 16000.2, 1), "16 000 times", "a large one");
	is_str(unit_multiple(b, (double)INFINITY, 1), "inf times", "without an end");
	is_str(unit_multiple(b, (double)NAN, 1), "-", "none");
	is_str(unit_multiple_of(of, 0.736, 1, "the run time"), "73.6 % of the run time", "with what it is a share of");
	is_str(unit_multiple_of(of, 160.002, 1, "the run time"), "160 times the run time", "or so many times");
	is_str(unit_percent(b, 0.9915), "99.2 %", "percent");
	is_str(unit_time_ascii(b, 12.1e-6), "12.1 us", "in ASCII");
	is_str(unit_time_ascii(b, 0.0453), "45.3 ms", "where it is that anyway");
	is_str(unit_time_ascii(b, (double)NAN), "-", "none");
	is_str(unit_rank(b, 0), "rank 0", "ranks count from 0");
	is_str(unit_ranks(b, 3, 3), "rank 3", "one of them");
	is_str(unit_ranks(b, 0, 3), "ranks 0–3", "several");
	is_str(unit_rank_short(b, UINT32_MAX), "r4294967295", "in a column");
	is_str(unit_ranks_short(b, 3, 3), "r3", "one of them");
	is_str(unit_ranks_short(b, 32, 63), "r32–63", "several");
	return done_testing();
}
