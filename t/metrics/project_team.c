/* A changed run that the ranks of a team project together is that of the whole trace, to the last bit, for all that can
 * be changed: runtime, and what each process computes and communicates, on every rank. What cannot be changed is
 * refused by all with the same sentence.
 */
#include <stdio.h>
#include <string.h>

#include "core/analysis/analysis.h"
#include "core/metrics/project.h"
#include "core/team/team_threads.h"
#include "log_case.h"
#include "tap.h"

#define MOST 8
#define SEEDS 6

static const uint32_t sizes[] = {2, 3, 4, 7};
static const char *const changes[] = {
	"network x 0.5", "network=0", "balance", "ranks 0-1 x 0.5", "phase 1 x 0.25, network x 2", "balance, rank 1 x 3, phase 2 x 0",
	"MPI_Allreduce=0", "MPI_Send x 3, balance", "rank 999 x 2", "phase 99999 x 2", "MPI_Nothing=0",
};
#define CHANGES (sizeof changes / sizeof *changes)

/* What is known of a trace, here or in all. */
struct known {
	struct trace *trace;
	struct call_log *log;
	struct waits *waits;
	struct analysis *analysis;
	struct phase_spans *spans;
};

struct outcome {
	enum err_code code;
	char text[ERR_TEXT];
	struct projection *p;
};

static void must(enum err_code code, const struct err *e)
{
	if (code)
		bail_out("%s", e->text);
}

static void learn(struct known *k, const struct part_input *in, const struct team *team)
{
	struct settings settings;
	struct err e = {0};

	*k = (struct known){0};
	settings_init(&settings);
	if (log_load(&k->log, &k->trace, in, team, &e) && !k->log)
		return;
	must(waits_new(&k->waits, k->log, NULL, &e), &e);
	must(analysis_new(&k->analysis, k->trace, &settings, NULL, ANALYSIS_PHASES, NULL, &e), &e);
	must(phase_spans_new(&k->spans, k->log, k->analysis->clockwork, k->analysis->phases, NULL, &e), &e);
}

static void forget(struct known *k)
{
	phase_spans_free(k->spans);
	analysis_unref(k->analysis);
	waits_free(k->waits);
	call_log_free(k->log);
	trace_free(k->trace);
}

static struct outcome project(const struct known *k, const char *text)
{
	struct outcome o = {.p = NULL};
	struct what_if what = {.count = 0};
	struct err e = {0};

	must(what_if_parse(&what, text, &e), &e);
	o.code = project_new(&o.p, k->waits, k->spans, &what, NULL, &e);
	snprintf(o.text, sizeof o.text, "%s", o.code ? e.text : "");
	return o;
}

struct asked {
	const struct part_input *in;
	const struct outcome *whole;   /* per change */
	uint32_t processes;
	const char *differs[MOST];     /* the change that comes to something else */
};

static bool same(const struct outcome *a, const struct outcome *b, uint32_t processes)
{
	if (a->code || b->code)
		return a->code == b->code && !strcmp(a->text, b->text);
	return !memcmp(&a->p->runtime, &b->p->runtime, sizeof a->p->runtime) &&
	       !memcmp(a->p->useful, b->p->useful, processes * sizeof *a->p->useful) &&
	       !memcmp(a->p->communication, b->p->communication, processes * sizeof *a->p->communication);
}

static void run_rank(void *arg, const struct team *team)
{
	struct asked *a = arg;
	struct known k;

	learn(&k, a->in, team);
	for (size_t i = 0; i < CHANGES; i++) {
		struct outcome o = project(&k, changes[i]);

		if (!same(&o, &a->whole[i], a->processes) && !a->differs[team->rank])
			a->differs[team->rank] = changes[i];
		project_free(o.p);
	}
	forget(&k);
}

static uint32_t turn, refused, projected;

static void each(void *arg, const struct part_input *in, const char *what)
{
	struct outcome whole[CHANGES];
	struct asked a = {.in = in, .whole = whole};
	uint32_t size = sizes[turn++ % (sizeof sizes / sizeof *sizes)];
	const char *differs = NULL;
	struct known k;

	(void)arg;
	learn(&k, in, NULL);
	if (!k.log)
		return;
	a.processes = k.trace->process_count;
	for (size_t i = 0; i < CHANGES; i++) {
		whole[i] = project(&k, changes[i]);
		refused += whole[i].code != ERR_OK;
		projected += whole[i].code == ERR_OK;
	}
	if (!team_threads_run(size, run_rank, &a))
		bail_out("no team of %u", (unsigned)size);
	for (uint32_t r = 0; r < size && !differs; r++)
		differs = a.differs[r];
	if (!ok(!differs, "%s, %u ranks", what, (unsigned)size))
		diag("another outcome of: %s", differs);
	for (size_t i = 0; i < CHANGES; i++)
		project_free(whole[i].p);
	forget(&k);
}

int main(void)
{
	log_all(SEEDS, each, NULL);
	ok(projected > 300 && refused > 100, "%u changes were made, %u refused", (unsigned)projected, (unsigned)refused);
	return done_testing();
}
