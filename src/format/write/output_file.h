#ifndef XPROF_FORMAT_OUTPUT_FILE_H
#define XPROF_FORMAT_OUTPUT_FILE_H

/*
 * The output of a recording: a new file of mode 0600, standard output, or another output that is not
 * seekable. Errors name the output and the remedy.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct output_file;

/*
 * Opens the output. An existing regular file (or directory of a recording) is renamed to PATH.old first. "-"
 * is standard output; a FIFO or a device is opened as it is (see base/file_place.h). Returns NULL with err
 * set on failure.
 */
struct output_file *output_file_create(const char *path, struct error *err);

/*
 * For programs that block signals and poll for them: is_over() is called while the output blocks, that is
 * until another program opens the FIFO for reading, and while a pipe is full. Returns true to give up.
 */
struct output_wait {
	bool (*is_over)(unsigned int waited_ms, void *context); /* NULL: wait without a limit */
	void *context;
};

struct output_file *output_file_create_waiting(const char *path, const struct output_wait *wait,
					       struct error *err);

/*
 * As output_file_create(), but `path` is not changed before output_file_publish(): until then the file has no
 * name or, on file systems that do not support that, a temporary one that output_file_close() removes.
 */
struct output_file *output_file_create_temporary(const char *path, struct error *err);

/* Is the output `path` (may be "-") the same file or pipe as the descriptor? False for shared devices. */
bool output_file_leads_to(const char *path, int fd);

/* Gives the file its name, after renaming an older file of that name. Does nothing for other outputs. */
int output_file_publish(struct output_file *output, struct error *err);
bool output_file_is_temporary(const struct output_file *output); /* and not yet published */

void output_file_close(struct output_file *output);

const char *output_file_name(const struct output_file *output);
bool output_file_seekable(const struct output_file *output);

/* Writes all bytes, behind those of the last call. If it returns -1, a part may have been written. */
int output_file_write(struct output_file *output, const void *bytes, size_t size, struct error *err);

/*
 * Writes all bytes at an offset; for seekable outputs only. If it returns -1, a part may have been written.
 */
int output_file_write_at(struct output_file *output, const void *bytes, size_t size, uint64_t file_offset,
			 struct error *err);

/* Best effort, without an error, because the caller already has one to report. */
void output_file_truncate(struct output_file *output, uint64_t size_bytes);

#endif
