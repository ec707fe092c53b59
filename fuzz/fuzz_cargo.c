/* Cargo: 32 bytes by a format that the trace gives. Input: the bytes, then the format. */
#include <stdlib.h>
#include <string.h>

#include "core/formats/clog2/clog2_int.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct cargo_field fields[CARGO_FIELDS];
	uint8_t *cargo = calloc(32, 1); /* on the heap, to see a read past its end */
	char *format;
	size_t n = size < 32 ? size : 32, count;
	bool whole;

	if (n)
		memcpy(cargo, bytes, n);
	format = calloc(size - n + 1, 1);
	if (size > n)
		memcpy(format, bytes + n, size - n);
	count = cargo_decode(format, cargo, fields, &whole);
	must(count <= CARGO_FIELDS, "no more fields than there is room for");
	for (size_t i = 0; i < count; i++) {
		must(fields[i].offset <= 32, "a field lies in the cargo");
		must(memchr(fields[i].label, 0, sizeof fields[i].label) != NULL, "a label ends");
		must(memchr(fields[i].text, 0, sizeof fields[i].text) != NULL, "a text ends");
		must(strchr("shdxlXeE", fields[i].token) && fields[i].token, "a token is a known one");
	}
	free(format);
	free(cargo);
	return 0;
}
