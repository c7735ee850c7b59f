#ifndef XPROF_TEXT_FOLDED_LINE_H
#define XPROF_TEXT_FOLDED_LINE_H

/* Lines of folded stacks: "comm;outermost;innermost 42", as tools for flame graphs write them. */

#include <stdbool.h>
#include <stdint.h>

/*
 * Cuts the weight, and the blank in front of it, off the end of `line`. A fraction is rounded. Returns false, and leaves the
 * line unchanged, if the text behind the last blank is not a weight.
 */
bool folded_line_take_weight(char *line, uint64_t *weight);

#endif
