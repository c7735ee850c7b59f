#ifndef XPROF_RECORD_DESCRIPTOR_LIMIT_H
#define XPROF_RECORD_DESCRIPTOR_LIMIT_H

/* How many events can be open at once: each takes a descriptor, and the usual limit is 1024 (ulimit -n). */

#include <stddef.h>

/* Raises the limit until so many events fit, as far as this user may. Returns how many fit then; perhaps more than wanted. */
size_t descriptor_limit_raise(size_t events);

#endif
