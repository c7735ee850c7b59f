#ifndef XPROF_TEST_SUPPORT_OPTION_WORDS_H
#define XPROF_TEST_SUPPORT_OPTION_WORDS_H

/* A command line as text. */

#include "cli/option.h"

/* Parses words separated by blanks into `options`, which contain the defaults. Texts are valid until the next call. */
enum option_result option_words_parse(const struct cli_command *command, void *options, const char *words);

#endif
