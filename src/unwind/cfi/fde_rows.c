/*
 * A slot of 32 bits per FDE holds a single row itself, or the place of several rows in one array of words. Rows whose numbers do
 * not fit into 16 bits use a longer form. When the array is full, all rows are dropped and compiled anew on demand.
 */
#include "unwind/cfi/fde_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/*
 * A slot is 0 (not put), ONE_ROW | size | rule, or the number of rows and the index of their first word in `words`. The first
 * word there has the FDE's size and the first row's rule, as that row's distance is 0; each further row is a word with its
 * distance and rule. If a number does not fit, the slot has LONG instead of the number of rows, and `words` has the size, the
 * number of rows, and two words for each row. A size of 0 means unknown.
 */
#define ONE_ROW 0x80000000u
enum { RULE_BITS = 15, ONE_ROW_SIZE_BITS = 16, PLACE_BITS = 24, COUNT_BITS = 7 };
enum { LONG = (1 << COUNT_BITS) - 1, MAX_WORDS = 1 << PLACE_BITS, LONG_HEADER_WORDS = 2 };

static_assert(RULE_BITS + ONE_ROW_SIZE_BITS == 31 && PLACE_BITS + COUNT_BITS == 31, "beside the highest bit");

struct fde_rows {
	uint32_t *slots;
	size_t slot_count;
	uint32_t *words;
	size_t word_count, word_capacity;
	size_t fde_count, row_count;
};

struct fde_rows *fde_rows_create(uint32_t fde_count)
{
	struct fde_rows *rows = xcalloc(1, sizeof(*rows));

	rows->slot_count = fde_count;
	rows->slots = xcalloc_written(fde_count ? fde_count : 1, sizeof(*rows->slots));
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

static bool is_long(uint64_t size_bytes, const struct fde_row *added, size_t count)
{
	if (size_bytes > UINT16_MAX || count >= LONG)
		return true;
	for (size_t i = 0; i < count; i++)
		if (added[i].distance > UINT16_MAX || added[i].rule > UINT16_MAX)
			return true;
	return false;
}

static uint32_t at_most_32_bits(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* The size, or 0 (unknown) if it does not fit into the bits. */
static uint32_t size_in(uint64_t size_bytes, unsigned bits)
{
	return size_bytes < (uint64_t)1 << bits ? (uint32_t)size_bytes : 0;
}

static void add_word(struct fde_rows *rows, uint32_t word)
{
	rows->words[rows->word_count++] = word;
}

static void add_long(struct fde_rows *rows, uint64_t size_bytes, const struct fde_row *added, size_t count)
{
	add_word(rows, size_in(size_bytes, 32));
	add_word(rows, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		add_word(rows, at_most_32_bits(added[i].distance));
		add_word(rows, added[i].rule);
	}
}

static void add_short(struct fde_rows *rows, uint64_t size_bytes, const struct fde_row *added, size_t count)
{
	add_word(rows, (uint32_t)size_bytes << 16 | added[0].rule);
	for (size_t i = 1; i < count; i++)
		add_word(rows, (uint32_t)added[i].distance << 16 | added[i].rule);
}

static void forget_all(struct fde_rows *rows)
{
	memset(rows->slots, 0, rows->slot_count * sizeof(*rows->slots));
	rows->word_count = rows->fde_count = rows->row_count = 0;
}

/* Returns the index of the next word. Hundreds of thousands of FDEs fill the array; the rows in use are then compiled again. */
static uint32_t make_room(struct fde_rows *rows, size_t word_count)
{
	if (rows->word_count + word_count > MAX_WORDS)
		forget_all(rows);
	rows->words = array_grow(rows->words, &rows->word_capacity, rows->word_count + word_count,
				 sizeof(*rows->words));
	return (uint32_t)rows->word_count;
}

void fde_rows_put(struct fde_rows *rows, uint32_t fde, uint64_t size_bytes, const struct fde_row *added,
		  size_t count)
{
	if (count == 1 && added->rule < 1u << RULE_BITS) {
		rows->slots[fde] =
			ONE_ROW | size_in(size_bytes, ONE_ROW_SIZE_BITS) << RULE_BITS | added->rule;
	} else if (is_long(size_bytes, added, count)) {
		rows->slots[fde] = LONG << PLACE_BITS | make_room(rows, LONG_HEADER_WORDS + 2 * count);
		add_long(rows, size_bytes, added, count);
	} else {
		rows->slots[fde] = (uint32_t)count << PLACE_BITS | make_room(rows, count);
		add_short(rows, size_bytes, added, count);
	}
	rows->fde_count++;
	rows->row_count += count;
}

static const uint32_t *words_of(const struct fde_rows *rows, uint32_t slot)
{
	return &rows->words[slot & (MAX_WORDS - 1)];
}

uint64_t fde_rows_size(const struct fde_rows *rows, uint32_t fde)
{
	const uint32_t slot = rows->slots[fde];

	if (!slot)
		return 0;
	if (slot & ONE_ROW)
		return (slot & ~ONE_ROW) >> RULE_BITS;
	return slot >> PLACE_BITS == LONG ? *words_of(rows, slot) : *words_of(rows, slot) >> 16;
}

/* Of rows sorted by distance, the first of which is at 0, returns the last at or below `distance`. */
static size_t last_row(const uint32_t *words, size_t count, size_t step, uint32_t shift, uint64_t distance)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

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

	if (slot & ONE_ROW)
		return slot & ((1u << RULE_BITS) - 1);
	words = words_of(rows, slot);
	if (slot >> PLACE_BITS != LONG)
		return words[last_row(words, slot >> PLACE_BITS, 1, 16, distance)] & UINT16_MAX;
	return words[LONG_HEADER_WORDS + 1 +
		     2 * last_row(words + LONG_HEADER_WORDS, words[1], 2, 0, distance)];
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
