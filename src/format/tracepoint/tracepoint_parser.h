#ifndef XPROF_FORMAT_TRACEPOINT_PARSER_H
#define XPROF_FORMAT_TRACEPOINT_PARSER_H

/*
 * Decodes TRACING_DATA with libtraceevent. The library trusts its input: a damaged format can crash it (as
 * 1.7.1 does), and a sample can make it divide by zero. So it must run in a child process: see
 * tracepoint_format.h.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/error.h"
#include "base/strbuf.h"

struct tracepoint_parser;

/* Was xprof built with the library? If not, all other functions fail. */
bool tracepoint_parser_available(void);

/* Returns the name of the kernel function at *address, and sets *address to its start; NULL if unknown. */
typedef const char *tracepoint_resolve(uint64_t *address, void *context);

/*
 * Returns NULL with err set if the library is missing or the bytes are not tracing data. The bytes need not
 * outlive the call.
 */
struct tracepoint_parser *tracepoint_parser_create(struct byte_reader tracing_data,
						   tracepoint_resolve *resolve, void *context,
						   struct error *err);
void tracepoint_parser_destroy(struct tracepoint_parser *parser);

/* As in tracepoint_format.h. */
int tracepoint_parser_name(const struct tracepoint_parser *parser, uint64_t config, struct strbuf *name);
int tracepoint_parser_print(struct tracepoint_parser *parser, uint64_t config, uint32_t cpu,
			    const uint8_t *raw, size_t raw_size, struct strbuf *out, struct error *err);
int tracepoint_parser_fields(struct tracepoint_parser *parser, uint64_t config, const uint8_t *raw,
			     size_t raw_size, struct strbuf *out, struct error *err);

#endif
