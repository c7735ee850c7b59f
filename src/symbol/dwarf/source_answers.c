/*
 * Three arrays: places, the frames they refer to by number, and a pool of texts. Encoding writes them one after the
 * other; decoding fills a new object, checks every number, and replaces the caller's object only if all of it is sound.
 */
#include "symbol/dwarf/source_answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void source_answers_init(struct source_answers *answers)
{
	*answers = (struct source_answers){ .texts = str_pool_create() };
}

void source_answers_fini(struct source_answers *answers)
{
	free(answers->places);
	free(answers->frames);
	str_pool_destroy(answers->texts);
}

void source_answers_add(struct source_answers *answers, uint64_t vaddr, const struct unit_frame *frames,
			size_t count)
{
	*ARRAY_ADD(answers->places, answers->place_count, answers->place_capacity) =
		(struct source_place){ vaddr, (uint32_t)answers->frame_count, (uint32_t)count };
	if (!count)
		return;
	answers->frames = array_grow(answers->frames, &answers->frame_capacity, answers->frame_count + count,
				     sizeof(*answers->frames));
	memcpy(answers->frames + answers->frame_count, frames, count * sizeof(*frames));
	answers->frame_count += count;
}

void source_answers_note_missing(struct source_answers *answers, const struct error *why)
{
	if (answers->missing++ == 0)
		answers->why = *why;
}

/*
 * Numbers of places, frames and texts, and bytes of texts (4 bytes each); places: vaddr (8), number of frames (4);
 * frames: function, file, line (4 each); texts, each with its terminator.
 */
struct header {
	uint32_t place_count, frame_count, text_count, text_bytes;
};

enum { PLACE_BYTES = 12, FRAME_BYTES = 12 };

void source_answers_encode(const struct source_answers *answers, struct strbuf *out)
{
	uint32_t texts = str_pool_count(answers->texts), text_bytes = 0;

	for (uint32_t i = 0; i < texts; i++)
		text_bytes += (uint32_t)strlen(str_pool_text(answers->texts, i)) + 1;
	strbuf_add_u32(out, (uint32_t)answers->place_count, false);
	strbuf_add_u32(out, (uint32_t)answers->frame_count, false);
	strbuf_add_u32(out, texts, false);
	strbuf_add_u32(out, text_bytes, false);
	for (size_t i = 0; i < answers->place_count; i++) {
		strbuf_add_u64(out, answers->places[i].vaddr, false);
		strbuf_add_u32(out, answers->places[i].frame_count, false);
	}
	for (size_t i = 0; i < answers->frame_count; i++) {
		strbuf_add_u32(out, answers->frames[i].function, false);
		strbuf_add_u32(out, answers->frames[i].file, false);
		strbuf_add_u32(out, answers->frames[i].line, false);
	}
	for (uint32_t i = 0; i < texts; i++)
		strbuf_add(out, str_pool_text(answers->texts, i),
			   strlen(str_pool_text(answers->texts, i)) + 1);
}

static bool read_header(struct byte_reader *r, struct header *header)
{
	header->place_count = byte_reader_u32(r);
	header->frame_count = byte_reader_u32(r);
	header->text_count = byte_reader_u32(r);
	header->text_bytes = byte_reader_u32(r);
	return byte_reader_ok(r) &&
	       byte_reader_left(r) == (uint64_t)header->place_count * PLACE_BYTES +
					      (uint64_t)header->frame_count * FRAME_BYTES +
					      header->text_bytes;
}

/* Each text must get the number that it had when written; otherwise source_cache_save() did not write this file. */
static bool read_texts(struct byte_reader r, const struct header *header, struct str_pool *texts)
{
	for (uint32_t i = 0; i < header->text_count; i++) {
		const uint8_t *end = memchr(r.next, 0, byte_reader_left(&r));
		size_t size = end ? (size_t)(end - r.next) : 0;

		if (!end || str_pool_add_n(texts, (const char *)r.next, size) != i)
			return false;
		byte_reader_skip(&r, size + 1);
	}
	return true;
}

static bool read_places(struct byte_reader r, const struct header *header, struct source_answers *answers)
{
	struct byte_reader places = byte_reader_sub(&r, (size_t)header->place_count * 12);
	struct unit_frame frames[INLINE_MAX_DEPTH];

	for (uint32_t i = 0; i < header->place_count; i++) {
		uint64_t vaddr = byte_reader_u64(&places);
		uint32_t count = byte_reader_u32(&places);

		if (count > INLINE_MAX_DEPTH || count * 12 > byte_reader_left(&r))
			return false;
		for (uint32_t j = 0; j < count; j++) {
			frames[j].function = byte_reader_u32(&r);
			frames[j].file = byte_reader_u32(&r);
			frames[j].line = byte_reader_u32(&r);
			if (frames[j].function >= header->text_count || frames[j].file >= header->text_count)
				return false;
		}
		source_answers_add(answers, vaddr, frames, count);
	}
	return true;
}

int source_answers_decode(struct source_answers *answers, struct byte_reader r)
{
	struct source_answers read;
	struct byte_reader texts;
	struct header header;
	bool good = false;

	source_answers_init(&read);
	if (read_header(&r, &header)) {
		texts = r;
		byte_reader_skip(&texts, (size_t)header.place_count * PLACE_BYTES +
						 (size_t)header.frame_count * FRAME_BYTES);
		good = read_texts(texts, &header, read.texts) && read_places(r, &header, &read);
	}
	if (good) {
		source_answers_fini(answers);
		*answers = read;
	} else {
		source_answers_fini(&read);
	}
	return good;
}

static const uint32_t FILE_MARK = 0x78707201, SWAPPED_FILE_MARK = 0x01727078;

void source_answers_encode_file(const struct source_answers *answers, struct strbuf *out)
{
	strbuf_add_u32(out, FILE_MARK, false);
	source_answers_encode(answers, out);
}

int source_answers_decode_file(struct source_answers *answers, const void *bytes, size_t size)
{
	struct byte_reader r = byte_reader_over(bytes, size, false);
	uint32_t mark = byte_reader_u32(&r);

	if (mark != FILE_MARK && mark != SWAPPED_FILE_MARK)
		return 0;
	r = byte_reader_over(bytes, size, mark == SWAPPED_FILE_MARK);
	byte_reader_skip(&r, sizeof(mark));
	return source_answers_decode(answers, r);
}
