#include "pages.h"

#include "core/lists/clocks.h"
#include "core/lists/lists.h"
#include "core/lists/metrics.h"

#define O(id) OPTION_##id
#define S(id) (OPTION_COUNT + SETTING_##id)
#define IDS(...) .options = (const unsigned[]){__VA_ARGS__}, .count = sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned)

#define ABOUT(about) {.kind = PAGE_ABOUT, .text = about},
#define GROUP(title, ...) {.kind = PAGE_GROUP, .text = title, IDS(__VA_ARGS__)},
#define MORE(title, ...) {.kind = PAGE_MORE, .text = title, IDS(__VA_ARGS__)},
#define SETTINGS(...) {.kind = PAGE_SETTINGS, .text = "Most used settings", IDS(__VA_ARGS__)},
#define COMMON(...) {.kind = PAGE_COMMON, IDS(__VA_ARGS__)},
#define EXAMPLE(comment, arguments) {.kind = PAGE_EXAMPLE, .text = comment, .more = arguments},
#define SEE(others) {.kind = PAGE_SEE, .text = others},
#define TEXT(paragraph) {.kind = PAGE_TEXT, .text = paragraph},
#define OUTPUT(paragraph) {.kind = PAGE_OUTPUT, .text = paragraph},
#define KEY(names, what) {.kind = PAGE_KEY, .text = names, .more = what},
#define COLUMNS(title, table, picks) {.kind = PAGE_COLUMNS, .text = title, .columns = &(table), .in = picks},
#define LIST(title, what) {.kind = PAGE_LIST, .text = title, .in = PAGE_##what},
#define FINDING(when) {.kind = PAGE_FINDING, .text = when},
#define END {.kind = PAGE_END}

static const struct page_row WORKBENCH_page[] = {
#include "cli/pages/workbench.def"
	END
};

static const struct page_row METRICS_page[] = {
#include "cli/pages/metrics.def"
	END
};

static const struct page_row PHASES_page[] = {
#include "cli/pages/phases.def"
	END
};

static const struct page_row TUNE_page[] = {
#include "cli/pages/tune.def"
	END
};

static const struct page_row REPORT_page[] = {
#include "cli/pages/report.def"
	END
};

static const struct page_row INFO_page[] = {
#include "cli/pages/info.def"
	END
};

static const struct page_row EVENTS_page[] = {
#include "cli/pages/events.def"
	END
};

static const struct page_row BBPS_page[] = {
#include "cli/pages/blocks.def"
	END
};

static const struct page_row TRACE_page[] = {
#include "cli/pages/trace.def"
	END
};

static const struct page_row CONVERT_page[] = {
#include "cli/pages/convert.def"
	END
};

static const struct page_row CHECK_page[] = {
#include "cli/pages/check.def"
	END
};

static const struct page_row CLOCKS_page[] = {
#include "cli/pages/clocks.def"
	END
};

static const struct page_row PLAN_page[] = {
#include "cli/pages/plan.def"
	END
};

static const struct page_row SIGN_page[] = {
#include "cli/pages/sign.def"
	END
};

static const struct page_row RUN_page[] = {
#include "cli/pages/run.def"
	END
};

static const struct page_row COMPARE_page[] = {
#include "cli/pages/compare.def"
	END
};

static const struct page_row DIFF_page[] = {
#include "cli/pages/diff.def"
	END
};

static const struct page_row STUDY_page[] = {
#include "cli/pages/study.def"
	END
};

static const struct page_row FIT_page[] = {
#include "cli/pages/fit.def"
	END
};

static const struct page_row PREDICT_page[] = {
#include "cli/pages/predict.def"
	END
};

static const struct page_row PINGPONG_page[] = {
#include "cli/pages/pingpong.def"
	END
};

static const struct page_row MACHINE_page[] = {
#include "cli/pages/machine.def"
	END
};

static const struct page_row DOCTOR_page[] = {
#include "cli/pages/doctor.def"
	END
};

static const struct page_row HELP_page[] = {
#include "cli/pages/help.def"
	END
};

static const struct page_row VERSION_page[] = {
#include "cli/pages/version.def"
	END
};

static const struct page_row *const pages[COMMAND_COUNT] = {
#define COMMAND(id, name, operands, group, options, runs, help, brief) id##_page,
#include "commands.def"
};

const unsigned page_common[] = {O(config), O(no_config), O(preset), O(threads), O(memory), O(scratch), O(quiet), O(help), O(version)};
const unsigned page_common_count = sizeof page_common / sizeof *page_common;

const struct page_row *page_rows(enum command c)
{
	return pages[c];
}

const struct page_row *page_first(enum command c, enum page_row_kind kind)
{
	const struct page_row *row = pages[c];

	while (row->kind != kind && row->kind != PAGE_END)
		row++;
	return row->kind == kind ? row : NULL;
}
