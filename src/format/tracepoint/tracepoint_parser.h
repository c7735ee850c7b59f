#ifndef XPROF_FORMAT_TRACEPOINT_PARSER_H
#define XPROF_FORMAT_TRACEPOINT_PARSER_H

/*
 * libtraceevent's understanding of TRACING_DATA. The library trusts what it reads: a damaged format can crash
 * it (as 1.7.1 does) and a sample can make it divide by zero, so run this in a child process for untrusted
 * files: see tracepoint_format.h.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/error.h"
#include "base/strbuf.h"

struct tracepoint_parser;

/* Was xprof built with the library? The rest fails if not. */
bool tracepoint_parser_available(void);

/* The name of the function at an address of the kernel, which becomes that of its start; NULL: not known. */
typedef const char *tracepoint_resolve(uint64_t *address, void *context);

/* NULL with err when the library is missing or the bytes are no tracing data. They need not outlive the call. */
struct tracepoint_parser *tracepoint_parser_create(struct byte_reader tracing_data,
						   tracepoint_resolve *resolve, void *context,
						   struct error *err);
void tracepoint_parser_destroy(struct tracepoint_parser *parser);

/* All as in tracepoint_format.h. */
int tracepoint_parser_name(const struct tracepoint_parser *parser, uint64_t config, struct strbuf *name);
int tracepoint_parser_print(struct tracepoint_parser *parser, uint64_t config, uint32_t cpu,
			    const uint8_t *raw, size_t raw_size, struct strbuf *out, struct error *err);
int tracepoint_parser_fields(struct tracepoint_parser *parser, uint64_t config, const uint8_t *raw,
			     size_t raw_size, struct strbuf *out, struct error *err);

#endif
