/* pas2p version: what --version prints. */
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/version.h"

enum exit_code cmd_version(const struct options *o)
{
	if (o->file_count)
		return misused(o, "version takes no file");
	version_print(stdout);
	return printed();
}
