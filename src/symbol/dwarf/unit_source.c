/*
 * Combines the two halves of an answer: the line table gives file and line of the instruction, the inline index the
 * functions around it. Each inlined call says where it was called from, so the frame outside it takes its line from
 * there. See unit_source_find().
 */
#include "symbol/dwarf/unit_source.h"

#include <dwarf.h>
#include <limits.h>
#include <string.h>

/* In a damaged file a name can be as long as the file. */
enum { MAX_NAME = 1 << 16 };

/* A split unit has its own table of files, or shares its skeleton's. */
static Dwarf_Files *files_of(struct unit_source *source)
{
	Dwarf_Files *files;
	size_t count;

	if (source->is_split && dwarf_getsrcfiles(&source->split.entry, &files, &count) == 0)
		return files;
	return source->entry.addr && dwarf_getsrcfiles(&source->entry, &files, &count) == 0 ? files : NULL;
}

int unit_source_read(struct unit_source *source, const struct dwarf_unit *unit,
		     const struct unit_context *context, const struct dwarf_handle *handle,
		     const uint64_t *wanted, size_t wanted_count, struct error *err)
{
	const struct dwarf_sections *sections = dwarf_file_sections(context->file);
	int status = 0;

	split_unit_close(&source->split);
	source->is_split = false;
	source->unit = unit;
	source->handle = handle;
	owned_ranges_clear(&source->inlines.functions);
	source->call_files = NULL;
	if (!handle->dwarf || !dwarf_offdie(handle->dwarf, unit->entry, &source->entry)) {
		source->entry.addr = NULL;
		return 0;
	}
	if (unit->split_name) {
		status = split_unit_open(&source->split, unit, sections, context->package, context->symfs,
					 context->directory, err);
		source->is_split = status == 0;
	}
	inline_index_read(&source->inlines, source->is_split ? &source->split.sections : sections,
			  source->is_split ? &source->split.entry : &source->entry, context->is_code,
			  context->is_code_context, wanted, wanted_count);
	source->call_files = files_of(source);
	return status;
}

void unit_source_fini(struct unit_source *source)
{
	split_unit_close(&source->split);
	inline_index_fini(&source->inlines);
	strbuf_fini(&source->scratch);
	*source = (struct unit_source){ 0 };
}

static uint32_t add_path(struct unit_source *source, const char *path, struct str_pool *texts)
{
	const char *directory = source->unit->directory;

	if (!path || strcmp(path, "???") == 0) /* libdw's name for a file that is not in the table */
		return 0;
	strbuf_reset(&source->scratch);
	if (path[0] != '/' && directory)
		strbuf_addf(&source->scratch, "%s/", directory);
	strbuf_adds(&source->scratch, path);
	if (source->scratch.size > PATH_MAX)
		return 0;
	return str_pool_add_n(texts, source->scratch.bytes, source->scratch.size);
}

static uint32_t add_name(struct unit_source *source, uint32_t scope, struct str_pool *texts)
{
	const struct dwarf_handle *handle = source->is_split ? &source->split.handle : source->handle;
	const char *name = dwarf_handle_name(handle, &source->inlines.scopes[scope].entry);

	return name && strnlen(name, MAX_NAME) < MAX_NAME ? str_pool_add(texts, name) : 0;
}

/* Finds the line of the instruction; false if there is none. */
static bool find_line(struct unit_source *source, uint64_t vaddr, struct str_pool *texts,
		      struct unit_frame *frame)
{
	Dwarf_Line *line = source->entry.addr ? dwarf_getsrc_die(&source->entry, vaddr) : NULL;
	int number;

	*frame = (struct unit_frame){ 0 };
	if (!line)
		return false;
	frame->file = add_path(source, dwarf_linesrc(line, NULL, NULL), texts);
	if (dwarf_lineno(line, &number) == 0 && number > 0)
		frame->line = (uint32_t)number;
	return true;
}

/* The place at which an inlined function was called. */
static struct unit_frame call_of(struct unit_source *source, uint32_t scope, struct str_pool *texts)
{
	Dwarf_Die *entry = &source->inlines.scopes[scope].entry;
	uint64_t file = dwarf_handle_number(entry, DW_AT_call_file);
	uint64_t line = dwarf_handle_number(entry, DW_AT_call_line);
	const char *path = source->call_files && dwarf_hasattr(entry, DW_AT_call_file) ?
				   dwarf_filesrc(source->call_files,
						 file <= SIZE_MAX ? (size_t)file : SIZE_MAX, NULL, NULL) :
				   NULL;

	return (struct unit_frame){ .file = add_path(source, path, texts),
				    .line = line <= UINT32_MAX ? (uint32_t)line : 0 };
}

size_t unit_source_find(struct unit_source *source, uint64_t vaddr, struct str_pool *texts,
			struct unit_frame frames[INLINE_MAX_DEPTH])
{
	uint32_t scopes[INLINE_MAX_DEPTH];
	size_t count = inline_index_find(&source->inlines, vaddr, scopes), i;
	bool has_line = find_line(source, vaddr, texts, &frames[0]);

	if (count == 0)
		return has_line;
	for (i = 0; i < count; i++) {
		uint32_t scope = scopes[count - 1 - i];

		frames[i].function = add_name(source, scope, texts);
		if (i + 1 < count)
			frames[i + 1] = call_of(source, scope, texts);
	}
	return count;
}

const struct owned_range *unit_source_function(struct unit_source *source, uint64_t vaddr,
					       struct str_pool *texts, uint32_t *name)
{
	const struct owned_range *function = inline_index_function(&source->inlines, vaddr);

	if (function)
		*name = add_name(source, function->owner, texts);
	return function;
}
