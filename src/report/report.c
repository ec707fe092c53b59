#include "report.h"

#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/method/figures/figures.h"
#include "report_int.h"

const char *ratio_text(char buf[UNIT_TEXT], double v)
{
	if (isnan(v))
		return "-";
	snprintf(buf, UNIT_TEXT, fabs(v) < 0.1 ? "%.2g" : "%.2f", v);
	return buf;
}

/* Phases have the colours that they have in the workbench. */
static enum err_code rank_phases(struct sheet *s, struct err *e)
{
	const struct figures *f = s->o->of.analysis ? s->o->of.analysis->figures : NULL;
	enum err_code code;

	if (!f)
		return ERR_OK;
	s->ranked = mem_alloc(f->count, sizeof *s->ranked);
	s->role = mem_alloc(f->count, sizeof *s->role);
	if (!s->ranked || !s->role)
		return err_memory(e, "the phases");
	code = phase_ranks(s->ranked, f, e);
	for (uint32_t i = 0; !code && i < f->count; i++)
		s->role[s->ranked[i] - 1] = i < PHASE_ROLES ? (enum role)(ROLE_PHASE_0 + i) : ROLE_PHASE_REST;
	return code;
}

enum err_code report_write(const struct report *r, enum report_format format, struct out *out, struct err *e)
{
	static void (*const sections[])(struct sheet *) = {
		section_glance, section_ran, section_structure, section_account, section_phases, section_maps, section_processes,
		section_scaling, section_results, section_notes,
	};
	struct sheet s = {.report = r, .o = r->overview, .run = r->metrics ? r->metrics->run[r->metrics->looked] : NULL};
	enum err_code code = rank_phases(&s, e);

	if (!code) {
		page_begin(&s.page, format, out, r->title);
		for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
			sections[i](&s);
		page_end(&s.page);
	}
	mem_free(s.ranked);
	mem_free(s.role);
	return code ? code : out->failed ? err_memory(e, "the report") : ERR_OK;
}
