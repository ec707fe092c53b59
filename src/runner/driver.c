#include "driver.h"

#include <string.h>

const struct driver_ops *const drivers[] = {&driver_criu, &driver_replay, NULL};

const struct driver_ops *driver_find(const char *name)
{
	for (int i = 0; drivers[i]; i++)
		if (strcmp(drivers[i]->name, name) == 0 || strcmp(drivers[i]->shown, name) == 0)
			return drivers[i];
	return NULL;
}

const struct driver_ops *driver_pick(const struct mission *m)
{
	int i = 0;

	for (; drivers[i + 1]; i++) {
		struct err e;

		if (!drivers[i]->probe || drivers[i]->probe(m->progress, &e) == ERR_OK)
			break;
		mission_say(m, "%s does not work here: %s", drivers[i]->shown, e.text);
	}
	return drivers[i];
}
