#include "study.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/unit.h"
#include "core/io/out.h"
#include "core/models/fit/write.h"
#include "core/table/shown.h"

#define DECIMALS 3 /* of times in tables, which have one unit */
#define FAMILY 40  /* "other (12 families)" */

/* For people one unit for all times of a table, which titles name; in files seconds. */
struct time_unit {
	double second;
	char title[4][COLUMN_TITLE];
};

static struct time_unit time_unit(const struct study_rows_to *to, double largest, const char *const titles[4])
{
	struct time_unit u = {.second = to->format == ROWS_TABLE ? shown_unit(largest) : 1};

	for (int i = 0; i < 4; i++)
		snprintf(u.title[i], sizeof u.title[i], "%s [%s]", titles[i], shown_unit_name(u.second));
	return u;
}

static struct cell in_unit(const struct time_unit *u, double seconds)
{
	return cell_figure(seconds / u->second);
}

static const char *other_families(char text[FAMILY], const struct study_rows_to *to, uint32_t count)
{
	if (to->format == ROWS_TABLE)
		snprintf(text, FAMILY, count == 1 ? "other (1 family)" : "other (%" PRIu32 " families)", count);
	else
		snprintf(text, FAMILY, "others");
	return text;
}

static bool is_small(const struct study_family *f, double least)
{
	return f->share < least;
}

static const char *number_text(char *buf, size_t size, double v)
{
	snprintf(buf, size, "%.6g", v);
	return buf;
}

/* A number that is seldom whole: in a table with few digits, blank where it is not defined. */
static struct cell short_real(enum rows_format format, double v, char *buf, size_t size)
{
	if (isnan(v))
		return cell_empty();
	return format == ROWS_TABLE ? cell_text(number_text(buf, size, v)) : cell_real(v);
}

static const char *ids_text(struct out *out, const uint32_t *ids, uint32_t count)
{
	out->len = 0;
	for (uint32_t i = 0; i < count; i++)
		out_printf(out, "%s%" PRIu32, i ? "+" : "", ids[i]);
	return out->failed ? "" : out->text;
}

static enum err_code write_rows(const struct rows *r, const struct study_rows_to *to, struct err *e)
{
	return rows_write(r, to->format, TEXT_UTF8, to->width, to->sink, to->progress, e);
}

/* ---- families by runs ---- */

#define PER_RUN 4 /* phases, weight, time, share */

struct families {
	const struct study *study;
	const struct study_rows_to *to;
	double least;
	uint32_t small;          /* families */
	struct out *ids;         /* per run */
	char (*share)[UNIT_TEXT]; /* per run */
	struct time_unit unit;
	bool named;              /* some family has a name */
	char family[FAMILY];
	uint32_t next, member;   /* of the next row */
};

static enum err_code family_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct families *w = arg;
	const struct study *s = w->study;
	const struct study_family *f = &s->families[i];

	*keep = !is_small(f, w->least);
	snprintf(w->family, sizeof w->family, "%" PRIu32, f->id);
	*cells++ = cell_text(w->family);
	for (uint32_t run = 0; run < s->runs->count; run++, cells += PER_RUN) {
		const struct study_member *m = study_member_of(f, run);

		if (!m)
			continue;
		cells[0] = cell_text(ids_text(&w->ids[run], m->phases, m->count));
		cells[1] = cell_whole(m->weight);
		cells[2] = in_unit(&w->unit, m->time);
		cells[3] = cell_text(unit_share(w->share[run], m->share, 1));
		if (w->ids[run].failed)
			return err_memory(e, "a row");
	}
	cells[0] = cell_text(f->stable ? "yes" : "no");
	cells[1] = cell_text(f->everywhere ? "yes" : "no");
	if (w->named)
		cells[2] = cell_text(f->name ? f->name : "-");
	return ERR_OK;
}

/* The row behind the families: what the small ones share. */
static void small_row(struct families *w, struct cell *cells)
{
	const struct study *s = w->study;

	*cells++ = cell_text(other_families(w->family, w->to, w->small));
	for (uint32_t run = 0; run < s->runs->count; run++, cells += PER_RUN) {
		double share = 0;

		for (uint32_t k = 0; k < s->family_count; k++) {
			const struct study_member *m = is_small(&s->families[k], w->least) ? study_member_of(&s->families[k], run) : NULL;

			share += m ? m->share : 0;
		}
		cells[3] = cell_text(unit_share(w->share[run], share, 1));
	}
}

static enum err_code table_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct families *w = arg;

	if (i < w->study->family_count)
		return family_row(arg, i, cells, keep, e);
	small_row(w, cells);
	return ERR_OK;
}

static double longest_phase(const struct study *s)
{
	double longest = 0;

	for (uint32_t i = 0; i < s->family_count; i++)
		for (uint32_t k = 0; k < s->families[i].count; k++)
			longest = fmax(longest, s->families[i].members[k].time);
	return longest;
}

static enum err_code families_table(struct families *w, const struct study_rows_to *to, struct err *e)
{
	uint32_t runs = w->study->runs->count, n = 0;
	struct column_look *columns = mem_alloc((size_t)runs * PER_RUN + 4, sizeof *columns);
	struct rows rows = {.columns = columns, .column_count = (size_t)runs * PER_RUN + 3, .row = table_row, .arg = w};
	enum err_code code;

	if (!columns)
		return err_memory(e, "the families");
	columns[n++] = (struct column_look){"family", "phase family", .align = LOOK_RIGHT};
	w->unit = time_unit(to, longest_phase(w->study), (const char *const[4]){"time", "", "", ""});
	for (uint32_t run = 0; run < runs; run++) {
		columns[n++] = (struct column_look){"phases", w->study->runs->list[run].name, .align = LOOK_RIGHT};
		columns[n++] = (struct column_look){"weight", "weight", LOOK_RIGHT, .priority = 2};
		columns[n++] = (struct column_look){"time", w->unit.title[0], LOOK_RIGHT, .decimals = DECIMALS, .priority = 1};
		columns[n++] = (struct column_look){"share", "share", LOOK_RIGHT, .priority = 4};
	}
	columns[n++] = (struct column_look){"stable", "stable", .priority = 3};
	columns[n++] = (struct column_look){"everywhere", "in all runs", .priority = 3};
	for (uint32_t i = 0; i < w->study->family_count; i++)
		w->named = w->named || w->study->families[i].name;
	if (w->named)
		columns[rows.column_count++] = (struct column_look){"name", "name", LOOK_WORDS, .priority = 5};
	rows.row_count = w->study->family_count + (w->small > 0);
	code = write_rows(&rows, to, e);
	mem_free(columns);
	return code;
}

/* A row per family and run, in order; of small ones none. */
static enum err_code member_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct families *w = arg;
	const struct study_family *f;
	const struct study_member *m;

	if (!i)
		w->next = w->member = 0;
	f = &w->study->families[w->next];
	m = &f->members[w->member];
	*keep = !is_small(f, w->least);
	cells[0] = cell_whole(f->id);
	cells[1] = cell_text(w->study->runs->list[m->run].name);
	cells[2] = cell_text(ids_text(&w->ids[0], m->phases, m->count));
	cells[3] = cell_whole(m->weight);
	cells[4] = cell_real(m->time);
	cells[5] = cell_real(m->compute);
	cells[6] = cell_real(m->share);
	cells[7] = cell_bool(f->relevant);
	cells[8] = cell_bool(f->stable);
	cells[9] = cell_bool(f->everywhere);
	cells[10] = cell_text(m->largest->name);
	if (f->alike != KINDS_UNKNOWN)
		cells[11] = cell_bool(f->alike == KINDS_SAME);
	if (++w->member == f->count) {
		w->member = 0;
		w->next++;
	}
	return w->ids[0].failed ? err_memory(e, "a row") : ERR_OK;
}

static enum err_code families_list(struct families *w, const struct study_rows_to *to, struct err *e)
{
	static const struct column_look columns[] = {
		{"family", "phase family", .align = LOOK_RIGHT}, {"run", "run", .align = LOOK_LEFT}, {"phases", "phases", .align = LOOK_RIGHT},
		{"weight", "weight", .align = LOOK_RIGHT}, {"time", "time", .align = LOOK_RIGHT},
		{"compute", "compute", .align = LOOK_RIGHT}, {"share", "share", .align = LOOK_RIGHT},
		{"relevant", "relevant", .align = LOOK_LEFT}, {"stable", "stable", .align = LOOK_LEFT}, {"everywhere", "everywhere", .align = LOOK_LEFT},
		{"name", "name", .align = LOOK_LEFT}, {"same_kind", "same kind", .align = LOOK_LEFT},
	};
	struct rows rows = {.columns = columns, .column_count = sizeof columns / sizeof *columns, .row = member_row, .arg = w};

	for (uint32_t i = 0; i < w->study->family_count; i++)
		rows.row_count += w->study->families[i].count;
	return write_rows(&rows, to, e);
}

enum err_code study_rows_families(const struct study *s, const struct study_rows_to *to, struct err *e)
{
	struct families w = {.study = s, .to = to, .least = to->least, .ids = mem_alloc(s->runs->count, sizeof *w.ids),
			     .share = mem_alloc(s->runs->count, sizeof *w.share)};
	enum err_code code;

	if (!w.ids || !w.share) {
		mem_free(w.ids);
		mem_free(w.share);
		return err_memory(e, "the families");
	}
	for (uint32_t i = 0; i < s->runs->count; i++)
		out_init(&w.ids[i]);
	for (uint32_t i = 0; i < s->family_count; i++)
		w.small += is_small(&s->families[i], to->least);
	code = to->format == ROWS_TABLE ? families_table(&w, to, e) : families_list(&w, to, e);
	for (uint32_t i = 0; i < s->runs->count; i++)
		out_release(&w.ids[i]);
	mem_free(w.ids);
	mem_free(w.share);
	return code;
}

/* ---- models ---- */

struct model_rows {
	const struct study_models *m;
	const struct study_rows_to *to;
	struct out expression, shortened;
	char family[16], loo[UNIT_TEXT];
};

/* Four digits of each number that is not whole, for people. */
static const char *shorten(struct out *to, const char *text)
{
	to->len = 0;
	while (*text) {
		size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
		char *end;
		double v;

		if (*text < '0' || *text > '9') {
			word = word ? word : 1;
			out_add(to, text, word);
			text += word;
			continue;
		}
		v = strtod(text, &end);
		if (v == floor(v))
			out_add(to, text, (size_t)(end - text));
		else
			out_printf(to, "%.4g", v);
		text = end;
	}
	return to->failed ? "" : to->text;
}

/* Row i: family by family, of by of, combination by combination; then the remaining time and the run time. */
static const struct study_fits *fits_of_row(const struct model_rows *w, uint64_t i, uint32_t *family, const char **of, uint32_t *combination)
{
	const struct study *s = w->m->study;
	uint64_t quantity = i / w->m->combinations;

	*combination = (uint32_t)(i % w->m->combinations);
	*family = (uint32_t)(quantity / STUDY_BYTES);
	if (*family < s->family_count) {
		*of = study_of_name((enum study_of)(quantity % STUDY_BYTES));
		return &w->m->of[*family][quantity % STUDY_BYTES];
	}
	if (quantity - (uint64_t)s->family_count * STUDY_BYTES) {
		*of = w->to->format == ROWS_TABLE ? "run time" : "AET";
		return &w->m->aet;
	}
	*of = w->to->format == ROWS_TABLE ? "remaining time" : "rest";
	return &w->m->rest;
}

static enum err_code model_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct model_rows *w = arg;
	const struct study *s = w->m->study;
	uint32_t family, combination;
	const char *of;
	const struct study_fits *fits = fits_of_row(w, i, &family, &of, &combination);
	const struct fit *f = study_fit(fits, combination);

	*keep = f && (family >= s->family_count || !is_small(&s->families[family], w->to->least));
	if (!*keep)
		return ERR_OK;
	w->expression.len = 0;
	fit_expression(f, &w->expression);
	if (w->expression.failed)
		return err_memory(e, "a row");
	if (family < s->family_count) {
		snprintf(w->family, sizeof w->family, "%" PRIu32, s->families[family].id);
		cells[0] = cell_text(w->family);
	}
	cells[1] = cell_text(of);
	cells += w->m->split_count > 0;
	if (w->m->split_count)
		cells[1] = cell_text(w->m->label[combination]);
	cells[2] = cell_text(w->to->format == ROWS_TABLE ? shorten(&w->shortened, w->expression.text) : w->expression.text);
	cells[3] = w->to->format == ROWS_TABLE ? cell_text(unit_multiple(w->loo, f->error, 1)) : cell_figure(f->error);
	if (w->shortened.failed)
		return err_memory(e, "a row");
	return ERR_OK;
}

enum err_code study_rows_models(const struct study_models *m, const struct study_rows_to *to, struct err *e)
{
	static const struct column_look plain[] = {{"family", "phase family", .align = LOOK_RIGHT}, {"of", "quantity", .align = LOOK_LEFT},
					      {"expression", "fit", .align = LOOK_LEFT}, {"loo", "cross-validation error", .align = LOOK_RIGHT}};
	static const struct column_look split[] = {{"family", "phase family", .align = LOOK_RIGHT}, {"of", "quantity", .align = LOOK_LEFT}, {"where", "runs with", .align = LOOK_LEFT},
					      {"expression", "fit", .align = LOOK_LEFT}, {"loo", "cross-validation error", .align = LOOK_RIGHT}};
	struct model_rows w = {.m = m, .to = to};
	struct rows rows = {.columns = m->split_count ? split : plain, .column_count = m->split_count ? 5 : 4, .row = model_row, .arg = &w};
	enum err_code code;

	rows.row_count = ((uint64_t)m->study->family_count * STUDY_BYTES + 2) * m->combinations;
	out_init(&w.expression);
	out_init(&w.shortened);
	code = write_rows(&rows, to, e);
	out_release(&w.expression);
	out_release(&w.shortened);
	return code;
}

/* ---- predictions ---- */

enum { LAST_OTHERS, LAST_REST, LAST_TIME, LAST_DIRECT, LASTS };

struct predicted {
	const struct study_prediction *p;
	const struct study_rows_to *to;
	uint32_t axes;           /* columns of the place */
	uint32_t place, part;    /* of the next row; parts, then the last rows */
	struct time_unit unit;
	char family[FAMILY], text[32];
};

static void value_cells(const struct time_unit *unit, struct cell *cells, const struct study_value *v)
{
	cells[0] = in_unit(unit, v->value);
	cells[1] = in_unit(unit, v->low);
	cells[2] = in_unit(unit, v->high);
}

/* Small families in one row. */
static bool others_cells(struct predicted *w, const struct study_prediction *p, struct cell *cells)
{
	struct study_value sum = {0, 0, 0};
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->part_count; i++) {
		const struct study_value *v = &p->parts[i].total;

		if (!is_small(p->parts[i].family, w->to->least))
			continue;
		sum = (struct study_value){sum.value + v->value, sum.low + v->low, sum.high + v->high};
		count++;
	}
	cells[0] = cell_text(other_families(w->family, w->to, count));
	value_cells(&w->unit, cells + 3, &sum);
	return count > 0;
}

static void part_cells(struct predicted *w, const struct study_part *part, struct cell *cells)
{
	snprintf(w->family, sizeof w->family, "%" PRIu32, part->family->id);
	cells[0] = cell_text(w->family);
	cells[1] = short_real(w->to->format, part->weight.value, w->text, sizeof w->text);
	cells[2] = in_unit(&w->unit, part->time.value);
	value_cells(&w->unit, cells + 3, &part->total);
}

static enum err_code predicted_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	static const char *const names[LASTS] = {"others", "rest", "T", "direct"};
	static const char *const words[LASTS] = {"other", "remaining time", "predicted time", "whole-run fit"};
	struct predicted *w = arg;
	const struct study_prediction *p;
	uint32_t last;

	(void)e;
	if (!i)
		w->place = w->part = 0;
	p = &w->p[w->place];
	for (uint32_t k = 0; k < w->axes; k++)
		*cells++ = p->models->study->axes[k].number ? cell_real(p->at[k].number) : cell_text(p->at[k].text);
	if (w->part < p->part_count) {
		*keep = !is_small(p->parts[w->part].family, w->to->least);
		part_cells(w, &p->parts[w->part++], cells);
		return ERR_OK;
	}
	last = w->part++ - p->part_count;
	cells[0] = cell_text((w->to->format == ROWS_TABLE ? words : names)[last]);
	if (last == LAST_OTHERS)
		*keep = others_cells(w, p, cells);
	else
		value_cells(&w->unit, cells + 3, last == LAST_REST ? &p->rest : last == LAST_TIME ? &p->time : &p->direct);
	if (last == LAST_TIME && w->to->format != ROWS_TABLE && !isinf(p->extrapolation))
		cells[6] = cell_real(p->extrapolation);
	if (last + 1 == LASTS) {
		w->place++;
		w->part = 0;
	}
	return ERR_OK;
}

static double longest_prediction(const struct study_prediction *p, uint32_t count)
{
	double longest = 0;

	for (uint32_t i = 0; i < count; i++)
		longest = fmax(longest, fmax(p[i].time.high, fmax(p[i].time.value, p[i].direct.value)));
	return longest;
}

enum err_code study_rows_predictions(const struct study_prediction *p, uint32_t count, const struct study_rows_to *to, struct err *e)
{
	static const char *const titles[4] = {"time", "total", "low", "high"};
	const struct study *s = p->models->study;
	struct predicted w = {.p = p, .to = to, .axes = to->format == ROWS_TABLE ? 0 : s->axis_count,
			      .unit = time_unit(to, longest_prediction(p, count), titles)};
	const struct column_look last[] = {
		{"family", "phase family", .align = LOOK_RIGHT}, {"weight", "weight", LOOK_RIGHT, .decimals = ROWS_SHORTEST},
		{"time", w.unit.title[0], LOOK_RIGHT, .decimals = DECIMALS}, {"total", w.unit.title[1], LOOK_RIGHT, .decimals = DECIMALS},
		{"low", w.unit.title[2], LOOK_RIGHT, .decimals = DECIMALS}, {"high", w.unit.title[3], LOOK_RIGHT, .decimals = DECIMALS},
		{"extrapolation", "", LOOK_RIGHT, .decimals = ROWS_SHORTEST},
	};
	struct column_look columns[STUDY_PARAMETERS + sizeof last / sizeof *last];
	struct rows rows = {.columns = columns, .row = predicted_row, .arg = &w};

	for (uint32_t k = 0; k < w.axes; k++)
		columns[rows.column_count++] = (struct column_look){s->axes[k].name, s->axes[k].name, LOOK_RIGHT, .decimals = ROWS_SHORTEST};
	for (size_t k = 0; k < sizeof last / sizeof *last - (to->format == ROWS_TABLE); k++)
		columns[rows.column_count++] = last[k];
	for (uint32_t i = 0; i < count; i++)
		rows.row_count += p[i].part_count + LASTS;
	return write_rows(&rows, to, e);
}

/* ---- each run from the others ---- */

struct checked {
	const struct study *study;
	const struct study_checked *list;
	bool for_people;
	struct time_unit unit;
	char error[UNIT_TEXT + 1];
};

static struct cell error_cell(struct checked *w, double error)
{
	char text[UNIT_TEXT];

	if (!w->for_people || isnan(error))
		return cell_figure(error);
	snprintf(w->error, sizeof w->error, "%s%s", error > 0 ? "+" : "", unit_multiple(text, error, 1));
	return cell_text(w->error);
}

static enum err_code checked_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct checked *w = arg;
	const struct study_checked *c = &w->list[i];

	(void)keep;
	(void)e;
	cells[0] = cell_text(w->study->runs->list[c->run].name);
	cells[1] = in_unit(&w->unit, c->measured);
	cells[2] = in_unit(&w->unit, c->predicted.value);
	cells[3] = error_cell(w, c->error);
	if (!isnan(c->predicted.low) && !isnan(c->predicted.high))
		cells[4] = w->for_people ? cell_text(c->within ? "yes" : "no") : cell_bool(c->within);
	return ERR_OK;
}

enum err_code study_rows_checked(const struct study *s, const struct study_checked *list, const struct study_rows_to *to, struct err *e)
{
	static const char *const titles[4] = {"measured", "predicted", "", ""};
	struct checked w = {.study = s, .list = list, .for_people = to->format == ROWS_TABLE};
	const struct column_look columns[] = {
		{"run", "run", .align = LOOK_LEFT}, {"measured", w.unit.title[0], LOOK_RIGHT, .decimals = DECIMALS},
		{"predicted", w.unit.title[1], LOOK_RIGHT, .decimals = DECIMALS}, {"error", "error", .align = LOOK_RIGHT},
		{"in_interval", "in interval", .align = LOOK_LEFT},
	};
	const struct rows rows = {columns, sizeof columns / sizeof *columns, s->runs->count, checked_row, &w};
	double longest = 0;

	for (uint32_t i = 0; i < s->runs->count; i++)
		longest = fmax(longest, list[i].measured);
	w.unit = time_unit(to, longest, titles);
	return write_rows(&rows, to, e);
}
