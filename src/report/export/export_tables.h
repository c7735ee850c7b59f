#ifndef XPROF_REPORT_EXPORT_EXPORT_TABLES_H
#define XPROF_REPORT_EXPORT_EXPORT_TABLES_H

/*
 * The tables that pprof's format and those made after it share: places (addresses with the functions inlined there),
 * functions, mappings and strings. Numbers are given at the first use, dense and from 1; 0 stands for none. Strings begin
 * with the empty one, 0, and are clean UTF-8.
 *
 *     for (node = sample->stack; node != PROFILE_NONE; node = export_tables_caller(&tables, node))
 *             add(export_tables_place(&tables, node));
 */

#include "base/str_pool.h"
#include "report/export/export_format.h"

/* An address: a node of the profile's stacks, that of the innermost function there. */
struct export_place {
	uint32_t stack;
	uint32_t mapping;
};

struct export_function {
	uint32_t name, file; /* strings; 0: not known */
};

struct export_mapping {
	uint32_t dso;         /* of the profile */
	uint64_t first, last; /* least and greatest address of a place in it */
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

	uint32_t *place_of;   /* by location * 2, + 1 of a guessed frame */
	uint32_t *mapping_of; /* by DSO */
	struct str_pool *function_keys;
	struct strbuf scratch;
};

/* The program that most of the chosen samples are of is mapping 1: readers take that for what was profiled. */
void export_tables_init(struct export_tables *tables, const struct export_input *input, const bool *chosen);
void export_tables_fini(struct export_tables *tables);

uint32_t export_tables_string(struct export_tables *tables, const char *text);
uint32_t export_tables_place(struct export_tables *tables, uint32_t stack);

/* The node of the place that called this one; PROFILE_NONE: it is the outermost. */
uint32_t export_tables_caller(const struct export_tables *tables, uint32_t stack);

/*
 * Appends the functions at a place to its message, as messages Line of this field: callee first, that is the innermost
 * inlined function up to the one that was compiled. pprof and OTLP number the fields of Line alike.
 */
void export_tables_add_lines(struct export_tables *tables, struct strbuf *message, uint32_t field,
			     uint32_t stack);

/* The range that a mapping is said to have: whole pages around its places. */
uint64_t export_mapping_start(const struct export_mapping *mapping);
uint64_t export_mapping_limit(const struct export_mapping *mapping);

#endif
