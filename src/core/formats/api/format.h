/* A format of traces: how its files are recognised and passed to a maker (core/trace/make/trace_make.h). No other code
 * knows formats. A new format is a folder beside clog2 and a row in formats.def; t/lib/format_text is a complete reader
 * in one file.
 *
 * A trace is one file with others beside it (PRV: a reader opens those itself, by source->name), several files that
 * are given together, each of one process (CLOG2's local files), or an anchor file for a folder (OTF2; only an OTF2
 * folder can be given by its own name).
 */
#ifndef PAS2P_CORE_FORMATS_API_FORMAT_H
#define PAS2P_CORE_FORMATS_API_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define FORMAT_HEAD 1024 /* bytes of a file that recognise() is shown, if there are as many */

struct maker;
struct source;

/* What of a run a file is. */
struct format_run {
	bool part;          /* of one process, or some; otherwise the whole run */
	bool known;         /* of a part: id tells its run from others; otherwise it goes with the part before it, or by its name */
	uint8_t id[32];
};

/* False: no more. */
typedef bool format_part(void *arg, const char *path);

struct format {
	const char *name;   /* "CLOG2" */
	const char *begins; /* how each of its files begins, for people */
	const char *ending; /* of its files' names: ".clog2" */
	const char *library; /* that it is read through; NULL: none */
	/* Is it this one, of a version that is read? By a file's first n bytes; by its name only where the format has no mark of its own. */
	bool (*recognise)(const uint8_t *bytes, size_t n, const char *name);
	/* Pass everything to the maker, up to and including make_events(). At least one of the sources has been recognised,
	 * and a compressed one reads as its content; useless ones may be left out with a note. ERR_FORMAT, ERR_DAMAGED,
	 * ...: there is no trace, and the reason. Other files that are read become part of the files' digests. */
	enum err_code (*load)(struct maker *maker, const struct source *sources, uint32_t count, struct err *e);
	/* Which run is a file of? *run says "the whole of one" before. NULL: each file is whole. */
	enum err_code (*run)(const struct source *source, struct format_run *run, struct err *e);
	/* How many processes a file says that its run has, by its first n bytes; 0: they do not say it. NULL: no file's
	 * do. */
	uint32_t (*processes)(const uint8_t *bytes, size_t n);
	/* Names each file that belongs to the one of this path, be it there or not, until it is told to stop, so that none is overwritten or missed;
	 * nothing is opened by it. NULL: there are none. */
	void (*parts)(const char *path, format_part *part, void *arg);
};

/* The table: ends with NULL. */
extern const struct format *const formats[];

/* The length of a file's name, of n bytes, without the ending that its format gives such names, compressed or not: 2 of
 * "lu.clog2" and of "lu.clog2.gz". */
size_t format_stem(const char *name, size_t n);

#endif
