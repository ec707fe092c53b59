/* The reading: instances as symbols, folded (patterns.h). */
#include "patterns_int.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/fold.h"

#define SYMBOLS_WITH_SIZES 60 /* more of them at all levels: sizes are left out */

static int32_t size_class(const struct pattern_instance *i)
{
	double mean = i->sized ? (double)i->bytes / i->sized : 0;

	return mean > 0 ? (int32_t)lrint(log2(mean)) : READING_EMPTY;
}

static uint64_t hash_symbol_of(const struct reading_symbol *s)
{
	return hash_mix(hash_mix(0, s->pattern), (uint32_t)s->size);
}

static uint64_t hash_symbol(const void *symbols, uint32_t i)
{
	return hash_symbol_of(&((const struct reading_symbol *)symbols)[i]);
}

static bool same_symbol(const void *symbols, uint32_t i, const void *key)
{
	const struct reading_symbol *a = (const struct reading_symbol *)symbols + i, *b = key;

	return a->pattern == b->pattern && a->size == b->size;
}

/* A size is shown where a name occurs with several. */
static enum err_code sizes_show(struct reading *r, const struct patterns *x, struct err *e)
{
	uint32_t *symbols = mem_zero(x->count, sizeof *symbols); /* per pattern that is the first of its name */

	if (!symbols)
		return err_memory(e, "the reading");
	for (uint32_t i = 0; i < r->symbol_count; i++)
		symbols[r->symbols[i].pattern]++;
	for (uint32_t i = 0; i < r->symbol_count; i++)
		r->symbols[i].size_shown = symbols[r->symbols[i].pattern] > 1;
	mem_free(symbols);
	return ERR_OK;
}

static enum err_code reading_fold(struct reading *r, const struct patterns *x, bool sizes, const struct progress *progress, struct err *e)
{
	uint32_t *sequence = mem_alloc(x->instance_count, sizeof *sequence);
	struct index index = {0};
	size_t cap = 0;
	enum err_code code = sequence ? ERR_OK : err_memory(e, "the reading");

	for (uint32_t i = 0; !code && i < x->instance_count; i++) {
		const struct pattern_instance *instance = &x->instances[i];
		struct reading_symbol s = {x->list[instance->pattern].namesake, sizes && instance->sized ? size_class(instance) : READING_NO_SIZE, false}, *more;
		uint32_t *slot = index_slot(&index, hash_symbol_of(&s), r->symbols, r->symbol_count, same_symbol, hash_symbol, &s);

		if (slot && !*slot) {
			more = mem_grow(r->symbols, r->symbol_count, &cap, sizeof *more);
			if (more) {
				r->symbols = more;
				r->symbols[r->symbol_count++] = s;
				*slot = r->symbol_count;
			}
		}
		if (!slot || !*slot)
			code = err_memory(e, "the reading");
		else
			sequence[i] = *slot - 1;
	}
	if (!code)
		code = sizes_show(r, x, e);
	if (!code)
		code = fold_new(&r->fold, sequence, x->instance_count, progress, e);
	index_release(&index);
	mem_free(sequence);
	return code;
}

/* Symbols at all levels, as they are written; up to `most`. */
static uint32_t count_symbols(const struct fold *f, const uint32_t *symbols, uint32_t count, uint32_t most)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count && n <= most; i++) {
		n++;
		if (fold_is_loop(f, symbols[i])) {
			const struct fold_loop *l = fold_loop(f, symbols[i]);

			n += count_symbols(f, f->symbols + l->body, l->length, most) - (l->length == 1);
		}
	}
	return n;
}

static void reading_clear(struct reading *r)
{
	fold_free(r->fold);
	mem_free(r->symbols);
	*r = (struct reading){0};
}

enum err_code reading_new(struct reading **out, const struct patterns *x, const struct progress *progress, struct err *e)
{
	struct reading *r = mem_zero(1, sizeof *r);
	enum err_code code = r ? ERR_OK : err_memory(e, "the reading");

	*out = NULL;
	if (!code)
		code = reading_fold(r, x, true, progress, e);
	if (!code && count_symbols(r->fold, r->fold->top, r->fold->top_count, SYMBOLS_WITH_SIZES) > SYMBOLS_WITH_SIZES) {
		reading_clear(r);
		code = reading_fold(r, x, false, progress, e);
	}
	if (code)
		reading_free(r);
	else
		*out = r;
	return code;
}

void reading_free(struct reading *r)
{
	if (!r)
		return;
	reading_clear(r);
	mem_free(r);
}

static void write_symbol(const struct patterns *x, uint32_t symbol, struct out *out)
{
	const struct reading_symbol *s = &x->reading->symbols[symbol];
	char size[PATTERN_SIZE_TEXT];

	out_str(out, x->list[s->pattern].name);
	if (s->size_shown && s->size != READING_NO_SIZE)
		out_printf(out, " %s", pattern_size_text(s->size == READING_EMPTY ? 0 : ldexp(1, s->size), size));
}

void reading_symbols_text(const struct patterns *x, const uint32_t *symbols, uint32_t count, struct out *out)
{
	const struct fold *f = x->reading->fold;

	for (uint32_t i = 0; i < count; i++) {
		if (i)
			out_str(out, "; ");
		if (fold_is_loop(f, symbols[i])) {
			const struct fold_loop *l = fold_loop(f, symbols[i]);

			out_printf(out, "%" PRIu32 " x %s", l->count, l->length > 1 ? "[ " : "");
			reading_symbols_text(x, f->symbols + l->body, l->length, out);
			out_str(out, l->length > 1 ? " ]" : "");
		} else {
			write_symbol(x, fold_id(f, symbols[i]), out);
		}
	}
}

void reading_text(const struct patterns *x, uint32_t most, struct out *out)
{
	const struct fold *f = x->reading->fold;
	uint32_t n = f->top_count;

	reading_symbols_text(x, f->top, n < most ? n : most, out);
	if (n > most)
		out_str(out, "; ...");
}
