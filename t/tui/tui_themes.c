/* Every colour is seen on a dark and on a light ground: what is drawn in one differs enough in lightness from either,
 * with 256 colours and with the 16 of a usual terminal. (Of 8 there is no choice.) And what is reversed is the same the
 * other way round. */
#include <math.h>

#include "tap.h"
#include "tui/screen/theme.h"

#define LEAST 2.0 /* ratio of lightness, as the guidelines for web pages count it */

static double part(uint32_t rgb, int shift)
{
	double v = (double)(rgb >> shift & 255) / 255;

	return v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double lightness(uint32_t rgb)
{
	return 0.2126 * part(rgb, 16) + 0.7152 * part(rgb, 8) + 0.0722 * part(rgb, 0);
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = lightness(a) + 0.05, y = lightness(b) + 0.05;

	return x > y ? x / y : y / x;
}

int main(void)
{
	static const enum palette palettes[] = {PALETTE_256, PALETTE_16};
	int pale = 0, turned = 0;

	ok(fabs(contrast(0, 0xffffff) - 21) < 1e-9, "white on black is as much as there is");
	for (int k = 0; k < 2; k++)
		for (int light = 0; light < 2; light++)
			for (int r = 0; r < ROLE_COUNT; r++) {
				struct shade s = theme_shade(palettes[k], light, (enum role)r, 0);
				struct shade other = theme_shade(palettes[k], light, (enum role)r, ATTR_CURSOR);

				if (contrast(s.fg, s.bg) < LEAST) {
					pale++;
					diag("role %d, %s ground: #%06x on #%06x", r, light ? "light" : "dark", (unsigned)s.fg, (unsigned)s.bg);
				}
				turned += other.fg == s.bg && other.bg == s.fg && other.bold;
			}
	is_int(pale, 0, "every role is seen on either ground");
	is_int(turned, 4 * ROLE_COUNT, "the cursor's cell is its role the other way round");
	for (int light = 0; light < 2; light++) {
		struct shade plain = theme_shade(PALETTE_MONO, light, ROLE_DEFAULT, 0), phase = theme_shade(PALETTE_MONO, light, ROLE_PHASE_4, 0);

		ok(plain.fg == phase.fg && plain.bg == theme_ground(light) && !phase.filled, "without colours all is in one");
	}
	return done_testing();
}
