#ifndef XPROF_REPORT_VIEW_RECORDING_INPUT_H
#define XPROF_REPORT_VIEW_RECORDING_INPUT_H

/*
 * Opens and loads a recording for a command, showing progress if that takes time.
 *
 *     if (recording_input_open(&input, &(struct recording_request){ .path = "perf.data" }, &err) == 0) {
 *             draw(input.loaded.profile);
 *             recording_input_close(&input);
 *     }
 */

#include "report/load/profile_loader.h"
#include "report/load/recording_file.h"
#include "report/load/time_range.h"
#include "report/remedy/debug_downloads.h"
#include "report/view/sample_choice.h"
#include "report/view/unwind_options.h"
#include "report/view/view.h"

struct recording_request {
	const char *path; /* "-": standard input */
	const char *time; /* --time; NULL: everything */
	/* Its `symbols.archive`, `waits`, `keep_sample` and `progress` are filled in here. */
	struct load_options load;
	struct debug_downloads *downloads;  /* downloads missing debug files; NULL: no downloads */
	const struct sample_choice *choice; /* print a warning if it leaves no sample; may be NULL */
	bool quiet;                         /* no progress line, no warnings */
};

struct recording_input {
	struct recording_file recording;
	struct loaded_profile loaded;
	struct time_ranges times;
};

/* Returns 0, or -1 with err and nothing open. */
int recording_input_open(struct recording_input *input, const struct recording_request *request,
			 struct error *err);

/*
 * Downloads the files that the recording lacks, for callers that do not use recording_input_open(). Prints no
 * warnings about the recording. Does nothing for a pipe, which cannot be read twice.
 */
void recording_input_download(const struct recording_request *request);
void recording_input_close(struct recording_input *input);
/* Instead of it, by a command that ends now: see loaded_profile_leave(). */
void recording_input_leave(struct recording_input *input);

#endif
