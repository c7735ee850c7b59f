#include "symbol/unit_source.h"

#include <limits.h>
#include <string.h>

/* What a damaged file calls a function or file can be as long as the file. */
enum { MAX_NAME = 1 << 16 };

static const struct dwarf_unit *inline_unit(const struct unit_source *source)
{
	return source->is_split ? &source->split.unit : source->unit;
}

int unit_source_read(struct unit_source *source, const struct dwarf_unit *unit,
		     const struct unit_context *context, const uint64_t *wanted, size_t wanted_count,
		     struct error *err)
{
	int status = 0;

	split_unit_close(&source->split);
	source->unit = unit;
	source->is_split = false;
	if (unit->split_name) {
		status = split_unit_open(&source->split, unit, context->package, context->symfs,
					 context->directory, err);
		source->is_split = status == 0;
	}
	inline_index_read(&source->inlines, inline_unit(source), context->is_code, context->is_code_context,
			  wanted, wanted_count);
	source->lines.row_count = source->lines.sequence_count = source->lines.file_count = 0;
	if (unit->has_lines)
		line_index_read(&source->lines, unit, context->is_code, context->is_code_context);
	source->has_split_files = source->is_split && source->split.unit.has_lines &&
				  dwarf_file_section(source->split.unit.file, DWARF_LINE)->size >
					  source->split.unit.line_offset;
	if (source->has_split_files)
		line_index_read_files(&source->split_files, &source->split.unit);
	return status;
}

void unit_source_fini(struct unit_source *source)
{
	split_unit_close(&source->split);
	inline_index_fini(&source->inlines);
	line_index_fini(&source->lines);
	line_index_fini(&source->split_files);
	strbuf_fini(&source->scratch);
	*source = (struct unit_source){ 0 };
}

static uint32_t add_path(struct unit_source *source, const struct line_index *files, uint64_t file,
			 struct str_pool *texts)
{
	strbuf_reset(&source->scratch);
	if (!line_index_path(files, file, &source->scratch) || source->scratch.size > PATH_MAX)
		return 0;
	return str_pool_add_n(texts, source->scratch.bytes, source->scratch.size);
}

static uint32_t add_name(const struct unit_source *source, uint32_t scope, struct str_pool *texts)
{
	const char *name = dwarf_entry_name(inline_unit(source), &source->inlines.abbrevs,
					    source->inlines.scopes[scope].entry);

	return name && strnlen(name, MAX_NAME) < MAX_NAME ? str_pool_add(texts, name) : 0;
}

static uint32_t line_of(uint64_t line)
{
	return line <= UINT32_MAX ? (uint32_t)line : 0;
}

size_t unit_source_find(struct unit_source *source, uint64_t vaddr, struct str_pool *texts,
			struct unit_frame frames[INLINE_MAX_DEPTH])
{
	const struct line_index *call_files = source->has_split_files ? &source->split_files : &source->lines;
	const struct line_row *row = line_index_find(&source->lines, vaddr);
	uint32_t scopes[INLINE_MAX_DEPTH];
	size_t count = inline_index_find(&source->inlines, vaddr, scopes), i;

	if (count == 0 && !row)
		return 0;
	frames[0] = (struct unit_frame){ 0 };
	if (row)
		frames[0] = (struct unit_frame){ 0, add_path(source, &source->lines, row->file, texts),
						 row->line };
	for (i = 0; i < count; i++) {
		uint32_t number = scopes[count - 1 - i];
		const struct inline_scope *scope = &source->inlines.scopes[number];

		frames[i].function = add_name(source, number, texts);
		if (i + 1 < count)
			frames[i + 1] = (struct unit_frame){
				.file = add_path(source, call_files, scope->call_file, texts),
				.line = line_of(scope->call_line),
			};
	}
	return count ? count : 1;
}
