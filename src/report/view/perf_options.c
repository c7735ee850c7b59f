/* Refuses options of perf that ask for something xprof cannot do with a recording. */

#include "report/view/perf_options.h"

const char perf_options_traces_are_left_out[] =
	"hardware traces (Intel PT, CoreSight, SPE) are in the recording, and xprof does not decode them: samples alone are "
	"shown; perf decodes them, from the same file";

int perf_options_check_traces(const char *itrace, bool has_hardware_traces, const char *path,
			      struct error *err)
{
	if (!itrace || !has_hardware_traces)
		return 0;
	return error_set(
		err,
		"%s: --itrace: xprof does not decode hardware traces (Intel PT, CoreSight, SPE); perf does, "
		"from the same file",
		path);
}
