#ifndef XPROF_REPORT_EXPORT_EXPORT_FIREFOX_MARKERS_H
#define XPROF_REPORT_EXPORT_EXPORT_FIREFOX_MARKERS_H

/* Markers of the Firefox Profiler: lost records, and each thread's time off the CPU, if recorded. */

#include "report/export/export_marks.h"

/* The value of meta.markerSchema. */
void export_firefox_markers_add_schema(struct strbuf *out);

/* The names of markers, which are consecutive in the table of strings; ends with NULL. */
extern const char *const export_firefox_marker_names[];

/* Appends the value of "markers" for the track's thread. `first_name`: the number of the first name in the table of strings. */
void export_firefox_markers_add(struct export_out *out, const struct export_marks *marks, uint32_t track,
				uint64_t zero_ns, size_t first_name);

/* Appends `ns` as milliseconds with six decimals. */
void export_firefox_add_ms(struct strbuf *out, uint64_t ns);

#endif
