/* readdir() has no order, so the numbers are collected, then sorted. */
#include "record/machine/numbered_entries.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static bool parse(const char *name, const char *prefix, unsigned int *number)
{
	size_t length = strlen(prefix);
	unsigned long value;
	char *end;

	if (strncmp(name, prefix, length) != 0 || name[length] < '0' || name[length] > '9')
		return false;
	value = strtoul(name + length, &end, 10);
	*number = (unsigned int)value;
	return *end == '\0' && value <= INT_MAX;
}

static int compare(const void *a, const void *b)
{
	const unsigned int first = *(const unsigned int *)a, second = *(const unsigned int *)b;

	return (first > second) - (first < second);
}

void numbered_entries_read(struct numbered_entries *entries, const char *directory, const char *prefix)
{
	DIR *stream = opendir(directory);
	const struct dirent *entry;
	unsigned int number;

	*entries = (struct numbered_entries){ 0 };
	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		if (!parse(entry->d_name, prefix, &number))
			continue;
		*ARRAY_ADD(entries->numbers, entries->count, entries->capacity) = number;
	}
	closedir(stream);
	if (entries->count)
		qsort(entries->numbers, entries->count, sizeof(entries->numbers[0]), compare);
}

void numbered_entries_fini(struct numbered_entries *entries)
{
	free(entries->numbers);
}
