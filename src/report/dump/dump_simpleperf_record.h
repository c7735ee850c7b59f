#ifndef XPROF_REPORT_DUMP_DUMP_SIMPLEPERF_RECORD_H
#define XPROF_REPORT_DUMP_DUMP_SIMPLEPERF_RECORD_H

/* The fields of simpleperf's own records, type 32768 and above: system/extras/simpleperf/record.h. */

#include "base/byte_reader.h"
#include "report/dump/dump_out.h"

/* NULL when the type is not one of simpleperf's. */
const char *dump_simpleperf_record_name(uint32_t type);

/* Nothing of types that are not known; the reader fails when there are fewer bytes than fields. */
void dump_simpleperf_record(struct dump_out *out, uint32_t type, struct byte_reader *r);

#endif
