/*
 * OpenTelemetry's profiles signal (opentelemetry-proto, profiles/v1development/profiles.proto, alpha): one ProfilesData with a
 * profile of the weights and one of the numbers of samples, and the dictionary that both refer to. Entry 0 of each of its tables
 * stands for "none". Messages contain messages and begin with their sizes, so large ones are made twice: the first time only to
 * count their bytes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "build_options.h"
#include "report/export/export_format.h"
#include "report/export/export_samples.h"
#include "report/export/export_tables.h"
#include "report/export/protobuf_writer.h"
#include "text/safe_text.h"

/* Field numbers. */
enum {
	DATA_RESOURCE_PROFILES = 1,
	DATA_DICTIONARY,
	DICTIONARY_MAPPING = 1,
	DICTIONARY_LOCATION,
	DICTIONARY_FUNCTION,
	DICTIONARY_LINK,
	DICTIONARY_STRING,
	DICTIONARY_ATTRIBUTE,
	DICTIONARY_STACK,
	RESOURCE_PROFILES_RESOURCE = 1,
	RESOURCE_PROFILES_SCOPE_PROFILES,
	RESOURCE_ATTRIBUTES = 1,
	SCOPE_PROFILES_SCOPE = 1,
	SCOPE_PROFILES_PROFILES,
	SCOPE_NAME = 1,
	SCOPE_VERSION,
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLES,
	PROFILE_DURATION_NANO = 4,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT,
	SAMPLE_STACK = 1,
	SAMPLE_ATTRIBUTES,
	SAMPLE_VALUES = 4,
	MAPPING_MEMORY_START = 1,
	MAPPING_MEMORY_LIMIT,
	MAPPING_FILE_OFFSET,
	MAPPING_FILENAME,
	MAPPING_ATTRIBUTES,
	STACK_LOCATIONS = 1,
	LOCATION_MAPPING = 1,
	LOCATION_ADDRESS,
	LOCATION_LINES,
	LOCATION_ATTRIBUTES,
	FUNCTION_NAME = 1,
	FUNCTION_SYSTEM_NAME,
	FUNCTION_FILENAME,
	ATTRIBUTE_KEY = 1,
	ATTRIBUTE_VALUE,
	KEY_VALUE_KEY = 1,
	KEY_VALUE_VALUE,
	ANY_VALUE_STRING = 1,
	ANY_VALUE_INT = 3,
};

enum { REMEMBERED_CPUS = 1024 }; /* recordings may claim any number */

/* Numbers of attributes; 0: not made yet. */
struct thread_attributes {
	uint32_t name, pid, tid;
};

struct otlp {
	const struct export_input *input;
	struct export_out *out;
	struct export_tables tables;
	struct str_pool *attributes;       /* see text_attribute() */
	struct thread_attributes *threads; /* by thread of the profile: many samples have the same */
	uint32_t cpus[REMEMBERED_CPUS];    /* likewise, by CPU */
	uint32_t *stack_of; /* by node of the profile's stacks: number in the table; 0: none yet */
	uint32_t *stacks;   /* leaves, from number 1 */
	size_t stack_count, stack_capacity;
	struct strbuf *body;                /* of the large message being made: see flow() */
	uint64_t counted;                   /* bytes of the large message so far */
	struct strbuf message, part, value; /* each inside the previous one */
};

typedef void add_body(struct otlp *otlp, const void *context);

/* Called between pieces of a large message: passes them on, or only counts them. */
static void flow(struct otlp *otlp)
{
	if (otlp->body == &otlp->out->text) {
		export_out_flow(otlp->out);
		return;
	}
	otlp->counted += otlp->body->size;
	strbuf_reset(otlp->body);
}

/* Returns the size of a large message. Made again it has the same bytes, because nothing is removed from the tables. */
static uint64_t count_bytes(struct otlp *otlp, add_body *add, const void *context)
{
	struct strbuf piece;

	strbuf_init(&piece);
	otlp->body = &piece;
	otlp->counted = 0;
	add(otlp, context);
	flow(otlp);
	otlp->body = &otlp->out->text;
	strbuf_fini(&piece);
	return otlp->counted;
}

/* --- attributes -------------------------------------------------------------------------------------- */

/* Equal attributes share an entry of the table. Until it is written it is the key, a newline, and '"' and a text or a number. */
static uint32_t text_attribute(struct otlp *otlp, const char *key, const char *text)
{
	strbuf_reset(&otlp->value);
	strbuf_addf(&otlp->value, "%s\n\"", key);
	safe_text_add(&otlp->value, text);
	return str_pool_add_n(otlp->attributes, otlp->value.bytes, otlp->value.size);
}

static uint32_t number_attribute(struct otlp *otlp, const char *key, uint64_t value)
{
	strbuf_reset(&otlp->value);
	strbuf_addf(&otlp->value, "%s\n%" PRIu64, key, value);
	return str_pool_add_n(otlp->attributes, otlp->value.bytes, otlp->value.size);
}

static void add_attribute(struct otlp *otlp, struct strbuf *dictionary, const char *attribute)
{
	const char *value = strchr(attribute, '\n') + 1;
	char *key = xstrndup(attribute, (size_t)(value - attribute - 1));

	strbuf_reset(&otlp->message);
	strbuf_reset(&otlp->part);
	protobuf_unsigned(&otlp->message, ATTRIBUTE_KEY, export_tables_string(&otlp->tables, key));
	if (*value == '"') {
		protobuf_bytes(&otlp->part, ANY_VALUE_STRING, value + 1, strlen(value + 1));
	} else { /* a member of a oneof is written even if it is 0 */
		protobuf_varint(&otlp->part, ANY_VALUE_INT << 3);
		protobuf_varint(&otlp->part, strtoull(value, NULL, 10));
	}
	protobuf_message(&otlp->message, ATTRIBUTE_VALUE, &otlp->part);
	protobuf_message(dictionary, DICTIONARY_ATTRIBUTE, &otlp->message);
	free(key);
}

/* --- samples ----------------------------------------------------------------------------------------- */

static uint32_t stack_number(struct otlp *otlp, uint32_t leaf)
{
	uint32_t *number;

	if (leaf == PROFILE_NONE)
		return 0;
	number = &otlp->stack_of[leaf];
	if (*number)
		return *number;
	otlp->stacks =
		array_grow(otlp->stacks, &otlp->stack_capacity, otlp->stack_count + 1, sizeof(*otlp->stacks));
	otlp->stacks[otlp->stack_count++] = leaf;
	return *number = (uint32_t)otlp->stack_count;
}

static const struct thread_attributes *attributes_of_thread(struct otlp *otlp, uint32_t number)
{
	const struct profile *profile = otlp->input->view.profile;
	const struct profile_thread *thread = profile_thread_at(profile, number);
	struct thread_attributes *known = &otlp->threads[number];

	if (!known->name) {
		known->name = text_attribute(otlp, "thread.name", profile_text(profile, thread->comm));
		known->pid = number_attribute(otlp, "process.pid", thread->pid);
		known->tid = number_attribute(otlp, "thread.id", thread->tid);
	}
	return known;
}

static uint32_t attribute_of_cpu(struct otlp *otlp, uint32_t cpu)
{
	uint32_t *known = cpu < REMEMBERED_CPUS ? &otlp->cpus[cpu] : NULL;

	if (!known)
		return number_attribute(otlp, "cpu.logical_number", cpu);
	if (!*known)
		*known = number_attribute(otlp, "cpu.logical_number", cpu);
	return *known;
}

static void add_sample_attributes(struct otlp *otlp, const struct profile_sample *sample)
{
	const struct thread_attributes *thread = attributes_of_thread(otlp, sample->thread);
	struct strbuf *numbers = &otlp->value;
	uint32_t cgroup = 0, cpu = 0;

	if (sample->cpu != PROFILE_NONE)
		cpu = attribute_of_cpu(otlp, sample->cpu);
	if (sample->cgroup)
		cgroup = text_attribute(otlp, "linux.cgroup",
					profile_text(otlp->input->view.profile, sample->cgroup));
	strbuf_reset(numbers); /* attributes are made in it, too */
	protobuf_varint(numbers, thread->name);
	protobuf_varint(numbers, thread->pid);
	protobuf_varint(numbers, thread->tid);
	if (cpu)
		protobuf_varint(numbers, cpu);
	if (cgroup)
		protobuf_varint(numbers, cgroup);
	protobuf_message(&otlp->part, SAMPLE_ATTRIBUTES, numbers);
}

static void add_sample(struct otlp *otlp, struct strbuf *profile, const struct profile_sample *sample,
		       uint64_t value)
{
	strbuf_reset(&otlp->part);
	protobuf_unsigned(&otlp->part, SAMPLE_STACK, stack_number(otlp, sample->stack));
	add_sample_attributes(otlp, sample);
	strbuf_reset(&otlp->value);
	protobuf_varint(&otlp->value, protobuf_int64(value));
	protobuf_message(&otlp->part, SAMPLE_VALUES, &otlp->value);
	protobuf_message(profile, PROFILE_SAMPLES, &otlp->part);
}

static void add_value_type(struct otlp *otlp, struct strbuf *profile, uint32_t field, const char *type,
			   const char *unit)
{
	strbuf_reset(&otlp->part);
	protobuf_unsigned(&otlp->part, VALUE_TYPE_TYPE, export_tables_string(&otlp->tables, type));
	protobuf_unsigned(&otlp->part, VALUE_TYPE_UNIT, export_tables_string(&otlp->tables, unit));
	protobuf_message(profile, field, &otlp->part);
}

struct values {
	const bool *chosen;
	bool of_weights; /* otherwise the numbers of samples */
};

static void add_profile(struct otlp *otlp, const void *context)
{
	const struct values *values = context;
	const bool of_weights = values->of_weights;
	const struct export_input *input = otlp->input;
	const char *type = export_samples_type(input, input->event),
		   *unit = export_samples_known_unit(input, input->event);
	struct strbuf *out = otlp->body;
	struct sample_walk walk;

	add_value_type(otlp, out, PROFILE_SAMPLE_TYPE, of_weights ? type : "samples",
		       of_weights ? unit : "count");
	sample_walk_init(&walk, input->view.profile, input->sums);
	while (sample_walk_next(&walk)) {
		if (values->chosen[walk.number])
			add_sample(otlp, out, &walk.sample,
				   of_weights ? walk.sample.weight : walk.sample.count);
		flow(otlp);
	}
	protobuf_unsigned(out, PROFILE_DURATION_NANO,
			  (uint64_t)(profile_facts_seconds(input->view.facts) * 1e9));
	add_value_type(otlp, out, PROFILE_PERIOD_TYPE, type, unit);
	protobuf_unsigned(out, PROFILE_PERIOD, protobuf_int64(export_samples_period(input, input->event)));
}

static void add_resource_attribute(struct strbuf *resource, const char *key, const char *text)
{
	struct strbuf pair, value, clean;

	if (!text)
		return;
	strbuf_init(&pair);
	strbuf_init(&value);
	strbuf_init(&clean);
	safe_text_add(&clean, text);
	protobuf_text(&pair, KEY_VALUE_KEY, key);
	protobuf_bytes(&value, ANY_VALUE_STRING, clean.size ? clean.bytes : "", clean.size);
	protobuf_message(&pair, KEY_VALUE_VALUE, &value);
	protobuf_message(resource, RESOURCE_ATTRIBUTES, &pair);
	strbuf_fini(&clean);
	strbuf_fini(&value);
	strbuf_fini(&pair);
}

static void add_resource(struct otlp *otlp)
{
	const struct profile_facts *facts = otlp->input->view.facts;
	struct strbuf resource;

	strbuf_init(&resource);
	add_resource_attribute(&resource, "host.name", facts->hostname);
	add_resource_attribute(&resource, "host.arch", facts->arch);
	add_resource_attribute(&resource, "os.version", facts->os_release);
	protobuf_message(otlp->body, RESOURCE_PROFILES_RESOURCE, &resource);
	strbuf_fini(&resource);
}

/* Sizes of the messages inside the one that is counted or made next. */
struct sized {
	const struct values *values; /* for the profile of the weights and that of the numbers */
	uint64_t sizes[2], scope_bytes;
};

static void add_scope(struct otlp *otlp, const void *context)
{
	const struct sized *sized = context;

	strbuf_reset(&otlp->part);
	protobuf_text(&otlp->part, SCOPE_NAME, "xprof");
	protobuf_text(&otlp->part, SCOPE_VERSION, XPROF_VERSION);
	protobuf_message(otlp->body, SCOPE_PROFILES_SCOPE, &otlp->part);
	for (size_t i = 0; i < 2; i++) {
		protobuf_begin(otlp->body, SCOPE_PROFILES_PROFILES, sized->sizes[i]);
		if (otlp->body == &otlp->out->text)
			add_profile(otlp, &sized->values[i]);
		else
			otlp->counted += sized->sizes[i];
	}
}

static void add_all(struct otlp *otlp, const void *context)
{
	const struct sized *sized = context;

	add_resource(otlp);
	protobuf_begin(otlp->body, RESOURCE_PROFILES_SCOPE_PROFILES, sized->scope_bytes);
	if (otlp->body == &otlp->out->text)
		add_scope(otlp, sized);
	else
		otlp->counted += sized->scope_bytes;
}

static void add_resource_profiles(struct otlp *otlp, const bool *chosen)
{
	const struct values values[2] = { { chosen, true }, { chosen, false } };
	struct sized sized = { .values = values };

	for (size_t i = 0; i < 2; i++)
		sized.sizes[i] = count_bytes(otlp, add_profile, &values[i]);
	sized.scope_bytes = count_bytes(otlp, add_scope, &sized);
	protobuf_begin(&otlp->out->text, DATA_RESOURCE_PROFILES, count_bytes(otlp, add_all, &sized));
	add_all(otlp, &sized);
}

/* --- the dictionary ---------------------------------------------------------------------------------- */

static void add_stacks(struct otlp *otlp, struct strbuf *dictionary)
{
	protobuf_bytes(dictionary, DICTIONARY_STACK, "", 0);
	for (size_t i = 0; i < otlp->stack_count; i++) {
		const uint32_t *places;
		const size_t place_count = export_tables_stack(&otlp->tables, otlp->stacks[i], &places);

		strbuf_reset(&otlp->message);
		strbuf_reset(&otlp->part);
		for (size_t k = 0; k < place_count; k++)
			protobuf_varint(&otlp->part, places[k]);
		protobuf_message(&otlp->message, STACK_LOCATIONS, &otlp->part);
		protobuf_message(dictionary, DICTIONARY_STACK, &otlp->message);
		flow(otlp);
	}
}

static void add_locations(struct otlp *otlp, struct strbuf *dictionary)
{
	const struct profile *profile = otlp->input->view.profile;

	protobuf_bytes(dictionary, DICTIONARY_LOCATION, "", 0);
	for (size_t i = 0; i < otlp->tables.place_count; i++) {
		const struct export_place *place = &otlp->tables.places[i];
		const struct profile_location *location =
			profile_location_at(profile, profile_stack_at(profile, place->stack)->location);
		const bool kernel = location->mode == FRAME_KERNEL || location->mode == FRAME_GUEST_KERNEL;

		strbuf_reset(&otlp->message);
		protobuf_unsigned(&otlp->message, LOCATION_MAPPING, place->mapping);
		protobuf_unsigned(&otlp->message, LOCATION_ADDRESS, location->address);
		export_tables_add_lines(&otlp->tables, &otlp->message, LOCATION_LINES, place->stack);
		strbuf_reset(&otlp->part);
		protobuf_varint(&otlp->part,
				text_attribute(otlp, "profile.frame.type", kernel ? "kernel" : "native"));
		protobuf_message(&otlp->message, LOCATION_ATTRIBUTES, &otlp->part);
		protobuf_message(dictionary, DICTIONARY_LOCATION, &otlp->message);
		flow(otlp);
	}
}

static void add_functions(struct otlp *otlp, struct strbuf *dictionary)
{
	protobuf_bytes(dictionary, DICTIONARY_FUNCTION, "", 0);
	for (size_t i = 0; i < otlp->tables.function_count; i++) {
		const struct export_function *function = &otlp->tables.functions[i];

		strbuf_reset(&otlp->message);
		protobuf_unsigned(&otlp->message, FUNCTION_NAME, function->name);
		protobuf_unsigned(&otlp->message, FUNCTION_SYSTEM_NAME, function->name);
		protobuf_unsigned(&otlp->message, FUNCTION_FILENAME, function->file);
		protobuf_message(dictionary, DICTIONARY_FUNCTION, &otlp->message);
		flow(otlp);
	}
}

static void add_mappings(struct otlp *otlp, struct strbuf *dictionary)
{
	const struct profile *profile = otlp->input->view.profile;

	protobuf_bytes(dictionary, DICTIONARY_MAPPING, "", 0);
	for (size_t i = 0; i < otlp->tables.mapping_count; i++) {
		const struct export_mapping *mapping = &otlp->tables.mappings[i];
		const struct profile_dso *dso = profile_dso_at(profile, mapping->dso);
		const char *path = profile_text(profile, dso->path),
			   *build_id = profile_text(profile, dso->build_id);

		strbuf_reset(&otlp->message);
		protobuf_unsigned(&otlp->message, MAPPING_MEMORY_START, export_mapping_start(mapping));
		protobuf_unsigned(&otlp->message, MAPPING_MEMORY_LIMIT, export_mapping_limit(mapping));
		protobuf_unsigned(&otlp->message, MAPPING_FILE_OFFSET, export_mapping_start(mapping));
		protobuf_unsigned(&otlp->message, MAPPING_FILENAME,
				  export_tables_string(&otlp->tables,
						       *path ? path : profile_text(profile, dso->name)));
		strbuf_reset(&otlp->part);
		if (*build_id) {
			protobuf_varint(&otlp->part,
					text_attribute(otlp, "process.executable.build_id.gnu", build_id));
			protobuf_message(&otlp->message, MAPPING_ATTRIBUTES, &otlp->part);
		}
		protobuf_message(dictionary, DICTIONARY_MAPPING, &otlp->message);
	}
}

static void add_attributes(struct otlp *otlp, struct strbuf *dictionary)
{
	protobuf_bytes(dictionary, DICTIONARY_ATTRIBUTE, "", 0);
	for (uint32_t i = 1; i < str_pool_count(otlp->attributes); i++)
		add_attribute(otlp, dictionary, str_pool_text(otlp->attributes, i));
	flow(otlp);
}

static void add_strings(struct otlp *otlp, struct strbuf *dictionary)
{
	for (uint32_t i = 0; i < str_pool_count(otlp->tables.strings); i++) {
		const char *text = str_pool_text(otlp->tables.strings, i);

		protobuf_bytes(dictionary, DICTIONARY_STRING, text, strlen(text));
		flow(otlp);
	}
}

static void add_dictionary(struct otlp *otlp, const void *context)
{
	(void)context;
	add_stacks(otlp, otlp->body);
	add_locations(otlp, otlp->body);
	add_functions(otlp, otlp->body);
	add_mappings(otlp, otlp->body);
	add_attributes(otlp, otlp->body);
	protobuf_bytes(otlp->body, DICTIONARY_LINK, "", 0);
	add_strings(otlp, otlp->body);
}

static void write_otlp(const struct export_input *input, struct export_out *out)
{
	struct otlp otlp = { .input = input, .out = out, .attributes = str_pool_create() };
	bool *chosen = export_samples_chosen(input);

	export_tables_init(&otlp.tables, input, chosen);
	otlp.stack_of = xcalloc((size_t)profile_stack_count(input->view.profile) + 1, sizeof(*otlp.stack_of));
	otlp.threads = xcalloc((size_t)profile_thread_count(input->view.profile) + 1, sizeof(*otlp.threads));
	strbuf_init(&otlp.message);
	strbuf_init(&otlp.part);
	strbuf_init(&otlp.value);
	add_resource_profiles(&otlp, chosen);
	protobuf_begin(&out->text, DATA_DICTIONARY, count_bytes(&otlp, add_dictionary, NULL));
	add_dictionary(&otlp, NULL);
	strbuf_fini(&otlp.message);
	strbuf_fini(&otlp.part);
	strbuf_fini(&otlp.value);
	free(otlp.threads);
	free(otlp.stack_of);
	free(otlp.stacks);
	str_pool_destroy(otlp.attributes);
	export_tables_fini(&otlp.tables);
	free(chosen);
}

const struct export_format export_otlp = {
	.name = "otlp",
	.help = "OpenTelemetry's profiles (alpha): a ProfilesData message",
	.file = "profile.otlp",
	.suffixes = ".otlp",
	.traits = EXPORT_ONE_EVENT | EXPORT_SUMS | EXPORT_LINES,
	.write = write_otlp,
};
