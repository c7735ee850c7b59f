#ifndef XPROF_REPORT_EXPORT_CODE_CODE_EXPORT_H
#define XPROF_REPORT_EXPORT_CODE_CODE_EXPORT_H

/* Shared by the formats for compilers: a recording, one object in it, and the counts of its code. */

#include "report/code/code_object.h"
#include "report/export/export_format.h"

struct code_export {
	const struct export_options *options;
	struct code_recording recording;
	struct code_object object;
	struct export_out *out;
};

/* Appends to export->out->text. Returns 0, or -1 with err. */
typedef int code_export_write(struct code_export *export, struct error *err);

/*
 * Reads the recording, finds the object, and calls `write`. With `branches`, a recording without branches is an error. Returns
 * 0, or -1 with err.
 */
int code_export_run(const struct export_options *options, struct export_out *out, bool branches,
		    code_export_write *write, struct error *err);

/* Sets the vaddrs of both ends of a count. Returns false unless both are in the object. */
bool code_export_ends(const struct code_export *export, const struct code_count *count, uint64_t *from,
		      uint64_t *to);

#endif
