#ifndef XPROF_REPORT_IMPORT_IMPORT_NUMBERS_H
#define XPROF_REPORT_IMPORT_IMPORT_NUMBERS_H

/* Numbers of repeated protobuf fields, packed or single, and texts of a protobuf string table. */

#include "base/arena.h"
#include "format/protobuf_field.h"

struct import_numbers {
	uint64_t *items;
	size_t count, capacity;
};

/* Returns 0, or -1 if the packed numbers are damaged. */
int import_numbers_add(struct import_numbers *numbers, const struct protobuf_field *field);
void import_numbers_add_one(struct import_numbers *numbers, uint64_t number);
void import_numbers_fini(struct import_numbers *numbers);

struct import_strings {
	const char **items; /* NUL-terminated; NULs inside cut them */
	size_t count, capacity;
	struct arena texts;
};

void import_strings_add(struct import_strings *strings, const struct protobuf_field *field);
void import_strings_fini(struct import_strings *strings);

/* Returns "" for a number that is not in the table. */
const char *import_strings_at(const struct import_strings *strings, uint64_t number);

#endif
