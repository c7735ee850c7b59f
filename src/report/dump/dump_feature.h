#ifndef XPROF_REPORT_DUMP_DUMP_FEATURE_H
#define XPROF_REPORT_DUMP_DUMP_FEATURE_H

/*
 * Writes header features (perf.data-file-format.txt, HEADER_*, and simpleperf's from 128 on), each as an
 * entry.
 */

#include "base/byte_reader.h"
#include "base/error.h"
#include "format/perf_features.h"
#include "report/dump/dump_out.h"

/* Returns "HOSTNAME", "EVENT_DESC" …; for an unknown feature "FEATURE_77", written into `buffer`. */
const char *dump_feature_name(uint64_t feature, char buffer[static 24]);

/* Writes a feature from the bytes of its section. Returns 0, or -1 with err if the section is truncated. */
int dump_feature(struct dump_out *out, unsigned int feature, struct byte_reader bytes,
		 const struct perf_features *decoded, struct error *err);

#endif
