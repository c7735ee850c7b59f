/* Writes the same members as perf, in the same order, and no others. */

#include "report/script/script_sample.h"

#include <linux/perf_event.h>
#include <string.h>
#include <time.h>

#include "report/dump/file_header.h"

static void add_layout(struct json_writer *json, const struct perf_file *file)
{
	struct file_layout layout;
	struct tm utc;
	char when[32];

	if (!file_header_read_layout(file, &layout))
		return;
	json_unsigned(json, "header-version", layout.version);
	if (gmtime_r(&layout.captured_s, &utc) && strftime(when, sizeof(when), "%FT%TZ", &utc))
		json_string(json, "captured-on", when);
	json_unsigned(json, "data-offset", layout.data.offset);
	json_unsigned(json, "data-size", layout.data.size);
	json_unsigned(json, "feat-offset", layout.data.offset + layout.data.size);
}

static void add_known(struct json_writer *json, const char *name, const char *text)
{
	if (text)
		json_string(json, name, text);
}

static void add_header(struct json_writer *json, const struct perf_file *file)
{
	const struct perf_features *features = perf_file_features(file);

	json_begin_object(json, "headers");
	add_layout(json, file);
	add_known(json, "hostname", features->hostname);
	add_known(json, "os-release", features->os_release);
	add_known(json, "arch", features->arch);
	add_known(json, "cpu-desc", features->cpu_description);
	add_known(json, "cpuid", features->cpu_id);
	json_unsigned(json, "nrcpus-online", features->cpus_online);
	json_unsigned(json, "nrcpus-avail", features->cpus_available);
	if (features->clock_id >= 0) {
		json_unsigned(json, "clockid", (uint64_t)features->clock_id);
		json_unsigned(json, "clock-time", features->clock_clockid_ns);
		json_unsigned(json, "real-time", features->clock_wall_ns);
	}
	add_known(json, "perf-version", features->perf_version);
	json_begin_array(json, "cmdline");
	for (size_t i = 0; i < features->command_line_count; i++)
		json_string(json, NULL, features->command_line[i]);
	json_end_array(json);
	json_end_object(json);
}

void script_json_begin(struct script_writer *writer)
{
	struct json_writer *json = writer->json;

	json_init(json, &writer->out);
	json_begin_object(json, NULL);
	json_unsigned(json, "linux-perf-json-version", 1);
	add_header(json, writer->file);
	json_begin_array(json, "samples");
}

void script_json_end(struct script_writer *writer)
{
	json_end_array(writer->json);
	json_end_object(writer->json);
	strbuf_addc(&writer->out, '\n');
}

/* A field with the name of a member that every sample has is left out: perf writes both, and readers take one or the other. */
static bool is_member(const char *field)
{
	static const char *const members[] = { "timestamp", "pid", "tid", "cpu", "comm", "callchain" };

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (strcmp(field, members[i]) == 0)
			return true;
	return false;
}

/* Parses "NAME", NUL, "VALUE", NUL and so on, after the kernel's own text and its NUL. */
static void add_fields(struct json_writer *json, const struct strbuf *answer)
{
	size_t at = strlen(answer->bytes) + 1;

	while (at < answer->size) {
		const char *name = answer->bytes + at, *value = name + strlen(name) + 1;

		if (value >= answer->bytes + answer->size)
			return;
		if (!is_member(name))
			json_string(json, name, value);
		at = (size_t)(value - answer->bytes) + strlen(value) + 1;
	}
}

static void add_trace(struct script_writer *writer, const struct script_sample *sample)
{
	struct strbuf answer = STRBUF_INIT;

	if (sample->desc->attr.type != PERF_TYPE_TRACEPOINT || !sample->sample->raw || !writer->tracepoints)
		return;
	tracepoint_formats_ask_fields(writer->tracepoints, sample->desc->attr.config, sample->sample->raw,
				      sample->sample->raw_size);
	if (tracepoint_formats_answer(writer->tracepoints, &answer, NULL) == 0)
		add_fields(writer->json, &answer);
	strbuf_fini(&answer);
}

void script_json_add_sample(struct script_writer *writer, const struct script_sample *sample)
{
	struct json_writer *json = writer->json;
	const struct sample *s = sample->sample;

	json_begin_object(json, NULL);
	json_unsigned(json, "timestamp", s->time_ns);
	json_unsigned(json, "pid", s->pid);
	json_unsigned(json, "tid", s->tid);
	if (s->present & PERF_SAMPLE_CPU)
		json_unsigned(json, "cpu", s->cpu);
	json_string(json, "comm", sample->comm);
	json_begin_array(json, "callchain");
	if (s->present & PERF_SAMPLE_CALLCHAIN)
		script_chain_add(writer, sample);
	else
		script_place_add_json(writer->json, s->ip, &sample->leaf);
	json_end_array(json);
	add_trace(writer, sample);
	json_end_object(json);
}
