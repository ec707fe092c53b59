/* Writing to descriptors: all or an error, without the signals that a size limit or a closed pipe would end the program
 * by; and why it failed, in words.
 */
#ifndef PAS2P_DESCRIPTOR_H
#define PAS2P_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* 0, or an errno. at: where; below 0: where the descriptor is. */
int descriptor_write(int fd, const void *bytes, size_t n, int64_t at);
/* The same; fewer bytes than n there are EIO. */
int descriptor_read(int fd, void *bytes, size_t n, int64_t at);

/* "the disk is full"; text where the system's own words are all there is. */
#define DESCRIPTOR_TEXT 128
const char *descriptor_reason(int error, char text[DESCRIPTOR_TEXT]);

/* A file without a name in $TMPDIR (/tmp), gone when it is closed. -1 and a sentence: it cannot be made. */
int descriptor_scratch(struct err *e);
/* The sentence for what happens to it later. */
enum err_code descriptor_scratch_failed(int error, struct err *e);

#endif
