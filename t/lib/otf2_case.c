#include "otf2_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/formats/api/load.h"
#include "tap.h"

void otf_case_make(struct otf_case *c, const struct otf_make *make)
{
	c->records = 0;
	strcpy(c->folder, "/tmp/pas2p-otf2.XXXXXX");
	if (!mkdtemp(c->folder))
		bail_out("cannot make a folder");
	snprintf(c->anchor, sizeof c->anchor, "%s/traces.otf2", c->folder);
	otf_make(make, c->folder, &c->records);
}

void otf_case_remove(const struct otf_case *c)
{
	char command[80];

	snprintf(command, sizeof command, "rm -rf '%s'", c->folder);
	if (system(command) != 0)
		diag("%s stays", c->folder);
}

const char *otf_case_file(const struct otf_case *c, const char *name)
{
	static char path[160];

	snprintf(path, sizeof path, "%s/%s", c->folder, name);
	return path;
}

enum err_code otf_case_load(const struct otf_case *c, struct trace **t, unsigned threads, struct err *e)
{
	const char *path = c->anchor;
	struct trace_options o = {.threads = threads};

	return trace_load(t, &path, 1, &o, NULL, e);
}

char *otf_case_text(const struct trace *t, bool times)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		bail_out("no memory");
	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		uint32_t p = trace_process_of(t, ev);
		char type[40];

		fprintf(out, "%" PRIu32 ".%" PRIu32 " %s %" PRIu64 " c%" PRIu32 " t%" PRId32 " m%" PRIu32, p, trace_number_of(t, p, ev),
			trace_type_name(t, t->type[ev], type, sizeof type), trace_size(t, ev), trace_comm(t, ev), trace_tag(t, ev), t->match[ev]);
		if (times)
			fprintf(out, " %.12f %.12f", t->time[ev], t->compute[ev]);
		fputc('\n', out);
	}
	fclose(out);
	return text;
}
