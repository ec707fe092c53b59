/* No command writes over what it reads (core/formats/inputs.h): its operands, what options of the type INPUT name,
 * config files, and what the words behind "--" name. */
#ifndef PAS2P_OWN_INPUTS_H
#define PAS2P_OWN_INPUTS_H

#include "options.h"

/* ERR_USAGE: what an option of the type OUTPUT names is one of those. Asked before any command runs. */
enum err_code own_inputs_refuse(const struct options *o, struct err *e);

/* The same of files that turned out to be read only when others had been. */
enum err_code own_inputs_refuse_more(const struct options *o, const char *const *paths, uint32_t count, struct err *e);

#endif
