/*
 * Another tool's profile of arbitrary bytes. The first byte lets its format be recognised, or forces one. Reads it, walks
 * over it, and writes it in a format that the last byte chooses.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "report/export/export_format.h"
#include "report/import/import_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct import_format *format_of(const uint8_t **data, size_t *size)
{
	static const struct import_format *const formats[] = {
		&import_pprof,     &import_otlp,        &import_speedscope, &import_firefox,
		&import_callgrind, &import_perf_script, &import_collapsed,
	};
	const struct import_format *format;

	if (!*size || **data >= sizeof(formats) / sizeof(*formats))
		return import_format_of((const char *)*data, *size);
	format = formats[**data];
	(*data)++;
	(*size)--;
	return format;
}

/* Checks that each sample has a stack that leads to a root. */
static void walk(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		uint32_t stack = profile_sample_at(profile, i)->stack;

		for (uint32_t depth = 0; stack != PROFILE_NONE; depth++) {
			if (depth > profile_stack_count(profile))
				abort();
			stack = profile_stack_at(profile, stack)->parent;
		}
	}
}

static void export(const struct loaded_profile *loaded, struct sample_log *log, uint8_t choice)
{
	static const struct export_format *const formats[] = {
		&export_pprof,     &export_otlp,        &export_speedscope, &export_firefox, &export_chrome,
		&export_callgrind, &export_perf_script, &export_collapsed,  &export_csv,
	};
	const struct export_options options = { .weight = STACK_WEIGHT_PERIOD };
	struct selection selection = { .event = profile_event_count(loaded->profile) ? 0 : PROFILE_NONE };
	struct frame_table frames;
	struct export_input input = { .options = &options,
				      .loaded = loaded,
				      .log = log,
				      .view = { .profile = loaded->profile,
						.frames = &frames,
						.selection = &selection,
						.facts = &loaded->facts },
				      .event = selection.event };
	struct export_out out;

	if (sample_log_finish(log, NULL) || export_out_open(&out, "/dev/null", false, NULL))
		return;
	frame_table_init(&frames, loaded->profile);
	formats[choice % (sizeof(formats) / sizeof(*formats))]->write(&input, &out);
	(void)export_out_close(&out, NULL);
	frame_table_fini(&frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t last = size ? data[size - 1] : 0;
	const struct import_format *format = format_of(&data, &size);
	struct sample_log *log;
	struct loaded_profile loaded;
	struct import_model model;
	struct error err;

	if (!format)
		return 0;
	log = sample_log_create(NULL);
	if (!log)
		return 0;
	import_model_init(&model, NULL);
	model.log = log;
	if (format->read(&model, (const char *)data, size, &err)) {
		import_model_fini(&model);
		sample_log_destroy(log);
		return 0;
	}
	import_model_finish(&model, "fuzz", format->summary, &loaded);
	walk(loaded.profile);
	export(&loaded, log, last);
	sample_log_destroy(log);
	loaded_profile_fini(&loaded);
	return 0;
}
