#ifndef XPROF_REPORT_EXPORT_CODE_CODE_EXPORT_H
#define XPROF_REPORT_EXPORT_CODE_CODE_EXPORT_H

/* Shared by the formats for compilers: one recording, one object of code in it, and its counts. */

#include "report/code/code_object.h"
#include "report/export/export_format.h"

struct code_export {
	const struct export_options *options;
	struct code_recording recording;
	struct code_object object;
	struct export_out *out;
};

/* Appends to export->out->text. -1 with an error. */
typedef int code_export_write(struct code_export *export, struct error *err);

/* Reads the recording, finds the object, and lets `write` write. With `branches` a recording without any is an error. */
int code_export_run(const struct export_options *options, struct export_out *out, bool branches,
		    code_export_write *write, struct error *err);

/* Counts of the object's vaddrs, both ends in it; false for others. */
bool code_export_ends(const struct code_export *export, const struct code_count *count, uint64_t *from,
		      uint64_t *to);

#endif
