#ifndef XPROF_REPORT_DIFF_DIFF_HEADER_H
#define XPROF_REPORT_DIFF_DIFF_HEADER_H

/*
 * Describes both recordings and their differences, so that the reader can judge whether they are comparable.
 * No comparison is refused. Of several recordings of a side the first stands for all.
 */

#include "base/strbuf.h"
#include "profile/profile_diff.h"
#include "report/diff/diff_recordings.h"
#include "text/json_writer.h"

struct diff_inputs {
	const struct diff_recordings *sides[COMPARE_SIDES];
	uint32_t event
		[COMPARE_SIDES]; /* that are compared, of each side's first recording; of several the first */
	const struct name_pairs *pairs; /* may be NULL */
};

/* Lines that begin with "# ". */
void diff_header_add(struct strbuf *out, const struct diff_inputs *inputs);

/* The same as members "files" and "warnings" of the object at hand. */
void diff_header_add_json(struct json_writer *json, const struct diff_inputs *inputs);

#endif
