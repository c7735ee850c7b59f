/*
 * Items are collected in a buffer, which is appended to the file when it is full. The file is mapped for
 * reading.
 */
#include "base/spool_array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/spool_file.h"
#include "base/xalloc.h"

enum { BUFFERED_ITEMS = 1 << 14 };

int spool_array_init(struct spool_array *array, const char *name, size_t item_bytes, struct error *err)
{
	*array = (struct spool_array){ .name = name, .item_bytes = item_bytes };
	array->fd = spool_file_create(name, err);
	if (array->fd < 0)
		return -1;
	array->buffer = xmalloc(BUFFERED_ITEMS * item_bytes);
	return 0;
}

static void unmap(struct spool_array *array)
{
	if (array->items)
		munmap(array->items, array->count * array->item_bytes);
	array->items = NULL;
}

void spool_array_fini(struct spool_array *array)
{
	unmap(array);
	close(array->fd);
	free(array->buffer);
}

static void fail(struct spool_array *array, const char *verb)
{
	if (!array->failed)
		error_set_errno(&array->error, errno, "cannot %s %s", verb, array->name);
	array->failed = true;
}

void spool_array_clear(struct spool_array *array)
{
	unmap(array);
	array->buffered = array->count = 0;
	if (ftruncate(array->fd, 0) || lseek(array->fd, 0, SEEK_SET))
		fail(array, "clear");
}

static void flush(struct spool_array *array)
{
	if (!array->failed && spool_file_write(array->fd, array->buffer, array->buffered * array->item_bytes,
					       array->name, &array->error))
		array->failed = true;
	if (!array->failed)
		array->count += array->buffered;
	array->buffered = 0;
}

void spool_array_add(struct spool_array *array, const void *item)
{
	if (array->buffered == BUFFERED_ITEMS) {
		unmap(array);
		flush(array);
	}
	memcpy(array->buffer + array->buffered++ * array->item_bytes, item, array->item_bytes);
}

void spool_array_map(struct spool_array *array)
{
	if (array->buffered)
		unmap(array);
	flush(array);
	if (array->items || array->failed || !array->count)
		return;
	array->items = mmap(NULL, array->count * array->item_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			    array->fd, 0);
	if (array->items != MAP_FAILED)
		return;
	array->items = NULL;
	fail(array, "map");
}

void spool_array_release(const struct spool_array *array)
{
	if (array->items)
		(void)madvise(array->items, array->count * array->item_bytes, MADV_DONTNEED);
}

int spool_array_finish(struct spool_array *array, struct error *err)
{
	spool_array_map(array);
	if (!array->failed)
		return 0;
	unmap(array);
	array->count = 0;
	return error_set(err, "%s", array->error.message);
}
