/* Lines that people read are no wider than their screen, and a number is never torn from its unit or its thousands: "2"
 * at the end of a line and "038" on the next would be two numbers.
 */
#include <string.h>

#include "core/io/wrap.h"
#include "tap.h"

static void wraps(const char *text, size_t indent, size_t width, const char *want, const char *what)
{
	struct out o;

	out_init(&o);
	wrap_text(&o, text, indent, width);
	is_str(o.text, want, "%s", what);
	out_release(&o);
}

int main(void)
{
	wraps("one two three", 0, 80, "one two three\n", "a line that fits");
	wraps("one two three", 2, 8, "one two\n  three\n", "one that does not");
	wraps("a 1 x b", 2, 6, "a 1\n  x b\n", "a factor stays with its sign");
	wraps("takes 44 µs", 2, 9, "takes\n  44 µs\n", "a number with its unit");
	wraps("a longest-of-words b", 0, 8, "a\nlongest-of-words\nb\n", "a word that is too long has a line");
	wraps("label      text text", 11, 16, "label      text\n           text\n", "blanks in a line stay");
	wraps("about 44.0 % of it", 0, 9, "about\n44.0 % of\nit\n", "a unit stays with its number");
	wraps("took (1.5 s), then", 0, 8, "took\n(1.5 s),\nthen\n", "also before a comma");
	wraps("there are 2 038 of 1 000 000 here", 0, 12, "there are\n2 038 of\n1 000 000\nhere\n", "thousands stay together");
	wraps("2 12 1234 1", 0, 4, "2 12\n1234\n1\n", "numbers that are several do not");
	wraps("", 0, 80, "\n", "nothing is an empty line");
	is_int(wrap_columns("\xc3\xa4x\xe2\x96\x88", 6), 3, "characters take a column each");
	is_int(wrap_columns("\xc3\xa4x", 2), 1, "so many bytes of them");
	return done_testing();
}
