#ifndef XPROF_REPORT_WAITS_WAIT_CLASS_H
#define XPROF_REPORT_WAITS_WAIT_CLASS_H

/* Classes of how long waits were, each twice as long as the one before within a unit: 1-2 us, 2-4 us ... 512-1024 us, 1-2 ms. */

#include "base/strbuf.h"
#include "format/off_cpu_wait.h"

enum { WAIT_CLASSES = 1 + 10 + 10 + 32 };

/* Of the part of the wait that the sample is of: asleep, or ready and without a CPU. */
uint64_t wait_class_duration_ns(const struct off_cpu_wait *wait);

/* From 0 to WAIT_CLASSES - 1. */
unsigned int wait_class_of(uint64_t duration_ns);

/* "   0-1    us": equally wide, and in order as texts within a unit. */
void wait_class_add_text(struct strbuf *out, unsigned int wait_class);

#endif
