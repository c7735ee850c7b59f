#ifndef XPROF_TEST_SUPPORT_PTY_H
#define XPROF_TEST_SUPPORT_PTY_H

/* A pseudoterminal, for code that behaves differently on a terminal. */

#include <stddef.h>

struct pty {
	int master_fd; /* the user's side */
	int slave_fd;  /* the terminal to which the tested program writes */
};

void pty_open(struct pty *pty, unsigned short columns);
void pty_close(struct pty *pty);

/* The text written so far, with a terminator. The terminal turns newlines into "\r\n". Returns `text`. */
char *pty_read(const struct pty *pty, char *text, size_t size);

#endif
