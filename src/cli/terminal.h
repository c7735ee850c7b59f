#ifndef XPROF_CLI_TERMINAL_H
#define XPROF_CLI_TERMINAL_H

/* The width of the terminal behind a file descriptor; `fallback` if it is none (or does not say). At least 20. */
unsigned terminal_columns(int fd, unsigned fallback);

#endif
