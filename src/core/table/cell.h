/* A cell: one value of a listing, or none. What columns give (core/lists) and rows.h writes. */
#ifndef PAS2P_CELL_H
#define PAS2P_CELL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum cell_kind { CELL_EMPTY, CELL_TEXT, CELL_WHOLE, CELL_INT, CELL_REAL, CELL_BOOL };

struct cell {
	enum cell_kind kind;
	union {
		struct { /* valid until the next row is asked for */
			const char *text;
			const char *shown; /* what tables and searches have instead; NULL: the same */
		};
		uint64_t whole;
		int64_t i;
		double real;
		bool yes;
	};
};

static inline struct cell cell_empty(void)
{
	return (struct cell){.kind = CELL_EMPTY};
}

static inline struct cell cell_text(const char *text) /* NULL: empty */
{
	return (struct cell){.kind = text ? CELL_TEXT : CELL_EMPTY, .text = text};
}

static inline struct cell cell_text_shown(const char *text, const char *shown)
{
	return (struct cell){.kind = CELL_TEXT, .text = text, .shown = shown};
}

/* The text of a text cell as people see it. */
static inline const char *cell_shown(const struct cell *c)
{
	return c->shown ? c->shown : c->text;
}

static inline struct cell cell_whole(uint64_t v)
{
	return (struct cell){.kind = CELL_WHOLE, .whole = v};
}

static inline struct cell cell_int(int64_t v)
{
	return (struct cell){.kind = CELL_INT, .i = v};
}

static inline struct cell cell_real(double v)
{
	return (struct cell){.kind = CELL_REAL, .real = v};
}

/* NAN, a figure that the data does not support: empty. */
static inline struct cell cell_figure(double v)
{
	return isnan(v) ? cell_empty() : cell_real(v);
}

static inline struct cell cell_bool(bool v)
{
	return (struct cell){.kind = CELL_BOOL, .yes = v};
}

#endif
