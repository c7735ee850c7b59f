/*
 * The file is read in pieces and parsed as it comes, since old maps reach hundreds of MB; repeated names are kept once.
 * Most of the rest decides whether a file in /tmp may be believed: its owner, its age, and whether the recorded process
 * still runs. Start at perf_map_open().
 */
#include "symbol/perf_map.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/live_process.h"
#include "base/str_pool.h"
#include "base/strbuf.h"
#include "base/trusted_file.h"
#include "base/xalloc.h"
#include "symbol/text_file.h"

/* Node.js services that had run for weeks had maps of several hundred MB. */
static const size_t MAX_PERF_MAP_BYTES = (size_t)1 << 30;

enum {
	/* longer lines are cut; compilers' names are far shorter, so such a file is damaged */
	MAX_LINE_BYTES = 64 * 1024,
	READ_BYTES = 256 * 1024,
	SLACK_S = 2, /* tolerance for times of files and processes */
};

struct perf_map {
	char *path;
	struct str_pool *names;
	struct symbol_map *symbols;
	struct strbuf line; /* the incomplete line at the end of the text so far */
};

/* --- its lines ------------------------------------------------------------------------------ */

static void take_line(struct perf_map *map)
{
	struct strbuf *line = &map->line;
	const char *at;
	uint64_t start, size;
	uint32_t name;

	if (line->size && line->bytes[line->size - 1] == '\r')
		strbuf_cut(line, line->size - 1);
	at = line->size ? line->bytes : "";
	if (!text_take_hex(&at, &start) || !text_take_hex(&at, &size))
		return;
	while (*at == ' ')
		at++;
	if (*at == '\0')
		return;
	/* Compilers repeat names often: each distinct one is kept once. */
	name = str_pool_add(map->names, at);
	/*
	 * Names stay as the compiler wrote them. Some compilers give stubs C++ names, which are easier to read when
	 * demangled.
	 */
	symbol_map_add(map->symbols, start, size, str_pool_text(map->names, name), STB_GLOBAL, 0, 0);
}

static void take_text(struct perf_map *map, const char *text, size_t size)
{
	while (size) {
		const char *newline = memchr(text, '\n', size);
		const size_t bytes = newline ? (size_t)(newline - text) : size;
		const size_t room = MAX_LINE_BYTES - map->line.size;

		strbuf_add(&map->line, text, bytes < room ? bytes : room);
		if (!newline)
			return;
		take_line(map);
		strbuf_reset(&map->line);
		text += bytes + 1;
		size -= bytes + 1;
	}
}

static struct perf_map *begin(const char *name)
{
	struct perf_map *map = xcalloc(1, sizeof(*map));

	map->path = xstrdup(name);
	map->names = str_pool_create();
	map->symbols = symbol_map_create();
	strbuf_init(&map->line);
	return map;
}

static struct perf_map *finish(struct perf_map *map)
{
	if (map->line.size)
		take_line(map);
	strbuf_fini(&map->line);
	symbol_map_seal(map->symbols, SYMBOL_MAP_YOUNGEST, NULL, NULL);
	return map;
}

struct perf_map *perf_map_from_text(const char *text, size_t size, const char *name)
{
	struct perf_map *map = begin(name);

	take_text(map, text, size);
	return finish(map);
}

void perf_map_close(struct perf_map *map)
{
	if (!map)
		return;
	symbol_map_destroy(map->symbols);
	str_pool_destroy(map->names);
	strbuf_fini(&map->line);
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

/* --- the file --------------------------------------------------------------------------------- */

/* In pieces: the file is larger than its distinct names. */
static int read_text(struct perf_map *map, int fd, struct error *err)
{
	char *piece = xmalloc(READ_BYTES);
	size_t total = 0;
	int read_errno = 0;
	ssize_t got;

	while ((got = TEMP_FAILURE_RETRY(read(fd, piece, READ_BYTES))) != 0 && total < MAX_PERF_MAP_BYTES) {
		if (got < 0) {
			read_errno = errno;
			break;
		}
		take_text(map, piece, (size_t)got);
		total += (size_t)got;
	}
	free(piece);
	if (got == 0)
		return 0;
	return read_errno ? error_set_errno(err, read_errno, "cannot read %s", map->path) :
			    error_set(err, "%s is larger than %zu MiB", map->path, MAX_PERF_MAP_BYTES >> 20);
}

static struct perf_map *read_file(const char *path, int fd, struct error *err)
{
	struct perf_map *map = begin(path);

	if (read_text(map, fd, err) == 0)
		return finish(map);
	perf_map_close(map);
	return NULL;
}

struct perf_map *perf_map_open_path(const char *path, uid_t trusted, struct error *err)
{
	struct perf_map *map;
	int fd = trusted_file_open(path, trusted, err);

	if (fd < 0)
		return NULL;
	map = read_file(path, fd, err);
	close(fd);
	return map;
}

/* --- whether to trust the file ----------------------------------------------------------------- */

/* Whether the process that ran when the recording ended still runs: its number may belong to another process by now. */
static bool is_recorded_process(uint32_t pid, int64_t recorded_until_s)
{
	const int64_t started_s = live_process_started_s(pid);

	return started_s && (!recorded_until_s || started_s <= recorded_until_s + SLACK_S);
}

/* The map in the mount namespace of a process that still runs, trusted if the process's own user owns it. */
static struct perf_map *open_in_namespace(uint32_t pid, int64_t recorded_until_s, struct error *err)
{
	uid_t user;
	char path[64];

	if (!live_process_user(pid, &user) || !is_recorded_process(pid, recorded_until_s))
		return NULL;
	snprintf(path, sizeof(path), "/proc/%u/root/tmp/perf-%u.map", pid, live_process_inner_pid(pid));
	return access(path, F_OK) == 0 ? perf_map_open_path(path, user, err) : NULL;
}

/*
 * A map grows while its process runs. If it was written to after the recording had ended, it belongs to the recorded
 * process only if that still runs; otherwise another process may have got the number and rewritten the file.
 */
static int check_age(const char *path, int fd, uint32_t pid, int64_t recorded_until_s, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return error_set_errno(err, errno, "cannot read %s", path);
	if (!recorded_until_s || status.st_mtime <= recorded_until_s + SLACK_S ||
	    is_recorded_process(pid, recorded_until_s))
		return 0;
	return error_set(
		err,
		"%s is newer than the recording and its process has ended, so it may belong to another "
		"process (if not, run 'touch -r RECORDING %s')",
		path, path);
}

static struct perf_map *open_in_tmp(const char *path, uint32_t pid, int64_t recorded_until_s,
				    struct error *err)
{
	struct perf_map *map = NULL;
	int fd = trusted_file_open(path, geteuid(), err);

	if (fd < 0)
		return NULL;
	if (check_age(path, fd, pid, recorded_until_s, err) == 0)
		map = read_file(path, fd, err);
	close(fd);
	return map;
}

struct perf_map *perf_map_open(uint32_t pid, const char *symfs, int64_t recorded_until_s, struct error *err)
{
	struct perf_map *map = *symfs ? NULL : open_in_namespace(pid, recorded_until_s, err);
	struct error reason;
	char *path;

	if (map)
		return map;
	path = xasprintf("%s/tmp/perf-%u.map", symfs, pid);
	map = open_in_tmp(path, pid, *symfs ? 0 : recorded_until_s, &reason);
	if (!map && reason.errno_value != ENOENT)
		error_set(err, "%s", reason.message);
	else if (!map)
		error_set(err, "%s does not exist", path);
	free(path);
	return map;
}
