/* What tells an archive from others: SHA-256 over the hexadecimal digests of its anchor, its definitions, and of each
 * location, in order of id, its definitions and events; of a file that is missing, 64 zeros (docs/formats.md 2). */
#ifndef PAS2P_OTF2_DIGEST_H
#define PAS2P_OTF2_DIGEST_H

#include "core/base/err.h"

struct job;

enum err_code otf_digest(const char *anchor, char hex[65], const struct job *job, struct err *e);

#endif
