#ifndef XPROF_REPORT_ROWS_FRAME_TEXT_H
#define XPROF_REPORT_ROWS_FRAME_TEXT_H

/* The text of a frame in folded stacks and flame graphs. */

#include "base/strbuf.h"
#include "profile/frame_table.h"

/* perf's mark after the name of an inlined function, used where nothing else shows it. */
#define FRAME_INLINED_MARK " (inlined)"

/* The mark after the name of a guessed frame. */
#define FRAME_GUESSED_MARK " [guessed]"

/*
 * Appends the function's name, "[libfoo.so]" if it is unknown, or "[unknown]" if nothing was mapped there.
 * `addresses` tells such frames apart: "[libfoo.so <1f40>]". Guessed frames get their mark.
 */
void frame_text_add(struct strbuf *buf, const struct profile *profile, const struct frame *frame,
		    bool addresses);

/* perf's mark in front of a symbol: "[k] ", "[.] "…, always four columns. */
const char *frame_mode_mark(enum frame_mode mode);

/* "user", "kernel"… in JSON: values of the schema, never renamed. */
const char *frame_mode_name(enum frame_mode mode);

#endif
