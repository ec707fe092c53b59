/* make bench-models: what evaluating a model and fitting points cost, beside adding numbers in the same run, since
 * machines differ.
 *
 * Each line is the best of three, in processor time, and in additions: how many of a plain loop take as long as a node
 * of the program, or as a fit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/io/out.h"
#include "core/models/graph/evaluate.h"
#include "core/models/fit/fit.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/predict.h"

#define ADDITIONS 100000000
#define VALUES 8

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of an addition that waits for the one before. */
static double addition(void)
{
	volatile double step = 1e-9;
	double sum = 0, with = step, begun = now(), took;

	for (int i = 0; i < ADDITIONS; i++)
		sum += with;
	took = now() - begun;
	step = sum;
	return took / ADDITIONS;
}

static void measure(const char *what, const char *text, double nodes, double add)
{
	struct program_model m;
	struct interval values[VALUES];
	struct err e = {0};
	double best = 1e9, begun;
	enum err_code code = model_parse(&m, what, text, strlen(text), &e);

	for (uint32_t i = 0; !code && i < m.parameter_count && i < VALUES; i++)
		code = predict_default(&m, i, values, &values[i], &e);
	for (int round = 0; !code && round < 3; round++) {
		struct outcome out;

		begun = now();
		code = evaluate(&out, &(struct evaluate_input){.model = &m, .values = values}, &e);
		best = now() - begun < best ? now() - begun : best;
		outcome_release(&out);
	}
	if (code)
		printf("%s\n", e.text);
	else
		printf("%-44s %10.6f s %8.1f ns and %6.1f additions a node\n", what, best, 1e9 * best / nodes, best / nodes / add);
	program_model_release(&m);
}

/* Points of a law with some per cent of noise, the same each time: across x across, or as many along one parameter. */
#define POINTS 64
static void measure_fit(const char *what, uint32_t parameters, uint32_t across, enum fit_kind kind, uint32_t fits, double add)
{
	static const char *const name[] = {"n", "p"};
	double at[2 * POINTS], value[POINTS], best = 1e9;
	uint32_t count = parameters == 2 ? across * across : across;
	const struct fit_points points = {.parameter = name, .parameters = parameters, .count = count, .at = at, .value = value};
	struct err e = {0};
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < count; i++) {
		double n = at[i * parameters] = 64 * exp2(0.5 * (i % across)), q = 1;

		if (parameters == 2)
			q = at[2 * i + 1] = exp2(i / across);
		value[i] = (1e-6 + 2e-9 * n * log2(n) / q) * (1 + 0.02 * sin(i * i));
	}
	for (int round = 0; !code && round < 3; round++) {
		double begun = now();

		for (uint32_t i = 0; !code && i < fits; i++) {
			struct fit f;

			code = fit_make(&f, &points, &(struct fit_options){.kind = kind}, NULL, &e);
			fit_release(&f);
		}
		best = fmin(best, now() - begun);
	}
	if (code)
		printf("%s\n", e.text);
	else
		printf("%-44s %10.0f fits/s and %8.0f additions a fit\n", what, fits / best, best / fits / add);
}

int main(void)
{
	static const char ring[] = "{compute: n*1ns}, {send: {to: \"rank + 1 - p*(rank == p - 1)\", bytes: 8*n}},"
		" {recv: {from: \"rank - 1 + p*(rank == 0)\"}}, {compute: 5us}";
	static const char head[] = "pas2p_model: 1\nfunctions: {send(b): 1us + b*1ns, recv(b): 2us + b*1ns, copy(b): 1us}\n";
	double add = addition();
	struct out text;

	printf("an addition takes %.2f ns\n", 1e9 * add);
	out_init(&text);
	out_printf(&text, "%sparameters: {n: 100, p: 1024}\nprogram: [", head);
	for (int i = 0; i < 2500; i++)
		out_printf(&text, "%s%s", i ? ", " : "", ring);
	out_str(&text, "]\n");
	if (!text.failed)
		measure("1024 processes x 10^4 nodes with messages", text.text, 1024e4, add);
	text.len = 0;
	out_printf(&text, "%sparameters: {n: 100, p: 1024}\nprogram: [{loop: 10^9, do: [%s]}]\n", head, ring);
	measure("1024 processes x 10^9 iterations of these", text.text, 1024 * 4e9, add);
	text.len = 0;
	out_printf(&text, "%sparameters: {n: 100, p: 2^20}\nprogram: [{compute: n*rank*1ns}, {compute: n*1us}]\n", head);
	measure("2^20 processes x 2 nodes, by rank", text.text, 2.0 * (1 << 20), add);
	measure("10^9 iterations that name the index", "pas2p_model: 1\nprogram: [{loop: {i: [1, 10^9]}, do: [{compute: i*1ns}]}]\n", 1e9, add);
	measure("10^6 iterations that must be done", "pas2p_model: 1\nprogram: [{loop: {i: [1, 10^6]}, do: [{compute: 1/i}]}]\n", 1e6, add);
	out_release(&text);
	measure_fit("8 points, forms of one parameter", 1, 8, FIT_AUTO, 1000, add);
	measure_fit("40 points, forms of one parameter", 1, 40, FIT_AUTO, 300, add);
	measure_fit("5 x 5 points, forms of two parameters", 2, 5, FIT_AUTO, 100, add);
	measure_fit("40 points, pieces", 1, 40, FIT_PIECES, 300, add);
	return 0;
}
