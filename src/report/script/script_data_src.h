#ifndef XPROF_REPORT_SCRIPT_SCRIPT_DATA_SRC_H
#define XPROF_REPORT_SCRIPT_SCRIPT_DATA_SRC_H

/* Where a sampled memory access was served: union perf_mem_data_src, linux/perf_event.h, in perf's words. */

#include <stdint.h>

#include "base/strbuf.h"

/* "|OP LOAD|LVL L1 or L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" */
void script_data_src_add(struct strbuf *out, uint64_t data_src);

#endif
