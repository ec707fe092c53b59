#include "result_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/unit.h"

static void line(struct out *out, const char *name, double v, const char *more)
{
	char t[UNIT_TEXT];

	out_printf(out, "  %-11s %14s  %s\n", name, unit_measured(t, v, UNIT_MICROSECONDS), more);
}

void result_print(const struct result *r, struct out *out)
{
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], note[160];
	uint64_t samples = 0;

	out_printf(out, "%s on %s, %u process%s, measured by %s", r->application, r->host.name, r->processes,
		   r->processes == 1 ? "" : "es", r->mechanism);
	if (r->mechanism_version[0])
		out_printf(out, " %s", r->mechanism_version);
	out_printf(out, ", %u run%s\n\n", r->runs, r->runs == 1 ? "" : "s");
	out_printf(out, "%6s %10s %14s %12s %14s %14s %9s\n", "phase", "weight", "time", "+-", "traced", "weight x "
		   "time",
		   "share");
	for (uint32_t i = 0; i < r->phase_count; i++) {
		const struct result_phase *p = &r->phases[i];
		bool varies = r->runs > 1 && p->time > 0;

		out_printf(out, "%6u %10u %14s %12s", p->id, p->weight, unit_measured(a, p->time, UNIT_MICROSECONDS),
			   varies ? unit_share(b, p->deviation / p->time, 2) : "-");
		out_printf(out, " %14s %14s %9s\n", unit_measured(a, p->traced, UNIT_MICROSECONDS),
			   unit_measured(b, p->time * p->weight, UNIT_MICROSECONDS),
			   unit_share(c, r->pet > 0 ? p->time * p->weight / r->pet : 0, 2));
	}
	out_str(out, "\n");
	line(out, "SET", r->set, "signature execution time: the phases once");
	line(out, "PET", r->pet, "predicted execution time: the phases times their weights");
	snprintf(note, sizeof note, "PET / coverage (%s of the traced run)", unit_share(a, r->coverage, 2));
	line(out, "scaled PET", r->pet_scaled, note);
	if (r->aet > 0) {
		line(out, "AET", r->aet,
		     strcmp(r->aet_from, "run") == 0 ? "execution time, of a plain run here" : "execution time, as "
		     "given");
		out_printf(out, "  %-11s %14s  prediction error; of the scaled PET %s\n", "PETE", unit_share(a, r->pete, 2),
			   unit_share(b, r->pete_scaled, 2));
		out_printf(out, "  %-11s %14s\n", "SET/AET", unit_share(a, r->set_share, 2));
	}
	for (uint32_t i = 0; i < r->phase_count; i++)
		samples += r->phases[i].samples;
	snprintf(note, sizeof note, "what one run measured: %" PRIu64 " occurrences of %" PRIu32 " phase%s", samples,
		 r->phase_count, r->phase_count == 1 ? "" : "s");
	if (samples > r->phase_count)
		line(out, "measured", r->measured, note);
	line(out, "elapsed", r->elapsed, "what measuring took in all");
}
