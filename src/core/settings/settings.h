/* Settings of the analysis: thresholds and choices, with range checks (docs/explain/method.md, "Events", "Logical
 * time", "Ticks", "Basic blocks", "Phases" and "Phase time" says what each does).
 *
 * The table is settings.def. A setting is read and written as text by name, so that command line, config
 * file, phase table and workbench share one parser and one printer. In the config file and the phase table the
 * settings live under `analysis:` with choices as they are named (compute_of), the four fractions under
 * `thresholds:`, the warm-up under `warmup: {sends, seconds}`, and windows under `windows: {count, seconds, rare, span,
 * align}`.
 */
#ifndef PAS2P_CORE_SETTINGS_SETTINGS_H
#define PAS2P_CORE_SETTINGS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* ---- settings ---- */

enum order { ORDER_LAMPORT, ORDER_PAS2P };
enum similarity { SIMILARITY_BBP, SIMILARITY_PHASE };
enum collectives { COLLECTIVES_EVENTS, COLLECTIVES_IGNORE };
enum absent { ABSENT_SIMILAR, ABSENT_DIFFERENT };
enum compute_of { COMPUTE_MAX, COMPUTE_SUM, COMPUTE_EACH };
enum phase_time { PHASE_TIME_MEAN, PHASE_TIME_SLOWEST };
enum representative { REPRESENTATIVE_FIRST, REPRESENTATIVE_MEDIAN, REPRESENTATIVE_LAST };
enum window_align { WINDOW_ALIGN_ITERATIONS, WINDOW_ALIGN_NONE };
enum clocks { CLOCKS_FILE, CLOCKS_CORRECTED };

#define SETTING_NAME_SIZE 64 /* with its NUL; "": none */

struct settings {
#define CHOICE(id, key, def, choices, help, more) int id;
#define FRACTION(id, key, def, min, max, help, more) double id;
#define COUNT(id, key, def, min, max, help, more) uint32_t id;
#define SECONDS(id, key, def, min, max, help, more) double id;
#define NAME(id, key, help, more) char id[SETTING_NAME_SIZE];
#include "settings.def"
};

enum setting_id {
#define CHOICE(id, key, def, choices, help, more) SETTING_##id,
#define FRACTION(id, key, def, min, max, help, more) SETTING_##id,
#define COUNT(id, key, def, min, max, help, more) SETTING_##id,
#define SECONDS(id, key, def, min, max, help, more) SETTING_##id,
#define NAME(id, key, help, more) SETTING_##id,
#include "settings.def"
	SETTING_COUNT
};

enum setting_kind { SETTING_CHOICE, SETTING_FRACTION, SETTING_WHOLE, SETTING_SECONDS, SETTING_NAME };

struct setting_info {
	enum setting_id id;
	enum setting_kind kind;
	const char *key;     /* "compute-of" */
	const char *yaml;    /* "compute_of", "thresholds.volume", "warmup.sends" */
	const char *choices; /* "max|sum|each", CHOICE only */
	double def, min, max; /* CHOICE: index of default, 0, number of choices - 1; NAME: 0, 0, 1 */
	enum setting_id opener; /* not in a phase table while that one is at its default, so that a table without is as it always
				 * was; SETTING_COUNT: always there */
	bool in_tables;      /* false: in no phase table at all, since none depends on it */
	const char *help, *more; /* in one line; sentences for the pages, "" for none */
};

const struct setting_info *setting_info(enum setting_id id);
const struct setting_info *setting_find(const char *key); /* accepts '-' and '_'; NULL: no such */

void settings_init(struct settings *settings); /* the defaults */
bool settings_equal(const struct settings *a, const struct settings *b);
bool settings_same(const struct settings *a, const struct settings *b, enum setting_id id);
void settings_copy(struct settings *to, const struct settings *from, enum setting_id id); /* that one alone */

/* Settings that determine the phases of a trace. The others determine the times of the phases and the exported data. */
#define SETTINGS_OF_PHASES 9
extern const enum setting_id settings_of_phases[SETTINGS_OF_PHASES];
bool settings_same_phases(const struct settings *a, const struct settings *b);
/* Does it decide anything of the phases, given the others? Not so where similarity is of the other kind: compute and
 * compute-of compare basic blocks, events and absent compare phases. */
bool settings_matters(const struct settings *settings, enum setting_id id);

/* Whether weight x time of all phases adds up to the run. The slowest processes' times do not: they count waiting
 * again in each phase, and shares may pass 100 %. */
bool settings_shares_tile(const struct settings *settings);
/* The base of the phases' shares, as text: `usual` if the phases tile the run, otherwise "of run time, slowest rank".
 */
const char *settings_share_of(const struct settings *settings, const char *usual);

/* Set one from text. ERR_USAGE with the range or the choices if the text is none of them:
 * "volume is '7 %%': expected a fraction from 0 to 1 or a percentage from 0% to 100%". */
enum err_code settings_set(struct settings *settings, enum setting_id id, const char *text, struct err *e);

/* Its value as text that settings_set reads back to the same value ("0.05", "max", "10"; a NAME: "none" if there is
 * none). */
void settings_get(const struct settings *settings, enum setting_id id, char *buf, size_t size);

/* Whether they go together. ERR_USAGE: windows are measured instead of representatives, and so of their samples. */
enum err_code settings_check(const struct settings *s, struct err *e);

/* The number behind a setting (a choice's index; of a NAME 0: none, or 1), and setting it; the number is clamped to the
 * range, a NAME to none. */
double settings_number(const struct settings *settings, enum setting_id id);
void settings_set_number(struct settings *settings, enum setting_id id, double value);

/* ---- presets ---- */

/* Presets: parts of the settings that have a name. presets.def has those of pas2p; config files add others
 * (config.h). */

/* Only the settings with `given` set mean anything. */
struct preset {
	const char *name;
	bool given[SETTING_COUNT];
	struct settings settings;
};

/* Number i of presets.def, with the text that says what it is; false: there are no more. */
bool preset_built_in(size_t i, struct preset *to, const char **help);

void preset_apply(const struct preset *p, struct settings *settings);

#endif
