#ifndef XPROF_REPORT_LOAD_TRACE_FIELDS_H
#define XPROF_REPORT_LOAD_TRACE_FIELDS_H

/* Turns the answers of the child that knows tracepoint formats into the texts of sample keys. */

#include "base/strbuf.h"
#include "profile/sample_keys.h"

/*
 * Gives a set of the event (its number and name) its texts out of an answer to tracepoint_formats_ask_fields(). A field
 * is what the kernel's own trace has behind "NAME=" or "NAME: ", else its value; a raw one is always its value.
 */
void trace_fields_take(struct sample_keys *keys, uint32_t set, uint32_t event, const char *event_name,
		       const struct strbuf *answer);

/* Nothing is known: the reason stands where the trace would. */
void trace_fields_fail(struct sample_keys *keys, uint32_t set, const char *why);

#endif
