#ifndef XPROF_TEST_SUPPORT_EVENT_WALK_H
#define XPROF_TEST_SUPPORT_EVENT_WALK_H

/*
 * Walks through recordings and reads every byte that a decoder returns, so that a sanitizer notices bytes that must not be
 * read.
 */

#include "format/perf_file.h"
#include "format/sample.h"

void event_walk_bytes(const void *bytes, size_t size);

/* Calls all decoders, whatever the record's type: each must refuse records that are not its own. */
void event_walk_record(const struct event *event);

/* Reads the event as one of that attr. 1 and *sample if it is a sample that can be decoded. */
int event_walk_sample(const struct event *event, const struct perf_attr *attr, struct sample *sample);

/* Reads all events that are left in the file, and returns their number. */
size_t event_walk_count(struct perf_file *file);

void event_walk_features(const struct perf_features *features);

#endif
