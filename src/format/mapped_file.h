#ifndef XPROF_FORMAT_MAPPED_FILE_H
#define XPROF_FORMAT_MAPPED_FILE_H

/* A whole file mapped read-only, and readers of its parts that are checked against its size. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/error.h"
#include "base/map_guard.h"
#include "base/unwrap.h"

struct mapped_file {
	const uint8_t *bytes; /* NULL when size_bytes is 0 */
	size_t size_bytes;
	bool owned;              /* mapped here, and unmapped by mapped_file_fini() */
	struct map_guard *guard; /* guards owned bytes */
};

/* Maps the file behind fd, which may be closed afterwards. `name` is for messages. */
int mapped_file_init(struct mapped_file *file, int fd, const char *name, struct error *err);

/* The same for the caller's bytes, which must outlive `file`. */
void mapped_file_init_memory(struct mapped_file *file, const void *bytes, size_t size_bytes);

/*
 * For data from a pipe that must be seekable: copies it to an unlinked file in $TMPDIR and maps that. `first`
 * has the `first_size` bytes that were read from `fd` already.
 */
int mapped_file_init_spooled(struct mapped_file *file, int fd, const void *first, size_t first_size,
			     const char *name, struct error *err);

/*
 * The same, but decompresses the data. With UNWRAP_CUT the mapped file ends at the damage, which err
 * describes.
 */
enum unwrap_status mapped_file_init_unwrapped(struct mapped_file *file, enum wrapping wrapping, int fd,
					      const void *first, size_t first_size, const char *name,
					      struct error *err);

void mapped_file_fini(struct mapped_file *file);

/* Has the file become shorter since it was mapped? Missing bytes read as zeros. */
bool mapped_file_was_cut(const struct mapped_file *file);

/*
 * The pages from the one that contains `start` up to the last one that ends at or before `end`. Returns their size
 * in bytes; 0 if there are none.
 */
size_t mapped_file_pages(const struct mapped_file *file, uint64_t start, uint64_t end, const uint8_t **pages);

/*
 * Takes the pages out of this process's memory; any thread may call it. Reading them again brings them back
 * from the file.
 */
void mapped_pages_release(const uint8_t *pages, size_t size_bytes);

/* A reader over [file_offset, file_offset + size); shorter, or empty, if the file ends before. */
struct byte_reader mapped_file_reader(const struct mapped_file *file, uint64_t file_offset, uint64_t size,
				      bool swap);

#endif
