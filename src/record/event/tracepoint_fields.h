#ifndef XPROF_RECORD_TRACEPOINT_FIELDS_H
#define XPROF_RECORD_TRACEPOINT_FIELDS_H

/*
 * The fields of a tracepoint's hits, from its format file (Documentation/trace/events.rst, "Event formats").
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

/* Appends the text of the format file of SYSTEM:NAME. Returns 0, or -1 with err. */
int tracepoint_format_read(struct strbuf *format, const char *tracefs, const char *tracepoint,
			   struct error *err);

/*
 * Calls visit for each field until it returns true. `name` has `length` bytes, no terminator. Returns true if
 * visit did.
 */
bool tracepoint_fields_each(const char *format, bool (*visit)(const char *name, size_t length, void *context),
			    void *context);

#endif
