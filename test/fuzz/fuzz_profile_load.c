/*
 * Loads a perf.data of any bytes into a profile: process table, stacks with branches as frames, naming (without symbols of
 * this machine) and the trust header. For all bytes, events must add up to the sum of their samples. Seeds: the files of
 * test/data and of the corpus.
 */

#include <stdlib.h>

#include "report/load/profile_loader.h"
#include "report/view/trust_header.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_sums(const struct profile *profile)
{
	uint32_t i, event;

	for (event = 0; event < profile_event_count(profile); event++) {
		uint64_t samples = 0;

		for (i = 0; i < profile_sample_count(profile); i++)
			if (profile_sample_at(profile, i)->event == event)
				samples += profile_sample_at(profile, i)->count;
		if (samples != profile_event_at(profile, event)->samples)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct sample_key_request marks = { .wanted = { [SAMPLE_KEY_BRANCH_MARKS] = true } };
	struct sample_keys *keys = sample_keys_create(&marks);
	const struct load_options options = {
		.stacks = { .join_stacks = true, .guess = true, .branch_history = true },
		.symbols = { .symfs = "/proc/nonexistent", .kallsyms_path = "/proc/nonexistent" },
		.keys = keys,
	};
	struct loaded_profile loaded;
	struct perf_file *file;
	struct strbuf header;
	struct error err;

	file = perf_file_open_memory(bytes, size, "input", &err);
	if (!file) {
		sample_keys_destroy(keys);
		return 0;
	}
	if (profile_load(file, &options, &loaded, &err) == 0) {
		strbuf_init(&header);
		trust_header_render(&header, &loaded, TRUST_ALL);
		strbuf_fini(&header);
		if (profile_event_count(loaded.profile) <= 64)
			check_sums(loaded.profile);
		loaded_profile_fini(&loaded);
	}
	perf_file_close(file);
	sample_keys_destroy(keys);
	return 0;
}
