/* One bit per byte, set and skipped eight at a time. */
#include "unwind/code/code_bitmap.h"

#include <stdlib.h>

#include "base/partition_point.h"
#include "base/xalloc.h"

struct code_bitmap {
	size_t size;
	uint8_t *bits; /* bit n % 8 of bits[n / 8] belongs to byte n */
};

static int compare_starts(const void *a, const void *b)
{
	const struct code_range *left = a, *right = b;

	return left->start < right->start ? -1 : left->start > right->start;
}

/* Ranges are mostly sorted already, by linkers. */
static void sort(struct code_range *ranges, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (ranges[i].start < ranges[i - 1].start) {
			qsort(ranges, count, sizeof(*ranges), compare_starts);
			return;
		}
	}
}

static void set(struct code_bitmap *bitmap, size_t from, size_t to)
{
	while (from < to) {
		if (from % 8 == 0 && to - from >= 8) {
			bitmap->bits[from / 8] = UINT8_MAX;
			from += 8;
		} else {
			bitmap->bits[from / 8] |= (uint8_t)(1u << from % 8);
			from++;
		}
	}
}

size_t code_ranges_join(struct code_range *ranges, size_t count)
{
	size_t kept = 0;

	sort(ranges, count);
	for (size_t i = 0; i < count; i++) {
		if (ranges[i].end <= ranges[i].start)
			continue;
		if (kept == 0 || ranges[i].start > ranges[kept - 1].end)
			ranges[kept++] = ranges[i];
		else if (ranges[i].end > ranges[kept - 1].end)
			ranges[kept - 1].end = ranges[i].end;
	}
	return kept;
}

/* The index of the first range that ends behind the vaddr. */
static size_t first_behind(const struct code_range *ranges, size_t count, uint64_t vaddr)
{
	return PARTITION_POINT(i, 0, count, ranges[i].end <= vaddr);
}

struct code_bitmap *code_bitmap_create(uint64_t vaddr, size_t size, const struct code_range *ranges,
				       size_t count)
{
	struct code_bitmap *bitmap = xcalloc(1, sizeof(*bitmap));

	bitmap->size = size;
	bitmap->bits = xcalloc(size / 8 + 1, 1);
	for (size_t i = first_behind(ranges, count, vaddr); i < count; i++) {
		const uint64_t start = ranges[i].start > vaddr ? ranges[i].start - vaddr : 0;
		const uint64_t end = ranges[i].end - vaddr;

		if (start >= size)
			break;
		set(bitmap, (size_t)start, end < size ? (size_t)end : size);
	}
	return bitmap;
}

void code_bitmap_destroy(struct code_bitmap *bitmap)
{
	if (!bitmap)
		return;
	free(bitmap->bits);
	free(bitmap);
}

bool code_bitmap_has(const struct code_bitmap *bitmap, size_t offset)
{
	return offset < bitmap->size && bitmap->bits[offset / 8] >> offset % 8 & 1;
}

size_t code_bitmap_until(const struct code_bitmap *bitmap, size_t offset)
{
	while (offset < bitmap->size) {
		if (offset % 8 == 0 && bitmap->bits[offset / 8] == UINT8_MAX)
			offset += 8;
		else if (code_bitmap_has(bitmap, offset))
			offset++;
		else
			return offset;
	}
	return bitmap->size;
}
