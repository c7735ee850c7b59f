#ifndef XPROF_SYMBOL_SOURCE_ANSWERS_H
#define XPROF_SYMBOL_SOURCE_ANSWERS_H

/* Addresses and their source frames: what one thread has found out, or all, or a file of the cache holds. */

#include "base/error.h"
#include "symbol/unit_source.h"

/* One address and its frames; none: nothing is known there. */
struct source_place {
	uint64_t vaddr;
	uint32_t first_frame, frame_count;
};

struct source_answers {
	struct source_place *places;
	size_t place_count, place_capacity;
	struct unit_frame *frames;
	size_t frame_count, frame_capacity;
	struct str_pool *texts;
	size_t missing;
	struct error why; /* of the first that is missing */
};

void source_answers_init(struct source_answers *answers);
void source_answers_fini(struct source_answers *answers);
void source_answers_add(struct source_answers *answers, uint64_t vaddr, const struct unit_frame *frames,
			size_t count);

#endif
