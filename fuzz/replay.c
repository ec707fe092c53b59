/* Runs a fuzz target once over each file given: the corpus as a test, and findings under a debugger. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

static int replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = malloc(1 << 22);
	size_t n = f && bytes ? fread(bytes, 1, 1 << 22, f) : 0;
	uint8_t *exact = malloc(n ? n : 1); /* so that a read past the end is one past an allocation */

	if (!f || !bytes || !exact) {
		fprintf(stderr, "%s cannot be read\n", path);
		return 1;
	}
	for (size_t i = 0; i < n; i++)
		exact[i] = bytes[i];
	fclose(f);
	free(bytes);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	printf("%d\n", argc - 1);
	return failed;
}
