/* Text from outside (names in traces, file names) is data, never terminal commands.
 *
 * text_safe() is the only way to bring such bytes to a screen, an error or a text export: it replaces C0
 * and C1 controls, DEL, ESC, bidirectional and invisible format characters, unassigned-looking private
 * and invalid UTF-8 by U+FFFD (or '?' with TEXT_ASCII, which has "u" for "µ" and the like, text_sign()), and keeps the rest.
 */
#ifndef PAS2P_TEXT_H
#define PAS2P_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum text_flags { TEXT_UTF8 = 0, TEXT_ASCII = 1 };

/* Copy src (n bytes, or up to NUL with n = SIZE_MAX) made safe into dst, always NUL-terminated, cut at a
 * character boundary. Returns dst. */
char *text_safe(char *dst, size_t size, const char *src, size_t n, enum text_flags flags);

/* A copy made safe, of the arena; NULL: no memory. */
struct arena;
char *text_keep_safe(struct arena *arena, const char *src, size_t n);

/* Decode one UTF-8 character of the n bytes at s; returns its length, 0 at the end (n 0, or a NUL), and
 * U+FFFD with length 1 where invalid. */
size_t text_decode(const char *s, size_t n, uint32_t *out);
size_t text_encode(uint32_t c, char out[4]);
const char *text_sign(uint32_t c); /* what ASCII has for it: "u" for "µ", "+-" for "±"; NULL: it is no such sign */
bool text_is_safe(uint32_t c);

/* The last part of a path; the path itself if it ends with a slash. */
static inline const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The same, but of an archive's anchor "traces.otf2" the folder that it is in, since all anchors have that name; *n: its length. */
const char *path_trace_name(const char *path, size_t *n);

#endif
