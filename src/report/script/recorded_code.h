#ifndef XPROF_REPORT_SCRIPT_RECORDED_CODE_H
#define XPROF_REPORT_SCRIPT_RECORDED_CODE_H

/* The recorded code, read from the mapped files: programs, libraries, the vdso. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/debug_file.h"
#include "process/dso.h"
#include "symbol/object_needs.h"

struct recorded_code;

/* The search and its strings are borrowed. */
struct recorded_code *recorded_code_create(const struct debug_file_search *search);
void recorded_code_destroy(struct recorded_code *code);

/* From now on every look-up is noted in `needs`; NULL: no longer. */
void recorded_code_set_needs(struct recorded_code *code, struct object_needs *needs);

/*
 * The code at a file offset. Returns the number of bytes, or 0 if the file is not the recorded one, or has no
 * code (kernel, JIT, debug files). *bytes is valid as long as `code`.
 */
size_t recorded_code_at(struct recorded_code *code, const struct dso *dso, uint64_t file_offset,
			const uint8_t **bytes, bool *is_64bit);

/* Notes in the needs that `size` bytes at the offset were read. */
enum { RECORDED_CODE_NEED_BYTES = 256 }; /* granularity of a need */
void recorded_code_need(struct recorded_code *code, const struct dso *dso, uint64_t file_offset, size_t size);

#endif
