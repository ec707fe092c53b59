/* Errors as values.
 *
 * A function that can fail returns an err_code (ERR_OK is 0) and, through a struct err, one sentence
 * that a person can act on: which file, where in it, what was expected and what was found. Nothing in
 * the core prints or exits; the faces map codes to exit statuses (src/exit.h).
 *
 * The sentence carries no trailing newline and no program name. Where something can be done about it, a hint follows
 * on a line of its own: "hint: pas2p check x.clog2". Text that came out of a trace must be passed through text_safe()
 * (text.h) before it is put into either.
 */
#ifndef PAS2P_ERR_H
#define PAS2P_ERR_H

#define ERR_TEXT 512

enum err_code {
	ERR_OK = 0,
	ERR_USAGE,     /* an option, setting or argument is wrong */
	ERR_IO,        /* a file cannot be opened, read, or written */
	ERR_FORMAT,    /* the bytes are not of the format asked for, or not of a version that we read */
	ERR_DAMAGED,   /* the right format, but broken; what was readable is kept */
	ERR_LIMIT,     /* valid, but beyond what this program can hold */
	ERR_MEMORY,    /* an allocation failed */
	ERR_CANCELLED  /* the caller said stop */
};

struct err {
	enum err_code code;
	char text[ERR_TEXT];
};

/* Fill *e (which may be NULL) and return code, so that "return err_set(e, ...)" reads well. */
enum err_code err_set(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put context in front of what *e says already: "cannot load x: block 7: ...". Returns e's code. */
enum err_code err_prefix(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Put a line "hint: ..." after what *e says: what to do about it, a command if there is one. Returns e's code. */
enum err_code err_hint(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The sentence for a failed allocation of a thing, the same everywhere. */
enum err_code err_memory(struct err *e, const char *what);

#endif
