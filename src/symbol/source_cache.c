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
 *   magic (8 bytes), checksum of what follows (8), size and time of change of the debug file (8 each), numbers of
 *   places, frames and texts, and bytes of texts (4 each), the debug file's path (4 bytes of length, text);
 *   places: vaddr (8), number of frames (4); frames: function, file, line (4 each); texts, each with its terminator.
 */
static const char magic[] = "xprofS\1\n";

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

struct header {
	uint32_t place_count, frame_count, text_count, text_bytes;
};

static bool read_header(struct byte_reader *r, const struct source_cache_key *key, struct header *header)
{
	uint64_t size, changed_ns, now_size, now_changed_ns;
	uint32_t path_size;
	const uint8_t *path;

	size = byte_reader_u64(r);
	changed_ns = byte_reader_u64(r);
	header->place_count = byte_reader_u32(r);
	header->frame_count = byte_reader_u32(r);
	header->text_count = byte_reader_u32(r);
	header->text_bytes = byte_reader_u32(r);
	path_size = byte_reader_u32(r);
	path = byte_reader_bytes(r, path_size);
	return byte_reader_ok(r) && path_size == strlen(key->debug_path) &&
	       memcmp(path, key->debug_path, path_size) == 0 &&
	       stat_debug_file(key, &now_size, &now_changed_ns) == 0 && size == now_size &&
	       changed_ns == now_changed_ns &&
	       byte_reader_left(r) == (uint64_t)header->place_count * 12 +
					      (uint64_t)header->frame_count * 12 + header->text_bytes;
}

/* Texts get the numbers that they had, or the file is not one that source_cache_save() wrote. */
static bool read_texts(struct byte_reader r, const struct header *header, struct str_pool *texts)
{
	for (uint32_t i = 0; i < header->text_count; i++) {
		const uint8_t *end = memchr(r.next, 0, byte_reader_left(&r));
		size_t size = end ? (size_t)(end - r.next) : 0;

		if (!end || str_pool_add_n(texts, (const char *)r.next, size) != i)
			return false;
		byte_reader_skip(&r, size + 1);
	}
	return true;
}

static bool read_places(struct byte_reader r, const struct header *header, struct source_answers *answers)
{
	struct byte_reader places = byte_reader_sub(&r, (size_t)header->place_count * 12);
	struct unit_frame frames[INLINE_MAX_DEPTH];

	for (uint32_t i = 0; i < header->place_count; i++) {
		uint64_t vaddr = byte_reader_u64(&places);
		uint32_t count = byte_reader_u32(&places);

		if (count > INLINE_MAX_DEPTH || count * 12 > byte_reader_left(&r))
			return false;
		for (uint32_t j = 0; j < count; j++) {
			frames[j].function = byte_reader_u32(&r);
			frames[j].file = byte_reader_u32(&r);
			frames[j].line = byte_reader_u32(&r);
			if (frames[j].function >= header->text_count || frames[j].file >= header->text_count)
				return false;
		}
		source_answers_add(answers, vaddr, frames, count);
	}
	return true;
}

int source_cache_load(const struct source_cache_key *key, struct source_answers *answers)
{
	char *path = file_path(key);
	struct source_answers read;
	struct header header;
	uint8_t *bytes;
	size_t size = 0;
	bool good = false;

	bytes = path ? read_file(path, &size) : NULL;
	free(path);
	if (!bytes)
		return 0;
	source_answers_init(&read);
	if (size > CHECKED_FROM && memcmp(bytes, magic, MAGIC_BYTES) == 0) {
		struct byte_reader r = byte_reader_over(bytes + MAGIC_BYTES, size - MAGIC_BYTES, false),
				   texts;

		good = byte_reader_u64(&r) == hash_bytes(bytes + CHECKED_FROM, size - CHECKED_FROM) &&
		       read_header(&r, key, &header);
		if (good) {
			texts = r;
			byte_reader_skip(&texts,
					 (size_t)header.place_count * 12 + (size_t)header.frame_count * 12);
			good = read_texts(texts, &header, read.texts) && read_places(r, &header, &read);
		}
	}
	free(bytes);
	if (good) {
		source_answers_fini(answers);
		*answers = read;
	} else {
		source_answers_fini(&read);
	}
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
	uint32_t texts = str_pool_count(answers->texts), text_bytes = 0;
	uint64_t size, changed_ns, checksum;

	if (stat_debug_file(key, &size, &changed_ns) < 0)
		return -1;
	for (uint32_t i = 0; i < texts; i++)
		text_bytes += (uint32_t)strlen(str_pool_text(answers->texts, i)) + 1;
	strbuf_add(out, magic, MAGIC_BYTES);
	strbuf_add_u64(out, 0, false);
	strbuf_add_u64(out, size, false);
	strbuf_add_u64(out, changed_ns, false);
	strbuf_add_u32(out, (uint32_t)answers->place_count, false);
	strbuf_add_u32(out, (uint32_t)answers->frame_count, false);
	strbuf_add_u32(out, texts, false);
	strbuf_add_u32(out, text_bytes, false);
	strbuf_add_u32(out, (uint32_t)strlen(key->debug_path), false);
	strbuf_adds(out, key->debug_path);
	for (size_t i = 0; i < answers->place_count; i++) {
		strbuf_add_u64(out, answers->places[i].vaddr, false);
		strbuf_add_u32(out, answers->places[i].frame_count, false);
	}
	for (size_t i = 0; i < answers->frame_count; i++) {
		strbuf_add_u32(out, answers->frames[i].function, false);
		strbuf_add_u32(out, answers->frames[i].file, false);
		strbuf_add_u32(out, answers->frames[i].line, false);
	}
	for (uint32_t i = 0; i < texts; i++)
		strbuf_add(out, str_pool_text(answers->texts, i),
			   strlen(str_pool_text(answers->texts, i)) + 1);
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
