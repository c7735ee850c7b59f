#ifndef XPROF_TEXT_SAFE_TEXT_H
#define XPROF_TEXT_SAFE_TEXT_H

/*
 * Names come from recorded programs, which may call themselves what they like:
 * a command name can hold newlines and escape sequences. Whatever is printed for
 * people goes through here, so that a name can neither break a line nor drive a
 * terminal.
 */

#include "base/strbuf.h"

/* Appends `text` with control characters (C0, DEL, and C1 in UTF-8) and invalid UTF-8 as '?'. */
void safe_text_add(struct strbuf *buf, const char *text);

/* Columns that text takes on a terminal, after safe_text_add(): one a code point. */
size_t safe_text_columns(const char *text);

/*
 * The length of the valid UTF-8 sequence at `bytes`: 1 to 4, or 0 when there is none (NUL-terminated input never
 * is read past its end).
 */
size_t utf8_sequence_length(const char *bytes);

/* Appends `text`, made safe, of which no more than `columns` are shown: "..." stands for an end that was cut. */
void safe_text_add_cut(struct strbuf *buf, const char *text, size_t columns);

/*
 * Appends a function name that must not take more than `columns`: template arguments are folded to <...> from the
 * innermost outwards, and if that does not do, "..." stands for a part before the end, which tells most.
 */
void safe_text_add_function(struct strbuf *buf, const char *name, size_t columns);

#endif
