/* A phase table from an analysis: the figures are there already, only the entries are computed here. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/method/analysis/phase_content.h"
#include "core/method/figures/figures.h"
#include "core/base/sha256.h"
#include "core/formats/api/format.h"
#include "core/trace/remote.h"
#include "documents_int.h"
#include "core/base/text.h"


/* How many bytes the names of all files have in common at their start (or, without that start, at their end). */
static size_t common_start(const struct trace *t)
{
	const char *a = path_name(t->files[0].path);
	size_t n = strlen(a);

	for (uint32_t i = 1; i < t->file_count; i++) {
		const char *b = path_name(t->files[i].path);
		size_t same = 0;

		while (same < n && a[same] == b[same])
			same++;
		n = same;
	}
	return n;
}

static size_t common_end(const struct trace *t, size_t start)
{
	const char *a = path_name(t->files[0].path);
	size_t la = strlen(a), n = la - start;

	for (uint32_t i = 1; i < t->file_count; i++) {
		const char *b = path_name(t->files[i].path);
		size_t lb = strlen(b), same = 0;

		while (same < n && same < lb - start && a[la - 1 - same] == b[lb - 1 - same])
			same++;
		n = same;
	}
	return n;
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool ends_in(const char *name, size_t n, const char *word)
{
	size_t length = strlen(word);

	return n > length && !strncasecmp(name + n - length, word, length);
}

/* The length of a common start without what introduces a rank: "lu.rank00" to "lu". */
static size_t without_rank(const char *name, size_t n)
{
	size_t cut = n;

	while (cut && is_one_of(name[cut - 1], "0123456789"))
		cut--;
	while (cut && is_one_of(name[cut - 1], "._-="))
		cut--;
	if (ends_in(name, cut, "rank"))
		cut -= strlen("rank");
	else if (ends_in(name, cut, "taskid"))
		cut -= strlen("taskid");
	while (cut && is_one_of(name[cut - 1], "._-="))
		cut--;
	return cut ? cut : n;
}

char *table_application(struct arena *arena, const struct trace *t)
{
	const char *name;
	size_t n;

	if (!t->file_count)
		return text_keep_safe(arena, "unnamed", strlen("unnamed"));
	name = path_trace_name(t->files[0].path, &n);
	if (t->file_count > 1 && common_start(t) && common_start(t) < n)
		n = without_rank(name, common_start(t));
	else
		n = format_stem(name, n);
	return text_keep_safe(arena, name, n);
}

char *table_file(struct arena *arena, const struct trace *t)
{
	const char *name;
	size_t n, start, end;
	char *both;

	if (!t->file_count)
		return text_keep_safe(arena, "none", strlen("none"));
	name = path_name(t->files[0].path);
	n = strlen(name);
	if (t->file_count == 1)
		return text_keep_safe(arena, name, n);
	start = common_start(t);
	end = common_end(t, start);
	both = arena_alloc(arena, start + end + 2);
	if (!both)
		return NULL;
	memcpy(both, name, start);
	both[start] = '*';
	memcpy(both + start + 1, name + n - end, end);
	return text_keep_safe(arena, both, start + end + 1);
}

void table_sha256(const struct trace *t, char hex[65])
{
	struct sha256 h;
	uint8_t digest[32];

	hex[0] = '\0';
	for (uint32_t i = 0; i < t->file_count; i++)
		if (!t->files[i].sha256[0])
			return;
	if (t->file_count == 1)
		memcpy(hex, t->files[0].sha256, 65);
	if (t->file_count < 2)
		return;
	sha256_start(&h);
	for (uint32_t i = 0; i < t->file_count; i++)
		sha256_add(&h, t->files[i].sha256, 64);
	sha256_finish(&h, digest);
	sha256_hex(digest, hex);
}

void *table_copy(struct table *t, const void *from, size_t n, size_t size)
{
	void *copy = arena_alloc(&t->arena, n * size);

	if (copy && n)
		memcpy(copy, from, n * size);
	return copy;
}

bool table_copy_points(struct table *t, struct phase_points *to, const struct phase_points *from)
{
	const size_t n = t->processes;

	*to = *from;
	to->checkpoint = table_copy(t, from->checkpoint, n, sizeof *to->checkpoint);
	to->before = table_copy(t, from->before, n, sizeof *to->before);
	to->entry = table_copy(t, from->entry, n, sizeof *to->entry);
	to->exit = table_copy(t, from->exit, n, sizeof *to->exit);
	return to->checkpoint && to->before && to->entry && to->exit;
}

/* Room for what is measured besides the representative; only of relevant phases something is. */
static enum err_code add_samples(struct table *t, struct table_phase *p, uint32_t count, struct err *e)
{
	p->samples = arena_alloc(&t->arena, count * sizeof *p->samples);
	for (uint32_t i = 0; p->samples && i < count; i++) {
		struct table_sample *sample = &p->samples[i];

		sample->occurrence = p->points.occurrence + i + 1;
		sample->entry = arena_alloc(&t->arena, t->processes * sizeof *sample->entry);
		sample->exit = arena_alloc(&t->arena, t->processes * sizeof *sample->exit);
		if (!sample->entry || !sample->exit)
			return err_memory(e, "the phase table");
		p->sample_count++;
	}
	return p->samples ? ERR_OK : err_memory(e, "the phase table");
}

static enum err_code fill_samples(struct table_phase *p, const struct analysis *a, struct err *e)
{
	const uint32_t *occurrences = a->phases->by_phase + a->phases->phase_first[p->id - 1];
	enum err_code code = phase_sampled_time(&p->sampled, a->clockwork, a->phases, p->id, p->points.occurrence, p->sample_count + 1,
						(enum phase_time)a->settings.phase_time, e);

	for (uint32_t i = 0; !code && i < p->sample_count; i++)
		code = occurrence_points(a->clockwork, a->phases, occurrences[p->samples[i].occurrence - 1], p->samples[i].entry,
					 p->samples[i].exit, e);
	return code;
}

static enum err_code make_phase(struct table *t, const struct analysis *a, uint32_t index, const struct progress *progress, struct err *e)
{
	const struct phase *phase = &a->phases->list[index];
	const struct phase_figures *f = &a->figures->phase[index];
	struct table_phase *p = &t->phases[index];
	struct phase_points points;
	enum err_code code;

	*p = (struct table_phase){.id = phase->id, .weight = phase->weight, .ticks = phase->ticks};
	p->relevant = f->relevant;
	if (a->names) {
		p->name = a->names->list[index].name;
		p->kinds = a->names->list[index].kinds;
	}
	p->time = f->time;
	p->between_sends = a->phases->similarity == SIMILARITY_BBP ? f->between_sends : (double)NAN;
	p->time_min = f->time_min;
	p->time_max = f->time_max;
	p->share = f->share;
	code = phase_points_init(&points, a->clockwork, a->phases, phase->id, &a->settings, e);
	if (code)
		return code;
	if (!table_copy_points(t, &p->points, &points))
		code = err_memory(e, "the phase table");
	phase_points_release(&points);
	if (!code && p->relevant)
		code = add_samples(t, p, phase_sample_count(a->clockwork, a->phases, p->id, p->points.occurrence, a->settings.sample_seconds) - 1, e);
	progress_report(progress, PROGRESS_WRITE, index + 1, a->phases->count);
	if (!code && progress_stopped(progress))
		code = err_set(e, ERR_CANCELLED, "stopped before the phase table was made");
	code = team_agree(trace_team(a->source), code, e);
	return code || !p->relevant ? code : fill_samples(p, a, e);
}

static enum err_code make_header(struct table *t, const struct analysis *a, const char *application, struct err *e)
{
	const struct trace *trace = a->source;
	const struct figures *f = a->figures;
	char format[64];

	table_sha256(trace, t->sha256);
	trace_format_name(trace, format, sizeof format);
	t->application = application ? text_keep_safe(&t->arena, application, strlen(application))
				     : table_application(&t->arena, trace);
	t->trace_file = table_file(&t->arena, trace);
	t->format = text_keep_safe(&t->arena, format, strlen(format));
	if (!t->application || !t->trace_file || !t->format)
		return err_memory(e, "the phase table");
	t->processes = trace->process_count;
	t->sends = trace->send_count;
	t->receives = trace->receive_count;
	t->collectives = trace->collective_count;
	t->compute_source = trace->compute_source;
	t->warnings = notes_total(&trace->notes, NOTE_WARNING) + notes_total(&trace->notes, NOTE_DAMAGE) +
		      notes_total(&a->logical->notes, NOTE_WARNING);
	t->settings = a->settings;
	t->aet = f->aet;
	t->coverage = f->coverage;
	t->set = f->set;
	t->pet = f->pet;
	t->pet_scaled = f->pet_scaled;
	t->pete = f->pete;
	t->named = a->patterns && a->names ? a : NULL;
	return ERR_OK;
}

static enum err_code make_phases(struct table *t, const struct analysis *a, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < a->phases->count; i++)
		code = make_phase(t, a, i, progress, e);
	t->phase_count = a->phases->count;
	return code;
}

enum err_code table_from_analysis(struct table *t, const struct analysis *a, const char *application,
				  const struct progress *progress, struct err *e)
{
	struct table_measure measure;
	enum err_code code;

	*t = (struct table){0};
	arena_init(&t->arena);
	code = make_header(t, a, application, e);
	t->phases = arena_alloc(&t->arena, a->phases->count * sizeof *t->phases);
	if (!code && !t->phases)
		code = err_memory(e, "the phase table");
	code = team_agree(trace_team(a->source), code, e);
	if (!code)
		code = make_phases(t, a, progress, e);
	if (!code && a->windows)
		code = table_windows_make(t, a, progress, e);
	if (code) {
		table_release(t);
		return code;
	}
	measure = table_measure(t);
	t->expected_error = t->windows || !measure.occurrences ? (double)NAN : measure.off;
	return code;
}

enum err_code table_add_content(struct table *t, const struct analysis *a, const struct progress *progress, struct err *e)
{
	run_phases_free(t->content);
	return phase_content_new(&t->content, a, progress, e);
}

/* The sums over the phases become a prediction. */
static struct table_measure predict(struct table_measure m, double coverage, double aet)
{
	if (!m.occurrences || !(coverage > 0) || !(aet > 0))
		return (struct table_measure){0};
	m.pet_scaled /= coverage;
	m.off = fabs(m.pet_scaled - aet) / aet;
	return m;
}

enum err_code analysis_measure(struct table_measure *out, const struct analysis *a, const struct progress *progress, struct err *e)
{
	struct table_measure m = {0};

	*out = m;
	for (uint32_t id = 1; a->figures && id <= a->phases->count; id++) {
		uint32_t place, count;
		double sampled;
		enum err_code code;

		if (!a->figures->phase[id - 1].relevant)
			continue;
		if (progress_stopped(progress))
			return team_agree(trace_team(a->source), err_set(e, ERR_CANCELLED, "stopped before all phases were measured"), e);
		code = phase_representative(a->clockwork, a->phases, id, (enum representative)a->settings.representative, &place, e);
		if (code)
			return code;
		count = phase_sample_count(a->clockwork, a->phases, id, place, a->settings.sample_seconds);
		code = phase_sampled_time(&sampled, a->clockwork, a->phases, id, place, count, (enum phase_time)a->settings.phase_time, e);
		if (code)
			return code;
		m.occurrences += count;
		m.seconds += sampled * count;
		m.pet_scaled += sampled * a->phases->list[id - 1].weight;
	}
	if (a->figures)
		*out = predict(m, a->figures->measured_coverage, a->figures->aet);
	return ERR_OK;
}

double table_measured_coverage(const struct table *t)
{
	double measured = 0;

	if (t->settings.similarity != SIMILARITY_BBP || !(t->aet > 0))
		return t->coverage;
	for (uint32_t i = 0; i < t->phase_count; i++)
		if (t->phases[i].relevant)
			measured += t->phases[i].weight * table_between_sends(&t->phases[i]);
	return measured / t->aet;
}

struct table_measure table_measure(const struct table *t)
{
	struct table_measure m = {0};

	for (uint32_t i = 0; i < t->phase_count; i++) {
		const struct table_phase *p = &t->phases[i];

		if (!p->relevant)
			continue;
		m.occurrences += 1 + p->sample_count;
		m.seconds += p->sampled * (1 + p->sample_count);
		m.pet_scaled += p->sampled * p->weight;
	}
	return predict(m, table_measured_coverage(t), t->aet);
}

void table_release(struct table *t)
{
	run_phases_free(t->content);
	arena_release(&t->arena);
	*t = (struct table){0};
}
