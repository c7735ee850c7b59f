/*
 * The image is a sparse mapping as long as the loaded part of the file, with a bit for each kept block. Keeping a block copies it
 * to the same offset. elf_excerpt_finish() builds a tail in make_tail() (own sections, symbols, a new section table), puts it
 * behind the image, and points the ELF header at it.
 */
#include "elf/elf_excerpt.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "elf/elf_header.h"

enum {
	MAX_OWN_SECTIONS = 8,
	HEADER_64_BYTES = 64,
	HEADER_32_BYTES = 52,
	/* for the code of a file without section headers: a symbol must be in a section */
	STAND_IN_SECTION = 1,
};

struct symbol {
	uint32_t name; /* offset in excerpt.strings */
	uint64_t vaddr, size;
	uint8_t binding;
};

struct own_section {
	const char *name;
	struct strbuf contents;
	uint32_t type;
	uint32_t link, info;
	uint64_t alignment, entry_size;
	uint64_t file_offset; /* set by lay_out() */
};

struct elf_excerpt {
	struct elf_file *file;
	const uint8_t *bytes; /* of the file */
	size_t size;          /* up to the last byte that is loaded, or is part of a header */
	uint8_t *image;       /* mapped */
	size_t image_bytes;   /* of the mapping */
	uint8_t *kept;        /* one bit per block */
	struct symbol *symbols;
	size_t symbol_count, symbol_capacity;
	struct strbuf strings;
	struct own_section own[MAX_OWN_SECTIONS];
	size_t own_count;
	struct elf_excerpt_range *ranges;
	size_t range_count, range_capacity;
};

bool elf_excerpt_is(const struct elf_file *file)
{
	for (size_t i = elf_file_section_count(file); i > 0; i--) {
		struct elf_section section;

		elf_file_section_header(file, i - 1, &section);
		if (strcmp(section.name, ELF_EXCERPT_SECTION) == 0)
			return true;
	}
	return false;
}

static bool is_loaded(const struct elf_section *section)
{
	return section->flags & SHF_ALLOC && !(section->flags & SHF_COMPRESSED);
}

/* --- kept parts -------------------------------------------------------------------------- */

/* Returns the end of the needed part of the file: behind the loaded parts lie only debug information and the like. */
static size_t loaded_end(const struct elf_file *file, const uint8_t *bytes, size_t file_size)
{
	uint64_t end = HEADER_64_BYTES;
	struct elf_section section;
	struct elf_header header;

	if (elf_header_decode(&header, bytes, file_size, "", NULL) == 0 && header.segment_offset < file_size)
		end += header.segment_offset + (uint64_t)header.segment_count * header.segment_entry_size;

	for (size_t i = 0; i < elf_file_segment_count(file); i++) {
		const struct elf_segment *segment = elf_file_segment(file, i);

		/* In a debug file segments claim offsets of other contents, or beyond its end. */
		if (segment->file_offset < file_size &&
		    segment->file_size <= file_size - segment->file_offset &&
		    segment->file_offset + segment->file_size > end)
			end = segment->file_offset + segment->file_size;
	}
	for (size_t i = 0; i < elf_file_section_count(file); i++) {
		elf_file_section_header(file, i, &section);
		if (is_loaded(&section) && section.type != SHT_NOBITS && section.file_offset < file_size &&
		    section.size <= file_size - section.file_offset &&
		    section.file_offset + section.size > end)
			end = section.file_offset + section.size;
	}
	return end < file_size ? (size_t)end : file_size;
}

void elf_excerpt_keep(struct elf_excerpt *excerpt, uint64_t file_offset, uint64_t size)
{
	uint64_t end, block;

	if (file_offset >= excerpt->size || size == 0)
		return;
	end = size < excerpt->size - file_offset ? file_offset + size : excerpt->size;
	for (block = file_offset / ELF_EXCERPT_BLOCK_BYTES; block * ELF_EXCERPT_BLOCK_BYTES < end; block++) {
		const uint64_t at = block * ELF_EXCERPT_BLOCK_BYTES, left = excerpt->size - at;

		if (excerpt->kept[block / 8] >> block % 8 & 1)
			continue;
		excerpt->kept[block / 8] |= (uint8_t)(1u << block % 8);
		memcpy(excerpt->image + at, excerpt->bytes + at,
		       left < ELF_EXCERPT_BLOCK_BYTES ? (size_t)left : ELF_EXCERPT_BLOCK_BYTES);
	}
}

void elf_excerpt_keep_vaddr(struct elf_excerpt *excerpt, uint64_t vaddr, uint64_t size)
{
	uint64_t file_offset;

	if (elf_file_vaddr_to_offset(excerpt->file, vaddr, &file_offset) == 0)
		elf_excerpt_keep(excerpt, file_offset, size);
}

void elf_excerpt_put(struct elf_excerpt *excerpt, uint64_t file_offset, const void *bytes, size_t size)
{
	if (file_offset > excerpt->size || size > excerpt->size - file_offset)
		return;
	elf_excerpt_keep(excerpt, file_offset, size);
	memcpy(excerpt->image + file_offset, bytes, size);
}

void elf_excerpt_clear(struct elf_excerpt *excerpt, uint64_t file_offset, uint64_t size)
{
	uint64_t end, next;

	if (file_offset >= excerpt->size)
		return;
	end = size < excerpt->size - file_offset ? file_offset + size : excerpt->size;
	for (uint64_t at = file_offset; at < end; at = next) {
		const uint64_t block = at / ELF_EXCERPT_BLOCK_BYTES;

		next = (block + 1) * ELF_EXCERPT_BLOCK_BYTES;
		if (next > end)
			next = end;
		if (excerpt->kept[block / 8] >> block % 8 & 1)
			memset(excerpt->image + at, 0, (size_t)(next - at));
	}
}

/* Keeps headers, notes and dynamic section. Returns true if there are notes, one of which may be the build-id. */
static bool keep_headers(struct elf_excerpt *excerpt)
{
	struct elf_header header;
	struct elf_section section;
	bool has_notes = false;

	if (elf_header_decode(&header, excerpt->bytes, excerpt->size, "", NULL) < 0)
		return false;
	elf_excerpt_keep(excerpt, 0, header.is_64bit ? HEADER_64_BYTES : HEADER_32_BYTES);
	elf_excerpt_keep(excerpt, header.segment_offset,
			 (uint64_t)header.segment_count * header.segment_entry_size);
	for (uint32_t i = 0; i < header.segment_count; i++) {
		const uint64_t at = header.segment_offset + (uint64_t)i * header.segment_entry_size;
		struct elf_program_header segment;

		if (at >= excerpt->size || header.segment_entry_size > excerpt->size - at)
			break;
		elf_program_header_decode(&segment, &header, excerpt->bytes + at);
		if (segment.type == PT_NOTE || segment.type == PT_DYNAMIC)
			elf_excerpt_keep(excerpt, segment.file_offset, segment.file_size);
		has_notes |= segment.type == PT_NOTE && segment.file_size;
	}
	for (size_t i = 0; i < elf_file_section_count(excerpt->file); i++) {
		elf_file_section_header(excerpt->file, i, &section);
		if (is_loaded(&section) && section.type == SHT_NOTE) {
			elf_excerpt_keep(excerpt, section.file_offset, section.size);
			has_notes = true;
		}
	}
	return has_notes;
}

/* Adds the build-id as an own section, for a file whose notes are not loaded. */
static void keep_build_id(struct elf_excerpt *excerpt)
{
	const struct build_id *id = elf_file_build_id(excerpt->file);
	const bool swap = elf_file_swapped(excerpt->file);
	struct strbuf note = STRBUF_INIT;

	if (!id->size)
		return;
	strbuf_add_u32(&note, sizeof("GNU"), swap);
	strbuf_add_u32(&note, id->size, swap);
	strbuf_add_u32(&note, NT_GNU_BUILD_ID, swap);
	strbuf_add(&note, "GNU", sizeof("GNU"));
	strbuf_add(&note, id->bytes, id->size);
	strbuf_add_zeros(&note, -id->size & 3);
	elf_excerpt_add_section(excerpt, ".note.gnu.build-id", note.bytes, note.size);
	excerpt->own[excerpt->own_count - 1].type = SHT_NOTE;
	excerpt->own[excerpt->own_count - 1].alignment = 4;
	strbuf_fini(&note);
}

static void *map_zeros(size_t size)
{
	void *bytes = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return bytes == MAP_FAILED ? NULL : bytes;
}

struct elf_excerpt *elf_excerpt_create(struct elf_file *file)
{
	struct elf_excerpt *excerpt = xcalloc(1, sizeof(*excerpt));
	size_t file_size;

	excerpt->file = file;
	excerpt->bytes = elf_file_bytes(file, &file_size);
	excerpt->size = loaded_end(file, excerpt->bytes, file_size);
	excerpt->image_bytes = excerpt->size + ELF_EXCERPT_BLOCK_BYTES;
	excerpt->image = map_zeros(excerpt->image_bytes);
	if (!excerpt->image)
		excerpt->size = 0;
	excerpt->kept = xcalloc(excerpt->size / ELF_EXCERPT_BLOCK_BYTES / 8 + 2, 1);
	strbuf_init(&excerpt->strings);
	strbuf_addc(&excerpt->strings, '\0');
	elf_excerpt_add_section(excerpt, ELF_EXCERPT_SECTION, "1", 1);
	if (!keep_headers(excerpt))
		keep_build_id(excerpt);
	return excerpt;
}

void elf_excerpt_destroy(struct elf_excerpt *excerpt)
{
	if (!excerpt)
		return;
	for (size_t i = 0; i < excerpt->own_count; i++)
		strbuf_fini(&excerpt->own[i].contents);
	if (excerpt->image)
		munmap(excerpt->image, excerpt->image_bytes);
	strbuf_fini(&excerpt->strings);
	free(excerpt->symbols);
	free(excerpt->ranges);
	free(excerpt->kept);
	free(excerpt);
}

struct elf_file *elf_excerpt_of(const struct elf_excerpt *excerpt)
{
	return excerpt->file;
}

/* --- added parts ---------------------------------------------------------------------------- */

void elf_excerpt_add_section(struct elf_excerpt *excerpt, const char *name, const void *bytes, size_t size)
{
	struct own_section *section;

	if (excerpt->own_count ==
	    MAX_OWN_SECTIONS - 3) /* leave room for the symbol table and two string tables */
		return;
	section = &excerpt->own[excerpt->own_count++];
	*section = (struct own_section){ .name = name, .type = SHT_PROGBITS, .alignment = 8 };
	strbuf_init(&section->contents);
	strbuf_add(&section->contents, bytes, size);
}

void elf_excerpt_add_symbol(struct elf_excerpt *excerpt, const char *name, uint64_t vaddr, uint64_t size,
			    uint8_t binding)
{
	*ARRAY_ADD(excerpt->symbols, excerpt->symbol_count, excerpt->symbol_capacity) =
		(struct symbol){ (uint32_t)excerpt->strings.size, vaddr, size, binding };
	strbuf_add(&excerpt->strings, name, strlen(name) + 1);
}

/* Returns the new number of the loaded section that the vaddr is in. */
static uint16_t section_of(const struct elf_excerpt *excerpt, const uint32_t *numbers, uint64_t vaddr)
{
	for (size_t i = 0; i < elf_file_section_count(excerpt->file); i++) {
		struct elf_section section;

		elf_file_section_header(excerpt->file, i, &section);
		if (numbers[i] && section.flags & SHF_EXECINSTR && vaddr >= section.vaddr &&
		    vaddr - section.vaddr < section.size)
			return (uint16_t)numbers[i];
	}
	for (size_t i = 0; i < elf_file_section_count(excerpt->file); i++)
		if (numbers[i])
			return (uint16_t)numbers[i]; /* section headers do not cover this code */
	return STAND_IN_SECTION;
}

/* gABI, "Symbol Table": the classes have their members in different orders. */
static void encode_symbol(struct strbuf *out, const struct elf_file *file, const struct symbol *symbol,
			  uint16_t section)
{
	const bool swap = elf_file_swapped(file);
	const char kind[2] = { (char)ELF64_ST_INFO(symbol->binding, STT_FUNC), STV_DEFAULT };

	strbuf_add_u32(out, symbol->name, swap);
	if (elf_file_is_64bit(file)) {
		strbuf_add(out, kind, sizeof(kind));
		strbuf_add_u16(out, section, swap);
		strbuf_add_u64(out, symbol->vaddr, swap);
		strbuf_add_u64(out, symbol->size, swap);
	} else {
		strbuf_add_u32(out, (uint32_t)symbol->vaddr, swap);
		strbuf_add_u32(out, (uint32_t)symbol->size, swap);
		strbuf_add(out, kind, sizeof(kind));
		strbuf_add_u16(out, section, swap);
	}
}

static struct own_section *add_table(struct elf_excerpt *excerpt, const char *name, uint32_t type)
{
	struct own_section *section = &excerpt->own[excerpt->own_count++];

	*section = (struct own_section){ .name = name, .type = type, .alignment = 1 };
	strbuf_init(&section->contents);
	return section;
}

/* Local symbols come first (gABI, "Symbol Table", sh_info); otherwise the order stays. */
static void make_symtab(struct elf_excerpt *excerpt, const uint32_t *numbers, uint32_t strings_number)
{
	const bool is_64bit = elf_file_is_64bit(excerpt->file);
	struct own_section *table = add_table(excerpt, ".symtab", SHT_SYMTAB);
	struct own_section *strings = add_table(excerpt, ".strtab", SHT_STRTAB);

	table->alignment = is_64bit ? 8 : 4;
	table->entry_size = is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	table->link = strings_number;
	table->info = 1;
	strbuf_add_zeros(&table->contents, table->entry_size);
	for (int global = 0; global < 2; global++) {
		for (size_t i = 0; i < excerpt->symbol_count; i++) {
			const struct symbol *symbol = &excerpt->symbols[i];

			if ((symbol->binding != STB_LOCAL) != global)
				continue;
			encode_symbol(&table->contents, excerpt->file, symbol,
				      section_of(excerpt, numbers, symbol->vaddr));
			table->info += !global;
		}
	}
	strbuf_add(&strings->contents, excerpt->strings.bytes, excerpt->strings.size);
}

/* --- the table of sections ---------------------------------------------------------------------- */

static void encode_word(struct strbuf *out, const struct elf_file *file, uint64_t value)
{
	if (elf_file_is_64bit(file))
		strbuf_add_u64(out, value, elf_file_swapped(file));
	else
		strbuf_add_u32(out, (uint32_t)value, elf_file_swapped(file));
}

static void encode_section(struct strbuf *out, const struct elf_file *file,
			   const struct elf_section_header *section)
{
	const bool swap = elf_file_swapped(file);

	strbuf_add_u32(out, section->name, swap);
	strbuf_add_u32(out, section->type, swap);
	encode_word(out, file, section->flags);
	encode_word(out, file, section->vaddr);
	encode_word(out, file, section->file_offset);
	encode_word(out, file, section->size);
	strbuf_add_u32(out, section->link, swap);
	strbuf_add_u32(out, section->info, swap);
	encode_word(out, file, section->alignment);
	encode_word(out, file, section->entry_size);
}

static uint32_t add_name(struct strbuf *names, const char *name)
{
	uint32_t offset = (uint32_t)names->size;

	strbuf_add(names, name, strlen(name) + 1);
	return offset;
}

/* Writes the new numbers of kept sections, 0 for others. Returns their count, including section 0 and a stand-in. */
static uint32_t number_sections(const struct elf_excerpt *excerpt, uint32_t *numbers)
{
	const size_t count = elf_file_section_count(excerpt->file);
	uint32_t next = 1;

	for (size_t i = 1; i < count; i++) {
		struct elf_section section;

		elf_file_section_header(excerpt->file, i, &section);
		if (is_loaded(&section) && next < SHN_LORESERVE - MAX_OWN_SECTIONS)
			numbers[i] = next++;
	}
	return next == STAND_IN_SECTION ? next + 1 : next;
}

static void encode_stand_in(const struct elf_excerpt *excerpt, struct strbuf *table, struct strbuf *names)
{
	struct elf_section_header section = { .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_EXECINSTR };

	for (size_t i = 0; i < elf_file_segment_count(excerpt->file); i++) {
		const struct elf_segment *segment = elf_file_segment(excerpt->file, i);

		if (!segment->executable || section.size)
			continue;
		section.vaddr = segment->vaddr;
		section.file_offset = segment->file_offset;
		section.size = segment->memory_size;
	}
	section.name = add_name(names, ".text");
	section.alignment = 1;
	encode_section(table, excerpt->file, &section);
}

/* Tables for the dynamic linker are not kept. They become SHT_NOBITS, as zeros in them would have a meaning. */
static uint32_t type_of(const struct elf_section *section)
{
	switch (section->type) {
	case SHT_DYNSYM:
	case SHT_HASH:
	case SHT_GNU_HASH:
	case SHT_REL:
	case SHT_RELA:
	case SHT_GNU_versym:
	case SHT_GNU_verneed:
	case SHT_GNU_verdef: return SHT_NOBITS;
	default: return section->type;
	}
}

static void encode_loaded_sections(const struct elf_excerpt *excerpt, const uint32_t *numbers,
				   struct strbuf *table, struct strbuf *names)
{
	const size_t count = elf_file_section_count(excerpt->file);
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any |= numbers[i] != 0;
	if (!any)
		encode_stand_in(excerpt, table, names);
	for (size_t i = 0; i < count; i++) {
		struct elf_section section;

		if (!numbers[i])
			continue;
		elf_file_section_header(excerpt->file, i, &section);
		encode_section(table, excerpt->file,
			       &(struct elf_section_header){
				       .name = add_name(names, section.name),
				       .type = type_of(&section),
				       .flags = section.flags,
				       .vaddr = section.vaddr,
				       .file_offset = section.file_offset,
				       .size = section.size,
				       .link = section.link < count ? numbers[section.link] : 0,
				       .info = section.flags & SHF_INFO_LINK && section.info < count ?
						       numbers[section.info] :
						       section.info,
				       .alignment = 1,
				       .entry_size = section.entry_size_bytes });
	}
}

static void lay_out(struct elf_excerpt *excerpt, struct strbuf *tail, uint64_t base)
{
	for (size_t i = 0; i < excerpt->own_count; i++) {
		struct own_section *section = &excerpt->own[i];

		strbuf_add_zeros(tail, -tail->size & 7);
		section->file_offset = base + tail->size;
		strbuf_add(tail, section->contents.bytes, section->contents.size);
	}
	strbuf_add_zeros(tail, -tail->size & 7);
}

static void encode_own_sections(struct elf_excerpt *excerpt, struct strbuf *table, struct strbuf *names)
{
	for (size_t i = 0; i < excerpt->own_count; i++) {
		const struct own_section *section = &excerpt->own[i];

		encode_section(table, excerpt->file,
			       &(struct elf_section_header){ .name = add_name(names, section->name),
							     .type = section->type,
							     .file_offset = section->file_offset,
							     .size = section->contents.size,
							     .link = section->link,
							     .info = section->info,
							     .alignment = section->alignment,
							     .entry_size = section->entry_size });
	}
}

/* e_shoff, e_shentsize, e_shnum and e_shstrndx (gABI, "ELF Header"). */
static void patch_header(struct elf_excerpt *excerpt, uint64_t table_offset, uint32_t count)
{
	const bool is_64bit = elf_file_is_64bit(excerpt->file), swap = elf_file_swapped(excerpt->file);
	struct strbuf bytes = STRBUF_INIT;

	encode_word(&bytes, excerpt->file, table_offset);
	elf_excerpt_put(excerpt, is_64bit ? 40 : 32, bytes.bytes, bytes.size);
	strbuf_reset(&bytes);
	strbuf_add_u16(&bytes, is_64bit ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), swap);
	strbuf_add_u16(&bytes, (uint16_t)count, swap);
	strbuf_add_u16(&bytes, (uint16_t)(count - 1), swap);
	elf_excerpt_put(excerpt, is_64bit ? 58 : 46, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
}

/* --- the file ---------------------------------------------------------------------------------- */

static void add_range(struct elf_excerpt *excerpt, uint64_t offset, uint64_t size)
{
	struct elf_excerpt_range *last =
		excerpt->range_count ? &excerpt->ranges[excerpt->range_count - 1] : NULL;

	if (last && last->offset + last->size == offset) {
		last->size += size;
		return;
	}
	*ARRAY_ADD(excerpt->ranges, excerpt->range_count, excerpt->range_capacity) =
		(struct elf_excerpt_range){ offset, size };
}

static void find_ranges(struct elf_excerpt *excerpt, uint64_t base, uint64_t end)
{
	for (uint64_t block = 0; block * ELF_EXCERPT_BLOCK_BYTES < base; block++)
		if (excerpt->kept[block / 8] >> block % 8 & 1)
			add_range(excerpt, block * ELF_EXCERPT_BLOCK_BYTES, ELF_EXCERPT_BLOCK_BYTES);
	add_range(excerpt, base, end - base);
}

static int grow_image(struct elf_excerpt *excerpt, size_t size, struct error *err)
{
	void *grown = mremap(excerpt->image, excerpt->image_bytes, size, MREMAP_MAYMOVE);

	if (grown == MAP_FAILED)
		return error_set_errno(err, errno, "no memory for an excerpt of %s",
				       elf_file_path(excerpt->file));
	excerpt->image = grown;
	excerpt->image_bytes = size;
	return 0;
}

static void make_tail(struct elf_excerpt *excerpt, struct strbuf *tail, uint64_t base)
{
	uint32_t *numbers = xcalloc(elf_file_section_count(excerpt->file) + 1, sizeof(*numbers));
	const uint32_t loaded = number_sections(excerpt, numbers);
	struct own_section *names;
	struct strbuf table, scratch;
	uint64_t table_offset;

	make_symtab(excerpt, numbers, loaded + (uint32_t)excerpt->own_count + 1);
	names = add_table(excerpt, ".shstrtab", SHT_STRTAB);
	/* Two rounds: section offsets depend on the size of the names, which the first round collects. */
	for (int round = 0; round < 2; round++) {
		strbuf_init(&table);
		strbuf_init(&scratch);
		strbuf_addc(&scratch, '\0');
		strbuf_add_zeros(&table,
				 elf_file_is_64bit(excerpt->file) ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
		encode_loaded_sections(excerpt, numbers, &table, &scratch);
		if (round == 1)
			lay_out(excerpt, tail, base);
		encode_own_sections(excerpt, &table, &scratch);
		if (round == 0) {
			strbuf_add(&names->contents, scratch.bytes, scratch.size);
			strbuf_fini(&table);
		}
		strbuf_fini(&scratch);
	}
	table_offset = base + tail->size;
	strbuf_add(tail, table.bytes, table.size);
	patch_header(excerpt, table_offset, loaded + (uint32_t)excerpt->own_count);
	strbuf_fini(&table);
	free(numbers);
}

int elf_excerpt_finish(struct elf_excerpt *excerpt, struct elf_excerpt_image *image, struct error *err)
{
	const uint64_t base = (excerpt->size + ELF_EXCERPT_BLOCK_BYTES - 1) / ELF_EXCERPT_BLOCK_BYTES *
			      ELF_EXCERPT_BLOCK_BYTES;
	struct strbuf tail = STRBUF_INIT;
	int result;

	if (!excerpt->image)
		return error_set(err, "no memory for an excerpt of %s", elf_file_path(excerpt->file));
	make_tail(excerpt, &tail, base);
	result = grow_image(excerpt, (size_t)base + tail.size, err);
	if (result == 0) {
		memcpy(excerpt->image + base, tail.bytes, tail.size);
		find_ranges(excerpt, base, base + tail.size);
		*image = (struct elf_excerpt_image){ excerpt->image, (size_t)base + tail.size,
						     excerpt->ranges, excerpt->range_count };
	}
	strbuf_fini(&tail);
	return result;
}
