#ifndef XPROF_REPORT_CODE_CODE_RECORDING_H
#define XPROF_REPORT_CODE_CODE_RECORDING_H

/*
 * Reads a recording for reports about code: samples that pass the user's choice are counted, and passed to the caller if it
 * wants them.
 *
 *	code_recording_read(&recording, &request, err);
 *	… recording.counts …
 *	code_recording_close(&recording);
 */

#include "report/code/code_counts.h"
#include "report/load/recorded_machine.h"
#include "report/load/recording_file.h"
#include "report/load/sample_stream.h"
#include "report/view/sample_choice.h"
#include "symbol/symbolizer.h"

struct code_request {
	const char *path;
	const struct sample_choice *choice; /* cgroups, DSOs, symbols and stacks in it are ignored */
	struct symbolizer_options symbols;
	/* Called for each sample that passes; may be NULL. */
	void (*visit)(void *context, const struct stream_sample *sample, struct process_table *processes);
	void *context;
};

struct code_recording {
	struct recording_file recording;
	struct recorded_machine machine;
	struct symbolizer *symbolizer;
	struct symbolizer_options symbols; /* the request's */
	struct code_counts counts;         /* sorted */
};

/* Returns 0, or -1 with err and nothing open. */
int code_recording_read(struct code_recording *recording, const struct code_request *request,
			struct error *err);
void code_recording_close(struct code_recording *recording);

#endif
