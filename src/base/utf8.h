#ifndef XPROF_BASE_UTF8_H
#define XPROF_BASE_UTF8_H

/*
 * Characters of UTF-8, and which of them a name must not bring to a terminal: a recorded program may call itself,
 * its functions and its files what it likes.
 */

#include <stdbool.h>
#include <stddef.h>

/* The length of the valid sequence at `bytes`, of which `size` may be read: 1 to 4; 0 if there is none. */
size_t utf8_length(const char *bytes, size_t size);

/* The same in text that ends with a NUL, which is not read past. */
size_t utf8_sequence_length(const char *text);

/* The code point of a valid sequence of that length. */
unsigned utf8_code_point(const char *bytes, size_t length);

/*
 * Does the valid sequence of that length do more than show a character? True for control characters (C0, DEL
 * and C1, U+0080 to U+009F), line and paragraph separators (U+2028, U+2029) and what reorders the text around
 * it (Unicode 15, Bidi_Control: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
 */
bool utf8_is_harmful(const char *bytes, size_t length);

/* In place: each such character, and each byte that is no valid UTF-8, becomes '?'. Returns the new length. */
size_t utf8_make_harmless(char *text);

#endif
