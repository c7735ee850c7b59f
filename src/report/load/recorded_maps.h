#ifndef XPROF_REPORT_LOAD_RECORDED_MAPS_H
#define XPROF_REPORT_LOAD_RECORDED_MAPS_H

/* The perf maps that a recording brings with it, for a symbolizer. */

#include "format/perf_file.h"
#include "symbol/symbolizer.h"

/* As long as the file is open. Once its last record was read any thread may ask. */
struct perf_map_source recorded_maps_source(struct perf_file *file);

#endif
