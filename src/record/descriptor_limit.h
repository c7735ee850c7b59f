#ifndef XPROF_RECORD_DESCRIPTOR_LIMIT_H
#define XPROF_RECORD_DESCRIPTOR_LIMIT_H

/*
 * The number of events that can be open at once: each takes a file descriptor, and the usual limit is 1024
 * (ulimit -n).
 */

#include <stddef.h>

/*
 * Raises the limit so that `events` events can be open, as far as this user is permitted to. Returns the
 * number that fits now, which can be less or more than `events`.
 */
size_t descriptor_limit_raise(size_t events);

#endif
