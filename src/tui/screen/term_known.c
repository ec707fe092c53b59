#include "screen.h"

#include <stddef.h>
#include <unistd.h>

/* Last, for their names are common ones. */
#include <curses.h>
#include <term.h>

bool term_known(const char *name, int *colours)
{
	int found = 0;
	const char *place;

	*colours = 0;
	if (setupterm(name, STDOUT_FILENO, &found) != OK || found != 1)
		return false;
	*colours = tigetnum("colors") > 0 ? tigetnum("colors") : 0;
	place = tigetstr("cup");
	del_curterm(cur_term);
	return place && place != (const char *)-1;
}
