/* OTF2 archives: files -> trace. Whatever the files are, they are refused with a sentence or make a trace that holds
 * together.
 *
 * libotf2 opens files itself, so the input is an archive in one piece, written to a folder in memory: for each file a
 * byte what it is (anchor, definitions, events, a location's definitions), one for the location, two for its length
 * (low byte first), and its bytes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/formats/api/load.h"
#include "fuzz.h"

#define LOCATIONS 16

static char folder[64];

static void file_name(char *path, size_t size, unsigned what, unsigned location)
{
	static const char *const endings[] = {"otf2", "def", "evt", "def"};

	if (what < 2)
		snprintf(path, size, "%s/traces.%s", folder, endings[what]);
	else
		snprintf(path, size, "%s/traces/%u.%s", folder, location, endings[what]);
}

static void make_folder(void)
{
	char inner[80];

	snprintf(folder, sizeof folder, "%s/pas2p-fuzz-otf2-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
	snprintf(inner, sizeof inner, "%s/traces", folder);
	mkdir(folder, 0700);
	must(mkdir(inner, 0700) == 0 || access(inner, W_OK) == 0, "a folder can be made");
}

static void remove_folder(void)
{
	char path[120];

	for (unsigned what = 0; what < 4; what++)
		for (unsigned location = 0; location < LOCATIONS; location++) {
			file_name(path, sizeof path, what, location);
			unlink(path);
		}
	snprintf(path, sizeof path, "%s/traces", folder);
	rmdir(path);
	rmdir(folder);
}

static void write_files(const uint8_t *bytes, size_t size)
{
	while (size >= 4) {
		size_t n = bytes[2] | (size_t)bytes[3] << 8;
		char path[120];
		FILE *out;

		file_name(path, sizeof path, bytes[0] & 3, bytes[1] % LOCATIONS);
		n = n < size - 4 ? n : size - 4;
		out = fopen(path, "wb");
		must(out && fwrite(bytes + 4, 1, n, out) == n && fclose(out) == 0, "a file can be written");
		bytes += 4 + n;
		size -= 4 + n;
	}
}

static void check_trace(const struct trace *t)
{
	must(t->first[t->process_count] == t->event_count, "all events are some process's");
	must(t->send_count + t->receive_count + t->collective_count == t->event_count, "each event is counted once");
	for (uint32_t i = 0; i < t->event_count; i++) {
		uint32_t kind = EVENT_KIND(t->type[i]), index = EVENT_INDEX(t->type[i]), m = t->match[i];

		must(isfinite(t->time[i]) && (isnan(t->compute[i]) || (isfinite(t->compute[i]) && t->compute[i] >= 0)), "times are times");
		must(trace_comm(t, i) < t->comm_count, "a communicator is one of those listed");
		must(kind != EVENT_NONE && (kind == EVENT_COLLECTIVE ? index < t->coll_count : index <= t->process_count), "a type is one");
		must(m == NO_EVENT || m < t->event_count, "the other end is an event");
	}
	for (uint32_t c = 0; c < t->comm_count; c++)
		for (uint32_t k = 0; k < t->comms[c].size; k++)
			must(t->comm_members[t->comms[c].members + k] < t->process_count, "a member is a process");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char anchor[120];
	const char *path = anchor;
	struct trace_options o = {.threads = 1};
	struct trace *t;
	struct err e = {0};
	enum err_code code;

	make_folder();
	write_files(bytes, size);
	file_name(anchor, sizeof anchor, 0, 0);
	code = trace_load(&t, &path, 1, &o, NULL, &e);
	if (code)
		must_be_sentence(code, &e);
	must(!code == !!t || code == ERR_DAMAGED, "there is a trace or a reason");
	if (t)
		check_trace(t);
	trace_free(t);
	remove_folder();
	return 0;
}
