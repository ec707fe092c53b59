#include "reports_int.h"

#include <stdio.h>
#include <string.h>

static bool other_trace(const struct result *a, const struct result *b)
{
	return strcmp(a->sha256, b->sha256) != 0;
}

static bool other_processes(const struct result *a, const struct result *b)
{
	return a->processes != b->processes;
}

static bool both_say_another(const char *a, const char *b)
{
	return *a && *b && strcmp(a, b) != 0;
}

static bool other_machine(const struct result *a, const struct result *b)
{
	return strcmp(a->host.name, b->host.name) != 0 || both_say_another(a->host.cpu, b->host.cpu);
}

/* Machines have other processors anyway; so many nodes are so many wherever they are. */
static bool other_mapping(const struct result *a, const struct result *b)
{
	if (a->host.nodes && b->host.nodes && a->host.nodes != b->host.nodes)
		return true;
	return !other_machine(a, b) && both_say_another(a->host.allowed, b->host.allowed);
}

static bool other_mpi(const struct result *a, const struct result *b)
{
	return both_say_another(a->host.mpi, b->host.mpi);
}

static bool other_mechanism(const struct result *a, const struct result *b)
{
	return strcmp(a->mechanism, b->mechanism) != 0;
}

bool compare_setting_differs(const struct result *a, const struct result *b, enum setting_id id)
{
	/* Results that say no settings say this one. */
	bool said = (a->has_settings && b->has_settings) || id == SETTING_phase_time;

	return said && !settings_same(&a->settings, &b->settings, id);
}

static bool other_settings(const struct result *a, const struct result *b)
{
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (compare_setting_differs(a, b, id))
			return true;
	return false;
}

/* Another trace or machine has another command anyway. */
static bool other_command(const struct result *a, const struct result *b)
{
	size_t i = 0;

	if (other_trace(a, b) || other_machine(a, b))
		return false;
	for (; a->command[i] && b->command[i]; i++)
		if (strcmp(a->command[i], b->command[i]) != 0)
			return true;
	return a->command[i] || b->command[i];
}

static const struct {
	enum compare_difference bit;
	const char *name;
	bool (*differ)(const struct result *a, const struct result *b);
} differences[] = {
	{COMPARE_TRACES, "traces", other_trace},
	{COMPARE_PROCESSES, "numbers of processes", other_processes},
	{COMPARE_MACHINES, "machines", other_machine},
	{COMPARE_MAPPINGS, "mappings", other_mapping},
	{COMPARE_MPIS, "MPI libraries", other_mpi},
	{COMPARE_MECHANISMS, "mechanisms", other_mechanism},
	{COMPARE_SETTINGS, "settings", other_settings},
	{COMPARE_COMMANDS, "launch commands", other_command},
};

#define DIFFERENCES (sizeof differences / sizeof *differences)

unsigned compare_differences(const struct result *results, uint32_t count)
{
	unsigned differs = 0;

	for (uint32_t i = 1; i < count; i++)
		for (uint32_t k = 0; k < i; k++)
			for (size_t d = 0; d < DIFFERENCES; d++)
				if (!(differs & differences[d].bit) && differences[d].differ(&results[i], &results[k]))
					differs |= differences[d].bit;
	return differs;
}

const char *compare_differences_text(char buf[COMPARE_DIFFERENCES_TEXT], unsigned differs, const char *before_last)
{
	size_t n = 0;

	buf[0] = '\0';
	for (size_t d = 0; d < DIFFERENCES; d++) {
		unsigned bit = differences[d].bit;
		const char *between = !n ? "" : differs & ~(2 * bit - 1) ? ", " : before_last;

		if (differs & bit)
			n += (size_t)snprintf(buf + n, COMPARE_DIFFERENCES_TEXT - n, "%s%s", between, differences[d].name);
	}
	return buf;
}
