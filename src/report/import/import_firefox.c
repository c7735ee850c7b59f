/*
 * Firefox Profiler's processed profiles, as samply and others write them, too: columns of numbers, by thread, or from version
 * 56 on in part by profile, under "shared". Each column is found in the thread or there.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/import/import_format.h"
#include "text/json_reader.h"

enum { NAME_SIZE = 256 };

struct table {
	struct json_column stack_prefix, stack_frame;
	struct json_column frame_func, frame_address, frame_line, frame_depth, frame_category;
	struct json_column func_name, func_file, func_resource, func_source;
	struct json_column resource_lib, resource_name, source_file;
	struct json_column strings;
};

struct firefox {
	struct import_model *model;
	struct json_document json;
	json_node shared, libs;
	json_node *lib; /* by number */
	size_t lib_count, lib_capacity;
	uint64_t kernel_category; /* UINT64_MAX: there is none */
	struct table table;       /* of the current thread */
	const char **texts;       /* by number, decoded */
	uint32_t *stacks;         /* nodes of the model */
	struct error *err;
};

static struct json_column column(const struct firefox *firefox, json_node thread, const char *table,
				 const char *name)
{
	const struct json_document *json = &firefox->json;
	json_node node = json_member(json, json_member(json, thread, table), name);

	if (!node)
		node = json_member(json, json_member(json, firefox->shared, table), name);
	return json_column_of(json, node);
}

/* A number of a column that may be null, -1, or missing. */
static uint64_t number_at(const struct firefox *firefox, struct json_column column, uint64_t index)
{
	const json_node node = index < column.count ? column.first + (json_node)index : 0;
	const double number = json_number_of(&firefox->json, node);

	return json_type_of(&firefox->json, node) == JSON_NUMBER && number >= 0 ?
		       (uint64_t)fmin(number, 0x1p62) :
		       UINT64_MAX;
}

static const char *text_at(struct firefox *firefox, uint64_t number)
{
	if (number >= firefox->table.strings.count)
		return NULL;
	if (!firefox->texts[number])
		firefox->texts[number] =
			json_text_of(&firefox->json, firefox->table.strings.first + (json_node)number);
	return firefox->texts[number];
}

static void find_tables(struct firefox *firefox, json_node thread)
{
	const struct json_document *json = &firefox->json;
	json_node strings = json_member(json, thread, "stringArray");

	if (!strings)
		strings = json_member(json, firefox->shared, "stringArray");
	firefox->table = (struct table){
		.stack_prefix = column(firefox, thread, "stackTable", "prefix"),
		.stack_frame = column(firefox, thread, "stackTable", "frame"),
		.frame_func = column(firefox, thread, "frameTable", "func"),
		.frame_address = column(firefox, thread, "frameTable", "address"),
		.frame_line = column(firefox, thread, "frameTable", "line"),
		.frame_depth = column(firefox, thread, "frameTable", "inlineDepth"),
		.frame_category = column(firefox, thread, "frameTable", "category"),
		.func_name = column(firefox, thread, "funcTable", "name"),
		.func_file = column(firefox, thread, "funcTable", "fileName"),
		.func_source = column(firefox, thread, "funcTable", "source"),
		.func_resource = column(firefox, thread, "funcTable", "resource"),
		.resource_lib = column(firefox, thread, "resourceTable", "lib"),
		.resource_name = column(firefox, thread, "resourceTable", "name"),
		.source_file = column(firefox, thread, "sources", "filename"),
		.strings = json_column_of(json, strings),
	};
}

/* The library of a function, if any; else the name of its resource, a script or an extension. */
static void find_module(struct firefox *firefox, uint64_t func, struct import_frame *frame)
{
	struct json_document *json = &firefox->json;
	const uint64_t resource = number_at(firefox, firefox->table.func_resource, func);
	const uint64_t lib = number_at(firefox, firefox->table.resource_lib, resource);
	const char *id;

	if (lib >= firefox->lib_count) {
		frame->module = text_at(firefox, number_at(firefox, firefox->table.resource_name, resource));
		return;
	}
	frame->module = json_text_of(json, json_member(json, firefox->lib[lib], "path"));
	if (!frame->module || !*frame->module)
		frame->module = json_text_of(json, json_member(json, firefox->lib[lib], "name"));
	id = json_text_of(json, json_member(json, firefox->lib[lib], "codeId"));
	if (id && strspn(id, "0123456789abcdefABCDEF") == strlen(id))
		frame->build_id = id;
}

/* Addresses are relative to the library's image and not to its file, so the model cannot use them. */
static uint32_t location_of(struct firefox *firefox, uint64_t number)
{
	const struct table *table = &firefox->table;
	const uint64_t func = number_at(firefox, table->frame_func, number);
	const uint64_t line = number_at(firefox, table->frame_line, number);
	const uint64_t depth = number_at(firefox, table->frame_depth, number);
	uint64_t file = number_at(firefox, table->func_file, func);
	struct import_frame frame = {
		.function = text_at(firefox, number_at(firefox, table->func_name, func)),
		.line = line < UINT32_MAX ? (uint32_t)line : 0,
		.is_inlined = depth != UINT64_MAX && depth > 0,
	};

	if (number_at(firefox, table->frame_category, number) == firefox->kernel_category)
		frame.mode = FRAME_KERNEL;
	if (file == UINT64_MAX)
		file = number_at(firefox, table->source_file, number_at(firefox, table->func_source, func));
	frame.file = text_at(firefox, file);
	find_module(firefox, func, &frame);
	return import_model_location(firefox->model, &frame);
}

/* Callers come before their callees. */
static int make_stacks(struct firefox *firefox)
{
	const struct table *table = &firefox->table;
	uint32_t *locations = xmalloc(((size_t)table->frame_func.count + 1) * sizeof(*locations));
	int status = 0;

	for (uint32_t i = 0; i < table->frame_func.count; i++)
		locations[i] = PROFILE_NONE;
	for (uint32_t i = 0; i < table->stack_frame.count && status == 0; i++) {
		const uint64_t prefix = number_at(firefox, table->stack_prefix, i);
		const uint64_t frame = number_at(firefox, table->stack_frame, i);

		if (frame >= table->frame_func.count || (prefix != UINT64_MAX && prefix >= i)) {
			status = error_set(firefox->err,
					   "stack %" PRIu32 " has a frame or caller that does not exist", i);
			break;
		}
		if (locations[frame] == PROFILE_NONE)
			locations[frame] = location_of(firefox, frame);
		firefox->stacks[i] =
			import_model_stack(firefox->model,
					   prefix == UINT64_MAX ? PROFILE_NONE : firefox->stacks[prefix],
					   locations[frame]);
	}
	free(locations);
	return status;
}

/* The unit of weights, and the factor by which they are multiplied. */
static const char *unit_of(const struct json_document *json, json_node samples, double *factor)
{
	const json_node type = json_member(json, samples, "weightType");

	*factor = 1;
	if (json_is_text(json, type, "tracing-ms")) {
		*factor = 1e6;
		return "nanoseconds";
	}
	return json_is_text(json, type, "bytes") ? "bytes" : "count";
}

struct thread_samples {
	struct json_column stack, weight, time, deltas;
	double factor;
	bool are_counts;
};

static int add_samples(struct firefox *firefox, const struct thread_samples *samples,
		       struct import_sample sample)
{
	const struct json_document *json = &firefox->json;
	double time_ms = 0;

	for (uint32_t i = 0; i < samples->stack.count; i++) {
		const uint64_t stack = number_at(firefox, samples->stack, i);
		const double weight =
			samples->weight.count <= i ? 1 : json_number_of(json, samples->weight.first + i);

		if (i < samples->deltas.count)
			time_ms += json_number_of(json, samples->deltas.first + i);
		else if (i < samples->time.count)
			time_ms = json_number_of(json, samples->time.first + i);
		if (stack == UINT64_MAX || !(weight > 0))
			continue; /* nothing ran */
		if (stack >= firefox->table.stack_frame.count)
			return error_set(firefox->err, "a sample has stack %" PRIu64 ", which does not exist",
					 stack);
		sample.stack = firefox->stacks[stack];
		sample.weight = (uint64_t)llround(fmin(weight * samples->factor, 0x1p62));
		sample.count = samples->are_counts ? sample.weight : 1;
		sample.time_ns =
			(samples->deltas.count || samples->time.count) && time_ms >= 0 && time_ms < 1e12 ?
				(uint64_t)llround(time_ms * 1e6) :
				IMPORT_NO_TIME;
		import_model_add(firefox->model, &sample);
	}
	return 0;
}

/* Reads "1234", 1234, or "1234-2" of a process that was restarted. */
static uint32_t id_of(struct json_document *json, json_node node)
{
	const char *text = json_text_of(json, node);

	return text ? (uint32_t)strtoul(text, NULL, 10) : (uint32_t)json_unsigned_of(json, node);
}

static int add_thread(struct firefox *firefox, json_node thread)
{
	struct json_document *json = &firefox->json;
	const json_node samples = json_member(json, thread, "samples");
	char comm[NAME_SIZE];
	struct import_thread who =
		import_thread_of(json_text_of(json, json_member(json, thread, "name")), comm, sizeof(comm));
	struct thread_samples columns = {
		.stack = json_column_of(json, json_member(json, samples, "stack")),
		.weight = json_column_of(json, json_member(json, samples, "weight")),
		.time = json_column_of(json, json_member(json, samples, "time")),
		.deltas = json_column_of(json, json_member(json, samples, "timeDeltas")),
	};
	const char *unit = unit_of(json, samples, &columns.factor);
	int status;

	if (!columns.stack.count)
		return 0;
	who.pid = id_of(json, json_member(json, thread, "pid"));
	who.tid = id_of(json, json_member(json, thread, "tid"));
	columns.are_counts = !strcmp(unit, "count");
	find_tables(firefox, thread);
	firefox->texts = xcalloc((size_t)firefox->table.strings.count + 1, sizeof(*firefox->texts));
	firefox->stacks = xcalloc((size_t)firefox->table.stack_frame.count + 1, sizeof(*firefox->stacks));
	status = make_stacks(firefox);
	if (status == 0)
		status = add_samples(
			firefox, &columns,
			(struct import_sample){
				.event = import_model_event(firefox->model,
							    columns.are_counts ? "samples" : unit, unit),
				.thread = import_model_thread(firefox->model, &who),
				.cpu = PROFILE_NONE,
			});
	free(firefox->texts);
	free(firefox->stacks);
	return status;
}

static void find_libs(struct firefox *firefox)
{
	const struct json_document *json = &firefox->json;
	struct json_items libs = json_items_of(json, json_member(json, JSON_ROOT, "libs"));
	json_node lib;

	while ((lib = json_next(json, &libs)))
		*ARRAY_ADD(firefox->lib, firefox->lib_count, firefox->lib_capacity) = lib;
}

static uint64_t find_kernel_category(const struct json_document *json)
{
	struct json_items categories =
		json_items_of(json, json_member(json, json_member(json, JSON_ROOT, "meta"), "categories"));
	json_node category;

	for (uint64_t i = 0; (category = json_next(json, &categories)); i++)
		if (json_is_text(json, json_member(json, category, "name"), "Kernel"))
			return i;
	return UINT64_MAX - 1;
}

static int read_threads(struct firefox *firefox)
{
	const struct json_document *json = &firefox->json;
	struct json_items threads = json_items_of(json, json_member(json, JSON_ROOT, "threads"));
	json_node thread;

	firefox->shared = json_member(json, JSON_ROOT, "shared");
	firefox->kernel_category = find_kernel_category(json);
	find_libs(firefox);
	while ((thread = json_next(json, &threads)))
		if (add_thread(firefox, thread))
			return -1;
	return 0;
}

static int read(struct import_model *model, const char *bytes, size_t size, struct error *err)
{
	struct firefox firefox = { .model = model, .err = err };
	int status;

	if (json_read(&firefox.json, bytes, size, err))
		return -1;
	status = read_threads(&firefox);
	free(firefox.lib);
	json_fini(&firefox.json);
	return status;
}

/* An object whose "meta" is of a processed profile. Gecko's own, unprocessed form has no such version. */
static bool recognise(const char *bytes, size_t size)
{
	static const char version[] = "\"preprocessedProfileVersion\"";

	while (size && strchr(" \t\r\n", *bytes) && *bytes)
		bytes++, size--;
	return size && *bytes == '{' && memmem(bytes, size, version, sizeof(version) - 1);
}

const struct import_format import_firefox = {
	.name = "firefox",
	.summary = "Firefox Profiler (processed)",
	.recognise = recognise,
	.read = read,
};
