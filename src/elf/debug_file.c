/*
 * debug_file_open() tries the places in order: the build-id trees, the debug link, perf's cache if a directory is given, the
 * debuginfod cache. Each function that opens a file compares build-ids before it returns the file. Only a debug link may rely on
 * the CRC, if one of the two files has no build-id.
 */
#include "elf/debug_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/byte_reader.h"
#include "base/xalloc.h"
#include "elf/build_id_cache.h"
#include "elf/elf_excerpt.h"

static const char *const default_debug_dirs[] = { "/usr/lib/debug", NULL };

static const char *const *debug_dirs(const struct debug_file_search *search)
{
	return search->debug_dirs ? search->debug_dirs : default_debug_dirs;
}

static const char *symfs(const struct debug_file_search *search)
{
	return search->symfs ? search->symfs : "";
}

/* Do the paths lead to the same file? A debug link may name the file that contains it. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat st_a, st_b;

	return stat(a, &st_a) == 0 && stat(b, &st_b) == 0 && st_a.st_dev == st_b.st_dev &&
	       st_a.st_ino == st_b.st_ino;
}

/* DIR/.build-id/ab/cdef….debug */
static struct elf_file *open_from_tree(const struct build_id *id, const struct debug_file_search *search,
				       struct error *err)
{
	char hex[BUILD_ID_HEX_SIZE];

	if (id->size < 2)
		return NULL;
	build_id_hex(id, hex);
	for (const char *const *dir = debug_dirs(search); *dir; dir++) {
		char *path = xasprintf("%s%s/.build-id/%.2s/%s.debug", symfs(search), *dir, hex, hex + 2);
		struct elf_file *debug = access(path, F_OK) == 0 ? elf_file_open(path, err) : NULL;

		if (debug && !build_id_equal(elf_file_build_id(debug), id)) {
			char other[BUILD_ID_HEX_SIZE];

			error_set(err, "%s has another build-id: %s", path,
				  build_id_hex(elf_file_build_id(debug), other));
			elf_file_close(debug);
			debug = NULL;
		}
		free(path);
		if (debug)
			return debug;
	}
	return NULL;
}

/*
 * perf's cache has the debug files from the time of recording. That matters on another machine, where the user must name the
 * cache's directory.
 */
static struct elf_file *open_cached(const struct build_id *id, const struct debug_file_search *search)
{
	char *path = search->buildid_dir ? build_id_cache_find(search->buildid_dir, id, "debug") : NULL;
	struct elf_file *file = path ? elf_file_open(path, NULL) : NULL;

	free(path);
	if (file && !build_id_equal(elf_file_build_id(file), id)) {
		elf_file_close(file);
		file = NULL;
	}
	return file;
}

/* Ignores empty files: by these a debuginfod client remembers that no server had the file. */
static struct elf_file *open_downloaded(const struct build_id *id, const struct debug_file_search *search,
					const char *kind)
{
	char hex[BUILD_ID_HEX_SIZE];
	struct elf_file *file;
	char *path;

	if (!search->debuginfod_cache || id->size < 2)
		return NULL;
	path = xasprintf("%s/%s/%s", search->debuginfod_cache, build_id_hex(id, hex), kind);
	file = access(path, R_OK) == 0 ? elf_file_open(path, NULL) : NULL;
	free(path);
	if (file && !build_id_equal(elf_file_build_id(file), id)) {
		elf_file_close(file);
		file = NULL;
	}
	return file;
}

struct elf_file *debug_file_open_downloaded_executable(const struct build_id *id,
						       const struct debug_file_search *search)
{
	return open_downloaded(id, search, "executable");
}

struct elf_file *debug_file_open_build_id(const struct build_id *id, const struct debug_file_search *search,
					  struct error *err)
{
	struct elf_file *debug = open_from_tree(id, search, err);

	if (!debug)
		debug = open_cached(id, search);
	return debug ? debug : open_downloaded(id, search, "debuginfo");
}

/* The CRC-32 (ISO 3309) of the whole debug file (GDB manual, "Separate Debug Files"). */
static uint32_t file_crc(const struct elf_file *file)
{
	size_t size;
	const uint8_t *bytes = elf_file_bytes(file, &size);

	return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}

/* Reads name and CRC from .gnu_debuglink: a string, padding to 4 bytes, the CRC in the file's byte order. */
static int read_debuglink(struct elf_file *file, const char **name, uint32_t *crc, struct error *err)
{
	struct elf_section section;
	struct byte_reader r;
	size_t length;
	int result = elf_file_section(file, ".gnu_debuglink", &section, err);

	if (result != 1)
		return result;
	*name = elf_section_string(&section, 0);
	if (!*name || !**name || strchr(*name, '/'))
		return error_set(err, "%s: .gnu_debuglink holds no file name", elf_file_path(file));
	length = strlen(*name) + 1;
	r = byte_reader_over(section.bytes, section.size, elf_file_swapped(file));
	byte_reader_skip(&r, (length + 3) & ~(size_t)3);
	*crc = byte_reader_u32(&r);
	if (!byte_reader_ok(&r))
		return error_set(err, "%s: .gnu_debuglink is cut short", elf_file_path(file));
	return 1;
}

/* Opens the debug file at `path`. Returns NULL if nothing is there; NULL with err set if it does not belong to `file`. */
static struct elf_file *open_linked(struct elf_file *file, const char *path, uint32_t crc, struct error *err)
{
	const struct build_id *wanted = elf_file_build_id(file);
	const struct build_id *found;
	struct elf_file *debug;
	char wanted_hex[BUILD_ID_HEX_SIZE], found_hex[BUILD_ID_HEX_SIZE];

	if (access(path, F_OK) != 0 || is_same_file(path, elf_file_path(file)))
		return NULL;
	debug = elf_file_open(path, err);
	if (!debug)
		return NULL;
	found = elf_file_build_id(debug);
	if (wanted->size && found->size && !build_id_equal(wanted, found))
		error_set(err, "%s has build-id %s, but %s has %s", path, build_id_hex(found, found_hex),
			  elf_file_path(file), build_id_hex(wanted, wanted_hex));
	else if (wanted->size && found->size)
		return debug; /* equal build-ids prove more than a CRC, which takes seconds for gigabytes */
	else if (file_crc(debug) == crc)
		return debug;
	else
		error_set(err, "%s: its CRC differs from the debug link of %s: it belongs to another build",
			  path, elf_file_path(file));
	elf_file_close(debug);
	return NULL;
}

/* Looks in the file's own directory, in its .debug, and below each directory of debug files. `directory` is without symfs. */
static struct elf_file *open_from_directory(struct elf_file *file, const char *directory, const char *name,
					    uint32_t crc, const struct debug_file_search *search,
					    struct error *err)
{
	char *path = xasprintf("%s%s/%s", symfs(search), directory, name);
	struct elf_file *debug = open_linked(file, path, crc, err);

	free(path);
	if (debug)
		return debug;
	path = xasprintf("%s%s/.debug/%s", symfs(search), directory, name);
	debug = open_linked(file, path, crc, err);
	free(path);
	for (const char *const *dir = debug_dirs(search); !debug && *dir; dir++) {
		path = xasprintf("%s%s%s%s/%s", symfs(search), *dir, directory[0] == '/' ? "" : "/",
				 directory, name);
		debug = open_linked(file, path, crc, err);
		free(path);
	}
	return debug;
}

/* The directory of a path, without the prefix symfs; malloc()ed. */
static char *directory_of(const char *path, const char *prefix)
{
	size_t prefix_length = strlen(prefix);
	const char *slash;

	if (strncmp(path, prefix, prefix_length) == 0)
		path += prefix_length;
	slash = strrchr(path, '/');
	return slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");
}

static struct elf_file *open_by_debuglink(struct elf_file *file, const struct debug_file_search *search,
					  struct error *err)
{
	struct elf_file *debug;
	const char *name;
	uint32_t crc = 0;
	char real_path[PATH_MAX];
	char *directory;

	if (read_debuglink(file, &name, &crc, err) != 1)
		return NULL;
	directory = directory_of(elf_file_path(file), symfs(search));
	debug = open_from_directory(file, directory, name, crc, search, err);
	free(directory);
	/* /lib is a link to /usr/lib: debug packages use one name or the other. */
	if (debug || !realpath(elf_file_path(file), real_path) || strcmp(real_path, elf_file_path(file)) == 0)
		return debug;
	directory = directory_of(real_path, symfs(search));
	debug = open_from_directory(file, directory, name, crc, search, err);
	free(directory);
	return debug;
}

struct elf_file *debug_file_open(struct elf_file *file, const struct debug_file_search *search,
				 struct error *err)
{
	struct elf_file *debug;

	if (err)
		err->message[0] = '\0';
	if (elf_excerpt_is(file))
		return NULL; /* it already has what its debug file had */
	debug = open_from_tree(elf_file_build_id(file), search, err);
	if (!debug)
		debug = open_by_debuglink(file, search, err);
	if (!debug)
		debug = open_cached(elf_file_build_id(file), search);
	return debug ? debug : open_downloaded(elf_file_build_id(file), search, "debuginfo");
}
