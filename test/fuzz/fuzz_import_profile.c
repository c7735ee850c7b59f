/* Another tool's profile of arbitrary bytes: recognised, or forced to each format by the first byte; read, and walked. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

/* Each sample has a stack that leads to a root. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_format *format = format_of(&data, &size);
	struct loaded_profile loaded;
	struct import_model model;
	struct error err;

	if (!format)
		return 0;
	import_model_init(&model, NULL);
	if (format->read(&model, (const char *)data, size, &err)) {
		import_model_fini(&model);
		return 0;
	}
	import_model_finish(&model, "fuzz", format->summary, &loaded);
	walk(loaded.profile);
	loaded_profile_fini(&loaded);
	return 0;
}
