/* What options of perf ask of a recording that xprof cannot do. */

#include "report/view/perf_options.h"

#include "format/perf_abi.h"

int perf_options_check_traces(const char *itrace, const struct perf_file *file, struct error *err)
{
	const struct byte_reader traces = perf_file_feature_bytes(file, HEADER_AUXTRACE);

	if (!itrace || byte_reader_left(&traces) == 0)
		return 0;
	return error_set(
		err,
		"%s: --itrace: xprof does not decode hardware traces (Intel PT, CoreSight, SPE); perf does, "
		"from the same file",
		perf_file_path(file));
}
