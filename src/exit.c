#include "exit.h"

#include <stddef.h>

const struct exit_info exit_infos[] = {
#define EXIT_CODE(id, number, words, when) {number, words, when},
	EXIT_CODES(EXIT_CODE)
#undef EXIT_CODE
	{0, NULL, NULL},
};

enum exit_code exit_of_err(enum err_code code)
{
	switch (code) {
	case ERR_OK:
		return EXIT_OK;
	case ERR_USAGE:
		return EXIT_USAGE;
	case ERR_IO:
	case ERR_FORMAT:
		return EXIT_CANNOT_READ;
	case ERR_DAMAGED:
		return EXIT_DAMAGED;
	case ERR_LIMIT:
	case ERR_MEMORY:
		return EXIT_NO_ROOM;
	case ERR_CANCELLED:
		return EXIT_INTERRUPTED;
	}
	return EXIT_CANNOT_READ;
}

enum exit_code exit_of_write(enum err_code code)
{
	return code == ERR_IO ? EXIT_CANNOT_WRITE : exit_of_err(code);
}
