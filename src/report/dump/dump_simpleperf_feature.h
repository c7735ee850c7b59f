#ifndef XPROF_REPORT_DUMP_DUMP_SIMPLEPERF_FEATURE_H
#define XPROF_REPORT_DUMP_DUMP_SIMPLEPERF_FEATURE_H

/* The features that simpleperf adds to perf's, 128 to 134: system/extras/simpleperf, record_file_format.h. */

#include "base/byte_reader.h"
#include "report/dump/dump_out.h"

/* The section's fields, none of features that are not simpleperf's; the reader fails when it ends too early. */
void dump_simpleperf_feature(struct dump_out *out, unsigned int feature, struct byte_reader *r);

#endif
