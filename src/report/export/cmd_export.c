/*
 * run() is the order of work: load the recording with as much detail as the format needs, choose an event, write. An output that
 * could not be written completely is not given its name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "report/export/export_command_line.h"
#include "report/export/export_formats.h"
#include "report/load/recording_file.h"
#include "report/names/profile_namer.h"
#include "report/view/event_choice.h"
#include "report/view/perf_options.h"
#include "report/view/recording_input.h"
#include "report/view/stack_pattern.h"
#include "text/safe_text.h"

static void say_event(const struct export_options *options, const struct profile *profile, uint32_t event,
		      uint32_t with_samples)
{
	struct strbuf line;

	if (with_samples < 2 || options->quiet)
		return;
	strbuf_init(&line);
	strbuf_addf(&line, "xprof: %s: these are the samples of ", options->input);
	safe_text_add(&line, profile_text(profile, profile_event_at(profile, event)->name));
	strbuf_addf(&line, ", one of %" PRIu32 " events: --event names another", with_samples);
	fprintf(stderr, "%s\n", line.bytes);
	strbuf_fini(&line);
}

static int choose_event(const struct export_format *format, const struct export_options *options,
			struct profile *profile, uint32_t *event, struct error *err)
{
	uint32_t with_samples;

	*event = PROFILE_NONE;
	if (options->samples.event || format->traits & EXPORT_ONE_EVENT)
		event_choice_join(profile, options->samples.event, NULL);
	if (options->samples.event)
		return event_choice_find(profile, options->samples.event, event, err);
	if (format->traits & EXPORT_ONE_EVENT) {
		*event = event_choice_most(profile, &with_samples);
		say_event(options, profile, *event, with_samples);
	}
	return 0;
}

/* Besides the profile. NULL: not needed. */
struct logs {
	struct sample_log *samples;
	struct sample_sums *sums;
	struct mark_log *marks;
};

static void write_profile(const struct export_format *format, const struct export_options *options,
			  const struct loaded_profile *loaded, const struct logs *logs, uint32_t event,
			  struct export_out *out)
{
	struct selection selection = { .event = event, .filter = sample_choice_filter(&options->samples) };
	struct frame_table frames;
	struct export_input input = {
		.options = options,
		.loaded = loaded,
		.log = logs->samples,
		.sums = logs->sums,
		.marks = logs->marks,
		.view = { .profile = loaded->profile,
			  .frames = &frames,
			  .selection = &selection,
			  .facts = &loaded->facts },
		.event = event,
	};
	bool *stacks = NULL;

	frame_table_init(&frames, loaded->profile);
	if (options->samples.stack)
		selection.filter.stacks = stacks =
			stack_pattern_match(options->samples.stack, loaded->profile, &frames);
	format->write(&input, out);
	free(stacks);
	frame_table_fini(&frames);
}

static int write_loaded(const struct export_format *format, const struct export_options *options,
			const struct recording_input *input, const struct logs *logs, struct export_out *out,
			struct error *err)
{
	uint32_t event;

	if ((logs->samples && sample_log_finish(logs->samples, err)) ||
	    (logs->sums && sample_sums_finish(logs->sums, err)) ||
	    (logs->marks && mark_log_finish(logs->marks, err)))
		return -1;
	if (logs->samples)
		sample_log_sort(logs->samples);
	if (choose_event(format, options, input->loaded.profile, &event, err))
		return -1;
	out->log = logs->samples;
	write_profile(format, options, &input->loaded, logs, event, out);
	return 0;
}

static unsigned int detail_of(const struct export_format *format, const struct export_options *options)
{
	return (options->symbols.inlines ? NAMING_INLINES : 0) |
	       (format->traits & EXPORT_LINES ? NAMING_LINES : 0);
}

/* Neither filters nor downloads look at the stacks of the profile's samples. */
static bool may_be_apart(const struct export_options *options, const struct debug_downloads *downloads)
{
	const struct sample_choice *choice = &options->samples;

	return !choice->dsos.count && !choice->symbols.count && !choice->stack &&
	       !debug_downloads_are_possible(downloads);
}

static int load_and_write(const struct export_format *format, const struct export_options *options,
			  struct logs logs, struct export_out *out, struct error *err)
{
	const unsigned int detail = detail_of(format, options);
	struct debug_downloads *downloads =
		symbol_options_downloads(&options->symbols, detail, options->quiet);
	const bool stacks_apart = may_be_apart(options, downloads);
	const struct recording_request request = {
		.path = options->input,
		.time = options->samples.time,
		.choice = &options->samples,
		.load.stacks = options->stacks,
		.quiet = options->quiet,
		.load.detail = detail,
		.load.symbols = symbol_options_symbolizer(&options->symbols, downloads),
		.downloads = downloads,
		.load.log = logs.samples,
		.load.sums = stacks_apart ? logs.sums : NULL,
		.load.stacks_apart = stacks_apart,
		.load.marks = logs.marks,
	};
	struct recording_input input;
	int status = recording_input_open(&input, &request, err);

	debug_downloads_destroy(downloads);
	if (status)
		return -1;
	if (input.loaded.facts.has_hardware_traces && !options->quiet)
		fprintf(stderr, "xprof: %s: %s\n", options->input, perf_options_traces_are_left_out);
	if (!stacks_apart || !input.recording.file) /* a profile of another tool keeps its stacks */
		logs.sums = NULL;
	loaded_profile_drop_tables(&input.loaded);
	xalloc_trim();
	status = write_loaded(format, options, &input, &logs, out, err);
	recording_input_close(&input);
	return status;
}

static int write_from(const struct export_format *format, const struct export_options *options,
		      struct export_out *out, struct error *err)
{
	struct logs logs = { .samples = NULL };
	int status = -1;

	if (format->run)
		return format->run(options, out, err);
	if (format->traits & EXPORT_SUMS)
		logs.sums = sample_sums_create();
	if ((!(format->traits & EXPORT_TIMES) || (logs.samples = sample_log_create(err))) &&
	    (!(format->traits & EXPORT_MARKS) || (logs.marks = mark_log_create(err))))
		status = load_and_write(format, options, logs, out, err);
	sample_sums_destroy(logs.sums);
	sample_log_destroy(logs.samples);
	mark_log_destroy(logs.marks);
	return status;
}

static int run(const struct export_format *format, const struct export_options *options, struct error *err)
{
	const char *path = options->output ? options->output : format->file;
	struct export_out out;
	uint64_t *written = &out.written;

	if (export_out_open(&out, path, format->traits & EXPORT_GZIP, err))
		return -1;
	if (write_from(format, options, &out, err)) {
		export_out_abandon(&out);
		return -1;
	}
	if (export_out_close(&out, err))
		return -1;
	if (strcmp(path, "-") && !options->quiet)
		fprintf(stderr, "xprof: wrote %s: %s, %" PRIu64 " KiB\n", path, format->name,
			(*written + 1023) / 1024);
	return 0;
}

static int check_usage(struct export_options *options, const struct export_format **format, int operand_count,
		       char **operands, struct error *err)
{
	if (operand_count && options->input)
		return cli_usage_error(err, "one recording at a time: '%s' or '%s'?", options->input,
				       operands[0]);
	if (operand_count)
		options->input = operands[0];
	if (!options->input)
		options->input = recording_file_default();
	*format = export_formats_choose(options->format, options->output, err);
	if (!*format)
		return CLI_USAGE;
	if (options->per != EXPORT_PER_DEFAULT && !((*format)->traits & EXPORT_TRACKS))
		return cli_usage_error(err, "--per: %s has neither tracks nor outermost frames to choose",
				       (*format)->name);
	if (options->binary && !((*format)->traits & EXPORT_BINARY))
		return cli_usage_error(err, "--binary: %s has all files; choose some with --dsos",
				       (*format)->name);
	if (options->weight != STACK_WEIGHT_PERIOD && !((*format)->traits & EXPORT_WEIGHTS))
		return cli_usage_error(err, "--weight: %s has both samples and periods; leave it out",
				       (*format)->name);
	return 0;
}

static int run_export(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct export_options *options = parsed;
	const struct export_format *format = NULL;
	int status = check_usage(options, &format, operand_count, operands, err);

	if (status == 0 && format)
		status = symbol_options_check(&options->symbols, err) || run(format, options, err) ?
				 CLI_FAILED :
				 0;
	export_options_fini(options);
	return status;
}

const struct cli_command cmd_export = {
	.name = "export",
	.summary = "write a recording in the format of another tool",
	.usage = (const char *const[]){ "--format=FORMAT [OPTIONS] [-o FILE] [-i] [FILE]", NULL },
	.description =
		(const char *const[]){
			"Writes the samples of a recording, with their stacks and all names, in the format of another "
			"tool's viewer or optimiser. The file needs nothing else: it can be opened on another machine.",
			"Options choose samples as they do for xprof report, and sums are the same: the weight of a "
			"sample is its period. Formats that have one sum take the event with most samples.",
			NULL },
	.options = export_option_table,
	.options_size = sizeof(struct export_options),
	.defaults = &export_option_defaults,
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof export --format=collapsed -o - | flamegraph.pl >out.svg",
			  "The stacks of perf.data for a flame graph tool." },
			{ "xprof export --format=csv --comms make -o make.csv",
			  "A table with one row per sample of make." },
			{ NULL, NULL } },
	.run = run_export,
};
