#ifndef XPROF_TEST_SUPPORT_RECORD_RECIPE_H
#define XPROF_TEST_SUPPORT_RECORD_RECIPE_H

/*
 * A record of every type, as its fields one after the other and as what `xprof dump` shows of it: what
 * decoders are tested with in either byte order, and what fuzzers begin with.
 */

#include "support/perf_data_builder.h"

enum recipe_kind {
	RECIPE_END,
	RECIPE_U8,
	RECIPE_U16,
	RECIPE_U32,
	RECIPE_U64,
	RECIPE_TEXT,  /* with its NUL, padded to eight bytes of its own */
	RECIPE_FIELD, /* text in `value` bytes, zeros behind it */
	RECIPE_TRAILER,
};

struct recipe_field {
	enum recipe_kind kind;
	uint64_t value;
	const char *text;
};

struct record_recipe {
	uint32_t type;
	uint16_t misc;
	struct recipe_field fields[20];
	const char *dumped; /* without offset, size and sample_id */
};

/* Ended by type 0. PERF_RECORD_SAMPLE has tests of its own; COMPRESSED ones are not handed out. */
extern const struct record_recipe kernel_recipes[], tool_recipes[], simpleperf_recipes[];

/* The attr that they belong to: a group read with ids, and every field of sample_id. */
struct perf_event_attr record_recipe_attr(void);

void record_recipe_build(struct perf_data_builder *b, const struct record_recipe *recipe);

#endif
