#ifndef XPROF_REPORT_DUMP_DUMP_FEATURE_H
#define XPROF_REPORT_DUMP_DUMP_FEATURE_H

/* The header features (perf.data-file-format.txt, HEADER_*, and simpleperf's from 128 on), each as an entry. */

#include "base/byte_reader.h"
#include "base/error.h"
#include "format/perf_features.h"
#include "report/dump/dump_out.h"

/* "HOSTNAME", "EVENT_DESC" …; "FEATURE_77" lives in the caller's buffer. */
const char *dump_feature_name(uint64_t feature, char buffer[static 24]);

/* `bytes` are those of the section. -1 with err when they end too early. */
int dump_feature(struct dump_out *out, unsigned int feature, struct byte_reader bytes,
		 const struct perf_features *decoded, struct error *err);

#endif
