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
#include "core/study/metrics_write.h"
#include "core/team/team_threads.h"
#include "log_case.h"
#include "tap.h"

#define MOST 8
#define SEEDS 20

static const uint32_t sizes[] = {2, 3, 4, 7};
#define SIZES (sizeof sizes / sizeof *sizes)

struct outcome {
	enum err_code code;
	char text[ERR_TEXT];
	char *of[METRICS_BY_CAUSE];    /* a document by each of these; NULL: this rank has none */
	uint64_t bytes, meetings;
};

struct asked {
	const struct part_input *in;
	struct replay_rules rules;
	struct outcome got[MOST];
	/* What fails: an allocation of anyone's; what asks whether to stop, of one rank's. */
	long fail_at;
	uint32_t stop_rank;
	int stop_at;
};

/* ---- a run's documents ---- */

/* By program with the diagnosis, as of a run alone. */
static enum err_code document(char **text, const struct metrics_run *run, enum metrics_by by, const struct replay_rules *rules, struct err *e)
{
	struct diagnosed diagnosed = {.metrics = run->metrics, .figures = run->figures, .file = "run", .states = &run->states,
				      .phases = &run->phases};
	const struct diagnosis_settings settings = {.kind = SCALING_STRONG, .serial = (double)NAN, .bar = 0.8};
	struct metrics_report r = {.by = by, .serial = (double)NAN, .rules = *rules, .bar = 0.8, .run = &run, .count = 1};
	struct diagnosis diagnosis;
	struct out out;
	enum err_code code;

	r.reference = scaling_fill(&diagnosed.figures, 1, SCALING_STRONG, (double)NAN);
	if (by == METRICS_BY_PROGRAM) {
		diagnosis_make(&diagnosis, &diagnosed, 1, r.reference, &settings);
		r.diagnosis = &diagnosis;
	}
	out_init(&out);
	code = metrics_write(&r, &out, true, e);
	*text = out.text;
	return code;
}

static enum err_code digest(struct outcome *o, struct metrics_run *run, const struct analysis *a, const struct replay_rules *rules,
			    const struct team *team, const struct job *job, struct err *e)
{
	unsigned rows = METRICS_PROCESSES | METRICS_STATES | METRICS_CRITICAL | (a ? METRICS_PHASES : 0);
	enum err_code code = a ? metrics_run_lay(run, a, job, e) : ERR_OK;

	if (!code)
		code = metrics_run_make(run, rules, job, e);
	if (!code)
		code = metrics_run_rows(run, rows, a, job, e);
	for (int by = METRICS_BY_PROGRAM; !code && !team_rank(team) && by < METRICS_BY_CAUSE; by++)
		code = document(&o->of[by], run, (enum metrics_by)by, rules, e);
	return team_agree(team, code, e);
}

static void run(struct outcome *o, const struct asked *asked, const struct team *team, const struct job *job)
{
	struct settings settings;
	struct metrics_run run = {0};
	struct analysis *a = NULL;
	struct trace *t = NULL;
	struct call_log *log = NULL;
	struct err e = {0};
	enum err_code damage;

	settings_init(&settings);
	o->code = damage = log_load_job(&log, &t, asked->in, team, job, &e);
	if (log)
		o->code = analysis_new(&a, t, &settings, NULL, ANALYSIS_PHASES, job, &e);
	if (log && !o->code) {
		metrics_run_init(&run, "run", log);
		o->code = digest(o, &run, a, &asked->rules, team, job, &e);
		metrics_run_release(&run);
		log = NULL;
	}
	if (!o->code && damage)
		o->code = damage;
	snprintf(o->text, sizeof o->text, "%s", o->code ? e.text : "");
	if (team) {
		o->bytes = *team->bytes_sent;
		o->meetings = *team->meetings;
	}
	call_log_free(log);
	analysis_unref(a);
	trace_free(t);
}

static void forget(struct outcome *o)
{
	for (int by = 0; by < METRICS_BY_CAUSE; by++)
		mem_free(o->of[by]);
}

/* ---- by a team ---- */

struct stopping {
	int left;
};

static bool stopped(void *arg)
{
	struct stopping *s = arg;

	return s->left-- <= 0;
}

static void run_rank(void *arg, const struct team *team)
{
	struct asked *a = arg;
	struct stopping stopping = {a->stop_rank == team->rank ? a->stop_at : INT_MAX};
	const struct job job = {.stopped = stopped, .arg = &stopping};

	team_agree(team, ERR_OK, &(struct err){0});
	if (!team->rank && a->fail_at >= 0)
		mem_fail_once(a->fail_at);
	team_agree(team, ERR_OK, &(struct err){0});
	run(&a->got[team->rank], a, team, &job);
	team_agree(team, ERR_OK, &(struct err){0});
	if (!team->rank)
		mem_fail_after(-1);
}

static const char *differs(const struct outcome *got, const struct outcome *want, uint32_t rank)
{
	if (got->code != want->code || strcmp(got->text, want->text))
		return "what it says";
	for (int by = 0; by < METRICS_BY_CAUSE; by++)
		if (rank ? got->of[by] != NULL : (got->of[by] != NULL) != (want->of[by] != NULL) ||
						       (want->of[by] && strcmp(got->of[by], want->of[by])))
			return metrics_by_name((enum metrics_by)by);
	return NULL;
}

/* The first lines that differ. */
static void show(const char *got, const char *want)
{
	size_t at = 0, from;

	while (got && want && got[at] && got[at] == want[at])
		at++;
	for (from = at; from && got && got[from - 1] != '\n';)
		from--;
	diag("got %.120s", got ? got + from : "nothing");
	diag("not %.120s", want ? want + from : "nothing");
}

static bool agrees(struct asked *a, const struct outcome *want, uint32_t size, const char *what)
{
	bool good = true;

	memset(a->got, 0, sizeof a->got);
	if (!team_threads_run(size, run_rank, a))
		bail_out("no team of %" PRIu32, size);
	for (uint32_t r = 0; r < size; r++) {
		const char *which = differs(&a->got[r], want, r);

		if (which && good) {
			diag("%s: rank %" PRIu32 " of %" PRIu32 ": %s is not the same (%s; %s)", what, r, size, which, a->got[r].text,
			     want->text);
			for (int by = 0; !r && by < METRICS_BY_CAUSE; by++)
				if (a->got[r].of[by] && want->of[by] && strcmp(a->got[r].of[by], want->of[by]))
					show(a->got[r].of[by], want->of[by]);
		}
		good = good && !which;
		forget(&a->got[r]);
	}
	return good;
}

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
		struct asked a = {.in = in, .rules = rules[k], .fail_at = -1, .stop_rank = UINT32_MAX};
		struct outcome want = {0};

		if (!turns->in_full && k != (turns->next / SIZES) % 2)
			continue;
		run(&want, &a, NULL, NULL);
		for (size_t i = 0; good && i < SIZES; i++) {
			if (!turns->in_full && i != turns->next % SIZES)
				continue;
			good = agrees(&a, &want, sizes[i], what);
			for (uint32_t r = 0; turns->says && r < sizes[i]; r++)
				diag("%s: rank %" PRIu32 " of %" PRIu32 ": %" PRIu64 " bytes sent, %" PRIu64 " meetings", what, r, sizes[i],
				     a.got[r].bytes, a.got[r].meetings);
		}
		forget(&want);
	}
	turns->next++;
	ok(good, "%s", what);
}

/* All ranks end with an error, the same one, or none does. */
static bool end_together(struct asked *a, uint32_t ranks, bool *failed)
{
	bool good = true;

	memset(a->got, 0, sizeof a->got);
	if (!team_threads_run(ranks, run_rank, a))
		bail_out("no threads");
	*failed = a->got[0].code != ERR_OK;
	for (uint32_t r = 0; r < ranks; r++) {
		if (a->got[r].code != a->got[0].code || strcmp(a->got[r].text, a->got[0].text)) {
			diag("rank %" PRIu32 ": %s; rank 0: %s", r, a->got[r].text, a->got[0].text);
			good = false;
		}
		forget(&a->got[r]);
	}
	return good;
}

static void fail_together(void)
{
	const char *path = "sample-traces/coll.6.clog2";
	struct part_input in = {.paths = &path, .count = 1};
	struct asked a = {.in = &in, .rules = {false, REPLAY_NEVER}, .stop_rank = UINT32_MAX};
	bool good = true, failed = true;
	uint32_t failures = 0, stops = 0;

	for (a.fail_at = 0; good && a.fail_at < 20000; a.fail_at += 1 + a.fail_at / 16) {
		good = end_together(&a, 3, &failed);
		failures += failed;
		if (!failed && a.fail_at > 5000)
			break;
	}
	ok(good && failures > 50, "without memory all ranks end, %" PRIu32 " times", failures);
	a.fail_at = -1;
	for (a.stop_at = 0; good && a.stop_at < 300; a.stop_at += 1 + a.stop_at / 8)
		for (a.stop_rank = 0; good && a.stop_rank < 3; a.stop_rank++) {
			good = end_together(&a, 3, &failed);
			stops += failed;
		}
	ok(good && stops > 20, "where one is stopped all are, %" PRIu32 " times", stops);
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
