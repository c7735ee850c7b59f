#ifndef XPROF_RECORD_OUTPUT_NAMES_H
#define XPROF_RECORD_OUTPUT_NAMES_H

/*
 * The names of the files of one recording. While a file is written it is called FILE; when it is complete it gets the
 * name FILE.YYYYMMDDhhmmssCC, by the local time, as perf names it. Of complete files the latest are kept.
 */

#include <stddef.h>
#include <sys/time.h>

#include "base/error.h"

struct output_names;

/* `output` is borrowed. max_files 0: all are kept. */
struct output_names *output_names_create(const char *output, size_t max_files);
void output_names_destroy(struct output_names *names);

/*
 * The file FILE is complete: gives it its name, by `now` or, if another file has that name, by a time a little later.
 * Returns it, valid until the next call; NULL with err when it cannot be renamed, it is complete nevertheless.
 * Then removes the oldest file of this recording if there are more than `max_files`.
 */
const char *output_names_keep(struct output_names *names, const struct timeval *now, struct error *err);

#endif
