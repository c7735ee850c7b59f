/* `xprof buildid-list`: a line for each file, in the layout of perf's command, which scripts read. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "profile/profile.h"
#include "report/dump/recorded_build_ids.h"
#include "report/load/dso_samples.h"
#include "report/load/profile_loader.h"
#include "report/load/recording_file.h"

struct buildid_list_options {
	const char *input;
	bool with_hits, kernel;
};

static const struct option buildid_list_table[] = {
	OPTION_RECORDING(struct buildid_list_options, input),
	{ OPTION_FLAG(struct buildid_list_options, with_hits), .letter = 'H', .name = "with-hits",
	  .help = "list only files with samples" },
	{ OPTION_FLAG(struct buildid_list_options, kernel), .letter = 'k', .name = "kernel",
	  .help = "print only the build-id of the running kernel" },
	{ OPTION_ACCEPTED, .letter = 'f', .name = "force", .help = "files of other users are read anyway" },
	{ OPTION_ACCEPTED, .letter = 'v', .name = "verbose", .help = "there is no more to say" },
	{ OPTION_REFUSED(
		  "-k prints the kernel's, and a recording with -a lists the modules that it was made with"),
	  .letter = 'm', .name = "kernel-maps" },
	OPTION_END,
};

static int print_kernel(struct error *err)
{
	struct build_id id = { 0 };
	char hex[BUILD_ID_HEX_SIZE];

	if (build_id_read_notes(&id, BUILD_ID_KERNEL_NOTES, err) < 0)
		return CLI_FAILED;
	printf("%s\n", build_id_hex(&id, hex));
	return 0;
}

static int add_hit_files(struct recorded_build_ids *ids, struct perf_file *file, struct error *err)
{
	const struct load_options options = { 0 };
	struct loaded_profile loaded;
	struct dso_samples samples;

	if (profile_load(file, &options, &loaded, err) < 0)
		return -1;
	dso_samples_count(&samples, loaded.profile, false);
	for (uint32_t number = 0; number < samples.none; number++) {
		const struct profile_dso *dso = profile_dso_at(loaded.profile, number);
		struct build_id id;

		if (samples.self[number] &&
		    build_id_parse(&id, profile_text(loaded.profile, dso->build_id), NULL) == 0 && id.size)
			recorded_build_ids_add(ids, &id, profile_text(loaded.profile, dso->path));
	}
	dso_samples_fini(&samples);
	loaded_profile_fini(&loaded);
	return 0;
}

static int run_buildid_list(void *parsed, int operand_count, char **operands, struct error *err)
{
	const struct buildid_list_options *options = parsed;
	const char *input = operand_count  ? operands[0] :
			    options->input ? options->input :
					     recording_file_default();
	struct recorded_build_ids ids = { 0 };
	struct recording_file recording;
	int result;

	if (operand_count && options->input)
		return cli_usage_error(err, "name the file once, with -i or without");
	if (options->kernel)
		return print_kernel(err);
	if (recording_file_open(&recording, input, err) < 0)
		return CLI_FAILED;
	result = options->with_hits ? add_hit_files(&ids, recording.file, err) :
				      recorded_build_ids_read(&ids, recording.file, err);
	for (size_t i = 0; i < ids.count; i++) {
		char hex[BUILD_ID_HEX_SIZE];

		printf("%-40s %s\n", build_id_hex(&ids.items[i].id, hex), ids.items[i].path);
	}
	recorded_build_ids_fini(&ids);
	recording_file_close(&recording);
	return result < 0 ? CLI_FAILED : 0;
}

const struct cli_command cmd_buildid_list = {
	.name = "buildid-list",
	.summary = "list the build-ids of a recording's files",
	.usage = (const char *const[]){ "[-H] [-i FILE] [FILE]", "-k", NULL },
	.description =
		(const char *const[]){
			"Prints the build-id and the path of each file that was mapped, as perf buildid-list does.",
			NULL },
	.options = buildid_list_table,
	.options_size = sizeof(struct buildid_list_options),
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof buildid-list", "All files of perf.data." },
			{ "xprof buildid-list -H old.data", "Only files with samples." },
			{ "xprof buildid-list -k", "The build-id of the running kernel." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-buildid-list(1)", NULL },
	.run = run_buildid_list,
};
