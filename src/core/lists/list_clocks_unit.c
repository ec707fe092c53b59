#include "list_clocks_unit.h"

#include <math.h>
#include <string.h>

static struct cell known(double v)
{
	return isfinite(v) ? cell_real(v) : cell_empty();
}

/* The unit's look at the clock that was measured. */
static const struct clock_local *local(const struct clock_measured *m, uint32_t row)
{
	static const struct clock_local none = {"", NAN, NAN, NAN};
	const struct clock_unit *unit = &m->unit[row];
	const char *name = !strcmp(m->clock, "tsc") ? "tsc" : !strcmp(m->clock, "mpi") ? "MPI_Wtime" : "clock_gettime";

	for (uint32_t i = 0; i < unit->local_count; i++)
		if (strcmp(unit->local[i].name, name) == 0)
			return &unit->local[i];
	return &none;
}

#define LIST clocks_units
#define LIST_NAME "clocks-units"
#define LIST_OF struct clock_measured
#define LIST_DEF "core/lists/list_clocks_unit.def"
#include "core/table/list.inc"
