/* `xprof evlist`: a line for each event, in the layout of perf's command, which scripts read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/commands.h"
#include "report/dump/dump_attr.h"
#include "report/load/recording_file.h"

struct evlist_options {
	const char *input;
	bool frequency, groups;
	unsigned int verbose;
};

static const struct option evlist_table[] = {
	OPTION_RECORDING(struct evlist_options, input),
	{ OPTION_COUNT(struct evlist_options, verbose), .letter = 'v', .name = "verbose",
	  .help = "print all attributes requested from the kernel" },
	{ OPTION_FLAG(struct evlist_options, frequency), .letter = 'F', .name = "freq",
	  .help = "print the sampling rate of each event" },
	{ OPTION_FLAG(struct evlist_options, groups), .letter = 'g', .name = "group",
	  .help = "print each group in braces on one line" },
	{ OPTION_ACCEPTED, .letter = 'f', .name = "force", .help = "files of other users are read anyway" },
	{ OPTION_REFUSED(
		  "'xprof list -v SYSTEM:NAME' prints the fields of a tracepoint of this machine, and 'perf evlist "
		  "--trace-fields' those of the recording"),
	  .name = "trace-fields" },
	OPTION_END,
};

static void add_event(struct strbuf *text, const struct event_desc *event,
		      const struct evlist_options *options)
{
	const bool freq = perf_attr_has(&event->attr, PERF_ATTR_FREQ);
	struct strbuf attr;

	strbuf_adds(text, event->name);
	if (options->frequency) {
		strbuf_addf(text, ": sample_%s=%" PRIu64, freq ? "freq" : "period",
			    event->attr.sample_period_or_freq);
	} else if (options->verbose) {
		strbuf_init(&attr);
		attr_text_add(&attr, &event->attr, ": ");
		strbuf_addf(text, ": %s", attr.size ? attr.bytes + strlen(", ") : "");
		strbuf_fini(&attr);
	}
}

/* Number of events after the leader in its group. */
static size_t count_members(const struct perf_file *file, size_t leader)
{
	const size_t count = perf_file_event_count(file);
	size_t next = leader + 1;

	while (next < count && perf_file_event(file, next)->leader == leader)
		next++;
	return next - leader - 1;
}

static void add_events(struct strbuf *text, const struct perf_file *file,
		       const struct evlist_options *options)
{
	const size_t count = perf_file_event_count(file);
	size_t group_end = 0;

	for (size_t i = 0; i < count; i++) {
		if (options->groups && i >= group_end && count_members(file, i)) {
			group_end = i + 1 + count_members(file, i);
			strbuf_addc(text, '{');
		}
		add_event(text, perf_file_event(file, i), options);
		strbuf_adds(text, i + 1 < group_end ? "," : i + 1 == group_end ? "}\n" : "\n");
	}
}

/* In a pipe, or a file of a killed recorder, the event descriptions are among the records. */
static int read_all(struct perf_file *file, struct error *err)
{
	struct event event;
	int more;

	do {
		more = perf_file_next(file, &event, err);
	} while (more == 1);
	return more;
}

static int run_evlist(void *parsed, int operand_count, char **operands, struct error *err)
{
	const struct evlist_options *options = parsed;
	const char *input = operand_count  ? operands[0] :
			    options->input ? options->input :
					     recording_file_default();
	struct recording_file recording;
	struct strbuf text = STRBUF_INIT;
	int result = 0;

	if (operand_count && options->input)
		return cli_usage_error(err, "name the file once, with -i or without");
	if (options->frequency + options->groups + !!options->verbose > 1)
		return cli_usage_error(err, "-F, -g and -v exclude each other");
	if (recording_file_open(&recording, input, err) < 0)
		return CLI_FAILED;
	if (perf_file_mode(recording.file) == PERF_FILE_PIPE || perf_file_damage(recording.file)->unfinished)
		result = read_all(recording.file, err);
	add_events(&text, recording.file, options);
	fwrite(text.bytes ? text.bytes : "", 1, text.size, stdout);
	strbuf_fini(&text);
	recording_file_close(&recording);
	return result < 0 ? CLI_FAILED : 0;
}

const struct cli_command cmd_evlist = {
	.name = "evlist",
	.summary = "list the events of a recording",
	.usage = (const char *const[]){ "[-v|-F|-g] [-i FILE] [FILE]", NULL },
	.description =
		(const char *const[]){
			"Prints the name of each event, as perf evlist does. 'xprof dump --header' prints "
			"the same and the rest of the recording's header.",
			NULL },
	.options = evlist_table,
	.options_size = sizeof(struct evlist_options),
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof evlist -F", "The events of perf.data, and their rates." },
			{ "xprof evlist -v old.data", "All attributes requested from the kernel." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-evlist(1)", NULL },
	.run = run_evlist,
};
