/*
 * The mapping of an address turns it into a file offset, which the model needs for files. Kernel addresses stay as they were at
 * run time.
 */
#include "report/import/import_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void import_code_fini(struct import_code *code)
{
	free(code->mappings);
	free(code->functions);
	free(code->lines);
	free(code->places);
	free(code->frames);
	*code = (struct import_code){ .mappings = NULL };
}

void import_code_add_mapping(struct import_code *code, const struct import_mapping *mapping)
{
	*ARRAY_ADD(code->mappings, code->mapping_count, code->mapping_capacity) = *mapping;
}

void import_code_add_function(struct import_code *code, const char *name, const char *system_name,
			      const char *file)
{
	*ARRAY_ADD(code->functions, code->function_count, code->function_capacity) =
		(struct import_function){ *name ? name : system_name, file };
}

void import_code_add_line(struct import_code *code, uint64_t function, uint64_t line)
{
	*ARRAY_ADD(code->lines, code->line_count, code->line_capacity) = (struct import_line){
		.function = function < code->function_count ? (uint32_t)function : IMPORT_NONE,
		.line = line <= INT32_MAX ? (uint32_t)line : 0,
	};
}

void import_code_add_place(struct import_code *code, uint32_t mapping, uint64_t address, uint32_t first_line)
{
	*ARRAY_ADD(code->places, code->place_count, code->place_capacity) = (struct import_place){
		.mapping = mapping,
		.address = address,
		.first_line = first_line,
		.line_count = (uint32_t)code->line_count - first_line,
		.first_frame = IMPORT_NONE,
	};
}

static struct import_frame frame_of(const struct import_code *code, const struct import_place *place)
{
	struct import_frame frame = { .address = place->address, .has_address = place->address != 0 };
	const struct import_mapping *mapping;

	frame.mode = place->is_kernel ? FRAME_KERNEL : FRAME_USER;
	if (place->mapping >= code->mapping_count)
		return frame;
	mapping = &code->mappings[place->mapping];
	frame.module = mapping->path;
	frame.build_id = mapping->build_id;
	frame.is_jit = !strncmp(mapping->path, "[JIT]", 5);
	if (import_module_is_kernel(mapping->path))
		frame.mode = FRAME_KERNEL;
	if (frame.mode == FRAME_USER && frame.has_address && place->address >= mapping->start &&
	    (!mapping->limit || place->address < mapping->limit))
		frame.address = place->address - mapping->start + mapping->offset;
	return frame;
}

static void add_frame(struct import_code *code, uint32_t location)
{
	*ARRAY_ADD(code->frames, code->frame_count, code->frame_capacity) = location;
}

/* The last line is that of the compiled function; the others are inlined into it. */
static void make_frames(struct import_code *code, struct import_model *model, struct import_place *place)
{
	struct import_frame frame = frame_of(code, place);

	place->first_frame = (uint32_t)code->frame_count;
	if (!place->line_count)
		add_frame(code, import_model_location(model, &frame));
	for (uint32_t depth = 0; depth < place->line_count; depth++) {
		const struct import_line *line =
			&code->lines[place->first_line + place->line_count - 1 - depth];

		frame.is_inlined = depth > 0;
		frame.inline_depth = depth;
		frame.line = line->line;
		frame.function = frame.file = NULL;
		if (line->function < code->function_count) {
			frame.function = code->functions[line->function].name;
			frame.file = code->functions[line->function].file;
		}
		add_frame(code, import_model_location(model, &frame));
	}
}

uint32_t import_code_push(struct import_code *code, struct import_model *model, uint32_t parent,
			  uint32_t number)
{
	struct import_place *place = &code->places[number];
	uint32_t count = place->line_count ? place->line_count : 1;

	if (place->first_frame == IMPORT_NONE)
		make_frames(code, model, place);
	for (uint32_t i = 0; i < count; i++)
		parent = import_model_stack(model, parent, code->frames[place->first_frame + i]);
	return parent;
}
