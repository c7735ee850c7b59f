/*
 * OpenTelemetry's profiles (opentelemetry-proto, profiles.proto of v1development): one dictionary for all profiles of the file,
 * in whose tables entry 0 is empty. A profile measures one quantity, so each becomes an event.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/import/import_code.h"
#include "report/import/import_format.h"
#include "report/import/import_numbers.h"

enum { DATA_RESOURCE_PROFILES = 1, DATA_DICTIONARY = 2 };
enum {
	DICTIONARY_MAPPING = 1,
	DICTIONARY_LOCATION,
	DICTIONARY_FUNCTION,
	DICTIONARY_LINK,
	DICTIONARY_STRING,
	DICTIONARY_ATTRIBUTE,
	DICTIONARY_STACK
};

struct attribute {
	const char *key, *text; /* "": the value is a number */
	uint64_t number;
};

struct otlp {
	struct import_model *model;
	struct import_strings strings;
	struct import_code code;
	struct attribute *attributes;
	size_t attribute_count, attribute_capacity;
	uint32_t *stacks; /* nodes of the model */
	size_t stack_count, stack_capacity;
	struct attribute *resource; /* of the current profiles */
	size_t resource_count, resource_capacity;
	struct import_strings resource_texts;
	struct import_numbers numbers, values, times;
	/* number of samples of each, if another profile of the scope counts them */
	struct import_numbers counts;
	uint64_t samples;
	struct error *err;
};

typedef int visit_field(struct otlp *otlp, const struct protobuf_field *field);

static int for_each(struct otlp *otlp, struct byte_reader message, uint32_t number, visit_field *visit)
{
	struct protobuf_field field;
	int found;

	while ((found = protobuf_field_next(&message, &field)) > 0)
		if (field.number == number && visit(otlp, &field))
			return -1;
	return found < 0 ?
		       error_set(otlp->err, "after sample %" PRIu64 ": damaged, or cut off", otlp->samples) :
		       0;
}

static const char *text_at(const struct otlp *otlp, uint64_t number)
{
	return import_strings_at(&otlp->strings, number);
}

static int damaged(const struct otlp *otlp, const char *what)
{
	return error_set(otlp->err, "%s of the dictionary is damaged", what);
}

/* --- attributes ------------------------------------------------------------------------------------ */

/* AnyValue: a text (1), or a number (2, 3). Others are skipped. */
static int read_value(struct import_strings *texts, struct byte_reader message, struct attribute *attribute)
{
	struct protobuf_field field;
	int found;

	while ((found = protobuf_field_next(&message, &field)) > 0)
		if (field.number == 1) {
			import_strings_add(texts, &field);
			attribute->text = texts->items[texts->count - 1];
		} else if (field.number <= 3) {
			attribute->number = field.value;
		}
	return found;
}

static int add_attribute(struct otlp *otlp, const struct protobuf_field *message)
{
	struct byte_reader bytes = message->bytes;
	struct attribute attribute = { "", "", 0 };
	struct protobuf_field field;
	int found;

	while ((found = protobuf_field_next(&bytes, &field)) > 0) {
		if (field.number == 1)
			attribute.key = text_at(otlp, field.value);
		else if (field.number == 2)
			found = read_value(&otlp->resource_texts, field.bytes, &attribute);
		if (found < 0)
			break;
	}
	*ARRAY_ADD(otlp->attributes, otlp->attribute_count, otlp->attribute_capacity) = attribute;
	return found < 0 ? damaged(otlp, "an attribute") : 0;
}

/* A KeyValue of the resource: its key is a text, not the number of a text. */
static int add_resource_attribute(struct otlp *otlp, const struct protobuf_field *message)
{
	struct byte_reader bytes = message->bytes;
	struct attribute attribute = { "", "", 0 };
	struct protobuf_field field;

	while (protobuf_field_next(&bytes, &field) > 0) {
		if (field.number == 1) {
			import_strings_add(&otlp->resource_texts, &field);
			attribute.key = otlp->resource_texts.items[otlp->resource_texts.count - 1];
		} else if (field.number == 2 &&
			   read_value(&otlp->resource_texts, field.bytes, &attribute) < 0) {
			break;
		}
	}
	*ARRAY_ADD(otlp->resource, otlp->resource_count, otlp->resource_capacity) = attribute;
	return 0;
}

static const struct attribute *attribute_at(const struct otlp *otlp, uint64_t number)
{
	static const struct attribute none = { "", "", 0 };

	return number < otlp->attribute_count ? &otlp->attributes[number] : &none;
}

/* --- the dictionary -------------------------------------------------------------------------------- */

static int add_string(struct otlp *otlp, const struct protobuf_field *field)
{
	import_strings_add(&otlp->strings, field);
	return 0;
}

/* Reads the attributes of a message into otlp->numbers. */
static int read_attributes(struct otlp *otlp, const struct protobuf_field *field)
{
	return import_numbers_add(&otlp->numbers, field);
}

static int add_mapping(struct otlp *otlp, const struct protobuf_field *message)
{
	struct byte_reader bytes = message->bytes;
	struct import_mapping mapping = { .path = "", .build_id = "" };
	struct protobuf_field field;
	int found;

	otlp->numbers.count = 0;
	while ((found = protobuf_field_next(&bytes, &field)) > 0) {
		switch (field.number) {
		case 1: mapping.start = field.value; break;
		case 2: mapping.limit = field.value; break;
		case 3: mapping.offset = field.value; break;
		case 4: mapping.path = text_at(otlp, field.value); break;
		case 5: found = read_attributes(otlp, &field); break;
		default: break;
		}
		if (found < 0)
			break;
	}
	for (size_t i = 0; i < otlp->numbers.count; i++) {
		const struct attribute *attribute = attribute_at(otlp, otlp->numbers.items[i]);

		if (!strcmp(attribute->key, "process.executable.build_id.gnu"))
			mapping.build_id = attribute->text;
	}
	import_code_add_mapping(&otlp->code, &mapping);
	return found < 0 ? damaged(otlp, "a mapping") : 0;
}

static int add_function(struct otlp *otlp, const struct protobuf_field *message)
{
	enum { NAME = 1, SYSTEM_NAME, FILE_NAME, FIELDS };
	uint64_t values[FIELDS];

	if (protobuf_field_values(message->bytes, values, FIELDS))
		return damaged(otlp, "a function");
	import_code_add_function(&otlp->code, text_at(otlp, values[NAME]), text_at(otlp, values[SYSTEM_NAME]),
				 text_at(otlp, values[FILE_NAME]));
	return 0;
}

static int add_line(struct otlp *otlp, const struct protobuf_field *message)
{
	enum { FUNCTION = 1, LINE, FIELDS };
	uint64_t values[FIELDS];
	const int status = protobuf_field_values(message->bytes, values, FIELDS);

	import_code_add_line(&otlp->code, values[FUNCTION], values[LINE]);
	return status;
}

static int add_location(struct otlp *otlp, const struct protobuf_field *message)
{
	const uint32_t first_line = (uint32_t)otlp->code.line_count;
	struct byte_reader bytes = message->bytes;
	uint32_t mapping = IMPORT_NONE;
	struct protobuf_field field;
	uint64_t address = 0;
	int found;

	otlp->numbers.count = 0;
	while ((found = protobuf_field_next(&bytes, &field)) > 0) {
		switch (field.number) {
		case 1: mapping = field.value ? (uint32_t)field.value : IMPORT_NONE; break;
		case 2: address = field.value; break;
		case 3: found = add_line(otlp, &field); break;
		case 4: found = read_attributes(otlp, &field); break;
		default: break;
		}
		if (found < 0)
			break;
	}
	import_code_add_place(&otlp->code, mapping, address, first_line);
	for (size_t i = 0; i < otlp->numbers.count; i++) {
		const struct attribute *attribute = attribute_at(otlp, otlp->numbers.items[i]);

		if (!strcmp(attribute->key, "profile.frame.type"))
			otlp->code.places[otlp->code.place_count - 1].is_kernel =
				!strcmp(attribute->text, "kernel");
	}
	return found < 0 ? damaged(otlp, "a location") : 0;
}

/* Locations come leaf first. */
static int add_stack(struct otlp *otlp, const struct protobuf_field *message)
{
	struct byte_reader bytes = message->bytes;
	struct protobuf_field field;
	uint32_t node = PROFILE_NONE;
	int found;

	otlp->numbers.count = 0;
	while ((found = protobuf_field_next(&bytes, &field)) > 0)
		if (field.number == 1 && import_numbers_add(&otlp->numbers, &field) < 0)
			return damaged(otlp, "a stack");
	if (found < 0)
		return damaged(otlp, "a stack");
	for (size_t i = otlp->numbers.count; i-- > 0;) {
		const uint64_t place = otlp->numbers.items[i];

		if (place >= otlp->code.place_count)
			return error_set(otlp->err,
					 "stack %zu has location %" PRIu64
					 ", which the dictionary does not have",
					 otlp->stack_count, place);
		node = import_code_push(&otlp->code, otlp->model, node, (uint32_t)place);
	}
	*ARRAY_ADD(otlp->stacks, otlp->stack_count, otlp->stack_capacity) = node;
	return 0;
}

static int read_dictionary(struct otlp *otlp, const struct protobuf_field *dictionary)
{
	static const struct {
		uint32_t field;
		visit_field *visit;
	} tables[] = {
		{ DICTIONARY_STRING, add_string },     { DICTIONARY_ATTRIBUTE, add_attribute },
		{ DICTIONARY_MAPPING, add_mapping },   { DICTIONARY_FUNCTION, add_function },
		{ DICTIONARY_LOCATION, add_location }, { DICTIONARY_STACK, add_stack },
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (for_each(otlp, dictionary->bytes, tables[i].field, tables[i].visit))
			return -1;
	return 0;
}

/* --- profiles -------------------------------------------------------------------------------------- */

struct owner {
	struct import_thread thread;
	uint32_t cpu;
};

/* Takes an attribute, by OpenTelemetry's semantic conventions. */
static void take_attribute(struct owner *owner, const struct attribute *attribute)
{
	if (!strcmp(attribute->key, "thread.name") || !strcmp(attribute->key, "process.executable.name"))
		owner->thread.comm = attribute->text;
	else if (!strcmp(attribute->key, "thread.id"))
		owner->thread.tid = (uint32_t)attribute->number;
	else if (!strcmp(attribute->key, "process.pid"))
		owner->thread.pid = (uint32_t)attribute->number;
	else if (!strcmp(attribute->key, "cpu.logical_number"))
		owner->cpu = (uint32_t)attribute->number;
}

/* The quantity that a profile measures. */
struct measure {
	const char *name, *unit;
	bool is_count;
	uint32_t event; /* of the model, once it is made */
};

static struct measure measure_of(struct otlp *otlp, struct byte_reader profile)
{
	enum { NAME = 1, UNIT, FIELDS };
	uint64_t texts[FIELDS] = { 0 };
	struct protobuf_field field;
	const char *name, *unit;

	while (protobuf_field_next(&profile, &field) > 0)
		if (field.number == 1)
			(void)protobuf_field_values(field.bytes, texts, FIELDS);
	name = text_at(otlp, texts[NAME]);
	unit = text_at(otlp, texts[UNIT]);
	return (struct measure){ name, unit, !strcmp(unit, "count") || !strcmp(name, "samples"), 0 };
}

/* fixed64, packed or not. */
static void add_times(struct import_numbers *times, const struct protobuf_field *field)
{
	struct byte_reader packed = field->bytes;

	if (!field->is_bytes) {
		import_numbers_add(times, field);
		return;
	}
	packed.swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
	while (byte_reader_left(&packed) >= sizeof(uint64_t))
		import_numbers_add_one(times, byte_reader_u64(&packed));
}

/* Each value has a time, or there is one value without a time; times without values are one sample each. */
static int add_values(struct otlp *otlp, struct import_sample *sample, bool is_count, uint64_t samples)
{
	const size_t count = otlp->values.count ? otlp->values.count : otlp->times.count;

	for (size_t i = 0; i < count; i++) {
		const uint64_t value = otlp->values.count ? otlp->values.items[i] : 1;

		if (value > INT64_MAX)
			return error_set(otlp->err, "sample %" PRIu64 " has a negative value",
					 otlp->samples + 1);
		sample->weight = value;
		sample->count = is_count ? value : !value ? 0 : samples && count == 1 ? samples : 1;
		sample->time_ns = i < otlp->times.count ? otlp->times.items[i] : IMPORT_NO_TIME;
		import_model_add(otlp->model, sample);
	}
	return 0;
}

static int add_sample(struct otlp *otlp, struct byte_reader message, const struct measure *measure,
		      uint64_t samples)
{
	struct import_sample sample = { .event = measure->event, .stack = PROFILE_NONE };
	struct owner owner = { .cpu = PROFILE_NONE };
	struct protobuf_field field;
	uint64_t stack = 0;
	int found;

	otlp->numbers.count = otlp->values.count = otlp->times.count = 0;
	while ((found = protobuf_field_next(&message, &field)) > 0) {
		switch (field.number) {
		case 1: stack = field.value; break;
		case 2: found = import_numbers_add(&otlp->numbers, &field); break;
		case 4: found = import_numbers_add(&otlp->values, &field); break;
		case 5: add_times(&otlp->times, &field); break;
		default: break;
		}
		if (found < 0)
			break;
	}
	if (found < 0)
		return error_set(otlp->err, "sample %" PRIu64 " is damaged", otlp->samples + 1);
	if (stack >= otlp->stack_count && stack)
		return error_set(otlp->err,
				 "sample %" PRIu64 " has stack %" PRIu64
				 ", which the dictionary does not have",
				 otlp->samples + 1, stack);
	for (size_t i = 0; i < otlp->resource_count; i++)
		take_attribute(&owner, &otlp->resource[i]);
	for (size_t i = 0; i < otlp->numbers.count; i++)
		take_attribute(&owner, attribute_at(otlp, otlp->numbers.items[i]));
	sample.stack = stack < otlp->stack_count ? otlp->stacks[stack] : PROFILE_NONE;
	sample.thread = import_model_thread(otlp->model, &owner.thread);
	sample.cpu = owner.cpu;
	otlp->samples++;
	return add_values(otlp, &sample, measure->is_count, samples);
}

static size_t count_samples(struct byte_reader profile)
{
	struct protobuf_field field;
	size_t count = 0;

	while (protobuf_field_next(&profile, &field) > 0)
		count += field.number == 2;
	return count;
}

/* The sum of a sample's values. */
static uint64_t sum_of(struct otlp *otlp, struct byte_reader sample)
{
	struct protobuf_field field;
	uint64_t sum = 0;

	otlp->values.count = 0;
	while (protobuf_field_next(&sample, &field) > 0)
		if (field.number == 4)
			(void)import_numbers_add(&otlp->values, &field);
	for (size_t i = 0; i < otlp->values.count; i++)
		sum += otlp->values.items[i];
	return sum;
}

/*
 * A profile measures one quantity. If a scope has a profile that counts, and one of another quantity with as many samples, the
 * first counts the samples of the second, as pprof's "samples/count" and "cpu/nanoseconds": the two are one event. Returns the
 * profile that only counts, and its counts in otlp->counts; NULL if there is none.
 */
static const uint8_t *find_counts(struct otlp *otlp, struct byte_reader scope)
{
	struct byte_reader counting = { .next = NULL };
	struct protobuf_field field;
	size_t others = 0;

	otlp->counts.count = 0;
	for (struct byte_reader rest = scope; protobuf_field_next(&rest, &field) > 0;) {
		const struct measure measure =
			field.number == 2 ? measure_of(otlp, field.bytes) : (struct measure){ .name = "" };

		/* Of "cycles/count" and "samples/count", the latter counts the samples. */
		if (measure.is_count && (!counting.next || !strcmp(measure.name, "samples")))
			counting = field.bytes;
	}
	if (!counting.next)
		return NULL;
	while (protobuf_field_next(&scope, &field) > 0)
		if (field.number == 2 && field.bytes.next != counting.next)
			others += count_samples(field.bytes) == count_samples(counting);
	if (!others)
		return NULL;
	for (struct byte_reader rest = counting; protobuf_field_next(&rest, &field) > 0;)
		if (field.number == 2)
			import_numbers_add_one(&otlp->counts, sum_of(otlp, field.bytes));
	return counting.next;
}

static int add_profile(struct otlp *otlp, struct byte_reader profile)
{
	const bool has_counts = otlp->counts.count && count_samples(profile) == otlp->counts.count;
	struct measure measure = measure_of(otlp, profile);
	struct protobuf_field field;
	size_t number = 0;
	int found;

	measure.event = import_model_event(otlp->model, measure.name, measure.unit);
	while ((found = protobuf_field_next(&profile, &field)) > 0)
		if (field.number == 2 &&
		    add_sample(otlp, field.bytes, &measure, has_counts ? otlp->counts.items[number++] : 0))
			return -1;
	return found < 0 ?
		       error_set(otlp->err, "after sample %" PRIu64 ": damaged, or cut off", otlp->samples) :
		       0;
}

static int add_scope(struct otlp *otlp, const struct protobuf_field *scope)
{
	const uint8_t *counting = find_counts(otlp, scope->bytes);
	struct byte_reader rest = scope->bytes;
	struct protobuf_field field;
	int found;

	while ((found = protobuf_field_next(&rest, &field)) > 0)
		if (field.number == 2 && field.bytes.next != counting && add_profile(otlp, field.bytes))
			return -1;
	return found < 0 ?
		       error_set(otlp->err, "after sample %" PRIu64 ": damaged, or cut off", otlp->samples) :
		       0;
}

static int add_resource(struct otlp *otlp, const struct protobuf_field *resource)
{
	return for_each(otlp, resource->bytes, 1, add_resource_attribute);
}

static int add_resource_profiles(struct otlp *otlp, const struct protobuf_field *profiles)
{
	otlp->resource_count = 0;
	return for_each(otlp, profiles->bytes, 1, add_resource) ||
			       for_each(otlp, profiles->bytes, 2, add_scope) ?
		       -1 :
		       0;
}

static int read(struct import_model *model, const char *bytes, size_t size, struct error *err)
{
	const struct byte_reader all = byte_reader_over(bytes, size, false);
	struct otlp otlp = { .model = model, .err = err };
	int status;

	status = for_each(&otlp, all, DATA_DICTIONARY, read_dictionary);
	if (status == 0)
		status = for_each(&otlp, all, DATA_RESOURCE_PROFILES, add_resource_profiles);
	import_code_fini(&otlp.code);
	import_strings_fini(&otlp.strings);
	import_strings_fini(&otlp.resource_texts);
	import_numbers_fini(&otlp.numbers);
	import_numbers_fini(&otlp.values);
	import_numbers_fini(&otlp.times);
	import_numbers_fini(&otlp.counts);
	free(otlp.attributes);
	free(otlp.resource);
	free(otlp.stacks);
	return status;
}

/* Has only profiles and a dictionary, whose first text is empty. */
static bool recognise(const char *text, size_t size)
{
	struct byte_reader bytes = byte_reader_over(text, size, false);
	struct protobuf_field field, inner;
	bool found = false;

	while (byte_reader_left(&bytes)) {
		if (protobuf_field_next(&bytes, &field) <= 0 || !field.is_bytes ||
		    (field.number != DATA_RESOURCE_PROFILES && field.number != DATA_DICTIONARY))
			return false;
		if (field.number != DATA_DICTIONARY)
			continue;
		while (!found && protobuf_field_next(&field.bytes, &inner) > 0)
			if (inner.number == DICTIONARY_STRING) {
				if (byte_reader_left(&inner.bytes))
					return false;
				found = true;
			}
	}
	return found;
}

const struct import_format import_otlp = {
	.name = "otlp",
	.summary = "OpenTelemetry profiles",
	.recognise = recognise,
	.read = read,
};
