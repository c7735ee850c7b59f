#ifndef XPROF_RECORD_OUTPUT_NAMES_H
#define XPROF_RECORD_OUTPUT_NAMES_H

/*
 * The names of the files of one recording. While a file is written it is called FILE; when it is complete it
 * gets the name FILE.YYYYMMDDhhmmssCC, by the local time, as perf names it. Only the latest complete files
 * are kept if their number is limited.
 */

#include <stddef.h>
#include <sys/time.h>

#include "base/error.h"

struct output_names;

/* `output` is FILE, borrowed. max_files 0: all files are kept. */
struct output_names *output_names_create(const char *output, size_t max_files);
void output_names_destroy(struct output_names *names);

/*
 * Renames FILE, which is complete, by the time `now` or, if that name is taken, by a slightly later time.
 * Then removes the oldest file of this recording if there are more than `max_files`. Returns the new name,
 * valid until the next call; NULL with err if FILE could not be renamed and so keeps its name.
 */
const char *output_names_keep(struct output_names *names, const struct timeval *now, struct error *err);

#endif
