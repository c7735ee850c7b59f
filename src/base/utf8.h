#ifndef XPROF_BASE_UTF8_H
#define XPROF_BASE_UTF8_H

/*
 * UTF-8 characters, and which of them must not reach a terminal: a recorded program chooses its own name and
 * those of its functions and files.
 */

#include <stdbool.h>
#include <stddef.h>

/*
 * The length, 1 to 4, of the valid sequence at the start of `bytes`; 0 if there is none. Reads at most `size`
 * bytes.
 */
size_t utf8_length(const char *bytes, size_t size);

/* The same for NUL-terminated text. */
size_t utf8_sequence_length(const char *text);

/* The code point of a valid sequence of that length. */
unsigned utf8_code_point(const char *bytes, size_t length);

/*
 * Does the valid sequence of that length do more than show a character? True for control characters (C0, DEL
 * and C1, U+0080 to U+009F), line and paragraph separators (U+2028, U+2029) and characters that reorder the
 * text around them (Unicode 15, Bidi_Control: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
 */
bool utf8_is_harmful(const char *bytes, size_t length);

/* The number of bytes from `text` to `end` before the first that is not printable ASCII: nearly always all. */
size_t utf8_plain_length(const char *text, const char *end);

/* Replaces each harmful character and each invalid byte by '?', in place. Returns the new length. */
size_t utf8_make_harmless(char *text);

#endif
