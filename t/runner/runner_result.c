/* Results: what a run measured becomes figures by the method's rules (mean or slowest over ranks, mean over runs),
 * reads back as it was written, and can be compared: same trace by phase id, other workloads by the phases' structure.
 * Someone decides on a machine by these numbers, so each is checked against one worked out by hand.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/documents/result.h"
#include "core/reports/reports.h"
#include "core/reports/reports_int.h"
#include "runner/host.h"
#include "runner/runner.h"
#include "tap.h"

static uint32_t entries[3][2] = {{10, 10}, {14, 12}, {0, 0}}, exits[3][2] = {{14, 12}, {15, 14}, {9, 9}};
static const char *const command[] = {"mpirun", "-np", "2", "./cg \"x\"", "bad\xff", NULL};

static void make_table(struct table *t, struct table_phase *phases, const char *sha)
{
	static char name[] = "cg.S.2";

	*t = (struct table){.application = name, .processes = 2, .aet = 10, .coverage = 0.8, .expected_error = 0.42, .phases = phases,
			    .phase_count = 3};
	settings_init(&t->settings);
	snprintf(t->sha256, sizeof t->sha256, "%s", sha);
	settings_init(&t->settings);
	for (uint32_t i = 0; i < 3; i++)
		phases[i] = (struct table_phase){.id = i + 2, .weight = 10 * (i + 1), .ticks = 4 - i, .relevant =
						 i != 2, .time = 0.5, .between_sends = NAN,
						 .points.entry = entries[i], .points.exit = exits[i]};
}

static void measure(struct result *r, const struct table *t, uint32_t runs, double scale)
{
	struct err e = {0};
	struct nest_cpus none = {0};

	is_int(result_begin(r, t, "replay", runs, command, &e), ERR_OK, "a result is begun");
	host_look(&r->host, &none);
	for (uint32_t p = 0; p < r->phase_count; p++)
		for (uint32_t run = 0; run < runs; run++)
			for (uint32_t rank = 0; rank < 2; rank++)
				*result_time(r, p, run, rank) = scale * (1 + p + run * 0.5 + rank * 0.25);
	is_int(result_finish(r, &e), ERR_OK, "and finished");
}

static void figures(void)
{
	struct table_phase phases[3];
	struct table t;
	struct result r;

	make_table(&t, phases, "aa");
	measure(&r, &t, 2, 1);
	is_int(r.phase_count, 2, "only relevant phases are measured");
	/* Phase 2: ranks 1 and 1.25 in the first run, 1.5 and 1.75 in the second: means 1.125 and 1.625. */
	is_double(r.phases[0].time, 1.375, 1e-12, "a phase's time is the mean over ranks and runs");
	is_double(r.phases[0].deviation, 0.35355339059327, 1e-9, "with the sample standard deviation over runs");
	is_double(r.phases[0].min, 1.125, 1e-12, "the least run");
	is_double(r.phases[0].max, 1.625, 1e-12, "the most");
	is_double(r.phases[0].ranks[1], 1.5, 1e-12, "and each rank's mean");
	is_int(r.phases[0].sends[0], 4, "calls in one occurrence, rank 0");
	is_double(r.set, 1.375 + 2.375, 1e-12, "SET adds the phases up");
	is_double(r.pet, 13.75 + 47.5, 1e-12, "PET adds time times weight");
	is_double(r.pet_scaled, 61.25 / 0.8, 1e-9, "scaled PET divides by the coverage");
	result_set_aet(&r, 50, "given");
	is_double(r.pete, 0.225, 1e-12, "PETE is the error against the AET");
	is_double(r.set_share, 0.075, 1e-12, "SET/AET");
	result_release(&r);

	t.settings.phase_time = PHASE_TIME_SLOWEST;
	measure(&r, &t, 1, 1);
	is_double(r.phases[0].time, 1.25, 1e-12, "phase_time slowest takes the slowest rank");
	is_double(r.phases[0].deviation, 0, 0, "one run has no spread");
	result_release(&r);
}

static void save(const struct out *o, const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(o->text, 1, o->len, f) != o->len || fclose(f) != 0)
		bail_out("cannot write %s", path);
}

static void identity(const char *path)
{
	struct table_phase phases[3];
	struct table t;
	struct result r, back;
	struct out first, second;
	struct err e = {0};

	make_table(&t, phases, "aa");
	phases[0].name = "halo 2 + sweep from 0";
	phases[0].kinds = "neighbours + sweep";
	phases[1].name = "mixed";
	measure(&r, &t, 3, 1.0 / 3);
	result_set_aet(&r, 17, "run");
	out_init(&first);
	out_init(&second);
	is_int(result_write_yaml(&r, &first, &e), ERR_OK, "it is written");
	save(&first, path);
	is_int(result_read_file(&back, path, &e), ERR_OK, "and read back: %s", e.text);
	is_int(result_write_yaml(&back, &second, &e), ERR_OK, "and written again");
	is_str(second.text, first.text, "write, read, write is the identity");
	is_str(back.phases[0].name, "halo 2 + sweep from 0", "a phase has the name that the table gave it");
	is_str(back.phases[0].kinds, "neighbours + sweep", "and its kinds");
	ok(back.phases[1].name && !back.phases[1].kinds, "a description is of no kind");
	ok(back.has_settings && settings_equal(&back.settings, &t.settings), "it says with which settings the table was made");
	is_str(back.command[4], "bad\xef\xbf\xbd", "bytes that are no text are replaced");
	result_release(&back);

	/* Each line left out: a sentence, or, where nothing depends on it, still a result; never a crash. */
	unsigned refused = 0, lines = 0;

	for (const char *line = first.text; *line; line = strchr(line, '\n') + 1) {
		struct out cut;
		const char *rest = strchr(line, '\n') + 1;

		out_init(&cut);
		out_add(&cut, first.text, (size_t)(line - first.text));
		out_str(&cut, rest);
		save(&cut, path);
		out_release(&cut);
		e = (struct err){0};
		lines++;
		if (result_read_file(&back, path, &e) == ERR_OK)
			result_release(&back);
		else
			refused += e.text[0] != '\0';
	}
	ok(refused > lines / 2 && refused < lines, "%u of %u lines are missed when they are not there", refused, lines);
	out_release(&first);
	out_release(&second);
	result_release(&r);
}

/* Results of before they said their settings stay readable; settings that are none are not passed over. */
static void settings_of(const char *path)
{
	static const char key[] = "\nanalysis:\n", order[] = "order: pas2p";
	struct table_phase phases[3];
	struct table t;
	struct result r, back;
	struct out o, old;
	struct err e = {0};
	char *at, *end;

	make_table(&t, phases, "aa");
	settings_init(&t.settings);
	t.settings.volume = 0.25;
	t.settings.phase_time = PHASE_TIME_SLOWEST;
	measure(&r, &t, 1, 1);
	out_init(&o);
	is_int(result_write_yaml(&r, &o, &e), ERR_OK, "a result is written");
	save(&o, path);
	is_int(result_read_file(&back, path, &e), ERR_OK, "and read");
	is_double(back.settings.volume, 0.25, 0, "with the settings");
	is_int(back.settings.phase_time, PHASE_TIME_SLOWEST, "and the phase time");
	ok(result_is_file(path), "it is known by how it begins");
	result_release(&back);

	at = strstr(o.text, key) + 1;
	for (end = strchr(at, '\n') + 1; *end == ' '; end = strchr(end, '\n') + 1)
		;
	out_init(&old);
	out_add(&old, o.text, (size_t)(at - o.text));
	out_str(&old, end);
	save(&old, path);
	is_int(result_read_file(&back, path, &e), ERR_OK, "one without settings is read: %s", e.text);
	ok(!back.has_settings, "and says that it has none");
	result_release(&back);
	out_release(&old);

	memcpy(strstr(o.text, order), "order: what?", strlen(order));
	save(&o, path);
	is_int(result_read_file(&back, path, &e), ERR_FORMAT, "a setting of an unknown value is refused");
	ok(strstr(e.text, ": analysis.order is 'what?'"), "with its place: %s", e.text);
	out_release(&o);
	result_release(&r);
	ok(!result_is_file("/nowhere") && !result_is_file("README.md"), "other files are none");
}

/* What a comparison says that it is of: everything that differs, and nothing else. */
static void differences(void)
{
	static const char *other_command[] = {"mpirun", "--bind-to", "none", "-np", "2", "./cg", NULL};
	struct table_phase phases[3];
	struct table t;
	struct result r[3], second;
	char text[COMPARE_DIFFERENCES_TEXT];

	make_table(&t, phases, "aa");
	for (int i = 0; i < 3; i++) {
		measure(&r[i], &t, 1, 1);
		snprintf(r[i].host.name, sizeof r[i].host.name, "here");
		snprintf(r[i].host.allowed, sizeof r[i].host.allowed, "0-3");
		snprintf(r[i].host.mpi, sizeof r[i].host.mpi, "an MPI");
		r[i].host.nodes = 1;
		r[i].has_settings = true;
	}
	second = r[1];
#define DIFFER(n) compare_differences_text(text, compare_differences(r, n), " and ")
	is_str(DIFFER(3), "", "results in which nothing differs");
	is_str(DIFFER(1), "", "a single result");
	r[2].settings.similarity = SIMILARITY_BBP;
	is_str(DIFFER(2), "", "a third one does not matter to two");
	is_str(DIFFER(3), "settings", "other settings are no other mapping");
	r[2].has_settings = false;
	is_str(DIFFER(3), "", "settings that are not known do not differ");
	r[2].settings.phase_time = PHASE_TIME_SLOWEST;
	is_str(DIFFER(3), "settings", "but phase_time, which all results say");
	r[2].settings.phase_time = PHASE_TIME_MEAN;
	snprintf(r[1].host.allowed, sizeof r[1].host.allowed, "0-1");
	is_str(DIFFER(3), "mappings", "other processors");
	r[1].settings.events = 0.9;
	is_str(DIFFER(2), "mappings and settings", "both are said");
	snprintf(r[1].host.name, sizeof r[1].host.name, "there");
	is_str(DIFFER(2), "machines and settings", "another machine has other processors anyway");
	r[1].host.nodes = 2;
	is_str(DIFFER(2), "machines, mappings and settings", "not so another number of nodes");
	r[1].host.nodes = 0;
	is_str(DIFFER(2), "machines and settings", "nor is an unknown one another");
	is_str(compare_differences_text(text, compare_differences(r, 2), ", "), "machines, settings", "as files have it");
	r[1] = second;
	snprintf(r[1].host.cpu, sizeof r[1].host.cpu, "another processor");
	is_str(DIFFER(2), "machines", "one name, two processors: two machines");
	r[1] = second;
	r[1].command = other_command;
	is_str(DIFFER(2), "launch commands", "another binding in the launch command");
	r[1].sha256 = "bb";
	is_str(DIFFER(2), "traces", "another trace has another command anyway");
	r[1].processes = 4;
	r[1].mechanism = "criu";
	snprintf(r[1].host.mpi, sizeof r[1].host.mpi, "another MPI");
	is_str(DIFFER(2), "traces, numbers of processes, MPI libraries and mechanisms", "whatever differs");
#undef DIFFER
	result_release(&r[0]);
	result_release(&second);
	result_release(&r[2]);
}

static void compared(void)
{
	struct table_phase phases[3], other_phases[3];
	struct table t, other;
	struct result r[3];
	struct compare c;
	struct err e = {0};
	struct out o;

	make_table(&t, phases, "aa");
	make_table(&other, other_phases, "bb");
	/* Another workload: its phases in another order and with other weights, one of them different. */
	other_phases[0].ticks = 9;
	other_phases[2].relevant = true;
	other_phases[2].ticks = 4;
	other_phases[2].points.entry = entries[0];
	other_phases[2].points.exit = exits[0];
	other_phases[2].weight = 99;
	measure(&r[0], &t, 1, 1);
	measure(&r[1], &t, 1, 2);
	measure(&r[2], &other, 1, 1);

	is_int(compare_make(&c, r, 2, &e), ERR_OK, "two results of one trace");
	is_int((int)c.differs, 0, "in which nothing differs");
	is_int(c.row_count, 2, "with the same phases");
	ok(c.rows[0]->id == 2 && c.rows[1]->id == 2 && c.rows[2]->id == 3 && c.rows[3]->id == 3, "matched by id");
	ok(strcmp(c.labels[0], c.labels[1]) != 0, "with labels that differ: %s, %s", c.labels[0], c.labels[1]);
	compare_release(&c);

	/* A text that is cut stays text, or no YAML could be written. */
	r[0].label = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u00e9\u00e9\u00e9\u00e9";
	is_int(compare_make(&c, r, 2, &e), ERR_OK, "a long label");
	is_int((int)strlen(c.labels[0]), 59, "is cut between characters");
	out_init(&o);
	is_int(compare_yaml(&c, &o, false, &e), ERR_OK, "and can be written");
	out_release(&o);
	compare_release(&c);
	r[0].label = "";

	out_init(&o);
	result_print(&r[0], &o);
	ok(strstr(o.text, ", 2 processes, measured by rerun") != NULL, "printed with its processes");
	ok(strstr(o.text, " 42.00 %  of the scaled prediction") != NULL, "and with the error that the table expects: %s", o.text);
	r[0].processes = 1;
	o.len = 0;
	result_print(&r[0], &o);
	ok(strstr(o.text, ", 1 process, measured by rerun") != NULL, "one process is no processes");
	r[0].processes = 2;
	out_release(&o);

	/* Of one trace, but with another threshold: an id is another phase. */
	settings_init(&r[0].settings);
	r[0].has_settings = r[1].has_settings = true;
	r[1].settings = r[0].settings;
	r[1].settings.events = 0.9;
	r[1].phases[0].traced *= 2;
	is_int(compare_make(&c, r, 2, &e), ERR_OK, "two results of one trace, with other settings");
	is_int(c.row_count, 3, "a phase of other occurrences has a row of its own");
	ok(c.rows[0]->id == 2 && !c.rows[1] && c.rows[2] && c.rows[3] && c.rows[2]->id == c.rows[3]->id && !c.rows[4],
	   "and the one that is the same does not");
	out_init(&o);
	is_int(compare_print(&c, &o, 0, &e), ERR_OK, "it is printed");
	ok(strstr(o.text, ": made with events 0.9 instead of 0.8: phases that ") != NULL, "the table says why");
	out_release(&o);
	compare_release(&c);
	r[1].settings.events = 0.8;
	r[1].settings.relevance = 0.2;
	is_int(compare_make(&c, r, 2, &e), ERR_OK, "two results of one trace, with another relevance");
	is_int(c.row_count, 2, "which changes no phase");
	compare_release(&c);
	r[0].has_settings = r[1].has_settings = false;

	snprintf(r[1].host.name, sizeof r[1].host.name, "elsewhere");
	is_int(compare_make(&c, r, 2, &e), ERR_OK, "two results of one trace");
	is_int((int)c.differs, COMPARE_MACHINES, "on two machines");
	compare_release(&c);

	is_int(compare_make(&c, r, 3, &e), ERR_OK, "results of two traces");
	is_int((int)c.differs, COMPARE_TRACES | COMPARE_MACHINES, "on two machines");
	is_int(c.row_count, 3, "the phase that is different has a row of its own");
	is_int(c.rows[2] ? (int)c.rows[2]->weight : -1, 99, "structure, not number, says which persists, with its new "
	       "weight");
	ok(c.rows[3 + 2] && c.rows[3 + 2]->id == 3, "the unchanged one is matched too");
	ok(!c.rows[6] && !c.rows[7] && c.rows[8]->id == 2, "the new one stands alone");
	out_init(&o);
	compare_csv(&c, &o);
	unsigned lines = 0;

	for (const char *p = o.text; *p; p++)
		lines += *p == '\n';
	is_int(lines, 8, "csv has a row for each phase of each result, and its head");
	o.len = 0;
	is_int(compare_print(&c, &o, 0, &e), ERR_OK, "it is printed");
	ok(strstr(o.text, "2 of 3 phases are in all results; the weights of 1 of these differ") != NULL, "the table "
	   "sums it up");
	ok(!strstr(o.text, "something else"), "of phases without names nothing is said");
	r[0].phases[1].name = "halo 2";
	r[0].phases[1].kinds = "neighbours";
	for (uint32_t i = 0; i < r[2].phase_count; i++) {
		r[2].phases[i].name = "sweep from 0";
		r[2].phases[i].kinds = "sweep";
	}
	o.len = 0;
	is_int(compare_print(&c, &o, 0, &e), ERR_OK, "with names");
	ok(strstr(o.text, "  halo 2\n") != NULL, "the table has them: %s", o.text);
	ok(strstr(o.text, "note: phase 3 (halo 2) of ") && strstr(o.text, " (sweep from 0) of ") && strstr(o.text, ", which does something else\n"),
	   "and says which do something else");
	o.len = 0;
	compare_csv(&c, &o);
	ok(strstr(o.text, ",traced,name,same_kind\n") && strstr(o.text, ",halo 2,false\n") && strstr(o.text, ",sweep from 0,\n"), "csv has both: %s", o.text);
	o.len = 0;
	is_int(compare_yaml(&c, &o, false, &e), ERR_OK, "yaml");
	ok(strstr(o.text, "name: \"halo 2\"") && strstr(o.text, "same_kind: false") && strstr(o.text, "same_kind: null"), "as well: %s", o.text);
	out_release(&o);
	compare_release(&c);
	for (int i = 0; i < 3; i++)
		result_release(&r[i]);
}

int main(void)
{
	char path[] = "/tmp/pas2p-result.XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		bail_out("no temporary file");
	close(fd);
	figures();
	identity(path);
	settings_of(path);
	differences();
	compared();
	unlink(path);
	return done_testing();
}
