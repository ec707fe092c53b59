/* Names of functions by address: of static ones too, by the symbol table of the file that the function is from, unless
 * that is stripped. It is read when the first name is asked for. */
#ifndef PAS2P_SYMBOLS_H
#define PAS2P_SYMBOLS_H

#include <stddef.h>

#define SYMBOL_MOST 512

/* "solve", "Grid::relax", or "0x1136 in heat" where no name is known. Any bytes but NUL may be in it. Returns the
 * length. */
size_t symbol_name(const void *address, char name[SYMBOL_MOST]);

/* A file with functions for which symbol_name() knew no name, since it has no symbol table; NULL: there is none. */
const char *symbols_stripped(void);

void symbols_release(void);

#endif
