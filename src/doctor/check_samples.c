/* The tutorial is in the program; the trace that it opens is a file beside it. */
#include "doctor_int.h"
#include "core/base/text.h"

void check_samples(struct doctor *d)
{
	char safe[256];

	if (d->machine->sample) {
		doctor_find(d, STANDING_OK, "the trace of pas2p --tutorial is %s",
			    text_safe(safe, sizeof safe, d->machine->sample, SIZE_MAX, TEXT_UTF8));
		return;
	}
	doctor_find(d, STANDING_NOTE, "the sample trace lu.S.4.clog2 was not found beside the program: the tutorial needs a trace of yours");
	doctor_mend(d, "pas2p --tutorial TRACE");
}
