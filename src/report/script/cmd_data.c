/* `xprof data convert`: perf's command of that name, whose JSON other programs read. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "report/load/recording_file.h"
#include "report/load/sample_times.h"
#include "report/script/script_run.h"
#include "report/view/symbol_options.h"

struct data_options {
	const char *input, *json;
	bool force;
	struct script_filter filter;
	struct symbol_options symbols;
};

static const struct option data_table[] = {
	{ OPTION_STRING(struct data_options, json), .name = "to-json", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE, .help = "write the samples as JSON, as perf does" },
	OPTION_RECORDING(struct data_options, input),
	{ OPTION_FLAG(struct data_options, force), .letter = 'f', .name = "force",
	  .help = "overwrite an existing file" },
	SAMPLE_CHOICE_TIME(struct data_options, filter.choice),
	SYMBOL_OPTIONS(struct data_options, symbols),
	{ OPTION_ACCEPTED, .letter = 'v', .name = "verbose" },
	{ OPTION_REFUSED("xprof writes no CTF; --to-json FILE has the same samples, and 'perf data convert "
			 "--to-ctf' reads the same recordings, if perf was built with libbabeltrace"),
	  .name = "to-ctf" },
	{ OPTION_REFUSED(
		  "the JSON has samples only, as perf's does; 'xprof dump --json --records' prints every "
		  "record"),
	  .name = "all" },
	{ OPTION_REFUSED(
		  "times are the recording's own, as in perf's JSON; its headers' clock-time and real-time are one "
		  "moment on both clocks, of a recording with -k"),
	  .name = "tod" },
	OPTION_END,
};

/* NULL if the file exists and -f is not given, or if it cannot be created. */
static FILE *open_output(const struct data_options *options, struct error *err)
{
	const int flags = O_CREAT | O_WRONLY | O_CLOEXEC | (options->force ? O_TRUNC : O_EXCL);
	const int fd =
		strcmp(options->json, "-") == 0 ? dup(STDOUT_FILENO) : open(options->json, flags, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out && errno == EEXIST)
		error_set(err, "%s exists: overwrite it with -f", options->json);
	else if (!out)
		error_set_errno(err, errno, "cannot write %s", options->json);
	return out;
}

static int write_samples(struct data_options *options, const struct recording_file *recording, FILE *out,
			 struct error *err)
{
	struct script_request request = {
		.style = { .fields = script_default_fields, .callchains = true, .json = true },
		.filter = &options->filter,
		.symbols = symbol_options_symbolizer(&options->symbols, NULL),
		.out = out,
	};
	struct script_losses losses;

	request.symbols.archive = recording->archive;
	if (script_run(recording->file, &request, &losses, err) != 0)
		return -1;
	fprintf(stderr, "xprof: %s: %" PRIu64 " samples of %s as JSON\n", options->json, losses.samples,
		perf_file_path(recording->file));
	return 0;
}

static int convert(struct data_options *options, struct error *err)
{
	struct recording_file recording;
	FILE *out;
	int result = -1;

	if (recording_file_open(&recording, options->input, err) != 0)
		return CLI_FAILED;
	out = sample_times_ranges(recording.file, options->filter.choice.time, &options->filter.times, err) ==
			      0 ?
		      open_output(options, err) :
		      NULL;
	if (out) {
		result = write_samples(options, &recording, out, err);
		if (fclose(out) != 0 && result == 0)
			result = error_set_errno(err, errno, "cannot write %s", options->json);
	}
	recording_file_close(&recording);
	return result == 0 ? 0 : CLI_FAILED;
}

static int run_data(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct data_options *options = parsed;
	int status;

	if (operand_count != 1 || strcmp(operands[0], "convert") != 0)
		return cli_usage_error(err, "the only form is 'xprof data convert --to-json FILE'");
	if (!options->json)
		return cli_usage_error(err, "--to-json FILE is missing");
	if (!options->input)
		options->input = recording_file_default();
	status = symbol_options_check(&options->symbols, err) ? CLI_FAILED : convert(options, err);
	sample_choice_fini(&options->filter.choice);
	symbol_options_fini(&options->symbols);
	return status;
}

const struct cli_command cmd_data = {
	.name = "data",
	.summary = "write the samples of a recording as JSON",
	.usage = (const char *const[]){ "convert --to-json FILE [-i FILE]", NULL },
	.description =
		(const char *const[]){
			"Writes the same JSON as perf data convert: one object with \"headers\" (the "
			"recording's header) and \"samples\", each with timestamp, thread, call chain and "
			"the fields of its tracepoint.",
			"Unlike perf, xprof unwinds stack dumps into call chains. 'xprof report --json' "
			"prints sums of samples instead.",
			NULL },
	.options = data_table,
	.options_size = sizeof(struct data_options),
	.defaults = &(const struct data_options){ .symbols = SYMBOL_OPTION_DEFAULTS },
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 2,
	.examples = (const struct cli_example[]){ { "xprof data convert --to-json samples.json",
						    "All samples of perf.data." },
						  { NULL, NULL } },
	.see_also = (const char *const[]){ "perf-data(1)", NULL },
	.run = run_data,
};
