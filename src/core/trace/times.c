#include "times.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/unit.h"
#include "core/io/tree_out.h"
#include "trace.h"

struct trace_times *trace_times_ref(struct trace_times *times)
{
	if (times)
		atomic_fetch_add(&times->references, 1);
	return times;
}

void trace_times_unref(struct trace_times *times)
{
	if (!times || atomic_fetch_sub(&times->references, 1) > 1)
		return;
	mem_free(times->first);
	mem_free(times->time);
	mem_free(times);
}

static const char *steps_name(unsigned steps)
{
	return steps == (TRACE_CLOCKS_LINEAR | TRACE_CLOCKS_CLC) ? "linear + clc" : trace_clocks_name(steps);
}

char *times_sentence(const struct times_figures *f, char text[TIMES_SENTENCE])
{
	char largest[UNIT_TEXT];
	int n;

	if (!f->steps) {
		snprintf(text, TIMES_SENTENCE, "nothing to correct");
		return text;
	}
	n = snprintf(text, TIMES_SENTENCE, "corrected: %s, largest shift %s", steps_name(f->steps),
		     unit_figure_time(largest, f->largest));
	if (f->left)
		snprintf(text + n, (size_t)(TIMES_SENTENCE - n), "; %llu clock violation%s left", (unsigned long long)f->left,
			 f->left == 1 ? " is" : "s are");
	return text;
}

const char *times_method(unsigned steps)
{
	static const char *const names[] = {"none", "linear", "clc", "both"};

	return names[steps & (TRACE_CLOCKS_LINEAR | TRACE_CLOCKS_CLC)];
}

void times_write(struct tree_out *d, const struct times_figures *f)
{
	tree_put_map(d, "clocks", false);
	tree_put_text(d, "times", "corrected");
	tree_put_text(d, "method", times_method(f->steps));
	tree_put_real(d, "largest", f->largest);
	tree_put_whole(d, "left", f->left);
	tree_end(d);
}
