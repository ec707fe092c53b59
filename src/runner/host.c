#include "host.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"

/* The value of the first line "key : value" of a file in /proc. False: there is none. */
static bool proc_line(const char *path, const char *key, char *value, size_t size)
{
	FILE *f = fopen(path, "re");
	char line[8192];
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f)) {
		size_t n = strlen(key);
		char *at = line + n;

		if (strncmp(line, key, n) != 0)
			continue;
		at += strspn(at, " \t");
		if (*at++ != ':')
			continue;
		at += strspn(at, " \t");
		at[strcspn(at, "\n")] = '\0';
		snprintf(value, size, "%s", at);
		found = true;
	}
	if (f)
		fclose(f);
	return found;
}

char *host_cpu_flags(void)
{
	char value[8192];
	char *flags;

	if (!proc_line("/proc/cpuinfo", "flags", value, sizeof value))
		return NULL;
	flags = mem_alloc(strlen(value) + 3, 1);
	if (flags)
		snprintf(flags, strlen(value) + 3, " %s ", value);
	return flags;
}

static uint64_t memory_line(const char *key)
{
	char value[64];
	unsigned long long kb;

	return proc_line("/proc/meminfo", key, value, sizeof value) && sscanf(value, "%llu", &kb) == 1 ? kb * 1024 : 0;
}

uint64_t host_memory_available(void)
{
	return memory_line("MemAvailable");
}

void cpus_allowed(struct nest_cpus *cpus)
{
	cpu_set_t set;

	*cpus = (struct nest_cpus){.given = true};
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return;
	for (unsigned i = 0; i < NEST_CPUS && i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			cpus->bits[i / 64] |= (uint64_t)1 << (i % 64);
}

void host_look(struct host *h, const struct nest_cpus *cpus)
{
	struct utsname u;
	struct nest_cpus own;
	char cpu[128] = "";
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	*h = (struct host){.cpus = online > 0 ? (uint32_t)online : 0, .memory = memory_line("MemTotal")};
	if (uname(&u) == 0) {
		text_safe(h->name, sizeof h->name, u.nodename, SIZE_MAX, TEXT_UTF8);
		text_safe(h->kernel, sizeof h->kernel, u.release, SIZE_MAX, TEXT_UTF8);
	}
	if (!proc_line("/proc/cpuinfo", "model name", cpu, sizeof cpu) && uname(&u) == 0)
		snprintf(cpu, sizeof cpu, "%s", u.machine);
	text_safe(h->cpu, sizeof h->cpu, cpu, SIZE_MAX, TEXT_UTF8);
	cpus_allowed(&own);
	cpus_format(cpus->given ? cpus : &own, h->allowed, sizeof h->allowed);
}

unsigned cpus_count(const struct nest_cpus *cpus)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NEST_CPUS / 64; i++)
		n += (unsigned)__builtin_popcountll(cpus->bits[i]);
	return n;
}

static bool cpus_have(const struct nest_cpus *cpus, unsigned i)
{
	return i < NEST_CPUS && (cpus->bits[i / 64] >> (i % 64) & 1);
}

enum err_code cpus_parse(struct nest_cpus *cpus, const char *text, struct err *e)
{
	const char *at = text;
	char safe[64];
	bool good = true;

	*cpus = (struct nest_cpus){.given = true};
	while (good) {
		unsigned first = 0, last;
		int n = 0;

		good = *at >= '0' && *at <= '9' && sscanf(at, "%4u%n", &first, &n) == 1;
		at += n;
		last = first;
		if (good && *at == '-') {
			n = 0;
			good = at[1] >= '0' && at[1] <= '9' && sscanf(at + 1, "%4u%n", &last, &n) == 1;
			at += n + 1;
		}
		good = good && first <= last && last < NEST_CPUS;
		for (; good && first <= last; first++)
			cpus->bits[first / 64] |= (uint64_t)1 << (first % 64);
		if (!good || *at != ',')
			break;
		at++;
	}
	if (good && !*at)
		return ERR_OK;
	text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_USAGE, "--cpus is '%s': expected processors such as 0 or 0-3,8, all below %d", safe,
		       NEST_CPUS);
}

void cpus_format(const struct nest_cpus *cpus, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < NEST_CPUS && used < size; i++) {
		unsigned first = i;

		if (!cpus_have(cpus, i))
			continue;
		while (cpus_have(cpus, i + 1))
			i++;
		used += (size_t)snprintf(buf + used, size - used, i > first ? "%s%u-%u" : "%s%u", used ? "," : "",
					 first, i);
	}
}
