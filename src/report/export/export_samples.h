#ifndef XPROF_REPORT_EXPORT_EXPORT_SAMPLES_H
#define XPROF_REPORT_EXPORT_EXPORT_SAMPLES_H

/* The samples that the selection leaves. */

#include "report/export/export_format.h"

/* By number of the profile's samples: is it exported? The caller frees it. */
bool *export_samples_chosen(const struct export_input *input);

/* The unit of an event's weight: "nanoseconds" of clocks, "count" otherwise; of imported profiles theirs (profile/event_unit.h). */
const char *export_samples_unit(const struct export_input *input, uint32_t event);

/* The same where a format has no word for unknown: "" then. */
const char *export_samples_known_unit(const struct export_input *input, uint32_t event);

/* The thing that is counted: "cpu" of clocks, else the event's name. */
const char *export_samples_type(const struct export_input *input, uint32_t event);

/* The weight of a sample as the recorder was told; 0: it was told a frequency, and weights differ. */
uint64_t export_samples_period(const struct export_input *input, uint32_t event);

#endif
