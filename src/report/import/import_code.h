#ifndef XPROF_REPORT_IMPORT_IMPORT_CODE_H
#define XPROF_REPORT_IMPORT_IMPORT_CODE_H

/*
 * The code that samples of pprof and OTLP refer to: mappings, functions, and places. A place is an address with its lines, the
 * innermost inlined function first. It becomes locations of the model when a stack first contains it.
 */

#include "report/import/import_model.h"

#define IMPORT_NONE UINT32_MAX

struct import_mapping {
	uint64_t start, limit, offset; /* addresses of the code in memory, and its offset in the file */
	const char *path, *build_id;
};

struct import_function {
	const char *name, *file;
};

struct import_line {
	uint32_t function; /* number of the function; IMPORT_NONE: unknown */
	uint32_t line;     /* 0: unknown */
};

struct import_place {
	uint32_t mapping; /* number of the mapping; IMPORT_NONE: unknown */
	uint64_t address; /* run-time address; 0: unknown */
	uint32_t first_line, line_count;
	uint32_t first_frame; /* index in `frames`; IMPORT_NONE: no stack had it yet */
	bool is_kernel;       /* the profile says so; otherwise the mapping's name decides */
};

/* All zeros: empty. Texts are borrowed. */
struct import_code {
	struct import_mapping *mappings;
	struct import_function *functions;
	struct import_line *lines;
	struct import_place *places;
	uint32_t *frames; /* locations of the model, the outermost of each place first */
	size_t mapping_count, mapping_capacity, function_count, function_capacity, line_count, line_capacity,
		place_count, place_capacity, frame_count, frame_capacity;
};

void import_code_fini(struct import_code *code);

void import_code_add_mapping(struct import_code *code, const struct import_mapping *mapping);
/* `system_name` is shown if `name` is "". */
void import_code_add_function(struct import_code *code, const char *name, const char *system_name,
			      const char *file);
/* Adds a line to the place that is added next. A function that was not added is unknown, so is a line that is no int32_t. */
void import_code_add_line(struct import_code *code, uint64_t function, uint64_t line);
void import_code_add_place(struct import_code *code, uint32_t mapping, uint64_t address, uint32_t first_line);

/* Extends the stack `parent` by the frames of place `number`, which must exist. Returns the innermost node. */
uint32_t import_code_push(struct import_code *code, struct import_model *model, uint32_t parent,
			  uint32_t number);

#endif
