/* The tables are made in memory, one below the other, and printed at the end. */
#include "report/table/other_reports.h"

#include <stdio.h>

#include "cli/pager.h"
#include "report/code/code_text.h"

bool code_report_is_wanted(const struct report_options *options)
{
	return options->blocks || options->loops || options->indirect || options->total_cycles;
}

/* A recording while it is read, and the events counted between its branches. */
struct counting {
	struct code_recording recording;
	struct counted_sums sums;
};

static void count_events(void *context, const struct stream_sample *sample, struct process_table *processes)
{
	struct counting *counting = context;

	if (sample->desc)
		counted_sums_add(&counting->sums, counting->recording.recording.file, &sample->sample,
				 sample->desc->leader, sample->time_ns, processes);
}

static int add_tables(struct strbuf *out, struct counting *counting, const struct report_options *options,
		      struct error *err)
{
	const struct code_text_options text = { .top = options->top,
						.quiet = options->quiet,
						.counted = &counting->sums };
	struct code_recording *recording = &counting->recording;
	struct code_object object;

	if (!recording->counts.branch_samples)
		return error_set(
			err,
			"%s: no sample has branches; branches are recorded with 'xprof record -b', where the "
			"CPU has them",
			options->input);
	if (code_object_open(&object, recording, options->binary, err))
		return -1;
	if (options->blocks)
		code_text_blocks(out, recording, &object, &text);
	if (options->loops)
		code_text_loops(out, recording, &object, &text);
	if (options->indirect)
		code_text_indirect(out, recording, &object, &text);
	if (options->total_cycles)
		code_text_cycles(out, recording, &object, &text);
	code_object_close(&object);
	return 0;
}

int code_report_run(const struct report_options *options, struct error *err)
{
	struct counting counting = { 0 };
	const struct code_request request = {
		.path = options->input,
		.choice = &options->samples,
		.symbols = symbol_options_symbolizer(&options->symbols, NULL),
		.visit = options->total_cycles ? count_events : NULL,
		.context = &counting,
	};
	struct pager *pager;
	struct strbuf out = STRBUF_INIT;
	int status;

	if (code_recording_read(&counting.recording, &request, err)) {
		counted_sums_fini(&counting.sums);
		return CLI_FAILED;
	}
	status = add_tables(&out, &counting, options, err);
	if (status == 0) {
		pager = pager_start(options->pager);
		fwrite(out.bytes, 1, out.size, stdout);
		pager_finish(pager);
	}
	strbuf_fini(&out);
	code_recording_close(&counting.recording);
	counted_sums_fini(&counting.sums);
	return status ? CLI_FAILED : 0;
}
