#ifndef XPROF_REPORT_EXPORT_EXPORT_FIREFOX_MARKERS_H
#define XPROF_REPORT_EXPORT_EXPORT_FIREFOX_MARKERS_H

/* Markers of the Firefox Profiler: lost records, and the time off the CPU of each thread, as far as they are recorded. */

#include "report/export/export_marks.h"

/* The value of meta.markerSchema. */
void export_firefox_markers_add_schema(struct strbuf *out);

/* The names of markers, which the table of strings has one behind the other; up to a NULL. */
extern const char *const export_firefox_marker_names[];

/* The value of "markers" of the track's thread; `first_name`: the number of the first of the names in the table of strings. */
void export_firefox_markers_add(struct export_out *out, const struct export_marks *marks, uint32_t track,
				uint64_t zero_ns, size_t first_name);

/* Milliseconds with six digits behind the point, for nanoseconds. */
void export_firefox_add_ms(struct strbuf *out, uint64_t ns);

#endif
