/* What is to be studied: runs, their parameters, and places to predict (docs/explain/fits.md, "Studies").
 *
 *     study_file_init(&f);
 *     study_file_read(&f, "cg.study.yaml", &e);            a study file, or
 *     study_file_operand(&f, "cg.S.4.clog2@n=1400", &e);   run by run
 *     study_file_names(&f, "\\.(?<class>[A-Z])\\.", &e);   parameters out of the names of their files
 *     study_file_at(&f, "n=75000,p=16", &e);
 *     study_file_release(&f);
 *
 * Nothing is loaded. Paths in a study file are from where it lies. Parameters have names that mean nothing else in
 * models, so that a study can become one; a value that is a number, not in quotes, is a number, anything else a
 * category.
 */
#ifndef PAS2P_CORE_STUDY_FILE_H
#define PAS2P_CORE_STUDY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/settings/settings.h"

#define STUDY_RUNS 10000       /* of a study at most */
#define STUDY_PARAMETERS 32    /* of a run or a place at most */

struct study_parameter {
	const char *name;
	const char *text;      /* safe */
	double number;         /* NAN: a category */
};

/* A run, or a place. */
struct study_parameters {
	struct study_parameter list[STUDY_PARAMETERS]; /* in order of name, none twice */
	uint32_t count;
};
/* NULL: not among them. */
const struct study_parameter *study_parameter_find(const struct study_parameters *p, const char *name);

struct study_source {
	const char **files;    /* a trace's, or one phase table */
	uint32_t file_count;
	const char *result;    /* of pas2p run; NULL: none */
	const char *name;      /* safe; NULL: the file's */
	struct study_parameters parameters; /* as given: p may be among them */
};

struct study_file {
	struct arena arena;    /* all texts */
	const char *name;      /* safe */
	struct settings settings;
	bool given[SETTING_COUNT]; /* which of them it says */
	struct study_source *runs;
	size_t run_count, run_cap;
	struct study_parameters *places;
	size_t place_count, place_cap;
};

void study_file_init(struct study_file *f);
void study_file_release(struct study_file *f);

/* Whether a file begins as a study does. False also for what cannot be read. */
bool study_is_file(const char *path);

/* ERR_FORMAT with file, line, and what is wrong there. */
enum err_code study_file_read(struct study_file *f, const char *path, struct err *e);
/* The same from bytes; relative paths then are from `folder` ("": as they are). */
enum err_code study_file_parse(struct study_file *f, const char *name, const char *folder, const char *text, size_t size, struct err *e);

/* FILE@n=1400,class=S, or FILE. What follows the last @ is parameters if there is a = in it. ERR_USAGE. */
enum err_code study_file_operand(struct study_file *f, const char *text, struct err *e);
/* One place more: n=75000,p=16. ERR_USAGE. */
enum err_code study_file_at(struct study_file *f, const char *text, struct err *e);
/* The named groups of a PCRE2 pattern on the name of each run's first file become parameters of it. ERR_USAGE: a
 * pattern that is none, a name without a match, a parameter that the run has already. */
enum err_code study_file_names(struct study_file *f, const char *pattern, struct err *e);

#endif
