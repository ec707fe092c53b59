#include "terms.h"

static const struct term terms[] = {
#define TERM(word, help) {word, help},
#include "terms.def"
};

const struct term *terms_list(size_t *count)
{
	*count = sizeof terms / sizeof *terms;
	return terms;
}
