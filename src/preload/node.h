/* The node that this process runs on: which other processes are there, the processors that all of them may use
 * together, and how long this one has waited for a processor. In the trace it is an event PAS2P_processors, at the
 * start and at the end of each process (docs/tracer.md); nothing is asked in between. */
#ifndef PAS2P_NODE_H
#define PAS2P_NODE_H

/* Collective over the tracer's communicator. Without memory nothing is known, and nothing logged. */
void node_start(void);
void node_log_start(void);
void node_log_end(void);

#endif
