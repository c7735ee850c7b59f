#ifndef XPROF_TEXT_SAFE_TEXT_H
#define XPROF_TEXT_SAFE_TEXT_H

/*
 * Names come from recorded programs, which may call themselves what they like: a command name can hold
 * newlines and escape sequences. All text printed for people goes through here, so that a name can neither
 * break a line nor drive a terminal.
 */

#include "base/strbuf.h"

/* Appends `text`, with '?' for characters that are utf8_is_harmful() and for invalid UTF-8. */
void safe_text_add(struct strbuf *buf, const char *text);

/* The same in place, for the bytes of the buffer from offset `from` on, which must not contain NULs. */
void safe_text_clean(struct strbuf *buf, size_t from);

/* The number of terminal columns that the text takes after safe_text_add(): one for each code point. */
size_t safe_text_columns(const char *text);

/* Appends at most `columns` columns of `text`, made safe; "..." replaces the end if that was cut. */
void safe_text_add_cut(struct strbuf *buf, const char *text, size_t columns);

/*
 * Appends a function name in at most `columns` columns: template arguments are folded to <...>, innermost first;
 * if the name is still too long, "..." replaces a part before its end, because the end tells most.
 */
void safe_text_add_function(struct strbuf *buf, const char *name, size_t columns);

#endif
