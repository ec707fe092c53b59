#include "widgets.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/number.h"

enum err_code rank_word_check(const char *text, struct err *e)
{
	const char *digits = text + (*text == '^') + 1;
	size_t n;
	uint64_t number;

	if (toupper((unsigned char)text[*text == '^']) != 'P')
		return ERR_OK;
	digits += strspn(digits, " ");
	n = strspn(digits, "0123456789");
	if (isalnum((unsigned char)digits[n]) || digits[n] == '_' || !number_parse_whole(digits, n, &number) || !number)
		return ERR_OK;
	return err_set(e, ERR_USAGE, "P%" PRIu64 " is rank %" PRIu64 ": ranks count from 0", number, number - 1);
}
