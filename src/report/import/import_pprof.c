/*
 * pprof's profile.proto. Messages may come in any order and refer to each other by ids and by numbers of texts, so the file is
 * read four times: for texts, for code, for quantities, and for the samples.
 *
 * A profile measures several quantities of each sample. A count before another quantity, as "samples/count" before
 * "cpu/nanoseconds", is the number of samples of those nanoseconds: the two are one event. Any other quantity is an event of its
 * own.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "report/import/import_code.h"
#include "report/import/import_format.h"
#include "report/import/import_numbers.h"

/* The numbers of fields (profile.proto). */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING
};
enum { LAST_FIELD = 15 };

/* Maps the ids of a profile to numbers from 0 on. */
struct ids {
	uint64_t *items;
	size_t count, capacity;
	struct hash_table table;
};

struct column {
	uint32_t event;
	bool has_count; /* in the previous column */
	bool is_count;
};

struct pprof {
	struct import_model *model;
	struct byte_reader bytes;
	struct import_strings strings;
	struct import_code code;
	struct ids mappings, functions, locations;
	struct column *columns; /* by value; event PROFILE_NONE: a count of the next column */
	size_t column_count, column_capacity;
	struct import_numbers types, path, values; /* types: texts of name and unit in turn */
	uint64_t samples;
	struct error *err;
};

typedef int visit_field(struct pprof *pprof, const struct protobuf_field *field);

/* Visits each top-level field with that number. */
static int for_each(struct pprof *pprof, uint32_t number, visit_field *visit)
{
	struct byte_reader bytes = pprof->bytes;
	const uint8_t *start = bytes.next;
	struct protobuf_field field;
	int found;

	while ((found = protobuf_field_next(&bytes, &field)) > 0)
		if (field.number == number && visit(pprof, &field))
			return -1;
	return found < 0 ? error_set(pprof->err, "after byte %zu: damaged, or cut off",
				     (size_t)(bytes.next - start)) :
			   0;
}

static const char *text_at(const struct pprof *pprof, uint64_t number)
{
	return import_strings_at(&pprof->strings, number);
}

/* --- ids ------------------------------------------------------------------------------------------- */

static bool has_id(const void *items, uint32_t item, const void *key)
{
	const struct ids *ids = items;

	return ids->items[item] == *(const uint64_t *)key;
}

static uint32_t number_of(const struct ids *ids, uint64_t id)
{
	const uint32_t item = hash_table_find(&ids->table, hash_u64(id), has_id, ids, &id);

	return item == HASH_TABLE_NONE ? IMPORT_NONE : item;
}

/* If two have the same id, which is an error, the first counts. */
static void add_id(struct ids *ids, uint64_t id)
{
	const bool is_new = number_of(ids, id) == IMPORT_NONE;

	ids->items = array_grow(ids->items, &ids->capacity, ids->count + 1, sizeof(*ids->items));
	ids->items[ids->count] = id;
	if (is_new)
		hash_table_insert(&ids->table, hash_u64(id), (uint32_t)ids->count);
	ids->count++;
}

static void ids_fini(struct ids *ids)
{
	free(ids->items);
	hash_table_fini(&ids->table);
}

/* --- texts, and code ------------------------------------------------------------------------------- */

static int add_string(struct pprof *pprof, const struct protobuf_field *field)
{
	import_strings_add(&pprof->strings, field);
	return 0;
}

static int damaged(const struct pprof *pprof, const char *what, size_t number)
{
	return error_set(pprof->err, "%s %zu is damaged", what, number + 1);
}

static int add_mapping(struct pprof *pprof, const struct protobuf_field *message)
{
	enum { ID = 1, START, LIMIT, OFFSET, PATH, BUILD_ID, FIELDS };
	uint64_t values[FIELDS];

	if (protobuf_field_values(message->bytes, values, FIELDS))
		return damaged(pprof, "mapping", pprof->mappings.count);
	add_id(&pprof->mappings, values[ID]);
	import_code_add_mapping(&pprof->code,
				&(struct import_mapping){ .start = values[START],
							  .limit = values[LIMIT],
							  .offset = values[OFFSET],
							  .path = text_at(pprof, values[PATH]),
							  .build_id = text_at(pprof, values[BUILD_ID]) });
	return 0;
}

static int add_function(struct pprof *pprof, const struct protobuf_field *message)
{
	enum { ID = 1, NAME, SYSTEM_NAME, FILE_NAME, FIELDS };
	uint64_t values[FIELDS];

	if (protobuf_field_values(message->bytes, values, FIELDS))
		return damaged(pprof, "function", pprof->functions.count);
	add_id(&pprof->functions, values[ID]);
	import_code_add_function(&pprof->code, text_at(pprof, values[NAME]),
				 text_at(pprof, values[SYSTEM_NAME]), text_at(pprof, values[FILE_NAME]));
	return 0;
}

static int add_line(struct pprof *pprof, const struct protobuf_field *message)
{
	enum { FUNCTION = 1, LINE, FIELDS };
	uint64_t values[FIELDS];
	const int status = protobuf_field_values(message->bytes, values, FIELDS);

	import_code_add_line(&pprof->code, number_of(&pprof->functions, values[FUNCTION]), values[LINE]);
	return status;
}

static int add_location(struct pprof *pprof, const struct protobuf_field *message)
{
	const uint32_t first_line = (uint32_t)pprof->code.line_count;
	struct byte_reader bytes = message->bytes;
	uint64_t id = 0, address = 0;
	uint32_t mapping = IMPORT_NONE;
	struct protobuf_field field;
	int found;

	while ((found = protobuf_field_next(&bytes, &field)) > 0) {
		switch (field.number) {
		case 1: id = field.value; break;
		case 2: mapping = number_of(&pprof->mappings, field.value); break;
		case 3: address = field.value; break;
		case 4: found = add_line(pprof, &field); break;
		default: break;
		}
		if (found < 0)
			break;
	}
	if (found < 0)
		return damaged(pprof, "location", pprof->locations.count);
	add_id(&pprof->locations, id);
	import_code_add_place(&pprof->code, mapping, address, first_line);
	return 0;
}

/* --- quantities --------------------------------------------------------------------------------------- */

static int add_type(struct pprof *pprof, const struct protobuf_field *message)
{
	enum { NAME = 1, UNIT, FIELDS };
	uint64_t texts[FIELDS];

	if (protobuf_field_values(message->bytes, texts, FIELDS))
		return damaged(pprof, "sample type", pprof->types.count / 2);
	import_numbers_add_one(&pprof->types, texts[NAME]);
	import_numbers_add_one(&pprof->types, texts[UNIT]);
	return 0;
}

static bool is_count(const struct pprof *pprof, size_t type)
{
	return !strcmp(text_at(pprof, pprof->types.items[2 * type + 1]), "count");
}

/* "samples/count" counts any type that comes next, other counts only one with another unit. */
static bool counts_next(const struct pprof *pprof, size_t type)
{
	return type + 1 < pprof->types.count / 2 && is_count(pprof, type) &&
	       (!is_count(pprof, type + 1) ||
		(type == 0 && !strcmp(text_at(pprof, pprof->types.items[0]), "samples")));
}

static void make_columns(struct pprof *pprof)
{
	const size_t count = pprof->types.count / 2;

	for (size_t i = 0; i < count; i++) {
		const struct column column = {
			.event = counts_next(pprof, i) ?
					 PROFILE_NONE :
					 import_model_event(pprof->model,
							    text_at(pprof, pprof->types.items[2 * i]),
							    text_at(pprof, pprof->types.items[2 * i + 1])),
			.has_count = i && counts_next(pprof, i - 1),
			.is_count = is_count(pprof, i),
		};

		*ARRAY_ADD(pprof->columns, pprof->column_count, pprof->column_capacity) = column;
	}
}

/* --- samples --------------------------------------------------------------------------------------- */

static bool is_one_of(const char *key, const char *const *keys)
{
	for (; *keys; keys++)
		if (!strcmp(key, *keys))
			return true;
	return false;
}

struct labels {
	struct import_thread thread;
	uint64_t cpu;
	const char *cgroup;
};

/* Tools agree on no names: knows those of perf_to_profile, of Go's and Java's agents, and xprof's own. */
static void take_label(struct labels *labels, const char *key, const char *text, uint64_t number)
{
	static const char *const comms[] = { "comm",        "thread_comm", "thread_name", "thread name",
					     "thread.name", "thread",      "command",     NULL };
	static const char *const pids[] = { "pid", "process_id", "process id", "process.pid", NULL };
	static const char *const tids[] = { "tid", "thread_id", "thread id", "thread.id", NULL };
	const uint64_t value = *text ? strtoull(text, NULL, 10) : number;

	if (is_one_of(key, comms))
		labels->thread.comm = text;
	else if (is_one_of(key, pids))
		labels->thread.pid = (uint32_t)value;
	else if (is_one_of(key, tids))
		labels->thread.tid = (uint32_t)value;
	else if (!strcmp(key, "cpu"))
		labels->cpu = value;
	else if (!strcmp(key, "cgroup"))
		labels->cgroup = text;
}

static int add_label(const struct pprof *pprof, struct labels *labels, const struct protobuf_field *message)
{
	enum { KEY = 1, TEXT, NUMBER, FIELDS };
	uint64_t values[FIELDS];
	const int status = protobuf_field_values(message->bytes, values, FIELDS);

	take_label(labels, text_at(pprof, values[KEY]), text_at(pprof, values[TEXT]), values[NUMBER]);
	return status;
}

static int read_sample(struct pprof *pprof, const struct protobuf_field *message, struct labels *labels)
{
	struct byte_reader bytes = message->bytes;
	struct protobuf_field field;
	int found;

	pprof->path.count = pprof->values.count = 0;
	while ((found = protobuf_field_next(&bytes, &field)) > 0) {
		switch (field.number) {
		case 1: found = import_numbers_add(&pprof->path, &field); break;
		case 2: found = import_numbers_add(&pprof->values, &field); break;
		case 3: found = add_label(pprof, labels, &field); break;
		default: break;
		}
		if (found < 0)
			break;
	}
	return found < 0 ? damaged(pprof, "sample", pprof->samples) : 0;
}

/* Locations come leaf first. */
static int make_stack(struct pprof *pprof, uint32_t *stack)
{
	*stack = PROFILE_NONE;
	for (size_t i = pprof->path.count; i-- > 0;) {
		const uint32_t place = number_of(&pprof->locations, pprof->path.items[i]);

		if (place == IMPORT_NONE)
			return error_set(pprof->err,
					 "sample %" PRIu64 " has location %" PRIu64
					 ", which the profile does not have",
					 pprof->samples + 1, pprof->path.items[i]);
		*stack = import_code_push(&pprof->code, pprof->model, *stack, place);
	}
	return 0;
}

static int add_values(struct pprof *pprof, struct import_sample *sample)
{
	for (size_t i = 0; i < pprof->column_count && i < pprof->values.count; i++) {
		const struct column *column = &pprof->columns[i];
		const uint64_t value = pprof->values.items[i];

		if (value > INT64_MAX)
			return error_set(
				pprof->err,
				"sample %" PRIu64
				" has a negative value: this is a difference of two profiles, not a profile",
				pprof->samples + 1);
		if (column->event == PROFILE_NONE)
			continue;
		sample->event = column->event;
		sample->weight = value;
		sample->count = column->has_count ? pprof->values.items[i - 1] :
				column->is_count  ? value :
						    value != 0;
		import_model_add(pprof->model, sample);
	}
	return 0;
}

static int add_sample(struct pprof *pprof, const struct protobuf_field *message)
{
	struct labels labels = { .cpu = PROFILE_NONE };
	struct import_sample sample = { .time_ns = IMPORT_NO_TIME };

	if (read_sample(pprof, message, &labels) || make_stack(pprof, &sample.stack))
		return -1;
	sample.thread = import_model_thread(pprof->model, &labels.thread);
	sample.cpu = labels.cpu < PROFILE_NONE ? (uint32_t)labels.cpu : PROFILE_NONE;
	sample.cgroup = labels.cgroup;
	if (add_values(pprof, &sample))
		return -1;
	pprof->samples++;
	return 0;
}

static int read_all(struct pprof *pprof)
{
	if (for_each(pprof, PROFILE_STRING, add_string) || for_each(pprof, PROFILE_MAPPING, add_mapping) ||
	    for_each(pprof, PROFILE_FUNCTION, add_function) ||
	    for_each(pprof, PROFILE_LOCATION, add_location) || for_each(pprof, PROFILE_SAMPLE_TYPE, add_type))
		return -1;
	make_columns(pprof);
	return for_each(pprof, PROFILE_SAMPLE, add_sample);
}

static int read(struct import_model *model, const char *bytes, size_t size, struct error *err)
{
	struct pprof pprof = { .model = model, .bytes = byte_reader_over(bytes, size, false), .err = err };
	int status;

	status = read_all(&pprof);
	ids_fini(&pprof.mappings);
	ids_fini(&pprof.functions);
	ids_fini(&pprof.locations);
	import_code_fini(&pprof.code);
	import_strings_fini(&pprof.strings);
	import_numbers_fini(&pprof.types);
	import_numbers_fini(&pprof.path);
	import_numbers_fini(&pprof.values);
	free(pprof.columns);
	return status;
}

/* Has only a profile's fields, a first sample type as every writer makes it, and an empty first text. */
static bool recognise(const char *text, size_t size)
{
	struct byte_reader bytes = byte_reader_over(text, size, false), type;
	struct protobuf_field field;
	bool has_type = false;

	while (protobuf_field_next(&bytes, &field) > 0) {
		if (field.number == 0 || field.number > LAST_FIELD ||
		    (field.number <= PROFILE_STRING && !field.is_bytes))
			return false;
		if (field.number == PROFILE_SAMPLE_TYPE && !has_type) {
			struct protobuf_field inner;

			type = field.bytes;
			has_type = protobuf_field_next(&type, &inner) > 0 && inner.number <= 2 &&
				   !inner.is_bytes;
			if (!has_type)
				return false;
		}
		if (field.number == PROFILE_STRING)
			return byte_reader_left(&field.bytes) == 0;
	}
	return false;
}

const struct import_format import_pprof = {
	.name = "pprof",
	.summary = "pprof (profile.proto)",
	.recognise = recognise,
	.read = read,
};
