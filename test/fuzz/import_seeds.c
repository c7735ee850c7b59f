/*
 * Makes one small profile with everything that formats differ in: several threads, the kernel, recursion, unnamed code, odd
 * names, times, a mark.
 */
#include "fuzz/import_seeds.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/export/export_format.h"
#include "support/profile_builder.h"

static struct profile *make_profile(void)
{
	static const char *const stacks[] = {
		"web`main;libc.so.6`read;[k]`sys_read",
		"web`main;web`walk;web`walk;web`walk",
		"web`main;web`std::map<int, char*>::at(int const&);web`0x1234",
		"`0x7f00",
		"web`main;web`\xce\xbb \"quoted\" [x]",
	};
	struct profile *profile = profile_create();
	const uint32_t event = builder_event(profile, "cpu-clock");

	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++)
		builder_add(profile, event, i % 2 ? "worker thread 10/11 0" : "web 10/10", stacks[i], i + 1,
			    (i + 1) * 250000);
	profile_finish(profile);
	return profile;
}

static void log_samples(const struct profile *profile, struct sample_log *log)
{
	for (uint32_t i = 0; i < profile_sample_count(profile); i++)
		sample_log_add(log, 5000000000 + i * UINT64_C(1000000), i,
			       profile_sample_at(profile, i)->stack, profile_sample_at(profile, i)->weight);
}

static int write_format(const struct export_format *format, const char *directory,
			const struct export_input *input, struct error *err)
{
	char *path = xasprintf("%s/import.%s", directory, format->name);
	struct export_out out;
	int status = export_out_open(&out, path, false, err);

	if (status == 0) {
		format->write(input, &out);
		status = export_out_close(&out, err);
	}
	free(path);
	return status;
}

static void write_formats(const char *directory, const struct export_input *input)
{
	static const struct export_format *const formats[] = {
		&export_pprof,     &export_otlp,        &export_speedscope, &export_firefox,
		&export_callgrind, &export_perf_script, &export_collapsed,
	};
	struct error err;

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (write_format(formats[i], directory, input, &err)) {
			fprintf(stderr, "%s\n", err.message);
			exit(1);
		}
}

void import_seeds_write(const char *directory)
{
	const struct export_options options = { .weight = STACK_WEIGHT_PERIOD };
	struct loaded_profile loaded = { .profile = make_profile() };
	struct sample_log *log = sample_log_create(NULL);
	struct mark_log *marks = mark_log_create(NULL);
	struct selection selection = { .event = 0 };
	struct frame_table frames;

	if (!log || !marks)
		exit(1);
	profile_facts_init(&loaded.facts);
	frame_table_init(&frames, loaded.profile);
	log_samples(loaded.profile, log);
	mark_log_add(marks, &(struct mark){ .kind = MARK_LOST,
					    .pid = 10,
					    .tid = 10,
					    .begin_ns = 5000500000,
					    .end_ns = 5000500000,
					    .count = 3 });
	(void)sample_log_finish(log, NULL);
	(void)mark_log_finish(marks, NULL);
	write_formats(directory, &(struct export_input){
					 .options = &options,
					 .loaded = &loaded,
					 .log = log,
					 .marks = marks,
					 .view = { .profile = loaded.profile,
						   .frames = &frames,
						   .selection = &selection,
						   .facts = &loaded.facts },
				 });
	frame_table_fini(&frames);
	mark_log_destroy(marks);
	sample_log_destroy(log);
	loaded_profile_fini(&loaded);
}
