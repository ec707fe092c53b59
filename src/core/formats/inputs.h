/* What is read stays: no output may be a file that is read, nor one that its format says belongs to it (a .pcf or
 * .row of a trace of Paraver, a file of an OTF2 archive), by whatever name, path or link: files are known by device
 * and inode.
 *
 * Whoever has a name to write to asks before it begins, with the names of all that is read; what turns out later to
 * be read (a study's runs, a model's includes) is asked for as soon as it is known, before anything is written.
 */
#ifndef PAS2P_INPUTS_H
#define PAS2P_INPUTS_H

#include <stdint.h>

#include "core/base/err.h"

/* ERR_USAGE: what is at `output` is one of the inputs or a part of one, or it is a folder that one lies in directly, or
 * above it. Inputs are files, and folders that hold an archive; what is not there is none. */
enum err_code inputs_refuse(const char *output, const char *const *inputs, uint32_t count, struct err *e);

#endif
