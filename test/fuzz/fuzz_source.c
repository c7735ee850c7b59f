/*
 * An ELF file of arbitrary bytes: looks up source lines in its debug information for addresses all over its code, one by
 * one and all at once.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/elf_copy.h"
#include "symbol/dwarf/source_index.h"

enum { ADDRESSES = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Begins at the first byte of code. */
static size_t choose_addresses(const struct elf_file *elf, uint64_t *vaddrs)
{
	uint64_t start = 0x1000, step = 1;

	for (size_t i = 0; i < elf_file_segment_count(elf); i++) {
		const struct elf_segment *segment = elf_file_segment(elf, i);

		if (!segment->executable)
			continue;
		start = segment->vaddr;
		step = segment->memory_size > ADDRESSES ? segment->memory_size / ADDRESSES : 1;
	}
	for (size_t i = 0; i < ADDRESSES; i++)
		vaddrs[i] = start + i * step;
	return ADDRESSES;
}

static size_t touch(const struct source_frame *frames, size_t count)
{
	size_t touched = 0;

	for (size_t i = 0; i < count; i++)
		touched += (frames[i].function ? strlen(frames[i].function) : 0) +
			   (frames[i].file ? strlen(frames[i].file) : 0) + frames[i].line;
	return touched;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct debug_file_search nowhere = { .symfs = "/proc/nonexistent" };
	struct elf_file *elf = elf_copy_open(data, size, "fuzz", NULL);
	struct source_index *index = elf ? source_index_open(elf, NULL, &nowhere, NULL) : NULL;
	const struct source_frame *frames;
	uint64_t vaddrs[ADDRESSES];

	if (index) {
		size_t count = choose_addresses(elf, vaddrs), touched = 0;

		source_index_prepare(index, vaddrs, count / 2);
		for (size_t i = 0; i < count; i++) {
			size_t found = source_index_find(index, vaddrs[i], &frames);

			touched += touch(frames, found);
		}
		if (touched == SIZE_MAX) /* uses the answers, so that the compiler keeps them */
			abort();
	}
	source_index_close(index);
	elf_file_close(elf);
	return 0;
}
