/* Anchors: the one file by which a trace of many is opened (OTF2's archives). A person may name the folder that it lies
 * in instead, and may name by mistake one of the other files.
 */
#ifndef PAS2P_CORE_FORMATS_API_ANCHOR_H
#define PAS2P_CORE_FORMATS_API_ANCHOR_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "format.h"

#define ANCHOR_ENDING ".otf2"

/* A folder that holds exactly one anchor: its path, for the caller to mem_free(); NULL: the path is no folder.
 * ERR_FORMAT: it holds none, or several. */
enum err_code anchor_in_folder(char **anchor, const char *path, struct err *e);

/* The anchor of the archive that a file is a part of, by the file's name: in its folder, or in the folder above. False:
 * the name is not that of a part, or there is no such anchor, or there are several. */
bool anchor_of_part(const char *path, char *anchor, size_t size);

/* Names each file that may be one of the archive besides its anchor (format.h). */
void anchor_parts(const char *anchor, format_part *part, void *arg);

#endif
