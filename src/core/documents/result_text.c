#include "result_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"

void result_share(char *buf, size_t size, double share)
{
	char number[NUMBER_TEXT];

	number_fixed(share * 100, 2, number, sizeof number);
	snprintf(buf, size, "%s %%", number);
}

static void seconds(char *buf, size_t size, double v)
{
	if (v != 0 && fabs(v) < 1e-3)
		snprintf(buf, size, "%.3f us", v * 1e6);
	else if (v != 0 && fabs(v) < 1)
		snprintf(buf, size, "%.4f ms", v * 1e3);
	else
		snprintf(buf, size, "%.4f s", v);
}

static void line(struct out *out, const char *name, double v, const char *more)
{
	char t[48];

	seconds(t, sizeof t, v);
	out_printf(out, "  %-11s %14s  %s\n", name, t, more);
}

void result_print(const struct result *r, struct out *out)
{
	char a[48], b[48], c[48], d[48], note[160];
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
		char share[48];

		seconds(a, sizeof a, p->time);
		seconds(c, sizeof c, p->traced);
		seconds(d, sizeof d, p->time * p->weight);
		snprintf(b, sizeof b, "%s", "-");
		if (r->runs > 1 && p->time > 0)
			result_share(b, sizeof b, p->deviation / p->time);
		result_share(share, sizeof share, r->pet > 0 ? p->time * p->weight / r->pet : 0);
		out_printf(out, "%6u %10u %14s %12s %14s %14s %9s\n", p->id, p->weight, a, b, c, d, share);
	}
	out_str(out, "\n");
	line(out, "SET", r->set, "signature execution time: the phases once");
	line(out, "PET", r->pet, "predicted execution time: the phases times their weights");
	result_share(a, sizeof a, r->coverage);
	snprintf(note, sizeof note, "PET / coverage (%s of the traced run)", a);
	line(out, "scaled PET", r->pet_scaled, note);
	if (r->aet > 0) {
		line(out, "AET", r->aet,
		     strcmp(r->aet_from, "run") == 0 ? "execution time, of a plain run here" : "execution time, as "
		     "given");
		result_share(a, sizeof a, r->pete);
		result_share(b, sizeof b, r->pete_scaled);
		result_share(c, sizeof c, r->set_share);
		out_printf(out, "  %-11s %14s  prediction error; of the scaled PET %s\n  %-11s %14s\n", "PETE", a, b,
			   "SET/AET", c);
	}
	for (uint32_t i = 0; i < r->phase_count; i++)
		samples += r->phases[i].samples;
	snprintf(note, sizeof note, "what one run measured: %" PRIu64 " occurrences of %" PRIu32 " phase%s", samples,
		 r->phase_count, r->phase_count == 1 ? "" : "s");
	if (samples > r->phase_count)
		line(out, "measured", r->measured, note);
	line(out, "elapsed", r->elapsed, "what measuring took in all");
}
