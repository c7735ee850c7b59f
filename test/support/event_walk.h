#ifndef XPROF_TEST_SUPPORT_EVENT_WALK_H
#define XPROF_TEST_SUPPORT_EVENT_WALK_H

/* Of recordings: reads every byte that a decoder hands out, so that a sanitizer sees what must not be read. */

#include "format/perf_file.h"
#include "format/sample.h"

void event_walk_bytes(const void *bytes, size_t size);

/* All decoders, whatever the record's type: they must refuse what is not theirs. */
void event_walk_record(const struct event *event);

/* As an event of that attr; 1 and *sample when it is a sample that decodes. */
int event_walk_sample(const struct event *event, const struct perf_attr *attr, struct sample *sample);

/* How many events the file has yet, all of which are read. */
size_t event_walk_count(struct perf_file *file);

void event_walk_features(const struct perf_features *features);

#endif
