#include "symbol/perf_map.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "symbol/text_file.h"
#include "symbol/trusted_file.h"

/* Node.js services that ran for weeks have been seen with several hundred MB. */
static const size_t MAX_PERF_MAP_BYTES = (size_t)1 << 30;

struct perf_map {
	char *path;
	struct text_file text; /* names point into it */
	struct symbol_map *symbols;
	size_t bad_line_count;
};

static void parse_line(struct perf_map *map, char *line)
{
	const char *at = line;
	uint64_t start, size;

	if (!text_take_hex(&at, &start) || !text_take_hex(&at, &size)) {
		map->bad_line_count++;
		return;
	}
	while (*at == ' ')
		at++;
	if (*at == '\0') {
		map->bad_line_count++;
		return;
	}
	/* Names are as the compiler chose them; some give C++ names of their stubs, which read better demangled. */
	symbol_map_add(map->symbols, start, size, at, STB_GLOBAL, 0, 0);
}

struct perf_map *perf_map_from_text(char *text, size_t size, const char *name)
{
	struct perf_map *map = xcalloc(1, sizeof(*map));
	char *next = text, *line, *line_end;

	map->path = xstrdup(name);
	map->text = (struct text_file){ .bytes = text, .size = size };
	map->symbols = symbol_map_create();
	while ((line = text_next_line(&next, text + size, &line_end))) {
		if (line_end > line && line_end[-1] == '\r')
			line_end[-1] = '\0';
		parse_line(map, line);
	}
	symbol_map_seal(map->symbols, SYMBOL_MAP_YOUNGEST, NULL, NULL);
	return map;
}

void perf_map_close(struct perf_map *map)
{
	if (!map)
		return;
	symbol_map_destroy(map->symbols);
	free(map->text.bytes);
	free(map->path);
	free(map);
}

const char *perf_map_path(const struct perf_map *map)
{
	return map->path;
}

struct symbol_map *perf_map_symbols(struct perf_map *map)
{
	return map->symbols;
}

size_t perf_map_bad_line_count(const struct perf_map *map)
{
	return map->bad_line_count;
}

struct perf_map *perf_map_open_path(const char *path, uid_t trusted, struct error *err)
{
	struct perf_map *map = NULL;
	struct text_file text;
	int fd = trusted_file_open(path, trusted, err);

	if (fd < 0)
		return NULL;
	if (text_file_read(&text, fd, path, MAX_PERF_MAP_BYTES, err) == 0)
		map = perf_map_from_text(text.bytes, text.size, path);
	close(fd);
	return map;
}

/* The process's number in its innermost PID namespace (proc(5), NSpid); its outer one when that is not known. */
static uint32_t inner_pid(uint32_t pid)
{
	char path[64], line[4096];
	uint32_t inner = pid;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	status = fopen(path, "re");
	if (!status)
		return pid;
	while (fgets(line, sizeof(line), status)) {
		const char *last;

		if (strncmp(line, "NSpid:", strlen("NSpid:")) != 0)
			continue;
		last = strrchr(line, '\t');
		if (last)
			inner = (uint32_t)strtoul(last, NULL, 10);
		break;
	}
	fclose(status);
	return inner ? inner : pid;
}

/* In the mount namespace of a process that still runs, believed if it is of the process's own user. */
static struct perf_map *open_in_namespace(uint32_t pid, struct error *err)
{
	struct perf_map *map;
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (stat(path, &st) < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%u/root/tmp/perf-%u.map", pid, inner_pid(pid));
	map = access(path, F_OK) == 0 ? perf_map_open_path(path, st.st_uid, err) : NULL;
	return map;
}

struct perf_map *perf_map_open(uint32_t pid, const char *symfs, struct error *err)
{
	struct perf_map *map = *symfs ? NULL : open_in_namespace(pid, err);
	struct error reason;
	char *path;

	if (map)
		return map;
	path = xasprintf("%s/tmp/perf-%u.map", symfs, pid);
	map = perf_map_open_path(path, geteuid(), &reason);
	if (!map && reason.errno_value != ENOENT)
		error_set(err, "%s", reason.message);
	else if (!map)
		error_set(err, "%s does not exist", path);
	free(path);
	return map;
}
