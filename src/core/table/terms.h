/* The terms of pas2p's texts and screens, each with one sentence (terms.def). */
#ifndef PAS2P_TERMS_H
#define PAS2P_TERMS_H

#include <stddef.h>

struct term {
	const char *word, *help;
};

/* All of them, in alphabetical order. */
const struct term *terms_list(size_t *count);

#endif
