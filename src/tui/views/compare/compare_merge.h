/* What would come of the thresholds at which the two that are compared would merge: told before they are set. It is an
 * analysis more, made behind the screen for the pair that is looked at.
 */
#ifndef PAS2P_TUI_COMPARE_MERGE_H
#define PAS2P_TUI_COMPARE_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/settings/settings.h"

struct compare_view;

struct compare_merge {
	bool possible;             /* some thresholds would do, and they are not set already */
	struct settings settings;  /* with them */
	/* What the rest is of. */
	uint64_t serial;
	uint32_t a, b;
	bool blocks, asked;
	bool known;                /* what comes of it */
	uint32_t phases, labels;
	double coverage;
};

void compare_merge_update(struct compare_view *s);
/* "volume 7.5 %: 546 → 512 phases, coverage +1.2"; "" where there is nothing to tell. */
void compare_merge_text(const struct compare_view *s, char *text, size_t size);
/* True: the model's planned settings are those. Else nothing would do, and the model's message says so. */
bool compare_merge_take(struct compare_view *s);

#endif
