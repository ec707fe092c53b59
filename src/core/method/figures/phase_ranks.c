#include "figures.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"

struct shared_id {
	double share;
	uint32_t id;
};

ORDER_BY(by_share, struct shared_id, DOWN(share) UP(id))

enum err_code phase_ranks(uint32_t *order, const struct figures *f, struct err *e)
{
	struct shared_id *list = mem_alloc(f->count, sizeof *list);

	if (!list)
		return err_memory(e, "the phases");
	for (uint32_t i = 0; i < f->count; i++)
		list[i] = (struct shared_id){isnan(f->phase[i].share) ? 0 : f->phase[i].share, i + 1};
	SORT(list, f->count, by_share);
	for (uint32_t i = 0; i < f->count; i++)
		order[i] = list[i].id;
	mem_free(list);
	return ERR_OK;
}
