/* `pas2p check` names the event of a warning by process and number. A warning of the logical order counts the events
 * that were ordered: where collectives are ignored, those without them. Its number is the one in the warning's own
 * sentence and in `pas2p events`, never that of another event of the whole trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen_run.h"
#include "tap.h"

/* The first line of a command's output with this in it. */
static bool line_of(const char *path, const char *options, const char *part, char *line, int size)
{
	const char *program = getenv("PAS2P");
	char command[1024];
	bool found = false;
	FILE *f;

	snprintf(command, sizeof command, "'%s' --no-config %s %s 2>/dev/null", program ? program : "build/pas2p", options, path);
	f = popen(command, "r");
	if (!f)
		bail_out("no shell");
	while (!found && fgets(line, size, f))
		found = strstr(line, part) != NULL;
	while (getc(f) != EOF)
		;
	pclose(f);
	return found;
}

static void check_numbers(const char *path, const char *collectives)
{
	char options[128], line[1024], row[64];
	unsigned rank = 0, event = 0, number = 0;
	const char *text;

	snprintf(options, sizeof options, "check --format csv --collectives %s", collectives);
	if (!ok(line_of(path, options, ",broken-relation,", line, sizeof line), "collectives %s: a cycle is broken", collectives))
		return;
	is_int(sscanf(line, "warning,broken-relation,1,,,,%u,%u,", &rank, &event), 2, "process and event: %s", line);
	text = strstr(line, " number ");
	is_int(text ? sscanf(text, " number %u waits", &number) : 0, 1, "the sentence has the number, too");
	is_u64(event, number, "collectives %s: and it is the same", collectives);
	snprintf(options, sizeof options, "check --collectives %s", collectives);
	snprintf(row, sizeof row, "rank %u, event %u:", rank, number);
	ok(line_of(path, options, row, line, sizeof line), "collectives %s: for people as well: %s", collectives, line);
	snprintf(options, sizeof options, "events --format csv --collectives %s", collectives);
	snprintf(row, sizeof row, "%u,%u,receive,", rank, number);
	ok(line_of(path, options, row, line, sizeof line), "collectives %s: it is the receive that events lists so", collectives);
}

int main(void)
{
	struct gen_run r = {.processes = 4, .rounds = 9, .at = 2, .fault = GEN_CYCLE, .id = 9};
	struct gen_bytes b = gen_run_finalized(&r);
	char path[] = "/tmp/pas2p-test.XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, b.bytes, b.size) != (ssize_t)b.size || close(fd))
		bail_out("no room for a file");
	free(b.bytes);
	check_numbers(path, "events");
	check_numbers(path, "ignore");
	unlink(path);
	return done_testing();
}
