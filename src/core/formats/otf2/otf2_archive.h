/* An OTF2 archive: its anchor, the files beside it, and its global definitions (docs/formats.md 2).
 *
 *     otf_archive_open(&archive, source, &e);   reads the definitions
 *     OTF2_Reader *reader = otf_archive_reader(&archive);   one for each thread: a handle is not to be shared
 *     otf_archive_release(&archive);
 *
 * Names of this room begin with otf_, for libotf2 exports names of its own that begin with otf2_.
 *
 * The archive X.otf2 has its definitions of all in X.def, and those and the events of location N in X/N.def and
 * X/N.evt.
 */
#ifndef PAS2P_OTF2_ARCHIVE_H
#define PAS2P_OTF2_ARCHIVE_H

#include <otf2/otf2.h>

#include "otf2_defs.h"

struct source;

struct otf_archive {
	const char *anchor;    /* path; the source's, or `real` */
	char *real;            /* what a link leads to that has no other files beside it; NULL */
	char *stem;            /* the same without .otf2 */
	char *path;            /* room for the longest path of a file */
	size_t path_size;
	uint64_t definition_chunk;
	uint8_t major, minor;  /* of the library that wrote it */
	uint8_t substrate, compression; /* as the anchor says; 0: it does not */
	uint64_t event_chunk;  /* bytes; 0: files are compressed */
	struct otf_defs defs;
	bool cut;              /* definitions ended in damage, and what was said */
	char said[160];
};

/* ERR_FORMAT: nothing can be read. */
enum err_code otf_archive_open(struct otf_archive *archive, const struct source *source, struct err *e);
void otf_archive_release(struct otf_archive *archive);

/* Where in an anchor's n bytes the 8 of the trace's identifier are; 0: its layout is not known. */
size_t otf_anchor_id_at(const uint8_t *head, size_t n);

/* NULL: otf_said() knows why. OTF2_Reader_Close(). */
OTF2_Reader *otf_archive_reader(const struct otf_archive *archive);

/* X.def, X/N.evt, X/N.def; in room that the next call takes. */
const char *otf_archive_global(struct otf_archive *archive);
const char *otf_archive_file(struct otf_archive *archive, uint64_t location, const char *ending);

/* The same in the caller's room, for threads. */
const char *otf_archive_path(const struct otf_archive *archive, char *path, size_t size, uint64_t location, const char *ending);

#endif
