#ifndef XPROF_BASE_ERROR_H
#define XPROF_BASE_ERROR_H

/*
 * Errors are values: a fallible function takes `struct error *err` as its last
 * argument, fills it and returns -1. Library code neither prints nor exits;
 * main.c prints the message once, behind "xprof: ".
 *
 * A message says what failed, where, and what the user can do about it, in one
 * line without a final full stop or newline.
 */

struct error {
	char message[1024]; /* NUL-terminated; longer texts are cut, never overrun */
	int errno_value;    /* 0 when no system call was involved */
};

/* Formats the message; returns -1, so that `return error_set(err, ...)` reads well. err may be NULL. */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As error_set(), and appends ": " and strerror(errno_value). */
int error_set_errno(struct error *err, int errno_value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts a context in front of a message that is already there: "<context>: <message>". Returns -1. */
int error_wrap(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
