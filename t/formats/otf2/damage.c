/* Archives that are not whole: what can be read of them is, with a note that names location and counts, or there is a
 * sentence that says what is missing. The library itself takes a cut file for a whole one and one of another archive
 * for its own. (docs/reference/formats.md, "OTF2 records") */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/formats/api/load.h"
#include "core/formats/api/open.h"
#include "core/io/source.h"
#include "otf2_case.h"
#include "tap.h"

enum do_what { REMOVE, EMPTY, CUT, GARBLE, FOREIGN, TO_ZEROS, SHORT_END };

struct row {
	const char *what;
	const char *file;      /* what is done to it */
	enum do_what how;
	long at;               /* bytes that are left, or that are garbled from there */
	enum err_code code;
	enum note_kind note;   /* with ERR_DAMAGED */
	const char *says;      /* part of the sentence, with ERR_FORMAT */
};

static const struct row rows[] = {
	{"an event file is missing", "traces/11.evt", REMOVE, 0, ERR_DAMAGED, NOTE_MISSING_FILE, NULL},
	{"an event file is empty", "traces/11.evt", EMPTY, 0, ERR_DAMAGED, NOTE_MISSING_FILE, NULL},
	{"an event file is cut", "traces/10.evt", CUT, 90, ERR_DAMAGED, NOTE_TRUNCATED, NULL},
	{"an event file is cut within its header", "traces/10.evt", CUT, 9, ERR_DAMAGED, NOTE_TRUNCATED, NULL},
	{"an event file is of zeros", "traces/13.evt", TO_ZEROS, 0, ERR_DAMAGED, NOTE_TRUNCATED, NULL},
	{"an event file is garbled", "traces/10.evt", GARBLE, 60, ERR_DAMAGED, NOTE_BAD_RECORD, NULL},
	{"an event file is another location's", "traces/10.evt", FOREIGN, 0, ERR_DAMAGED, NOTE_BAD_BLOCK, NULL},
	{"a location's definitions are missing", "traces/10.def", REMOVE, 0, ERR_OK, NOTE_UNFINALIZED, NULL},
	{"the definitions are cut late", "traces.def", SHORT_END, 60, ERR_DAMAGED, NOTE_TRUNCATED, NULL},
	{"the definitions are cut early", "traces.def", CUT, 60, ERR_FORMAT, NOTE_TRUNCATED, "no location"},
	{"the definitions are missing", "traces.def", REMOVE, 0, ERR_FORMAT, NOTE_TRUNCATED, "traces.def"},
	{"the anchor is cut", "traces.otf2", CUT, 30, ERR_FORMAT, NOTE_TRUNCATED, "traces.otf2"},
	{"the anchor is garbled", "traces.otf2", GARBLE, 8, ERR_FORMAT, NOTE_TRUNCATED, "traces.otf2"},
	{"the folder is missing", "traces", REMOVE, 0, ERR_FORMAT, NOTE_TRUNCATED, "has definitions only"},
};

static long size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (long)st.st_size : 0;
}

static void damage(const struct otf_case *c, const struct row *row)
{
	char path[160], command[400];
	unsigned char byte;
	int fd;

	snprintf(path, sizeof path, "%s/%s", c->folder, row->file);
	switch (row->how) {
	case REMOVE:
		snprintf(command, sizeof command, "rm -r '%s'", path);
		ok(system(command) == 0, "%s: removed", row->what);
		return;
	case EMPTY:
	case CUT:
		ok(truncate(path, row->how == CUT ? row->at : 0) == 0, "%s: cut", row->what);
		return;
	case SHORT_END:
		ok(truncate(path, size_of(path) - row->at) == 0, "%s: cut", row->what);
		return;
	case FOREIGN:
		snprintf(command, sizeof command, "cp '%s/traces/11.evt' '%s'", c->folder, path);
		ok(system(command) == 0, "%s: copied", row->what);
		return;
	case GARBLE:
	case TO_ZEROS:
		fd = open(path, O_RDWR);
		for (long at = row->at; at < size_of(path) && at < row->at + (row->how == TO_ZEROS ? 100000 : 12); at++) {
			byte = row->how == TO_ZEROS ? 0 : 0xEE;
			if (pwrite(fd, &byte, 1, at) != 1)
				bail_out("cannot write %s", path);
		}
		close(fd);
		return;
	}
}

static void check_rows(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *row = &rows[i];
		struct otf_case c;
		struct trace *t;
		struct err e = {0};
		enum err_code code;

		otf_case_make(&c, &otf_make_vector);
		damage(&c, row);
		code = otf_case_load(&c, &t, 2, &e);
		is_int(code, row->code, "%s: what comes of it", row->what);
		if (code)
			diag("%s", e.text);
		if (row->code == ERR_FORMAT)
			ok(!t && strstr(e.text, row->says), "%s: \"%s\"", row->what, row->says);
		else
			ok(t && t->notes.count[row->note] > 0, "%s: noted", row->what);
		for (size_t n = 0; t && n < t->notes.n; n++)
			diag("  %s: %s", note_name(t->notes.list[n].kind), t->notes.list[n].text);
		trace_free(t);
		otf_case_remove(&c);
	}
}

static void check_definitions(void)
{
	static struct otf_make_location locations[4];
	struct otf_make make = otf_make_vector;
	struct otf_case c;
	struct trace *t;
	struct err e = {0};

	memcpy(locations, make.locations, sizeof locations);
	make.locations = locations;
	make.no_clock = true;
	otf_case_make(&c, &make);
	is_int(otf_case_load(&c, &t, 1, &e), ERR_FORMAT, "a clock without ticks");
	ok(strstr(e.text, "0 ticks"), "says so: %s", e.text);
	otf_case_remove(&c);
	make.no_clock = false;
	locations[3].lie = true;
	otf_case_make(&c, &make);
	is_int(otf_case_load(&c, &t, 1, &e), ERR_DAMAGED, "a location that is said to have more records");
	ok(t && t->notes.count[NOTE_BAD_BLOCK] == 1, "is noted");
	trace_free(t);
	otf_case_remove(&c);
	locations[3].lie = false;
	make.ranks[2] = 99;
	otf_case_make(&c, &make);
	is_int(otf_case_load(&c, &t, 1, &e), ERR_DAMAGED, "a rank whose location nobody defines");
	ok(t && t->notes.count[NOTE_BAD_COMM] == 1 && t->process_count == 3, "is noted, and is still a process");
	trace_free(t);
	otf_case_remove(&c);
	make.ranks[2] = 13;
	make.map = true;
	otf_case_make(&c, &make);
	unlink(otf_case_file(&c, "traces/10.def"));
	is_int(otf_case_load(&c, &t, 1, &e), ERR_DAMAGED, "a location without its definitions, where these say what numbers mean");
	trace_free(t);
	otf_case_remove(&c);
}

static void check_names(void)
{
	struct otf_case c;
	struct source source;
	struct trace *t;
	struct err e;
	const char *part;
	char command[200];

	otf_case_make(&c, &otf_make_vector);
	if (ok(trace_file_open(&source, c.folder, &e) == ERR_OK, "a folder with an archive is opened")) {
		is_str(source.name, c.anchor, "by its anchor");
		source_release(&source);
	}
	part = otf_case_file(&c, "traces/10.evt");
	is_int(trace_load(&t, &part, 1, NULL, NULL, &e), ERR_FORMAT, "an event file is refused");
	ok(strstr(e.text, "traces.otf2"), "with the anchor's name: %s", e.text);
	part = otf_case_file(&c, "traces.def");
	is_int(trace_load(&t, &part, 1, NULL, NULL, &e), ERR_FORMAT, "definitions are refused");
	ok(strstr(e.text, "/traces.otf2"), "with the anchor's name: %s", e.text);
	part = c.anchor;
	if (ok(trace_load(&t, &part, 1, NULL, NULL, &e) == ERR_OK, "the archive is read")) {
		char hex[65];

		ok(trace_digest(t, hex, NULL, &e) == ERR_OK && trace_hash(t, NULL, &e) == ERR_OK, "and has a digest");
		is_str(t->files[0].sha256, hex, "which is its hash");
		snprintf(command, sizeof command, "cd '%s' && sh -c 'for f in traces.otf2 traces.def traces/10.def traces/10.evt traces/11.def "
			 "traces/11.evt", c.folder);
		trace_free(t);
	}
	snprintf(command, sizeof command, "cp '%s' '%s/other.otf2'", c.anchor, c.folder);
	ok(system(command) == 0 && trace_file_open(&source, c.folder, &e) == ERR_FORMAT, "a folder with two is not: %s", e.text);
	otf_case_remove(&c);
	ok(trace_file_open(&source, "/usr", &e) == ERR_IO, "nor one with none: %s", e.text);
}

int main(void)
{
	if (!otf_make_able()) {
		printf("1..0 # SKIP built without OTF2\n");
		return 0;
	}
	check_rows();
	check_definitions();
	check_names();
	return done_testing();
}
