/* The functions of the commands, declared by their rows in commands.def. */
#ifndef PAS2P_COMMAND_H
#define PAS2P_COMMAND_H

#include "exit.h"
#include "core/base/err.h"
#include "options.h"

struct batch;

/* All of a command: from the options to how the program ends. */
typedef enum exit_code command_run(const struct options *o);

/* For a command on a trace: is what was asked for possible at all, before anything is read? ERR_USAGE if not. */
typedef enum err_code batch_check(const struct options *o, struct err *e);

/* Print into b->sink. An error is one of reading or analysing; the sink keeps its own. */
typedef enum err_code batch_print(struct batch *b, struct err *e);

#define WORKBENCH_OPENS batch_print cmd_overview;
#define ON_TRACE(print, check, wants, notes) batch_print print; batch_check check;
#define ON_TRACE_LONG(print, check, wants, notes) ON_TRACE(print, check, wants, notes)
#define ON_TRACE_AS_SET(print, check, wants, notes) ON_TRACE(print, check, wants, notes)
#define ON_RUNS(print, check) batch_print print; batch_check check;
#define ON_RUNS_OR(print, check, start) batch_print print; batch_check check; command_run start;
#define OWN(function) command_run function;
#define COMMAND(id, name, operands, group, options, runs, help, brief) runs
#include "commands.def"

#endif
