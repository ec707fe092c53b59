/* Cargo is 32 bytes that only the definition's format string explains. Fields must come out as MPE's packer put
 * them in (big-endian, unaligned), a format that asks for more than there is must give what came before and say so,
 * and no bytes or format may make the decoder look behind the 32. */
#include "core/formats/clog2/clog2_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/clog2/clog2.h"
#include "tap.h"

static uint8_t bytes[32];
static struct cargo_field f[CARGO_FIELDS];
static bool whole;

static void numbers(void)
{
	unsigned at = clog2_pack_f64(bytes, 1.25);

	at += clog2_pack_i32(bytes + at, -3);
	at += clog2_pack_i64(bytes + at, INT64_MIN);
	clog2_pack_i32(bytes + at, 0x3F000000); /* 0.5 as a single, 0x3f00 as its first half */
	is_u64(cargo_decode("cpu=%E, n = %d calls: %l half %e", bytes, f, &whole), 4, "four fields");
	ok(whole, "the format was followed to its end");
	is_str(f[0].label, "cpu", "a label loses its equals sign");
	is_double(f[0].d, 1.25, 0, "a double");
	is_str(f[1].label, "n", "a label loses the comma before it");
	is_int(f[1].i, -3, "a negative int");
	is_int(f[1].offset, 8, "behind the double");
	is_str(f[2].label, "calls", "a label loses its colon");
	ok(f[2].i == INT64_MIN, "the least long");
	is_str(f[3].label, "half", "a label without a sign");
	is_double(f[3].d, 0.5, 0, "a float");
	is_u64(cargo_decode("%E%x%X%h", bytes, f, &whole), 4, "fields without labels");
	ok(f[1].type == CARGO_HEX && f[1].i == 0xFFFFFFFD && f[2].type == CARGO_HEX && f[3].i == 0x3F00, "hex and short");
}

static void texts(void)
{
	memset(bytes, 0xEE, sizeof bytes);
	memcpy(bytes, "\0\5hello\0\0\xFF\xFE", 11);
	is_u64(cargo_decode("%s|%s|%h", bytes, f, &whole), 3, "texts and a short");
	ok(whole && !strcmp(f[0].text, "hello") && !*f[1].text && f[2].i == -2, "their values");
	is_u64(f[2].offset, 9, "an empty text takes its length's two bytes");
	memcpy(bytes, "\0\x1E", 2);
	ok(cargo_decode("%s", bytes, f, &whole) == 1 && whole && f[0].i == 30, "a text that fills the cargo");
	memcpy(bytes, "\0\x1F", 2);
	ok(!cargo_decode("%s", bytes, f, &whole) && !whole, "a text that is longer than the cargo");
	memcpy(bytes, "\xFF\xFF", 2);
	ok(!cargo_decode("%s", bytes, f, &whole) && !whole, "a text of negative length");
}

static void malformed(void)
{
	static const char *const texts[] = {"%", "n=%d %", "n=%d %q", "n=%d %%", "n=%d %4d", "n=%d %E%E%E%E"};

	memset(bytes, 0, sizeof bytes);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		size_t n = cargo_decode(texts[i], bytes, f, &whole);

		ok(!whole && n == (i == 0 ? 0u : i == 5 ? 4u : 1u), "\"%s\" is followed as far as it makes sense", texts[i]);
	}
	is_u64(cargo_decode("%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h", bytes, f, &whole), 16, "sixteen shorts fill the cargo");
	ok(whole, "exactly");
	is_u64(cargo_decode("%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h", bytes, f, &whole), 16, "there is no seventeenth");
	ok(!whole, "which the decoder says");
	is_u64(cargo_decode("", bytes, f, &whole), 0, "an empty format has no fields");
	is_u64(cargo_decode("just text", bytes, f, &whole), 0, "nor has plain text");
	ok(whole, "which is not malformed");
}

/* The 32 bytes end where malloc's end: a look behind them is seen by the sanitizers. */
static void any_bytes(void)
{
	static const char tokens[] = "shdxlXeE%q= ,:";
	uint8_t *tight = malloc(32);
	uint32_t seed = 1;
	unsigned wrong = 0;

	for (int i = 0; tight && i < 20000; i++) {
		char format[41];

		for (int k = 0; k < 40; k++) {
			seed = seed * 1664525 + 1013904223;
			format[k] = (seed >> 16) % 2 ? '%' : tokens[(seed >> 20) % (sizeof tokens - 1)];
			tight[k % 32] = (seed >> 12) % 4 ? 0 : (uint8_t)(seed >> 24);
		}
		format[40] = '\0';
		for (size_t k = 0, n = cargo_decode(format, tight, f, &whole); k < n; k++)
			wrong += f[k].offset >= 32 || (f[k].type == CARGO_TEXT && f[k].offset + 2 + (unsigned)f[k].i > 32);
	}
	free(tight);
	is_int(wrong, 0, "20000 random texts and cargos stay inside the 32 bytes");
}

int main(void)
{
	numbers();
	texts();
	malformed();
	any_bytes();
	return done_testing();
}
