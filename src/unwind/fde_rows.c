#include "unwind/fde_rows.h"

#include <stdlib.h>

#include "base/xalloc.h"

/*
 * A slot is 0 (not put), ONE_ROW | rule, or 1 + the place of a header word in
 * `words`: the number of rows, WIDE when each takes two words (distance, rule).
 */
#define ONE_ROW 0x80000000u
#define WIDE 0x80000000u

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

void fde_rows_put(struct fde_rows *rows, uint32_t fde, const struct fde_row *added, size_t count)
{
	bool wide = is_wide(added, count);

	rows->fde_count++;
	rows->row_count += count;
	if (count == 1) {
		rows->slots[fde] = ONE_ROW | added->rule;
		return;
	}
	rows->words = array_grow(rows->words, &rows->word_capacity,
				 rows->word_count + 1 + count * (wide ? 2 : 1), sizeof(*rows->words));
	rows->slots[fde] = 1 + (uint32_t)rows->word_count;
	rows->words[rows->word_count++] = (uint32_t)count | (wide ? WIDE : 0);
	for (size_t i = 0; i < count; i++) {
		uint32_t distance = added[i].distance < UINT32_MAX ? (uint32_t)added[i].distance : UINT32_MAX;

		if (wide) {
			rows->words[rows->word_count++] = distance;
			rows->words[rows->word_count++] = added[i].rule;
		} else {
			rows->words[rows->word_count++] = distance << 16 | added[i].rule;
		}
	}
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
	uint32_t slot = rows->slots[fde], header;
	const uint32_t *words;

	if (slot & ONE_ROW)
		return slot & ~ONE_ROW;
	header = rows->words[slot - 1];
	words = &rows->words[slot];
	if (header & WIDE)
		return words[last_row(words, header & ~WIDE, 2, 0, distance) * 2 + 1];
	return words[last_row(words, header, 1, 16, distance)] & UINT16_MAX;
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
