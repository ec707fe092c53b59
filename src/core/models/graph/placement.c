#include "graph_int.h"

#include "core/base/mem.h"

enum err_code placement_init(struct placement *p, const struct machine *m, uint32_t processes, struct err *e)
{
	uint32_t node = 0, group = 0;
	uint64_t left_cores = 0, left_nodes = 0;
	bool single = !m || (m->group_count == 1 && m->nodes[0].count == 1 && !m->nodes[0].cores);

	*p = (struct placement){.process_count = processes, .node_count = 1};
	p->homes = mem_zero(processes, sizeof *p->homes);
	if (!p->homes)
		return err_memory(e, "where processes run");
	if (single)
		return ERR_OK;
	left_nodes = m->nodes[0].count;
	left_cores = m->nodes[0].cores ? m->nodes[0].cores : 1;
	for (uint32_t rank = 0; rank < processes; rank++) {
		if (!left_cores) {
			node++;
			if (!--left_nodes) {
				group++;
				if (group == m->group_count) {
					group = 0;
					node = 0;
				}
				left_nodes = m->nodes[group].count;
			}
			left_cores = m->nodes[group].cores ? m->nodes[group].cores : 1;
		}
		left_cores--;
		p->homes[rank] = (struct home){node, group};
		if (node >= p->node_count)
			p->node_count = node + 1;
	}
	return ERR_OK;
}

void placement_release(struct placement *p)
{
	mem_free(p->homes);
	*p = (struct placement){0};
}

struct interval placement_speed(const struct machine *m, uint32_t group)
{
	return m ? m->nodes[group].speed : interval_point(1);
}

uint64_t placement_cores(const struct machine *m, uint32_t group)
{
	return m ? m->nodes[group].cores : 0;
}

double *placement_shares(const struct placement *p, const struct machine *m)
{
	double *shares = mem_alloc(p->process_count, sizeof *shares), sum = 0;

	if (!shares)
		return NULL;
	for (uint32_t i = 0; i < p->process_count; i++)
		sum += shares[i] = interval_middle(placement_speed(m, p->homes[i].group));
	for (uint32_t i = 0; i < p->process_count; i++)
		shares[i] /= sum;
	return shares;
}
