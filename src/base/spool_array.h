#ifndef XPROF_BASE_SPOOL_ARRAY_H
#define XPROF_BASE_SPOOL_ARRAY_H

/*
 * An array of items of one size that grows in an unlinked file, for lists that are as long as a recording. Items are added first,
 * and can be read and changed when the array is mapped.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct spool_array {
	const char *name; /* of the content, for messages */
	size_t item_bytes;
	size_t count; /* in the file */
	void *items;  /* the file, mapped; NULL: not yet, or it is empty */

	int fd;
	bool failed;
	struct error error; /* of the first write that failed */
	char *buffer;
	size_t buffered;
};

/* -1 if there is no room for the file. `name` is static. */
int spool_array_init(struct spool_array *array, const char *name, size_t item_bytes, struct error *err);
void spool_array_fini(struct spool_array *array);
void spool_array_clear(struct spool_array *array); /* as it was initialised */

/* A failure is told by spool_array_finish(). */
void spool_array_add(struct spool_array *array, const void *item);

/* `items` is valid from then on, until more is added. */
void spool_array_map(struct spool_array *array);

/* After the last addition: maps it. -1 if the file could not be written, at any time before; the array is empty then. */
int spool_array_finish(struct spool_array *array, struct error *err);

#endif
