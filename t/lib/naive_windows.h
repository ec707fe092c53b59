/* Windows as their rules read (docs/explain/windows.md): one loop a sentence, everything computed again wherever it is
 * needed. Slow and obviously right; it shares nothing with the core but the settings' names.
 */
#ifndef PAS2P_NAIVE_WINDOWS_H
#define PAS2P_NAIVE_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/settings/settings.h"

#define NAIVE_OCCURRENCES 400
#define NAIVE_PHASES 32
#define NAIVE_PROCESSES 4

/* A run: occurrences and phases are counted from 1. */
struct naive_run {
	uint32_t n, phases, processes;
	uint32_t phase[NAIVE_OCCURRENCES + 2];
	double duration[NAIVE_OCCURRENCES + 2][NAIVE_PROCESSES];
	const struct settings *s;
	/* The main loop's iterations [from, to), also from 1; 0: windows follow none. */
	uint32_t iterations, from[NAIVE_OCCURRENCES + 2], to[NAIVE_OCCURRENCES + 2];
	double loop_mean;
};

struct naive_windows {
	struct { bool extra; uint32_t first, last; } list[2 * NAIVE_OCCURRENCES];
	uint32_t count, regular;
	uint32_t candidate;
	double offset, misfit, spread, measured, replay, coverage, pet, pet_scaled, se, half, low, high;
	bool interval;
	struct { bool measured, extra, left, has_se; uint32_t occurrences, in_windows; double time, se; } phase[NAIVE_PHASES + 1];
};

void naive_windows(struct naive_windows *w, const struct naive_run *r);

#endif
