#ifndef XPROF_FORMAT_OUTPUT_FILE_H
#define XPROF_FORMAT_OUTPUT_FILE_H

/*
 * Where a recording is written to: a new file of mode 0600, or standard output
 * or another place that cannot be sought in. Errors name the place and say what
 * can be done.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct output_file;

/*
 * A regular file (or the directory of a recording) that has the name already is renamed to
 * PATH.old first. "-" is standard output; a FIFO or a device is opened as it is (see
 * base/file_place.h). NULL with err on failure.
 */
struct output_file *output_file_create(const char *path, struct error *err);

/*
 * For a program that blocks signals and polls for them: called while the output blocks, that is until another
 * program opens the FIFO for reading, and while a pipe is full. Return true to give up.
 */
struct output_wait {
	bool (*is_over)(unsigned int waited_ms, void *context); /* NULL: wait however long it takes */
	void *context;
};

struct output_file *output_file_create_waiting(const char *path, const struct output_wait *wait,
					       struct error *err);

/*
 * The same as output_file_create(), but `path` stays as it is until output_file_publish(): until then
 * the file has no name or, on file systems without such files, a temporary one that close() removes.
 */
struct output_file *output_file_create_temporary(const char *path, struct error *err);

/* Would bytes that are written to `path` ("-" too) end up where the descriptor leads? No for shared devices. */
bool output_file_leads_to(const char *path, int fd);

/* Gives the file its name, after renaming an older file of that name. Does nothing for other outputs. */
int output_file_publish(struct output_file *output, struct error *err);
bool output_file_is_temporary(const struct output_file *output); /* and not yet published */

void output_file_close(struct output_file *output);

const char *output_file_name(const struct output_file *output);
bool output_file_seekable(const struct output_file *output);

/* Writes all of it behind what this function wrote last; on -1 part of it may have been written. */
int output_file_write(struct output_file *output, const void *bytes, size_t size, struct error *err);

/* Writes all of it at an offset; seekable outputs only. On -1 part of it may have been written. */
int output_file_write_at(struct output_file *output, const void *bytes, size_t size, uint64_t file_offset,
			 struct error *err);

/* Best effort: the caller has an error to report already. */
void output_file_truncate(struct output_file *output, uint64_t size_bytes);

#endif
