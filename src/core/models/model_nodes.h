/* A program's nodes out of YAML (docs/models.md 6): what model_read.c reads the lists of blocks and programs with. */
#ifndef PAS2P_MODEL_NODES_H
#define PAS2P_MODEL_NODES_H

#include "program_model.h"
#include "model_document.h"

/* A list of nodes, or a single one, as a chain. */
enum err_code nodes_read(const struct model_document *d, const struct yaml_node *list, struct model_node **first);

#endif
