#ifndef XPROF_BASE_SPOOL_ARRAY_H
#define XPROF_BASE_SPOOL_ARRAY_H

/*
 * An array of items of one size, kept in an unlinked temporary file, for lists that are as long as a recording. Add all items
 * first, then map the array to read and change them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct spool_array {
	const char *name; /* of the contents, for messages; a literal */
	size_t item_bytes;
	size_t count; /* written to the file; the others are in `buffer` */
	void *items;  /* the mapped file; NULL if not mapped yet, or empty */

	int fd;
	bool failed;
	struct error error; /* of the first write that failed */
	char *buffer;
	size_t buffered;
};

/* Creates the file. Returns -1 if that fails. `name` is not copied. */
int spool_array_init(struct spool_array *array, const char *name, size_t item_bytes, struct error *err);
void spool_array_fini(struct spool_array *array);
void spool_array_clear(struct spool_array *array); /* removes all items */

/* A failure is reported by spool_array_finish(). */
void spool_array_add(struct spool_array *array, const void *item);

/*
 * Maps the array into `items`, valid until the next spool_array_add(). `items` is NULL if the array is empty
 * or something failed.
 */
void spool_array_map(struct spool_array *array);

/* Gives up the memory of the mapped array: what is read again comes from the file. */
void spool_array_release(const struct spool_array *array);

/* Call after the last addition. Maps the array. Returns -1 if any write has failed; the array is empty then. */
int spool_array_finish(struct spool_array *array, struct error *err);

#endif
