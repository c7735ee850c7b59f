#ifndef XPROF_TEXT_FOLDED_LINE_H
#define XPROF_TEXT_FOLDED_LINE_H

/* Lines of folded stacks: "comm;outermost;innermost 42", as tools for flame graphs write them. */

#include <stdbool.h>
#include <stdint.h>

/*
 * Cuts the weight off the line's end, with the blank in front of it. A fraction is rounded. False, and the line is as it was:
 * the text behind the last blank is no weight.
 */
bool folded_line_take_weight(char *line, uint64_t *weight);

#endif
