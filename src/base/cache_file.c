/*
 * A file is magic, checksum, contents, in this machine's byte order. cache_file_open() checks owner, size, magic and checksum
 * before it returns the mapping. cache_file_save() writes a temporary file, renames it, and then deletes the oldest files
 * until those that are left take at most MAX_CACHE_BYTES.
 */
#include "base/cache_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_place.h"
#include "base/hash_table.h"
#include "base/xalloc.h"

/* In this machine's byte order: magic, checksum of the contents, contents. */
enum {
	CHECKSUM_BYTES = 8,
	CONTENTS_AT = CACHE_FILE_MAGIC_BYTES + CHECKSUM_BYTES,
	MAX_FILE_BYTES = 64 << 20,
	MAX_CACHE_BYTES = 256 << 20, /* of all files together */
	LANES = 4,
};

char *cache_file_directory(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && cache[0] == '/')
		return xasprintf("%s/xprof", cache);
	return home && home[0] == '/' ? xasprintf("%s/.cache/xprof", home) : NULL;
}

/* Four sums side by side, because each step of a sum waits for the step before. */
static uint64_t checksum(const uint8_t *bytes, size_t size)
{
	uint64_t sums[LANES] = { 1, 2, 3, 4 }, words[LANES];
	size_t at = 0;

	for (; size - at >= sizeof(words); at += sizeof(words)) {
		memcpy(words, bytes + at, sizeof(words));
		for (size_t lane = 0; lane < LANES; lane++)
			sums[lane] = hash_combine(sums[lane], words[lane]);
	}
	return hash_combine(hash_bytes(sums, sizeof(sums)), hash_bytes(bytes + at, size - at));
}

/* --- loading ------------------------------------------------------------------------------------------- */

static bool is_own(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH)) &&
	       st->st_size > CONTENTS_AT && st->st_size <= MAX_FILE_BYTES;
}

/* Opens a file that is safe to read (not yet verified). Returns a descriptor, or -1. */
static int open_own(const char *path, size_t *size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && is_own(&st)) {
		*size = (size_t)st.st_size;
		return fd;
	}
	close(fd);
	return -1;
}

static bool is_whole(const struct cache_file *file, const char *magic)
{
	uint64_t sum;

	if (memcmp(file->bytes, magic, CACHE_FILE_MAGIC_BYTES) != 0)
		return false;
	memcpy(&sum, file->bytes + CACHE_FILE_MAGIC_BYTES, sizeof(sum));
	return sum == checksum(file->bytes + CONTENTS_AT, file->size - CONTENTS_AT) &&
	       !map_guard_was_hit(file->guard);
}

int cache_file_open(const char *path, const char *magic, struct cache_file *file)
{
	const int fd = open_own(path, &file->size);
	void *bytes;

	if (fd < 0)
		return 0;
	bytes = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return 0;
	file->bytes = bytes;
	file->guard = map_guard_add(bytes, file->size);
	file->contents = byte_reader_over(file->bytes + CONTENTS_AT, file->size - CONTENTS_AT, false);
	if (file->guard && is_whole(file, magic))
		return 1;
	cache_file_close(file);
	return 0;
}

void cache_file_close(struct cache_file *file)
{
	map_guard_remove(file->guard);
	(void)munmap((void *)(uintptr_t)file->bytes, file->size);
}

bool cache_file_begins(const char *path, const char *magic, const void *bytes, size_t size)
{
	uint8_t *there = xmalloc(CONTENTS_AT + size);
	size_t file_size;
	const int fd = open_own(path, &file_size);
	const bool same = fd >= 0 &&
			  pread(fd, there, CONTENTS_AT + size, 0) == (ssize_t)(CONTENTS_AT + size) &&
			  memcmp(there, magic, CACHE_FILE_MAGIC_BYTES) == 0 &&
			  memcmp(there + CONTENTS_AT, bytes, size) == 0;

	if (fd >= 0)
		close(fd);
	free(there);
	return same;
}

/* --- saving ---------------------------------------------------------------------------------------------- */

void cache_file_start(struct strbuf *file, const char *magic)
{
	strbuf_add(file, magic, CACHE_FILE_MAGIC_BYTES);
	strbuf_add_zeros(file, CHECKSUM_BYTES);
}

/* Makes the directory and its parent (~/.cache), but nothing above: homes of system users do not exist on purpose. */
static void make_directories(const char *directory)
{
	char *path = xstrdup(directory);
	char *slash = strrchr(path, '/');

	if (slash && slash != path) {
		*slash = '\0';
		(void)mkdir(path, 0700);
	}
	(void)mkdir(directory, 0700);
	free(path);
}

/* Gives the file its name when it is complete: two processes that write at the same time both leave a good file. */
static void write_file(const char *path, const struct strbuf *contents)
{
	char *temporary = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC);
	size_t written = 0;
	ssize_t got = 1;

	if (fd >= 0) {
		for (; written < contents->size && got > 0; written += (size_t)(got > 0 ? got : 0))
			got = write(fd, contents->bytes + written, contents->size - written);
		if (close(fd) != 0 || written != contents->size || file_place_rename(temporary, path) != 0)
			(void)unlink(temporary);
	}
	free(temporary);
}

struct cached_file {
	char *name;
	uint64_t size;
	int64_t changed_s;
};

static int compare_age(const void *one, const void *other)
{
	const struct cached_file *a = one, *b = other;

	return a->changed_s < b->changed_s ? -1 : a->changed_s > b->changed_s;
}

/* ".owners" is a file of earlier versions. */
static bool is_of_cache(const char *name)
{
	return strstr(name, ".source") || strstr(name, ".kallsyms") || strstr(name, ".owners");
}

/* Removes the oldest files of the cache until the rest is small enough. */
static void make_room(const char *directory)
{
	struct cached_file *files = NULL;
	size_t count = 0, capacity = 0;
	DIR *dir = opendir(directory);
	struct dirent *entry;
	uint64_t total = 0;
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		if (!is_of_cache(entry->d_name) ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		*ARRAY_ADD(files, count, capacity) =
			(struct cached_file){ xstrdup(entry->d_name), (uint64_t)st.st_size,
					      (int64_t)st.st_mtim.tv_sec };
		total += (uint64_t)st.st_size;
	}
	if (count)
		qsort(files, count, sizeof(*files), compare_age);
	for (size_t i = 0; i < count; i++) {
		if (total > MAX_CACHE_BYTES && unlinkat(dirfd(dir), files[i].name, 0) == 0)
			total -= files[i].size;
		free(files[i].name);
	}
	free(files);
	if (dir)
		closedir(dir);
}

void cache_file_save(const char *directory, const char *name, struct strbuf *file)
{
	uint64_t sum;
	char *path;

	if (file->size > MAX_FILE_BYTES)
		return;
	sum = checksum((const uint8_t *)file->bytes + CONTENTS_AT, file->size - CONTENTS_AT);
	memcpy(file->bytes + CACHE_FILE_MAGIC_BYTES, &sum, sizeof(sum));
	path = xasprintf("%s/%s", directory, name);
	make_directories(directory);
	write_file(path, file);
	make_room(directory);
	free(path);
}
