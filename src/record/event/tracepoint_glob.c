/* Walks tracefs: a directory for each system, in it one for each tracepoint. */
#include "record/event/tracepoint_glob.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

size_t tracepoint_glob_length(const char *text)
{
	const char *colon = strchr(text, ':');
	size_t length;

	if (!colon)
		return 0;
	length = (size_t)(colon - text) + 1 + strcspn(colon + 1, ":/");
	return strcspn(text, "/") >= length && strcspn(text, "*?[") < length ? length : 0;
}

static void add_name(struct tracepoint_names *names, const char *system, const char *name)
{
	*ARRAY_ADD(names->items, names->count, names->capacity) = xasprintf("%s:%s", system, name);
}

/* Adds the tracepoints of one system: its directories with a file `id`. */
static void add_system(struct tracepoint_names *names, const char *tracefs, const char *system,
		       const char *pattern)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *entries;

	snprintf(path, sizeof(path), "%s/events/%s", tracefs, system);
	entries = opendir(path);
	while (entries && (entry = readdir(entries))) {
		if (entry->d_name[0] == '.' || fnmatch(pattern, entry->d_name, 0) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/events/%s/%s/id", tracefs, system, entry->d_name);
		if (access(path, F_OK) == 0)
			add_name(names, system, entry->d_name);
	}
	if (entries)
		closedir(entries);
}

static int compare_names(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

/* ftrace's own events have directories there, too, but only its tracers trigger them. */
static bool is_system(const char *name)
{
	return name[0] != '.' && strcmp(name, "ftrace") != 0;
}

int tracepoint_glob_find(struct tracepoint_names *names, const char *tracefs, const char *pattern,
			 struct error *err)
{
	char *system = xstrdup(pattern);
	char *name = strchr(system, ':');
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *systems;

	*name++ = '\0';
	snprintf(path, sizeof(path), "%s/events", tracefs);
	systems = opendir(path);
	if (!systems) {
		error_set_errno(err, errno, "cannot read %s; run as root, or 'mount -o remount,mode=755 %s'",
				path, tracefs);
		free(system);
		return -1;
	}
	while ((entry = readdir(systems)))
		if (is_system(entry->d_name) && fnmatch(system, entry->d_name, 0) == 0)
			add_system(names, tracefs, entry->d_name, name);
	closedir(systems);
	free(system);
	if (names->count == 0)
		return error_set(err, "no tracepoint matches; 'ls %s' shows their systems", path);
	qsort(names->items, names->count, sizeof(*names->items), compare_names);
	return 0;
}

void tracepoint_names_fini(struct tracepoint_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct tracepoint_names){ 0 };
}
