#ifndef XPROF_SYMBOL_SOURCE_ANSWERS_H
#define XPROF_SYMBOL_SOURCE_ANSWERS_H

/* Addresses and their source frames: the results of one thread, of all threads, or of a cache file. */

#include "base/byte_reader.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "symbol/dwarf/unit_source.h"

/* One address and its frames; none if nothing is known there. */
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
	struct error why; /* why the first missing part is missing */
};

void source_answers_init(struct source_answers *answers);
void source_answers_fini(struct source_answers *answers);
void source_answers_add(struct source_answers *answers, uint64_t vaddr, const struct unit_frame *frames,
			size_t count);
void source_answers_note_missing(struct source_answers *answers, const struct error *why);

/* Encodes answers as bytes, in this machine's byte order. */
void source_answers_encode(const struct source_answers *answers, struct strbuf *out);

/* Decodes the rest of the reader into answers that must be empty. Checks every number. Returns 1, or 0 if it is damaged. */
int source_answers_decode(struct source_answers *answers, struct byte_reader r);

/* The same with a mark of the byte order in front, for files that may be read on other machines. */
void source_answers_encode_file(const struct source_answers *answers, struct strbuf *out);
int source_answers_decode_file(struct source_answers *answers, const void *bytes, size_t size);

#endif
