#include "cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/io/beside.h"
#include "core/io/shell_words.h"
#include "version.h"

#define NAME_LENGTH 15 /* the most that every PBS takes */
#define RESULT "result.yaml"

/* Where programs, the MPI's libraries and pas2p's own are found, and how many threads a rank has. */
static const char *const variables[] = {"PATH", "LD_LIBRARY_PATH", "OMP_NUM_THREADS", "PAS2P_LIBDIR", "PAS2P_CRIU"};

static uint32_t tasks_of_a_node(const struct job_script *s)
{
	return (s->tasks + s->nodes - 1) / s->nodes;
}

static void ask_slurm(const struct job_script *s, const char *name, struct out *o)
{
	out_printf(o, "#SBATCH --job-name=%s\n#SBATCH --nodes=%u\n#SBATCH --ntasks=%u\n", name, s->nodes, s->tasks);
	out_printf(o, "#SBATCH --ntasks-per-node=%u\n", tasks_of_a_node(s));
}

static void ask_pbs(const struct job_script *s, const char *name, struct out *o)
{
	out_printf(o, "#PBS -S /bin/bash\n#PBS -N %s\n#PBS -j oe\n", name);
	out_printf(o, "#PBS -l select=%u:ncpus=%u:mpiprocs=%u\n", s->nodes, tasks_of_a_node(s), tasks_of_a_node(s));
}

static const struct {
	const char *name, *submit;
	void (*ask)(const struct job_script *s, const char *name, struct out *o);
} kinds[] = {
	{"slurm", "sbatch", ask_slurm},
	{"pbs", "qsub", ask_pbs},
};

/* Batch systems take few characters in a job's name. */
static void name_job(const char *application, char name[NAME_LENGTH + 1])
{
	static const char taken[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
	size_t n = strlen("pas2p-");

	memcpy(name, "pas2p-", n);
	for (; *application && n < NAME_LENGTH; application++)
		name[n++] = *application;
	name[n] = '\0';
	for (char *p = name; *p; p++)
		if (!strchr(taken, *p))
			*p = '_';
}

static void put_variables(struct out *o)
{
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		const char *value = getenv(variables[i]);

		if (!value || !*value)
			continue;
		out_printf(o, "export %s=", variables[i]);
		shell_word(o, value);
		out_str(o, "\n");
	}
}

static bool is_said_otherwise(unsigned option)
{
	return option == OPTION_job_script || option == OPTION_nodes || option == OPTION_output ||
	       option == OPTION_control || option == OPTION_help || option == OPTION_version;
}

static void put_run(const struct job_script *s, const char *program, struct out *o)
{
	static const char *const formats[] = {"table", "csv", "json", "yaml"};
	char number[NUMBER_TEXT];
	const char *value;

	out_str(o, "exec ");
	shell_word(o, program);
	out_str(o, " run ");
	shell_word(o, s->options->files[0]);
	out_str(o, " -o \"${1:-" RESULT "}\"");
	if (s->control) {
		out_str(o, " --control ");
		shell_word(o, s->control);
	}
	if (s->options->format != FORMAT_TABLE)
		out_printf(o, " --format %s", formats[s->options->format]);
	for (unsigned i = 0; i < option_total(); i++) {
		if (is_said_otherwise(i) || !option_given(s->options, i, number, &value))
			continue;
		out_printf(o, " --%s", option_info(i).name);
		if (value) {
			out_str(o, " ");
			shell_word(o, value);
		}
	}
	if (s->options->words) {
		out_str(o, " -- ");
		shell_words(o, s->options->words);
	}
	out_str(o, "\n");
}

enum err_code job_script_write(const struct job_script *s, struct out *o, struct err *e)
{
	char program[PATH_MAX], name[NAME_LENGTH + 1];
	size_t k = 0;

	if (!beside_program(program))
		return err_set(e, ERR_USAGE, "cannot find the path of pas2p: is /proc missing?");
	while (k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k].name, s->kind) != 0)
		k++;
	if (k == sizeof kinds / sizeof kinds[0])
		return err_set(e, ERR_USAGE, "--script: unknown batch system");
	name_job(s->application, name);
	out_str(o, "#!/bin/bash\n");
	kinds[k].ask(s, name, o);
	out_printf(o, "# Printed by pas2p " PAS2P_VERSION ", for %s. The result is " RESULT " in the directory below, "
		   "or in the file of the script's first argument.\n", kinds[k].submit);
	put_variables(o);
	out_str(o, "cd ");
	shell_word(o, s->directory);
	out_str(o, " || exit 3\n");
	put_run(s, program, o);
	return o->failed ? err_memory(e, "the job script") : ERR_OK;
}
