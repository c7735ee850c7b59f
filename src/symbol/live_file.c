/*
 * Tries the path below /proc/PID/root, then the process's mappings with that name through map_files, then /proc/PID/exe.
 * The build-id decides whether a file is taken; MAX_TRIED bounds the mappings that are opened.
 */
#include "symbol/live_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

/* A file has some five mappings; several files may have had this name one after the other. */
enum { MAX_TRIED = 100 };

static struct elf_file *open_if(const char *path, const struct build_id *id)
{
	struct elf_file *file = access(path, R_OK) == 0 ? elf_file_open(path, NULL) : NULL;

	if (!file || build_id_is_recorded(id, elf_file_build_id(file)))
		return file;
	elf_file_close(file);
	return NULL;
}

/* Whether the line is a mapping of that file. It ends with " (deleted)" if the file is gone. */
static bool is_mapping_of(const char *line, const char *path)
{
	const char *name = strchr(line, '/');
	size_t length = strlen(path);

	return name && strncmp(name, path, length) == 0 &&
	       (name[length] == '\n' || strcmp(name + length, " (deleted)\n") == 0);
}

/* /proc/PID/map_files/START-END leads to the file itself even if it was renamed or deleted. Only root may follow the link. */
static struct elf_file *open_mapped(uint32_t pid, const char *path, const struct build_id *id)
{
	char name[64], line[PATH_MAX + 256];
	struct elf_file *file = NULL;
	uint64_t start, end;
	int tried = 0;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/%u/maps", pid);
	maps = fopen(name, "re");
	if (!maps)
		return NULL;
	while (!file && tried < MAX_TRIED && fgets(line, sizeof(line), maps)) {
		if (!is_mapping_of(line, path) || sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) != 2)
			continue;
		snprintf(name, sizeof(name), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, pid, start, end);
		file = open_if(name, id);
		tried++;
	}
	fclose(maps);
	return file;
}

struct elf_file *live_file_open(uint32_t pid, const char *path, const struct build_id *id)
{
	struct elf_file *file;
	char *name;

	if (id->size == 0 || path[0] != '/')
		return NULL;
	name = xasprintf("/proc/%u/root%s", pid, path);
	file = open_if(name, id);
	free(name);
	if (!file)
		file = open_mapped(pid, path, id);
	if (file)
		return file;
	name = xasprintf("/proc/%u/exe", pid); /* the process's own user may follow this link, too */
	file = open_if(name, id);
	free(name);
	return file;
}
