#ifndef XPROF_REPORT_DIFF_DIFF_HEADER_H
#define XPROF_REPORT_DIFF_DIFF_HEADER_H

/*
 * Describes both recordings and their differences, so that the reader can judge whether they are comparable.
 * No comparison is refused. If a side has several recordings, only the first is described.
 */

#include "base/strbuf.h"
#include "profile/profile_diff.h"
#include "report/diff/diff_recordings.h"
#include "text/json_writer.h"

struct diff_inputs {
	const struct diff_recordings *sides[COMPARE_SIDES];
	/* the event that is compared (the first of several), by its number in each side's first recording */
	uint32_t event[COMPARE_SIDES];
	const struct name_pairs *pairs; /* may be NULL */
};

/* Appends lines that begin with "# ". */
void diff_header_add(struct strbuf *out, const struct diff_inputs *inputs);

/* Adds the same as members "files" and "warnings" to the present JSON object. */
void diff_header_add_json(struct json_writer *json, const struct diff_inputs *inputs);

#endif
