/* Whole tasks shared out in proportion, by the method of the largest remainder (docs/models.md 6, part()).
 *
 * Each rank first gets its quota n x share, rounded down. The tasks that are left go one each to the ranks with the
 * largest remainders, of equal ones to the lower rank. Remainders within APPORTION_EQUAL of each other are equal: that
 * is what rounding of the shares may make of them. The parts always add up to n.
 */
#ifndef PAS2P_APPORTION_H
#define PAS2P_APPORTION_H

#include <stdbool.h>
#include <stdint.h>

#define APPORTION_EQUAL 1e-9
#define APPORTION_MOST 9007199254740992.0 /* tasks: above, numbers have gaps */

/* Whether there can be n tasks: a whole number from 0 to APPORTION_MOST. */
bool apportion_whole(double n);

/* The part of each rank. share: of each rank, adding up to 1; NULL: all alike. false: no memory. */
bool apportion(double n, const double *share, uint32_t ranks, double *part);

/* The quota of n tasks rounded down, and rounded up: a part is one of the two. */
double apportion_least(double n, double share);
double apportion_most(double n, double share);

#endif
