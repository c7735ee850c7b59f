#ifndef XPROF_TEXT_SAFE_TEXT_H
#define XPROF_TEXT_SAFE_TEXT_H

/*
 * Names come from recorded programs, which may call themselves what they like: a command name can hold
 * newlines and escape sequences. All text printed for people goes through here, so that a name can neither
 * break a line nor drive a terminal.
 */

#include "base/strbuf.h"

/* Appends `text` with what utf8_is_harmful() and invalid UTF-8 as '?'. */
void safe_text_add(struct strbuf *buf, const char *text);

/* The same in place, for what stands in the buffer from there on; without NULs. */
void safe_text_clean(struct strbuf *buf, size_t from);

/* Columns that text takes on a terminal, after safe_text_add(): one a code point. */
size_t safe_text_columns(const char *text);

/* Appends `text`, made safe, of which no more than `columns` are shown: "..." stands for an end that was cut. */
void safe_text_add_cut(struct strbuf *buf, const char *text, size_t columns);

/*
 * Appends a function name that must not take more than `columns`: template arguments are folded to <...> from the
 * innermost outwards, and if that does not do, "..." stands for a part before the end, which tells most.
 */
void safe_text_add_function(struct strbuf *buf, const char *name, size_t columns);

#endif
