#include "fold_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static void write_symbols(FILE *to, const struct fold *f, const uint32_t *symbols, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct fold_loop *l = fold_is_loop(f, symbols[i]) ? fold_loop(f, symbols[i]) : NULL;
		bool repeated = l && l->length == 1 && !fold_is_loop(f, f->symbols[l->body]);

		if (i)
			fputc(' ', to);
		if (!l)
			fprintf(to, "%" PRIu32, fold_id(f, symbols[i]));
		else if (repeated)
			fprintf(to, "%" PRIu32 "*%" PRIu32, l->count, fold_id(f, f->symbols[l->body]));
		else {
			fprintf(to, "%" PRIu32 "(", l->count);
			write_symbols(to, f, f->symbols + l->body, l->length);
			fputc(')', to);
		}
	}
}

char *fold_line(const struct fold *f)
{
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (!to)
		bail_out("no memory for a line");
	write_symbols(to, f, f->top, f->top_count);
	fclose(to);
	return line;
}

struct ids {
	uint32_t *list, count;
};

static void append(struct ids *to, const uint32_t *list, uint32_t count, uint32_t times)
{
	to->list = realloc(to->list, (to->count + (size_t)count * times + 1) * sizeof *to->list);
	if (!to->list)
		bail_out("no memory for a sequence");
	for (uint32_t k = 0; k < times && count; k++, to->count += count)
		memcpy(to->list + to->count, list, count * sizeof *list);
}

static const char *read_symbols(const char *p, struct ids *to)
{
	while (*p && *p != ')') {
		char *after;
		uint32_t number = (uint32_t)strtoul(p, &after, 10), id;

		if (*after == '*') {
			id = (uint32_t)strtoul(after + 1, &after, 10);
			append(to, &id, 1, number);
		} else if (*after == '(') {
			struct ids body = {0};

			p = read_symbols(after + 1, &body);
			append(to, body.list, body.count, number);
			free(body.list);
			after += p - after + 1;
		} else
			append(to, &number, 1, 1);
		p = after + (*after == ' ');
	}
	return p;
}

uint32_t *fold_line_unfolded(const char *line, uint32_t *length)
{
	struct ids ids = {0};

	append(&ids, NULL, 0, 1);
	read_symbols(line, &ids);
	*length = ids.count;
	return ids.list;
}
