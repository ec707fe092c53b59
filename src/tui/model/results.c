#include "model.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/documents/result.h"
#include "tui/widgets/units.h"

void results_clear(struct results *r)
{
	while (r->count)
		result_release(&r->list[--r->count]);
	r->shown = 0;
}

void results_release(struct results *r)
{
	results_clear(r);
	mem_free(r->list);
	mem_free(r->phase);
	*r = (struct results){0};
}

static enum err_code belongs(const struct results *r, const struct result *one, const struct trace *t, struct err *e)
{
	if (t && one->processes != t->process_count)
		return err_set(e, ERR_USAGE, "%s is of another trace: it has %u processes, this one %u", one->path,
			       (unsigned)one->processes, (unsigned)t->process_count);
	if (r->sha256[0] && strcmp(r->sha256, one->sha256))
		return err_set(e, ERR_USAGE, "%s is of another trace: its SHA-256 is %.8s, this one's %.8s",
			       one->path, one->sha256, r->sha256);
	return ERR_OK;
}

enum err_code results_add(struct results *r, struct result *result, const struct trace *t, struct err *e)
{
	enum err_code code = belongs(r, result, t, e);
	struct result *list;

	for (uint32_t i = 0; i < r->count && !code; i++) {
		if (strcmp(r->list[i].path, result->path))
			continue;
		result_release(&r->list[i]);
		r->list[i] = *result;
		r->shown = i + 1;
		return ERR_OK;
	}
	list = code ? NULL : mem_resize(r->list, r->count + 1, sizeof *list);
	if (!list) {
		result_release(result);
		return code ? code : err_memory(e, "the results");
	}
	r->list = list;
	r->list[r->count++] = *result;
	r->shown = r->count;
	return ERR_OK;
}

enum err_code results_check(struct results *r, const struct trace *t, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < r->count;) {
		enum err_code other = belongs(r, &r->list[i], t, e);

		if (!other) {
			i++;
			continue;
		}
		code = other;
		result_release(&r->list[i]);
		r->count--;
		memmove(r->list + i, r->list + i + 1, (r->count - i) * sizeof *r->list);
		if (r->shown > i + 1 || r->shown > r->count)
			r->shown--;
	}
	return code;
}

void results_next(struct results *r)
{
	r->shown = r->count ? (r->shown + 1) % (r->count + 1) : 0;
}

const struct result *results_shown(const struct results *r)
{
	return r->shown && r->sha256[0] ? &r->list[r->shown - 1] : NULL;
}

const struct result_phase *results_phase(const struct results *r, uint32_t id)
{
	return id && id <= r->phase_count ? r->phase[id - 1] : NULL;
}

void results_match(struct results *r, const struct analysis *a)
{
	const struct result *shown = results_shown(r);
	uint32_t n = shown && a && a->phases && a->figures ? a->phases->count : 0;
	struct traced_phases here = {n ? &a->settings : NULL, n ? mem_alloc(n, sizeof *here.list) : NULL, n};

	mem_free(r->phase);
	r->phase = here.list ? mem_zero(n, sizeof *r->phase) : NULL;
	r->phase_count = r->phase ? n : 0;
	r->found = 0;
	r->serial++;
	for (uint32_t i = 0; i < r->phase_count; i++)
		here.list[i] = (struct traced_phase){i + 1, a->phases->list[i].weight, a->phases->list[i].ticks, a->figures->phase[i].between_sends};
	if (r->phase_count)
		traced_phases_sort(&here);
	for (uint32_t i = 0; r->phase_count && i < shown->phase_count; i++) {
		uint32_t id = traced_phases_find(&here, shown, &shown->phases[i]);

		if (!id || r->phase[id - 1])
			continue;
		r->phase[id - 1] = &shown->phases[i];
		r->found++;
	}
	mem_free(here.list);
}

void results_label(const struct result *r, char label[RESULT_LABEL])
{
	char name[44], mechanism[13];

	text_safe(name, sizeof name, r->label[0] ? r->label : r->host.name, SIZE_MAX, TEXT_UTF8);
	text_safe(mechanism, sizeof mechanism, r->mechanism, SIZE_MAX, TEXT_UTF8);
	snprintf(label, RESULT_LABEL, "%s · %s · %u %s", name, mechanism, (unsigned)r->runs, r->runs == 1 ? "run" : "runs");
}

void results_missing(const struct results *r, const struct settings *now, char *text, size_t size)
{
	const struct result *shown = results_shown(r);
	const char *and = "";
	char value[64];

	*text = 0;
	if (!shown || r->found == shown->phase_count)
		return;
	snprintf(text, size, "%u of %u measured phases are missing", (unsigned)(shown->phase_count - r->found),
		 (unsigned)shown->phase_count);
	/* Phases depend on some, their times on one more. */
	for (size_t i = 0; shown->has_settings && i <= SETTINGS_OF_PHASES; i++) {
		enum setting_id id = i < SETTINGS_OF_PHASES ? settings_of_phases[i] : SETTING_phase_time;

		if (settings_same(&shown->settings, now, id))
			continue;
		unit_setting(&shown->settings, id, value, sizeof value);
		snprintf(text + strlen(text), size - strlen(text), "%s%s %s", *and ? and : ": measured with ",
			 setting_info(id)->key, value);
		and = ", ";
	}
}
