/* Numbers for people: aligned, with units and a blank between thousands. Each writes into buf and returns it. */
#ifndef PAS2P_TUI_UNITS_H
#define PAS2P_TUI_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "core/settings/settings.h"

#define UNIT_TEXT 32

const char *unit_count(char buf[UNIT_TEXT], uint64_t n);        /* "47 128" */
const char *unit_time(char buf[UNIT_TEXT], double seconds);     /* "12.1 µs", "2.826 s" */
const char *unit_moment(char buf[UNIT_TEXT], double seconds);   /* "1.234100 s": a point in time */
const char *unit_bytes(char buf[UNIT_TEXT], uint64_t bytes);    /* "8 B", "1.5 KiB" */
const char *unit_size(char buf[UNIT_TEXT], uint32_t size);      /* the same; "?" for SIZE_UNKNOWN */
const char *unit_percent(char buf[UNIT_TEXT], double fraction); /* "99.2 %" */
/* In at most four columns, for cells: "8", "64k", "12µ". */
const char *unit_size_short(char buf[UNIT_TEXT], uint32_t size);
const char *unit_time_short(char buf[UNIT_TEXT], double seconds);

/* A setting's value: "5.0 %", "100 ms", a choice's name. */
void unit_setting(const struct settings *s, enum setting_id id, char *buf, size_t size);

/* The same for figures that may not be defined (NAN): "-". */
const char *unit_figure_time(char buf[UNIT_TEXT], double s);
const char *unit_figure_percent(char buf[UNIT_TEXT], double fraction);

#endif
