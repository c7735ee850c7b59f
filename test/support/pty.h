#ifndef XPROF_TEST_SUPPORT_PTY_H
#define XPROF_TEST_SUPPORT_PTY_H

/* A pseudoterminal, for what behaves differently on a terminal. */

#include <stddef.h>

struct pty {
	int master_fd; /* the person */
	int slave_fd;  /* the terminal that the program under test writes to */
};

void pty_open(struct pty *pty, unsigned short columns);
void pty_close(struct pty *pty);

/* The text written so far, NUL-terminated; the terminal has made "\r\n" of each newline. Returns `text`. */
char *pty_read(const struct pty *pty, char *text, size_t size);

#endif
