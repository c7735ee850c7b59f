#ifndef XPROF_REPORT_WAITS_WAIT_CLASS_H
#define XPROF_REPORT_WAITS_WAIT_CLASS_H

/*
 * Classes of the durations of waits, each twice as long as the one before within a unit: 1-2 us, 2-4 us ...
 * 512-1024 us, 1-2 ms.
 */

#include "base/strbuf.h"
#include "format/off_cpu_wait.h"

enum { WAIT_CLASSES = 1 + 10 + 10 + 32 };

/* The duration of the part of the wait that the sample stands for: asleep, or ready to run without a CPU. */
uint64_t wait_class_duration_ns(const struct off_cpu_wait *wait);

/* The class of a duration: 0 to WAIT_CLASSES - 1. */
unsigned int wait_class_of(uint64_t duration_ns);

/* Appends "   0-1    us". All texts are equally wide, and within a unit they sort by duration. */
void wait_class_add_text(struct strbuf *out, unsigned int wait_class);

#endif
