/* Which views there are, by number: VIEW_GRID and so on, in the order of the tabs, then those without one. */
#ifndef PAS2P_TUI_VIEWS_H
#define PAS2P_TUI_VIEWS_H

enum view_id {
#define TAB(id, name, title, brief, keys, help) VIEW_##id,
#include "views.def"
	VIEW_TABS, /* how many have a tab */
	VIEW_LAST_TAB = VIEW_TABS - 1,
#define OVERLAY(id, name, title, action) VIEW_##id,
#include "views.def"
	VIEWS
};

#endif
