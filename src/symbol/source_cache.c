#include "symbol/source_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/hash_table.h"
#include "base/xalloc.h"

/*
 * In this machine's byte order:
 *   magic (8 bytes), checksum of what follows (8), size and time of change of the debug file (8 each), its path (4
 *   bytes of length, text), and the answers (source_answers_encode()).
 */
static const char magic[] = "xprofS\2\n";

enum {
	MAX_FILE_BYTES = 64 << 20,   /* of one binary */
	MAX_CACHE_BYTES = 256 << 20, /* of all */
	MAGIC_BYTES = 8,
	CHECKED_FROM = 16,
};

char *source_cache_directory(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && cache[0] == '/')
		return xasprintf("%s/xprof", cache);
	return home && home[0] == '/' ? xasprintf("%s/.cache/xprof", home) : NULL;
}

static char *file_path(const struct source_cache_key *key)
{
	char hex[BUILD_ID_HEX_SIZE];

	if (!key->directory || key->build_id->size == 0)
		return NULL;
	return xasprintf("%s/%s.source", key->directory, build_id_hex(key->build_id, hex));
}

/* The debug file as it is now. */
static int stat_debug_file(const struct source_cache_key *key, uint64_t *size, uint64_t *changed_ns)
{
	struct stat st;

	if (stat(key->debug_path, &st) < 0)
		return -1;
	*size = (uint64_t)st.st_size;
	*changed_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	return 0;
}

/* --- loading ------------------------------------------------------------------------------------------- */

static bool is_own(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH)) &&
	       st->st_size > CHECKED_FROM && st->st_size <= MAX_FILE_BYTES;
}

/* malloc()ed; NULL when there is none that may be believed. */
static uint8_t *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	uint8_t *bytes = NULL;
	struct stat st;
	ssize_t got = 0;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && is_own(&st)) {
		bytes = xmalloc((size_t)st.st_size);
		for (*size = 0; *size < (size_t)st.st_size; *size += (size_t)got) {
			got = read(fd, bytes + *size, (size_t)st.st_size - *size);
			if (got <= 0)
				break;
		}
	}
	close(fd);
	return bytes;
}

/* Was it made of the debug file as it is now? */
static bool is_of_debug_file(struct byte_reader *r, const struct source_cache_key *key)
{
	uint64_t size, changed_ns, now_size, now_changed_ns;
	uint32_t path_size;
	const uint8_t *path;

	size = byte_reader_u64(r);
	changed_ns = byte_reader_u64(r);
	path_size = byte_reader_u32(r);
	path = byte_reader_bytes(r, path_size);
	return byte_reader_ok(r) && path_size == strlen(key->debug_path) &&
	       memcmp(path, key->debug_path, path_size) == 0 &&
	       stat_debug_file(key, &now_size, &now_changed_ns) == 0 && size == now_size &&
	       changed_ns == now_changed_ns;
}

int source_cache_load(const struct source_cache_key *key, struct source_answers *answers)
{
	char *path = file_path(key);
	uint8_t *bytes;
	size_t size = 0;
	bool good = false;

	bytes = path ? read_file(path, &size) : NULL;
	free(path);
	if (!bytes)
		return 0;
	if (size > CHECKED_FROM && memcmp(bytes, magic, MAGIC_BYTES) == 0) {
		struct byte_reader r = byte_reader_over(bytes + MAGIC_BYTES, size - MAGIC_BYTES, false);

		good = byte_reader_u64(&r) == hash_bytes(bytes + CHECKED_FROM, size - CHECKED_FROM) &&
		       is_of_debug_file(&r, key) && source_answers_decode(answers, r);
	}
	free(bytes);
	return good;
}

/* --- saving ---------------------------------------------------------------------------------------------- */

static void make_directories(const char *directory)
{
	char *path = xstrdup(directory);

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	(void)mkdir(path, 0700);
	free(path);
}

static int make_contents(struct strbuf *out, const struct source_cache_key *key,
			 const struct source_answers *answers)
{
	uint64_t size, changed_ns, checksum;

	if (stat_debug_file(key, &size, &changed_ns) < 0)
		return -1;
	strbuf_add(out, magic, MAGIC_BYTES);
	strbuf_add_u64(out, 0, false);
	strbuf_add_u64(out, size, false);
	strbuf_add_u64(out, changed_ns, false);
	strbuf_add_u32(out, (uint32_t)strlen(key->debug_path), false);
	strbuf_adds(out, key->debug_path);
	source_answers_encode(answers, out);
	checksum = hash_bytes(out->bytes + CHECKED_FROM, out->size - CHECKED_FROM);
	memcpy(out->bytes + MAGIC_BYTES, &checksum, sizeof(checksum));
	return out->size <= MAX_FILE_BYTES ? 0 : -1;
}

/* Under its name when it is whole: two that write at the same time both leave a good file. */
static void write_file(const char *path, const struct strbuf *contents)
{
	char *temporary = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC);
	size_t written = 0;
	ssize_t got = 1;

	if (fd >= 0) {
		for (; written < contents->size && got > 0; written += (size_t)(got > 0 ? got : 0))
			got = write(fd, contents->bytes + written, contents->size - written);
		if (close(fd) != 0 || written != contents->size || rename(temporary, path) != 0)
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

/* Whatever in the directory is the cache's: the oldest go until the rest is small enough. */
static void make_room(const char *directory)
{
	struct cached_file *files = NULL;
	size_t count = 0, capacity = 0;
	DIR *dir = opendir(directory);
	struct dirent *entry;
	uint64_t total = 0;
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		if (!strstr(entry->d_name, ".source") ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		files = array_grow(files, &capacity, count + 1, sizeof(*files));
		files[count++] = (struct cached_file){ xstrdup(entry->d_name), (uint64_t)st.st_size,
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

void source_cache_save(const struct source_cache_key *key, const struct source_answers *answers)
{
	char *path = file_path(key);
	struct strbuf contents;

	if (!path)
		return;
	strbuf_init(&contents);
	if (make_contents(&contents, key, answers) == 0) {
		make_directories(key->directory);
		write_file(path, &contents);
		make_room(key->directory);
	}
	strbuf_fini(&contents);
	free(path);
}
