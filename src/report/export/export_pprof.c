/*
 * profile.proto of pprof, gzipped (github.com/google/pprof, proto/profile.proto). Samples are written as they come;
 * the tables they refer to follow, strings last, because protocol buffers leave the order of fields open.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/export/export_format.h"
#include "report/export/export_samples.h"
#include "report/export/export_tables.h"
#include "report/export/export_texts.h"
#include "report/export/protobuf_writer.h"

/* Field numbers. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING_TABLE,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	PROFILE_COMMENT,
	PROFILE_DEFAULT_SAMPLE_TYPE,
	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT,
	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE,
	SAMPLE_LABEL,
	LABEL_KEY = 1,
	LABEL_STR,
	LABEL_NUM,
	MAPPING_ID = 1,
	MAPPING_MEMORY_START,
	MAPPING_MEMORY_LIMIT,
	MAPPING_FILE_OFFSET,
	MAPPING_FILENAME,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILENAMES,
	MAPPING_HAS_LINE_NUMBERS,
	MAPPING_HAS_INLINE_FRAMES,
	LOCATION_ID = 1,
	LOCATION_MAPPING_ID,
	LOCATION_ADDRESS,
	LOCATION_LINE,
	FUNCTION_ID = 1,
	FUNCTION_NAME,
	FUNCTION_FILENAME = 4,
};

struct pprof {
	const struct export_input *input;
	struct export_out *out;
	struct export_tables tables;
	struct strbuf message, part; /* the message that is being made, and a message inside it */
	uint32_t keys[5];            /* strings: comm, pid, tid, cpu, cgroup */
	struct export_texts labels;  /* by sample of the profile: its labels, encoded */
	struct strbuf places;        /* those of the last stack, encoded */
	uint32_t places_of;          /* that stack */
	uint32_t *string_of; /* by string of the profile, for labels: its number here; 0: none yet, or it is empty */
};

enum label { LABEL_COMM, LABEL_PID, LABEL_TID, LABEL_CPU, LABEL_CGROUP };

/* Moves the message to the output, as a field of the profile. */
static void finish_message(struct pprof *pprof, uint32_t field)
{
	protobuf_message(&pprof->out->text, field, &pprof->message);
	strbuf_reset(&pprof->message);
	export_out_flow(pprof->out);
}

/* --- samples ----------------------------------------------------------------------------------------- */

static void add_text_label(struct pprof *pprof, struct strbuf *labels, enum label label, uint32_t text)
{
	uint32_t *string = &pprof->string_of[text];

	if (!*string)
		*string =
			export_tables_string(&pprof->tables, profile_text(pprof->input->view.profile, text));
	if (!*string)
		return;
	protobuf_unsigned(&pprof->part, LABEL_KEY, pprof->keys[label]);
	protobuf_unsigned(&pprof->part, LABEL_STR, *string);
	protobuf_message(labels, SAMPLE_LABEL, &pprof->part);
	strbuf_reset(&pprof->part);
}

static void add_number_label(struct pprof *pprof, struct strbuf *labels, enum label label, uint64_t number)
{
	protobuf_unsigned(&pprof->part, LABEL_KEY, pprof->keys[label]);
	protobuf_unsigned(&pprof->part, LABEL_NUM, number);
	protobuf_message(labels, SAMPLE_LABEL, &pprof->part);
	strbuf_reset(&pprof->part);
}

static void add_labels(struct pprof *pprof, const struct profile_sample *sample, uint32_t number)
{
	const struct profile_thread *thread = profile_thread_at(pprof->input->view.profile, sample->thread);
	bool is_new;
	struct strbuf *labels = export_texts_at(&pprof->labels, number, &is_new);

	if (is_new) {
		add_text_label(pprof, labels, LABEL_COMM, thread->comm);
		add_number_label(pprof, labels, LABEL_PID, thread->pid);
		add_number_label(pprof, labels, LABEL_TID, thread->tid);
		if (sample->cpu != PROFILE_NONE)
			add_number_label(pprof, labels, LABEL_CPU, sample->cpu);
		add_text_label(pprof, labels, LABEL_CGROUP, sample->cgroup);
	}
	strbuf_add(&pprof->message, labels->bytes, labels->size);
}

/* Samples of one stack mostly follow one another. */
static void add_places(struct pprof *pprof, uint32_t stack)
{
	const uint32_t *places;

	if (!pprof->places.size || stack != pprof->places_of) {
		const size_t count = export_tables_stack(&pprof->tables, stack, &places);

		for (size_t i = 0; i < count; i++)
			protobuf_varint(&pprof->part, places[i]);
		strbuf_reset(&pprof->places);
		protobuf_message(&pprof->places, SAMPLE_LOCATION_ID, &pprof->part);
		strbuf_reset(&pprof->part);
		pprof->places_of = stack;
	}
	strbuf_add(&pprof->message, pprof->places.bytes, pprof->places.size);
}

static void add_sample(struct pprof *pprof, const struct profile_sample *sample, uint32_t number)
{
	add_places(pprof, sample->stack);
	protobuf_varint(&pprof->part, protobuf_int64(sample->count));
	protobuf_varint(&pprof->part, protobuf_int64(sample->weight));
	protobuf_message(&pprof->message, SAMPLE_VALUE, &pprof->part);
	strbuf_reset(&pprof->part);
	add_labels(pprof, sample, number);
	finish_message(pprof, PROFILE_SAMPLE);
}

static void add_samples(struct pprof *pprof, const bool *chosen)
{
	struct sample_walk walk;

	sample_walk_init(&walk, pprof->input->view.profile, pprof->input->sums);
	while (sample_walk_next(&walk))
		if (chosen[walk.number])
			add_sample(pprof, &walk.sample, walk.number);
}

/* --- tables ------------------------------------------------------------------------------------------ */

static void add_locations(struct pprof *pprof)
{
	const struct profile *profile = pprof->input->view.profile;

	for (size_t i = 0; i < pprof->tables.place_count; i++) {
		const struct export_place *place = &pprof->tables.places[i];
		const uint32_t location = profile_stack_at(profile, place->stack)->location;

		protobuf_unsigned(&pprof->message, LOCATION_ID, i + 1);
		protobuf_unsigned(&pprof->message, LOCATION_MAPPING_ID, place->mapping);
		protobuf_unsigned(&pprof->message, LOCATION_ADDRESS,
				  profile_location_at(profile, location)->address);
		export_tables_add_lines(&pprof->tables, &pprof->message, LOCATION_LINE, place->stack);
		finish_message(pprof, PROFILE_LOCATION);
	}
}

/*
 * Writes no system names, which are the linker's: pprof takes a name that equals its system name for a mangled one, and shortens
 * it.
 */
static void add_functions(struct pprof *pprof)
{
	for (size_t i = 0; i < pprof->tables.function_count; i++) {
		const struct export_function *function = &pprof->tables.functions[i];

		protobuf_unsigned(&pprof->message, FUNCTION_ID, i + 1);
		protobuf_unsigned(&pprof->message, FUNCTION_NAME, function->name);
		protobuf_unsigned(&pprof->message, FUNCTION_FILENAME, function->file);
		finish_message(pprof, PROFILE_FUNCTION);
	}
}

/* The file has all that is known, so tells the reader not to look for symbols of its own. */
static void add_mappings(struct pprof *pprof)
{
	const struct profile *profile = pprof->input->view.profile;

	for (size_t i = 0; i < pprof->tables.mapping_count; i++) {
		const struct export_mapping *mapping = &pprof->tables.mappings[i];
		const struct profile_dso *dso = profile_dso_at(profile, mapping->dso);
		const char *path = profile_text(profile, dso->path);

		protobuf_unsigned(&pprof->message, MAPPING_ID, i + 1);
		protobuf_unsigned(&pprof->message, MAPPING_MEMORY_START, export_mapping_start(mapping));
		protobuf_unsigned(&pprof->message, MAPPING_MEMORY_LIMIT, export_mapping_limit(mapping));
		protobuf_unsigned(&pprof->message, MAPPING_FILE_OFFSET, export_mapping_start(mapping));
		protobuf_unsigned(&pprof->message, MAPPING_FILENAME,
				  export_tables_string(&pprof->tables,
						       *path ? path : profile_text(profile, dso->name)));
		protobuf_unsigned(&pprof->message, MAPPING_BUILD_ID,
				  export_tables_string(&pprof->tables, profile_text(profile, dso->build_id)));
		protobuf_unsigned(&pprof->message, MAPPING_HAS_FUNCTIONS, 1);
		protobuf_unsigned(&pprof->message, MAPPING_HAS_FILENAMES, 1);
		protobuf_unsigned(&pprof->message, MAPPING_HAS_LINE_NUMBERS, 1);
		protobuf_unsigned(&pprof->message, MAPPING_HAS_INLINE_FRAMES,
				  pprof->input->options->symbols.inlines);
		finish_message(pprof, PROFILE_MAPPING);
	}
}

static void add_strings(struct pprof *pprof)
{
	for (uint32_t i = 0; i < str_pool_count(pprof->tables.strings); i++) {
		const char *text = str_pool_text(pprof->tables.strings, i);

		protobuf_bytes(&pprof->out->text, PROFILE_STRING_TABLE, text, strlen(text));
		export_out_flow(pprof->out);
	}
}

/* --- types and comments ---------------------------------------------------------------------------------- */

static void add_value_type(struct pprof *pprof, uint32_t field, const char *type, const char *unit)
{
	protobuf_unsigned(&pprof->message, VALUE_TYPE_TYPE, export_tables_string(&pprof->tables, type));
	protobuf_unsigned(&pprof->message, VALUE_TYPE_UNIT, export_tables_string(&pprof->tables, unit));
	finish_message(pprof, field);
}

static void add_comment(struct pprof *pprof)
{
	const struct profile_facts *facts = pprof->input->view.facts;
	struct strbuf *text = &pprof->part;

	if (!facts->command_line_count)
		return;
	strbuf_adds(text, "recorded by:");
	for (size_t i = 0; i < facts->command_line_count; i++)
		strbuf_addf(text, " %s", facts->command_line[i]);
	protobuf_unsigned(&pprof->out->text, PROFILE_COMMENT,
			  export_tables_string(&pprof->tables, text->bytes));
	strbuf_reset(text);
}

static void add_head(struct pprof *pprof)
{
	const struct export_input *input = pprof->input;
	const char *unit = export_samples_known_unit(input, input->event),
		   *type = export_samples_type(input, input->event);
	struct strbuf *out = &pprof->out->text;

	add_value_type(pprof, PROFILE_SAMPLE_TYPE, "samples", "count");
	add_value_type(pprof, PROFILE_SAMPLE_TYPE, type, unit);
	add_value_type(pprof, PROFILE_PERIOD_TYPE, type, unit);
	protobuf_unsigned(out, PROFILE_PERIOD, protobuf_int64(export_samples_period(input, input->event)));
	protobuf_unsigned(out, PROFILE_DURATION_NANOS,
			  (uint64_t)(profile_facts_seconds(input->view.facts) * 1e9));
	protobuf_unsigned(out, PROFILE_DEFAULT_SAMPLE_TYPE, export_tables_string(&pprof->tables, type));
	add_comment(pprof);
}

static void write_pprof(const struct export_input *input, struct export_out *out)
{
	static const char *const keys[] = { "comm", "pid", "tid", "cpu", "cgroup" };
	struct pprof pprof = { .input = input, .out = out };
	bool *chosen = export_samples_chosen(input);

	export_tables_init(&pprof.tables, input, chosen);
	pprof.string_of =
		xcalloc((size_t)profile_string_count(input->view.profile) + 1, sizeof(*pprof.string_of));
	strbuf_init(&pprof.message);
	strbuf_init(&pprof.part);
	strbuf_init(&pprof.places);
	export_texts_init(&pprof.labels);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		pprof.keys[i] = export_tables_string(&pprof.tables, keys[i]);
	add_head(&pprof);
	add_samples(&pprof, chosen);
	add_locations(&pprof);
	add_functions(&pprof);
	add_mappings(&pprof);
	add_strings(&pprof);
	strbuf_fini(&pprof.message);
	strbuf_fini(&pprof.part);
	strbuf_fini(&pprof.places);
	export_texts_fini(&pprof.labels);
	free(pprof.string_of);
	export_tables_fini(&pprof.tables);
	free(chosen);
}

const struct export_format export_pprof = {
	.name = "pprof",
	.help = "profile.proto, gzipped, for pprof and what reads its files",
	.file = "profile.pb.gz",
	.suffixes = ".pb.gz .pprof",
	.traits = EXPORT_ONE_EVENT | EXPORT_SUMS | EXPORT_LINES | EXPORT_GZIP,
	.write = write_pprof,
};
