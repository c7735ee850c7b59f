#ifndef XPROF_REPORT_ROWS_FRAME_TEXT_H
#define XPROF_REPORT_ROWS_FRAME_TEXT_H

/* The text of a frame in folded stacks and flame graphs. */

#include "base/strbuf.h"
#include "profile/frame_table.h"

/* Behind the name of an inlined function where there is no other way to tell: perf's. */
#define FRAME_INLINED_MARK " (inlined)"

/* Behind the name of a frame that was guessed, wherever it is shown. */
#define FRAME_GUESSED_MARK " [guessed]"

/*
 * Appends the function's name, or "[libfoo.so]" where none is known, or "[unknown]" where nothing was mapped;
 * `addresses` keeps such frames apart: "[libfoo.so <1f40>]".
 * With the mark of guessed frames.
 */
void frame_text_add(struct strbuf *buf, const struct profile *profile, const struct frame *frame,
		    bool addresses);

/* perf's mark in front of a symbol: "[k] ", "[.] "…, always four columns. */
const char *frame_mode_mark(enum frame_mode mode);

/* "user", "kernel"… in JSON: values of the schema, never renamed. */
const char *frame_mode_name(enum frame_mode mode);

#endif
