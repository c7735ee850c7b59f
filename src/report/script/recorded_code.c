/*
 * Opens the file of each DSO at the first request for its code, and returns pointers to its bytes. Only sections with code count.
 */
#include "report/script/recorded_code.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "elf/elf_file.h"
#include "report/names/dso_symbols.h"
#include "symbol/recorded_file.h"

struct code_file { /* of one DSO */
	bool opened;
	struct elf_file *file; /* NULL if it has none */
};

struct recorded_code {
	const struct debug_file_search *search;
	struct code_file *files; /* by number of DSO */
	size_t capacity;
	struct object_needs *needs; /* may be NULL */
};

struct recorded_code *recorded_code_create(const struct debug_file_search *search)
{
	struct recorded_code *code = xcalloc(1, sizeof(*code));

	code->search = search;
	return code;
}

void recorded_code_destroy(struct recorded_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < code->capacity; i++)
		elf_file_close(code->files[i].file);
	free(code->files);
	free(code);
}

static struct code_file *file_of(struct recorded_code *code, uint32_t number)
{
	const size_t old = code->capacity;

	if (number >= old) {
		code->files =
			array_grow(code->files, &code->capacity, (size_t)number + 1, sizeof(code->files[0]));
		memset(code->files + old, 0, (code->capacity - old) * sizeof(code->files[0]));
	}
	return &code->files[number];
}

static struct elf_file *open_code(const struct recorded_code *code, const struct dso *dso)
{
	uint32_t pids[DSO_MAPPERS + 1];
	const struct recorded_file recorded = {
		.path = dso->path, .build_id = dso->build_id, .pids = pids, .is_vdso = dso->kind == DSO_VDSO
	};

	dso_mappers(dso, pids);
	if (dso->kind != DSO_FILE && dso->kind != DSO_VDSO)
		return NULL;
	return recorded_file_open(&recorded, code->search, NULL);
}

/* A debug file lists the code sections, too, but without their bytes. */
static bool is_code(const struct elf_file *file, uint64_t file_offset)
{
	for (size_t i = 0; i < elf_file_section_count(file); i++) {
		struct elf_section section;

		elf_file_section_header(file, i, &section);
		if (section.flags & SHF_EXECINSTR && section.type != SHT_NOBITS &&
		    file_offset >= section.file_offset && file_offset - section.file_offset < section.size)
			return true;
	}
	return false;
}

size_t recorded_code_at(struct recorded_code *code, const struct dso *dso, uint64_t file_offset,
			const uint8_t **bytes, bool *is_64bit)
{
	struct code_file *known = file_of(code, dso->number);
	const uint8_t *start;
	size_t size;

	if (!known->opened)
		*known = (struct code_file){ .opened = true, .file = open_code(code, dso) };
	if (!known->file || !is_code(known->file, file_offset))
		return 0;
	start = elf_file_bytes(known->file, &size);
	if (file_offset >= size)
		return 0;
	*bytes = start + file_offset;
	*is_64bit = elf_file_is_64bit(known->file);
	return size - file_offset;
}

void recorded_code_set_needs(struct recorded_code *code, struct object_needs *needs)
{
	code->needs = needs;
}

void recorded_code_need(struct recorded_code *code, const struct dso *dso, uint64_t file_offset, size_t size)
{
	struct symbol_object object;

	if (!code->needs || !dso_symbols_object(dso, &object))
		return;
	for (uint64_t at = file_offset; at < file_offset + size; at += RECORDED_CODE_NEED_BYTES)
		object_need_add(object_needs_of(code->needs, &object), OBJECT_NEED_CODE, at);
}
