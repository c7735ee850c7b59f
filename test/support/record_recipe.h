#ifndef XPROF_TEST_SUPPORT_RECORD_RECIPE_H
#define XPROF_TEST_SUPPORT_RECORD_RECIPE_H

/*
 * A record of every type: its fields in their order, and what `xprof dump` shows of it. Decoders are tested with them in
 * either byte order, and fuzzers begin with them.
 */

#include "support/perf_data_builder.h"

enum recipe_kind {
	RECIPE_END,
	RECIPE_U8,
	RECIPE_U16,
	RECIPE_U32,
	RECIPE_U64,
	RECIPE_TEXT,  /* with its terminator, padded to eight bytes */
	RECIPE_FIELD, /* text in `value` bytes, padded with zeros */
	RECIPE_SIZED, /* text in 64 bytes, preceded by that number: struct perf_header_string */
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
	const char *dumped; /* expected output without offset, size and sample_id */
};

struct feature_recipe {
	unsigned int feature;
	struct recipe_field fields[20];
	const char *dumped;
};

/* Ended by type 0. PERF_RECORD_SAMPLE has tests of its own; readers do not return COMPRESSED records. */
extern const struct record_recipe kernel_recipes[], tool_recipes[], simpleperf_recipes[];
bool record_recipes_have(const struct record_recipe *recipes, uint32_t type);

/* A recipe for each of perf's features with a layout. Ended by feature 0. */
extern const struct feature_recipe feature_recipes[];

/* The attr that the records belong to: a group read with ids, and every field of sample_id. */
struct perf_event_attr record_recipe_attr(void);

void record_recipe_build(struct perf_data_builder *b, const struct record_recipe *recipe);

/* Adds the feature to the file or pipe. */
void feature_recipe_build(struct perf_data_builder *b, const struct feature_recipe *recipe);

#endif
