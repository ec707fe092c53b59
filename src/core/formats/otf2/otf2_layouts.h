/* Do the fields of a record lie within it? libotf2 takes each number of a record for what it says, and reads as many
 * members of a group, or pairs of a map, wherever they lie: behind the record, behind its file, behind its memory.
 */
#ifndef PAS2P_OTF2_LAYOUTS_H
#define PAS2P_OTF2_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum otf_files { OTF_FILES_GLOBAL, OTF_FILES_LOCAL, OTF_FILES_EVENTS, OTF_FILES };

struct otf_layout {
	const char *fields;    /* as in otf2_layouts.c; NULL: nothing is known of the kind */
	bool lists;            /* some are there as often as another says */
};

const struct otf_layout *otf_layout_of(enum otf_files files, uint8_t kind);

/* A record that is a number alone: the byte that others have for their length is that number's. */
static inline bool otf_layout_is_number(const struct otf_layout *layout)
{
	return layout->fields && *layout->fields == '=';
}

/* record: what is behind the byte that says how many there are, n. */
bool otf_layout_fits(const struct otf_layout *layout, const uint8_t *record, size_t n, bool little);

#endif
