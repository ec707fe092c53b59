#include "remembered.h"

#include <stdlib.h>

#define SPREAD_MOST (1u << 24)

uint32_t remembered_whole(const struct yaml_node *map, const char *key)
{
	const struct yaml_node *n = yaml_get(map, key);

	return n && n->kind == YAML_SCALAR ? (uint32_t)strtoul(n->text, NULL, 10) : 0;
}

double remembered_real(const struct yaml_node *map, const char *key)
{
	const struct yaml_node *n = yaml_get(map, key);
	double v = n && n->kind == YAML_SCALAR ? strtod(n->text, NULL) : 0;

	return v > 0 && v < 1e18 ? v : 0;
}

uint32_t remembered_spread(const struct yaml_node *map, const char *key)
{
	uint32_t spread = remembered_whole(map, key);

	return spread <= SPREAD_MOST && !(spread & (spread - 1)) ? spread : 0;
}
