/* A changed run that the ranks of a team project together is that of the whole trace, to the last bit, for all that can
 * be changed: runtime, and what each process computes and communicates, on every rank. What cannot be changed is
 * refused by all with the same sentence.
 */
#include <stdio.h>
#include <string.h>

#include "core/method/analysis/analysis.h"
#include "core/metrics/replay/project.h"
#include "log_case.h"
#include "tap.h"
#include "team_drive.h"

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

static uint32_t turn, refused, projected;

/* All digits: to the last bit. */
static void say(struct out *said, const struct projection *p, uint32_t processes)
{
	out_printf(said, "%a\n", p->runtime);
	for (uint32_t i = 0; i < processes; i++)
		out_printf(said, "%a %a\n", p->useful[i], p->communication[i]);
}

static enum err_code project_all(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	struct known k;

	learn(&k, arg, team);
	for (size_t i = 0; k.log && i < CHANGES; i++) {
		struct what_if what = {.count = 0};
		struct projection *p = NULL;
		enum err_code code;

		must(what_if_parse(&what, changes[i], e), e);
		code = project_new(&p, k.waits, k.spans, &what, progress, e);
		out_printf(said, "%s: %d %s\n", changes[i], (int)code, code ? e->text : "");
		if (!code)
			say(said, p, k.trace->process_count);
		if (!team) {
			refused += code != ERR_OK;
			projected += code == ERR_OK;
		}
		project_free(p);
	}
	forget(&k);
	return ERR_OK;
}

static void each(void *arg, const struct part_input *in, const char *what)
{
	uint32_t size = sizes[turn++ % (sizeof sizes / sizeof *sizes)];
	struct part_input input = *in;

	(void)arg;
	ok(team_same(&(struct team_case){.name = what, .run = project_all, .arg = &input, .all_say = true}, 1u << size), "%s, %u ranks", what,
	   (unsigned)size);
}

int main(void)
{
	log_all(SEEDS, each, NULL);
	ok(projected > 300 && refused > 100, "%u changes were made, %u refused", (unsigned)projected, (unsigned)refused);
	return done_testing();
}
