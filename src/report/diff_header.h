#ifndef XPROF_REPORT_DIFF_HEADER_H
#define XPROF_REPORT_DIFF_HEADER_H

/*
 * Whether two recordings can be compared at all: what each was, and what is not
 * alike in them. Nothing is refused; whoever reads the numbers shall know.
 */

#include "base/strbuf.h"
#include "profile/profile_diff.h"
#include "report/json_writer.h"
#include "report/recording_input.h"

struct diff_inputs {
	const struct recording_input *input[COMPARE_SIDES];
	uint32_t event[COMPARE_SIDES]; /* that are compared; of several the first */
	bool one_event_only;           /* else nothing is said about names */
	const struct diff_rename *renames;
	size_t rename_count;
};

/* Lines that begin with "# ". */
void diff_header_add(struct strbuf *out, const struct diff_inputs *inputs);

/* The same as members "files" and "warnings" of the object at hand. */
void diff_header_add_json(struct json_writer *json, const struct diff_inputs *inputs);

/* From the first to the last sample, in seconds; 0 when that is not known. */
double diff_header_seconds(const struct recording_input *input);

#endif
