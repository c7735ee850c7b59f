#ifndef XPROF_SYMBOL_SOURCE_ANSWERS_H
#define XPROF_SYMBOL_SOURCE_ANSWERS_H

/* Addresses and their source frames: what one thread has found out, or all, or a file of the cache holds. */

#include "base/byte_reader.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "symbol/dwarf/unit_source.h"

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
void source_answers_note_missing(struct source_answers *answers, const struct error *why);

/* As bytes, in this machine's order. */
void source_answers_encode(const struct source_answers *answers, struct strbuf *out);

/* All that is left in the reader, in place of answers that are still empty. 1, 0: it is damaged. Every number is checked. */
int source_answers_decode(struct source_answers *answers, struct byte_reader r);

/* The same with a mark in front that tells the byte order, for files that go to other machines. */
void source_answers_encode_file(const struct source_answers *answers, struct strbuf *out);
int source_answers_decode_file(struct source_answers *answers, const void *bytes, size_t size);

#endif
