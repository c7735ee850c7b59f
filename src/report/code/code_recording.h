#ifndef XPROF_REPORT_CODE_CODE_RECORDING_H
#define XPROF_REPORT_CODE_CODE_RECORDING_H

/*
 * A recording read for what it says of code: samples that pass the user's choice go into counts, or to the caller, too.
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
	const struct sample_choice *choice; /* all but cgroups, DSOs, symbols and stacks apply */
	struct symbolizer_options symbols;
	/* Sees each sample that passes; may be NULL. */
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

/* -1: nothing is open then. */
int code_recording_read(struct code_recording *recording, const struct code_request *request,
			struct error *err);
void code_recording_close(struct code_recording *recording);

#endif
