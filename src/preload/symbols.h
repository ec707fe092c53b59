/* Names of functions by address: of static ones too, where libelf is there to read the symbol table of the file that
 * the function is from. It is looked for when the first name is asked for, so that the preloaded library depends on it
 * in no process.
 */
#ifndef PAS2P_SYMBOLS_H
#define PAS2P_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#define SYMBOL_MOST 512

/* "solve", "Grid::relax", or "0x1136 in heat" where no name is known. Any bytes but NUL may be in it. Returns the
 * length. */
size_t symbol_name(const void *address, char name[SYMBOL_MOST]);

/* Was there no libelf, and a name that it might have known? */
bool symbols_missed(void);

void symbols_release(void);

#endif
