/* What `pas2p metrics` says of a run is the same, byte for byte, whoever has the run's processes: documents by program,
 * process, state and phase with all their digits, of runs that the ranks of a team share, against those of the whole
 * run; by default rules, and where all members of rooted collectives and the receives of all messages are waited for.
 *
 * And ranks fail together: where one of them runs out of memory or is stopped, all of them end, and say the same.
 *
 * Numbers of ranks take turns. `metrics_team.t all`: each on every run. `metrics_team.t FILE...`: these traces alone,
 * with what a rank keeps.
 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/settings/settings.h"
#include "core/reports/metrics_report.h"
#include "log_case.h"
#include "tap.h"
#include "team_drive.h"

#define MOST 8
#define SEEDS CASES(20)

static const uint32_t sizes[] = {2, 3, 4, 7};
#define SIZES (sizeof sizes / sizeof *sizes)

struct asked {
	const struct part_input *in;
	struct replay_rules rules;
	uint64_t bytes[MOST], steps[MOST]; /* of each rank */
};

/* ---- a run's documents ---- */

/* By program with the diagnosis, as of a run alone. */
static enum err_code document(struct out *said, const struct metrics_run *run, enum metrics_by by, const struct replay_rules *rules, struct err *e)
{
	struct diagnosed diagnosed = {.metrics = run->metrics, .figures = run->figures, .file = "run", .states = &run->states,
				      .phases = &run->phases};
	const struct diagnosis_settings settings = {.kind = SCALING_STRONG, .serial = (double)NAN, .bar = 0.8};
	struct metrics_report r = {.by = by, .serial = (double)NAN, .rules = *rules, .bar = 0.8, .run = &run, .count = 1};
	struct diagnosis diagnosis;

	r.reference = scaling_fill(&diagnosed.figures, 1, SCALING_STRONG, (double)NAN);
	if (by == METRICS_BY_PROGRAM) {
		diagnosis_make(&diagnosis, &diagnosed, 1, r.reference, &settings);
		r.diagnosis = &diagnosis;
	}
	return metrics_write(&r, said, true, e);
}

static enum err_code digest(struct out *said, struct metrics_run *run, const struct analysis *a, const struct replay_rules *rules,
			    const struct team *team, const struct progress *progress, struct err *e)
{
	unsigned rows = METRICS_PROCESSES | METRICS_STATES | METRICS_CRITICAL | (a ? METRICS_PHASES : 0);
	enum err_code code = a ? metrics_run_lay(run, a, progress, e) : ERR_OK;

	if (!code)
		code = metrics_run_make(run, rules, progress, e);
	if (!code)
		code = metrics_run_rows(run, rows, a, progress, e);
	for (int by = METRICS_BY_PROGRAM; !code && !team_rank(team) && by <= METRICS_BY_PHASE; by++)
		code = document(said, run, (enum metrics_by)by, rules, e);
	return team_agree(team, code, e);
}

static enum err_code documents(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	struct asked *asked = arg;
	struct settings settings;
	struct metrics_run run = {0};
	struct analysis *a = NULL;
	struct trace *t = NULL;
	struct call_log *log = NULL;
	enum err_code code, damage;

	settings_init(&settings);
	code = damage = log_load_progress(&log, &t, asked->in, team, progress, e);
	if (log)
		code = analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, progress, e);
	if (log && !code) {
		metrics_run_init(&run, "run", log);
		code = digest(said, &run, a, &asked->rules, team, progress, e);
		metrics_run_release(&run);
		log = NULL;
	}
	if (team) {
		asked->bytes[team->rank] = *team->bytes_sent;
		asked->steps[team->rank] = *team->steps;
	}
	call_log_free(log);
	analysis_unref(a);
	trace_free(t);
	return code ? code : damage;
}

/* ---- by a team ---- */

struct turns {
	uint32_t next;
	bool in_full, says;
};

static void each(void *arg, const struct part_input *in, const char *what)
{
	static const struct replay_rules rules[] = {{false, REPLAY_NEVER}, {true, 0}};
	struct turns *turns = arg;
	bool good = true;

	for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
		struct asked a = {.in = in, .rules = rules[k]};

		if (!turns->in_full && k != (turns->next / SIZES) % 2)
			continue;
		for (size_t i = 0; good && i < SIZES; i++) {
			if (!turns->in_full && i != turns->next % SIZES)
				continue;
			good = team_same(&(struct team_case){.name = what, .run = documents, .arg = &a}, 1u << sizes[i]);
			for (uint32_t r = 0; turns->says && r < sizes[i]; r++)
				diag("%s: rank %" PRIu32 " of %" PRIu32 ": %" PRIu64 " bytes sent, %" PRIu64 " meetings", what, r, sizes[i],
				     a.bytes[r], a.steps[r]);
		}
	}
	turns->next++;
	ok(good, "%s", what);
}

static void fail_together(void)
{
	const char *path = "sample-traces/coll.6.clog2";
	struct part_input in = {.paths = &path, .count = 1};
	struct asked a = {.in = &in, .rules = {false, REPLAY_NEVER}};

	team_fails(&(struct team_case){.name = path, .run = documents, .arg = &a, .loads = true}, 3, 100);
}

int main(int argc, char **argv)
{
	bool in_full = argc == 2 && !strcmp(argv[1], "all");
	struct turns turns = {.in_full = in_full || argc > 1, .says = argc > 1 && !in_full};

	for (int i = 1; i < argc && !in_full; i++)
		log_files(argv[i], false, each, &turns);
	if (turns.says)
		return done_testing();
	log_all(SEEDS, each, &turns);
	fail_together();
	return done_testing();
}
