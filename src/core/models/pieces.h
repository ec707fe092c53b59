/* Pieces: points of one parameter as lines, one after the other, that need not meet (docs/models.md 3).
 *
 * Where one line ends and the next begins is chosen by dynamic programming over all ways to cut the points; how many
 * there are by the least criterion: m ln(RSS/m) + (5k - 3) ln m. Either may be given instead. More than 4096 points are
 * joined, neighbour by neighbour, while cuts are looked for; lines are always fitted to the points themselves.
 */
#ifndef PAS2P_PIECES_H
#define PAS2P_PIECES_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"

#define PIECES_MOST 64      /* that may be asked for */
#define PIECES_CHOSEN 8     /* that are chosen at most */
#define PIECES_LEAST 3      /* points of a piece */

struct pieces_cut {
	uint32_t count;
	uint32_t end[PIECES_MOST + 1];      /* per piece: number of the point behind its last one */
	uint32_t criteria;                  /* how many are known */
	struct {
		uint32_t pieces;
		double bic;
	} criterion[PIECES_MOST + 1];
};

/* x ascending; root[i]: the square root of point i's weight. pieces 0: as many as the criterion wants.
 * ERR_USAGE: there are not three points for each of the pieces that are asked for. */
enum err_code pieces_cut(struct pieces_cut *cut, const double *x, const double *y, const double *root, uint32_t points, uint32_t pieces,
			 const struct job *job, struct err *e);
/* At given places instead, ascending: a point at a place is left of it. unit: what x and places were divided by, for
 * the sentence. ERR_USAGE: no point lies between two of them. */
enum err_code pieces_cut_at(struct pieces_cut *cut, const double *x, const double *y, const double *root, uint32_t points,
			    const double *at, uint32_t count, double unit, struct err *e);

struct piece_line {
	double a, b;             /* a + b x */
	double half_a, half_b;   /* of their 95 % intervals; NAN: as many points as coefficients */
	double rss, lost;        /* weighted squares: of the residuals; of residuals over 1 - leverage, infinite if a leverage is 1 */
};

/* The line through points [0, points): a constant if there is one alone. */
struct piece_line pieces_line(const double *x, const double *y, const double *root, uint32_t points);

#endif
