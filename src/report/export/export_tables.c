/*
 * A location of the profile is one function, inlined or not; a place, which is a location in pprof, is all functions at one
 * address. The innermost location stands for it, because those around it follow from it.
 */
#include "report/export/export_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturating.h"
#include "base/xalloc.h"
#include "report/export/protobuf_writer.h"
#include "report/rows/frame_text.h"
#include "text/safe_text.h"

enum { PAGE_BYTES = 4096 };

/* Libraries have ".so" in their names; names in brackets are no files. */
static bool is_program(const struct profile *profile, uint32_t dso)
{
	const char *name = profile_text(profile, profile_dso_at(profile, dso)->name);

	return name[0] && name[0] != '[' && !strstr(name, ".so") && !profile_dso_at(profile, dso)->is_jit;
}

static uint32_t main_program(const struct export_input *input, const bool *chosen)
{
	const struct profile *profile = input->view.profile;
	uint64_t *weights = xcalloc((size_t)profile_dso_count(profile) + 1, sizeof(*weights)), most = 0;
	uint32_t found = PROFILE_NONE, dso;
	struct sample_walk walk;

	sample_walk_init(&walk, profile, input->sums);
	while (sample_walk_next(&walk)) {
		if (!chosen[walk.number] || walk.sample.stack == PROFILE_NONE)
			continue;
		dso = profile_location_at(profile, profile_stack_at(profile, walk.sample.stack)->location)
			      ->dso;
		if (dso != PROFILE_NONE)
			saturating_add(&weights[dso], walk.sample.weight);
	}
	for (dso = 0; dso < profile_dso_count(profile); dso++) {
		if (weights[dso] > most && is_program(profile, dso)) {
			most = weights[dso];
			found = dso;
		}
	}
	free(weights);
	return found;
}

static uint32_t mapping_of(struct export_tables *tables, uint32_t dso)
{
	uint32_t *number = &tables->mapping_of[dso];

	if (*number)
		return *number;
	tables->mappings = array_grow(tables->mappings, &tables->mapping_capacity, tables->mapping_count + 1,
				      sizeof(*tables->mappings));
	tables->mappings[tables->mapping_count] = (struct export_mapping){ .dso = dso, .first = UINT64_MAX };
	return *number = (uint32_t)++tables->mapping_count;
}

void export_tables_init(struct export_tables *tables, const struct export_input *input, const bool *chosen)
{
	const struct profile *profile = input->view.profile;
	uint32_t program;

	*tables = (struct export_tables){ .input = input, .strings = str_pool_create() };
	tables->place_of =
		xcalloc(((size_t)profile_location_count(profile) + 1) * 2, sizeof(*tables->place_of));
	tables->mapping_of = xcalloc((size_t)profile_dso_count(profile) + 1, sizeof(*tables->mapping_of));
	tables->function_keys = str_pool_create();
	strbuf_init(&tables->scratch);
	program = main_program(input, chosen);
	if (program != PROFILE_NONE)
		(void)mapping_of(tables, program);
}

void export_tables_fini(struct export_tables *tables)
{
	str_pool_destroy(tables->strings);
	str_pool_destroy(tables->function_keys);
	free(tables->places);
	free(tables->functions);
	free(tables->mappings);
	free(tables->place_of);
	free(tables->mapping_of);
	free(tables->stack);
	strbuf_fini(&tables->scratch);
}

uint32_t export_tables_string(struct export_tables *tables, const char *text)
{
	strbuf_reset(&tables->scratch);
	safe_text_add(&tables->scratch, text);
	return str_pool_add_n(tables->strings, tables->scratch.size ? tables->scratch.bytes : "",
			      tables->scratch.size);
}

static uint32_t make_mapping(struct export_tables *tables, const struct profile_location *location)
{
	struct export_mapping *mapping;
	uint32_t number;

	if (location->dso == PROFILE_NONE)
		return 0;
	number = mapping_of(tables, location->dso);
	mapping = &tables->mappings[number - 1];
	if (location->no_address)
		return number;
	if (location->address < mapping->first)
		mapping->first = location->address;
	if (location->address > mapping->last)
		mapping->last = location->address;
	return number;
}

static uint32_t *place_slot(const struct export_tables *tables, const struct profile_stack *node)
{
	return &tables->place_of[(size_t)node->location * 2 + (node->origin == FRAME_GUESSED)];
}

static uint32_t place_of(struct export_tables *tables, uint32_t stack)
{
	const struct profile *profile = tables->input->view.profile;
	const struct profile_stack *node = profile_stack_at(profile, stack);
	uint32_t *number = place_slot(tables, node);

	if (*number)
		return *number;
	tables->places = array_grow(tables->places, &tables->place_capacity, tables->place_count + 1,
				    sizeof(*tables->places));
	tables->places[tables->place_count] = (struct export_place){
		.stack = stack,
		.mapping = make_mapping(tables, profile_location_at(profile, node->location)),
	};
	return *number = (uint32_t)++tables->place_count;
}

/* Lists the nodes of a stack, and prefetches what tells their places, because the waits for that memory would be most of the work. */
static size_t list_nodes(struct export_tables *tables, uint32_t stack)
{
	const struct profile *profile = tables->input->view.profile;
	size_t count = 0;

	while (stack != PROFILE_NONE) {
		const struct profile_stack *node = profile_stack_at(profile, stack);

		__builtin_prefetch(place_slot(tables, node));
		__builtin_prefetch(profile_location_at(profile, node->location));
		tables->stack =
			array_grow(tables->stack, &tables->stack_capacity, count + 1, sizeof(*tables->stack));
		tables->stack[count++] = stack;
		stack = node->parent;
	}
	return count;
}

static bool is_inlined(const struct profile *profile, uint32_t stack)
{
	return profile_location_at(profile, profile_stack_at(profile, stack)->location)->inline_depth > 0;
}

size_t export_tables_stack(struct export_tables *tables, uint32_t stack, const uint32_t **places)
{
	const size_t node_count = list_nodes(tables, stack);
	bool is_begun = false; /* a function inlined at the place was met */
	size_t count = 0;

	for (size_t i = 0; i < node_count; i++) {
		const uint32_t node = tables->stack[i];

		if (!is_begun)
			tables->stack[count++] = place_of(tables, node);
		is_begun = is_inlined(tables->input->view.profile, node);
	}
	*places = tables->stack;
	return count;
}

static void add_name(struct strbuf *out, const struct profile *profile, const struct frame *frame)
{
	strbuf_reset(out);
	safe_text_add(out, profile_text(profile, frame->name));
	if (frame->guessed)
		strbuf_adds(out, FRAME_GUESSED_MARK);
}

/* The function of one node, inlined or not; 0: not known. */
static uint32_t function_of(struct export_tables *tables, uint32_t stack)
{
	const struct view_input *view = &tables->input->view;
	const struct profile *profile = view->profile;
	const struct profile_stack *node = profile_stack_at(profile, stack);
	const uint32_t frame = frame_table_of_node(view->frames, node),
		       file = profile_location_at(profile, node->location)->file;
	char key[32];
	uint32_t number;

	if (view->frames->frames[frame].name == PROFILE_NONE)
		return 0;
	snprintf(key, sizeof(key), "%" PRIx32 ":%" PRIx32, frame, file);
	number = str_pool_add(tables->function_keys, key);
	if (number <= tables->function_count)
		return number;
	tables->functions =
		array_grow(tables->functions, &tables->function_capacity, number, sizeof(*tables->functions));
	tables->functions[tables->function_count].file =
		file ? export_tables_string(tables, profile_text(profile, file)) : 0;
	add_name(&tables->scratch, profile, &view->frames->frames[frame]);
	tables->functions[tables->function_count++].name =
		str_pool_add_n(tables->strings, tables->scratch.bytes, tables->scratch.size);
	return number;
}

void export_tables_add_lines(struct export_tables *tables, struct strbuf *message, uint32_t field,
			     uint32_t stack)
{
	enum { LINE_FUNCTION = 1, LINE_LINE };
	const struct profile *profile = tables->input->view.profile;
	const uint32_t compiled = profile_compiled_stack(profile, stack),
		       caller = compiled == PROFILE_NONE ? PROFILE_NONE :
							   profile_stack_at(profile, compiled)->parent;
	struct strbuf line;

	strbuf_init(&line);
	for (; stack != PROFILE_NONE && stack != caller; stack = profile_stack_at(profile, stack)->parent) {
		const struct profile_location *location =
			profile_location_at(profile, profile_stack_at(profile, stack)->location);
		const uint32_t function = function_of(tables, stack);

		if (!function)
			continue;
		strbuf_reset(&line);
		protobuf_unsigned(&line, LINE_FUNCTION, function);
		protobuf_unsigned(&line, LINE_LINE, location->line);
		protobuf_message(message, field, &line);
	}
	strbuf_fini(&line);
}

uint64_t export_mapping_start(const struct export_mapping *mapping)
{
	return mapping->first > mapping->last ? 0 : mapping->first & ~(uint64_t)(PAGE_BYTES - 1);
}

uint64_t export_mapping_limit(const struct export_mapping *mapping)
{
	const uint64_t last = mapping->last | (PAGE_BYTES - 1);

	return mapping->first > mapping->last ? 0 : last == UINT64_MAX ? last : last + 1;
}
