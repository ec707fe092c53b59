/* How a page looks: light and dark, on a screen, a telephone and A4. */
#ifndef PAS2P_REPORT_PAGE_STYLE_H
#define PAS2P_REPORT_PAGE_STYLE_H

#include "core/io/out.h"

void page_style(struct out *o); /* what stands between <style> and </style> */

#endif
