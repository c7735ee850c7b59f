#ifndef XPROF_REPORT_FLAME_FLAME_SVG_H
#define XPROF_REPORT_FLAME_FLAME_SVG_H

/*
 * A flame graph as one SVG file (SVG 1.1): a picture that every program can show; in a browser it can be zoomed, searched and
 * used by keyboard. Frames that are too narrow to see are merged into one that says how many they are, so widths always add up.
 */

#include "report/flame/flame_page.h"

void flame_svg_render(const struct flame_page *page, struct strbuf *out);

#endif
