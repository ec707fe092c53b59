/* How waiting for resources counts (docs/explain/models-language.md, "Evaluation"): where things run at the same time,
 * or over the whole run alone. */
#ifndef PAS2P_CORE_MODELS_GRAPH_CONTENTION_H
#define PAS2P_CORE_MODELS_GRAPH_CONTENTION_H

enum contention { CONTENTION_NESTED, CONTENTION_WHOLE };

#endif
