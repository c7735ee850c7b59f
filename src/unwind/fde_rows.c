#include "unwind/fde_rows.h"

#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"

/*
 * A slot is 0 (not put), ONE_ROW | size | rule, or 1 + the place of a header word in `words`: WIDE when each row takes
 * two words (distance, rule), the size, and the number of rows: if that is MANY, it is in the next word instead. The
 * size is the FDE's in bytes, 0 when there is no room for it.
 */
#define ONE_ROW 0x80000000u
#define WIDE 0x80000000u
enum { RULE_BITS = 15, ONE_ROW_SIZE_BITS = 16, COUNT_BITS = 11, SIZE_BITS = 20 };
enum { MANY = (1 << COUNT_BITS) - 1 };

static_assert(RULE_BITS + ONE_ROW_SIZE_BITS == 31 && COUNT_BITS + SIZE_BITS == 31, "beside the highest bit");

struct fde_rows {
	uint32_t *slots; /* of zeroed pages, of which only those in use cost anything */
	uint32_t *words;
	size_t word_count, word_capacity;
	size_t fde_count, row_count;
};

struct fde_rows *fde_rows_create(uint32_t fde_count)
{
	struct fde_rows *rows = xcalloc(1, sizeof(*rows));

	rows->slots = xcalloc(fde_count ? fde_count : 1, sizeof(*rows->slots));
	return rows;
}

void fde_rows_destroy(struct fde_rows *rows)
{
	if (!rows)
		return;
	free(rows->slots);
	free(rows->words);
	free(rows);
}

bool fde_rows_has(const struct fde_rows *rows, uint32_t fde)
{
	return rows->slots[fde] != 0;
}

static bool is_wide(const struct fde_row *added, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (added[i].distance > UINT16_MAX || added[i].rule > UINT16_MAX)
			return true;
	return false;
}

/* As much of a size as fits into some bits: all or nothing. */
static uint32_t size_in(uint64_t size_bytes, unsigned bits)
{
	return size_bytes < (uint64_t)1 << bits ? (uint32_t)size_bytes : 0;
}

static void add_word(struct fde_rows *rows, uint32_t word)
{
	rows->words[rows->word_count++] = word;
}

static void add_header(struct fde_rows *rows, uint64_t size_bytes, size_t count, bool wide)
{
	const uint32_t stated = count < MANY ? (uint32_t)count : MANY;

	add_word(rows, (wide ? WIDE : 0) | size_in(size_bytes, SIZE_BITS) << COUNT_BITS | stated);
	if (stated == MANY)
		add_word(rows, (uint32_t)count);
}

void fde_rows_put(struct fde_rows *rows, uint32_t fde, uint64_t size_bytes, const struct fde_row *added,
		  size_t count)
{
	enum { HEADER_WORDS = 2 };
	bool wide = is_wide(added, count);

	rows->fde_count++;
	rows->row_count += count;
	if (count == 1 && added->rule < 1u << RULE_BITS) {
		rows->slots[fde] =
			ONE_ROW | size_in(size_bytes, ONE_ROW_SIZE_BITS) << RULE_BITS | added->rule;
		return;
	}
	rows->words =
		array_grow(rows->words, &rows->word_capacity,
			   rows->word_count + HEADER_WORDS + count * (wide ? 2 : 1), sizeof(*rows->words));
	rows->slots[fde] = 1 + (uint32_t)rows->word_count;
	add_header(rows, size_bytes, count, wide);
	for (size_t i = 0; i < count; i++) {
		uint32_t distance = added[i].distance < UINT32_MAX ? (uint32_t)added[i].distance : UINT32_MAX;

		if (wide) {
			add_word(rows, distance);
			add_word(rows, added[i].rule);
		} else {
			add_word(rows, distance << 16 | added[i].rule);
		}
	}
}

uint64_t fde_rows_size(const struct fde_rows *rows, uint32_t fde)
{
	const uint32_t slot = rows->slots[fde];

	if (slot & ONE_ROW)
		return (slot & ~ONE_ROW) >> RULE_BITS;
	return slot ? (rows->words[slot - 1] & ~WIDE) >> COUNT_BITS : 0;
}

/* The last of `count` rows that begins at or below; the first always does. */
static size_t last_row(const uint32_t *words, size_t count, size_t step, uint32_t shift, uint64_t distance)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (words[middle * step] >> shift <= distance)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint32_t fde_rows_find(const struct fde_rows *rows, uint32_t fde, uint64_t distance)
{
	const uint32_t slot = rows->slots[fde];
	const uint32_t *words;
	size_t count;
	bool wide;

	if (slot & ONE_ROW)
		return slot & ((1u << RULE_BITS) - 1);
	words = &rows->words[slot - 1];
	wide = *words & WIDE;
	count = *words++ & MANY;
	if (count == MANY)
		count = *words++;
	return wide ? words[last_row(words, count, 2, 0, distance) * 2 + 1] :
		      words[last_row(words, count, 1, 16, distance)] & UINT16_MAX;
}

size_t fde_rows_bytes(const struct fde_rows *rows)
{
	return sizeof(*rows) + rows->fde_count * sizeof(*rows->slots) +
	       rows->word_count * sizeof(*rows->words);
}

size_t fde_rows_fde_count(const struct fde_rows *rows)
{
	return rows->fde_count;
}

size_t fde_rows_row_count(const struct fde_rows *rows)
{
	return rows->row_count;
}
