/* Numbers for people, the same in both faces: with units, and a blank between thousands. Each writes into buf and
 * returns it.
 *
 * Values to look at have three or four significant digits (unit_time()); measured values that are compared line by line
 * have a fixed number of decimals (unit_measured(), unit_moment(), unit_share()).
 */
#ifndef PAS2P_UNIT_H
#define PAS2P_UNIT_H

#include <stdint.h>

#define UNIT_TEXT 32

enum unit_least { UNIT_MICROSECONDS, UNIT_MILLISECONDS };

int unit_digits(uint64_t n);                                    /* how many it has, without blanks */
const char *unit_count(char buf[UNIT_TEXT], uint64_t n);        /* "47 128" */
const char *unit_time(char buf[UNIT_TEXT], double seconds);     /* "12.1 µs", "2.826 s" */
/* The same in ASCII, as text that goes through pipes is: "12.1 us". Not defined (NAN): "-". */
const char *unit_time_ascii(char buf[UNIT_TEXT], double seconds);
/* "1.76 ms ± 0.16 ms": what may be added to a time or taken off it, in the time's unit and with its decimals. */
#define UNIT_WITHIN_TEXT 80
const char *unit_within(char buf[UNIT_WITHIN_TEXT], double seconds, double within);
const char *unit_moment(char buf[UNIT_TEXT], double seconds);   /* "1.234100 s": a point in time */
/* "2.8260 s", "83.1250 ms", "12.345 us"; the least of the units that is used is given. */
const char *unit_measured(char buf[UNIT_TEXT], double seconds, enum unit_least least);
const char *unit_bytes(char buf[UNIT_TEXT], uint64_t bytes);    /* "8 B", "1.5 KiB" */
/* Ranks, which count from 0: in sentences "rank 3", "ranks 0–3"; in narrow columns "r3", "r0–3". */
const char *unit_rank(char buf[UNIT_TEXT], uint32_t rank);
const char *unit_ranks(char buf[UNIT_TEXT], uint32_t first, uint32_t last);
const char *unit_rank_short(char buf[UNIT_TEXT], uint32_t rank);
const char *unit_ranks_short(char buf[UNIT_TEXT], uint32_t first, uint32_t last);
const char *unit_percent(char buf[UNIT_TEXT], double fraction); /* "99.2 %" */
const char *unit_share(char buf[UNIT_TEXT], double fraction, int decimals); /* "99.17 %" */
/* A share that may exceed its whole: "99.17 %", "552 %", "160 times"; with its base: "99.17 % of the run time", "160
 * times the run time". */
const char *unit_multiple(char buf[UNIT_TEXT], double fraction, int decimals);
#define UNIT_OF_TEXT 80
const char *unit_multiple_of(char buf[UNIT_OF_TEXT], double fraction, int decimals, const char *whole);
/* In at most four columns, for cells: "12µ". */
const char *unit_time_short(char buf[UNIT_TEXT], double seconds);

/* The same for figures that may not be defined (NAN): "-". */
const char *unit_figure_time(char buf[UNIT_TEXT], double s);
const char *unit_figure_percent(char buf[UNIT_TEXT], double fraction);

#endif
