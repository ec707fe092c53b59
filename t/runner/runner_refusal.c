/* What launchers print when they start nothing is recognised wherever it stands in a job's output, and the option that helps is named; nothing
 * else is taken for a refusal.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/launch.h"
#include "tap.h"

static void helps(const char *printed, const char *lacks, const char *option)
{
	char sentence[REFUSAL_TEXT] = "";

	ok(refusal_explain(printed, sentence) && strstr(sentence, lacks) && strstr(sentence, option), "%s: %s", option, sentence);
}

int main(void)
{
	char sentence[REFUSAL_TEXT], name[] = "/tmp/pas2p-refusal-XXXXXX";
	static const char printed[] = "-----\nThere are not enough slots available in the system to satisfy the 4\nslots that were requested by the application:\n";
	int fd;

	helps(printed, "not enough slots", "--oversubscribe, or start fewer processes (this machine has ");
	helps("some of the program's\nsrun: error: Unable to create step for job 7: More processors requested than permitted\n", "not enough processors",
	      "--overcommit");
	helps("srun: error: Unable to allocate resources: Requested node configuration is not available\n", "not enough processors", "--overcommit");
	helps("A request was made to bind to that would result in binding more\nprocesses than cpus on a resource:\n", "to bind them to", "--bind-to none");
	helps("mpirun has detected an attempt to run as root.\n", "refuses to run as root", "--allow-run-as-root");
	ok(!refusal_explain("", sentence), "nothing is none");
	ok(!refusal_explain("the program: out of slots\n", sentence), "nor is what a program says");

	fd = mkstemp(name);
	if (fd < 0 || write(fd, printed, sizeof printed - 1) != (ssize_t)sizeof printed - 1)
		bail_out("no file to write to");
	close(fd);
	ok(refusal_in_file(name, sentence) && strstr(sentence, "--oversubscribe"), "a file that has one");
	unlink(name);
	ok(!refusal_in_file(name, sentence) && !refusal_in_file("", sentence), "a file that is not there");
	return done_testing();
}
