/*
 * speedscope's own format (www.speedscope.app/file-format-schema.json): lists of frames by number, outermost first, or frames
 * that are opened and closed at times. Each profile of the file is a thread, as most writers use it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/import/import_format.h"
#include "text/json_reader.h"

enum { MOST_OPEN_FRAMES = 65536, NAME_SIZE = 256 };

struct speedscope {
	struct import_model *model;
	struct json_document json;
	uint32_t *locations; /* of the model, by number of the frame */
	size_t frame_count, frame_capacity;
	double unit_ns; /* factor of values; 1 if they are no times */
	struct import_sample sample;
	struct error *err;
};

static void add_frame(struct speedscope *speedscope, json_node node)
{
	struct json_document *json = &speedscope->json;
	const struct import_frame frame = {
		.function = json_text_of(json, json_member(json, node, "name")),
		.file = json_text_of(json, json_member(json, node, "file")),
		.line = (uint32_t)json_unsigned_of(json, json_member(json, node, "line")),
	};

	*ARRAY_ADD(speedscope->locations, speedscope->frame_count, speedscope->frame_capacity) =
		import_model_location(speedscope->model, &frame);
}

static int push(struct speedscope *speedscope, json_node number, uint32_t *stack)
{
	const uint64_t frame = json_unsigned_of(&speedscope->json, number);

	if (json_type_of(&speedscope->json, number) != JSON_NUMBER || frame >= speedscope->frame_count)
		return error_set(speedscope->err,
				 "a stack has frame %" PRIu64 ", which \"shared\" does not have", frame);
	*stack = import_model_stack(speedscope->model, *stack, speedscope->locations[frame]);
	return 0;
}

static void add_sample(struct speedscope *speedscope, uint32_t stack, double weight)
{
	struct import_sample sample = speedscope->sample;

	if (!(weight > 0))
		return;
	sample.stack = stack;
	sample.count = 1;
	sample.weight = (uint64_t)llround(fmin(weight * speedscope->unit_ns, 0x1p62));
	import_model_add(speedscope->model, &sample);
}

static int add_sampled(struct speedscope *speedscope, json_node profile)
{
	const struct json_document *json = &speedscope->json;
	struct json_items samples = json_items_of(json, json_member(json, profile, "samples"));
	struct json_items weights = json_items_of(json, json_member(json, profile, "weights"));
	json_node sample;

	while ((sample = json_next(json, &samples))) {
		struct json_items frames = json_items_of(json, sample);
		const json_node weight = json_next(json, &weights);
		uint32_t stack = PROFILE_NONE;
		json_node frame;

		if (!weight)
			return error_set(speedscope->err, "\"weights\" has fewer items than \"samples\"");
		while ((frame = json_next(json, &frames)))
			if (push(speedscope, frame, &stack))
				return -1;
		add_sample(speedscope, stack, json_number_of(json, weight));
	}
	return 0;
}

/* Frames that are open between two events ran for that long. */
static int add_events(struct speedscope *speedscope, struct json_items events, uint32_t *open)
{
	const struct json_document *json = &speedscope->json;
	size_t depth = 0;
	double last = 0;
	json_node event;

	while ((event = json_next(json, &events))) {
		const double at = json_number_of(json, json_member(json, event, "at"));
		const json_node type = json_member(json, event, "type");
		const bool opens = json_is_text(json, type, "O");

		if (depth && at < last)
			return error_set(speedscope->err,
					 "an event is at %g, earlier than the event before it", at);
		if (depth)
			add_sample(speedscope, open[depth - 1], at - last);
		last = at;
		if (!opens && !json_is_text(json, type, "C"))
			return error_set(speedscope->err, "an event is neither \"O\" nor \"C\"");
		if (!opens && !depth)
			return error_set(speedscope->err, "a frame that is not open is closed at %g", at);
		if (!opens) {
			depth--;
			continue;
		}
		if (depth == MOST_OPEN_FRAMES)
			return error_set(speedscope->err, "more than %d frames are open", MOST_OPEN_FRAMES);
		open[depth] = depth ? open[depth - 1] : PROFILE_NONE;
		if (push(speedscope, json_member(json, event, "frame"), &open[depth]))
			return -1;
		depth++;
	}
	return 0;
}

static int add_evented(struct speedscope *speedscope, json_node profile)
{
	uint32_t *open = xmalloc(MOST_OPEN_FRAMES * sizeof(*open));
	const struct json_document *json = &speedscope->json;
	int status = add_events(speedscope, json_items_of(json, json_member(json, profile, "events")), open);

	free(open);
	return status;
}

/* The unit of values. NULL if the file says that there is none. */
static const char *set_unit(struct speedscope *speedscope, json_node unit)
{
	static const struct {
		const char *name;
		double ns;
	} times[] = {
		{ "nanoseconds", 1 }, { "microseconds", 1e3 }, { "milliseconds", 1e6 }, { "seconds", 1e9 }
	};

	speedscope->unit_ns = 1;
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (json_is_text(&speedscope->json, unit, times[i].name)) {
			speedscope->unit_ns = times[i].ns;
			return "nanoseconds";
		}
	return json_is_text(&speedscope->json, unit, "bytes") ? "bytes" : NULL;
}

static int add_profile(struct speedscope *speedscope, json_node profile)
{
	struct json_document *json = &speedscope->json;
	const json_node type = json_member(json, profile, "type");
	const char *unit = set_unit(speedscope, json_member(json, profile, "unit"));
	char comm[NAME_SIZE];
	const struct import_thread thread =
		import_thread_of(json_text_of(json, json_member(json, profile, "name")), comm, sizeof(comm));

	speedscope->sample = (struct import_sample){
		.event = import_model_event(speedscope->model, unit ? unit : "weight", unit),
		.thread = import_model_thread(speedscope->model, &thread),
		.cpu = PROFILE_NONE,
		.time_ns = IMPORT_NO_TIME,
	};
	if (json_is_text(json, type, "sampled"))
		return add_sampled(speedscope, profile);
	if (json_is_text(json, type, "evented"))
		return add_evented(speedscope, profile);
	return error_set(speedscope->err, "a profile is neither \"sampled\" nor \"evented\"");
}

/* xprof writes the samples of all threads together, and then again thread by thread: skip the former. */
static bool is_repeated(const struct json_document *json, json_node profile, struct json_items behind)
{
	static const char all[] = "all samples";

	return json_is_text(json, json_member(json, profile, "name"), all) && json_next(json, &behind);
}

static int read_profiles(struct speedscope *speedscope)
{
	const struct json_document *json = &speedscope->json;
	struct json_items frames =
		json_items_of(json, json_member(json, json_member(json, JSON_ROOT, "shared"), "frames"));
	struct json_items profiles = json_items_of(json, json_member(json, JSON_ROOT, "profiles"));
	json_node node;

	while ((node = json_next(json, &frames)))
		add_frame(speedscope, node);
	while ((node = json_next(json, &profiles)))
		if (!is_repeated(json, node, profiles) && add_profile(speedscope, node))
			return -1;
	return 0;
}

static int read(struct import_model *model, const char *bytes, size_t size, struct error *err)
{
	struct speedscope speedscope = { .model = model, .err = err };
	int status;

	if (json_read(&speedscope.json, bytes, size, err))
		return -1;
	status = read_profiles(&speedscope);
	free(speedscope.locations);
	json_fini(&speedscope.json);
	return status;
}

/* The file has its schema's address, as a rule near the beginning or at the end. */
static bool recognise(const char *bytes, size_t size)
{
	static const char schema[] = "speedscope.app/file-format-schema.json";
	const size_t first = size < 4096 ? size : 4096, last = size < 4096 ? 0 : size - 4096;

	while (size && strchr(" \t\r\n", *bytes) && *bytes)
		bytes++, size--;
	return size && *bytes == '{' &&
	       (memmem(bytes, first < size ? first : size, schema, sizeof(schema) - 1) ||
		(last && last < size && memmem(bytes + last, size - last, schema, sizeof(schema) - 1)));
}

const struct import_format import_speedscope = {
	.name = "speedscope",
	.summary = "speedscope",
	.recognise = recognise,
	.read = read,
};
