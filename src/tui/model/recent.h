/* The traces that were opened lately, remembered between visits in a file of the workbench's own:
 *
 *     recent:
 *       - files: [/home/x/lu.4.clog2]
 *         processes: 4
 *
 * the latest first, RECENT_MOST of them. A file that is not there, or is wrong, is as one without traces: it is a
 * convenience.
 */
#ifndef PAS2P_TUI_RECENT_H
#define PAS2P_TUI_RECENT_H

#include "core/base/err.h"
#include "core/formats/trace_folder.h"

#define RECENT_MOST 30

struct trace;

/* As runs to open. look: with what is known of their files now, which takes as long as their disks do. Only ERR_MEMORY
 * is an error. */
enum err_code recent_read(struct trace_folder *recent, const char *file, bool look, struct err *e);

/* A trace has been opened from these files: it is the latest. ERR_IO: the file cannot be written. */
enum err_code recent_note(const char *file, const char *const *paths, uint32_t count, const struct trace *t, struct err *e);

#endif
