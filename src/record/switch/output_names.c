/*
 * Keeps the names of the latest files in a ring. A name that exists is never used again, so no file is
 * overwritten.
 */
#include "record/switch/output_names.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/file_place.h"
#include "base/xalloc.h"

enum {
	CENTISECONDS = 100,
	ATTEMPTS = 100 * CENTISECONDS, /* existing names to skip, before something else must be wrong */
};

struct output_names {
	const char *output;
	char **kept; /* the last max_files names, or one; `latest` is the newest; NULL: not used yet */
	size_t capacity, latest;
	size_t max_files;
};

struct output_names *output_names_create(const char *output, size_t max_files)
{
	struct output_names *names = xcalloc(1, sizeof(*names));

	names->output = output;
	names->max_files = max_files;
	names->capacity = max_files ? max_files : 1;
	names->kept = xcalloc(names->capacity, sizeof(*names->kept));
	return names;
}

void output_names_destroy(struct output_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->capacity; i++)
		free(names->kept[i]);
	free(names->kept);
	free(names);
}

static char *name_with_time(const char *output, time_t second, int centisecond)
{
	struct tm local;
	char digits[32];

	localtime_r(&second, &local);
	strftime(digits, sizeof(digits), "%Y%m%d%H%M%S", &local);
	return xasprintf("%s.%s%02d", output, digits, centisecond);
}

/* Never replaces a file. */
static int rename_to_free(const char *from, const char *to)
{
	if (file_place_at(to) == FILE_PLACE_FREE)
		return file_place_rename(from, to);
	errno = EEXIST;
	return -1;
}

const char *output_names_keep(struct output_names *names, const struct timeval *now, struct error *err)
{
	const uint64_t first = (uint64_t)now->tv_sec * CENTISECONDS + (uint64_t)now->tv_usec / 10000;
	char **place;
	char *name = NULL;

	for (uint64_t at = first; !name; at++) {
		name = name_with_time(names->output, (time_t)(at / CENTISECONDS), (int)(at % CENTISECONDS));
		if (rename_to_free(names->output, name) == 0)
			break;
		if (errno != EEXIST || at == first + ATTEMPTS) {
			error_set_errno(err, errno, "cannot rename %s to %s", names->output, name);
			free(name);
			return NULL;
		}
		free(name);
		name = NULL;
	}
	names->latest = (names->latest + 1) % names->capacity;
	place = &names->kept[names->latest];
	if (*place && names->max_files)
		(void)unlink(*place);
	free(*place);
	*place = name;
	return name;
}
