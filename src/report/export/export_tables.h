#ifndef XPROF_REPORT_EXPORT_EXPORT_TABLES_H
#define XPROF_REPORT_EXPORT_EXPORT_TABLES_H

/*
 * The tables of pprof's format and similar ones: places (addresses with the functions inlined there), functions, mappings and
 * strings. Numbers are assigned at the first use, densely from 1; 0 means none. String 0 is the empty one; strings are clean
 * UTF-8.
 *
 *     count = export_tables_stack(&tables, sample->stack, &places);
 */

#include "base/str_pool.h"
#include "report/export/export_format.h"

/* An address, by the node of its innermost function in the profile's stacks. */
struct export_place {
	uint32_t stack;
	uint32_t mapping;
};

struct export_function {
	uint32_t name, file; /* strings; 0: unknown */
};

struct export_mapping {
	uint32_t dso;         /* number in the profile */
	uint64_t first, last; /* lowest and highest address of its places */
};

struct export_tables {
	const struct export_input *input;
	struct str_pool *strings;
	struct export_place *places;
	size_t place_count, place_capacity;
	struct export_function *functions;
	size_t function_count, function_capacity;
	struct export_mapping *mappings;
	size_t mapping_count, mapping_capacity;

	uint32_t *place_of;   /* by location * 2, + 1 for a guessed frame */
	uint32_t *mapping_of; /* by DSO */
	struct str_pool *function_keys;
	struct strbuf scratch;
	uint32_t *stack; /* see export_tables_stack() */
	size_t stack_capacity;
};

/* Mapping 1 is the program with most of the chosen samples, because readers take that for the profiled program. */
void export_tables_init(struct export_tables *tables, const struct export_input *input, const bool *chosen);
void export_tables_fini(struct export_tables *tables);

uint32_t export_tables_string(struct export_tables *tables, const char *text);

/* The places of a stack, innermost first, and their number. Valid until the next call. */
size_t export_tables_stack(struct export_tables *tables, uint32_t stack, const uint32_t **places);

/*
 * Appends the functions at a place to its message, as messages Line in `field`: the innermost inlined function first, the
 * compiled function last. pprof and OTLP use the same field numbers in Line.
 */
void export_tables_add_lines(struct export_tables *tables, struct strbuf *message, uint32_t field,
			     uint32_t stack);

/* The address range to write for a mapping: whole pages around its places. */
uint64_t export_mapping_start(const struct export_mapping *mapping);
uint64_t export_mapping_limit(const struct export_mapping *mapping);

#endif
