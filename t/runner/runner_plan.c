/* The runner's plan: from a phase table to what ranks are told. Checkpoints at one place are taken once, cuts come in
 * the order in which ranks reach them, and a table that would have ranks wait for each other is refused before
 * anything runs. With it: the processor lists and the names by which a command is known to be the table's program,
 * since a wrong table must be caught there too.
 */
#include <string.h>

#include "runner/host.h"
#include "runner/launch.h"
#include "runner/runner.h"
#include "tap.h"

#define RANKS 2

/* Three phases of two ranks: 1 and 3 share a cut that lies after that of 2. */
static uint32_t cut_late[RANKS] = {10, 12}, cut_early[RANKS] = {5, 6}, entry[RANKS] = {20, 20}, leave[RANKS] = {24, 26};
static uint8_t before[RANKS] = {1, 0};

static void make_table(struct table *t, struct table_phase *phases)
{
	*t = (struct table){.processes = RANKS, .phases = phases, .phase_count = 4};
	for (uint32_t i = 0; i < 4; i++)
		phases[i] = (struct table_phase){
			.id = i + 1, .relevant = i != 3, .weight = 7, .points.checkpoint_tick = i == 1 ? 3 : 8,
			.points.checkpoint = i == 1 ? cut_early : cut_late, .points.before = before, .points.entry = entry, .points.exit = leave,
		};
}

static void plans(void)
{
	struct table_phase phases[4];
	struct table t;
	struct launch_plan p;
	struct err e = {0};
	uint32_t crossing[RANKS] = {11, 4}, beyond[RANKS] = {30, 6};

	make_table(&t, phases);
	is_int(plan_make(&p, &t, &e), ERR_OK, "a plan is made");
	is_int(p.ranks, RANKS, "of as many ranks");
	is_int(p.part_count, 3, "with the relevant phases only");
	is_int(p.cut_count, 2, "two of them share a cut");
	is_int(p.cuts[0]->number, 2, "the earlier cut comes first");
	is_int(p.parts[0].cut, 1, "phase 1 starts from the second");
	is_int(p.parts[1].cut, 0, "phase 2 from the first");
	is_int(p.parts[2].cut, 1, "phase 3 from the second");
	is_int(p.boundary_count, 2, "boundaries at one place are one");
	is_int(plan_needed(&p, PLAN_EVERY_PART, 0), 2, "and all are needed");
	is_int((int)p.calls, 0, "without collectives in the trace its sends count");
	plan_release(&p);

	phases[1].points.checkpoint = crossing;
	is_int(plan_make(&p, &t, &e), ERR_FORMAT, "cuts that cross are refused");
	ok(strstr(e.text, "the checkpoints of phases 2 and 1 overlap on rank 0") != NULL, "with phases and rank: %s", e.text);
	plan_release(&p);

	phases[1].points.checkpoint = beyond;
	is_int(plan_make(&p, &t, &e), ERR_FORMAT, "a checkpoint after its entry is refused");
	plan_release(&p);

	make_table(&t, phases);
	for (int i = 0; i < 3; i++)
		phases[i].relevant = false;
	is_int(plan_make(&p, &t, &e), ERR_USAGE, "without a relevant phase there is nothing to run");
	plan_release(&p);
}

static void spans(void)
{
	struct table_phase phases[4];
	struct table t;
	struct launch_plan p;
	struct err e = {0};
	uint32_t late[RANKS] = {40, 40}, late_end[RANKS] = {44, 46}, later[RANKS] = {60, 60}, mixed[RANKS] = {50, 30};
	struct table_sample samples[] = {{2, late, late_end}, {3, later, later}};

	make_table(&t, phases);
	phases[0].samples = samples;
	phases[0].sample_count = 2;
	phases[2].samples = samples;
	phases[2].sample_count = 1;
	is_int(plan_make(&p, &t, &e), ERR_OK, "a plan with samples is made");
	is_int(p.span_count, 6, "three representatives and three samples");
	is_int(p.parts[0].span_to - p.parts[0].span_from, 3, "three of them of phase 1");
	is_int(p.boundary_count, 5, "at five places: 20, 24 and 40, 44, and 60 where nothing is done");
	is_int(p.counts[0], 20, "the representatives come first");
	is_int(p.counts[p.boundary_count + 1], 26, "rank by rank");
	is_int(p.spans[1].start, 2, "then the samples");
	is_int(p.spans[1].end, 3, "from one boundary to another");
	ok(p.spans[2].start == 4 && p.spans[2].end == 4, "up to the last, which begins and ends at one");
	ok(p.parts[2].from == 0 && p.parts[2].to == 4, "a phase needs those of its own spans");
	is_int(plan_needed(&p, 0, 0), 4, "and no rank waits for what takes no time");
	plan_release(&p);

	samples[1].entry = mixed;
	is_int(plan_make(&p, &t, &e), ERR_FORMAT, "entries that cross are refused");
	ok(strstr(e.text, "the occurrences of phases 3 and 1 overlap on rank 1") != NULL, "with phases and rank: %s",
	   e.text);
	plan_release(&p);
}

static void applications(void)
{
	const char *const cg[] = {"mpirun", "-np", "4", "./bin/cg.S.x", NULL};
	const char *const lmp[] = {"mpirun", "-np", "4", "lmp", "-in", "in/Melt.in", NULL};

	ok(launch_is_application(cg, "cg.S.4"), "cg.S.x is the application cg.S.4");
	ok(launch_is_application(cg, "CG"), "letter case does not matter");
	ok(!launch_is_application(cg, "c"), "a part of the word is not enough");
	ok(!launch_is_application(cg, "lu.S.4"), "lu is another one");
	ok(launch_is_application(lmp, "melt-long.8"), "an input file may name it");
	ok(!launch_is_application(lmp, ".hidden"), "a name without a word matches nothing");
}

static void round_trip(const char *text, const char *want)
{
	struct nest_cpus c;
	struct err e = {0};
	char back[64];

	is_int(cpus_parse(&c, text, &e), ERR_OK, "--cpus %s is good", text);
	cpus_format(&c, back, sizeof back);
	is_str(back, want, "and means %s", want);
}

static void processors(void)
{
	static const char *const bad[] = {"", ",", "1,", "-1", "3-1", "1-", "a", "0x1", "1024", "1 2", "99999999999",
					  "1--2"};
	struct nest_cpus c;
	struct err e = {0};

	round_trip("0", "0");
	round_trip("0,1,2,5", "0-2,5");
	round_trip("8,0-3,2-4", "0-4,8");
	round_trip("1023", "1023");
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		is_int(cpus_parse(&c, bad[i], &e), ERR_USAGE, "--cpus '%s' is refused", bad[i]);
}

int main(void)
{
	plans();
	spans();
	applications();
	processors();
	return done_testing();
}
