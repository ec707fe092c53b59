/* Results side by side: one program in several mappings, on several machines, with other settings, of several traces
 * (compare_differences.h).
 *
 * Results of one trace (SHA-256) have the same phases, matched by id, or, where their tables were made with other
 * settings, by weight, ticks and traced time. Phases of different traces correspond as everywhere (docs/studies.md 3)
 * where both results say what their phases hold, which is so if their tables were written with content: each result is
 * matched with the earlier one that is nearest to it in processes. Of a group of phases, the two that it grew from
 * share a row. Results that do not say it are matched by shape: phases correspond where they have the same number of
 * ticks and on every process the same number of sends and collectives in one occurrence; several alike in the order of
 * their ids. What one result has and another has not stays alone in its row.
 */
#ifndef PAS2P_COMPARE_H
#define PAS2P_COMPARE_H

#include "core/base/err.h"
#include "core/io/out.h"
#include "core/documents/result.h"

struct compare {
	unsigned differs;             /* in what: enum compare_difference */
	const struct result *results; /* the caller's */
	uint32_t count;
	char (*labels)[64];           /* of each: as given, else what tells it from the others */
	uint32_t row_count;
	const struct result_phase **rows; /* row_count * count; NULL: that result has no such phase */
};

enum err_code compare_make(struct compare *c, const struct result *results, uint32_t count, struct err *e);
void compare_release(struct compare *c);

/* Tables are at most `width` columns wide, as far as that goes; 0: any. ERR_MEMORY. */
enum err_code compare_print(const struct compare *c, struct out *out, size_t width, struct err *e);
/* one row per phase and result, one per result without phase */
void compare_csv(const struct compare *c, struct out *out);
enum err_code compare_yaml(const struct compare *c, struct out *out, bool json, struct err *e);

#endif
