#ifndef XPROF_RECORD_TRACEPOINT_FIELDS_H
#define XPROF_RECORD_TRACEPOINT_FIELDS_H

/*
 * The fields of a tracepoint's hits, from its format file (Documentation/trace/events.rst, "Event formats").
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

/* Appends the format file of SYSTEM:NAME. */
int tracepoint_format_read(struct strbuf *format, const char *tracefs, const char *tracepoint,
			   struct error *err);

/* Calls visit with the name of each field, `length` bytes, until it returns true; true if it did. */
bool tracepoint_fields_each(const char *format, bool (*visit)(const char *name, size_t length, void *context),
			    void *context);

#endif
