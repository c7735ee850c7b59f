#ifndef XPROF_REPORT_LOAD_TRACE_FIELDS_H
#define XPROF_REPORT_LOAD_TRACE_FIELDS_H

/* Turns the answers of the child process that decodes tracepoints into the texts of sample keys. */

#include "base/strbuf.h"
#include "profile/sample_keys.h"

/*
 * Sets the texts of a set of keys of the event (its number and name) from an answer to
 * tracepoint_formats_ask_fields(). The text of a field is what the kernel's trace prints after "NAME=" or
 * "NAME: ", otherwise its value; of a raw field always its value.
 */
void trace_fields_take(struct sample_keys *keys, uint32_t set, uint32_t event, const char *event_name,
		       const struct strbuf *answer);

/* The tracepoint cannot be decoded: the reason `why` becomes the text of the trace. */
void trace_fields_fail(struct sample_keys *keys, uint32_t set, const char *why);

#endif
