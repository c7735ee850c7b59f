#ifndef XPROF_REPORT_LOAD_RECORDED_MAPS_H
#define XPROF_REPORT_LOAD_RECORDED_MAPS_H

/* The perf maps that are stored in a recording, for a symbolizer. */

#include "format/perf_file.h"
#include "symbol/symbolizer.h"

/* Valid as long as the file is open. Thread-safe after the last record was read. */
struct perf_map_source recorded_maps_source(struct perf_file *file);

#endif
