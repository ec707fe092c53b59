/* A clock as a line: what must be added to a process's stamps to get the reference's (docs/clocks.md 2.1).
 *
 * At a stamp t that is `offset` + rate * (t - origin), with one origin for all lines: the reference's first record.
 * Lines compose exactly.
 */
#ifndef PAS2P_CLOCK_LINE_H
#define PAS2P_CLOCK_LINE_H

struct clock_line {
	double offset, rate; /* s; s/s */
};

static inline double clock_line_at(struct clock_line l, double origin, double t)
{
	return l.offset + l.rate * (t - origin);
}

/* The same by the time that the line gives, instead of the stamp that it is given. */
static inline double clock_line_for(struct clock_line l, double origin, double to)
{
	return (l.offset + l.rate * (to - origin)) / (1 + l.rate);
}

/* From a's stamps to b's, then from b's on. */
static inline struct clock_line clock_line_then(struct clock_line a, struct clock_line b)
{
	return (struct clock_line){a.offset + b.offset + b.rate * a.offset, a.rate + b.rate * (1 + a.rate)};
}

/* The way back. */
static inline struct clock_line clock_line_back(struct clock_line l)
{
	return (struct clock_line){-l.offset / (1 + l.rate), -l.rate / (1 + l.rate)};
}

#endif
