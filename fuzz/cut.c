/* Cuts a trace down to a seed of the corpus: cut IN OUT RECORDS BLOCK [SKIP]
 *
 * Kept are the communicators and clock records, the first RECORDS other records after SKIP of them, and the definitions
 * that they use.
 */
#include <stdio.h>
#include <stdlib.h>

#include "records.h"

static struct recs in, out;
static uint8_t bytes[1 << 23];

static bool used(uint32_t etype)
{
	for (size_t i = 0; i < out.n; i++) {
		uint32_t type = rec_type(&out, &out.list[i]);

		if ((type == 5 || type == 6) && rec_get32(&out, &out.list[i], out.header) == etype)
			return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	size_t n, kept = 0, skip = argc > 5 ? (size_t)atol(argv[5]) : 0, want = argc > 3 ? (size_t)atol(argv[3]) : 0;
	FILE *f = argc > 4 ? fopen(argv[1], "rb") : NULL;

	if (!f)
		return fprintf(stderr, "usage: cut IN OUT RECORDS BLOCK [SKIP]\n"), 2;
	n = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	if (!recs_parse(&in, bytes, n))
		return fprintf(stderr, "%s is no CLOG2 file\n", argv[1]), 3;
	out = in;
	out.n = 0;
	out.block_size = (uint32_t)atol(argv[4]);
	for (size_t i = 0; i < in.n; i++) {
		uint32_t type = rec_type(&in, &in.list[i]);

		if (type == 9 || type == 11 || type == 4) {
			out.list[out.n++] = in.list[i];
		} else if (type >= 5) {
			if (skip)
				skip--;
			else if (kept++ < want)
				out.list[out.n++] = in.list[i];
		}
	}
	for (size_t i = 0; i < in.n; i++) {
		uint32_t type = rec_type(&in, &in.list[i]), at = in.header + (type == 2 ? 4 : 0);

		if ((type == 2 || type == 3) && used(rec_get32(&in, &in.list[i], at)))
			out.list[out.n++] = in.list[i];
	}
	n = recs_write(&out, bytes, sizeof bytes);
	f = fopen(argv[2], "wb");
	if (!n || !f || fwrite(bytes, 1, n, f) != n || fclose(f))
		return fprintf(stderr, "%s cannot be written\n", argv[2]), 6;
	return 0;
}
