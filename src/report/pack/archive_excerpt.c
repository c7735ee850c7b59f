/*
 * archive_excerpt_write() lists what is kept: code, Go's tables, functions that were unwound by their instructions,
 * symbols, names, call frame information. Each function marks ranges of the ELF file or adds symbols and sections;
 * elf_excerpt.h makes a file of them.
 */
#include "report/pack/archive_excerpt.h"

#include <elf.h>
#include <stdlib.h>

#include "base/byte_reader.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "elf/elf_excerpt.h"
#include "elf/go_functions.h"
#include "report/script/recorded_code.h"
#include "symbol/symbol_excerpt.h"
#include "unwind/cfi/cfi_excerpt.h"
#include "unwind/code/code_table.h"

/* Bytes around an address: unwinding looks at the instructions there, and those before a return address are a call. */
enum { CODE_BEFORE_BYTES = 64, CODE_BYTES = 128, FUNCTION_BYTES = 512 };

static void keep_around(struct elf_excerpt *excerpt, uint64_t file_offset)
{
	const uint64_t before = file_offset < CODE_BEFORE_BYTES ? file_offset : CODE_BEFORE_BYTES;

	elf_excerpt_keep(excerpt, file_offset - before, CODE_BYTES);
}

/* e_entry (gABI, "ELF Header"). */
static uint64_t entry_of(const struct elf_file *file)
{
	size_t size;
	const uint8_t *bytes = elf_file_bytes(file, &size);
	struct byte_reader r = byte_reader_over(bytes, size, elf_file_swapped(file));

	byte_reader_skip(&r, 24);
	return elf_file_is_64bit(file) ? byte_reader_u64(&r) : byte_reader_u32(&r);
}

/* Parts that unwinding reads for every stack. */
static void keep_beginnings(struct elf_excerpt *excerpt)
{
	static const char *const sections[] = { ".init", ".fini" };
	struct elf_file *file = elf_excerpt_of(excerpt);
	struct elf_section section;

	elf_excerpt_keep_vaddr(excerpt, entry_of(file), CODE_BYTES);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (elf_file_section(file, sections[i], &section, NULL) == 1 && section.bytes)
			elf_excerpt_keep(excerpt, section.file_offset,
					 section.size < FUNCTION_BYTES ? section.size : FUNCTION_BYTES);
}

static void keep_code(struct elf_excerpt *excerpt, struct object_need *need)
{
	const uint64_t *items;
	size_t count;

	keep_beginnings(excerpt);
	items = object_need_sorted(need, OBJECT_NEED_NAME, &count);
	for (size_t i = 0; i < count; i++)
		keep_around(excerpt, items[i]);
	items = object_need_sorted(need, OBJECT_NEED_CODE, &count);
	for (size_t i = 0; i < count; i++)
		elf_excerpt_keep(excerpt, items[i], RECORDED_CODE_NEED_BYTES);
}

static void keep_part(const void *bytes, size_t size, void *context)
{
	size_t file_size;
	const uint8_t *start = elf_file_bytes(elf_excerpt_of(context), &file_size);
	const uintptr_t offset = (uintptr_t)bytes - (uintptr_t)start;

	if (offset < file_size)
		elf_excerpt_keep(context, offset, size);
}

static void keep_go(struct elf_excerpt *excerpt, struct object_need *need)
{
	struct go_functions *functions = go_functions_open(elf_excerpt_of(excerpt));
	const uint64_t *items;
	size_t count;
	uint64_t vaddr;

	if (!functions)
		return;
	items = object_need_sorted(need, OBJECT_NEED_NAME, &count);
	for (size_t i = 0; i < count; i++)
		if (elf_file_offset_to_vaddr(elf_excerpt_of(excerpt), items[i], &vaddr) == 0)
			go_functions_visit_parts(functions, vaddr, keep_part, excerpt);
	go_functions_close(functions);
}

/* Keeps all instructions of functions that were unwound by them, and where these functions begin and end. */
static void keep_functions(struct elf_excerpt *excerpt, struct object_need *need)
{
	const bool swap = elf_file_swapped(elf_excerpt_of(excerpt));
	const uint64_t *starts, *ends;
	size_t count, end_count;
	struct strbuf section = STRBUF_INIT;

	starts = object_need_sorted(need, OBJECT_NEED_FUNCTION_START, &count);
	ends = object_need_sorted(need, OBJECT_NEED_FUNCTION_END, &end_count);
	if (!count)
		return;
	/* Several functions may end at one address, so there may be fewer ends. */
	for (size_t i = 0, end = 0; i < count; i++) {
		while (end < end_count && ends[end] <= starts[i])
			end++;
		if (end == end_count)
			break;
		elf_excerpt_keep_vaddr(excerpt, starts[i], ends[end] - starts[i]);
		strbuf_add_u64(&section, starts[i], swap);
		strbuf_add_u64(&section, ends[end], swap);
	}
	elf_excerpt_add_section(excerpt, CODE_TABLE_SECTION, section.bytes, section.size);
	strbuf_fini(&section);
}

static int write_image(struct archive_writer *writer, const char *name, const struct elf_excerpt_image *image,
		       struct error *err)
{
	struct archive_range *ranges = xmalloc((image->range_count + 1) * sizeof(*ranges));
	int result;

	for (size_t i = 0; i < image->range_count; i++)
		ranges[i] = (struct archive_range){ image->ranges[i].offset, image->ranges[i].size };
	result = archive_writer_add_sparse(writer, name, image->bytes, image->size, ranges,
					   image->range_count, err);
	free(ranges);
	return result;
}

/* Keeps names of functions that only the debug information has. */
static void keep_names(struct elf_excerpt *excerpt, const struct object_need *need)
{
	uint64_t vaddr;

	for (size_t i = 0; i < need->name_count; i++)
		if (elf_file_offset_to_vaddr(elf_excerpt_of(excerpt), need->names[i].start, &vaddr) == 0)
			elf_excerpt_add_symbol(excerpt, need->names[i].name, vaddr, need->names[i].size,
					       STB_LOCAL);
}

int archive_excerpt_write(struct archive_writer *writer, const char *name, struct object_need *need,
			  struct elf_symbols *symbols, const struct debug_file_search *search,
			  struct error *err)
{
	struct elf_excerpt *excerpt = elf_excerpt_create(elf_symbols_file(symbols));
	struct elf_excerpt_image image;
	const uint64_t *items;
	size_t count;
	int result;

	keep_code(excerpt, need);
	keep_go(excerpt, need);
	keep_functions(excerpt, need);
	items = object_need_sorted(need, OBJECT_NEED_NAME, &count);
	elf_symbols_settle(symbols, SYMBOL_MAP_INNERMOST_FUNCTION);
	symbol_excerpt_make(excerpt, elf_symbols_map(symbols), items, count);
	keep_names(excerpt, need);
	items = object_need_sorted(need, OBJECT_NEED_FRAMES, &count);
	cfi_excerpt_make(excerpt, search, items, count);
	result = elf_excerpt_finish(excerpt, &image, err);
	if (result == 0)
		result = write_image(writer, name, &image, err);
	elf_excerpt_destroy(excerpt);
	return result;
}
