#ifndef XPROF_REPORT_EXPORT_EXPORT_SAMPLES_H
#define XPROF_REPORT_EXPORT_EXPORT_SAMPLES_H

/* The samples that pass the selection. */

#include "report/export/export_format.h"

/* Returns an array by number of the profile's samples: is it exported? The caller frees it. */
bool *export_samples_chosen(const struct export_input *input);

/*
 * The unit of an event's weight: "nanoseconds" for clocks, otherwise "count"; for imported profiles their unit
 * (profile/event_unit.h).
 */
const char *export_samples_unit(const struct export_input *input, uint32_t event);

/* The same for formats without a word for unknown: "" then. */
const char *export_samples_known_unit(const struct export_input *input, uint32_t event);

/* The counted thing: "cpu" for clocks, otherwise the event's name. */
const char *export_samples_type(const struct export_input *input, uint32_t event);

/* The period that the recorder was given; 0: it was given a frequency, so weights differ. */
uint64_t export_samples_period(const struct export_input *input, uint32_t event);

#endif
