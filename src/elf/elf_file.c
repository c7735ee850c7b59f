/*
 * open_bytes() decodes section headers, then segments, then the build-id; contents of sections are read on demand.
 * elf_file_section_at() checks that a section lies in the file, decompresses it, and relocates it in a relocatable file; its slot
 * keeps the result. Two repairs matter: restore_segments() for debug files, place_sections() for modules.
 */
#include "elf/elf_file.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/map_guard.h"
#include "base/regular_file.h"
#include "base/thread_pool.h"
#include "base/xalloc.h"
#include "elf/elf_header.h"
#include "elf/elf_relocatable.h"
#include "elf/section_inflate.h"

struct section_slot {
	struct elf_section_header header;
	const char *name; /* "" if it has no readable name */
	uint8_t *own; /* decompressed or relocated bytes; NULL before use, or if the file's bytes will do */
	size_t own_size;
	bool relocated;
};

struct elf_file {
	char *path;
	uint8_t *bytes;
	size_t size;
	bool mapped;             /* else malloc()ed */
	struct map_guard *guard; /* of the mapping */
	struct elf_header header;
	struct elf_segment *segments; /* the PT_LOADs */
	size_t segment_count;
	struct section_slot *sections;
	size_t section_count;
	bool sections_cut_off; /* the section table lies beyond the file's end */
	struct build_id build_id;
	struct arena arena;
};

/* Returns `size` bytes of the file from `offset` on; NULL if the file does not have them all. */
static const uint8_t *file_bytes(const struct elf_file *file, uint64_t offset, uint64_t size)
{
	if (offset > file->size || size > file->size - offset)
		return NULL;
	return file->bytes + offset;
}

/* Returns the first offset at or behind `offset` that is congruent to the vaddr modulo the segment's alignment. */
static uint64_t congruent_offset(uint64_t offset, uint64_t vaddr, uint64_t alignment)
{
	if (alignment == 0 || (alignment & (alignment - 1)) != 0)
		return offset;
	return offset + ((vaddr - offset) & (alignment - 1));
}

/*
 * objcopy --only-keep-debug keeps the segments but marks them empty, so that a debug file without its binary could translate no
 * offset. Linkers place each segment at the next offset that is congruent to its vaddr (gABI, "Program Header", p_align), so this
 * computes the binary's offsets again.
 */
static void restore_segments(struct elf_file *file, const uint64_t *alignments)
{
	bool without_code = false;
	uint64_t offset = 0;

	for (size_t i = 0; i < file->segment_count; i++)
		if (file->segments[i].executable && file->segments[i].memory_size != 0)
			without_code = file->segments[i].file_size == 0;
	if (!without_code)
		return;
	for (size_t i = 0; i < file->segment_count; i++) {
		struct elf_segment *segment = &file->segments[i];

		offset = congruent_offset(offset, segment->vaddr, alignments[i]);
		segment->file_offset = offset;
		segment->file_size = segment->memory_size;
		offset += segment->memory_size;
	}
}

static void read_segments(struct elf_file *file)
{
	const struct elf_header *header = &file->header;
	uint64_t table_size = (uint64_t)header->segment_count * header->segment_entry_size;
	const uint8_t *table = file_bytes(file, header->segment_offset, table_size);
	uint64_t *alignments;

	if (!table || table_size == 0)
		return;
	file->segments = xcalloc(header->segment_count, sizeof(*file->segments));
	alignments = xcalloc(header->segment_count, sizeof(*alignments));
	for (uint32_t i = 0; i < header->segment_count; i++) {
		struct elf_program_header segment;
		const uint8_t *notes;

		elf_program_header_decode(&segment, header, table + (size_t)i * header->segment_entry_size);
		if (segment.type == PT_LOAD) {
			alignments[file->segment_count] = segment.alignment;
			file->segments[file->segment_count++] = (struct elf_segment){
				.file_offset = segment.file_offset,
				.file_size = segment.file_size,
				.vaddr = segment.vaddr,
				.memory_size = segment.memory_size,
				.executable = segment.flags & PF_X,
				.writable = segment.flags & PF_W,
			};
		}
		if (segment.type != PT_NOTE || file->build_id.size != 0)
			continue;
		notes = file_bytes(file, segment.file_offset, segment.file_size);
		if (notes)
			(void)build_id_from_notes(&file->build_id, notes, (size_t)segment.file_size,
						  header->swap, (size_t)segment.alignment);
	}
	restore_segments(file, alignments);
	free(alignments);
}

static void read_section_names(struct elf_file *file)
{
	struct elf_section names = { .bytes = NULL };

	if (file->header.section_names < file->section_count) {
		const struct elf_section_header *header = &file->sections[file->header.section_names].header;

		names.bytes = header->type == SHT_NOBITS ?
				      NULL :
				      file_bytes(file, header->file_offset, header->size);
		names.size = (size_t)header->size;
	}
	elf_section_trim_strings(&names);
	for (size_t i = 0; i < file->section_count; i++) {
		const char *name = elf_section_string(&names, file->sections[i].header.name);

		file->sections[i].name = name ? name : "";
	}
}

/* Debug files and relocatable files may have their build-id only in a section. */
static void read_build_id_from_sections(struct elf_file *file)
{
	for (size_t i = 0; i < file->section_count && file->build_id.size == 0; i++) {
		const struct elf_section_header *header = &file->sections[i].header;
		const uint8_t *notes = file_bytes(file, header->file_offset, header->size);

		if (header->type == SHT_NOTE && notes)
			(void)build_id_from_notes(&file->build_id, notes, (size_t)header->size,
						  file->header.swap, (size_t)header->alignment);
	}
}

static void read_sections(struct elf_file *file)
{
	struct elf_header *header = &file->header;
	const uint8_t *table = file_bytes(file, header->section_offset, header->section_entry_size);
	struct elf_section_header section_0;

	if (header->section_offset == 0)
		return;
	file->sections_cut_off = true;
	if (!table)
		return;
	elf_section_header_decode(&section_0, header, table);
	elf_header_extend(header, &section_0);
	table = file_bytes(file, header->section_offset,
			   (uint64_t)header->section_count * header->section_entry_size);
	if (!table || header->section_count == 0)
		return;
	file->sections_cut_off = false;
	file->section_count = header->section_count;
	file->sections = xcalloc(file->section_count, sizeof(*file->sections));
	for (size_t i = 0; i < file->section_count; i++)
		elf_section_header_decode(&file->sections[i].header, header,
					  table + i * header->section_entry_size);
	read_section_names(file);
}

/* A relocatable file has no segments. Bytes between two sections belong to neither, so each section gets a segment of its own. */
static void place_sections(struct elf_file *file)
{
	uint64_t free_vaddr = ELF_RELOCATABLE_BASE;

	for (size_t i = 0; i < file->section_count; i++)
		if (file->sections[i].header.vaddr)
			return; /* already placed */
	free(file->segments);   /* a table without a PT_LOAD */
	file->segments = xcalloc(file->section_count + 1, sizeof(*file->segments));
	for (int group = 0; group < ELF_RELOCATABLE_GROUPS; group++) {
		for (size_t i = 0; i < file->section_count; i++) {
			struct elf_section_header *header = &file->sections[i].header;

			if ((int)elf_relocatable_group(header, file->sections[i].name) != group)
				continue;
			free_vaddr = elf_relocatable_place(header, free_vaddr);
			file->segments[file->segment_count++] = (struct elf_segment){
				.file_offset = header->file_offset,
				.file_size = free_vaddr - header->vaddr,
				.vaddr = header->vaddr,
				.memory_size = free_vaddr - header->vaddr,
				.executable = header->flags & SHF_EXECINSTR,
			};
		}
	}
}

static int decode(struct elf_file *file, struct error *err)
{
	if (elf_header_decode(&file->header, file->bytes, file->size, file->path, err) < 0)
		return -1;
	read_sections(file); /* first, as section 0 may have the number of segments */
	read_segments(file);
	if (file->header.type == ET_REL && file->segment_count == 0)
		place_sections(file);
	read_build_id_from_sections(file);
	return 0;
}

int elf_file_check_whole(const struct elf_file *file, struct error *err)
{
	/* The rest of a cut file's last page reads as zeros, which the guard does not notice; so touch the last byte. */
	if (file->guard)
		(void)*(const volatile uint8_t *)(file->bytes + file->size - 1);
	if (!map_guard_was_hit(file->guard))
		return 0;
	return error_set(err, "%s was cut short while it was read: try again once it is written completely",
			 file->path);
}

/* Takes over the bytes, even on failure. */
static struct elf_file *open_bytes(uint8_t *bytes, size_t size, bool mapped, const char *name,
				   struct error *err)
{
	struct elf_file *file = xcalloc(1, sizeof(*file));

	file->path = xstrdup(name);
	file->bytes = bytes;
	file->size = size;
	file->mapped = mapped;
	file->guard = mapped ? map_guard_add(bytes, size) : NULL;
	if (decode(file, err) == 0 && elf_file_check_whole(file, err) == 0)
		return file;
	elf_file_close(file);
	return NULL;
}

struct elf_file *elf_file_open_memory(void *bytes, size_t size, const char *name, struct error *err)
{
	return open_bytes(bytes, size, false, name, err);
}

struct elf_file *elf_file_open_mapped(void *bytes, size_t size, const char *name, struct error *err)
{
	return open_bytes(bytes, size, true, name, err);
}

struct elf_file *elf_file_open(const char *path, struct error *err)
{
	struct elf_file *file = NULL;
	struct stat st;
	void *bytes;
	int fd;

	fd = regular_file_open(path, err);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) < 0) {
		error_set_errno(err, errno, "cannot read %s", path);
		goto out;
	}
	if (st.st_size < EI_NIDENT) {
		error_set(err, "%s is not an ELF file: it has %lld bytes", path, (long long)st.st_size);
		goto out;
	}
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		error_set_errno(err, errno, "cannot map %s", path);
		goto out;
	}
	file = open_bytes(bytes, (size_t)st.st_size, true, path, err);
out:
	close(fd);
	return file;
}

void elf_file_close(struct elf_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->section_count; i++)
		free(file->sections[i].own);
	free(file->sections);
	free(file->segments);
	arena_fini(&file->arena);
	map_guard_remove(file->guard);
	if (file->mapped)
		munmap(file->bytes, file->size);
	else
		free(file->bytes);
	free(file->path);
	free(file);
}

const char *elf_file_path(const struct elf_file *file)
{
	return file->path;
}

uint16_t elf_file_machine(const struct elf_file *file)
{
	return file->header.machine;
}

uint16_t elf_file_type(const struct elf_file *file)
{
	return file->header.type;
}

bool elf_file_is_64bit(const struct elf_file *file)
{
	return file->header.is_64bit;
}

bool elf_file_swapped(const struct elf_file *file)
{
	return file->header.swap;
}

const struct build_id *elf_file_build_id(const struct elf_file *file)
{
	return &file->build_id;
}

const uint8_t *elf_file_bytes(const struct elf_file *file, size_t *size)
{
	*size = file->size;
	return file->bytes;
}

struct arena *elf_file_arena(struct elf_file *file)
{
	return &file->arena;
}

size_t elf_file_segment_count(const struct elf_file *file)
{
	return file->segment_count;
}

const struct elf_segment *elf_file_segment(const struct elf_file *file, size_t number)
{
	return &file->segments[number];
}

int elf_file_offset_to_vaddr(const struct elf_file *file, uint64_t file_offset, uint64_t *vaddr)
{
	const struct elf_segment *found = NULL;

	for (size_t i = 0; i < file->segment_count; i++) {
		const struct elf_segment *segment = &file->segments[i];

		if (file_offset < segment->file_offset ||
		    file_offset - segment->file_offset >= segment->file_size)
			continue;
		/* Neighbouring segments may share a page of the file, and so offsets; prefer code. */
		if (!found || (segment->executable && !found->executable))
			found = segment;
	}
	if (!found)
		return -1;
	*vaddr = found->vaddr + (file_offset - found->file_offset);
	return 0;
}

int elf_file_mapping_to_vaddr(const struct elf_file *file, uint64_t file_offset, uint64_t size_bytes,
			      uint64_t *vaddr)
{
	const struct elf_segment *found = NULL;

	for (size_t i = 0; i < file->segment_count; i++) {
		const struct elf_segment *segment = &file->segments[i];
		bool meets = segment->file_offset >= file_offset ?
				     segment->file_offset - file_offset < size_bytes :
				     file_offset - segment->file_offset < segment->file_size;

		if (meets && (!found || (segment->executable && !found->executable)))
			found = segment;
	}
	if (!found)
		return -1;
	/* The result may lie before the segment, within the last page of its neighbour. */
	*vaddr = found->vaddr + (file_offset - found->file_offset);
	return 0;
}

int elf_file_vaddr_to_offset(const struct elf_file *file, uint64_t vaddr, uint64_t *file_offset)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const struct elf_segment *segment = &file->segments[i];

		if (vaddr < segment->vaddr || vaddr - segment->vaddr >= segment->file_size)
			continue;
		*file_offset = segment->file_offset + (vaddr - segment->vaddr);
		return 0;
	}
	return -1;
}

size_t elf_file_section_count(const struct elf_file *file)
{
	return file->section_count;
}

void elf_file_section_header(const struct elf_file *file, size_t number, struct elf_section *section)
{
	const struct section_slot *slot = &file->sections[number];

	*section = (struct elf_section){
		.name = slot->name,
		.size = slot->header.size <= SIZE_MAX ? (size_t)slot->header.size : SIZE_MAX,
		.vaddr = slot->header.vaddr,
		.file_offset = slot->header.file_offset,
		.type = slot->header.type,
		.flags = slot->header.flags,
		.number = (uint32_t)number,
		.link = slot->header.link,
		.info = slot->header.info,
		.entry_size_bytes = slot->header.entry_size,
	};
}

static bool is_zdebug(const char *name)
{
	return strncmp(name, ".zdebug", strlen(".zdebug")) == 0;
}

static int inflate_section(struct elf_file *file, struct section_slot *slot, struct elf_section *section,
			   struct error *err)
{
	const uint8_t *bytes = section->bytes;

	if (!slot->own) {
		if (section->flags & SHF_COMPRESSED)
			slot->own = section_inflate_chdr(bytes, section->size, file->header.is_64bit,
							 file->header.swap, &slot->own_size, err);
		else
			slot->own = section_inflate_zdebug(bytes, section->size, &slot->own_size, err);
	}
	if (!slot->own)
		return error_wrap(err, "%s: section %s", file->path, slot->name);
	section->bytes = slot->own;
	section->size = slot->own_size;
	section->compressed = true;
	return 1;
}

/* Does the section need relocation? Only debug information does: code is not read from relocatable files. */
static bool is_relocated(const struct elf_file *file, const struct elf_section *section)
{
	/* Tables of relocations and symbols have other types, so reading them does not recurse. */
	return file->header.type == ET_REL && section->type == SHT_PROGBITS &&
	       !(section->flags & SHF_ALLOC) && strstr(section->name, "debug_");
}

static bool section_vaddr(const void *context, uint32_t number, uint64_t *vaddr)
{
	const struct elf_file *file = context;

	if (number >= file->section_count)
		return false;
	*vaddr = file->sections[number].header.vaddr;
	return true;
}

/* Finds the first table of relocations for a section. Compilers make no second one. */
static bool find_relocations(struct elf_file *file, uint32_t target, struct elf_relocations *relocations)
{
	for (size_t i = 0; i < file->section_count; i++) {
		const struct elf_section_header *header = &file->sections[i].header;
		struct elf_section entries, symbols;

		if ((header->type != SHT_RELA && header->type != SHT_REL) || header->info != target)
			continue;
		if (elf_file_section_at(file, i, &entries, NULL) != 1 ||
		    elf_file_section_at(file, entries.link, &symbols, NULL) != 1 ||
		    symbols.type != SHT_SYMTAB)
			return false;
		*relocations = (struct elf_relocations){ .header = &file->header,
							 .entries = entries.bytes,
							 .entries_size = entries.size,
							 .with_addends = header->type == SHT_RELA,
							 .symbols = symbols.bytes,
							 .symbols_size = symbols.size,
							 .section_vaddr = section_vaddr,
							 .context = file };
		return true;
	}
	return false;
}

/* Relocates a copy, as the file is mapped read-only. */
static void relocate_section(struct elf_file *file, struct section_slot *slot, struct elf_section *section)
{
	struct elf_relocations relocations;

	if (!slot->own) {
		slot->own = xmalloc(section->size + 1);
		slot->own_size = section->size;
		memcpy(slot->own, section->bytes, section->size);
	}
	if (!slot->relocated && find_relocations(file, section->number, &relocations))
		elf_relocations_apply(&relocations, section->vaddr, slot->own, slot->own_size);
	slot->relocated = true;
	section->bytes = slot->own;
}

int elf_file_section_at(struct elf_file *file, size_t number, struct elf_section *section, struct error *err)
{
	if (number >= file->section_count)
		return 0;
	elf_file_section_header(file, number, section);
	if (section->type == SHT_NOBITS || section->type == SHT_NULL)
		return 1;
	if (elf_file_check_whole(file, err) < 0)
		return -1;
	section->bytes = file_bytes(file, section->file_offset, section->size);
	if (!section->bytes)
		return error_set(err, "%s: section %s lies outside of the file: it is damaged or cut short",
				 file->path, section->name);
	if (((section->flags & SHF_COMPRESSED) || is_zdebug(section->name)) &&
	    inflate_section(file, &file->sections[number], section, err) < 0)
		return -1;
	if (is_relocated(file, section))
		relocate_section(file, &file->sections[number], section);
	return 1;
}

/* ".debug_info" also names ".zdebug_info". */
static bool section_has_name(const char *section_name, const char *name)
{
	if (strcmp(section_name, name) == 0)
		return true;
	return strncmp(name, ".debug", strlen(".debug")) == 0 && is_zdebug(section_name) &&
	       strcmp(section_name + 2, name + 1) == 0;
}

int elf_file_section(struct elf_file *file, const char *name, struct elf_section *section, struct error *err)
{
	for (size_t i = 0; i < file->section_count; i++)
		if (section_has_name(file->sections[i].name, name))
			return elf_file_section_at(file, i, section, err);
	if (file->sections_cut_off)
		return error_set(err,
				 "%s: the section table lies outside of the file: it is damaged or cut short",
				 file->path);
	return elf_file_check_whole(file, err); /* a cut file may have lost its section names */
}

/* Sections to be decompressed in parallel. Each thread changes only its own slot. */
struct inflate_jobs {
	struct elf_file *file;
	size_t *numbers; /* of sections */
	size_t count;
};

static void inflate_job(void *context, size_t job)
{
	const struct inflate_jobs *jobs = context;
	struct elf_section section;

	/* Errors are ignored here: reading a damaged section later reports them. */
	(void)elf_file_section_at(jobs->file, jobs->numbers[job], &section, NULL);
}

static bool is_compressed(const struct section_slot *slot)
{
	return !slot->own && ((slot->header.flags & SHF_COMPRESSED) || is_zdebug(slot->name));
}

void elf_file_inflate(struct elf_file *file, const char *const *names, size_t count)
{
	struct inflate_jobs jobs = { .file = file, .numbers = xcalloc(count + 1, sizeof(*jobs.numbers)) };

	if (file->header.type == ET_REL) /* relocating one section reads others, so not in parallel */
		count = 0;
	for (size_t name = 0; name < count; name++)
		for (size_t i = 0; i < file->section_count; i++) {
			if (!section_has_name(file->sections[i].name, names[name]))
				continue;
			if (is_compressed(&file->sections[i]))
				jobs.numbers[jobs.count++] = i;
			break; /* like elf_file_section(), take the first */
		}
	parallel_for(jobs.count, jobs.count, inflate_job, &jobs);
	free(jobs.numbers);
}

const char *elf_section_string(const struct elf_section *section, uint64_t offset)
{
	if (!section->bytes || offset >= section->size)
		return NULL;
	if (section->bytes[section->size - 1] != '\0' &&
	    !memchr(section->bytes + offset, '\0', section->size - (size_t)offset))
		return NULL;
	return (const char *)section->bytes + offset;
}

void elf_section_trim_strings(struct elf_section *section)
{
	const uint8_t *last = section->bytes ? memrchr(section->bytes, '\0', section->size) : NULL;

	section->size = last ? (size_t)(last - section->bytes) + 1 : 0;
}
