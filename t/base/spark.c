/* A sparkline is the same in a page of text as in the workbench, on an ASCII screen too: both are of one table's
 * characters.
 */
#include <math.h>

#include "core/base/spark.h"
#include "tap.h"

/* What the workbench folds a block to. */
static char folded(uint32_t c)
{
	static const struct { uint32_t code; char ascii; } folds[] = {
#define GLYPH(id, code, ascii) {code, ascii},
#include "tui/screen/glyphs.def"
	};

	for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
		if (folds[i].code == c)
			return folds[i].ascii;
	return (char)c;
}

int main(void)
{
	double values[] = {0, 1, 2, 3, 4, 5, 6, 7, (double)NAN};
	const double none[] = {(double)NAN, 0};
	char blocks[64], ascii[16];
	const char *at = blocks;
	uint32_t c;
	bool same = true;

	spark_text(values, 9, TEXT_UTF8, blocks, sizeof blocks);
	is_str(blocks, "▁▂▃▄▅▆▇█ ", "from nothing to the most, and what is not known");
	spark_text(values, 9, TEXT_ASCII, ascii, sizeof ascii);
	for (int i = 0; i < 9; i++) {
		at += text_decode(at, 4, &c);
		same = same && folded(c) == ascii[i];
	}
	ok(same, "in ASCII as the workbench draws it");
	spark_text(none, 2, TEXT_UTF8, blocks, sizeof blocks);
	is_str(blocks, " ▁", "nothing above 0: what is known is seen");
	spark_text(values, 9, TEXT_UTF8, blocks, 8);
	is_str(blocks, "▁▂", "no more than there is room");
	is_int(spark_eighths(0.5, 1), 4, "half of it");
	return done_testing();
}
