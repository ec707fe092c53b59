/* The workbench asks another process of the program this installation, so that nothing which that starts or meets can end
 * the workbench. Programs of trial are asked here: one that says what pas2p doctor says, one that fails, one that says
 * something else or too much, one that does not end and is stopped, and one that is not there. Each is an error with a
 * sentence, none is left running, and memory may run out anywhere.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "tui/jobs/jobs.h"
#include "tap.h"

#define FOUND "echo '- {check: mpi, state: ok, needed: false, text: \"one, two\", mend: null}'\n" \
	"echo '- {check: scratch, state: missing, needed: true, text: nothing there, mend: \"export TMPDIR=FOLDER\"}'\n" \
	"echo '- {check: clock, state: note, needed: false, text: slow, mend: null}'\n"

static char folder[64], program[96], mark[96];

static const char *write_program(const char *text)
{
	FILE *f = fopen(program, "w");

	if (!f || fprintf(f, "#!/bin/sh\n%s", text) < 0 || fclose(f) != 0 || chmod(program, 0700) != 0)
		bail_out("%s cannot be written", program);
	return program;
}

static void fails(const char *path, const struct progress *progress, enum err_code want, const char *sentence)
{
	struct doctor_found found;
	struct err e = {0};

	is_int(doctor_run(path, &found, progress, &e), want, "an error: %s", sentence);
	if (!ok(strstr(e.text, sentence) != NULL, "it says so"))
		diag("got: %s", e.text);
	is_u64(found.count, 0, "nothing is found");
	doctor_found_release(&found);
}

static void test_found(void)
{
	struct doctor_found found;
	struct err e = {0};

	is_int(doctor_run(write_program("[ \"$*\" = 'doctor --quiet --format yaml' ] || exit 3\n" FOUND "exit 1\n"), &found, NULL, &e), ERR_OK,
	       "findings, though something needed is missing");
	if (is_u64(found.count, 3, "each of them")) {
		is_str(found.rows[0].check, "mpi", "its check");
		is_str(found.rows[0].text, "one, two", "its sentence");
		is_str(found.rows[0].mend, "", "nothing to be mended");
		is_int(found.rows[0].state, DOCTOR_OK, "its state");
		ok(!found.rows[0].needed, "not needed");
		is_int(found.rows[1].state, DOCTOR_MISSING, "missing");
		ok(found.rows[1].needed, "needed");
		is_str(found.rows[1].mend, "export TMPDIR=FOLDER", "what mends it");
		is_int(found.rows[2].state, DOCTOR_NOTE, "a note");
	}
	doctor_found_release(&found);
}

/* It ends when the program has begun, as the mark says. */
static bool once_begun(void *arg)
{
	(void)arg;
	return access(mark, F_OK) == 0;
}

static void test_stopped(void)
{
	const struct progress stop = {.stopped = once_begun};
	char text[400];
	long pid = 0;
	FILE *f;

	snprintf(text, sizeof text, "echo $$ >%s.new; mv %s.new %s; exec sleep 600\n", mark, mark, mark);
	fails(write_program(text), &stop, ERR_CANCELLED, "interrupted");
	f = fopen(mark, "r");
	ok(f && fscanf(f, "%ld", &pid) == 1 && pid > 1, "the program ran");
	if (f)
		fclose(f);
	ok(pid > 1 && kill((pid_t)pid, 0) != 0 && errno == ESRCH, "and is gone");
}

static void test_memory(void)
{
	struct doctor_found found;
	struct err e = {0};
	enum err_code code = ERR_MEMORY;
	int n = 0, others = 0;

	write_program(FOUND);
	for (; code && n < 1000; n++) {
		mem_fail_after(n);
		code = doctor_run(program, &found, NULL, &e);
		mem_fail_after(-1);
		others += code && code != ERR_MEMORY;
		doctor_found_release(&found);
	}
	ok(n > 3 && !code, "with memory enough there are findings");
	is_int(others, 0, "and before that an error of memory");
}

int main(void)
{
	snprintf(folder, sizeof folder, "/tmp/pas2p-doctor-run.XXXXXX");
	if (!mkdtemp(folder))
		bail_out("no temporary folder");
	snprintf(program, sizeof program, "%s/doctor", folder);
	snprintf(mark, sizeof mark, "%s/mark", folder);

	test_found();
	fails(write_program("echo 'it has \033[31mfailed' >&2; exit 3\n"), NULL, ERR_IO, "pas2p doctor failed: it has \xEF\xBF\xBD[31mfailed");
	fails(write_program("kill -9 $$\n"), NULL, ERR_IO, "pas2p doctor failed: it ended with signal 9");
	fails(write_program("exit 127\n"), NULL, ERR_IO, "pas2p doctor failed: it ended with exit status 127");
	fails(write_program("echo 'check: [\n'\n"), NULL, ERR_FORMAT, "doctor: line ");
	fails(write_program("echo 'check: mpi'\n"), NULL, ERR_FORMAT, "printed nothing");
	fails(write_program(":\n"), NULL, ERR_FORMAT, "printed nothing");
	fails(write_program("while echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; do :; done\n"), NULL, ERR_IO,
	      "failed: yyy");
	fails("/nowhere/at/all", NULL, ERR_IO, "cannot start pas2p doctor: No such file");
	test_stopped();
	test_memory();

	remove(mark);
	remove(program);
	remove(folder);
	return done_testing();
}
