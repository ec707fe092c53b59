/* Whether what a signature says can be taken for the caller's own word. It is executed, with the caller's rights; so
 * nobody but the caller and root may own it, or be able to write to it.
 *
 * Looked at are the folder and all in it, on a descriptor of it. What passes stays so: nobody else could change it
 * later. Of a folder that only its owner can enter, the copies of the job's files (cut-N/files) are left out: they keep
 * the owners and rights that they had.
 */
#ifndef PAS2P_TRUST_H
#define PAS2P_TRUST_H

#include "core/base/err.h"

#define TRUST_TEXT 320

/* folder is open on the folder that the user calls `path`. *why, safe text: "command of cg.sig belongs to the user eve"
 * for the first thing that is not the caller's own or root's; "": there is none. */
enum err_code trust_look(int folder, const char *path, char why[TRUST_TEXT], struct err *e);

#endif
