#include "analysis.h"

#include "core/trace/remote.h"

/* A stage's result, immutable, freed by its last user. */
struct shared {
	atomic_int references;
	void *thing;
	void (*release)(void *thing);
};

static void shared_unref(struct shared *shared)
{
	if (!shared || atomic_fetch_sub(&shared->references, 1) != 1)
		return;
	shared->release(shared->thing);
	mem_free(shared);
}

static void release_logical(void *thing)
{
	logical_unref(thing);
}

static void release_clockwork(void *thing)
{
	clockwork_free(thing);
}

static void release_bbp_space(void *thing)
{
	bbp_space_free(thing);
}

static void release_bbps(void *thing)
{
	bbps_free(thing);
}

static void release_phase_space(void *thing)
{
	phase_space_free(thing);
}

static void release_phases(void *thing)
{
	phases_free(thing);
}

static void release_figures(void *thing)
{
	figures_free(thing);
}

static void release_windows(void *thing)
{
	windows_free(thing);
}

static void release_patterns(void *thing)
{
	patterns_free(thing);
}

static void release_names(void *thing)
{
	phase_names_free(thing);
}

static void *thing_of(const struct analysis *a, enum analysis_stage stage)
{
	return a->stage[stage] ? a->stage[stage]->thing : NULL;
}

static enum err_code make_logical(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	struct logical *l = NULL;
	enum err_code code = logical_new(&l, a->source, (enum order)a->settings.order,
					 (enum collectives)a->settings.collectives, progress, e);

	*out = l;
	return code;
}

static enum err_code make_clockwork(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	struct clockwork *c = NULL;
	enum err_code code = clockwork_new(&c, thing_of(a, STAGE_LOGICAL), (enum similarity)a->settings.similarity, progress, e);

	*out = c;
	return code;
}

static enum err_code make_bbp_space(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	struct bbp_space *b = NULL;
	enum err_code code = bbp_space_new(&b, thing_of(a, STAGE_LOGICAL), progress, e);

	*out = b;
	return code;
}

static enum err_code make_bbps(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	struct bbps *b = NULL;
	enum err_code code = bbps_new(&b, thing_of(a, STAGE_BBP_SPACE), &a->settings, progress, e);

	*out = b;
	return code;
}

static enum err_code make_phase_space(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	struct phase_space *p = NULL;
	enum err_code code = phase_space_new(&p, thing_of(a, STAGE_LOGICAL), progress, e);

	*out = p;
	return code;
}

static enum err_code make_phases(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	struct phases *p = NULL;
	enum err_code code;

	if (a->settings.similarity == SIMILARITY_BBP)
		code = team_agree(trace_team(a->source), phases_join(&p, thing_of(a, STAGE_BBPS), progress, e), e);
	else
		code = phases_search(&p, thing_of(a, STAGE_PHASE_SPACE), &a->settings, progress, e);
	if (code) {
		phases_free(p);
		p = NULL;
	}
	*out = p;
	return code;
}

static enum err_code make_figures(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	struct figures *f = NULL;
	enum err_code code = figures_new(&f, thing_of(a, STAGE_CLOCKWORK), thing_of(a, STAGE_PHASES), &a->settings, progress, e);

	*out = f;
	return code;
}

static enum err_code make_windows(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	struct windows *w = NULL;
	enum err_code code = windows_new(&w, thing_of(a, STAGE_CLOCKWORK), thing_of(a, STAGE_PHASES), thing_of(a, STAGE_FIGURES),
					 &a->settings, progress, e);

	*out = w;
	return code;
}

static enum err_code make_patterns(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	const struct logical *l = thing_of(a, STAGE_LOGICAL);
	struct patterns *p = NULL;
	enum err_code code = ERR_OK;

	if (trace_team(l->trace))
		code = patterns_gather(&p, l->trace, l->tick, progress, e);
	else if (patterns_possible(l->trace))
		code = patterns_new(&p, l->trace, progress, e);
	*out = p;
	return code;
}

static enum err_code make_names(struct analysis *a, void **out, const struct progress *progress, struct err *e)
{
	const struct patterns *p = thing_of(a, STAGE_PATTERNS);
	struct phase_names *n = NULL;
	enum err_code code = ERR_OK;

	/* Of those of a team only rank 0 has patterns. */
	if (p)
		code = phase_names_new(&n, p, thing_of(a, STAGE_LOGICAL), thing_of(a, STAGE_PHASES), thing_of(a, STAGE_FIGURES), progress, e);
	*out = n;
	code = team_agree(trace_team(a->source), code, e);
	if (code) {
		phase_names_free(n);
		*out = NULL;
	}
	return code;
}

/* Whether what was made under `old` still holds under `new`. */
static bool logical_holds(const struct settings *old, const struct settings *new)
{
	return old->order == new->order && old->collectives == new->collectives;
}

static bool clockwork_holds(const struct settings *old, const struct settings *new)
{
	return logical_holds(old, new) && (old->similarity == SIMILARITY_BBP || new->similarity != SIMILARITY_BBP);
}

static bool bbps_hold(const struct settings *old, const struct settings *new)
{
	return logical_holds(old, new) && old->compute_of == new->compute_of && old->volume == new->volume &&
	       old->compute == new->compute;
}

static bool phases_hold(const struct settings *old, const struct settings *new)
{
	if (old->similarity != new->similarity)
		return false;
	if (new->similarity == SIMILARITY_BBP)
		return bbps_hold(old, new);
	return logical_holds(old, new) && old->volume == new->volume && old->events == new->events &&
	       old->absent == new->absent;
}

static bool figures_hold(const struct settings *old, const struct settings *new)
{
	return phases_hold(old, new) && old->phase_time == new->phase_time && old->relevance == new->relevance;
}

static bool windows_hold(const struct settings *old, const struct settings *new)
{
	return figures_hold(old, new) && old->representative == new->representative && old->windows == new->windows &&
	       old->window_seconds == new->window_seconds && old->window_rare == new->window_rare &&
	       old->window_span == new->window_span && old->window_align == new->window_align;
}

/* They are of the logical trace's own events where collectives were left out. */
static bool patterns_hold(const struct settings *old, const struct settings *new)
{
	return old->collectives == new->collectives && (new->collectives == COLLECTIVES_EVENTS || old->order == new->order);
}

static bool names_hold(const struct settings *old, const struct settings *new)
{
	return figures_hold(old, new) && patterns_hold(old, new);
}

static const struct {
	enum err_code (*make)(struct analysis *a, void **out, const struct progress *progress, struct err *e);
	void (*release)(void *thing);
	bool (*holds)(const struct settings *old, const struct settings *new);
} stages[STAGES] = {
	[STAGE_LOGICAL] = {make_logical, release_logical, logical_holds},
	[STAGE_CLOCKWORK] = {make_clockwork, release_clockwork, clockwork_holds},
	[STAGE_BBP_SPACE] = {make_bbp_space, release_bbp_space, logical_holds},
	[STAGE_BBPS] = {make_bbps, release_bbps, bbps_hold},
	[STAGE_PHASE_SPACE] = {make_phase_space, release_phase_space, logical_holds},
	[STAGE_PHASES] = {make_phases, release_phases, phases_hold},
	[STAGE_FIGURES] = {make_figures, release_figures, figures_hold},
	[STAGE_WINDOWS] = {make_windows, release_windows, windows_hold},
	[STAGE_PATTERNS] = {make_patterns, release_patterns, patterns_hold},
	[STAGE_NAMES] = {make_names, release_names, names_hold},
};

static enum err_code make_stage(struct analysis *a, enum analysis_stage stage, const struct progress *progress, struct err *e)
{
	struct shared *shared = mem_zero(1, sizeof *shared);
	enum err_code code;

	code = team_agree(trace_team(a->source), shared ? ERR_OK : err_memory(e, "a stage of the analysis"), e);
	if (code) {
		mem_free(shared);
		return code;
	}
	atomic_init(&shared->references, 1);
	shared->release = stages[stage].release;
	code = stages[stage].make(a, &shared->thing, progress, e);
	if (code)
		mem_free(shared);
	else
		a->stage[stage] = shared;
	return code;
}

/* What each want needs, as bits of stages. */
static unsigned stages_wanted(unsigned want, const struct settings *settings)
{
	unsigned bits = 1u << STAGE_LOGICAL;

	if (want & ANALYSIS_PHASES) {
		bits |= 1u << STAGE_CLOCKWORK | 1u << STAGE_PHASES | 1u << STAGE_FIGURES;
		if (settings->windows)
			bits |= 1u << STAGE_WINDOWS;
		if (settings->similarity == SIMILARITY_BBP)
			want |= ANALYSIS_BBPS;
		else
			bits |= 1u << STAGE_PHASE_SPACE;
	}
	if (want & ANALYSIS_PATTERNS)
		bits |= 1u << STAGE_PATTERNS | (want & ANALYSIS_PHASES ? 1u << STAGE_NAMES : 0);
	if (want & ANALYSIS_BBPS)
		bits |= 1u << STAGE_BBP_SPACE | 1u << STAGE_BBPS;
	return bits;
}

enum err_code analysis_new(struct analysis **out, const struct trace *t, const struct settings *settings,
			   const struct analysis *previous, unsigned want, const struct progress *progress, struct err *e)
{
	struct analysis *a = mem_zero(1, sizeof *a);
	unsigned wanted = stages_wanted(want, settings);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!a)
		code = err_memory(e, "an analysis");
	else
		code = settings_check(settings, e);
	code = team_agree(trace_team(t), code, e);
	if (code) {
		mem_free(a);
		return code;
	}
	atomic_init(&a->references, 1);
	a->self = a;
	a->settings = *settings;
	a->source = t;
	for (int k = 0; !code && k < STAGES; k++) {
		/* Phases that are there, wanted or not, have figures. */
		if (k == STAGE_FIGURES && a->stage[STAGE_PHASES] && a->stage[STAGE_CLOCKWORK])
			wanted |= 1u << STAGE_FIGURES;
		/* What was made before is kept even where it is not wanted now: it may be the next time. */
		if (previous && previous->source == t && previous->stage[k] &&
		    stages[k].holds(&previous->settings, settings)) {
			a->stage[k] = previous->stage[k];
			atomic_fetch_add(&a->stage[k]->references, 1);
		} else if (wanted & 1u << k) {
			code = make_stage(a, (enum analysis_stage)k, progress, e);
		}
	}
	a->logical = thing_of(a, STAGE_LOGICAL);
	a->clockwork = thing_of(a, STAGE_CLOCKWORK);
	a->bbps = thing_of(a, STAGE_BBPS);
	a->phases = thing_of(a, STAGE_PHASES);
	a->figures = thing_of(a, STAGE_FIGURES);
	a->windows = thing_of(a, STAGE_WINDOWS);
	a->patterns = thing_of(a, STAGE_PATTERNS);
	a->names = thing_of(a, STAGE_NAMES);
	if (code) {
		analysis_unref(a);
		return code;
	}
	*out = a;
	return ERR_OK;
}

const struct analysis *analysis_ref(const struct analysis *a)
{
	if (a)
		atomic_fetch_add(&a->self->references, 1);
	return a;
}

void analysis_unref(const struct analysis *a)
{
	if (!a || atomic_fetch_sub(&a->self->references, 1) != 1)
		return;
	/* Later stages refer to earlier ones. */
	for (int k = STAGES; k-- > 0;)
		shared_unref(a->stage[k]);
	mem_free(a->self);
}

bool analysis_same_phases(const struct analysis *a, const struct analysis *b)
{
	return a->phases == b->phases && a->figures == b->figures && a->clockwork == b->clockwork;
}

const uint32_t *analysis_labels(const struct analysis *a, uint32_t id, uint32_t *count)
{
	const struct occurrence *o = &a->phases->occurrences[a->phases->list[id - 1].content];

	*count = 0;
	if (a->phases->similarity != SIMILARITY_BBP || !a->bbps)
		return NULL;
	*count = o->last - o->first;
	return a->bbps->label + o->first + 1;
}

void analysis_shed(struct analysis *a)
{
	for (int k = STAGE_PHASES; k-- > 0;) {
		shared_unref(a->stage[k]);
		a->stage[k] = NULL;
	}
	a->logical = NULL;
	a->clockwork = NULL;
	a->bbps = NULL;
	mem_trim();
}
