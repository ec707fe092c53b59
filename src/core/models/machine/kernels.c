#include "machine_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"

/* The compiler has to take it that the variable is read and changed here, in its register. So it neither joins nor
 * moves nor drops what is before, and adds no instruction. */
#define KEEP_int(x) __asm__ volatile("" : "+r"(x))
#define KEEP_long KEEP_int
#if defined __x86_64__
#define KEEP_float(x) __asm__ volatile("" : "+x"(x))
#elif defined __aarch64__
#define KEEP_float(x) __asm__ volatile("" : "+w"(x))
#elif defined __powerpc64__
#define KEEP_float(x) __asm__ volatile("" : "+d"(x))
#elif defined __riscv
#define KEEP_float(x) __asm__ volatile("" : "+f"(x))
#else
#define KEEP_float(x) __asm__ volatile("" : "+m"(x))
#endif
#define KEEP_double KEEP_float

/* Whole numbers wrap without a word, as the machine's do. */
typedef uint32_t wrap_int;
typedef uint64_t wrap_long;
typedef float wrap_float;
typedef double wrap_double;
typedef int32_t type_int;
typedef int64_t type_long;
typedef float type_float;
typedef double type_double;

#define EACH(M, T) M(T, 0) M(T, 1) M(T, 2) M(T, 3) M(T, 4) M(T, 5) M(T, 6) M(T, 7)
#define DECLARE(T, i) x##i = start,
#define KEEP_ONE(T, i) KEEP_##T(x##i);

/* The four loops of an operation. X is the type of the chains, as named in KEEP_. DO(T, x, i): one operation of type T
 * on x, number i of eight chains, then EVEN(T, x), what it takes besides; the shorter loop has that as often as the
 * longer one. SET: the constants that they use. */
#define KERNELS(name, T, X, FIRST, SET, DO, EVEN) \
	static void name##_dependent_short(uint64_t n) \
	{ \
		type_##X x0 = FIRST; \
		SET(T) \
		KEEP_##X(x0); \
		for (; n; n--) { \
			DO(T, x0, 0) DO(T, x0, 1) DO(T, x0, 2) DO(T, x0, 3) DO(T, x0, 4) DO(T, x0, 5) DO(T, x0, 6) DO(T, x0, 7) \
			EVEN(T, x0) EVEN(T, x0) EVEN(T, x0) EVEN(T, x0) EVEN(T, x0) EVEN(T, x0) EVEN(T, x0) EVEN(T, x0) \
		} \
		KEEP_##X(x0); \
	} \
	static void name##_dependent_long(uint64_t n) \
	{ \
		type_##X x0 = FIRST; \
		SET(T) \
		KEEP_##X(x0); \
		for (; n; n--) { \
			DO(T, x0, 0) DO(T, x0, 1) DO(T, x0, 2) DO(T, x0, 3) DO(T, x0, 4) DO(T, x0, 5) DO(T, x0, 6) DO(T, x0, 7) \
			DO(T, x0, 0) DO(T, x0, 1) DO(T, x0, 2) DO(T, x0, 3) DO(T, x0, 4) DO(T, x0, 5) DO(T, x0, 6) DO(T, x0, 7) \
		} \
		KEEP_##X(x0); \
	} \
	static void name##_independent_short(uint64_t n) \
	{ \
		type_##X x0 = FIRST, x1 = FIRST, x2 = FIRST, x3 = FIRST, x4 = FIRST, x5 = FIRST, x6 = FIRST, x7 = FIRST; \
		SET(T) \
		EACH(KEEP_ONE, X) \
		for (; n; n--) { \
			DO(T, x0, 0) DO(T, x1, 1) DO(T, x2, 2) DO(T, x3, 3) DO(T, x4, 4) DO(T, x5, 5) DO(T, x6, 6) DO(T, x7, 7) \
			EVEN(T, x0) EVEN(T, x1) EVEN(T, x2) EVEN(T, x3) EVEN(T, x4) EVEN(T, x5) EVEN(T, x6) EVEN(T, x7) \
		} \
		EACH(KEEP_ONE, X) \
	} \
	static void name##_independent_long(uint64_t n) \
	{ \
		type_##X x0 = FIRST, x1 = FIRST, x2 = FIRST, x3 = FIRST, x4 = FIRST, x5 = FIRST, x6 = FIRST, x7 = FIRST; \
		SET(T) \
		EACH(KEEP_ONE, X) \
		for (; n; n--) { \
			DO(T, x0, 0) DO(T, x1, 1) DO(T, x2, 2) DO(T, x3, 3) DO(T, x4, 4) DO(T, x5, 5) DO(T, x6, 6) DO(T, x7, 7) \
			DO(T, x0, 0) DO(T, x1, 1) DO(T, x2, 2) DO(T, x3, 3) DO(T, x4, 4) DO(T, x5, 5) DO(T, x6, 6) DO(T, x7, 7) \
		} \
		EACH(KEEP_ONE, X) \
	}

#define NOTHING(T, x)
#define CONSTANT(T, c, value) type_##T c = value; KEEP_##T(c);

#define ONE(T) CONSTANT(T, y, 1)
#define DO_SUM(T, x, i) x = (type_##T)((wrap_##T)x + (wrap_##T)y); KEEP_##T(x);
#define DO_SUB(T, x, i) x = (type_##T)((wrap_##T)x - (wrap_##T)y); KEEP_##T(x);
#define DO_MPY(T, x, i) x = (type_##T)((wrap_##T)x * (wrap_##T)y); KEEP_##T(x);

/* The square of where the chain is, divided by that, is where it was: operands stay as large as they are. */
#define SQUARE(T) CONSTANT(T, c, FIRST_##T * FIRST_##T)
#define DO_DIV(T, x, i) x = c / x; KEEP_##T(x);
#define FIRST_int 46337
#define FIRST_long INT64_C(2147483629)
#define FIRST_float 1.4142135f
#define FIRST_double 1.4142135623730951

/* A remainder is smaller than what it is of, and is brought back by a sum; the sums are in the shorter loop, too. */
#define REST_int(c, x) ((c) % (x))
#define REST_long(c, x) ((c) % (x))
#define REST_float(c, x) fmodf(c, x)
#define REST_double(c, x) fmod(c, x)
#define LARGE_int 2147000003
#define LARGE_long INT64_C(4611686018000000003)
#define LARGE_float 12345.67f
#define LARGE_double 123456789.5
#define MODULO(T) CONSTANT(T, c, LARGE_##T) CONSTANT(T, back, FIRST_##T - REST_##T(c, FIRST_##T)) CONSTANT(T, nothing, 0)
#define DO_MOD(T, x, i) x = REST_##T(c, x); KEEP_##T(x); x += back; KEEP_##T(x);
#define EVEN_MOD(T, x) x += nothing; KEEP_##T(x);

#define CHOICE(T) CONSTANT(T, y, 7) CONSTANT(T, z, 3)
#define DO_COMPARE(T, x, i) x = x < y ? y : z; KEEP_##T(x);

#define CELLS(T) volatile type_##T cell[8];
#define DO_ASSIGN(T, x, i) cell[i] = x; x = cell[i]; KEEP_##T(x);

/* A ring of indices; as bits of a real number they go through one of its registers. */
static const uint32_t ring_32[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0};
static const uint64_t ring_64[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0};
#define RING_int ring_32
#define RING_long ring_64
#define RING_float ring_32
#define RING_double ring_64
#define TABLE(T) __typeof__(&RING_##T[0]) ring = RING_##T; KEEP_long(ring);
#define DO_ACCESS(T, x, i) \
	{ \
		type_##T value; \
		__typeof__(RING_##T[0] + 0) bits; \
\
		memcpy(&value, ring + x, sizeof value); \
		KEEP_##T(value); \
		memcpy(&bits, &value, sizeof bits); \
		x = (type_long)bits; \
		KEEP_long(x); \
	}

__attribute__((noinline)) static int32_t called(int32_t x)
{
	KEEP_int(x);
	return x;
}
#define NO_CONSTANT(T)
#define DO_CALL(T, x, i) x = called(x); KEEP_int(x);

#define FOR_TYPES(KERNELS_OF) KERNELS_OF(int) KERNELS_OF(long) KERNELS_OF(float) KERNELS_OF(double)
#define SUM(T) KERNELS(sum_##T, T, T, FIRST_##T, ONE, DO_SUM, NOTHING)
#define SUB(T) KERNELS(sub_##T, T, T, FIRST_##T, ONE, DO_SUB, NOTHING)
#define MPY(T) KERNELS(mpy_##T, T, T, FIRST_##T, ONE, DO_MPY, NOTHING)
#define DIV(T) KERNELS(div_##T, T, T, FIRST_##T, SQUARE, DO_DIV, NOTHING)
#define MOD(T) KERNELS(mod_##T, T, T, FIRST_##T, MODULO, DO_MOD, EVEN_MOD)
#define COMPARE(T) KERNELS(compare_##T, T, T, FIRST_##T, CHOICE, DO_COMPARE, NOTHING)
#define ASSIGN(T) KERNELS(assign_##T, T, T, FIRST_##T, CELLS, DO_ASSIGN, NOTHING)
#define ACCESS(T) KERNELS(access_##T, T, long, 0, TABLE, DO_ACCESS, NOTHING)
FOR_TYPES(SUM)
FOR_TYPES(SUB)
FOR_TYPES(MPY)
FOR_TYPES(DIV)
FOR_TYPES(MOD)
FOR_TYPES(COMPARE)
FOR_TYPES(ASSIGN)
FOR_TYPES(ACCESS)
KERNELS(call, int, int, FIRST_int, NO_CONSTANT, DO_CALL, NOTHING)

#define LOOPS(name) {{name##_dependent_short, name##_dependent_long}, {name##_independent_short, name##_independent_long}}
#define LOOPS_int(name, operation) LOOPS(name)
#define LOOPS_long LOOPS_int
#define LOOPS_float LOOPS_int
#define LOOPS_double LOOPS_int
#define LOOPS_any(name, operation) ANY_##operation
#define ANY_compare {{NULL, NULL}, {NULL, NULL}}
#define ANY_access ANY_compare
#define ANY_assign ANY_compare
#define ANY_call LOOPS(call)

const struct kernels machine_kernels[MACHINE_OPS] = {
#define MACHINE_OP(name, operation, type) LOOPS_##type(name, operation),
#include "ops.def"
};

#define TRIES 3

static double least_of_tries(double (*once)(void *arg, uint64_t n), void *arg, uint64_t n, double enough)
{
	double took = once(arg, n);

	for (int i = 1; i < TRIES && took >= enough; i++)
		took = fmin(took, once(arg, n));
	return took;
}

uint64_t batch_length(double (*once)(void *arg, uint64_t n), void *arg, double seconds)
{
	uint64_t n = 1;
	double took = least_of_tries(once, arg, n, seconds / 4);

	while (took < seconds / 4 && n < UINT64_C(1) << 40) {
		n *= 2;
		took = least_of_tries(once, arg, n, seconds / 4);
	}
	n = took > 0 ? (uint64_t)((double)n * seconds / took) : n;
	return n ? n : 1;
}

void batches_sort(double value[BATCHES_COUNTED])
{
	SORT(value, BATCHES_COUNTED, order_double);
}

double batches_quantile(const double value[BATCHES_COUNTED], double q)
{
	double at = q * (BATCHES_COUNTED - 1), below = floor(at);
	int i = (int)below;

	return i + 1 < BATCHES_COUNTED ? value[i] + (at - below) * (value[i + 1] - value[i]) : value[i];
}

double batches_operation(const struct batch_loops *b, double q)
{
	return (batches_quantile(b->longer, q) - batches_quantile(b->shorter, BATCHES_LOWER)) / b->operations;
}

struct machine_range batches_range(const struct batch_loops *independent, const struct batch_loops *dependent, double cycle)
{
	double low = fmax(batches_operation(independent, BATCHES_LOWER), cycle / BATCHES_ISSUE);

	return (struct machine_range){low, fmax(low, batches_operation(dependent, BATCHES_UPPER))};
}
