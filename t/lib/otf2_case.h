/* An archive of otf2_make.h in a folder of its own, and the trace that is read of it. */
#ifndef PAS2P_OTF2_CASE_H
#define PAS2P_OTF2_CASE_H

#include "core/trace/trace.h"
#include "otf2_make.h"

struct otf_case {
	char folder[40];       /* has the archive `traces` */
	char anchor[80];
	uint64_t records;      /* written */
};

void otf_case_make(struct otf_case *c, const struct otf_make *make);
void otf_case_remove(const struct otf_case *c);

/* "traces/10.evt", in room that the next call takes. */
const char *otf_case_file(const struct otf_case *c, const char *name);

/* Both threads: 0, as many as useful. */
enum err_code otf_case_load(const struct otf_case *c, struct trace **t, unsigned threads, struct err *e);

/* All that a trace says of events, a line each: number, type, size, communicator's place, tag, match, and with times
 * also those. Freed by the caller. */
char *otf_case_text(const struct trace *t, bool times);

#endif
