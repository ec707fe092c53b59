/* Numbers as text, the same in every locale: 0.05 is 0.05 also where people write 0,05.
 *
 * Reading takes plain decimal numbers only: no blanks, no '+', no hexadecimal, no "inf" or "nan".
 */
#ifndef PAS2P_NUMBER_H
#define PAS2P_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_TEXT 32 /* room for any number_format() */

/* "-12", "0.5", ".5", "5e-2". False: not such a number, or too large for a double. `n` bytes are read. */
bool number_parse(const char *text, size_t n, double *v);

/* The same, times 10 to the power of `shift`, rounded once: "7.3" shifted by -2 is exactly 0.073. */
bool number_parse_shifted(const char *text, size_t n, int shift, double *v);

/* Digits only. False: something else, or more than UINT64_MAX. */
/* Bytes: a number, and K, M, G or T behind it for powers of 1024 ("256M", "1.5G"); not negative. */
bool number_parse_bytes(const char *text, size_t n, double *v);
bool number_parse_whole(const char *text, size_t n, uint64_t *v);

/* The fewest digits that read back to the same double; what is not finite becomes 0. An exponent always has
 * a sign and follows a fraction ("1.0e-06"), since YAML 1.1 readers take "1e-06" for a word. Returns the length. */
size_t number_format(double v, char buf[NUMBER_TEXT]);

/* With so many decimals, as for a screen. Returns the length, cut at size - 1. */
size_t number_fixed(double v, int decimals, char *buf, size_t size);

/* Digits of v. Returns the length. */
size_t number_whole(uint64_t v, char buf[NUMBER_TEXT]);

#endif
