#ifndef XPROF_CLI_TERMINAL_H
#define XPROF_CLI_TERMINAL_H

/*
 * The width of the terminal behind a file descriptor; `fallback` if it is not a terminal or its width is unknown.
 * At least 20.
 */
unsigned terminal_columns(int fd, unsigned fallback);

#endif
