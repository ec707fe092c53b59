/* TAP for the C tests: checks that print "ok" and "not ok" lines for prove.
 *
 *     int main(void)
 *     {
 *             is_int(add(1, 2), 3, "one and two");
 *             ok(p != NULL, "a list of %d", n);
 *             return done_testing();
 *     }
 *
 * Every check ends with a printf format that names what is checked, and returns whether it held, so that
 * what depends on it can be left out. A failed one says file, line, what was got and what was expected.
 */
#ifndef PAS2P_TAP_H
#define PAS2P_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ok(cond, ...) tap_ok(__FILE__, __LINE__, (cond) ? 1 : 0, __VA_ARGS__)
#define is_int(got, want, ...) tap_is_int(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
#define is_u64(got, want, ...) tap_is_u64(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
#define is_str(got, want, ...) tap_is_str(__FILE__, __LINE__, (got), (want), __VA_ARGS__) /* NULL is NULL only */
#define is_double(got, want, tol, ...) tap_is_double(__FILE__, __LINE__, (got), (want), (tol), __VA_ARGS__)
#define is_mem(got, want, size, ...) tap_is_mem(__FILE__, __LINE__, (got), (want), (size), __VA_ARGS__)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* How many of `all` random cases a test tries: a tenth of them under a sanitizer, where each takes several times as long and
 * what matters is that every path is taken. */
#define CASES(all) (SANITIZED ? (all) / 10 : (all))

void plan(int n);                 /* optional: done_testing() counts if there is none */
void skip(int n, const char *why, ...) __attribute__((format(printf, 2, 3)));
void diag(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void bail_out(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn)); /* ends the whole run */
int done_testing(void);           /* main's exit status */

#define TAP_CHECK(n) __attribute__((format(printf, n, n + 1)))
bool tap_ok(const char *file, int line, int cond, const char *fmt, ...) TAP_CHECK(4);
bool tap_is_int(const char *file, int line, long long got, long long want, const char *fmt, ...) TAP_CHECK(5);
bool tap_is_u64(const char *file, int line, uint64_t got, uint64_t want, const char *fmt, ...) TAP_CHECK(5);
bool tap_is_str(const char *file, int line, const char *got, const char *want, const char *fmt, ...) TAP_CHECK(5);
bool tap_is_double(const char *file, int line, double got, double want, double tol, const char *fmt, ...) TAP_CHECK(6);
bool tap_is_mem(const char *file, int line, const void *got, const void *want, size_t size, const char *fmt, ...)
	TAP_CHECK(6);

#endif
